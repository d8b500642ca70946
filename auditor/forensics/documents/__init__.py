"""Reports, documentation and diagrams: text with its pages, the links and paths in it, Mermaid, PDF and DOCX.

Never trusts a document: what can hang or grow is read in a child process, within limits.

Other rooms import only the modules named in `__all__`.
"""

__all__ = [
    "command_paths",
    "document_formats",
    "link_anchors",
    "link_targets",
    "markdown_parser",
    "mermaid",
    "passages",
    "path_mentions",
    "reader_child_process",
    "report_inputs",
    "report_selection",
    "restructuredtext",
    "unchanged_documents",
    "unread_images",
    "unread_reports",
]
