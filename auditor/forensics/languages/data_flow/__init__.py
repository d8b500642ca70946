"""Untrusted input and hidden callables in languages other than Python, by one engine over tree-sitter.

Knows what expressions mean in general terms; what a grammar calls them, and what frameworks do, are rows. Never follows a value into
another file, and never guesses what an unknown function returns.
"""
