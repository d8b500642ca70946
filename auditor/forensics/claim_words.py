"""How people word what they claim of a change: forms of sentences, and of titles, by the kind of claim."""

from __future__ import annotations

import re

from auditor.forensics.forms import either

NOTHING = re.compile(r"(?!)")
_ADJECTIVES = r"(?:(?:an?|the|some|new|more|many|several|few|unit|regression|integration|end-to-end|e2e|missing|extra|additional|corresponding|proper|comprehensive|full|first|two|three|\d+|[\w-]{1,30} and|[\w-]{1,30},)\s+){0,5}"
_TESTS = r"tests?\b(?!\s*(?:runner|discovery|framework|harness|command|mode|server|environment|data|workflow|job|bed|ing|suite|plan|account|double|helper|utilit|file name))"
TESTED = either(
    rf"\b(?:add(?:s|ed|ing)?|includ(?:es?|ed|ing)|wr(?:ites?|ote|itten)|extend(?:s|ed)?|updat(?:es?|ed)|improv(?:es?|ed)|with)\s+{_ADJECTIVES}{_TESTS}",
    r"\btests?\s+(?:cases?\s+)?(?:(?:have|has|were|was|are|is)\s+)?(?:been\s+)?(?:added|included|updated|extended|written)\b",
    r"\bcovered by\s+(?:(?:an?|new|unit|regression|integration)\s+){0,3}tests?\b",
    r"\b(?:an?|new|one|two|three|more)\s+(?:(?:new|unit|regression|integration)\s+){0,2}tests?\s+(?:cases?\s+)?(?:now\s+)?(?:holds?|covers?|proves?|checks?|verif(?:y|ies)|guards?|pins?|asserts?|ensures?|makes? sure)\b(?!.{0,60}\balready\b)",
    r"^\[x\]\s+(?:unit |regression |integration )?tests?\b(?!.{0,80}\b(?:pass|run|ran|exist|local))",
)
_CALLED = r"(?:(?:public|external|exported|published)\s+)?(?:apis?|interfaces?|signatures?|contracts?|names|parameters)"
UNBROKEN = either(
    r"\bno\s+(?:api\s+|public\s+)?break(?:ing|s|age)\b",
    r"\bnon-?breaking\b",
    r"\b(?:not|isn't)\s+(?:an?\s+)?breaking\b",
    r"\bwithout\s+(?:any\s+)?break(?:ing|age)\b",
    r"\b(?:doesn't|does not|won't|will not)\s+break\b",
    r"\b(?:fully\s+)?(?:backwards?|upwards?|api|source)[- ]compatible\b",
    rf"\b{_CALLED}\s+(?:is|are|stays?|remains?|was|were)\s+(?:kept\s+)?(?:unchanged|untouched|stable|the same|unaffected|intact|identical|as (?:it was|they were|before))\b",
    rf"\bno\s+changes?\s+(?:to|of|in)\s+(?:the\s+|any\s+|our\s+)?{_CALLED}\b",
    rf"\bno\s+{_CALLED}\s+changes?\b",
    rf"\b(?:doesn't|does not|don't|do not)\s+(?:change|touch|alter|affect)\s+(?:the\s+|any\s+|our\s+)?{_CALLED}\b",
    rf"\bwithout\s+(?:changing|touching|altering|affecting)\s+(?:the\s+|any\s+|our\s+)?{_CALLED}\b",
    rf"\bleav(?:es?|ing)\s+(?:the\s+|our\s+)?{_CALLED}\s+(?:alone|unchanged|untouched|as (?:it|they) (?:is|are|was|were))\b",
    r"\b(?:existing\s+|all\s+)?(?:callers|clients|consumers|users of the library)\s+(?:are\s+(?:not affected|unaffected)|need(?:n't| not)\s+(?:to\s+)?(?:change|adapt|do)|(?:do not|don't)\s+(?:have|need)\s+to\s+(?:change|adapt|do)|keep working|continue to work|work as before|see no (?:change|difference))\b",
    r"\bdrop-?in\s+replacement\b",
)
_DOCUMENTATION = r"(?:docs?|documentation|readme|comments?|docstrings?)"
_CODE = r"(?:source )?code"
DOCUMENTS = either(
    rf"\b{_DOCUMENTATION}(?:-|\s+changes?\s+)only\b|\b{_DOCUMENTATION}\s+only(?=\s*(?:changes?\b|[.,;:!)\]]|$))",
    r"\b(?:only|just|purely|merely|nothing but)\s+(?:(?:touch|chang|updat|edit|affect|fix|improv)\w{0,4}\s+)?(?:the\s+|a\s+)?(?:docs|documentation|readme|docstrings?|comments)\b",
    rf"\bno\s+{_CODE}\s+(?:(?:is|was|has been|gets)\s+)?(?:chang(?:es?|ed)|touched|affected|modified|altered)\b",
    rf"\b(?:doesn't|does not|don't|do not)\s+(?:touch|change|affect|modify|alter)\s+(?:any\s+|the\s+)?{_CODE}\b(?!\s+(?:path|style|generat))",
    rf"\bthe\s+{_CODE}\s+(?:is|stays|remains|was)\s+(?:untouched|unchanged|not touched|not changed)\b",
)
_SLIPS = r"(?:typos?|misspellings?|typing\s+(?:mistakes?|slips?)|(?:spelling|grammar|grammatical|punctuation|orthographic)\s+(?:mistakes?|errors?|slips?))"
"""A typing error is one of the keyboard or one of type annotations, so it is none of these."""
_MENDS = r"(?:fix|correct|mend|repair|amend|tidy)(?:es|s|ed|ing)?"
TYPO_TITLE = either(
    rf"^(?!.{{0,200}}(?:[;+&]|,|\band\b)\s*(?!{_SLIPS}|grammar|spelling|wording|punctuation|whitespace|format|links?\b)).{{0,200}}\b(?:typos?\b|{_MENDS}\s+(?:(?:an?|the|some|several|few|small|minor|more|\d+)\s+){{0,3}}(?:{_SLIPS}\b|(?:the\s+)?spelling\b))"
)
TYPO = either(
    rf"\b(?:just|only|merely)\s+(?:{_MENDS}\s+)?(?:an?\s+|some\s+)?(?:small\s+|minor\s+)?{_SLIPS}\b",
    rf"\b{_SLIPS}[- ]only\b",
    r"^(?:(?:just|only|it is|it's|this is)\s+){0,2}(?:a\s+|an\s+)?(?:one|single|1)[- ](?:word|letter|character)\b",
)
_DEEDS = r"(?:bug\s?fix|fix|change|tweak|edit|correction|adjustment|clean-?up|improvement|patch|update|refactor(?:ing)?)(?:e?s)?"
_LITTLE = r"(?:small|tiny|minor|trivial|little|quick|cosmetic|simple|one-?line|single-?line)"
SMALL_TITLE = either(
    rf"^(?:\w+(?:\([^)]{{0,80}}\))?!?:\s*)?(?:make\s+|some\s+|just\s+|a\s+)?(?:very\s+)?{_LITTLE}\s+(?:\w+\s+)?{_DEEDS}\b",
    r"\bone-?liner\b",
)
SMALL = either(
    rf"^(?:this\s+(?:\w+\s+){{0,2}}?is\s+|this\s+makes\s+|it\s+is\s+|it's\s+|only\s+|just\s+|merely\s+){{1,2}}(?:an?\s+|some\s+|a\s+few\s+)?(?:very\s+|rather\s+|pretty\s+)?{_LITTLE}\s+(?:\w+\s+)?{_DEEDS}\b",
    r"^(?:only|just)\s+(?:an?\s+)?(?:few|couple of|handful of|one|two)\s+lines?\b",
)
_BEHAVIOUR = r"(?:behaviou?r|functionality|logic|semantics|output)"
_PARTLY = r"(?!\s+(?:when|where|if|unless|for|on|in|with|without|while|until)\b)"
"""What would narrow a claim down to a part of the change."""
_SAME = r"(?:unchanged|the same|identical|unaffected|untouched|preserved|not changed|not affected|as (?:it was|before))"
REFACTORING = either(
    r"\b(?:pure|purely|only|just|merely)\s+(?:an?\s+)?(?:internal\s+)?(?:refactor(?:ing|s|ed)?|restructur(?:ing|es|ed)|reorgani[sz](?:ation|ing|es|ed)|clean-?ups?)\b",
    r"\b(?:refactor(?:ing)?|clean-?up)[- ]only\b",
    r"\binternal[- ](?:changes?[- ]only|only\s+changes?)\b|\b(?:only|just|purely)\s+internal(?:s|\s+changes?)?\b(?!\s+(?:api|use|link|tool))",
    r"\bno\s+(?:functional|behaviou?ral?|behaviou?r|semantic|logic(?:al)?|user[- ](?:visible|facing)|observable)\s+(?:changes?|differences?|impact|effects?)\b"
    + _PARTLY,
    rf"\bno\s+(?:changes?|differences?)\s+(?:in|to|of)\s+(?:the\s+|any\s+)?(?:\w+\s+)?{_BEHAVIOUR}\b{_PARTLY}",
    rf"\b{_BEHAVIOUR}\s+(?:is|are|stays?|remains?|was|were)\s+(?:kept\s+)?(?:exactly\s+|completely\s+)?{_SAME}\b{_PARTLY}",
    rf"\b(?:doesn't|does not|do not|don't)\s+(?:change|alter|affect)\s+(?:any\s+|the\s+)?(?:\w+\s+)?{_BEHAVIOUR}\b",
    rf"\bwithout\s+(?:changing|altering|affecting)\s+(?:any\s+|the\s+)?(?:\w+\s+)?{_BEHAVIOUR}\b",
    r"\bfunctionally\s+(?:identical|equivalent|the same|unchanged)\b",
    r"\bnothing\s+changes\s+for\s+(?:the\s+)?(?:users?|callers|customers)\b",
)
TESTS_ONLY = either(
    r"\btests?(?:[- ]only\s+(?:changes?|commit|pr|patch|diff)|\s+changes?\s+only)\b|^tests?[- ]only(?=\s*(?:[.,;:!]|$))",
    r"\b(?:only|just)\s+(?:(?:touch|chang|updat|edit|affect|fix|add|improv)\w{0,4}\s+)?(?:the\s+|some\s+)?(?:unit\s+)?tests(?=\s*(?:[.,;!]|$|are\b|were\b|chang|in this|here))",
    r"\bno\s+(?:production|product|non-test)\s+code\s+(?:(?:is|was)\s+)?(?:chang(?:es?|ed)|touched|affected|modified)\b",
)
LAYOUT_TITLE = either(r"^style(?:\([^)]{0,80}\))?:")
LAYOUT = either(
    r"\b(?:format(?:ting)?|whitespace|white space|style|styling|layout)[- ](?:changes?[- ])?only\b",
    r"\b(?:only|just|purely|merely)\s+(?:an?\s+)?(?:(?:re)?format(?:s|ting|ted)?|whitespace|white space|style fixes|lint fixes|styling)\b(?!\s+(?:the\s+)?(?:output|strings?|dates?|numbers?|messages?))",
)
