"""What a description says a definition is: an enum, frozen, abstract, private, a child of another one. Its own lines tell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.domain import Location
from auditor.forensics.description.change_contents import FROM_WORDING, Answer, Ground, Held, Sentence, beginning
from auditor.forensics.description.phrase_claim_checks import Form, held_by_form
from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.source_text.file_roles import is_code, is_test, language
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns
from auditor.lazy_regex import lazy_compile

_NAME = r"`(?P<{0}>[A-Za-z_][\w.:#]{{1,80}})(?:\(\))?`"
_SIGNS = {
    "dataclass": r"dataclass|attrs?\b|define|data\s+class|record",
    "data class": r"data\s+class|dataclass|record",
    "frozen dataclass": r"frozen",
    "enum": r"enum|literal|iota",
    "enumeration": r"enum|literal|iota",
    "interface": r"interface|protocol|\babc|abstract|trait",
    "record": r"record|namedtuple|dataclass|struct",
    "struct": r"struct",
    "named tuple": r"namedtuple",
    "namedtuple": r"namedtuple",
    "typeddict": r"typeddict",
    "abstract class": r"abstract|\babc|protocol|interface|module|trait",
    "abstract base class": r"abstract|\babc|protocol|interface",
    "abstract": r"abstract|\babc|protocol|interface|virtual|NotImplemented",
    "protocol": r"protocol",
    "trait": r"trait",
    "property": r"property|\bget\b|computed|getter|=>|attr_|\{\s*get|val\s",
    "static method": r"static|companion|object|self\.|fn\s+\w+\((?!&?\s*(?:mut\s+)?self)",
    "static": r"static|companion|object|self\.",
    "class method": r"classmethod|static|self\.|cls\b|companion|<<",
    "sealed": r"sealed",
    "final": r"final|const|sealed|readonly|val\s",
}
"""Ways to be, each with what the lines of a definition hold where it is so."""
_KINDS = "|".join(sorted(_SIGNS, key=len, reverse=True)).replace(" ", r"\s+")
_IS = combine_patterns(
    rf"{_NAME.format('is')}\s+(?:class\s+|method\s+|type\s+)?(?:is\s+now|becomes|is\s+made|is\s+turned\s+into|is|was\s+made|turns\s+into)\s+(?:now\s+)?(?:an?\s+|the\s+)?(?:new\s+|plain\s+|real\s+|proper\s+|simple\s+){{0,2}}`?(?P<kind_is>{_KINDS})`?(?=\s*(?:$|[.,;:)]|\b(?:now|with|of|so|and|that|which|instead)\b))",
    rf"\b(?:makes?|turns?|converts?|made|turned|converted)\s+(?:the\s+)?{_NAME.format('made')}\s+(?:(?:class|method|type)\s+)?(?:in\s?to\s+)?(?:an?\s+)?(?:real\s+|proper\s+|plain\s+)?`?(?P<kind_made>{_KINDS})`?(?=\s*(?:$|[.,;:)]|\b(?:with|of|so|and|that|which|instead)\b))",
    rf"\b(?:new|adds?\s+an?|adds?\s+the|introduces?\s+an?|introduces?\s+the)\s+`?(?P<kind_new>dataclass|frozen\s+dataclass|enum|interface|record|struct|trait|abstract\s+class|protocol|typeddict)`?,?\s+(?:called\s+|named\s+)?{_NAME.format('new')}",
)
_OTHER_KIND = "The description says what a definition is, and the definition is something else"
_CHILD = combine_patterns(
    rf"{_NAME.format('child')}\s+(?:class\s+)?(?:now\s+)?(?:extends|inherits\s+from|subclasses|derives\s+from|implements|is\s+(?:now\s+)?(?:an?\s+)?(?:sub-?class|child|subtype)\s+of)\s+(?:the\s+)?{_NAME.format('parent')}",
)
_OTHER_PARENT = "The description says what a class comes from, and its definition names no such thing"
_OPEN_TO = combine_patterns(
    rf"{_NAME.format('name')}\s+(?:\w+\s+)?(?:is\s+now|becomes|is\s+made|was\s+made|is)\s+(?:now\s+)?(?P<how>private|protected|public|internal)(?=\s*(?:$|[.,;:)]|\b(?:now|so|and)\b))",
    rf"\b(?:makes?|made)\s+{_NAME.format('made')}\s+(?P<made_how>private|protected|public|internal)\b",
)
_OTHER_RIGHT = "The description says who may reach a definition, and the definition says otherwise"
_REACH = frozenset({"java", "csharp", "php", "kotlin", "swift", "typescript"})
_STATED = {
    "private": lazy_compile(r"\b(?:private|fileprivate)\b|#"),
    "protected": lazy_compile(r"\bprotected\b"),
    "internal": lazy_compile(r"\binternal\b"),
    "public": lazy_compile(r"\b(?:public|open|export)\b"),
}
_RIGHT = lazy_compile(r"\b(?:private|protected|public|internal|fileprivate)\b")
_OTHERWISE = lazy_compile(
    r"\b(?:was|were|used\s+to|before|previously|no\s+longer|not|never|would|could|should|if|because|since|still|already|when)\b|n't\b",
    re.IGNORECASE,
)
_BEFORE, _BEHIND = 4, 3
"""Lines around a definition that belong to it: decorators above, and what it comes from below where the line is long."""


def held_definitions(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Every statement on what a definition is."""
    yield from held_by_form(said, _FORMS, ground)


