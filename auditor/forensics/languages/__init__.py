"""Languages that are read with tree-sitter: a description of each in `descriptions/`, and rows of rules by question in `rules/`.

Never guesses at code that its grammar does not parse.

Other rooms import only the modules named in `__all__`.
"""

__all__ = [
    "data_flow",
    "exports",
    "file_rule_evaluation",
    "kept_needs",
    "language_registry",
    "language_type",
    "rule_loader",
]
