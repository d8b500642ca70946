"""Choices that weaken a program: broken digests, guessable temporary files, queries glued from text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from auditor.forensics.module import Scope
from auditor.forensics.probe import site_probe
from auditor.forensics.sites import UNKNOWN, Match, Site

_WEAK = frozenset({"md4", "md5", "sha", "sha1", "ripemd160"})
_DIGESTS = frozenset({"hashlib.md5", "hashlib.sha1", "hashlib.md4", "Crypto.Hash.MD5.new", "Crypto.Hash.SHA.new", "Crypto.Hash.MD4.new",
                      "cryptography.hazmat.primitives.hashes.MD5", "cryptography.hazmat.primitives.hashes.SHA1"})  # fmt: skip
_PURPOSE = "whether the digest protects anything could not be told"
_HARMLESS = re.compile(
    r"cache|etag|checksum|fingerprint|dedup|short|name|bucket|shard|color|colour|slug|digest_of|content_hash|file_hash",
    re.IGNORECASE,
)
_CACHE_LIKE = "the name it is used under suggests a cache key or a checksum rather than protection"


@site_probe(
    "code.weak_hash",
    none="No broken digest is used.",
    calls=(*_DIGESTS, "hashlib.new"),
    second_look=("S324",),
)
def weak_hash(match: Match) -> Iterator[Site]:
    """Is a broken digest used?

    Use SHA-256 or BLAKE2; where the digest protects nothing, say so with `usedforsecurity=False`.
    """
    if match.name == "hashlib.new":
        name = match.value(match.argument("name", 0))
        if not isinstance(name, str) or name.lower().replace("-", "") not in _WEAK:
            return
    elif match.name not in _DIGESTS:
        return
    if match.value(match.argument("usedforsecurity")) is False:
        return
    if _HARMLESS.search(match.scope.qualname):
        yield match.site("A broken digest is used, likely as a checksum", confidence=0.5, because=_CACHE_LIKE)
    else:
        yield match.site("A broken digest is used (MD5 or SHA-1)", confidence=0.75, because=_PURPOSE)


_WRITE = re.compile(r"[wa+]")
"""Modes that write into what may be there already; `x` refuses to."""
_TEMPORARY = re.compile(r"^(?:/tmp|/var/tmp|/dev/shm)/[^/]")


@site_probe(
    "code.insecure_temporary_file",
    none="No temporary file has a name that others can guess.",
    calls=(
        "tempfile.mktemp",
        "os.tempnam",
        "os.tmpnam",
        "open",
        "io.open",
        "pathlib.Path.write_text",
        "pathlib.Path.write_bytes",
    ),
    second_look=("S306", "S108"),
)
def insecure_temporary_file(match: Match) -> Iterator[Site]:
    """Is a temporary file made under a name that others can guess?

    Use `tempfile.NamedTemporaryFile`, `mkstemp` or `TemporaryDirectory`, which create the file and its name in one step.
    """
    if match.name in {"tempfile.mktemp", "os.tempnam", "os.tmpnam"}:
        yield match.site("A temporary name is made first and the file later")
    elif match.name.startswith("pathlib."):
        if _temporary(_receiver_path(match), match):
            yield match.site("A file with a fixed name is written into a shared temporary folder")
    elif _temporary(match.argument("file", 0), match):
        mode = match.value(match.argument("mode", 1))
        if isinstance(mode, str) and _WRITE.search(mode):
            yield match.site("A file with a fixed name is written into a shared temporary folder")


def _receiver_path(match: Match) -> ast.expr | None:
    func = match.call.func
    made = func.value if isinstance(func, ast.Attribute) else None
    return made.args[0] if isinstance(made, ast.Call) and made.args else None


def _temporary(path: ast.expr | None, match: Match) -> bool:
    value = match.value(path)
    return isinstance(value, str) and bool(_TEMPORARY.match(value))


_EXECUTE = frozenset(
    {"execute", "executemany", "executescript", "raw", "read_sql", "read_sql_query", "exec_driver_sql"}
)
_SQL = re.compile(
    r"^\s*(?:select\s.+\sfrom\s|insert\s+into\s|update\s.+\sset\s|delete\s+from\s|(?:create|drop|alter)\s+(?:table|view|index|database|schema|user)\s|merge\s+into\s|replace\s+into\s|truncate\s+table\s|grant\s)",
    re.IGNORECASE | re.DOTALL,
)
_IDENTIFIER = "what is put in looks like a name of a table or column, which cannot be a parameter"
_MARKS = "what is put in looks like a list of parameter marks"
_DEFINITION = re.compile(r"\s*(?:create|drop|alter|truncate|grant|revoke)\b", re.IGNORECASE)
"""Statements that take names only: no database lets a parameter stand in them."""
_NAMES = re.compile(r"table|column|schema|field|cols|index|view|order_by|database|keyspace|savepoint", re.IGNORECASE)
_MARK_NAMES = re.compile(r"placeholder|marks|params|qmarks|binds", re.IGNORECASE)


@site_probe(
    "code.sql_from_strings",
    none="No query is glued together from text.",
    methods=_EXECUTE,
    calls=("sqlalchemy.text", "sqlalchemy.sql.text", "sqlalchemy.sql.expression.text"),
    second_look=("S608",),
)
def sql_from_strings(match: Match) -> Iterator[Site]:
    """Is a database query glued together from text?

    Pass values as parameters of the query; for names of tables and columns choose from a fixed set.
    """
    query = match.argument("sql", 0) or match.argument("statement") or match.argument("query")
    built = _built(match, query)
    if built is None:
        return
    text, inserted = built
    if not _SQL.match(text) or not inserted:
        return
    foreign = [each for each in inserted if not _fixed(match, each)]
    if not foreign:
        return
    names = [_spoken_name(_followed(match, each)) for each in foreign]
    if all(_MARK_NAMES.search(name) or name == "join of marks" for name in names):
        return
    if _DEFINITION.match(text) or all(_NAMES.search(name) for name in names):
        yield match.site("A name is put into a query as text", confidence=0.6, because=_IDENTIFIER)
    else:
        yield match.site("A value is put into a query as text", at=match.node)


_DEPTH = 6


def _fixed(match: Match, expression: ast.expr | None, depth: int = _DEPTH) -> bool:
    """Is it made of nothing but constants of the program: a text, a list of names joined, a choice from a table?"""
    if expression is None or depth == 0:
        return False
    if match.value(expression) is not UNKNOWN:
        return True
    if isinstance(expression, (ast.Name, ast.Attribute)):
        return _fixed(match, _stood_for(match, expression), depth - 1)
    if isinstance(expression, (ast.GeneratorExp, ast.ListComp, ast.SetComp)):
        return _drawn_from_fixed(match, expression, depth)
    if isinstance(expression, ast.Call):
        return _joins_fixed(match, expression, depth)
    parts = _parts(expression)
    return parts is not None and all(_fixed(match, each, depth - 1) for each in parts)


def _parts(expression: ast.expr) -> list[ast.expr] | None:
    """What has to be fixed for the whole to be; None for what cannot be told. How often, and which, is no matter."""
    if isinstance(expression, (ast.List, ast.Tuple, ast.Set)):
        return expression.elts
    if isinstance(expression, ast.Dict):
        return expression.values
    if isinstance(expression, ast.Subscript):
        return [expression.value]
    if isinstance(expression, ast.IfExp):
        return [expression.body, expression.orelse]
    if isinstance(expression, ast.BinOp):
        return [expression.left] if isinstance(expression.op, ast.Mult) else [expression.left, expression.right]
    return None


def _stood_for(match: Match, expression: ast.Name | ast.Attribute) -> ast.expr | None:
    """What a name was bound to once, or a constant that a class holds for `self` and `cls`."""
    if isinstance(expression, ast.Name):
        found = match.module.lookup(expression.id, match.scope)
        if found is None or found[0].value is not None:
            return found[0].value if found else None
        return _looped_over(expression.id, found[1])
    owner = expression.value
    scope = match.scope
    while isinstance(owner, ast.Name) and owner.id in {"self", "cls"} and scope is not None:
        if isinstance(scope.node, ast.ClassDef):
            bound = scope.bindings().get(expression.attr, [])
            return bound[0].value if len(bound) == 1 else None
        scope = scope.parent  # type: ignore[assignment]
    return None


def _looped_over(name: str, scope: Scope) -> ast.expr | None:
    """What a loop draws a name from, when nothing else binds it."""
    loops = [each for each in scope.binders if isinstance(each, (ast.For, ast.AsyncFor, ast.comprehension))]
    drawn = [each.iter for each in loops if isinstance(each.target, ast.Name) and each.target.id == name]
    return drawn[0] if len(drawn) == len(scope.bindings().get(name, ())) == 1 else None


def _drawn_from_fixed(match: Match, made: ast.GeneratorExp | ast.ListComp | ast.SetComp, depth: int) -> bool:
    """Is each element a constant, or made of what loops over constants yield?"""
    if match.value(made.elt) is not UNKNOWN:
        return True
    drawn = {each.id for loop in made.generators for each in ast.walk(loop.target) if isinstance(each, ast.Name)}
    used = [each for each in ast.walk(made.elt) if isinstance(each, (ast.Name, ast.Call))]
    return all(_fixed(match, loop.iter, depth - 1) for loop in made.generators) and all(
        isinstance(each, ast.Name) and each.id in drawn for each in used
    )


def _joins_fixed(match: Match, call: ast.Call, depth: int) -> bool:
    """`", ".join(COLUMNS)`, `sorted(COLUMNS)` and the like."""
    func = call.func
    if isinstance(func, ast.Attribute) and func.attr in {"join", "keys", "values", "upper", "lower"}:
        return all(_fixed(match, each, depth - 1) for each in (func.value, *call.args))
    plain = isinstance(func, ast.Name) and func.id in {"sorted", "list", "tuple", "len", "str"}
    return plain and bool(call.args) and all(_fixed(match, each, depth - 1) for each in call.args)


def _followed(match: Match, expression: ast.expr) -> ast.expr:
    """What a name was bound to when that is a join, whose parts say what it is; else the expression itself."""
    if isinstance(expression, ast.Name):
        found = match.module.lookup(expression.id, match.scope)
        value = found[0].value if found else None
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "join":
            return value
    return expression


def _built(match: Match, query: ast.expr | None) -> tuple[str, list[ast.expr]] | None:
    """Constant text of a query and the expressions put into it; None when it is not built from text here."""
    for _ in range(5):
        if isinstance(query, ast.Name):
            found = match.module.lookup(query.id, match.scope)
            query = found[0].value if found else None
            continue
        break
    if isinstance(query, ast.Call) and isinstance(query.func, ast.Attribute) and query.func.attr == "format":
        text = match.value(query.func.value)
        return (text, [*query.args, *(each.value for each in query.keywords)]) if isinstance(text, str) else None
    if isinstance(query, ast.JoinedStr):
        text = "".join(str(each.value) if isinstance(each, ast.Constant) else "x" for each in query.values)
        return text, [each.value for each in query.values if isinstance(each, ast.FormattedValue)]
    if isinstance(query, ast.BinOp):
        return _operated(match, query)
    return None


def _operated(match: Match, query: ast.BinOp) -> tuple[str, list[ast.expr]] | None:
    if isinstance(query.op, ast.Mod):
        text = match.value(query.left)
        right = query.right
        inserted = (
            right.elts if isinstance(right, ast.Tuple) else right.values if isinstance(right, ast.Dict) else [right]
        )
        return (text, list(inserted)) if isinstance(text, str) else None
    if not isinstance(query.op, ast.Add):
        return None
    parts: list[ast.expr] = []
    waiting: list[ast.expr] = [query]
    while waiting and len(parts) < 500:
        each = waiting.pop()
        if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Add):
            waiting += [each.right, each.left]
        else:
            parts.append(each)
    values = [match.value(each) for each in parts]
    text = "".join(value if isinstance(value, str) else "x" for value in values)
    return text, [part for part, value in zip(parts, values, strict=True) if value is UNKNOWN]


def _spoken_name(expression: ast.expr) -> str:
    """The name a reader would give to what is put in."""
    if isinstance(expression, ast.Call):
        func = expression.func
        if isinstance(func, ast.Attribute) and func.attr == "join":
            return _joined_name(expression)
        if isinstance(func, ast.Attribute):
            return f"{_spoken_name(func.value)}.{func.attr}"
        return func.id if isinstance(func, ast.Name) else ""
    if isinstance(expression, ast.Attribute):
        return f"{_spoken_name(expression.value)}.{expression.attr}"
    if isinstance(expression, ast.Subscript):
        return _spoken_name(expression.value)
    return expression.id if isinstance(expression, ast.Name) else ""


def _joined_name(call: ast.Call) -> str:
    argument = call.args[0] if call.args else None
    marks = [each for each in ast.walk(argument) if isinstance(each, ast.Constant)] if argument else []
    if any(each.value in {"?", "%s", ":", "$"} for each in marks):
        return "join of marks"
    return _spoken_name(argument) if argument is not None else ""
