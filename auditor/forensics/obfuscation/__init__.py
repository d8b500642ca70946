"""Code that hides what it does: names assembled at run time, encoded text that is run, escapes in names and commands.

Never runs or imports what it decodes, and never judges by a path or by who wrote the text.

Other rooms import only the modules named in `__all__`.
"""

__all__ = ["hidden_code"]
