"""CI files and what governs a merge: jobs, triggers, permissions, required checks, scripts that checks run.

Never evaluates an expression beyond constants, and never asks GitHub.
"""
