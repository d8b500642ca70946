"""Choices that weaken a program: broken digests, queries glued from text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from auditor.forensics.bindings import bound_names, last_name, own_children
from auditor.forensics.callers import given_by_callers
from auditor.forensics.harmless import AS_NUMBERS, is_number, is_typed
from auditor.forensics.module import Kept, Module, Scope, inside
from auditor.forensics.parameters import default_of
from auditor.forensics.probe import site_probe
from auditor.forensics.query_runners import ASKING, RUNNERS, note_runner, place_of
from auditor.forensics.sites import UNKNOWN, Match, Site
from auditor.forensics.words import watched
from auditor.forensics.woven import Foreign, Piece, may_tell, versions

_WEAK = frozenset({"md4", "md5", "sha", "sha1", "ripemd160"})
_DIGESTS = frozenset(
    {"md5.new", "md5.md5", "sha.new", "sha.sha", "hashlib.md5", "hashlib.sha1", "hashlib.md4", "cryptography.hazmat.primitives.hashes.MD5", "cryptography.hazmat.primitives.hashes.SHA1",
     *(f"{package}.Hash.{name}.new" for package in ("Crypto", "Cryptodome") for name in ("MD2", "MD4", "MD5", "SHA", "SHA1", "RIPEMD"))}
)  # fmt: skip
_NAMING = {"hashlib.new": ("name", 0), "hashlib.file_digest": ("digest", 1)}
"""Calls that take the name of a digest, and where."""
_KEYED = {"hmac.new": ("digestmod", 2), "hmac.digest": ("digest", 2), "hashlib.pbkdf2_hmac": ("hash_name", 0)}
"""Calls that make something of a digest and a key, and where they take it; with SHA-1 that still holds."""
_PASSWORDS = frozenset(
    f"passlib.hash.{name}.{call}"
    for name in ("md5_crypt", "apr_md5_crypt", "hex_md5", "hex_sha1", "ldap_md5", "ldap_sha1", "ldap_salted_md5", "lmhash", "nthash", "des_crypt",
                 "mysql323", "mysql41", "sha1_crypt", "postgres_md5", "plaintext")
    for call in ("hash", "encrypt", "using")
)  # fmt: skip
_HASHERS = {
    "django.contrib.auth.hashers.make_password": ("hasher", 2),
    "werkzeug.security.generate_password_hash": ("method", 1),
}
_WEAK_HASHER = re.compile(r"^(?:unsalted_)?(?:md5|sha1|plain)$", re.IGNORECASE)
_PURPOSE = "whether the digest protects anything could not be told"
_HARMLESS = re.compile(
    r"cache|etag|checksum|fingerprint|dedup|short|name|bucket|shard|color|colour|slug|digest_of|content_hash|file_hash",
    re.IGNORECASE,
)
_CACHE_LIKE = "the name it is used under suggests a cache key or a checksum rather than protection"


_WEAK_SCHEME = re.compile(r"md5|sha1|lmhash|nthash|des_crypt|plaintext|mysql323", re.IGNORECASE)
_SCHEMES = frozenset({"passlib.context.CryptContext", "passlib.apps.LazyCryptContext"})
_WEAK_METHODS = frozenset({"crypt.METHOD_MD5", "crypt.METHOD_CRYPT"})


_MADE_BY = frozenset({"hashlib.md5", "hashlib.sha1", "hashlib.md4"})
"""Functions that make a digest, also where they are passed on."""


_PASSWORD_HASHERS = watched("PASSWORD_HASHERS")


def _choosing_hashers(shown: list[Kept], module: Module) -> list[Kept]:
    """`PASSWORD_HASHERS = [...]`, the setting of Django."""
    if not module.says(_PASSWORD_HASHERS):
        return []
    return [each for each in shown if last_name(each[0].targets[0]) == "PASSWORD_HASHERS"]


@site_probe(
    "code.weak_hash",
    none="No broken digest is used.",
    nodes=(ast.Assign,),
    glance=_choosing_hashers,
    counted=(ast.Call,),
    calls=(*_DIGESTS, *_NAMING, *_KEYED, *_PASSWORDS, *_HASHERS, *_SCHEMES, "crypt.crypt", "crypt.mksalt"),
    references=_MADE_BY,
    second_look=("S324",),
)
def weak_hash(match: Match) -> Iterator[Site]:
    """Is a broken digest used?

    MD5, SHA-1 and older ones count, called or passed on to be called, and passwords kept under a weak scheme. A digest that an argument of its call marks as not for security (`usedforsecurity=False`) does not, nor does SHA-1 with a key, which still holds. A comment marks nothing: what an author says of the digest excuses it nowhere.

    Use SHA-256 or BLAKE2; where the digest protects nothing, say so with `usedforsecurity=False` in Python, and take a plain checksum such as CRC-32 elsewhere.
    """
    if not isinstance(match.node, (ast.Call, ast.Assign)):
        if not _is_keyed(match):
            yield match.site("A broken digest is passed on to be used (MD5 or SHA-1)", confidence=0.6, because=_PURPOSE)
    elif not match.name or match.name in _SCHEMES or match.name.startswith("crypt."):
        if _takes_weak(match):
            yield match.site(_KEPT_WEAKLY)
    elif match.name in _PASSWORDS or match.name in _HASHERS:
        keyword, position = _HASHERS.get(match.name, ("", 0))
        method = match.value(match.argument(keyword, position)) if keyword else "md5"
        if isinstance(method, str) and _WEAK_HASHER.match(method):
            yield match.site(_KEPT_WEAKLY)
    elif match.name in _KEYED:
        if _is_weak(match, match.argument(*_KEYED[match.name]), _WEAK - {"sha", "sha1", "ripemd160"}):
            yield match.site("A broken digest is used with a key (MD5)", confidence=0.5, because=_WITH_KEY)
    elif match.name not in _NAMING or _is_weak(match, match.argument(*_NAMING[match.name]), _WEAK):
        yield from _by_digest(match)


def _by_digest(match: Match) -> Iterator[Site]:
    """What is said of a digest that is broken, by what it seems to be for."""
    if match.value(match.argument("usedforsecurity")) is False:
        return
    if _HARMLESS.search(match.scope.qualname):
        yield match.site("A broken digest is used, likely as a checksum", confidence=0.5, because=_CACHE_LIKE)
    else:
        yield match.site("A broken digest is used (MD5 or SHA-1)", confidence=0.75, because=_PURPOSE)


_WITH_A_KEY = ("new", "digest", "HMAC", "pbkdf2_hmac", "partial", "hotp", "totp", "HOTP", "TOTP")


def _is_keyed(match: Match) -> bool:
    """Is a digest handed to what makes something with a key of it, or to a partial that says it is not for security?"""
    known = match.module.memory.get("weak.keyed")
    if not isinstance(known, set):
        known = match.module.memory["weak.keyed"] = set(_handed_over(match))
    return match.node in known


def _handed_over(match: Match) -> Iterator[ast.AST]:
    """All that is handed to such calls."""
    for word in _WITH_A_KEY:
        for call, scope in match.module.calls.get(word, ()):
            bound = {named.arg: named.value for named in call.keywords}
            if word != "partial" or match.module.value(bound.get("usedforsecurity"), scope) is False:
                yield from (*call.args, *bound.values())


_KEPT_WEAKLY = "A password is kept under a digest that is broken or too quick"


def _takes_weak(match: Match) -> bool:
    """Is what new passwords are kept under, the first of several, a weak one? The others are for old passwords."""
    if match.name.startswith("crypt."):
        return any(match.resolve(each) in _WEAK_METHODS for each in match.call.args)
    given = match.node.value if isinstance(match.node, ast.Assign) else match.argument("schemes", 0)
    first = given.elts[0] if isinstance(given, (ast.List, ast.Tuple)) and given.elts else None
    name = match.value(first)
    return isinstance(name, str) and _WEAK_SCHEME.search(name) is not None


_WITH_KEY = "with a key it has not been broken in practice (RFC 6151)"


def _is_weak(match: Match, digest: ast.expr | None, weak: frozenset[str]) -> bool:
    """Is it the name of one of these digests, or the function that makes one?"""
    name = match.value(default_of(digest, match.scope) or digest)
    if not isinstance(name, str) and digest is not None:
        name = (match.resolve(digest) or "").rpartition("hashlib.")[2]
    return isinstance(name, str) and name.lower().replace("-", "") in weak


_FRAGMENTS = frozenset(
    {"sqlalchemy.text", "sqlalchemy.sql.text", "sqlalchemy.sql.expression.text", "sqlalchemy.literal_column",
     "sqlalchemy.sql.literal_column", "sqlalchemy.sql.expression.literal_column", "sqlalchemy.DDL",
     "django.db.models.expressions.RawSQL", "django.db.models.RawSQL", "sqlmodel.text", "peewee.SQL", "playhouse.SQL",
     "tortoise.expressions.RawSQL", "pypika.CustomFunction", "django.db.models.expressions.Func", "pony.orm.raw_sql", "sqlalchemy.sql.text.text", "cassandra.query.SimpleStatement"}
)  # fmt: skip
"""What takes any piece of a query, and passes it on as it is."""
_EXTRA = ("where", "select", "tables", "order_by")
"""Arguments of Django's `extra` that are pieces of a query."""
_NAMED_ARGUMENTS = ("sql", "statement", "query", "operation", "stmt", "raw_query", "text", "command", "QueryString", "Sql", "Statement", "sqlQuery", "queryString", "query_string",
                    "sql_query", "Expression", "clauseelement", "sql_statement", "querystring")  # fmt: skip
