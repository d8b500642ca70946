"""Whether the URL of a clone is checked before git sees it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Mapping

from auditor.forensics.agent_systems.clone_context import split_by_clone, spots_at, surrounding_functions
from auditor.forensics.agent_systems.clone_sites import CloneSite
from auditor.forensics.agent_systems.count_phrases import Wording, share_phrase
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.parsed_unit import Unit
from auditor.forensics.agent_systems.syntax_queries import descendants, nested_statements
from auditor.forensics.agent_systems.system_report_types import ProbeAnswer, Where, WhereData
from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.python.scope_bindings import callee_name, last_name, text_constants

_URL_NAME = re.compile(
    r"url|uri|repo|remote|source|link|address|target|parsed|scheme|netloc|host|domain|match", re.IGNORECASE
)
_URL_PATTERN = re.compile(r"https?|git@|github|gitlab|://|\.git")
_CHECKER = re.compile(
    r"valid|saniti[sz]|check|verify|safe|is_.*(?:url|repo)|parse.*url|normali[sz]e|allow|ensure|assert|guard|clean",
    re.IGNORECASE,
)
_URL_PARTS = frozenset({"scheme", "netloc", "hostname", "protocol"})
_URL_TYPES = frozenset({"HttpUrl", "AnyHttpUrl", "AnyUrl"})
_FORBIDDEN_CHARACTERS = re.compile(r"[;|&$`\n\r]|\.\.")
_HOST_PATTERN = re.compile(r"github\.com|gitlab\.com|bitbucket\.org|://|https")


def urls_are_checked(study: ProgramStudy, sites: list[CloneSite]) -> ProbeAnswer:
    """Is the URL of every clone looked at before git sees it?"""
    checks, bare = split_by_clone(sites, lambda site: _find_url_check(study, site))
    data = WhereData(where=checks)
    share = round(1 - len(bare) / len(sites), 4)
    if not bare:
        first = checks[0]
        return ProbeAnswer(
            answer=True, statement=f"The URL is checked before git sees it: {first.what}.", data=data, confidence=0.9, measure=share,
            because="whether the check can be bypassed was not analysed", spots=tuple(spots_at(study, data.where)),
        )  # fmt: skip
    site = bare[0]
    return ProbeAnswer(
        answer=False, statement=f"{share_phrase(len(bare), len(sites), Wording(('clone', 'takes'), ('clones', 'take')))} a URL that no analysed code checks.", data=data, measure=share,
        spots=tuple(study.place_spot(each.place) for each in bare), confidence=0.85 if site.frames else 0.7,
        because="a caller outside the analysed code may check it",
    )  # fmt: skip


def _find_url_check(study: ProgramStudy, site: CloneSite) -> Where | None:
    own = site.place.unit.function_of(site.place.node)
    for unit, function in surrounding_functions(study, site):
        limit = site.place.line if function is own else None
        helper = bool(_CHECKER.search(getattr(function, "name", "")))
        for node in descendants(function):
            if limit is not None and getattr(node, "lineno", 0) > limit:
                continue
            what = _has_validated_type(study, node, function) or _url_check_kind(unit, node, helper=helper)
            if what:
                return Where(path=unit.path, line=int(getattr(node, "lineno", 1)), what=what)
    return None


def _has_validated_type(study: ProgramStudy, node: ast.AST, function: ast.AST) -> str:
    """Is a URL announced by a type that pydantic checks, of a parameter or of a field of it that the function takes?"""
    if not isinstance(node, ast.arg) or node.annotation is None:
        return ""
    kind = callee_name(node.annotation)
    if kind in _URL_TYPES:
        return f"by its type {kind}"
    fields = _validated_url_fields(study).get(kind, frozenset())
    taken = (
        each.attr
        for each in (descendants(function) if fields else ())
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.value.id == node.arg
    )
    return next((f"by the type of its field {kind}.{each}" for each in taken if each in fields), "")


@remembered
def _validated_url_fields(study: ProgramStudy) -> Mapping[str, frozenset[str]]:
    """The fields that hold checked URLs, by the class that has them; of a name that is defined twice nothing is known."""
    defined = [(name, node) for unit in study.program.product for name, node in unit.defined.items()]
    often = Counter(name for name, _ in defined)
    return {
        name: _validated_fields(node) for name, node in defined if often[name] == 1 and isinstance(node, ast.ClassDef)
    }


def _validated_fields(node: ast.ClassDef) -> frozenset[str]:
    return frozenset(
        each.target.id
        for each in node.body
        if isinstance(each, ast.AnnAssign)
        and isinstance(each.target, ast.Name)
        and callee_name(each.annotation) in _URL_TYPES
    )


def _url_check_kind(unit: Unit, node: ast.AST, *, helper: bool) -> str:
    """What kind of URL check a statement is; empty when it is none. It must be able to stop the work."""
    tests: list[ast.expr] = []
    if (
        isinstance(node, ast.If)
        and any(isinstance(each, (ast.Raise, ast.Return)) for each in nested_statements([*node.body, *node.orelse]))
    ) or isinstance(node, ast.Assert):
        tests.append(node.test)
    elif isinstance(node, ast.Return) and helper and node.value is not None:
        tests.append(node.value)
    for test in tests:
        for part in descendants(test):
            what = _url_test_kind(part)
            if what:
                return what
            if isinstance(part, ast.Name) and _URL_NAME.search(part.id) and not isinstance(node, ast.Return):
                what = _assigned_test_kind(unit, node, part.id)
                if what:
                    return what
    return ""


def _url_test_kind(part: ast.AST) -> str:
    """A look at the form of a URL: its beginning, its parts, a pattern, characters it must not have."""
    if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
        return _call_test_kind(part, part.func.attr)
    texts = text_constants(descendants(part))
    words = [last_name(each) for each in descendants(part) if isinstance(each, (ast.Attribute, ast.Name))]
    about = any(_URL_NAME.search(word) for word in words)
    what = ""
    if isinstance(part, (ast.Compare, ast.Attribute)) and _URL_PARTS & set(words):
        what = "by its parts"
    elif isinstance(part, ast.Compare) and about and any(_HOST_PATTERN.search(text) for text in texts):
        what = "by what it contains"
    elif (
        isinstance(part, (ast.GeneratorExp, ast.ListComp))
        and about
        and sum(bool(_FORBIDDEN_CHARACTERS.search(text)) for text in texts) >= 2
    ):
        what = "by forbidden characters"
    return what


def _call_test_kind(call: ast.Call, method: str) -> str:
    texts = [text for arg in call.args for text in text_constants(descendants(arg))]
    words = [last_name(each) for each in descendants(call) if isinstance(each, (ast.Attribute, ast.Name))]
    about = any(_URL_NAME.search(word) for word in words)
    if method in {"startswith", "endswith"} and any(_URL_PATTERN.search(text) for text in texts):
        return f"by {method}"
    if method in {"match", "fullmatch", "search", "test", "exec"} and about:
        return "by a pattern"
    return "by a validator" if method == "url" and about else ""


def _assigned_test_kind(unit: Unit, node: ast.AST, name: str) -> str:
    """A look at the URL whose result was given a name before it is asked for: `match = PATTERN.match(url)`."""
    function = unit.function_of(node)
    for each in descendants(function) if function is not None else ():
        if isinstance(each, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == name for target in each.targets
        ):
            for part in descendants(each.value):
                what = _url_test_kind(part)
                if what:
                    return what
                if isinstance(part, ast.Call) and last_name(part.func) in {"urlparse", "urlsplit", "parse_url"}:
                    return ""
    return ""
