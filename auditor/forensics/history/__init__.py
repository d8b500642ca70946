"""Commits: what is said of them, and messages that say nothing.

Never reads files or judges people; names and dates are claims.

Other rooms import only the modules named in `__all__`.
"""

__all__ = ["commit_facts", "meaningless_messages"]