_SQL = re.compile(
    r"^(?:\s|\(|--[^\n]*\n|/\*.{0,500}?\*/)*(?:explain\s+(?:analyze\s+)?)?"
    r"(?:select\s.+\sfrom\s|select\s+[\w.]+\(|insert\s+(?:or\s+\w+\s+|ignore\s+)?into\s|update\s.+\sset\s|delete\s+from\s|"
    r"(?:create|drop|alter)\s+(?:or\s+replace\s+|temp(?:orary)?\s+|unique\s+|materialized\s+)*(?:table|view|index|database|schema|user|role|function|sequence)\s|"
    r"pragma\s+\w+\s*[=(]|attach\s+database\s|vacuum\s+into\s|merge\s+into\s|replace\s+into\s|upsert\s+into\s|truncate\s+table\s|(?:grant|revoke)\s|with\s+(?:recursive\s+)?\w+\s*(?:\([^)]*\)\s*)?as\s*\(|"
    r"(?:optional\s+)?match\s*\([^)]{0,300}\)|merge\s*\([^)]{0,300}\)|copy\s.+\s(?:from|to)\s|call\s+[\w.]+\s*\(|exec(?:ute)?\s+(?:\w+\.)*\w*(?:sp|usp|proc)_?\w+\s)",
    re.IGNORECASE | re.DOTALL,
)
_CONTINUED = re.compile(
    r"^x\s.{0,200}?\b(?:where\s+\S+\s*(?:[=<>]|like\b|in\b)|order\s+by\s|values\s*\(|set\s+\w+\s*=)",
    re.IGNORECASE | re.DOTALL,
)
"""How a query goes on of which the beginning was not followed."""
_MAX_QUERY = 20_000
_IDENTIFIER = "what is put in looks like a name of a table or column, which cannot be a parameter"
_DEFINITION = re.compile(r"\s*(?:create|drop|alter|truncate|grant|revoke)\b", re.IGNORECASE)
"""Statements that take names only: no database lets a parameter stand in them."""
_NAMES = re.compile(r"table|column|schema|field|cols|index|view|order_by|database|keyspace|savepoint", re.IGNORECASE)
_MARK_NAMES = re.compile(r"placeholder|marks|params|qmarks|binds", re.IGNORECASE)
_AS_NAMES = re.compile(
    r"^_*(?:(?:quote|escape)_?(?:(?:sql|db)_?)?(?:name|ident|identifier|column|table|sqlite)s?|quoted_name|format_ident|Identifier)$",
    re.IGNORECASE,
)
"""Functions that make any text a name of a table or column and nothing else."""


