"""What other code calls, and whether a change breaks it: exports, signatures, types, reachability.

Never decides how bad a break is.

Other rooms import only the modules named in `__all__`.
"""

__all__ = [
    "breaking_changes",
    "exported_files",
    "framework_entry_points",
    "init_reexports",
    "narrowed_signatures",
    "outline_pairs",
    "package_reachability",
    "product_use",
    "python_api_changes",
    "removed_exports",
    "renamed_functions",
    "shipped_test_modules",
]
