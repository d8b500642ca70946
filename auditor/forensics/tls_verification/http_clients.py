"""HTTP clients that verify TLS certificates by default."""

from __future__ import annotations

import ast
import re

from auditor.forensics.library_models.tls_verification import tls_verification
from auditor.forensics.python.node_match import Match
from auditor.row_tables import names_of

_ROWS = tls_verification()
HTTP_METHODS = tuple(sorted(names_of(_ROWS.http_methods)))
REQUESTS_CALLS = names_of(_ROWS.requests_calls)
HTTPX_CALLS = names_of(_ROWS.httpx_calls)
UNVERIFIED_CONTEXTS = names_of(_ROWS.unverified_contexts)
CLIENT_NAME = re.compile(r"session|client|http|requests", re.IGNORECASE)
"""Names of objects that make connections."""
_CLIENT_CLASSES = names_of(_ROWS.client_classes)


def is_client(match: Match, owner: ast.expr) -> bool:
    """Is it a client of a library, or an object whose own class is derived from one?"""
    if not isinstance(owner, ast.Name) or owner.id != "self":
        return match.resolve(owner) in _CLIENT_CLASSES
    around = match.scope.parent
    bases = around.node.bases if around is not None and isinstance(around.node, ast.ClassDef) else []
    return any(match.module.resolve(each, match.scope) in _CLIENT_CLASSES for each in bases)
