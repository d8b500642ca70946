"""What a sentence says was done, and to what: names of code and the deeds that they are the object of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from auditor.forensics.description.change_clauses import own_clauses
from auditor.forensics.description.change_contents import DENIAL, Sentence, denied, put_off
from auditor.forensics.description.masked_sentences import MASK, OPEN, Masked, numbers, unmarked
from auditor.forensics.documents.path_mentions import SUFFIXES
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns, first_group, groups_by_role
from auditor.lazy_regex import lazy_compile

FILE_SUFFIXES = f"{SUFFIXES}|lock"
"""Suffixes by which a word of a description is a file: those of documents, and lock files, which people say they update."""
MAX_NAMES = 40
"""Names of one sentence that are looked at."""


class Deed(StrEnum):
    """What is said of a name."""

    ADDED = "added"
    REMOVED = "removed"
    CUT = "cut"
    KEPT = "kept"
    UNTOUCHED = "untouched"
    DEPRECATED = "deprecated"
    NOW = "now"
    TESTED = "tested"
    SAME_SIGNATURE = "same_signature"
    BECOMES = "becomes"
    WORKED = "worked"
    NAMED = "named"


@dataclass(frozen=True)
class Name:
    """A name as the description writes it; `marked` when it is plainly code and not a word that only looks like it."""

    text: str
    marked: bool

    @property
    def word(self) -> str:
        """Its last part where that is an identifier: `close` of `Client.close(force=True)`; else nothing."""
        bare = (
            _ARITY.sub("", _ASSIGNED.sub("", self.text.partition("(")[0].strip())).lstrip("@&*$.:#").rstrip("?!=:,.;")
        )
        last = re.split(r"\.|::|#|->", bare)[-1]
        return last if _IDENTIFIER.fullmatch(last) else ""

    @property
    def is_path(self) -> bool:
        """Is it a file or a folder?"""
        return "/" in _ARITY.sub("", self.text) or _FILE.search(self.text) is not None


@dataclass(frozen=True)
class Said:
    """One thing that a sentence says of names. Of a renaming, `other` is the new name."""

    deed: Deed
    name: Name
    other: Name | None = None


_IDENTIFIER = lazy_compile(r"[^\W\d][\w$]{0,199}")
_ASSIGNED = lazy_compile(r"(?<=[A-Z0-9])=\S{0,40}$")
"""The value of `DEBUG_LEVEL=2`."""
_ARITY = lazy_compile(r"(?<=\w)[?!]?/\d$")
"""The number of parameters in `render/2`."""
_FILE = lazy_compile(rf"^[\w.-]{{1,100}}\.(?:{FILE_SUFFIXES})$")
_CODE = lazy_compile(
    r"(?P<fence>`{1,2})(?P<ticked>[^`\n]{1,160})(?P=fence)"
    r"|(?<![\w/.@:`-])(?P<called>[^\W\d]\w{0,80}(?:(?:\.|::)\w{1,80}){0,4}\(\))"
    r"|(?<![\w/.@:`-])(?P<option>--[a-z][\w-]{1,60})(?![\w/])"
    r"|(?<![\w/.@:`-])(?P<shaped>[^\W\d]\w{0,60}_\w{1,80}|[a-z]{1,40}[A-Z]\w{1,80}|[A-Z][a-z]{1,40}[A-Z]\w{1,80})(?![\w/]|\.\w)"
)
CALLED = lazy_compile(
    r"(?<![\w/.@:`-])(?:[^\W\d]\w{0,80}(?:(?:\.|::)\w{1,80}){0,4}\(\)|[^\W\d]\w{0,60}_\w{1,80}|[a-z]{1,40}[A-Z]\w{1,80})(?![\w/]|\.\w)"
)
"""Names of code that are written without marks, but could be nothing else."""
_SHAPED = lazy_compile(r"[a-z]\w{0,40}_\w{1,80}|[a-z]{2,40}[A-Z][a-z]\w{0,80}")
"""What nobody writes but in code: brands begin with one small letter or go on in capitals."""
_AT_ONCE = lazy_compile(
    r"^(?:[-*+]\s+|\[x\]\s+)?(?:\w{1,20}(?:\([^)]{0,40}\))?!?:\s+)?(?:(?!\w{1,20}ing\b)[\w'-]{1,30},?\s+){1,6}(?:and\s+)?$"
)
"""The first words of a sentence, the deed among them: further on, people tell how things were."""
_FILLER = (
    r"(?:(?:an?|the|some|new|its|our|this|that|these|now|also|both|all|old|public|private|internal|optional|required|unused|deprecated|legacy|obsolete"
    r"|dead|explicit|missing|additional|extra|separate|small|simple|few|two|three|four|five|following|keyword|named|called|command|line|global|static|abstract"
    r"|async|exported|generic|custom|default|unnecessary|redundant|superfluous|stale|broken|duplicated?|remaining|leftover|single|shared|common|dedicated|reusable|tiny|thin"
    r"|class(?:es)?|functions?|methods?|helpers?|options?|flags?|switch(?:es)?|parameters?|arguments?|args?|params?|fields?|propert(?:y|ies)|attributes?|modules?|packages?|commands?"
    r"|sub-?commands?|endpoints?|routes?|constants?|enums?|variants?|members?|types?|interfaces?|structs?|traits?|variables?|settings?|keys?|headers?|columns?|tables?|exceptions?|errors?"
    r"|dependenc(?:y|ies)|librar(?:y|ies)|hooks?|components?|wrappers?|alias(?:es)?|decorators?|fixtures?|macros?|env(?:ironment)?|getters?|setters?|properties|target|job|step|script|rule)\s+){0,6}"
)
_SEVERAL = rf"{MASK}(?:\s*(?:,\s*and|,|and|&|/|or)\s+(?:the\s+|a\s+|an\s+)?{MASK}){{0,12}}"
_WAS = r"\s+(?:(?:class|function|method|helper|option|flag|parameter|argument|field|property|module|command|endpoint|constant|variant|type|setting)s?\s+)?(?:is|are|was|were|has been|have been|gets|get)\s+(?:now\s+|also\s+|therefore\s+)?"

_ADDS = r"(?:add(?:s|ed|ing)?|introduc(?:es?|ed|ing)|creat(?:es?|ed|ing)|implement(?:s|ed|ing)?|provid(?:es?|ed|ing)|expos(?:es?|ed|ing)|extract(?:s|ed|ing)?|brings?(?: in)?)"
_REMOVES = r"(?:remov(?:es?|ed|ing)|drop(?:s|ped|ping)?|delet(?:es?|ed|ing)|get(?:s|ting)? rid of|rips? out|eliminat(?:es?|ed|ing)|kill(?:s|ed)?|retir(?:es?|ed|ing)|strip(?:s|ped|ping)? out|inlin(?:es?|ed|ing))"
_OF_PART = r"(?!\s*(?:from|in|to|on(?!\s+(?:the way|top|this occasion))|of|for|support|calls?|usages?|uses|references?|handling|handlers?|listeners?|callbacks?|docs?|tests?|imports?)\b)"
_FORMS: tuple[tuple[Deed, re.Pattern[str]], ...] = (
    (Deed.ADDED, combine_patterns(
        rf"\b{_ADDS}\s+{_FILLER}(?P<names>{_SEVERAL})(?!\s*(?:support|handling|docs?|documentation|tests?|calls?)\b)",
        rf"\brenam(?:es?|ed|ing)\s+{_FILLER}(?:[\w.-]{{1,40}}\s+){{1,3}}?(?:to|into|as)\s+{_FILLER}(?P<names_taken>{MASK})",
        rf"\bnew\s+(?:(?:public|optional|required|keyword|command[- ]line|boolean|helper)\s+){{0,2}}(?:class|function|method|helper|option|flag|parameter|argument|field|property|module|command|endpoint|constant|variant|type|setting|exception|error|key)s?(?:\s+(?:called|named))?,?\s+(?P<names_of_new>{_SEVERAL})",
        rf"(?P<names_that_were>{_SEVERAL}){_WAS}(?:added|introduced|created|implemented|new)\b",
        rf"\bnew\s+{_FILLER}(?P<names_new>{_SEVERAL})",
        rf"^(?:[-*+]\s+)?(?:new|added)\s+(?:[\w-]{{1,20}}\s+){{0,3}}(?:flags?|options?|variables?|settings?|functions?|methods?|class(?:es)?|helpers?|parameters?|fields?|tests?|commands?|endpoints?|actions?)?:\s+(?P<names_headed>{_SEVERAL})",
        rf"\b{_ADDS}\s+(?:(?:the|some|new|\d{{1,2}}|two|three|four|five|six|several|following|small|more|public)\s+){{1,4}}(?:flags|options|settings|functions|methods|classes|helpers|parameters|fields|commands|endpoints|actions|properties|columns|constants|hooks|variants)\s*(?:(?:to|in|for|on)\s+(?:the\s+)?{MASK}\s*(?:\w{{1,30}}\s*)?)?:\s*(?P<names_counted>{_SEVERAL})",
        rf"^(?:[-*+]\s+)?{_FILLER}(?P<names_first>{MASK})(?=\s*(?::|--?|\u2013|\u2014)\s*(?:an?\s+)?(?:new|added|adds)\b)",
        rf"\b(?:gains?|gained|grows?|grew|gets|got|now has|there (?:is|are) now|exposes?|exports?)\s+{_FILLER}(?P<names_gained>{_SEVERAL})(?!\s*(?:support|handling|docs?|documentation|tests?)\b)",
        rf"\b(?:new|adds?|added|introduc\w{{1,3}})\s+(?:an?\s+|the\s+)?(?:new\s+)?dependenc(?:y|ies)\s*(?::|on|,|called)?\s*(?:the\s+)?(?P<names_needed>{_SEVERAL})",
        rf"\b(?:now\s+depends?\s+on|pulls?\s+in|brings?\s+in)\s+{_FILLER}(?P<names_pulled>{_SEVERAL})|\bdepends?\s+on\s+{_FILLER}(?P<names_needed_now>{_SEVERAL})\s+now\b",
        rf"(?P<names_just>{MASK})\s+(?:added|introduced)(?=\s*(?:$|[.;,)]))",
    )),
    (Deed.TESTED, combine_patterns(
        rf"\b(?:adds?|added|adding|with|include[sd]?|including|and|plus|new|writes?|wrote|[x]\])\s+(?:(?:an?|some|new|more|unit|regression|integration|small|two|three|\d+)\s+){{0,4}}tests?\s+(?:cases?\s+)?(?:for|of|covering|that\s+(?:covers?|checks?|exercises?|tests?))\s+{_FILLER}(?P<names>{_SEVERAL})(?!['\u2019]s|\s+(?:in|on|with|without|when|under|files?)\b)",
    )),
    (Deed.REMOVED, combine_patterns(
        rf"\b{_REMOVES}\s+{_FILLER}(?P<names>{_SEVERAL}){_OF_PART}",
        rf"(?P<names_that_were>{_SEVERAL}){_WAS}(?:removed|dropped|deleted|gone)\b(?!\s+(?:from|in(?!\s+favou?r)|on|when|if|after))",
        rf"(?P<names_to_go>{_SEVERAL})\s+(?:(?:is|was|are|were)\s+)?[^.;:{OPEN}]{{0,60}}?,?\s+(?:so|and|hence|therefore)\s+(?:(?:it|they|this)\s+)?(?:(?:is|are|was|were|has been|have been|gets)\s+)?(?:now\s+)?(?:(?:removed|dropped|deleted|gone)(?=\s*(?:$|[.,;)]))|(?:goes|go|went)\s+away|(?:remove|drop|delete)\s+(?:it|them)\b)",
        rf"(?P<names_no_more>{_SEVERAL})\s+(?:no longer exists?|(?:goes|went)\s+away|(?:can|could)\s+go(?=\s*(?:$|[.,;)])))",
        rf"^(?:[-*+]\s+)(?P<names_listed>{MASK})\s*(?::|--?|\u2013|\u2014|\()\s*(?:removed|deleted|dropped)\b(?!\s+(?:from|in|on|when|if|after))",
    )),
    (Deed.CUT, combine_patterns(
        rf"\b{_REMOVES}\s+{_FILLER}(?P<names>{_SEVERAL})\s+(?:(?:options?|flags?|parameters?|arguments?|fields?|settings?|keys?|columns?)\s+)?from\b",
        rf"(?P<names_that_were>{_SEVERAL}){_WAS}(?:removed|dropped|deleted)\s+from\b",
    )),
    (Deed.UNTOUCHED, combine_patterns(
        rf"(?P<names_that_were>{_SEVERAL})\s+(?:(?:class|function|method|helper)\s+)?(?:itself\s+|themselves\s+)?(?:is|are|was|were|stays?|remains?|is\s+left|are\s+left|has\s+been\s+left)\s+(?:completely\s+|entirely\s+|all\s+)?(?:unchanged|untouched|not\s+(?:changed|touched|modified)|unmodified|alone)(?=\s*(?:$|[.,;:)]|\b(?:and|so|by|here)\b))",
    )),
    (Deed.DEPRECATED, combine_patterns(
        rf"(?:\bdeprecat(?:es?|ing)|^(?:[-*+]\s+)?(?:\w+(?:\([^)]{{0,80}}\))?!?:\s*)?deprecated)\s+{_FILLER}(?P<names>{_SEVERAL}){_OF_PART}",
        rf"\bmark(?:s|ed|ing)?\s+{_FILLER}(?P<names_marked>{_SEVERAL})\s+(?:as\s+)?deprecated\b",
        rf"\bdeprecation\s+(?:warning|notice)s?\s+(?:to|for|on)\s+{_FILLER}(?P<names_warned>{_SEVERAL})",
        rf"(?P<names_warning>{_SEVERAL})\s+(?:now\s+)?(?:emits?|raises?|issues?|logs?|gives?|shows?|prints?)\s+(?:an?\s+)?(?:deprecation\s+(?:warning|notice)|{MASK}?DeprecationWarning)\b",
        rf"(?P<names_that_were>{_SEVERAL}){_WAS}(?:deprecated|marked (?:as )?@?deprecated)\b",
    )),
    (Deed.SAME_SIGNATURE, combine_patterns(
        rf"\bsignatures?\s+of\s+{_FILLER}(?P<names>{_SEVERAL})\s+(?:(?:is|are|was|were)\s+(?:kept\s+|left\s+)?(?:unchanged|the same|untouched|not changed)|(?:stays?|remains?)\b)",
        rf"(?P<names_that_were>{_SEVERAL})\s+(?:keeps?|has|have)\s+(?:its|their|the same)\s+(?:signatures?|parameters)\b",
    )),
    (Deed.KEPT, combine_patterns(
        rf"\bkeep(?:s|ing)?\s+{_FILLER}(?:names?\s+)?(?P<names>{_SEVERAL})(?!\s+(?:from|in sync|up|alive|out|private|internal))",
        rf"\b(?:preserv(?:es?|ed|ing)|retain(?:s|ed|ing)?)\s+{_FILLER}(?P<names_preserved>{_SEVERAL})(?=\s*(?:$|[.,;)]|\bas\b|\bfor\b))",
        rf"\bleav(?:es?|ing)\s+{_FILLER}(?P<names_left>{_SEVERAL})\s+(?:in place|alone|untouched|unchanged|as (?:is|it is))\b",
        rf"\b(?:does not|doesn't|do not|don't|without)\s+remov(?:e|ing)\s+{_FILLER}(?P<names_not_gone>{_SEVERAL})",
        rf"(?P<names_still>{_SEVERAL})\s+(?:(?:is|are)\s+(?:still\s+(?:exported|available|accessible|supported|importable|accepted|public)|not\s+(?:removed|deleted|dropped|renamed))|can\s+still\s+be\s+\w+|(?:is|are)\s+now\s+(?:an?\s+)?(?:thin\s+|deprecated\s+|simple\s+)?(?:alias(?:es)?|wrappers?|shims?)\b)",
        rf"(?P<names_that_were>{_SEVERAL})\s+(?:(?:is|are)\s+(?:still\s+there|kept|retained|left|unchanged|untouched|preserved)|(?:stays?|remains?)\b(?!\s+(?:open|closed|private|internal|in))|(?:still|continues? to|keeps?|will (?:still|continue to|keep))\s+(?:works?|working|exists?|existing))",
    )),
    (Deed.NOW, combine_patterns(
        rf"\bnow\s+(?:returns?|raises?|throws?|takes?|accepts?|uses?|calls?|logs?|yields?|gives?|requires?|expects?|reads?|honou?rs?|supports?|respects?)\s+{_FILLER}(?P<names>{MASK})",
        rf"\b(?:returns?|raises?|throws?|takes?|accepts?|uses?|calls?|yields?|gives?|requires?|expects?|honou?rs?|supports?|respects?)\s+{_FILLER}(?P<names_that_were>{MASK})\s+now\b",
        rf"^(?:[-*+]\s+)?(?:\w+(?:\([^)]{{0,80}}\))?!?:\s*)?(?:raise|throw|return|yield|accept|read|support|honou?r|respect)s?\s+{_FILLER}(?P<names_first>{_SEVERAL})",
    )),
)  # fmt: skip
_OFFERED = combine_patterns(
    rf"\b(?:configurable|configured|controlled|overrid(?:e|den|able)|tun(?:ed|able)|toggled|enabled|disabled|turned\s+(?:on|off)|switched\s+(?:on|off)|gated|opted\s+(?:in|out)|read|set|skipped|bypassed)\s+(?:via|with|by|through|using|behind|from)\s+{_FILLER}(?P<by>{MASK})",
    rf"^(?:[-*+]\s+)?(?:users?\s+can\s+)?(?:now\s+)?(?:set|pass|use|specify|run with)\s+{_FILLER}(?P<set>{MASK})\s+to\b",
    rf"\b(?:users?|callers?|one|you|it|they)\s+can\s+(?:now\s+|also\s+)*(?:set|pass|use|specify|call)\s+{_FILLER}(?P<can>{MASK})",
    rf"^(?:[-*+]\s+)?(?P<option>{MASK})\s+(?:flag|option|switch|setting|environment variable|env var)\s+(?:to|for|that|which|controls?|skips?|sets?|enables?|disables?)\b",
    rf"^(?:[-*+]\s+)?with\s+{_FILLER}(?P<given>{MASK}),",
    rf"\b(?:a|an|the)\s+(?P<raised>{MASK})\s+is\s+(?:now\s+)?(?:raised|thrown|returned|emitted)\b",
    rf"\b(?:result(?:s|ing)?\s+in|fails?\s+with|(?:are|is)\s+reported\s+as)\s+(?:an?\s+)?(?P<result>{MASK})",
)
"""What is said to be there for those who use it."""
_BY_TEST = combine_patterns(
    rf"^(?:[-*+]\s+)?(?:(?:new|regression|unit|integration|added)\s+){{0,3}}(?:tests?:?\s+)?{MASK}\s*(?::|--?\s|\u2013|\u2014|$)",
    rf"\b(?:cover(?:ed|age)|verified|checked|guarded|pinned|reproduced|tested|proven|asserted|exercised)\s+(?:down\s+)?(?:by|in|with)\s+{_FILLER}{MASK}",
    rf"{MASK}\s+(?:now\s+)?(?:also\s+)?(?:covers?|reproduces?|pins?|verif(?:y|ies)|checks?|guards?|asserts?|exercises?|proves?|fails?\s+without|demonstrates?)\b",
    rf"\b(?:see|tests?:|new\s+tests?)\s+{MASK}",
)
"""How tests are named that come with a change."""
_OF_TEST = lazy_compile(r"^[Tt]est_?[A-Za-z]|Test$|Tests$|_test$|IT$|Spec$")
_RENAMES = combine_patterns(
    rf"\brenam(?:es?|ed|ing)\s+{_FILLER}(?P<old>{MASK})\s+(?:to|into|as|->|=>|\u2192)\s+{_FILLER}(?P<new>{MASK})",
    rf"(?P<old_that_was>{MASK}){_WAS}(?:renamed|changed)\s+(?:to|into)\s+{_FILLER}(?P<new_that_is>{MASK})",
    rf"(?P<old_called>{MASK})\s+(?:is now called|is now|becomes)\s+(?P<new_called>{MASK})",
    rf"\b(?:replac(?:es?|ed|ing)|swap(?:s|ped)?|substitut(?:es?|ed))\s+{_FILLER}(?P<old_replaced>{MASK})\s+(?:with|by|for)\s+{_FILLER}(?P<new_replacing>{MASK})",
    rf"\b(?:switch(?:es|ed)?|migrat(?:es?|ed)|chang(?:es?|ed)|mov(?:es?|ed))\s+from\s+{_FILLER}(?P<old_left>{MASK})\s+to\s+{_FILLER}(?P<new_taken>{MASK})",
    rf"\buse(?:s|d)?\s+{_FILLER}(?P<new_used>{MASK})\s+(?:instead of|in place of|rather than)\s+{_FILLER}(?P<old_unused>{MASK})",
)
_BECOMES = combine_patterns(
    rf"^(?:[-*+]\s+)?(?:renam(?:es?|ed|ing):?\s+)?{_FILLER}{MASK}\s*(?:->|=>|\u2192)\s*(?P<by_arrow>{MASK})",
    rf"{MASK}\s+(?:(?:is|was|were|has been|have been|gets?)\s+)?(?:now\s+)?renamed\s+(?:(?:to|into|as)\s+)?(?P<by_name>{MASK})",
    rf"\b(?:renam(?:es?|ed|ing)|chang(?:es?|ed|ing)|convert(?:s|ed|ing)?)\s+(?:(?!to\b|into\b)[\w'-]{{1,20}}\s+){{0,4}}?(?:from\s+)?{_FILLER}{MASK}\s+(?:in)?to\s+{_FILLER}(?P<by_change>{MASK})",
    rf"{MASK}\s+(?:is|was|are|were|has been|have been)\s+(?:now\s+)?(?:replaced|superseded|succeeded)\s+(?:by|with)\s+{_FILLER}(?P<by_another>{MASK})",
    rf"(?P<as_heir>{MASK})\s+(?:now\s+)?(?:replaces?|supersedes?|takes the place of)\s+{_FILLER}{MASK}",
    rf"(?P<as_new>{MASK})\s*\((?:formerly|previously|was|renamed from|n\u00e9e|ex)\s*:?\s*{MASK}\)",
    rf"\bprefers?\s+{_FILLER}(?P<preferred>{MASK})\s+over\b",
)
"""A name that stands at the head if what is said is true: the other one may be there beside it, or be a name of another kind."""
TAKEN_BACK = lazy_compile(
    r"\b(?:no|not|without|never|cannot|todo|should|would|must|needs?|could|can|may|might|later|follow[- ]?up|planned|future|if|unless|please|instead of|used to|previously|before|when|whenever|while|was|were|had|try|tried|allow(?:s|ed)?)\b|n't\b",
    re.IGNORECASE,
)
"""Words before a deed by which it is denied, put off, or told of another time."""


def stated(form: re.Pattern[str], text: str, denial: re.Pattern[str] = TAKEN_BACK) -> Iterator[re.Match[str]]:
    """Where a text says something in a form of words, and words around it neither take that back nor put it off."""
    for found in form.finditer(text):
        if not (denied(text, found.start(), denial) or put_off(text, found.end())):
            yield found


class Parsed(Masked[Name]):
    """A sentence whose names are masked."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        super().__init__(MAX_NAMES)
        self.text = _CODE.sub(self._name, unmarked(sentence.text).replace("**", ""))

    def _name(self, found: re.Match[str]) -> str:
        before = found.string[max(0, found.start() - 90) : found.start()]
        after = found.string[found.end() : found.end() + 1]
        marked = found["shaped"] is None or (
            _SHAPED.fullmatch(found["shaped"]) is not None and after != "=" and _AT_ONCE.match(before) is not None
        )
        return self._mask(Name((found["ticked"] or found.group()).strip(), marked), found.group())

    def said(self) -> Iterator[Said]:
        """What it says of its names; those of which it says nothing special are named only."""
        told: set[int] = set()
        for before, after in self._renamed():
            told |= {before, after}
            yield Said(Deed.REMOVED, self.parts[before], self.parts[after])
        for deed, number in (*self._became(), *self._done(), *self._worked()):
            if number not in told:
                told.add(number)
                yield Said(deed, self.parts[number])
        yield from (Said(Deed.NAMED, name) for number, name in enumerate(self.parts) if number not in told)

    def _renamed(self) -> Iterator[tuple[int, int]]:
        """Numbers of names of which one takes the place of the other."""
        for renamed in _RENAMES.finditer(self.text):
            if not denied(self.text, renamed.start(), TAKEN_BACK):
                told = groups_by_role(renamed)
                yield numbers(told["old"])[0], numbers(told["new"])[0]

    def _done(self) -> Iterator[tuple[Deed, int]]:
        """What is done to the names of which numbers."""
        for deed, form in _FORMS:
            for made in form.finditer(self.text):
                before = self.text[max(0, made.start() - 40) : made.start()]
                if deed is Deed.UNTOUCHED and _PART_OF.search(before):
                    continue
                if deed is Deed.REMOVED and _TELLS_WHICH.match(made.group()) and _PART_OF.search(before):
                    continue
                if not denied(self.text, made.start(), DENIAL if deed is Deed.KEPT else TAKEN_BACK):
                    yield from ((deed, number) for number in numbers(first_group(made)))

    def _became(self) -> Iterator[tuple[Deed, int]]:
        """Names that are said to be those of something from now on."""
        for found in stated(_BECOMES, self.text):
            yield Deed.BECOMES, numbers(first_group(found))[0]

    def _worked(self) -> Iterator[tuple[Deed, int]]:
        """Names that stand in a clause which says what the change does or offers, in whatever words."""
        for found in stated(_OFFERED, self.text, _NOT_YET):
            yield Deed.WORKED, numbers(first_group(found))[0]
        for found in stated(_BY_TEST, self.text, _NOT_YET):
            number = numbers(found.group())[0]
            if _OF_TEST.search(self.parts[number].word):
                yield Deed.WORKED, number
        for clause in own_clauses(self.text):
            said = self.text[clause.start : clause.end]
            if not (clause.mends or _OF_OTHERS.search(said) or denied(self.text, clause.start, TAKEN_BACK)):
                yield from ((Deed.WORKED, number) for number in numbers(said))


_PART_OF = lazy_compile(r"\b(?:of|for|in|from|to|with|on|by)\s+(?:the\s+|our\s+)?$", re.IGNORECASE)
"""Words before a name by which a part of it is spoken of, or what it does."""
_TELLS_WHICH = lazy_compile(r"(?:removed|deleted|dropped)\b", re.IGNORECASE)
"""A word that says of which one is spoken: a bug with removed files."""
_NOT_YET = lazy_compile(
    r"\b(?:no|not|without|never|todo|should|would|could|later|planned|previously|before|was|were|had|used to|currently|today|already)\b|n't\b",
    re.IGNORECASE,
)
_OF_OTHERS = lazy_compile(
    r"\b(?:support\w*|compat\w*|interop\w*|parity|workarounds?|link(?:s|ed|ing)?|mentions?|notes?|examples?|comments?|depend\w*|upstream|issues?|bugs?|errors? (?:in|of|with)|warnings? (?:from|of)|group\s+(?:with|across)\s+\d+)\b",
    re.IGNORECASE,
)
"""Words by which a clause may name what belongs to others."""
