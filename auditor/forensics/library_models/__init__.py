"""What is known of libraries: rows of names in one YAML file a question, and the closed schema of each file beside it.

Never reads code: what a row means for a call is decided by the rooms above.

Other rooms import only the modules named in `__all__`.
"""

__all__ = [
    "command_words",
    "deserialization",
    "dynamic_code",
    "file_sections",
    "model_table",
    "network_timeouts",
    "row_tables",
    "shell_execution",
    "sql_queries",
    "subprocess_checks",
    "temporary_files",
    "tls_verification",
    "weak_hash",
]
