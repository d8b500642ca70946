"""What a file offers to others, read from its top level: names, and what must be passed to what can be called.

Whether others can reach the file at all is not asked here. What is read how stands in `export_readers`, which whoever only asks
for a language need not load.
"""

from __future__ import annotations

COMPARED = frozenset({"javascript", "typescript", "go", "java", "rust", "ruby"})
"""Languages whose offers are read."""
TYPED = frozenset({"typescript"})
"""Those of which it is also asked whether what they offer says its types, be there a change or not."""