def _perhaps_glued(shown: list[Kept], module: Module) -> list[Kept]:
    """Calls of which the query is not plainly something else than text put together."""
    for call, scope in shown:
        if call.args and type(call.args[0]) in _HANDED_ON:
            note_runner(call, scope, module)
    return [each for each in shown if not _is_plain(each[0], module)]


_HANDED_ON = frozenset({ast.Name, ast.Call})


def _is_plain(call: ast.Call, module: Module) -> bool:
    query = call.args[0] if call.args else None
    if query is None or isinstance(query, ast.Starred):
        return not call.keywords
    if isinstance(call.func, ast.Attribute) and call.func.attr == "extra":
        return False
    if isinstance(query, ast.Constant):
        return True
    return not (may_tell(module, query) or (len(call.args) > 1 and may_tell(module, call.args[1])))


_RUNS = re.compile(
    r"quer|sql|exec|statement|stmt|mutat|cursor|fetch|(?:^|_)(?:scalar|db|gbq)(?:_|$)|(?:Operator|Sensor)$",
    re.IGNORECASE,
)
"""Names of functions that may hand a query to a database."""
_SAYS = re.compile(
    r"^_*(?:assert|log|print|format|parse|build|make|escape|quote|validate|is_|to_|render|warn|debug|info|error|add_|register|get_sql|explain|compile|tokenize)"
    r"|(?:Error|Exception|Warning|log|error|equal)$",
    re.IGNORECASE,
)
"""Names of functions that say something, or make something of a text."""
_BEGINS = re.compile(
    r"\s{0,200}(?:select|insert|update|delete|with|create|drop|alter|truncate|merge|match|optional|replace|grant|copy|call|exec)\b",
    re.IGNORECASE,
)


