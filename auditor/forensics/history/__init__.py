"""Commits: what is said of them, and messages that say nothing.

Never reads files or judges people; names and dates are claims.
"""
