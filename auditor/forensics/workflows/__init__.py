"""CI files and what governs a merge: jobs, triggers, permissions, required checks, scripts that checks run.

Never evaluates an expression beyond constants, and never asks GitHub.

Other rooms import only the modules named in `__all__`.
"""

__all__ = [
    "expressions",
    "governed_paths",
    "guarding_checks",
    "jobs",
    "permissions",
    "required_checks",
    "reserved_names",
    "triggers",
    "weakened_checks",
    "weakened_scripts",
    "workflow_files",
    "workflow_moves",
    "yaml_lines",
    "zizmor",
]