def _given_to_others(module: Module) -> list[Kept]:
    """Calls, by names that nobody knows, of what may hand a query to a database."""
    words = [each for each in module.calls if each not in ASKING and _may_run(each)]
    asked = [each for word in words for each in module.calls[word]]
    asked += [each for each in module.calls.get("run", ()) if _is_of_database(each[0].func)]
    return [each for each in asked if _woven_query(each[0], module) is not None]


_DATABASE = re.compile(
    r"hook|conn|cursor|neo4j|postgres|mysql|snowflake|redshift|clickhouse|(?:^|_)(?:cur|db|tx|sql|session|graph)$",
    re.IGNORECASE,
)


def _is_of_database(func: ast.expr) -> bool:
    """Is it a method of what is called like a way to a database: `hook.run`, `session.run`?"""
    return isinstance(func, ast.Attribute) and _DATABASE.search(last_name(func.value)[:_LONGEST]) is not None


@lru_cache(maxsize=50_000)
def _may_run(word: str) -> bool:
    return len(word) < _LONGEST and _RUNS.search(word) is not None and _SAYS.search(word) is None


_LONGEST = 80


def _woven_query(call: ast.Call, module: Module) -> ast.expr | None:
    """A text put together that begins like a query, among what a call is given; a name stands for one where it says so."""
    named = [each.value for each in call.keywords if each.arg in _NAMED_ARGUMENTS]
    for each in (*call.args[: len(RUNNERS)], *named):
        if isinstance(each, ast.Name):
            if _QUERY_BY_NAME.search(each.id) and may_tell(module, each):
                return each
        elif (begun := _beginning(each)) and _BEGINS.match(begun):
            return each
    return None


