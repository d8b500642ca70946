"""Packages that a description says are no longer asked for, or only by those who build, held against the manifests that change."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.forensics.dependencies.manifest_formats import is_manifest, read_manifest
from auditor.forensics.description.change_contents import FROM_WORDING, Answer, Ground, Held, Sentence
from auditor.forensics.description.phrase_claim_checks import Form, held_by_form
from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.source_text.file_roles import is_test
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns, first_group
from auditor.lazy_regex import lazy_compile

_NAME = r"[`\"']?(?P<{}>@?[A-Za-z][\w.-]{{0,60}}(?:/[\w.-]{{1,60}}){{0,4}})[`\"']?"
_DROPS = r"(?:remov|drop|delet|uninstall|eliminat|retir|rip|get|got|cut|strip)(?:e?s|e?d|ing|ping|ped|ting)?(?:\s+(?:rid\s+of|out))?"
_SORT = r"(?:dependency|dependencies|dependence|deps?|package|library|gem|crate|module|requirement|npm\s+package|dev\s+dependency)"
_FILL = r"(?:(?:the|our|old|unused|obsolete|now|last|heavy|legacy|third-party|runtime|direct|unneeded|redundant|deprecated|dependency|dependencies|dependence|package|library|gem|crate|on|also)\s+){0,5}"
_FROM = r"from\s+(?:(?:the|our|its|all)\s+){0,2}(?:(?:dev|runtime|direct|project)\s+)?(?:dependencies|deps|requirements|manifests?|[`\"']?(?:package\.json|requirements[\w.-]*\.txt|pyproject\.toml|Cargo\.toml|go\.mod|Gemfile|pom\.xml|composer\.json|build\.gradle(?:\.kts)?|setup\.(?:py|cfg)|Pipfile))"
_STOP = r"(?=\s*(?:$|[.,;:!)]|\b(?:as|since|because|and|in\s+favou?r|which|entirely|completely|altogether|now)\b))"
_FREED = combine_patterns(
    rf"\b{_DROPS}\s+{_FILL}{_NAME.format('from')}\s+(?:{_SORT}\s+)?{_FROM}",
    rf"\b{_DROPS}\s+{_FILL}{_NAME.format('kind')}\s+{_SORT}\b(?!\s+(?:from|in|on)\s+(?!favou?r|the\s+manifest|package)|\s+(?:updates?|version|constraint|manager|check)\b)",
    rf"\b{_DROPS}\s+(?:(?:the|our|direct|runtime|last|unused)\s+){{0,3}}(?:dependency|dependence)\s+on\s+{_NAME.format('on')}{_STOP}",
    rf"^(?:[-*+]\s+|\[x\]\s+|\w{{1,20}}(?:\([^)]{{0,60}}\))?!?:\s*)?(?:also\s+)?{_DROPS}\s+{_NAME.format('bare')}(?=\s*(?:$|[.;!]|,\s*(?:which|as|since|because)\b|\bin\s+favou?r\b|\b(?:entirely|completely|altogether)\b))",
    rf"\bno\s+longer\s+(?:depends?\s+on|needs?|requires?|pulls?\s+in)\s+{_NAME.format('needless')}{_STOP}",
    rf"(?<![\w/.@-]){_NAME.format('was')}\s+(?:{_SORT}\s+)?(?:is|was|has\s+been|gets)\s+(?:now\s+|therefore\s+)?(?:removed|dropped|gone|uninstalled|no\s+longer\s+(?:an?\s+(?:\w+\s+)?dependency|a\s+requirement|needed|required))(?:\s+{_FROM})?(?=\s*(?:$|[.,;:!)]|\band\b|\bas\b|\bany\s*more\b))",
    rf"(?<![\w/.@-]){_NAME.format('itself')}\s+(?:itself\s+)?removed\s+{_FROM}",
)
_STAYS = "The description says that a package is no longer asked for, and a manifest that changes still asks for it"
_SECTION = r"(?:dev(?:elopment)?[- ]?(?:only\s+)?dependenc(?:y|ies)|`?devDependencies`?|dev[- ]deps?|(?:an?\s+)?test[- ]only\s+dependency)"
_FOR_BUILDERS = combine_patterns(
    rf"\b(?:add|install|mov|mak|declar|list|turn|put|introduc|bring)\w{{0,4}}\s+{_FILL}{_NAME.format('put')}\s+(?:\([^)]{{0,30}}\)\s+)?(?:from\s+`?dependencies`?\s+)?(?:as|to|into|under|in|in\s+to)\s+(?:an?\s+|the\s+|our\s+)?{_SECTION}",
    rf"(?<![\w/.@-]){_NAME.format('is')}\s+(?:(?:is|was|becomes|has\s+been|moved|moves)\s+)(?:now\s+|only\s+|added\s+|moved\s+|listed\s+|installed\s+){{0,2}}(?:(?:as|to|into|under|in)\s+)?(?:an?\s+|the\s+|only\s+){{0,2}}{_SECTION}",
)
_FOR_ALL = "The description says that a package is for those who build alone, and the manifest asks for it in general"
_JSON_TABLE = lazy_compile(r"^\s{0,20}\"(?P<table>\w{0,10}[dD]ependencies)\"\s*:\s*\{")
_JSON_NAME = lazy_compile(r"^\s{0,40}\"(?P<name>@?[\w./-]{1,120})\"\s*:")


def held_demands(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Every package that is said to go, or to be moved to those for building."""
    yield from held_by_form(said, _FORMS, ground)


