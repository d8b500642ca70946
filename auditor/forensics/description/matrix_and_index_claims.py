"""What is said of one of a few things that stand together: of systems in a matrix, of an index, of a script, of who may do something."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from auditor.forensics.description.change_contents import (
    FROM_WORDING,
    MAX_SENTENCES,
    Answer,
    Ground,
    Held,
    Sentence,
    beginning,
    denied,
)
from auditor.forensics.description.code_name_claims import TAKEN_BACK, Name, Parsed
from auditor.forensics.description.file_references import goes_by
from auditor.forensics.description.masked_sentences import MASK, OPEN
from auditor.forensics.description.phrase_claim_checks import Form, Told, held_by_form, held_once
from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.source_text.definition_names import definitions, unqualified
from auditor.forensics.source_text.file_roles import Role, is_code, is_test, role
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns, first_group
from auditor.lazy_regex import lazy_compile

_SYSTEMS = {
    "linux": lazy_compile(r"ubuntu|linux|debian|alpine", re.IGNORECASE),
    "macos": lazy_compile(r"mac-?os|osx|darwin|\bmac\b", re.IGNORECASE),
    "windows": lazy_compile(r"windows|\bwin\b|win32|win64", re.IGNORECASE),
}
_ON_SYSTEMS = combine_patterns(
    r"\b(?:tests?|builds?|runs?|checks?|matrix|ci|covers?|job)\b[^.;]{0,60}?\b(?:on|for|of|covers?|matrix)\s+(?:the\s+)?(?P<systems>(?:(?:linux|ubuntu|mac\s?os|windows)(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*|\s*/\s*)?){2,3})(?!\s*(?:hosts|users|paths|only\s+later))"
)
_LACKS_SYSTEM = "The description names a system on which something is tested, and no workflow that comes holds it"
_UNIQUE = combine_patterns(
    r"\b(?:add|creat|introduc|with|gets?|is|are|put)\w{0,4}\s+(?:(?:an?|the|new|partial|composite|compound|database|db)\s+){0,3}(?P<unique>unique)\s+(?:\w{1,20}\s+){0,2}?(?:index|constraint|key)\b",
    r"\bindex(?:es)?\b[^.;]{0,60}?\b(?:is|are)\s+(?P<is_unique>unique)\b",
)
_INDEX = lazy_compile(
    r"\b(?:add_index|create_?index|createIndex|ensureIndex|addIndex|index_together|models\.Index|UniqueConstraint|CREATE\s+(?:UNIQUE\s+)?INDEX|ADD\s+(?:CONSTRAINT|UNIQUE)|@@(?:unique|index)|t\.index)\b|db_index|\.index\(",
    re.IGNORECASE,
)
_OF_TABLES = lazy_compile(r"migrat|alembic|/versions/|\.sql$|schema|/db/|models?[./]|entit", re.IGNORECASE)
_NOT_UNIQUE = "The description says that an index is unique, and none that comes is"
_SCRIPT = lazy_compile(
    r"`(?P<script>(?:[\w.-]{1,60}/){0,6}[\w.-]{1,60}\.(?:sh|py|rb|js|ts|pl|bash|ps1))(?P<rest>(?:\s+[^`\s]{1,60}){1,8})`"
)
_OPTION = lazy_compile(r"(?<!\S)(?P<dashes>--?)(?P<name>[A-Za-z][\w-]{0,40})")
_NO_OPTION = "The description calls a script with an option that the script does not hold"
_ONLY_ROLE = combine_patterns(
    r"\bonly\s+(?:(?:users?|members?|people|accounts?|those|callers?|clients?)\s+(?:(?:with|of|in|who\s+have)\s+)?(?:(?:the|a|role|roles|group|permission|scope)\s+){0,3})?`?(?P<role>(?-i:[A-Z][A-Z_]{2,30}))`?(?:s|\s+users?|\s+role)?\s+(?:may|can|are\s+allowed|is\s+allowed|has|have)\b"
)
_LISTED_ROLES = lazy_compile(r"[\[(][^\[\]()\n]{0,200}[\])]")
_QUOTED = lazy_compile(r"[\"'](?P<name>(?:ROLE_)?[A-Z][A-Z_]{2,30})[\"']|\b\w{1,20}\.(?P<constant>[A-Z][A-Z_]{2,30})\b")
_OTHERS_TOO = "The description says that one role alone may do something, and the line that comes lets others too"
_DOES = combine_patterns(
    rf"(?P<subject>{MASK})\s+(?:(?:class|function|method|helper|service|job|command|module|itself)\s+)?(?:(?:now|also|then|always|therefore)\s+){{0,2}}(?:uses?|calls?|sends?|writes?|logs?|sets?|stores?|delegates?|wraps?|passes|raises?|throws?|returns?|reads?|emits?|publishes|enqueues?|invokes?|creates?|builds?|applies|takes|accepts)\b(?P<between>[^.;:{OPEN}]{{0,60}}?)(?P<object>{MASK})"
)
_ELSEWHERE = "The description says what one part does, and what it names stands in another one alone"


def held_among(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Statements on one of several things that stand together."""
    yield from held_by_form(said, _FORMS, ground)
    yield from held_once(_done_by_parts(said, ground))