_QUERY_BY_NAME = re.compile(r"sql|quer|stmt|statement|command", re.IGNORECASE)


def _beginning(text: ast.expr) -> str:
    """The constant that a text begins with which is put together where it stands."""
    for _ in range(_MOST_SUMMANDS):
        if isinstance(text, ast.BinOp) and isinstance(text.op, (ast.Add, ast.Mod)):
            text = text.left
        elif isinstance(text, ast.Call) and isinstance(text.func, ast.Attribute) and text.func.attr == "format":
            text = text.func.value
        elif isinstance(text, ast.JoinedStr) and text.values:
            text = text.values[0]
        else:
            break
    else:
        return ""
    return text.value if isinstance(text, ast.Constant) and isinstance(text.value, str) else ""


_MOST_SUMMANDS = 60


@site_probe(
    "code.sql_from_strings",
    none="No query is glued together from text.",
    sweep=_given_to_others,
    methods=(*ASKING, "extra"),
    method_glance=_perhaps_glued,
    calls=(*_FRAGMENTS, *RUNNERS),
    second_look=("S608",),
)
def sql_from_strings(match: Match) -> Iterator[Site]:
    """Is a database query glued together from text?

    Values and names that are not constants count where they become part of the text of a query. Parameters do not, nor do constants of the program, numbers, names quoted as such or held to a fixed set.

    Pass values as parameters of the query; for names of tables and columns choose from a fixed set.
    """
    if match.name in RUNNERS:
        yield from _handed_to_runner(match)
        return
    if not match.name:
        yield from _handed_to_another(match)
        return
    if match.name == ".extra":
        texts = [text for name in _EXTRA for each in _pieces(match.argument(name)) for text in _texts(match, each)]
    else:
        texts = _texts(match, _query(match))
    fragment = match.name in _FRAGMENTS or match.name == ".extra"
    for pieces in texts:
        site = _glued(match, pieces, fragment=fragment)
        if site is not None:
            yield site
            return


def _handed_to_runner(match: Match) -> Iterator[Site]:
    """A query that a function of another file is given, which hands it to a database."""
    named = (match.argument(each) for each in _NAMED_ARGUMENTS)
    query = match.argument("", place_of(match.name)) or next((each for each in named if each is not None), None)
    called = replace(match, name=f".{last_name(match.call.func)}")
    for pieces in _texts(match, query):
        site = _glued(called, pieces, fragment=False)
        if site is not None:
            yield site if site.reason else replace(site, confidence=0.9 * site.confidence, reason=_RUN_ELSEWHERE)
            return


_RUN_ELSEWHERE = "it is handed to a database by a function of another file"


def _handed_to_another(match: Match) -> Iterator[Site]:
    """A query that is put together and given to a function of which only the name says that it asks a database."""
    if match.resolve(match.call.func) in _TOLD_BY_NAME:
        return
    query = _woven_query(match.call, match.module)
    for pieces in _texts(match, query):
        site = _glued(match, pieces, fragment=False)
        if site is not None:
            yield replace(site, confidence=0.8 * site.confidence, reason=site.reason or _RUN_SOMEWHERE)
            return


_TOLD_BY_NAME = frozenset({*_FRAGMENTS, *RUNNERS})
_RUN_SOMEWHERE = "what is called was not followed to a database"


def _query(match: Match) -> ast.expr | None:
    """What is asked: what a call is given first, behind a connection second, or by name."""
    first = match.argument("", 0)
    if first is not None and not isinstance(first, ast.Constant) and not may_tell(match.module, first):
        return match.argument("", 1) or first
    named = (match.argument(each) for each in _NAMED_ARGUMENTS)
    return first or next((each for each in named if each is not None), None)


