"""Clauses in which a sentence says what the change itself does, so that what they name must stand in what changes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns, first_group

MAX_CLAUSES = 40
"""Clauses of one sentence that are looked at."""


class Clause(NamedTuple):
    """What is said to be done, from behind the verb up to the first word of an aside; `verb` in small letters."""

    verb: str
    start: int
    end: int

    @property
    def works(self) -> bool:
        """Is it a deed of those who write code, and not one of the code?"""
        return _WORKING.match(self.verb) is not None

    @property
    def mends(self) -> bool:
        """Is it told by what was wrong, or is better now?"""
        return _MENDING.match(self.verb) is not None


_ENDING = r"(?:e|es|s|ed|d|ing|y|ies|ied|ying|ning|ned|ping|ped|ting|red|ring|led|ling|ten)?"
_STEMS = (
    r"(?:add|introduc|creat|implement|defin|extract|factor|pull|split|mov|hoist|relocat|refactor|consolidat|unif|centrali[sz]|us|reus|switch|call"
    r"|delegat|replac|swap|renam|convert|migrat|wrap|guard|rais|throw|return|catch|surfac|pass|thread|plumb|wir|regist|regist(?:er)?|hook|inject|stor"
    r"|cach|set|honou?r|tak|requir|export|expos|publish|declar|annotat|mark|deprecat|remov|drop|delet|retir|inlin|strip|rip|eliminat|updat|extend"
    r"|adjust|tweak|rework|rewrit|rewrot|simplif|chang|modif|turn|bump|pin|appl|adopt|log|emit|rout|forward|propagat|validat|put|bring|invok|trigger"
    r"|enabl|disabl|restructur|reorgani[sz]|document|describ|depend|rely|reli|read|clean|touch|edit|cover|install)"
)
_MENDS = r"(?:fix|handl|improv|correct|repair|tidy|harden|optimi[sz]|enhanc|align|polish|check|silenc|speed)"
"""Deeds told by what was wrong or is better, in the names of which others may have a part."""
_DEED = rf"(?P<{{}}>(?:{_STEMS}|{_MENDS}){_ENDING})(?![\w'-])(?:\s+(?:up|out|in|over|back)\b)?"
_MENDING = combine_patterns(_MENDS)
_WORKING = combine_patterns(rf"(?:{_STEMS}|{_MENDS}){_ENDING}$")
_ADVERBS = r"(?:(?:also|then|now|instead|finally|simply|just|therefore|additionally|consistently|explicitly|always|newly|i|we|it),?\s+){0,3}"
_BY_US = r"\b(?:this|the)\s+(?:pr|pull request|change|commit|patch|branch|mr)\s+"
_FIRST = combine_patterns(
    rf"^(?:[-*+]\s+|\d{{1,2}}[.)]\s+|\[x\]\s+|\*\*)*(?:\w{{1,20}}(?:\([^)]{{0,60}}\))?!?:\s+|\[\w{{1,20}}\]\s+)?(?:(?:this|the)\s+(?:(?:pr|pull request|change|commit|patch|branch|mr)\s+)?|(?:i|we)(?:'ve|\s+have)?\s+|it\s+|so\s+)?{_ADVERBS}{_DEED.format('first')}",
    rf"{_BY_US}{_ADVERBS}{_DEED.format('ours')}",
)
_NEXT = combine_patterns(
    rf"(?:[;,:]\s+|\s(?:and|then|by|[-\u2013\u2014])\s+)(?:and\s+)?{_ADVERBS}{_DEED.format('next')}"
)
_NOW = combine_patterns(
    rf"\b(?:is|are|was|were)?\s?now\s+{_ADVERBS}(?!works?|working|needed|need|possible|required|compatible|safe|available|supports?|fails?(?!\s+with)|the\b|an?\b|that\b|we\b|i\b|when\b|if\b)(?P<now>[a-z]{{2,20}})(?!['\w-])"
)
_ASIDE = combine_patterns(
    r"\b(?:because|since|that|which|who|whose|when|whenever|where|while|if|unless|until|so|as|like|such|e\.g|i\.e|instead|rather|unlike|due|than|after|before|once|similar(?:ly)?|matching|mirror\w*|same|for|against|from|without|via|equivalent|analogous|used|was|were|used|needed|required|already|previously|see|cf|between|among|not|no|never|but|except|about|or)\b|[;(\[]|\bto\s+(?:be|have|make|let|allow|avoid|match|mirror|ensure|keep|prevent|handle|support|work|help|see|get|show|fix|read|run)\b"
)
"""Where a clause turns to reasons, to other times, or to things that the change need not touch."""


def own_clauses(text: str) -> Iterator[Clause]:
    """The clauses of a sentence that begins with what the change does, and those that say what is so from now on."""
    first = _FIRST.search(text)
    following = list(islice(_NEXT.finditer(text), MAX_CLAUSES))
    started = [] if first is None else [first, *(each for each in following if each.start() >= first.end())]
    started += islice(_NOW.finditer(text), MAX_CLAUSES)
    if not started:
        return
    ends = sorted((*(each.start() for each in following), *(each.start() for each in _ASIDE.finditer(text)), len(text)))
    for found in sorted(started, key=lambda each: each.end())[:MAX_CLAUSES]:
        verb = first_group(found).lower()
        yield Clause(verb, found.end(), ends[bisect_left(ends, found.end())])
