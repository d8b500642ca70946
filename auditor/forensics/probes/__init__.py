"""The questions, one module a topic: each probe is one decorated function that answers with facts.

Never reads files, starts processes or gives scores: what it needs is passed in by the types of its parameters.
"""
