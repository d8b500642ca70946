"""Tests that a change removes, skips, deselects or weakens, in code or by the settings of test runners.

Never runs a test.

Other rooms import only the modules named in `__all__`.
"""

__all__ = [
    "collection_losses",
    "coverage_thresholds",
    "deselected_tests",
    "lost_test_files",
    "lost_tests",
    "other_language_comparison",
    "python_test_comparison",
    "python_test_inventory",
    "settings_readers",
    "suite_inputs",
    "switched_off_in_code",
    "test_files",
]
