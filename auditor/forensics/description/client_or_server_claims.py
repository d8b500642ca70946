"""Which side of an application is said to change alone, or to stay as it was: what runs at users, what runs on the server, one part."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from auditor.domain import FileChange
from auditor.forensics.description.change_contents import FROM_WORDING, Answer, Ground, Held, Sentence, places
from auditor.forensics.description.claim_wordings import GENERAL
from auditor.forensics.description.phrase_claim_checks import Form, held_by_form
from auditor.forensics.source_text.file_roles import Role, is_code, is_test, role
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns, first_group
from auditor.lazy_regex import lazy_compile

_FRONT = r"(?:front[\s-]?end|client[\s-]side|browser\s+side)"
_BACK = r"(?:back[\s-]?end|server(?:[\s-]side)?)"
_LOOKS = r"(?:css|styles?|styling|stylesheets?|visual|cosmetic|layout|markup)"
_ALONE = r"(?:only|just|purely|solely|exclusively|merely)"
_CHANGE = r"(?:changes?|fix(?:es)?|tweaks?|edits?|work|update)"
_END = r"(?=\s*(?:$|[.,;:!)(]|[-\u2013\u2014]\s|and\s+(?:no|nothing)\b))"
_AS_BEFORE = r"(?:not\s+(?:been\s+)?(?:touched|changed|modified|edited|affected)|untouched|unchanged|unmodified|unaffected|left\s+(?:alone|untouched|as\s+(?:it\s+)?is)|as\s+(?:it\s+)?(?:is|was|before))"
_BE = r"(?:code\s+)?(?:(?:itself|code)\s+)?(?:is|was|stays?|remains?|has\s+been|does\s+stay)"


def _only(side: str) -> tuple[str, ...]:
    return (
        rf"(?:^|[.;:,(]\s*|\b(?:is|are|[-*+])\s+)(?:an?\s+)?{side}(?:\s+changes?)?[\s-]+only\b(?:\s+{_CHANGE})?{_END}",
        rf"\b{_ALONE}\s+(?:an?\s+|the\s+)?{side}\s+(?:code\s+)?(?:{_CHANGE}|(?:is|was)\s+(?:changed|touched|affected))\b(?!\s+to\b)",
        rf"\b(?:touch|chang|affect|concern)(?:e?s|e?d|ing)?\s+{_ALONE}\s+the\s+{side}{_END}",
        rf"\b{_ALONE}\s+(?:touch|chang|affect|concern)(?:e?s|e?d|ing)?\s+the\s+{side}{_END}",
        rf"\b(?:limited|confined|restricted)\s+to\s+the\s+{side}{_END}",
    )


def _kept(side: str) -> tuple[str, ...]:
    return (
        rf"\bthe\s+{side}\s+{_BE}\s+(?:completely\s+|entirely\s+|all\s+)?{_AS_BEFORE}{_END}",
        rf"\bno\s+(?:changes?\s+(?:\w+\s+)?(?:to|in|on)\s+the\s+{side}|{side}\s+(?:code\s+)?changes?)\b(?!\s+(?:other|except|beyond|besides|apart))",
        rf"\bnothing\s+(?:changes|is\s+changed|changed)\s+(?:on|in|at)\s+the\s+{side}{_END}",
        rf"\b(?:without\s+(?:touching|changing)|(?:does\s+not|doesn't|did\s+not|didn't)\s+(?:touch|change|affect))\s+(?:the\s+|any\s+)?{side}(?:\s+code)?{_END}",
        rf"\bthe\s+{side}\s+(?:needs?|needed|requires?)\s+no\s+changes?\b",
    )


_FRONT_ALONE = combine_patterns(*_only(rf"(?:{_FRONT}|{_LOOKS})"), *_kept(_BACK))
_BACK_ALONE = combine_patterns(*_only(_BACK), *_kept(_FRONT))
_OTHER_SIDE = "The description says that one side of the application stays as it was, and code of that side changes"
_IN_FRONT = lazy_compile(r"\.(?:css|scss|sass|less|styl|vue|svelte|jsx|tsx)$")
_FRONT_FOLDER = lazy_compile(
    r"(?:^|/)(?:front-?end|client|static|public|assets|web-?ui|webapp|www|components)/(?:[^/]+/)*[^/]+\.(?:m?js|ts|html|css)$"
)
_AT_BACK = lazy_compile(r"\.(?:py|rb|go|java|kt|php|cs|rs|exs?|scala)$")
_BACK_FOLDER = lazy_compile(r"(?:^|/)(?:server|back-?end)/(?:[^/]+/)*[^/]+\.(?:[cm]?js|ts)$")


def _is_front(path: str) -> bool:
    return (_IN_FRONT.search(path) or _FRONT_FOLDER.search(path)) is not None and _BACK_FOLDER.search(path) is None


def _is_back(path: str) -> bool:
    return (_AT_BACK.search(path) or _BACK_FOLDER.search(path)) is not None and not _is_front(path)


def held_sides(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Every statement on one side, or on one part, that stays as it was."""
    yield from held_by_form(said, _FORMS, ground)