def _pieces(given: ast.expr | None) -> list[ast.expr]:
    """What a list or dictionary of pieces of a query holds."""
    if isinstance(given, ast.Dict):
        return given.values
    return given.elts if isinstance(given, (ast.List, ast.Tuple)) else []


def _texts(match: Match, query: ast.expr | None) -> list[list[Piece]]:
    """The texts that a query may be; none for one that stands in the code as a whole."""
    if query is None or isinstance(query, ast.Constant) or not may_tell(match.module, query):
        return []
    return versions(match.module, query, match.scope, match.call.lineno)


def _glued(match: Match, pieces: list[Piece], *, fragment: bool) -> Site | None:
    """What is to be said of a text, when it is a query that something foreign is put into."""
    put_in = [each for each in pieces if isinstance(each, Foreign)]
    if not put_in or not _is_query(match, pieces, fragment=fragment):
        return None
    foreign = [(each, match.within(each.scope)) for each in put_in]
    names = [
        _spoken_name(_followed(there, each.expression))
        for each, there in foreign
        if not _harmless(there, each.expression)
    ]
    if all(_MARK_NAMES.search(name) or name == "join of marks" for name in names):
        return None
    if _DEFINITION.match(_text_of(pieces)) or all(_NAMES.search(name) for name in names):
        return match.site("A name is put into a query as text", confidence=0.6, because=_IDENTIFIER)
    if all(_NAMES.search(name) or _CLAUSES.search(name) for name in names):
        return match.site("A piece of a query made elsewhere is put into it as text", confidence=0.6, because=_CLAUSE)
    return match.site("A value is put into a query as text", at=match.node)


_CLAUSES = re.compile(
    r"where|clause|condition|predicate|fragment|(?:^|_)(?:sql|query|stmt)(?:$|_)|subquery|order", re.IGNORECASE
)
_CLAUSE = "how the piece is made was not followed; values may be parameters in it"


def _text_of(pieces: list[Piece]) -> str:
    return "".join(each if isinstance(each, str) else "x" for each in pieces)[:_MAX_QUERY]


def _is_query(match: Match, pieces: list[Piece], *, fragment: bool) -> bool:
    """Does a text begin like a query, or stand where nothing else may?"""
    if fragment:
        return any(isinstance(each, str) and _WORD.search(each) for each in pieces)
    text = _text_of(pieces)
    return bool(_SQL.match(text) or (match.name == ".execute" and _CONTINUED.match(text)))


_WORD = re.compile(r"\w")


def _harmless(match: Match, expression: ast.expr) -> bool:
    """Is what is put in a constant of the program, a number, or a name that was quoted as one?"""
    if isinstance(expression, ast.Call) and _makes_harmless(match, expression):
        return True
    if is_number(match.module, expression, match.scope):
        return True
    if isinstance(expression, ast.Name):
        found = match.module.lookup(expression.id, match.scope)
        made = found[0].value if found is not None else None
        if found is not None and isinstance(made, ast.Call) and _makes_harmless(match.within(found[1]), made):
            return True
        if (
            is_typed(expression.id, match.scope)
            or _is_made_harmless(match, expression.id)
            or _held_to_a_set(match, expression.id)
            or _chosen_by_callers(match, expression.id)
        ):
            return True
    return _is_constant_by_name(match, expression) or _fixed(match, expression)


_BODIES = (ast.Try, ast.With, ast.AsyncWith)


def _is_made_harmless(match: Match, name: str) -> bool:
    """Is a name given a number on each way to its use, as in `limit = int(limit)`, whatever it stood for before?"""
    key = ("queries.numbers", id(match.scope), name)
    given = match.module.memory.get(key)
    if not isinstance(given, list):
        given = match.module.memory[key] = _given_numbers(match, name)
    before = [each for each in given if each[0] < match.call.lineno]
    return all(number for _, number, _ in before) and any(always for _, _, always in before)


