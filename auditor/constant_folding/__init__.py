"""Constant folding of text: which strings a program writes in pieces, escaped or encoded, and what they come to.

Works on tokens and needs neither the language nor a tree, so that every version of every file, a hunk and a quote are read
alike. Nothing is run; what is not made of constants alone is left out. Every size is bounded.
"""

__all__ = [
    "decoded_literals",
    "escape_sequences",
    "expression_folding",
    "folded_values",
    "format_fields",
    "literal_tokens",
    "piece_stretches",
]
