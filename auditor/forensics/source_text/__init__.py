"""Files as text, whatever the language: roles, decoding, comments, generated and embedded code, outlines, syntax trees.

Knows no question and no finding.

Other rooms import only the modules named in `__all__`.
"""

__all__ = [
    "added_code",
    "comments",
    "content_diff",
    "decode_and_run_commands",
    "definition_names",
    "embedded_code",
    "embedded_scripts",
    "file_kinds",
    "file_outline",
    "file_roles",
    "folders",
    "generated_files",
    "generated_notices",
    "keyword_index",
    "neighbour_files",
    "programming_languages",
    "quoted_test_paths",
    "rubric_phrase_patterns",
    "site_probe_types",
    "syntax_trees",
    "template_code",
    "text_decoding",
    "tree_sitter_grammars",
    "unparsed_languages",
    "xml_trees",
]
