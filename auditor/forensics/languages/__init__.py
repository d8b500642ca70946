"""JavaScript, TypeScript, Go, Java, Rust, Ruby and shell, read with tree-sitter by one page of rules a language.

Never guesses at code that its grammar does not parse.

Other rooms import only the modules named in `__all__`.
"""

__all__ = [
    "exports",
    "file_rule_evaluation",
    "javascript",
    "language_registry",
    "language_type",
    "rules_shared_by_languages",
]
