"""Many audits: which ones, each in a process of its own, and the store of their records.

An audit here is the command itself, started with limits; nothing of this package gathers evidence or judges.
"""
