"""HTTP clients that verify TLS certificates by default."""

from __future__ import annotations

import ast
import re

from auditor.forensics.python.node_match import Match

HTTP_METHODS = ("get", "post", "put", "patch", "delete", "head", "options", "request")
REQUESTS_CALLS = frozenset({*(f"requests.{verb}" for verb in HTTP_METHODS), *(f"requests.Session.{verb}" for verb in HTTP_METHODS),
                       *(f"requests.session.{verb}" for verb in HTTP_METHODS), *(f"requests.api.{verb}" for verb in HTTP_METHODS)})  # fmt: skip
HTTPX_CALLS = frozenset(
    {*(f"httpx.{verb}" for verb in HTTP_METHODS), "httpx.stream", "httpx.Client", "httpx.AsyncClient"}
)
UNVERIFIED_CONTEXTS = frozenset(
    {
        "ssl._create_unverified_context",
        "ssl._https_verify_certificates",
        "ssl._create_stdlib_context",
        "twisted.internet.ssl.ClientContextFactory",
        "neo4j.TrustAll",
    }
)
CLIENT_NAME = re.compile(r"session|client|http|requests", re.IGNORECASE)
"""Names of objects that make connections."""
_CLIENT_CLASSES = frozenset({"requests.Session", "requests.session", "requests.sessions.Session", "httpx.Client"})


def is_client(match: Match, owner: ast.expr) -> bool:
    """Is it a client of a library, or an object whose own class is derived from one?"""
    if not isinstance(owner, ast.Name) or owner.id != "self":
        return match.resolve(owner) in _CLIENT_CLASSES
    around = match.scope.parent
    bases = around.node.bases if around is not None and isinstance(around.node, ast.ClassDef) else []
    return any(match.module.resolve(each, match.scope) in _CLIENT_CLASSES for each in bases)
