"""Which sensitive things a line of code, a setting or a script does, by its words alone.

Never says that a line is wrong: that takes a rule, and a rule takes an analysis.

Other rooms import only the modules named in `__all__`.
"""

__all__ = ["line_words", "unfollowed_uses"]
