"""Audit the same changes with two versions of the auditor and list every difference."""
