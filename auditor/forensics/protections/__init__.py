"""Protections that a change switches off or takes away: settings, guards of handlers, checks of passwords and tokens, and lines made looser.

Never judges a whole tree: what was always so is a decision of the project.

Other rooms import only the modules named in `__all__`.
"""

__all__ = ["changed_lines", "loosened_checks", "removed_guards", "unsafe_settings"]
