"""How people word what they claim of a change: forms of sentences, and of titles, by the kind of claim."""

from __future__ import annotations

import re

from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns
from auditor.lazy_regex import lazy_compile

NOTHING = lazy_compile(r"(?!)")
_ADJECTIVES = r"(?:(?:an?|the|some|new|more|many|several|few|unit|regression|integration|end-to-end|e2e|snapshot|fuzz|smoke|property(?:-based)?|golden|contract|acceptance|functional|parametri[sz]ed|table-driven|focused|dedicated|basic|simple|failing|another|further|matching|relevant|missing|extra|additional|corresponding|proper|comprehensive|full|first|two|three|\d+|[\w-]{1,30} and|[\w-]{1,30},)\s+){0,5}"
_TESTS = r"tests?\b(?!\s*(?:runner|discovery|framework|harness|command|mode|server|environment|data|workflow|jobs?\b|stages?\b|steps?\b|phases?\b|pipeline|targets?\b|bed|ing|suite|plan|account|double|helper|utilit|file name|counts?\b|numbers?\b|results?\b|output|instructions?\b|badges?\b|matrix|docs?\b|containers?\b|artifacts?\b)|(?<=\btest)\s+(?:with|on|against|under)\b|[^.;]{0,40}\bto\s+(?:the\s+)?(?:sdist|tarball|distribution|package|matrix|ci|image|docker|tox|workflow)\b)"
TESTED = combine_patterns(
    rf"\b(?:add(?:s|ed|ing)?|includ(?:es?|ed|ing)|wr(?:ites?|ote|itten)|extend(?:s|ed)?|updat(?:es?|ed)|improv(?:es?|ed)|with)\s+{_ADJECTIVES}{_TESTS}",
    rf"\b(?:updat(?:es?|ed)|extend(?:s|ed)?|expand(?:s|ed)?|adapt(?:s|ed)?|adjust(?:s|ed)?|improv(?:es?|ed))\s+(?:the\s+|our\s+)?(?:existing\s+|current\s+|affected\s+|related\s+)?(?:unit\s+|integration\s+)?(?:{_TESTS}|test suite\b)",
    r"^(?:[-*+]\s+)?tests?:\s+(?:add|extend|cover|new|updat|regression)\w{0,4}\b",
    r"\b(?:adds?|added|adding|extends?|extended|improves?|improved)\s+(?:unit\s+|more\s+|some\s+|missing\s+)?(?:regression|unit[- ]test|test)\s+coverage\b",
    r"^(?:[-*+]\s+)?more\s+(?:unit\s+|integration\s+)?tests(?=\s*(?:$|[.,;]|\bfor\b))|^\+\s+tests\s*$",
    r"\b(?:adds?|added)\s+(?:some\s+|more\s+|new\s+)?assertions\b",
    r"\btests?\s+(?:cases?\s+)?(?:`[^`\n]{1,80}`\s+)?(?:(?:have|has|were|was|are|is)\s+)?(?:been\s+)?(?:added|included|updated|extended|written)\b",
    r"\btests?\s+(?:cases?\s+)?(?:for|of|on|around|covering)\s+[^\s.;:!?][^.;:!?\n]{0,80}?\s(?:have|has|were|was|are|is)\s+(?:been\s+)?(?:also\s+)?(?:added|included|written)\b(?!\s+(?:later|separately|elsewhere|in (?:a|the) (?:next|follow|later)))",
    r"\bcovered by\s+(?:an?\s+|some\s+|two\s+|three\s+)?(?:(?!existing\b|current\b|already\b|our\b|the\b|other\b)[\w-]{1,30}\s+){0,3}tests?\b",
    rf"\b(?:add|introduc|implement|creat|includ|writ|provid|bring)\w{{0,4}}\s+[^.;:!?]{{1,120}}?(?:,\s*|\s+)(?:and|plus|with|along with|together with|as well as)\s+(?:also\s+)?(?:an?|new|some|two|three|several|\d+|unit|regression|integration)\s+(?:[\w-]{{1,30}}\s+){{0,3}}?{_TESTS}",
    r"\b(?:plus|including|incl\.?)\s+(?:new\s+|unit\s+|regression\s+)?tests\b(?=\s*(?:$|[.,;)]))",
    r"\b(?:add|introduc|implement|creat|includ|writ|provid|bring)\w{0,4}\s+(?:(?!to\b|for\b|that\b|which\b|run|when\b|between\b|of\b|with\b|in\b|and\b|on\b)[^\s.;:!?]{1,60}\s+){1,8}?(?:(?:and|&|\+)\s+)?(?<=[,d&+]\s)(?:unit\s+|regression\s+)?tests(?=\s*(?:$|[.,;)]|\band\b))",
    r"^(?:[-*+]\s+)?(?:unit\s+tests\s+cover|tests\s+now\s+cover|new\s+tests\s+cover)\b",
    r"^[-*+]\s+(?:(?:new|unit|regression|integration|added)\s+){0,3}tests?\s+(?:cases?\s+)?(?:for|that|covering|of)\b(?!.{0,80}\b(?:pass|run|ran|green|fail)\w*)",
    r"\bnew\s+(?:(?:unit|regression|integration|e2e|end-to-end|table-driven)\s+)?tests?\s+(?:cases?\s+)?(?:for|covers?|covering|in|that|which)\b",
    r"\b(?:add(?:s|ed|ing)?|includ(?:es?|ed|ing)|with|writes?|wrote)\s+(?:an?\s+|some\s+|new\s+)(?:[\w-]{1,20}\s+){0,2}specs?\b(?=\s+(?:for|that|which|cover\w*)\b)(?!\s+for\s+the\s+(?:api|format|protocol))",
    r"\b(?:adds?|added|adding|extends?|extended)\s+(?:unit\s+|more\s+|some\s+)?test coverage\b",
    r"\b(?:an?|new|one|two|three|more)\s+(?:(?:new|unit|regression|integration)\s+){0,2}tests?\s+(?:cases?\s+)?(?:in\s+\S{1,100}\s+)?(?:now\s+)?(?:reproduces?|exercises?|demonstrates?|holds?|covers?|proves?|checks?|verif(?:y|ies)|guards?|pins?|asserts?|ensures?|makes? sure)\b(?!.{0,60}\balready\b)",
    r"^\[x\]\s+(?:unit |regression |integration )?(?:tests\b|test(?=\s*(?:$|[.,;:]|cases?\b|added\b|for\b)))(?!\s+(?:on|in|against|under|the|with|that|if|whether|both|all)\b)(?!.{0,80}\b(?:pass|run|ran|exist|local))",
)
_CALLED = r"(?:(?:public|external|exported|published)\s+)?(?:apis?|interfaces?|signatures?|contracts?|names|parameters)"
UNBROKEN = combine_patterns(
    r"\bno\s+(?:api\s+|public\s+)?break(?:ing|s|age)\b",
    r"\bnon-?breaking\b",
    r"\b(?:not|isn't)\s+(?:an?\s+)?breaking\b",
    r"\bwithout\s+(?:any\s+)?break(?:ing|age)\b",
    r"\b(?:doesn't|does not|won't|will not)\s+break\b",
    r"\b(?:fully\s+)?(?:backwards?|upwards?|api|source)[- ]compatible\b(?!\s+(?:accessors?|shims?|alias(?:es)?|layers?|wrappers?|helpers?|code|propert(?:y|ies)|names?|imports?)\b)",
    rf"\b{_CALLED}\s+(?:(?:of|in)\s+(?:the\s+)?[^\s.;:!?]{{1,80}}\s+(?:[^\s.;:!?]{{1,30}}\s+){{0,2}}?)?(?:is|are|stays?|remains?|was|were)\s+(?:kept\s+)?(?:unchanged|untouched|stable|the same|unaffected|intact|identical|as (?:it was|they were|before))\b",
    rf"\bno\s+changes?\s+(?:to|of|in)\s+(?:the\s+|any\s+|our\s+)?{_CALLED}\b",
    rf"\bno\s+{_CALLED}\s+changes?\b",
    rf"\b(?:doesn't|does not|don't|do not)\s+(?:change|touch|alter|affect)\s+(?:the\s+|any\s+|our\s+)?{_CALLED}\b",
    rf"\bwithout\s+(?:changing|touching|altering|affecting)\s+(?:the\s+|any\s+|our\s+)?{_CALLED}\b",
    rf"\bleav(?:es?|ing)\s+(?:the\s+|our\s+)?{_CALLED}\s+(?:alone|unchanged|untouched|as (?:it|they) (?:is|are|was|were))\b",
    r"\b(?:existing\s+|all\s+)?(?:callers|clients|consumers|users of the library)\s+(?:are\s+(?:not affected|unaffected)|need(?:n't| not)\s+(?:to\s+)?(?:change|adapt|do)|(?:do not|don't)\s+(?:have|need)\s+to\s+(?:change|adapt|do)|keep working|continue to work|work as before|see no (?:change|difference))\b",
    r"\bdrop-?in\s+replacement\b",
    r"\b(?:old|former|previous|existing)\s+(?:\w+\s+)?(?:names?|functions?|methods?|spellings?|signatures?|parameters?|arguments?|imports?|ways?|forms?|calls?|entry points?)\s+(?:(?:still|also|all)\s+)?(?:stays?|remains?|works?|works? as before|exists?|(?:is|are)\s+(?:still\s+(?:there|here|available|supported|accepted)|kept|retained|unchanged)|keeps?\s+(?:on\s+)?working|continues?\s+to\s+(?:work|exist))",
    r"\b(?:keep|leav|retain)(?:s|ing|e|es)?\s+(?:the\s+)?(?:old|former|previous|existing)\s+(?:names?|functions?|methods?|spellings?|parameters?|exports?|aliases|signatures?)\b",
    r"\b(?:nothing|no (?:public )?(?:function|method|class|name|symbol|export)s?)\s+(?:public\s+)?(?:is|are|was|were)\s+(?:removed|renamed|dropped)\b",
    r"\b(?:everything|all)\s+(?:that\s+(?:is|was)\s+)?(?:public|exported)\s+(?:stays?|remains?|is kept)\b",
)
_DOCUMENTATION = r"(?:docs?|documentation|readme|comments?|docstrings?)"
DOCUMENTS = combine_patterns(
    rf"(?<!\bleft )(?<!\bkept )(?<!\bas )\b{_DOCUMENTATION}(?:-|\s+changes?\s+)only\b|\b{_DOCUMENTATION}\s+only(?=\s*(?:changes?\b|[.,;:!)\]]|$))",
    r"(?<!contained )(?<!contains )(?<!are )(?<!has )(?<!with )\b(?:only|just|purely|merely|nothing but)\s+(?:(?:touch|chang|updat|edit|affect|fix|improv)\w{0,4}\s+)?(?:the\s+|a\s+)?(?:docs|documentation|readme|docstrings?|comments)\b(?!\s+(?:exist|remain|in)\b)",
)
_SLIPS = r"(?:typos?|misspellings?|typing\s+(?:mistakes?|slips?)|(?:spelling|grammar|grammatical|punctuation|orthographic)\s+(?:mistakes?|errors?|slips?))"
"""A typing error is one of the keyboard or one of type annotations, so it is none of these."""
_MENDS = r"(?:fix|correct|mend|repair|amend|tidy)(?:es|s|ed|ing)?"
TYPO_TITLE = combine_patterns(
    rf"^(?!.{{0,200}}(?:[;+&]|,|\band\b)\s*(?!{_SLIPS}|grammar|spelling|wording|punctuation|whitespace|format|links?\b)).{{0,200}}\b(?:typos?\b|{_MENDS}\s+(?:(?:an?|the|some|several|few|small|minor|more|\d+)\s+){{0,3}}(?:{_SLIPS}\b|(?:the\s+)?spelling\b))"
)
TYPO = combine_patterns(
    rf"\b(?:just|only|merely)\s+(?:{_MENDS}\s+)?(?:an?\s+|some\s+)?(?:small\s+|minor\s+)?{_SLIPS}\b",
    rf"\b{_SLIPS}[- ]only\b",
    r"^(?:(?:just|only|it is|it's|this is)\s+){0,2}(?:a\s+|an\s+)?(?:one|single|1)[- ](?:word|letter|character)\b",
)
_DEEDS = r"(?:bug\s?fix|fix|change|tweak|edit|correction|adjustment|clean-?up|improvement|patch|update|refactor(?:ing)?)(?:e?s)?"
_LITTLE = r"(?:small|tiny|minor|trivial|little|quick|cosmetic|simple|one-?line|single-?line)"
SMALL_TITLE = combine_patterns(
    rf"^(?:\w+(?:\([^)]{{0,80}}\))?!?:\s*)?(?:make\s+|some\s+|just\s+|a\s+)?(?:very\s+)?{_LITTLE}\s+(?:\w+\s+)?{_DEEDS}\b",
    r"\bone-?liner\b",
)
SMALL = combine_patterns(
    rf"^(?:this\s+(?:\w+\s+){{0,2}}?is\s+|this\s+makes\s+|it\s+is\s+|it's\s+|only\s+|just\s+|merely\s+){{1,2}}(?:an?\s+|some\s+|a\s+few\s+)?(?:very\s+|rather\s+|pretty\s+)?{_LITTLE}\s+(?:\w+\s+)?{_DEEDS}\b",
    rf"^(?:just\s+)?(?:an?\s+)?(?:very\s+|rather\s+)?{_LITTLE}\s+(?:\w+\s+)?{_DEEDS}(?=\s*[:.;,!])",
    r"^(?:only|just)\s+(?:an?\s+)?(?:few|couple of|handful of|one|two)\s+lines?\b",
)
_BEHAVIOUR = r"(?:behaviou?r|functionality|logic|semantics|output)"
_PARTLY = r"(?!\s+(?:otherwise|when|where|if|unless|for|on|in|with|without|while|until)\b)"
"""What would narrow a claim down to a part of the change."""
_SAME = r"(?:unchanged|the same|identical|unaffected|untouched|preserved|not changed|not affected|as (?:it was|before))"
REFACTORING_TITLE = combine_patterns(
    r"^refactor(?:\([^)]{0,80}\))?:(?!.{0,200}\b(?:remov|replac|drop|delet|migrat|switch|deprecat|rework|redesign|port|upgrad|bump)\w*)"
)
"""What such a title tells itself of names and behaviour, it does not hide."""
REFACTORING = combine_patterns(
    r"\b(?:pure|purely|only|just|merely)\s+(?:an?\s+)?(?:internal\s+)?(?:refactor(?:ing|s|ed)?|restructur(?:ing|es|ed)|reorgani[sz](?:ation|ing|es|ed)|clean-?ups?)\b",
    r"\b(?:refactor(?:ing)?|clean-?up)[- ]only\b",
    r"\binternal[- ](?:changes?[- ]only|only\s+changes?)\b|\b(?:only|just|purely)\s+internal(?:s|\s+changes?)?\b(?!\s+(?:api|use|link|tool))",
    r"\bno\s+(?:functional|behaviou?ral?|behaviou?r|semantic|logic(?:al)?|user[- ](?:visible|facing)|observable)\s+(?:changes?|differences?|impact|effects?)\b"
    + _PARTLY,
    rf"\bno\s+(?:changes?|differences?)\s+(?:in|to|of)\s+(?:the\s+|any\s+)?(?:\w+\s+)?{_BEHAVIOUR}\b{_PARTLY}",
    rf"(?<!\bremaining )(?<!\bother )\b{_BEHAVIOUR}\s+(?:is|are|stays?|remains?|was|were)\s+(?:kept\s+)?(?:exactly\s+|completely\s+)?{_SAME}\b{_PARTLY}",
    rf"\b(?:doesn't|does not|do not|don't)\s+(?:change|alter|affect)\s+(?:any\s+|the\s+)?(?:\w+\s+)?{_BEHAVIOUR}\b",
    rf"\bwithout\s+(?:changing|altering|affecting)\s+(?:any\s+|the\s+)?(?:\w+\s+)?{_BEHAVIOUR}\b",
    r"\bfunctionally\s+(?:identical|equivalent|the same|unchanged)\b",
    r"\bnothing\s+changes\s+for\s+(?:the\s+)?(?:users?|callers|customers)\b",
)
LAYOUT_TITLE = combine_patterns(r"^style(?:\([^)]{0,80}\))?:")
LAYOUT = combine_patterns(
    r"\b(?:format(?:ting)?|whitespace|white space|style|styling|layout)[- ](?:changes?[- ])?only\b(?=\s*(?:changes?|commit|edits?|diff|$|[.,;:!)]))",
    r"\b(?:only|just|purely|merely)\s+(?:an?\s+)?(?:(?:re)?format(?:s|ting|ted)?|whitespace|white space|style fixes|lint fixes|styling)\b(?!\s+(?:the\s+)?(?:output|strings?|dates?|numbers?|messages?))",
)
SAME_CODE = combine_patterns(REFACTORING.pattern, LAYOUT.pattern, DOCUMENTS.pattern)
"""That code does what it did before, in whatever words."""
_UPDATES = r"(?:add(?:s|ed|ing)?|updat(?:es?|ed|ing)|extend(?:s|ed|ing)?|adapt(?:s|ed|ing)?|adjust(?:s|ed|ing)?|chang(?:es?|ed|ing)|edit(?:s|ed|ing)?|revis(?:es?|ed|ing)|rewr(?:ites?|ote|itten)|refresh(?:es|ed)?|improv(?:es?|ed|ing)|amend(?:s|ed)?|creat(?:es?|ed|ing)|includ(?:es?|ed|ing)|regenerat(?:es?|ed|ing)|refresh(?:es|ed)?|with|plus|comes with|brings?)"
_SOME = r"(?:(?:an?|the|some|new|our|more|matching|corresponding|relevant|necessary|missing|database|db|schema|project|also|user|api|public|short|github|ci|actions?|entry|entries|section|line|note|to|in|for|of)\s+){0,5}"
_IS = r"(?:\s+(?:entry|entries|section|note|file)s?)?(?:\s+(?:(?:has|have|had)\s+been|is|are|was|were|gets?|got))?\s+(?:also\s+|now\s+|accordingly\s+)?(?:updated|adapted|adjusted|extended|added|changed|amended|revised|regenerated|refreshed|rewritten|included|edited)\b"


