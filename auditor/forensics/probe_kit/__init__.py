"""What a probe is written with: the decorators, the inputs it may ask for, outcomes, places, aggregation.

Knows no language and no topic of its own.

Other rooms import only the modules named in `__all__`.
"""

__all__ = [
    "change_places",
    "external_tool",
    "fact_outcomes",
    "file_record",
    "located_facts",
    "probe_decorators",
    "probe_inputs",
    "side_records",
    "site_aggregation",
    "site_statements",
]
