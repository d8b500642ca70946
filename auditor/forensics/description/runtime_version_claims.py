"""Which versions of a language or a framework are said to be served, or to be needed, held against manifests and lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from auditor.forensics.description.change_contents import FROM_WORDING, MAX_SENTENCES, Answer, Ground, Held, Sentence
from auditor.forensics.description.code_name_claims import stated
from auditor.forensics.description.phrase_claim_checks import Told, held_once
from auditor.forensics.source_text.file_roles import is_test
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns, first_group, groups_by_role
from auditor.lazy_regex import lazy_compile

_RUNTIME = r"(?P<{0}>python|node(?:\.?js)?|ruby|java|jdk|go|golang|php|django|rails|rust|pypy|typescript|react)"
_NUMBER = r"v?(?P<{0}>\d{{1,3}}(?:\.\d{{1,3}}){{0,2}})\b(?!\s*%)"


def _of(kind: str) -> str:
    return rf"{_RUNTIME.format(f'what_{kind}')}\s+(?:versions?\s+)?{_NUMBER.format(f'number_{kind}')}"


_DROPPED = combine_patterns(
    rf"\b(?:drop|remov|end|discontinu|ceas|stop)\w{{0,4}}\s+(?:the\s+)?(?:support(?:ing)?\s+(?:for\s+|of\s+)?)?{_of('dropped')}\b(?:\s+support|(?=\s*(?:$|[.,;:)])))",
    rf"\bno longer\s+supports?\s+{_of('unserved')}",
    rf"{_of('ended')}\s+(?:is|are)\s+(?:no longer|not)\s+supported(?:\s+any ?more)?",
    rf"\bsupport\s+(?:for|of)\s+{_of('support')}\s+(?:is|was|has been|gets)\s+(?:now\s+)?(?:dropped|removed|ended|gone)",
)
_NEEDED = combine_patterns(
    rf"\b(?:rais|bump|increas|lift|mov|set|chang|updat)(?:es?|s|e?d|ing)?\s+(?:the\s+|our\s+)?(?:minimum|minimal|min\.?|required|oldest|lowest)\s+(?:supported\s+|required\s+)?{_RUNTIME.format('what_raised')}\s+(?:version\s+)?(?:from\s+\S{{1,12}}\s+)?to\s+{_NUMBER.format('number_raised')}",
    rf"\b(?:minimum|minimal|oldest|lowest)\s+(?:supported\s+|required\s+)?{_RUNTIME.format('what_least')}\s+(?:version\s+)?(?:is|becomes|are)\s+(?:now\s+)?{_NUMBER.format('number_least')}",
    rf"(?:\bnow|^(?:\w{{1,20}}(?:\([^)]{{0,60}}\))?!?:\s*)?)\s*(?:requires?|needs?)\s+(?:at least\s+)?{_RUNTIME.format('what_now')}\s+(?:version\s+)?(?:>=?\s*)?{_NUMBER.format('number_now')}",
    rf"\b{_RUNTIME.format('what_is')}\s+(?:>=?\s*)?{_NUMBER.format('number_is')}(?:\+|\s+or\s+(?:newer|later|higher|above))?\s+is\s+now\s+(?:required|needed|the\s+(?:minimum|oldest))",
)
_SERVED = "The description says that a version is served no longer, and a manifest still admits it"
_LEAST = "The description names the oldest version that is served, and what comes names another or none"
_BOUND = {
    "python": combine_patterns(
        r"\b(?:requires-python|python_requires)\s*=\s*[\"'][^\"'\n]{0,40}?(?P<requires>(?:>=|\^|~=?|==)\s*\d+(?:\.\d+){0,2})",
        r"^\s*python\s*=\s*[\"'](?P<poetry>(?:>=|\^|~)\s*\d+(?:\.\d+){0,2})",
    ),
    "node": combine_patterns(r"\"node\"\s*:\s*\"(?P<engines>(?:>=|\^|~)\s*\d+(?:\.\d+){0,2})"),
    "ruby": combine_patterns(r"\brequired_ruby_version\s*=?\s*[\"'\[]{1,3}(?P<gem>>=\s*\d+(?:\.\d+){0,2})"),
    "php": combine_patterns(r"\"php\"\s*:\s*\"(?P<composer>(?:>=|\^|~)\s*\d+(?:\.\d+){0,2})"),
    "go": combine_patterns(r"^go\s+(?P<directive>\d+\.\d+(?:\.\d+)?)\s*$"),
    "rust": combine_patterns(r"\brust-version\s*=\s*[\"'](?P<crate>\d+\.\d+(?:\.\d+)?)"),
}
"""How manifests tell the oldest version that they admit."""
_MANIFEST = lazy_compile(
    r"(?:^|/)(?:pyproject\.toml|setup\.(?:py|cfg)|package\.json|[\w.-]+\.gemspec|composer\.json|go\.mod|Cargo\.toml)$"
)


def held_runtimes(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Versions that are said to be served no longer, or to be the oldest that is."""
    yield from held_once(_told(said, ground))