def _updated(thing: str, beyond: str = "") -> re.Pattern[str]:
    """A thing that is said to be updated, or to come along."""
    return combine_patterns(
        rf"\b{_UPDATES}\s+{_SOME}{thing}{beyond}", rf"\b{thing}{_IS}", rf"^\[x\]\s+(?:\w+\s+){{0,2}}{thing}{_IS}"
    )


DOCUMENTED = _updated(
    r"(?:(?:docs|documentation|user guide)\b|manual\b(?=\s*(?:$|[.,;:!)]|pages?\b|entr|sections?\b|(?:for|and|too|accordingly|now|also|is|are|was|has|have|gets?|got|updated|extended|adapted|adjusted)\b)))",
    r"(?!\s*(?:strings?|tests?|build|generat|links?\b|site|checks?|job|workflow|title|theme|fold|of\b))",
)
PIPELINE_TITLE = combine_patterns(r"^ci(?:\([^)]{0,80}\))?!?:")
DEPENDENCIES_TITLE = combine_patterns(
    r"^(?:build|chore|fix)\((?:[\w-]{0,20}-)?deps(?:-[\w-]{0,20})?\)!?:|^deps(?:\([^)]{0,80}\))?:",
    r"^(?:\w+(?:\([^)]{0,80}\))?!?:\s*)?(?:bump|upgrade|update|refresh)\s+(?:all\s+|the\s+|our\s+|dev\s+|npm\s+|pip\s+|python\s+|go\s+|rust\s+|third[- ]party\s+|outdated\s+|some\s+){0,3}(?:dependenc(?:y|ies)|deps|requirements|packages)\s*(?:$|[.(#])",
)
NO_DEPENDENCY = combine_patterns(
    r"\b(?:no|without(?:\s+any)?|zero)\s+(?:new|additional|extra|further|added)\s+(?:\w+\s+)?(?:dependenc(?:y|ies)|deps|requirements|packages|librar(?:y|ies))\b",
    r"\b(?:no|without(?:\s+any)?)\s+(?:dependenc(?:y|ies)|deps|packages)\s+(?:(?:is|are|was|were|has been|have been)\s+)?(?:added|introduced|needed|new)\b",
    r"\b(?:doesn't|does not|don't|do not)\s+(?:add|introduce|bring(?: in)?|need|require|pull in)\s+(?:any\s+|a\s+)?(?:new\s+|further\s+|additional\s+|extra\s+)?(?:\w+\s+)?(?:dependenc(?:y|ies)|deps|packages)\b",
    r"\b(?:adds?|introduces?|brings?(?: in)?)\s+no\s+(?:new\s+|further\s+|additional\s+)?(?:\w+\s+)?(?:dependenc(?:y|ies)|deps|packages)\b",
    r"\bdependencies\s+(?:are|stay|remain)\s+(?:unchanged|untouched|the same|as they (?:were|are))\b",
)
NO_TESTS = combine_patterns(
    r"\b(?:has|have|adds?|contains?|includes?|comes?\s+with|brings?)\s+no\s+(?:new\s+|unit\s+|further\s+)?tests\b(?!\s+(?:for|that|which|of|in|fail\w*|yet exist))",
    r"\bno\s+(?:new\s+)?tests\s+(?:are|were|have been)\s+(?:added|included|written)\b",
)
NO_FOREIGN_CODE = combine_patterns(
    r"\b(?:no|without(?:\s+any)?|not\s+any)\s+(?:new\s+)?(?:third[- ]party|vendored|foreign|external)\s+(?:code|librar(?:y|ies)|scripts?|sources?|packages?)\b",
)
MOVED_ONLY = combine_patterns(
    r"\b(?:pure|purely|only|just|simply|merely)\s+(?:an?\s+)?(?:file\s+|code\s+|mechanical\s+)?(?:renam(?:e[sd]?|ing)|mov(?:e[sd]?|ing)|relocat(?:e[sd]?|ion))\b(?!\s+(?:when|if|after|once))",
    r"\b(?:rename|move)[- ]only\b",
    r"\bmoved?\s+(?:\w+\s+){0,4}(?:verbatim|as[- ]is|unchanged|without (?:any )?changes?)\b",
)
ADDITIVE = combine_patterns(
    r"\b(?:purely|strictly|only|just|completely|entirely)\s+additive\b",
    r"\b(?:additive|additions?)[- ]only\b|\bonly\s+(?:adds?\s+(?:code|lines|things|files|functions|new \w+)\b|additions?\b)",
    r"\bnothing\s+(?:is|was|has been|gets)\s+(?:removed|deleted|taken away|dropped)\b",
    r"\b(?:no|without(?:\s+any)?)\s+(?:code\s+|functions?\s+|existing\s+code\s+)?(?:(?:is|was|has been)\s+)?(?:removed|deleted|deletions|removals)\b",
)
FEATURE_TITLE = combine_patterns(
    r"^feat(?:ure)?(?:\([^)]{0,80}\))?!?:(?!.{0,200}\b(?:docs?|document\w*|readme|reports?|guides?|tutorials?|diagrams?|tests?|examples?|website|pages?|posts?|notebooks?|spec\w*|constitution\w*|checklists?|templates?|prompts?|skills?|rules?|plans?)\b)"
)
ANNOTATED = _updated(
    r"(?:type[- ](?:hints?|annotations?)|typing annotations?)\b", r"(?!\s*(?:check|syntax|support|pars))"
)
WITH_DOCSTRINGS = _updated(r"doc-?strings?\b", r"(?!\s*(?:check|lint|support|pars|format|style))")
_ANYWHERE = """
the and for with from into that this these those when where which what all any some more most few new old own our its their there here
code file line thing change fix bug issue problem error work job stuff part place way case time point support feature function method class module
test doc make made get set use used using not are was were has have had been will can could should may also only just now then than very
better good well improve improvement update cleanup clean tidy minor small big large little various several many other another same different
first last next previous current existing review comment feedback request pull branch main master version release build run running
user people customer team one two three again after before because since while during about over under between them they you your his her
without instead still already always never sometimes often per via step day week monday nightly daily default value name type data
"""
GENERAL = frozenset(_ANYWHERE.split())
"""Words that stand in descriptions of any change, so that they say nothing of one."""
_USELESS = r"(?:(?:now\s+)?(?:unused|dead|redundant|duplicated?|obsolete|unreachable|unneeded|unnecessary|leftover|commented[- ]out|old|legacy))"
TAKES_AWAY = combine_patterns(
    rf"^(?:[-*+]\s+|\[x\]\s+|\w{{1,20}}(?:\([^)]{{0,60}}\))?!?:\s+)?(?:this\s+(?:\w+\s+)?|it\s+|also\s+|and\s+)?(?:also\s+)?(?:remov|delet|drop|clean|strip|eliminat)(?:es?|s|e?d|ing|ped|ping)?\s+(?:up\s+|out\s+)?(?:the\s+|some\s+|all\s+|an?\s+|several\s+){{0,2}}{_USELESS}\s+(?:[\w-]{{1,20}}\s+){{0,2}}?(?:imports?|code(?:\s+path)?|variables?|functions?|helpers?|methods?|parameters?|arguments?|branch(?:es)?|checks?|class(?:es)?|logic|fallbacks?|implementation|constants?|props?|types?|assignments?|comments?)\b",
    r"\bthe\s+(?:old|previous|former|duplicated|legacy)\s+(?:implementation|code(?:\s+path)?|logic|helpers?|function|class|method)\s+(?:is|was|has been|are|were)\s+(?:now\s+)?(?:removed|gone|deleted|dropped)\b",
)
