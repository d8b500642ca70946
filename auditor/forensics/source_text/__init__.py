"""Files as text, whatever the language: roles, decoding, comments, generated and embedded code, outlines, syntax trees.

Knows no question and no finding.

Other rooms import only the modules named in `__all__`.
"""

__all__ = [
    "added_code",
    "comments",
    "decode_and_run",
    "definitions",
    "embedded_code",
    "file_roles",
    "generated_files",
    "grammars",
    "keyword_index",
    "outline",
    "phrase_patterns",
    "sites",
    "syntax_trees",
    "text_decoding",
    "two_versions",
]
