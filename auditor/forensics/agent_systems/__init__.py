"""LangGraph systems in Python and JavaScript: graph, state, model calls, judges and synthesis, read from the code.

Never runs the code: it is evaluated symbolically, in a child process with limits. Only `system_report_types` leaves the room.

Other rooms import only the modules named in `__all__`.
"""

__all__ = ["graph_topology", "source_selection", "system_facts", "system_report_types"]