def _given_numbers(match: Match, name: str) -> list[tuple[int, bool, bool]]:
    """Where a name is given something in a function: the line, whether that is a number, and whether it is given on each way."""
    body = match.scope.node.body
    outer = body if isinstance(body, list) else []
    within = [each for outside in outer if isinstance(outside, _BODIES) for each in outside.body]
    always = {id(each) for each in (*outer, *within)}
    given = [each for each in match.scope.binders if _gives(each, name)]
    return [
        (each.lineno, isinstance(each, ast.Assign) and _is_number_or_name(match, each.value), id(each) in always)  # type: ignore[attr-defined]
        for each in given
    ]


def _gives(node: ast.AST, name: str) -> bool:
    """Does a statement, or a part of one, give a name something?"""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id == name
    return hasattr(node, "lineno") and name in bound_names(_NOTHING, [node])


_NOTHING = ast.Module([], [])


def _is_number_or_name(match: Match, value: ast.expr) -> bool:
    return is_number(match.module, value, match.scope) or (
        isinstance(value, ast.Call) and _makes_harmless(match, value)
    )


def _makes_harmless(match: Match, call: ast.Call) -> bool:
    """`int(x)`, `quote_name(x)`, and `",".join(map(int, some))`."""
    func: ast.expr = call.func
    if isinstance(func, ast.Attribute) and func.attr == "join" and call.args:
        drawn = call.args[0]
        if not isinstance(drawn, ast.Call) or last_name(drawn.func) != "map" or not drawn.args:
            return False
        func = drawn.args[0]
    return match.resolve(func) in AS_NUMBERS or _AS_NAMES.match(last_name(func)) is not None


def _chosen_by_callers(match: Match, name: str) -> bool:
    """Is it a parameter of a private function that is given nothing but constants, by all who call it?"""
    given = given_by_callers(match.module, name, match.scope)
    return bool(given) and all(
        _fixed(there, value) or _is_constant_by_name(there, value)
        for value, there in ((value, match.within(place)) for value, place in given)
    )


_LOOKED_AT = frozenset({"isidentifier", "isdigit", "isdecimal", "isnumeric", "isalnum"})
_OF_A_REQUEST = frozenset({"GET", "POST", "COOKIES", "META", "FILES", "REQUEST"})


def _held_to_a_set(match: Match, name: str) -> bool:
    """Is a name compared, in the function that uses it, with a fixed set of values, or looked at letter by letter? Asked once."""
    key = ("queries.held", id(match.scope), name)
    known = match.module.memory.get(key)
    if not isinstance(known, bool):
        known = match.module.memory[key] = _is_compared(match, name)
    return known


def _is_compared(match: Match, name: str) -> bool:
    for each in inside(*own_children(match.scope.node)):
        if isinstance(each, ast.Compare) and isinstance(each.left, ast.Name) and each.left.id == name:
            if isinstance(each.ops[0], (ast.In, ast.NotIn)) and _is_a_choice(match, each.comparators[0]):
                return True
        elif isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr in _LOOKED_AT:
            owner = each.func.value
            if isinstance(owner, ast.Name) and owner.id == name:
                return True
    return False


def _is_a_choice(match: Match, allowed: ast.expr) -> bool:
    return _fixed(match, allowed) or _is_constant_by_name(match, allowed)


def _is_constant_by_name(match: Match, expression: ast.expr) -> bool:
    """`TABLE` of another module, `settings.SCHEMA`, `Status.ACTIVE.value`: what is written in capitals is set by the program."""
    if isinstance(expression, ast.Attribute) and expression.attr in {"value", "name"}:
        if _is_of_a_class(match, expression.value):
            return True
        expression = expression.value if isinstance(expression.value, ast.Attribute) else expression
    if isinstance(expression, ast.Attribute):
        return expression.attr.isupper() and expression.attr not in _OF_A_REQUEST
    if not isinstance(expression, ast.Name) or not expression.id.isupper():
        return False
    found = match.module.lookup(expression.id, match.scope)
    return found is not None and found[0].qualified is not None


