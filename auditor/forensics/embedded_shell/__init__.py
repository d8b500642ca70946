"""Shell commands in files that are no shell scripts: workflows, package scripts, Dockerfiles, recipes, compose files, hooks.

Knows formats and lines, never what a command does.

Other rooms import only the modules named in `__all__`.
"""

__all__ = ["script_sessions", "shell_extraction", "shell_formats", "shell_script"]
