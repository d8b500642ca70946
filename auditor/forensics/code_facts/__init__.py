"""What is found out about code of any language, in one form: untrusted input on its way, what functions do with it, its rows.

Beside the types what is done alike: the search back to a source, how sure a finding is, and remembering answers. Knows no syntax: Python and the
languages of tree-sitter fill the same types, so that a question is asked once.

Other rooms import only the modules named in `__all__`.
"""

__all__ = ["address_prefixes", "answer_memory", "flow_certainty", "flow_rows", "flow_search", "input_flows"]