def _asked(ground: Ground) -> list[tuple[str, frozenset[str], frozenset[str]]]:
    """The path of each manifest that changes and can be read, and the names it asked for and asks for now, in small letters."""
    found: list[tuple[str, frozenset[str], frozenset[str]]] = []
    for file in ground.change.files:
        texts = ground.texts(file)
        if texts is None or file.head is None or file.base is None:
            continue
        if is_manifest(file.path) and not is_test(file.path):
            then, now = (
                frozenset(_called(each.registry, each.name) for each in read_manifest(path, text).dependencies)
                for path, text in ((file.base.path, texts[0]), (file.head.path, texts[1]))
            )
            found.append((file.path, then, now))
    return found


def _called(registry: str, name: str) -> str:
    """What people call a package: of one that goes by an address or a group, the last part."""
    return (re.split(r"[/:]", name)[-1] if registry in _GROUPED else name).lower().replace("_", "-")


_GROUPED = frozenset({"maven", "go", "packagist"})


def _freed(found: re.Match[str], _: Sentence, ground: Ground) -> Answer | None:
    """None where no manifest that changes asked for it, or one of several has let go of it."""
    asked = ground.once("asked for", lambda: _asked(ground))
    name = first_group(found).rstrip(".").lower().replace("_", "-")
    names = {name, name.rpartition("/")[2]} if not name.startswith("@") else {name}
    if not ground.whole or any(names & then and not names & now for _, then, now in asked):
        return None
    left = [path for path, then, now in asked if names & then & now]
    if not left:
        return None
    return Answer(
        False, tuple(code_location(path) for path in left[:5]), 0.65, f"{FROM_WORDING}; a part of it may be meant"
    )


def _for_builders(found: re.Match[str], _: Sentence, ground: Ground) -> Answer | None:
    """None where no `package.json` that changes asks for it, or one asks for it where it is said to."""
    name = first_group(found).rstrip(".")
    tables = {
        table
        for file in ground.change.files
        if file.head is not None and file.head.path.rpartition("/")[2] == "package.json"
        for table, each in _tables(ground.documents.head.get(file.head.path, ""))
        if each == name
    }
    if not tables or not ground.whole:
        return None
    return Answer("devDependencies" in tables, confidence=0.7)


def _tables(text: str) -> Iterator[tuple[str, str]]:
    """The tables of a `package.json` with the names in them, as they are usually laid out: one to a line."""
    table = ""
    for line in text.split("\n"):
        if head := _JSON_TABLE.match(line[:300]):
            table = head["table"]
        elif line.strip().startswith("}"):
            table = ""
        elif table and (found := _JSON_NAME.match(line[:300])):
            yield table, found["name"]


_FORMS = (
    Form(_FREED, _freed, "demand_gone", _STAYS),
    Form(_FOR_BUILDERS, _for_builders, "demand_for_builders", _FOR_ALL),
)