class _Definition:
    """The lines of a definition up to its body, and where they stand."""

    def __init__(self, path: str, number: int, head: str) -> None:
        self.at: Location = code_location(path, number, number)
        self.language = language(path)
        self.head = head


def _definitions(name: str, ground: Ground) -> list[_Definition]:
    """Where changed files of the product define the name at the head."""
    last = re.split(r"\.|::|#", name)[-1]
    if len(last) < _SHORTEST:
        return []
    form = re.compile(
        rf"^[^\n\"'`#/(=]{{0,80}}\b(?:class|interface|enum|struct|record|trait|type|def|func|fn|fun|function|object|protocol|module)\s+(?:\([^)\n]{{0,60}}\)\s*)?(?:self\.)?{re.escape(last)}(?![\w$])"
        rf"|^\s{{0,16}}(?:(?:public|private|protected|internal|static|final|abstract|override|virtual|async|sealed|readonly)\s+){{1,5}}(?:[\w<>\[\],.?]{{1,60}}\s+)?{re.escape(last)}\s*[(<={{:]"
        rf"|^\s{{0,4}}{re.escape(last)}\s*=\s*(?:namedtuple|NamedTuple|Enum|TypedDict|Struct)"
    )
    found: list[_Definition] = []
    for path, text in ground.documents.head.items():
        if last not in text or not is_code(path) or is_test(path):
            continue
        given = text.split("\n")
        for number, line in enumerate(given):
            if last in line and form.search(beginning(line)):
                head = "\n".join(beginning(each) for each in given[max(0, number - _BEFORE) : number + _BEHIND])
                found.append(_Definition(path, number + 1, head))
                if len(found) >= _MOST:
                    return found
    return found


_SHORTEST = 3
_MOST = 20


def _told(found: re.Match[str], kind: str) -> tuple[str, str]:
    """The name, and what is said of it."""
    groups = {key: value for key, value in found.groupdict().items() if value}
    of = next(value for key, value in groups.items() if key.startswith(kind) or key.endswith(kind))
    name = next(value for key, value in groups.items() if not (key.startswith(kind) or key.endswith(kind)))
    return name, " ".join(of.lower().split())


def _is(found: re.Match[str], sentence: Sentence, ground: Ground) -> Answer | None:
    """None where no changed file defines it."""
    name, kind = _told(found, "kind")
    if _OTHERWISE.search(sentence.text[: found.start()]) or not ground.whole:
        return None
    held = _definitions(name, ground)
    sign = re.compile(_SIGNS[kind], re.IGNORECASE)
    return _answered(held, any(sign.search(each.head) for each in held))


def _answered(held: list[_Definition], so: bool) -> Answer | None:
    return Answer(so, tuple(each.at for each in held[:5]), 0.65, FROM_WORDING) if held else None


def _child(found: re.Match[str], sentence: Sentence, ground: Ground) -> Answer | None:
    """None where no changed file defines the child."""
    if _OTHERWISE.search(sentence.text[: found.start()]) or not ground.whole:
        return None
    parent = re.split(r"\.|::|#", found["parent"])[-1]
    held = _definitions(found["child"], ground)
    apart = re.compile(rf"\bimpl\b[^\n{{]{{0,120}}{re.escape(parent)}")
    so = any(parent in each.head for each in held) or any(map(apart.search, ground.came)) or parent not in ground.after
    implicit = any(each.language in ("go", "typescript", "javascript", "ruby") for each in held)
    return None if implicit and not so and "implements" in found.group() else _answered(held, so)


def _open_to(found: re.Match[str], sentence: Sentence, ground: Ground) -> Answer | None:
    """None where the language tells it in no word, or the definition has none."""
    if _OTHERWISE.search(sentence.text[: found.start()]) or not ground.whole:
        return None
    name, how = _told(found, "how")
    held = [each for each in _definitions(name, ground) if each.language in _REACH]
    own = [each.head.split("\n")[-_BEHIND:][0] for each in held]
    if not held or not all(map(_RIGHT.search, own)):
        return None
    return _answered(held, any(_STATED[how].search(each) for each in own))


_FORMS = (
    Form(_IS, _is, "definition", _OTHER_KIND),
    Form(_CHILD, _child, "child", _OTHER_PARENT),
    Form(_OPEN_TO, _open_to, "reach", _OTHER_RIGHT),
)
