"""Small numbers that a sentence gives to something by name, held against the line in which the code gives it another."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.forensics.description.change_contents import FROM_WORDING, Answer, Ground, Held, Sentence
from auditor.forensics.description.phrase_claim_checks import Form, held_by_form
from auditor.forensics.description.version_and_count_claims import agree, as_number
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns
from auditor.lazy_regex import lazy_compile

_SOME = r"(?P<{}>\d{{1,6}}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty)"
_OF_NAMES = {
    "attempt": r"attempt|tries|retr", "retr": r"attempt|tries|retr", "tri": r"attempt|tries|retr", "time": r"attempt|tries|retr", "worker": r"worker|concurrency|process",
    "thread": r"thread|worker|concurrency", "connection": r"conn|pool", "level": r"level|depth", "replica": r"replica",
}  # fmt: skip
"""Beginnings of what is counted, and what the name of a constant says that holds the number."""
_COUNTED = combine_patterns(
    rf"\b(?:makes?|tries|tried|try|retr(?:y|ies|ied)|gives?\s+up|attempts?|repeat\w*|fails?|stops?|start\w*|spawn\w*|use[sd]?|run[s]?|keep\w*|limit\w*|allow\w*|with|after|at most|up to|opens?|holds?|set\w*)\s+"
    rf"(?:(?!if\b|when\b|not\b)[\w`'-]{{1,24}}\s+){{0,4}}?{_SOME.format('count')}\s+(?:more\s+|further\s+|failed\s+|parallel\s+|concurrent\s+)?(?P<what>attempt|retr|tri|time|worker|thread|connection|level|replica)(?:s|ies|y|es)\b(?!\s+(?:faster|slower|as|more|a|per|the)\b)",
)
_GIVEN = r"(?:{})\w{{0,40}}+[\"']?\s*(?::\s*[A-Za-z][\w.<>]{{0,20}}\s*)?(?:=>|[=:(])\s*(?P<number>\d{{1,6}})\b(?!\.\d|\s*[*/])"
_NUMBERED = combine_patterns(
    rf"`(?P<name>[A-Za-z_][\w-]{{1,40}})`[^.;`\n]{{0,40}}?\b(?:with|has|gets?|is|as|under|at|on)\s+(?:the\s+)?(?:(?:field|tag|error|exit|status|port|column)\s+)?(?:number|tag|code|index|position|priority|port|weight|id)\s+{_SOME.format('position')}(?!\w|\.\d)",
)
_PRODUCT = combine_patterns(
    r"(?<![\w./`-])(?P<product>postgres(?:ql)?|mysql|mariadb|redis|mongo(?:db)?|elasticsearch|opensearch|rabbitmq|kafka|memcached|nginx|traefik|alpine|debian|ubuntu|node(?:\.?js)?|python|golang|ruby|php|openjdk|temurin|keycloak|minio|clickhouse|cassandra|valkey)\s+(?P<version>\d{1,2}(?:\.\d{1,2}){0,2})\b(?![.\w%])(?!\s+(?:or\b|and\b|to\b|times|support|seconds|users))"
)
_IMAGES = {"postgresql": "postgres", "mongodb": "mongo", "nodejs": "node", "node.js": "node"}
_STARTED = lazy_compile(
    r"\b(?:image|service|container|start|run|compose|base|server|database|instance|ci|job|dock)", re.IGNORECASE
)
_OTHER_COUNT = "The description says how often or how many, and the line that comes says another number"
_OTHER_POSITION = "The description gives something a number, and the line that comes gives it another"
_OTHER_IMAGE = "The description names the version of a program that is started, and what comes starts another"
_LONG = 2_000


def held_figures(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Statements that give something a number."""
    yield from held_by_form(said, _FORMS, ground)


def _counted(found: re.Match[str], _: Sentence, ground: Ground) -> Answer | None:
    """None where no line that comes gives the number to a constant or an argument of that name, or more than one does.

    Whoever tries three times repeats it twice, so a difference of one says nothing.
    """
    names = re.compile(_GIVEN.format(_OF_NAMES[found["what"].lower()]), re.IGNORECASE)
    given = {int(each["number"]) for line in ground.came for each in names.finditer(line[:_LONG])}
    given -= {0, 1}  # where counting begins
    told = as_number(found["count"])
    if len(given) != 1 or not ground.whole:
        return None
    (there,) = given
    if abs(there - told) == 1:
        return None
    return Answer(there == told, confidence=0.7, because=f"{FROM_WORDING}; another number may be meant")


def _numbered(found: re.Match[str], _: Sentence, ground: Ground) -> Answer | None:
    """None where no line that comes holds the name and a number."""
    name = re.compile(rf"(?<![\w-]){re.escape(found['name'])}(?![\w-])")
    numbers = [re.findall(r"(?<![\w.])\d{1,6}(?![\w.])", line) for line in ground.came if name.search(line[:_LONG])]
    told = str(as_number(found["position"]))
    if not any(numbers) or not ground.whole:
        return None
    return Answer(any(told in each for each in numbers), confidence=0.7)


def _started(found: re.Match[str], sentence: Sentence, ground: Ground) -> Answer | None:
    """None where no line that comes starts an image of that program with a tag that is a version."""
    if not _STARTED.search(sentence.text):
        return None
    plain = found["product"].lower()
    image = re.compile(
        rf"(?<![\w-]){re.escape(_IMAGES.get(plain, plain))}:v?(?P<tag>\d{{1,3}}(?:\.\d{{1,3}}){{0,2}})(?![\d.]*\d)",
        re.IGNORECASE,
    )
    tags = [each["tag"] for line in ground.came for each in image.finditer(line[:_LONG])]
    if not tags or not ground.whole:
        return None
    return Answer(any(agree(found["version"], tag) for tag in tags), confidence=0.75)


_FORMS = (
    Form(_COUNTED, _counted, "times", _OTHER_COUNT),
    Form(_NUMBERED, _numbered, "position", _OTHER_POSITION),
    Form(_PRODUCT, _started, "image", _OTHER_IMAGE),
)
