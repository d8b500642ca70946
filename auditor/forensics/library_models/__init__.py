"""What is known of libraries and tools: rows of names in one YAML file a question, and its closed schema beside it.

Never reads code: what a row means for a call is decided by the rooms above.

Other rooms import only the modules named in `__all__`.
"""

__all__ = [
    "aliased_names",
    "checks_without_effect",
    "command_words",
    "compatibility_modules",
    "debug_output",
    "deserialization",
    "dict_records",
    "dynamic_code",
    "exception_handling",
    "file_sections",
    "function_values",
    "mutable_values",
    "named_patterns",
    "network_timeouts",
    "plain_values",
    "project_files",
    "python_rows",
    "request_handlers",
    "shell_execution",
    "shell_programs",
    "source_encodings",
    "sql_queries",
    "subprocess_checks",
    "team_rows",
    "temporary_files",
    "test_assertions",
    "text_methods",
    "tls_verification",
    "unpinned_versions",
    "weak_hash",
]
