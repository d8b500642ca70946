"""Tests that a change removes, skips, deselects or weakens, in Python and the other languages.

Never runs a test.

Other rooms import only the modules named in `__all__`.
"""

__all__ = ["deselected", "other_languages", "python", "python_tests", "summary"]
