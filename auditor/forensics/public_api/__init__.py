"""What other code calls, and whether a change breaks it: exports, signatures, types, reachability.

Never decides how bad a break is.

Other rooms import only the modules named in `__all__`.
"""

__all__ = [
    "applications",
    "breaking_changes",
    "package_front",
    "python_compatibility",
    "reachability",
    "removed_exports",
    "renamed_functions",
    "shipped_test_modules",
    "surfaces",
]
