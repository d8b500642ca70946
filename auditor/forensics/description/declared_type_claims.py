"""Of which type a column, a field or a parameter is said to be, held against the lines that declare it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.forensics.description.change_contents import FROM_WORDING, Answer, Ground, Held, Sentence, beginning
from auditor.forensics.description.phrase_claim_checks import Form, held_by_form
from auditor.forensics.source_text.file_roles import is_code, is_test
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns
from auditor.lazy_regex import lazy_compile

_TYPES = {
    "whole": r"(?:big|small|tiny|medium)?int(?:eger)?(?:field|column|8|16|32|64)?|[iu](?:8|16|32|64|128|size)|long|short|(?:big)?serial|number|num|numeric|decimal",
    "text": r"str(?:ing)?(?:field)?|&str|text(?:field)?|(?:n?var)?char(?:field|acter)?|citext",
    "truth": r"bool(?:ean)?(?:field|column)?|tinyint|bit",
    "broken": r"float(?:field|32|64)?|double|real|f32|f64|number|num|numeric|decimal",
    "exact": r"(?:big)?decimal(?:field)?|numeric|money|number",
    "moment": r"timestamp(?:tz|field)?|date_?time(?:field|offset|tz)?|(?:local|zoned|naive|offset)?datetime|instant|time|date",
    "id": r"uuid(?:field)?|guid|string|str|text|char",
    "json": r"jsonb?(?:field)?|string|text|object|map",
    "several": r"list|array|vec|slice|tuple|set|sequence|iterable|collection|string|text",
}
"""Types that pass for one another, by what they hold."""
_WORDS = {
    "integer": "whole", "int": "whole", "bigint": "whole", "whole number": "whole", "string": "text", "text": "text", "varchar": "text",
    "boolean": "truth", "bool": "truth", "float": "broken", "double": "broken", "decimal": "exact", "numeric": "exact", "timestamp": "moment",
    "timestamptz": "moment", "datetime": "moment", "uuid": "id", "jsonb": "json", "list": "several", "array": "several",
}  # fmt: skip
_WORD = "|".join(sorted(_WORDS, key=len, reverse=True)).replace(" ", r"\s+")
_OF_TYPE = combine_patterns(
    rf"`(?P<name>[A-Za-z_]\w{{1,60}})`\s+(?:(?:column|field|parameter|property|argument|attribute)\s+)?(?:is\s+now|becomes|is|(?:is|are)\s+(?:now\s+)?(?:stored|kept|declared|typed|saved)\s+as|has\s+(?:the\s+)?type|is\s+of\s+type|changes?\s+to)\s+(?:an?\s+)?`?(?P<type>{_WORD})`?(?=\s*(?:$|[.,;:)(]|\b(?:now|and|with|column|field|instead|of|so|that|which)\b))",
    rf"`(?P<name_in>[A-Za-z_]\w{{1,60}})`\s*\(`?(?P<type_in>{_WORD})`?(?=\s*[,)])",
)
_WRONG = "The description says of which type something is, and the lines that declare it give it another"
_ANY_TYPE = lazy_compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(_TYPES.values())})(?![a-z0-9])", re.IGNORECASE)
_FORMS_OF = {
    kind: lazy_compile(rf"(?<![A-Za-z0-9])(?:{forms})(?![a-z0-9])", re.IGNORECASE) for kind, forms in _TYPES.items()
}
_SQUARE = lazy_compile(r"\[\]|\[[A-Za-z_]")
_DECLARES = lazy_compile(r"\.(?:sql|prisma|graphql|gql|proto)$")


def held_types(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Every type that something is said to have."""
    yield from held_by_form(said, _FORMS, ground)


def _declared(name: str, ground: Ground) -> list[str]:
    """What stands around the name where lines that come declare it with a type: behind it, or the word before it."""
    form = re.compile(
        rf"(?<![\w.$]){re.escape(name)}[\"'`]?(?:\s*\??\s*:\s*(?P<annotated>[^=,)\n]{{1,40}})|\s*=\s*(?:models|db|sa|fields|serializers)\.(?P<called>\w{{1,30}}(?:\([^,)\n]{{0,30}})?)|\s*,\s*(?P<listed>:\w{{1,20}})|\s+(?P<column>[A-Za-z][\w()]{{1,24}}(?:\[\])?))"
        rf"|\bt\.(?P<rails>\w{{1,20}})\s+:{re.escape(name)}\b|\$table->(?P<laravel>\w{{1,20}})\([\"']{re.escape(name)}[\"']|\b(?P<typed>[A-Z]\w{{0,3}}[a-z][\w<>\[\]]{{0,30}}|int|long|double|float|boolean|bool|string|decimal)\??\s+{re.escape(name)}\b"
    )
    came = ground.once("declaring lines", lambda: ground.came_in(_may_declare))
    return [
        value
        for line in came
        if name in line
        for found in form.finditer(beginning(line))
        for value in found.groupdict().values()
        if value
    ]


def _may_declare(path: str) -> bool:
    return (is_code(path) or _DECLARES.search(path) is not None) and not is_test(path)


def _of_type(found: re.Match[str], sentence: Sentence, ground: Ground) -> Answer | None:
    """None where no line that comes declares it with a type that is known."""
    name, word = (found["name"], found["type"]) if found["name"] else (found["name_in"], found["type_in"])
    kind = _WORDS[" ".join(word.lower().split())]
    if _OTHERWISE.search(sentence.text[: found.start()]) or not ground.whole:
        return None
    declared = [each for each in _declared(name, ground) if _ANY_TYPE.search(each) or _SQUARE.search(each)]
    if not declared:
        return None
    fitting = any(_FORMS_OF[kind].search(each) for each in declared)
    return Answer(
        fitting or (kind == "several" and any(map(_SQUARE.search, declared))), confidence=0.65, because=FROM_WORDING
    )


_OTHERWISE = lazy_compile(
    r"\b(?:was|were|used\s+to|before|previously|no\s+longer|not|never|would|could|should|if|because|since|still|when)\b|n't\b",
    re.IGNORECASE,
)
_FORMS = (Form(_OF_TYPE, _of_type, "type", _WRONG),)
