"""Whether a name can only stand for what the program itself lists: looked up in a table, held against a list before, taken from one in a loop, or a number.

Asked only about names in texts that would otherwise be reported, so about few. It reads the source around each use of
the name in its function, and what the file assigns to a list; both are bounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice

_MAX_FUNCTION_LENGTH = 30_000
"""Characters of a function that are searched, or of what precedes a place outside any function."""
_MAX_PLACES = 30
_MAX_NAMES = 200
"""Names of a file that are looked at; of all others nothing is known."""
_MAX_LIST_LOOKUPS = 60
"""The same of lists and types that it is looked for how the file writes them out."""
_LENGTH_BEFORE, _LENGTH_AFTER, _ARMS_LENGTH = 200, 300, 1_500

_COLLECTION_NAME = r"(?P<holder>[A-Za-z_$@][\w$]*(?:(?:\.|::)[A-Za-z_]\w*){0,3})"
_MEMBERSHIP_METHOD = r"(?:includes|contains(?:Key|_key|Value)?|has(?:Key)?|hasOwn(?:Property)?|include\?|member\?|key\?|has_key\?|exists|indexOf|IndexFunc)"
_MEMBERSHIP_BEFORE = re.compile(
    rf"{_COLLECTION_NAME}(?:\.iter\(\)|\.keySet\(\)|\.keys)?\??\.{_MEMBERSHIP_METHOD}\s*[( ]\s*&?\s*\Z|\bContains\(\s*{_COLLECTION_NAME.replace('?P<holder>', '?P<first>')}\s*,\s*\Z|\bhasOwn\(\s*{_COLLECTION_NAME.replace('?P<holder>', '?P<own>')}\s*,\s*\Z"
)
_INDEXED_BEFORE = re.compile(
    rf"(?:\bif\s*\(?\s*|\bunless\s+|!\s*|\bok\s*:?=\s*|&&\s*|\|\|\s*){_COLLECTION_NAME}\[\s*\Z"
)
_MEMBERSHIP_AFTER = re.compile(
    rf"\s+(?:not\s+)?in\s+{_COLLECTION_NAME}|\s*(?:\.in\?\(|\.presence_in\()\s*{_COLLECTION_NAME.replace('?P<holder>', '?P<asked>')}"
)
_OPENING_SIGNS = frozenset("(,&|{[?")
"""What directly precedes a name that is passed to a call or a block."""
_WORD_PATTERN_BEFORE = re.compile(r"/\^\[?[\w\\$-]{1,40}\]?[+*{}\d,]{0,8}\$/[a-z]{0,3}\.test\(\s*\Z")
"""A form of one word that the name is held against."""
_LIST_LITERAL = r"(?:&?\[[^\[\]]{0,600}\]|%w[\[({][^\])}]{0,600}[\])}]|\[\]\w+\{[^{}]{0,600}\}|(?:List|Set|Stream|Arrays|ImmutableList|ImmutableSet)\.(?:of|asList)\([^()]{0,600}\)|new\s+\w+\[\]\s*\{[^{}]{0,600}\})"
_ITERABLE = rf"(?:(?P<listed>{_LIST_LITERAL})|&?{_COLLECTION_NAME})"
_LOOP_BEFORE = re.compile(
    r"\bfor\s*\(?\s*(?:(?:const|let|var|final|await)\s+)*(?:[A-Z]\w*(?:<\w+>)?\s+)?&?(?:_\s*,\s*|\w+\s*,\s*)?\Z"
)
_LOOP_AFTER = re.compile(
    rf"\s*(?::=\s*range|\bof\b|\bin\b|:(?![=:]))\s*{_ITERABLE}(?:\.(?:iter|into_iter|values|keys|entries|to_vec|copied)\(\))?\s*(?=[){{;\n]|do\b)"
)
_SHELL_WORDS_AFTER = re.compile(r"\s+in((?:\s+[\w.-]+)+)\s*(?:;|\n)")
_BLOCK_BEFORE = re.compile(
    rf"{_ITERABLE}(?:\.(?:iter|into_iter|freeze)(?:\(\))?)?\??\.(?:each|map|flat_map|flatMap|forEach|for_each|filter|to_h|each_with_index|each_with_object|sum|reduce|some|every|index_with|sort_by)(?:\([^()|]{{0,40}}\))?\s*(?:do\b\s*|\{{\s*|\(\s*)?(?:async\s*)?\(?\s*\|?\s*\Z"
)
_ASSIGNMENT_AFTER = re.compile(
    rf"(?:\s*,\s*\w+)?\s*(?::\s*[^=\n;{{]{{1,60}})?\s*:?=\s*(?!=)(?:(?P<arms>(?:switch|match|case)\b)|{_COLLECTION_NAME}(?:\[|\??\.(?:get|fetch|getOrDefault|at|dig)\(|!?\[))"
)
_NON_CONSTANT_ARM = re.compile(
    r"(?:=>|->|\bthen\b|\belse\b)\s*(?![\"'`{\s]|throw\b|return\b|raise\b|panic!|bail!|unreachable!|Err\(|Some\(\s*\"|yield\s+\")"
)
_CONSTANT_NAME = re.compile(
    r"(?!(?:ENV|ARGV|DB|CONN\w*|PARAMS|REQUEST|REDIS|CACHE\w*|SESSION\w*)\Z)(?:(?:this|self|Self|[A-Z]\w*)(?:\.|::))*_?[A-Z][A-Z0-9_]+\Z"
)
_ALLOW_LIST_NAME = re.compile(
    r"(?i)(?:allow|permit|white_?list|sortable|valid_?(?:col|sort|field|tab|order)|known_?(?:col|tab|field)|supported_?(?:col|tab|sort|field|order))"
)
_LIST_DEFINITION = re.compile(
    r"[^=\n;(){]{0,120}:?=\s*(?:%[wi][\[({]|(?:&?(?:'static\s+)?|(?:Object\.freeze|new\s+(?:Set|Map)(?:<[\w, |]{0,40}>)?|Set\.new|(?:Hash|BTree)(?:Set|Map)::from|(?:Immutable)?(?:Set|List|Map)\.of(?:Entries)?|Arrays\.asList|new\s+String\[\]|map\[\w+\]\w+(?:\{\})?|\[[.\d]*\]\w+|Set|vec!|phf_\w+!)\s*)[\[({][\s\[({]{0,20}(?:[\w.:]{1,40}\s*(?::|=>|,)\s*(?:[\w.]{1,40}\s*,\s*)?)?[\"'`:])"
)
"""What follows the name of a list or table whose items are written out."""
_NUMBER_TYPE_BEFORE = re.compile(
    r"\b(?:int|long|short|byte|double|float|boolean|Integer|Long|Double|Boolean|UUID|LocalDate|Instant|BigDecimal)[ \t]+\Z"
)
_NUMBER_TYPE_AFTER = re.compile(
    r"\??\s*:\s*(?:&\s*)?(?:number|bigint|boolean|Date|[iu](?:8|16|32|64|128|size)|f32|f64|bool|(?:uuid::)?Uuid|NonZero\w+)\b(?!\s*[\[|])|(?:\s*,\s*\w+)*\s+(?:u?int(?:8|16|32|64)?|float(?:32|64)|bool|time\.(?:Time|Duration)|uuid\.UUID)\b(?=\s*[,)])"
)
_ENUM_TYPE_BEFORE = re.compile(r"[(,;{}\n]\s*(?:final\s+)?(?P<type>[A-Z]\w{1,60})[ \t]+\Z")
_UNION_TYPE_AFTER = re.compile(
    r"\??\s*:\s*(?:(?P<words>[\"'][\w ]{1,60}[\"'](?:\s*\|\s*[\"'][\w ]{1,60}[\"']){1,40})|keyof\s+typeof\s+\w+|(?P<type>[A-Z]\w*))\s*(?=[,)=;\n}])"
)
_STATIC_STRING_CALL = re.compile(r"\s*(?::\s*[^=\n;]{1,40})?=\s*[\w.]{1,80}\.(?P<method>[a-z_]\w*)\(\)\s*;")


@dataclass
class AllowListChecks:
    """Checks whether a name of a file is restricted to a fixed set. `around` gives the function around a place."""

    source: str
    around: Callable[[int], tuple[int, int] | None]
    asked: int = 0
    known: dict[tuple[str, int], bool] = field(default_factory=dict)
    written: dict[str, bool] = field(default_factory=dict)

    def holds(self, name: str, place: int) -> bool:
        """Can a name, used at a place, only stand for what the program lists, or for a number?"""
        around = self.around(place) or (place - place % _MAX_FUNCTION_LENGTH, place)
        key = (name, around[0])
        if key not in self.known:
            self.asked += 1
            if self.asked > _MAX_NAMES:
                return False
            self.known[key] = any(self._is_restricted(*each) for each in self._places(name, around, place))
        return self.known[key]

    def _places(self, name: str, around: tuple[int, int], place: int) -> Iterator[tuple[str, str]]:
        """What is before and behind a name wherever it is in its function."""
        # a loop or block around the function that passes its parameter directly precedes it
        first, last = max(0, around[0] - _LENGTH_BEFORE, place - _MAX_FUNCTION_LENGTH), place + len(name)
        found = re.finditer(rf"(?<![\w$.@]){re.escape(name)}(?![\w$])", self.source[first:last])
        for each in islice(found, _MAX_PLACES):
            start, end = first + each.start(), first + each.end()
            if start < around[0] and self.around(start) is not None:
                continue  # a name of the function before
            yield (
                self.source[max(0, start - _LENGTH_BEFORE) : start],
                self.source[end : end + _LENGTH_AFTER + _ARMS_LENGTH],
            )

    def _is_restricted(self, before: str, behind: str) -> bool:
        return (
            self._is_membership_tested(before, behind[:_LENGTH_AFTER])
            or self._is_loop_variable(before, behind[:_LENGTH_AFTER])
            or self._is_table_lookup(behind)
            or self._has_closed_type(before, behind[:_LENGTH_AFTER])
        )

    def _is_membership_tested(self, before: str, behind: str) -> bool:
        """Is it held against a list?"""
        last = before.rstrip()[-1:]
        found = (_MEMBERSHIP_BEFORE.search(before) if last in _OPENING_SIGNS else None) or _MEMBERSHIP_AFTER.match(
            behind
        )
        if found is None and last == "[":
            found = _INDEXED_BEFORE.search(before)
        if found is not None:
            return self._is_constant_collection(next(each for each in found.groups() if each))
        return last == "(" and _WORD_PATTERN_BEFORE.search(before) is not None

    def _is_loop_variable(self, before: str, behind: str) -> bool:
        """Is it each element of a list in turn?"""
        found = _BLOCK_BEFORE.search(before) if before.rstrip()[-1:] in _OPENING_SIGNS else None
        if found is None and "for" in before and _LOOP_BEFORE.search(before):
            if _SHELL_WORDS_AFTER.match(behind):
                return True
            found = _LOOP_AFTER.match(behind)
        if found is None:
            return False
        return _has_only_literals(found["listed"]) if found["listed"] else self._is_constant_collection(found["holder"])

    def _is_table_lookup(self, behind: str) -> bool:
        """Is it given what a table holds, or one of several constants?"""
        if static := _STATIC_STRING_CALL.match(behind):
            return self._file_matches(rf"\bfn\s+{static['method']}\b[^{{;]{{0,200}}->\s*&'static\s+str\b")
        found = _ASSIGNMENT_AFTER.match(behind)
        if found is None:
            return False
        if found["arms"]:
            arms = behind[found.end() : found.end() + _ARMS_LENGTH]
            ended = re.search(r"\n\s*(?:\}|end\b)|[\"'\s]\}\s*;", arms)
            told = arms[: ended.start()] if ended else ""
            return (
                ended is not None
                and ("=>" in told or "->" in told or "then" in told)
                and not _NON_CONSTANT_ARM.search(told)
            )
        return self._is_constant_collection(found["holder"])

    def _has_closed_type(self, before: str, behind: str) -> bool:
        """Is it declared as a number, or as one of several words?"""
        if _NUMBER_TYPE_BEFORE.search(before) or _NUMBER_TYPE_AFTER.match(behind):
            return True
        typed = _ENUM_TYPE_BEFORE.search(before)
        if typed is not None and self._file_matches(rf"\benum\s+{re.escape(typed['type'])}\b"):
            return True
        found = _UNION_TYPE_AFTER.match(behind)
        if found is None or found["type"] is None:
            return found is not None
        named = re.escape(found["type"])
        return self._file_matches(
            rf"\btype\s+{named}\s*=\s*(?:\|?\s*[\"'][^\"'\n]{{1,60}}[\"']|keyof\s+typeof\b|\(typeof\b)|\benum\s+{named}\b(?=.{{0,300}}?=\s*[\"'])"
        )

    def _file_matches(self, pattern: str) -> bool:
        """Does the file match a pattern anywhere?"""
        return self._once(pattern, lambda: re.search(pattern, self.source, re.DOTALL) is not None)

    def _once(self, asked: str, answer: Callable[[], bool]) -> bool:
        if asked not in self.written:
            self.written[asked] = len(self.written) < _MAX_LIST_LOOKUPS and answer()
        return self.written[asked]

    def _is_constant_collection(self, collection_name: str) -> bool:
        """Is it a list or table of constants, by its name or as the file writes it out?"""
        last = re.split(r"\.|::", collection_name)[-1].lstrip("@$")
        if _CONSTANT_NAME.match(collection_name) or _ALLOW_LIST_NAME.search(last):
            return True
        return self._once(last, lambda: self._has_list_definition(last))

    def _has_list_definition(self, name: str) -> bool:
        places = re.finditer(rf"(?<![\w$]){re.escape(name)}(?![\w$])", self.source)
        return any(_LIST_DEFINITION.match(self.source, each.end()) for each in islice(places, _MAX_PLACES))


def _has_only_literals(listed: str) -> bool:
    """Does a list hold texts and numbers alone?"""
    if listed.startswith("%w"):
        return "#{" not in listed
    rest = re.sub(r"\"[^\"$#]*\"|'[^']*'|`[^`$]*`", "", listed)
    return re.search(r"[A-Za-z_$]", re.sub(r"\A[^\[({]*(?:\[\]\w*)?", "", rest)) is None
