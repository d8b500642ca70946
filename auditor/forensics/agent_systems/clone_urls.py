"""Whether the URL of a clone is checked before git sees it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Mapping

from auditor.forensics.agent_systems.clone_context import around, name_of, sorted_out, spots_of
from auditor.forensics.agent_systems.clone_sites import Site
from auditor.forensics.agent_systems.count_phrases import Wording, of_all
from auditor.forensics.agent_systems.program_analysis import Study
from auditor.forensics.agent_systems.system_report_types import Judged, Where, WhereData
from auditor.forensics.agent_systems.whole_program import Unit, inside, statements
from auditor.forensics.python.scope_bindings import last_name

_URL = re.compile(
    r"url|uri|repo|remote|source|link|address|target|parsed|scheme|netloc|host|domain|match", re.IGNORECASE
)
_URL_PATTERN = re.compile(r"https?|git@|github|gitlab|://|\.git")
_CHECKER = re.compile(
    r"valid|saniti[sz]|check|verify|safe|is_.*(?:url|repo)|parse.*url|normali[sz]e|allow|ensure|assert|guard|clean",
    re.IGNORECASE,
)
_PARTS = frozenset({"scheme", "netloc", "hostname", "protocol"})
_URL_TYPES = frozenset({"HttpUrl", "AnyHttpUrl", "AnyUrl"})
_FORBIDDEN = re.compile(r"[;|&$`\n\r]|\.\.")
_HOSTS = re.compile(r"github\.com|gitlab\.com|bitbucket\.org|://|https")


def url_checked(study: Study, sites: list[Site]) -> Judged:
    """Is the URL of every clone looked at before git sees it?"""
    checks, bare = sorted_out(sites, lambda site: _first_check(study, site))
    data = WhereData(where=checks)
    share = round(1 - len(bare) / len(sites), 4)
    if not bare:
        first = checks[0]
        return Judged(
            answer=True, statement=f"The URL is checked before git sees it: {first.what}.", data=data, confidence=0.9, measure=share,
            because="that the check cannot be passed by is not proven", spots=tuple(spots_of(study, data.where)),
        )  # fmt: skip
    site = bare[0]
    return Judged(
        answer=False, statement=f"{of_all(len(bare), len(sites), Wording(('clone', 'takes'), ('clones', 'take')))} a URL that nothing in sight checks.", data=data, measure=share,
        spots=tuple(study.line(each.place.unit, each.place.line) for each in bare), confidence=0.85 if site.frames else 0.7,
        because="a caller that is not in sight may check it",
    )  # fmt: skip


def _first_check(study: Study, site: Site) -> Where | None:
    own = site.place.unit.function_of(site.place.node)
    for unit, function in around(study, site):
        limit = site.place.line if function is own else None
        helper = bool(_CHECKER.search(getattr(function, "name", "")))
        for node in inside(function):
            if limit is not None and getattr(node, "lineno", 0) > limit:
                continue
            what = _typed(study, node, function) or _check(unit, node, helper=helper)
            if what:
                return Where(path=unit.path, line=int(getattr(node, "lineno", 1)), what=what)
    return None


def _typed(study: Study, node: ast.AST, function: ast.AST) -> str:
    """Is a URL announced by a type that pydantic checks, of a parameter or of a field of it that the function takes?"""
    if not isinstance(node, ast.arg) or node.annotation is None:
        return ""
    kind = name_of(node.annotation)
    if kind in _URL_TYPES:
        return f"by its type {kind}"
    fields = _url_fields(study).get(kind, frozenset())
    taken = (
        each.attr
        for each in (inside(function) if fields else ())
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.value.id == node.arg
    )
    return next((f"by the type of its field {kind}.{each}" for each in taken if each in fields), "")


def _url_fields(study: Study) -> Mapping[str, frozenset[str]]:
    """The fields that hold checked URLs, by the class that has them; of a name that is defined twice nothing is known. Worked out once."""
    known: Mapping[str, frozenset[str]] | None = study.memory.get(_url_fields)
    if known is None:
        defined = [(name, node) for unit in study.program.product for name, node in unit.defined.items()]
        often = Counter(name for name, _ in defined)
        known = {name: _checked(node) for name, node in defined if often[name] == 1 and isinstance(node, ast.ClassDef)}
        study.memory[_url_fields] = known
    return known


def _checked(node: ast.ClassDef) -> frozenset[str]:
    return frozenset(
        each.target.id
        for each in node.body
        if isinstance(each, ast.AnnAssign)
        and isinstance(each.target, ast.Name)
        and name_of(each.annotation) in _URL_TYPES
    )


def _check(unit: Unit, node: ast.AST, *, helper: bool) -> str:
    """What kind of URL check a statement is; empty when it is none. It must be able to stop the work."""
    tests: list[ast.expr] = []
    if (
        isinstance(node, ast.If)
        and any(isinstance(each, (ast.Raise, ast.Return)) for each in statements([*node.body, *node.orelse]))
    ) or isinstance(node, ast.Assert):
        tests.append(node.test)
    elif isinstance(node, ast.Return) and helper and node.value is not None:
        tests.append(node.value)
    for test in tests:
        for part in inside(test):
            what = _url_test(part)
            if what:
                return what
            if isinstance(part, ast.Name) and _URL.search(part.id) and not isinstance(node, ast.Return):
                what = _assigned_test(unit, node, part.id)
                if what:
                    return what
    return ""


def _url_test(part: ast.AST) -> str:
    """A look at the form of a URL: its beginning, its parts, a pattern, characters it must not have."""
    if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
        return _called_test(part, part.func.attr)
    texts = [each.value for each in inside(part) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    words = [last_name(each) for each in inside(part) if isinstance(each, (ast.Attribute, ast.Name))]
    about = any(_URL.search(word) for word in words)
    what = ""
    if isinstance(part, (ast.Compare, ast.Attribute)) and _PARTS & set(words):
        what = "by its parts"
    elif isinstance(part, ast.Compare) and about and any(_HOSTS.search(text) for text in texts):
        what = "by what it contains"
    elif (
        isinstance(part, (ast.GeneratorExp, ast.ListComp))
        and about
        and sum(bool(_FORBIDDEN.search(text)) for text in texts) >= 2
    ):
        what = "by forbidden characters"
    return what


def _called_test(call: ast.Call, method: str) -> str:
    texts = [
        each.value
        for arg in call.args
        for each in inside(arg)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    ]
    words = [last_name(each) for each in inside(call) if isinstance(each, (ast.Attribute, ast.Name))]
    about = any(_URL.search(word) for word in words)
    if method in {"startswith", "endswith"} and any(_URL_PATTERN.search(text) for text in texts):
        return f"by {method}"
    if method in {"match", "fullmatch", "search", "test", "exec"} and about:
        return "by a pattern"
    return "by a validator" if method == "url" and about else ""


def _assigned_test(unit: Unit, node: ast.AST, name: str) -> str:
    """A look at the URL whose result was given a name before it is asked for: `match = PATTERN.match(url)`."""
    function = unit.function_of(node)
    for each in inside(function) if function is not None else ():
        if isinstance(each, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == name for target in each.targets
        ):
            for part in inside(each.value):
                what = _url_test(part)
                if what:
                    return what
                if isinstance(part, ast.Call) and isinstance(part.func, (ast.Name, ast.Attribute)):
                    called = getattr(part.func, "id", getattr(part.func, "attr", ""))
                    if called in {"urlparse", "urlsplit", "parse_url"}:
                        return ""
    return ""
