"""Claims that a change breaks nothing, compared with what `code.public_api_break` finds."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.forensics.description.change_contents import Answer, ChangeContents, CheckedClaim
from auditor.forensics.description.claim_sentences import Sentence, states
from auditor.forensics.public_api.breaking_changes import BreakingChange
from auditor.forensics.public_api.python_api_changes import find_breaking_changes, importable_modules
from auditor.forensics.public_api.removed_exports import compared_base_files, find_export_breaks
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns

_MIN_CONFIDENCE = 0.8
_API = r"(?:(?:public|external|exported|published)\s+)?(?:apis?|interfaces?|signatures?)"
_NO_BREAK = combine_patterns(
    r"\bno\s+(?:api\s+|public\s+)?break(?:ing|s|age)\b",
    r"\bnon-?breaking\b",
    r"\b(?:not|isn't)\s+(?:an?\s+)?breaking\b",
    r"\bwithout\s+(?:any\s+)?break(?:ing|age)\b",
    r"\b(?:doesn't|does not|won't|will not)\s+break\s+(?:(?:any|the|our|existing)\s+){0,2}(?:apis?|callers|clients|consumers|users|compatibility|(?:user\s+)?code|anyone|anybody|anything)\b",
    r"\b(?:fully\s+)?(?:backwards?|upwards?|api|source)[- ]compatible\b(?!\s+(?:accessors?|shims?|alias(?:es)?|layers?|wrappers?|helpers?|code|propert(?:y|ies)|names?|imports?)\b)",
    rf"\b{_API}\s+(?:(?:of|in)\s+(?:the\s+)?[^\s.;:!?]{{1,80}}\s+)?(?:is|are|stays?|remains?|was|were)\s+(?:kept\s+)?(?:unchanged|untouched|stable|the same|unaffected|intact|identical)\b",
    rf"\bno\s+changes?\s+(?:to|of|in)\s+(?:the\s+|any\s+|our\s+)?{_API}\b",
    rf"\bno\s+{_API}\s+changes?\b",
    rf"\b(?:doesn't|does not|don't|do not|without)\s+(?:chang|touch|alter|affect)(?:e|ing)?\s+(?:the\s+|any\s+|our\s+)?{_API}\b",
    rf"\bleav(?:es?|ing)\s+(?:the\s+|our\s+)?{_API}\s+(?:alone|unchanged|untouched|as (?:it|they) (?:is|are|was|were))\b",
    r"\b(?:callers|clients|consumers)\s+(?:are\s+(?:not affected|unaffected)|need(?:n't| not)\s+(?:to\s+)?(?:change|adapt)|(?:do not|don't)\s+(?:have|need)\s+to\s+(?:change|adapt))\b",
    r"\bdrop-?in\s+replacement\b",
)


def find_breaking_change_claims(said: list[Sentence], contents: ChangeContents) -> Iterator[CheckedClaim]:
    """The first claim that nothing breaks; nothing where no public interface can be compared, or a break is uncertain."""
    sentence = next((each for each in said if states(_NO_BREAK, each.text)), None)
    breaks = None if sentence is None else breaking_changes(contents)
    if sentence is None or breaks is None:
        return
    certain = certain_breaks(breaks)
    if certain or not breaks:
        answer = contradiction(certain) if certain else Answer(True)
        wrong = "The description says that nothing breaks for callers, but public names or parameters are gone"
        yield CheckedClaim("no_breaking_change", sentence, answer, wrong)


def contradiction(certain: list[BreakingChange]) -> Answer:
    """The answer to a claim that these breaks contradict."""
    return Answer(False, tuple(each.at for each in certain), min(each.confidence for each in certain))


def certain_breaks(breaks: list[BreakingChange]) -> list[BreakingChange]:
    """Those with a confidence of at least 0.8."""
    return [each for each in breaks if each.confidence >= _MIN_CONFIDENCE]


def breaking_changes(contents: ChangeContents) -> list[BreakingChange] | None:
    """What callers relied on and can no longer; None where the change touches nothing that can be compared."""
    change, modules, surfaces, tree = contents.change, contents.modules, contents.surfaces, contents.tree
    known = importable_modules(modules, tree, surfaces)
    if not (known or compared_base_files(modules, surfaces)):
        return None
    return [
        *find_breaking_changes(change, modules, known, tree, contents.documents),
        *find_export_breaks(change, modules, surfaces, tree.base),
    ]
