"""Texts of queries into which something is filled: SQL, and languages of graph databases."""

from __future__ import annotations

from auditor.forensics.languages.keyword_gated_patterns import compile_pattern
from auditor.forensics.languages.string_syntax import DYNAMIC_MARK, ITEM_SEPARATOR

SQL_STATEMENT = r"(?i:[\s(]*(?:(?:--|#)[^\n]*\n\s*|/\*.{0,500}?\*/\s*)*(?:explain\s+(?:analyze\s+)?)?(?:with\s.{1,2000}?\bas\s*\(|select\b.+?\bfrom\b|insert\s+(?:or\s+\w+\s+|ignore\s+)?into\b|replace\s+into\b|merge\s+into\b|update\b.+?\bset\b|delete\s+from\b|truncate\s+(?:table\s)?|(?:drop|alter|create)\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+|unique\s+)?(?:table|view|index|database|schema|user|role|sequence|trigger|extension|function|publication)\b))"
BUILT_QUERY = compile_pattern(rf"^(?=[^{DYNAMIC_MARK}{ITEM_SEPARATOR}]{{0,4000}}{DYNAMIC_MARK}){SQL_STATEMENT}")
"""The text of a query into which something is filled."""
BUILT_VALUE_QUERY = compile_pattern(rf"^(?!\s*(?i:create|drop|alter|truncate)\b)(?:{BUILT_QUERY.pattern})")
"""The same without statements that take no parameters."""
BUILT_GRAPH_QUERY = compile_pattern(
    rf"^(?=[^{ITEM_SEPARATOR}]*{DYNAMIC_MARK})\s*(?i:(?:optional\s+)?match|merge|create|unwind|with|call)\b[^{DYNAMIC_MARK}{ITEM_SEPARATOR}]*[({{:'\"=]"
)
"""The same of a query for a database of graphs."""
