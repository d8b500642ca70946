"""On which side of a bound the bound itself lies: at least and more than, at most and less than, held against comparisons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from auditor.forensics.description.change_contents import FROM_WORDING, Answer, Ground, Held, Sentence
from auditor.forensics.description.phrase_claim_checks import Form, held_by_form
from auditor.forensics.description.single_token_edits import side_of_bound
from auditor.forensics.description.version_and_count_claims import as_number
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns, groups_by_role
from auditor.lazy_regex import lazy_compile

_N = r"`?(?P<{}>\d{{1,7}}(?:[_,]\d{{3}}){{0,2}})`?(?![\w%]*\.\d|\w|\s?%)"
_BOUND = combine_patterns(
    rf"\b(?:at\s+least|no\s+(?:fewer|less)\s+than|fewer\s+than|less\s+than|below|under|shorter\s+than|younger\s+than|smaller\s+than|lower\s+than|from)\s+{_N.format('upper')}(?:\s+(?:on|upwards?|onwards?|[a-z]{{3,15}}))?(?!\s+(?:to|through|lines?|files?|tests?))",
    rf"(?<![\w.-]){_N.format('upper_behind')}(?:\s+[a-z]{{3,15}})?\s+(?:or|and)\s+(?:more|older|higher|longer|larger|greater|above|over|up)\b",
    rf"\b(?:at\s+most|no\s+more\s+than|not\s+more\s+than|more\s+than|over|above|beyond|exceeds?|exceeding|longer\s+than|older\s+than|larger\s+than|higher\s+than|greater\s+than|up\s+to\s+and\s+including)\s+{_N.format('lower')}(?!\s+(?:lines?|files?|tests?))",
    rf"(?<![\w.-]){_N.format('lower_behind')}(?:\s+[a-z]{{3,15}})?\s+(?:or|and)\s+(?:less|fewer|younger|lower|shorter|smaller|below|under)\b",
)
"""Whoever speaks of at least ten or of fewer than ten has ten lie above, with more than ten and at most ten it lies below."""
_MEASURED = lazy_compile(
    r"\b(?:faster|slower|coverage|bench\w*|took|takes|latency|years?|stars|downloads|percent|ago|issues?|since|used to|previously|was|were)\b|%",
    re.IGNORECASE,
)
_COMPARED = lazy_compile(
    r"(?P<left>(?<![\w.])[\w.]{1,80}|[)\]'\"}])\s{0,4}(?P<sign>>=|<=|(?<![=<>-])>|<(?!<))(?![<>=])\s{0,4}(?P<right>[\w.]{1,80})"
)
"""A comparison of anything with a bound on either side of it: for `signs`, which looks for two of the same thing, it tells too little."""
_NAMED = lazy_compile(
    r"\b(?P<name>[A-Za-z_]\w{2,60})[\"']?\s*(?::\s*[\w.<>]{1,30}\s*)?(?:=|:=|=>)\s*(?P<value>\d[\d_]{0,12})\b(?![\w.]|\s*[*/+-])"
)
_OTHER_SIDE = "The description says whether a bound is allowed, and the comparison that comes says the opposite"


def held_limits(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Every bound that is told with the side on which it lies."""
    yield from held_by_form(said, _FORMS, ground)


def _bounded(found: re.Match[str], sentence: Sentence, ground: Ground) -> Answer | None:
    """None where no line that comes compares with the bound, or lines differ in it."""
    if _MEASURED.search(sentence.text) or not ground.whole:
        return None
    side, told = next(iter(groups_by_role(found).items()))
    bound = as_number(told)
    if bound < _LEAST:
        return None
    names = {str(bound), *ground.once("constants", lambda: _constants(ground)).get(bound, ())}
    compared = ground.once("comparisons", lambda: list(_comparisons(ground)))
    shown = {each.side for each in compared if each.bound in names}
    if len(shown) != 1:
        return None
    return Answer(side in shown, confidence=0.65, because=f"{FROM_WORDING}; another bound may be meant")


_LEAST = 3
"""Smaller ones are compared with for other reasons."""


def _constants(ground: Ground) -> dict[int, set[str]]:
    """The names of constants by the numbers that they hold."""
    found: dict[int, set[str]] = {}
    for line in ground.standing_lines():
        for each in _NAMED.finditer(line):
            found.setdefault(int(each["value"].replace("_", "")), set()).add(each["name"])
    return found


class _Comparison(NamedTuple):
    """A number or a name that something is compared with, and on which side of it the bound lies."""

    bound: str
    side: str


def _comparisons(ground: Ground) -> Iterator[_Comparison]:
    for line in ground.product_came:
        for each in _COMPARED.finditer(line):
            side = side_of_bound(each["sign"])
            yield _Comparison(_plain(each["right"]), side)
            yield _Comparison(_plain(each["left"]), "lower" if side == "upper" else "upper")


def _plain(text: str) -> str:
    """The last part of a name; a number without the signs between its digits."""
    last = text.rpartition(".")[2]
    return last.replace("_", "") if last[:1].isdigit() else last


_FORMS = (Form(_BOUND, _bounded, "bound", _OTHER_SIDE),)
