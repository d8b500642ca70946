"""What a file offers to others, read from its top level: names, and what must be passed to what can be called.

Whether others can reach the file at all is not asked here. What is read how stands in `export_readers`, which whoever only asks
for a language need not load.
"""

from __future__ import annotations

EXPORT_LANGUAGES = frozenset({"javascript", "typescript", "go", "java", "rust", "ruby"})
"""Languages whose exports are read."""
TYPED_EXPORT_LANGUAGES = frozenset({"typescript"})
"""Languages whose exports are also checked for types, with or without a change."""