def _told(said: list[Sentence], ground: Ground) -> Iterator[Told]:
    for sentence in said[:MAX_SENTENCES]:
        for kind, form, weigh, wrong in (
            ("support", _DROPPED, _dropped, _SERVED),
            ("needed", _NEEDED, _needed, _LEAST),
        ):
            for found in stated(form, sentence.text):
                told = groups_by_role(found)
                what, number = _plain(told["what"]), told["number"]
                yield Told(kind, (kind, what, number), sentence, partial(weigh, what, number, ground), wrong)


def _plain(what: str) -> str:
    return what.lower().replace(".", "").replace("nodejs", "node").replace("golang", "go")


def _dropped(what: str, number: str, ground: Ground) -> Answer | None:
    """None where no manifest that changes tells the oldest version."""
    bounds = _bounds(what, ground)
    if not bounds:
        return None
    dropped = _parts(number)
    admits = [bound for bound in bounds if bound[: len(dropped)] <= dropped[: len(bound)]]
    return Answer(
        not admits, confidence=0.75, because=f"{FROM_WORDING}; another package of the repository may be meant"
    )


def _needed(what: str, number: str, ground: Ground) -> Answer | None:
    """None where neither a manifest nor a line that comes tells a version of it."""
    wanted = _parts(number)
    bounds = _bounds(what, ground)
    if bounds:
        held = any(_same(bound, wanted) for bound in bounds)
        return Answer(held, confidence=0.75, because=f"{FROM_WORDING}; another package of the repository may be meant")
    form = re.compile(rf"(?<![\d.]){re.escape(number)}(?!\d)")
    if any(number in line and form.search(line) and what in line.lower() for line in ground.came):
        return Answer(True, confidence=0.7)
    if not ground.whole or not ground.came or "." not in number:
        return None
    joined = re.compile(
        rf"(?<!\d){re.escape(number.replace('.', ''))}(?!\d)|{'[,_ -]{1,2}'.join(number.split('.'))}(?!\d)"
    )
    if any(form.search(line) or joined.search(line) for line in (*ground.came, *ground.went)):
        return None
    return Answer(False, confidence=0.65, because=FROM_WORDING)


def _bounds(what: str, ground: Ground) -> list[tuple[int, ...]]:
    """The oldest versions that the manifests which change admit at the head."""
    form = _BOUND.get(what)
    paths = [file.head.path for file in ground.change.files if file.head is not None and (file.added or file.deleted)]
    texts = [ground.documents.head.get(path, "") for path in paths if _MANIFEST.search(path) and not is_test(path)]
    if form is None or not texts:
        return []
    found = (each for text in texts for line in text.split("\n") if (each := form.search(line[:2000])))
    return [_parts(first_group(each)) for each in found]


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))


def _same(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Are two versions equal, as 20 and 20.0 are?"""
    length = max(len(one), len(other))
    return one + (0,) * (length - len(one)) == other + (0,) * (length - len(other))