def _is_of_a_class(match: Match, owner: ast.expr) -> bool:
    """`column.value` of a parameter with a class of its own: a member of an enumeration."""
    found = match.module.lookup(owner.id, match.scope) if isinstance(owner, ast.Name) else None
    of = found[0].type if found is not None else None
    return isinstance(of, ast.Name) and of.id not in {"str", "bytes", "dict", "Any"}


_DEPTH = 6


def _fixed(match: Match, expression: ast.expr | None, depth: int = _DEPTH) -> bool:
    """Is it made of nothing but constants of the program: a text, a list of names joined, a choice from a table?"""
    if expression is None or match.value(expression) is not UNKNOWN:
        return expression is not None
    if depth == 0:
        return False
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
    drawn = [each.iter for each in loops if _first_name(each.target) == name]
    if drawn and isinstance(drawn[0], ast.Call) and last_name(drawn[0].func) == "enumerate":
        return ast.Constant(0) if any(isinstance(each.target, ast.Tuple) for each in loops) else None
    drawn = [each.iter for each in loops if isinstance(each.target, ast.Name) and each.target.id == name]
    if len(drawn) != len(scope.bindings().get(name, ())):
        return None
    return drawn[0] if len(drawn) == 1 else ast.Tuple(drawn, ast.Load()) if drawn else None


def _first_name(target: ast.expr) -> str:
    """The name that a loop gives to what it draws, of several the first."""
    first = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else target
    return first.id if isinstance(first, ast.Name) else ""


def _drawn_from_fixed(match: Match, made: ast.GeneratorExp | ast.ListComp | ast.SetComp, depth: int) -> bool:
    """Is each element a constant, or made of what loops over constants yield?"""
    if match.value(made.elt) is not UNKNOWN:
        return True
    drawn = {each.id for loop in made.generators for each in ast.walk(loop.target) if isinstance(each, ast.Name)}
    used = [each for each in ast.walk(made.elt) if isinstance(each, (ast.Name, ast.Call))]
    return all(_fixed(match, loop.iter, depth - 1) for loop in made.generators) and all(
        isinstance(each, ast.Name) and each.id in drawn for each in used
    )


_GIVE_FIELDS = frozenset({"dataclasses.fields", "attrs.fields", "attr.fields"})
"""Calls that give the fields of a class, which stand in the code."""


def _joins_fixed(match: Match, call: ast.Call, depth: int) -> bool:
    """`", ".join(COLUMNS)`, `sorted(COLUMNS)` and the like."""
    func = call.func
    if isinstance(func, ast.Attribute) and func.attr in {"join", "keys", "values", "upper", "lower"}:
        return all(_fixed(match, each, depth - 1) for each in (func.value, *call.args))
    if isinstance(func, ast.Attribute) and func.attr == "get" and call.args:
        return all(_fixed(match, each, depth - 1) for each in (func.value, *call.args[1:]))
    if isinstance(func, ast.Name) and func.id in {"range", "len", "int", "float"}:
        return True  # numbers
    if match.resolve(func) in _GIVE_FIELDS:
        return True
    plain = isinstance(func, ast.Name) and func.id in {"sorted", "list", "tuple", "str", "set", "frozenset"}
    return plain and bool(call.args) and all(_fixed(match, each, depth - 1) for each in call.args)


def _followed(match: Match, expression: ast.expr) -> ast.expr:
    """What a name was bound to when that is a join, whose parts say what it is; else the expression itself."""
    if isinstance(expression, ast.Name):
        found = match.module.lookup(expression.id, match.scope)
        value = found[0].value if found else None
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "join":
            return value
    return expression


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