def _done_by_parts(said: list[Sentence], ground: Ground) -> Iterator[Told]:
    for sentence in said[:MAX_SENTENCES]:
        read = Parsed(sentence)
        for found in _DOES.finditer(read.text):
            if not denied(read.text, found.start(), TAKEN_BACK):
                subject, thing = (read.of(found[part])[0] for part in ("subject", "object"))
                weigh = partial(_within, subject, thing, ground)
                yield Told("does", (subject.text, thing.text), sentence, weigh, _ELSEWHERE)


def _within(subject: Name, thing: Name, ground: Ground) -> Answer | None:
    """None unless one changed file alone defines what does something, and another one brings what it is said to do it with."""
    if not subject.word or not thing.word or not thing.marked or len(thing.word) < _LEAST or not ground.whole:
        return None
    if thing.word not in ground.added or thing.word in ground.before:
        return None
    at = _homes(ground).get(subject.word, [])
    if len(at) != 1 or thing.word.lower() in ground.documents.head.get(at[0], "").lower():
        return None
    return Answer(False, (code_location(at[0]),), 0.6, f"{FROM_WORDING}; it may do so by way of another")


_LEAST = 5


def _homes(ground: Ground) -> dict[str, list[str]]:
    """In which changed files of the product each name is defined at the head."""
    return ground.once("homes", lambda: _homes_of(ground))


def _homes_of(ground: Ground) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path, shape in ground.outlines.items():
        if is_test(path):
            continue
        for name in sorted({unqualified(each.qualname) for each in definitions(shape)}):
            found.setdefault(name, []).append(path)
    for path in ground.documents.head:
        stem = path.rpartition("/")[2].partition(".")[0]
        called = "".join(part.title() for part in stem.split("_"))
        if is_code(path) and not is_test(path) and "_" in stem and called not in found:
            found[called] = [path]
    return found


def _on_systems(found: re.Match[str], _: Sentence, ground: Ground) -> Answer | None:
    """None where no workflow comes that holds one of the systems."""
    told = found["systems"].lower().replace(" ", "")
    named = [
        name
        for name, word in (("linux", "linux"), ("linux", "ubuntu"), ("macos", "macos"), ("windows", "windows"))
        if word in told
    ]
    texts = [
        ground.documents.head.get(file.head.path, "")
        for file in ground.change.files
        if file.head is not None and file.added and role(file.path) is Role.WORKFLOW
    ]
    held = [name for name in named if any(_SYSTEMS[name].search(text) for text in texts)]
    return Answer(len(held) == len(named), confidence=0.7) if held else None


def _unique(_: re.Match[str], __: Sentence, ground: Ground) -> Answer | None:
    """None where no index comes that can be read."""
    came = ground.came_in(lambda path: _OF_TABLES.search(path) is not None and not is_test(path))
    if not ground.whole or not any(_INDEX.search(beginning(line)) for line in came):
        return None
    held = any("unique" in line.lower() and "uniqueness" not in line.lower() for line in came)
    return Answer(held, confidence=0.7)


def _script(found: re.Match[str], _: Sentence, ground: Ground) -> Answer | None:
    """None where the script does not change, or hands on what it is given."""
    paths = [path for path in ground.documents.head if goes_by(path, found["script"]) and not is_test(path)]
    texts = [ground.documents.head[path] for path in paths]
    if len(texts) != 1 or _HANDS_ON.search(texts[0]):
        return None
    lacking = [each for each in _OPTION.finditer(found["rest"]) if not _takes(each["dashes"], each["name"], texts[0])]
    return Answer(not lacking, (code_location(paths[0]),), 0.65, FROM_WORDING)


_HANDS_ON = lazy_compile(r"\$@|\$\*|sys\.argv\[1:\]|parse_known_args|unparsed|process\.argv\.slice")
_GETOPTS = lazy_compile(r"\bgetopts?\s+[\"']?:?(?P<letters>[A-Za-z:]{1,60})")


def _takes(dashes: str, name: str, text: str) -> bool:
    plain = name.replace("-", "_")
    if dashes == "-" and len(name) == 1:
        letters = "".join(each["letters"] for each in _GETOPTS.finditer(text))
        return name in letters if letters else f"-{name}" in text or not _READS_OPTIONS.search(text)
    return name in text or plain in text or not _READS_OPTIONS.search(text)


_READS_OPTIONS = lazy_compile(
    r"getopts?|add_argument|add_option|OptionParser|\.option\(|parseArgs|\bcase\b|click\.|typer"
)


def _only_role(found: re.Match[str], _: Sentence, ground: Ground) -> Answer | None:
    """None where no line that comes names the role among others, or one that comes names it alone."""
    told = found["role"].upper()
    groups = [
        {first_group(each).removeprefix("ROLE_") for each in _QUOTED.finditer(group.group())}
        for line in ground.product_came
        for group in _LISTED_ROLES.finditer(line)
    ]
    naming = [group for group in groups if told in group]
    if not naming or not ground.whole:
        return None
    return Answer(any(len(group) == 1 for group in naming), confidence=0.65)


_FORMS = (
    Form(_ON_SYSTEMS, _on_systems, "systems", _LACKS_SYSTEM),
    Form(_UNIQUE, _unique, "unique", _NOT_UNIQUE),
    Form(_SCRIPT, _script, "script", _NO_OPTION),
    Form(_ONLY_ROLE, _only_role, "only_role", _OTHERS_TOO),
)
