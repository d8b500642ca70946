"""Verdicts for people and machines. All escaping and redaction lives here.

Each form is a module of its own and is imported from there: an audit loads only those it writes.
"""
