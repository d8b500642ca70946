"""Automaton Auditor: evidence, opinions and a verdict on a pull request or a repository."""

__version__ = "0.1.0"
