"""CI files and what governs a merge: jobs, triggers, permissions, required checks, scripts that checks run.

Never evaluates an expression beyond constants, and never asks GitHub.

Other rooms import only the modules named in `__all__`.
"""

__all__ = [
    "called_code",
    "called_file_checks",
    "check_comparison",
    "check_inventory",
    "check_name_collisions",
    "checking_pipelines",
    "ci_systems",
    "element_names",
    "environment_file_writes",
    "evaluated_outsider_text",
    "governance_files",
    "job_actions",
    "moved_steps",
    "outsider_choices",
    "outsider_triggers",
    "printed_secrets",
    "production_commands",
    "proposed_code",
    "recipe_files",
    "script_code",
    "script_injection",
    "unused_permissions",
    "workflow_files",
    "workflow_job_lines",
    "yaml_line_indentation",
    "zizmor_scan",
]
