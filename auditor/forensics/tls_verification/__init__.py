"""Connections that skip the check of the other side's certificate: calls, settings, command options, databases.

Never opens a connection.

Other rooms import only the modules named in `__all__`.
"""

__all__ = ["arguments", "clients", "command_options", "databases", "file_wide_settings", "settings"]
