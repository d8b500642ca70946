"""What Python code means: bindings, imports, aliases, constants, call sites, strings that are built, callers.

Never imports or runs the code that it reads.

Other rooms import only the modules named in `__all__`.
"""

__all__ = [
    "assert_helpers",
    "callable_resolution",
    "callback_arguments",
    "command_texts",
    "constant_expressions",
    "default_values",
    "enclosing_nodes",
    "function_references",
    "harmless_in_sql",
    "harmless_values",
    "imported_flows",
    "justifying_comments",
    "leftover_prints",
    "list_items",
    "module_level",
    "name_resolution",
    "node_match",
    "object_internals",
    "parameter_values",
    "possible_aliases",
    "possible_texts",
    "private_function_arguments",
    "python_outline",
    "reexports",
    "scope_bindings",
    "scoped_nodes",
    "shell_words",
    "source_parsing",
    "sql_quoting",
    "sql_runners",
    "string_building",
    "syntax_translation",
    "taint_findings",
    "taint_models",
    "team_taint_models",
    "text_assignments",
    "thread_calls",
    "unknown_value",
    "untyped_dict_arguments",
    "validated_fields",
]
