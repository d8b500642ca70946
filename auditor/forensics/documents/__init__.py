"""Reports, documentation and diagrams: text with its pages, the links and paths in it, Mermaid, PDF and DOCX.

Never trusts a document: what can hang or grow is read in a child process, within limits.

Other rooms import only the modules named in `__all__`.
"""

__all__ = [
    "anchors",
    "child_reader",
    "command_paths",
    "link_targets",
    "markdown",
    "mermaid",
    "passages",
    "path_mentions",
    "pictures",
    "report_files",
    "reports",
    "restructuredtext",
    "unchanged_documents",
    "unread_reports",
]
