"""What Python code means: bindings, imports, aliases, constants, call sites, strings that are built, callers.

Never imports or runs the code that it reads.

Other rooms import only the modules named in `__all__`.
"""

__all__ = [
    "aliases",
    "assert_helpers",
    "bindings",
    "callbacks",
    "callers",
    "default_values",
    "dialects",
    "dict_records",
    "enclosing",
    "function_references",
    "justifying_comments",
    "match",
    "module",
    "module_level",
    "outline_reader",
    "parameters",
    "prints",
    "reexports",
    "safe_in_sql",
    "source",
    "sql_runners",
    "string_building",
    "threads",
    "unknown",
]
