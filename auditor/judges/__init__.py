"""Hearing the judges: each persona on every criterion, each alone.

`choosing.bench` makes the bench that is asked for and loads no other.
"""
