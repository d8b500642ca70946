"""Connections that skip the check of the other side's certificate: calls, settings, command options, databases.

Never opens a connection.

Other rooms import only the modules named in `__all__`.
"""

__all__ = [
    "command_options",
    "database_clients",
    "disabling_arguments",
    "disabling_settings",
    "file_wide_settings",
    "http_clients",
    "reflected_attributes",
]