def _edited(ground: Ground) -> list[FileChange]:
    """Product code whose lines change by more than words for readers."""
    return [
        file
        for file in ground.change.files
        if (file.added or file.deleted)
        and not is_test(file.path)
        and (role(file.path) is Role.PRODUCT or _IN_FRONT.search(file.path))
        and not ground.only_words(file)
    ]


def _front_alone(_: re.Match[str], __: Sentence, ground: Ground) -> Answer | None:
    return _side_kept(_is_back, _is_front, ground)


def _back_alone(_: re.Match[str], __: Sentence, ground: Ground) -> Answer | None:
    return _side_kept(_is_front, _is_back, ground)


def _side_kept(kept: Callable[[str], bool], other: Callable[[str], bool], ground: Ground) -> Answer | None:
    """None where the application has not both sides, or nothing of the other one changes."""
    files = _edited(ground)
    if not ground.whole or not any(other(file.path) for file in files) or not any(map(kept, ground.tree.head)):
        return None
    beyond = [file for file in files if kept(file.path)]
    return Answer(not beyond, places(beyond), 0.65, f"{FROM_WORDING}; where the other side begins is a guess")


_PART_KEPT = combine_patterns(
    rf"\bthe\s+`?(?P<part>[a-z][a-z-]{{3,30}})`?\s+(?:(?:module|package|class|component|service|layer|code|folder|crate|app|handler|itself)\s+){{0,2}}(?:is|was|has\s+been|stays|remains)\s+(?:\w+\s+)?(?:not\s+(?:been\s+)?(?:touched|modified|edited)|untouched|left\s+(?:alone|untouched)){_END}",
    rf"\bwithout\s+touching\s+the\s+`?(?P<without>[a-z][a-z-]{{3,30}})`?(?:\s+(?:module|package|class|component|service|layer|code|folder|crate|app|handler))?{_END}",
    rf"\b(?:does\s+not|doesn't)\s+touch\s+the\s+`?(?P<not>[a-z][a-z-]{{3,30}})`?(?:\s+(?:module|package|class|component|service|layer|code|folder|crate|app|handler))?{_END}",
)
_NO_PARTS = GENERAL | {"server", "backend", "frontend", "client", "rest", "original", "public", "interface", "database", "schema", "tests", "documentation", "output", "format", "behaviour", "behavior", "others", "config", "configuration", "model", "models", "types", "network", "disk", "filesystem", "cache"}  # fmt: skip
_PART_CHANGES = "The description says that a part of the code is not touched, and its file changes"


def _part_kept(found: re.Match[str], _: Sentence, ground: Ground) -> Answer | None:
    """None where no changed file is called so, or the word may mean something else."""
    word = first_group(found).lower()
    if word in _NO_PARTS or not ground.whole:
        return None
    files = _edited(ground)
    called = [file for file in files if is_code(file.path) and word == _stem(file.path)]
    if not called or len(called) == len(files):
        return None
    return Answer(False, places(called), 0.65, f"{FROM_WORDING}; another part of that name may be meant")


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0].lower().replace("_", "-")


_FORMS = (
    Form(_FRONT_ALONE, _front_alone, "front_alone", _OTHER_SIDE),
    Form(_BACK_ALONE, _back_alone, "back_alone", _OTHER_SIDE),
    Form(_PART_KEPT, _part_kept, "part_kept", _PART_CHANGES),
)
