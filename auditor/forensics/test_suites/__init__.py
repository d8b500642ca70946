"""Tests that a change removes, skips, deselects or weakens, in Python and the other languages.

Never runs a test.

Other rooms import only the modules named in `__all__`.
"""

__all__ = [
    "deselected_tests",
    "lost_tests",
    "other_language_comparison",
    "python_test_comparison",
    "python_test_inventory",
]
