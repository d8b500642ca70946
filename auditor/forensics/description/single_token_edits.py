"""Lines that a change writes anew but for one sign: a number, a bound, a truth. Where behaviour is said to stay, they are another one."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from auditor.domain import FileChange, Side
from auditor.forensics.description.change_contents import FROM_WORDING, Answer, Ground
from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.source_text.comments import compact_code_by_line
from auditor.forensics.source_text.file_roles import language
from auditor.lazy_regex import lazy_compile

_LONG = 400
"""Characters of a line that is compared; longer ones are data."""
_MOST_LINES = 4_000
"""Lines of one side of a change that are compared."""
_NUMBER = lazy_compile(r"(?<![\w.])\d[\d_]*(?:\.\d+)?(?![\w.])")
_TRUTH = lazy_compile(r"\b(?:[Tt]rue|[Ff]alse|TRUE|FALSE)\b")
_STRICT = lazy_compile(r"(?<![=<>!-])([<>])=?(?![<>=])")
_JOINT = lazy_compile(r"&&|\|\||\b(?:and|or)\b")
_KINDS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (_NUMBER, "0"),
    (_TRUTH, "true"),
    (_STRICT, lambda found: found[1]),
    (_JOINT, "&&"),
)
"""Signs that decide what code does, and what all of a kind are written as to see that nothing else differs."""
_OF_RELEASES = lazy_compile(
    r"version|copyright|\(c\)|revision|since|\bpragma\b|@\d|sha\d|\bpx\b|noqa|eslint|pylint|nolint|edition",
    re.IGNORECASE,
)
_COMPARED = lazy_compile(
    r"(?<!\w)(?P<left>[A-Za-z_][\w.]{0,60}(?:\(\)|\[\w{1,20}\])?(?:\.\w{1,40}(?:\(\))?)?)\s(?P<sign>>=|<=|>|<)\s(?P<right>[\w.]{1,40})(?P<more>\s[-+]\s1\b)?"
)
"""A comparison in code, of which all is told: by its left side it is known again, and one more or less moves the bound."""
_SAME_ELSEWHERE = f"{FROM_WORDING}; lines were compared, not what they do"


class _Line(NamedTuple):
    number: int
    text: str


def same_signs(ground: Ground) -> Answer | None:
    """None where no line differs in a sign alone: that says little of behaviour."""
    if not ground.whole:
        return None
    for file in ground.product_beside_tests[:200]:
        texts = ground.texts(file)
        if texts is None:
            continue
        went, came = _code(texts[0], file, Side.BASE), _code(texts[1], file, Side.HEAD)
        at = _differ_in_a_sign(went, came) or _differ_in_a_bound(went, came)
        if at is not None:
            return Answer(False, (code_location(file.path, at, at),), 0.6, _SAME_ELSEWHERE)
    return None


def _code(text: str, file: FileChange, side: Side) -> list[_Line]:
    """The lines of one side that change, comments left out, with single blanks."""
    numbers = file.deleted_lines if side is Side.BASE else file.added_lines
    source = text.split("\n")
    code = compact_code_by_line(text, language(file.path), numbers)
    chosen = (each for each in sorted(numbers)[:_MOST_LINES] if each <= len(code) and code[each - 1])
    return [_Line(each, " ".join(source[each - 1][:_LONG].split())) for each in chosen if each <= len(source)]


def _differ_in_a_sign(went: list[_Line], came: list[_Line]) -> int | None:
    """The first line that is another one by numbers, truths, bounds or joints alone."""
    there = {line.text for line in came}
    before = {line.text for line in went}
    for form, plain in _KINDS:
        gone: dict[str, set[str]] = {}
        for line in went:
            if line.text not in there and form.search(line.text):
                gone.setdefault(form.sub(plain, line.text), set()).add(line.text)
        for line in came:
            if line.text in before or _OF_RELEASES.search(line.text) or not form.search(line.text):
                continue
            if gone.get(form.sub(plain, line.text)):
                return line.number
    return None


def _differ_in_a_bound(went: list[_Line], came: list[_Line]) -> int | None:
    """The first line that compares what was compared before, where all others of it let the bound in that is shut out now."""
    then, now = _bounds(went), _bounds(came)
    for left, (sides, number) in now.items():
        before = then.get(left)
        if before is not None and len(sides) == len(before[0]) == 1 and sides != before[0]:
            return number
    return None


def _bounds(side: list[_Line]) -> dict[str, tuple[set[str], int]]:
    """Of what is compared: to which sides the bound belongs, and the first line. Bounds one off say the same in another way."""
    found: dict[str, tuple[set[str], int]] = {}
    for line in side:
        for each in _COMPARED.finditer(line.text):
            one_off = each["more"] or each["right"] in ("0", "1")
            if one_off:
                found[each["left"]] = ({"upper", "lower"}, line.number)
            else:
                found.setdefault(each["left"], (set(), line.number))[0].add(side_of_bound(each["sign"]))
    return found


def side_of_bound(sign: str) -> str:
    """To which side the bound belongs that stands behind a comparison: in `>= 10` and `< 10` ten lies with what is above."""
    return "upper" if sign in (">=", "<") else "lower"
