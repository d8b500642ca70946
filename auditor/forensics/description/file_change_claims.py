"""What is said to happen to files and folders: that they alone change, that they stay as they were, that they are worked on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from auditor.domain import FileChange, Status
from auditor.forensics.dependencies.manifest_formats import is_manifest, read_manifest
from auditor.forensics.description.change_clauses import own_clauses
from auditor.forensics.description.change_contents import (
    FROM_WORDING,
    LATER,
    MAX_SENTENCES,
    Answer,
    Ground,
    Held,
    Sentence,
    denied,
    places,
    put_off,
)
from auditor.forensics.description.change_scope_claims import code_changed
from auditor.forensics.description.file_references import RUNS_CODE, Named, Noun, stands, touches
from auditor.forensics.description.masked_sentences import MASK
from auditor.forensics.source_text.file_roles import Role, is_code, is_test, role
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns, first_group
from auditor.lazy_regex import lazy_compile

_FILL = r"(?:(?:the|an?|our|any|its|this|these|all|both|existing|current|old|new|project|root|main|top-level|respective|corresponding|relevant|necessary|whole|entire|also|other|of|files?|folders?|directory|modules?|packages?|scripts?|(?:anything|files?|code|contents?|lines?|something|single line) (?:in|of|under|inside|below))\s+){0,5}"
_OWN_CLAUSE = r"(?!\s+(?:now|is|was|has|had|will|can|should|also|\w{2,20}s)\b)"
"""What follows a noun that begins a clause of its own instead of going on with a list."""
_LIST = rf"{MASK}(?:\s*(?:,\s*and\b|,\s*or\b|\band\b|&|\bor\b|\bnor\b|/|\+)\s*(?:(?:to|in|into)\s+)?{_FILL}{MASK}{_OWN_CLAUSE}|,\s*{MASK}(?=\s*(?:[,.;:)]|$|\band\b|\bor\b|&))){{0,8}}"
_OTHERS = r"(?:[\w'`.-]{1,40}(?:\s*[,/]|\s+(?:and|or|nor))?\s+){0,6}?"
"""What else a list names before, such as the interface."""
_CHANGED = r"(?:chang(?:ed|es?|ing)|touch(?:ed|ing)?|edit(?:ed|ing)?|modif(?:ied|y|ying)|alter(?:ed|ing)?|affect(?:ed|ing)?|updat(?:ed|e|ing)|adapt(?:ed|ing)?|adjust(?:ed|ing)?)"
_CHANGES = r"(?:chang|touch|edit|modif|updat|affect|adjust|alter)\w{0,4}"
_SO_FAR = r"(?!\s+(?:otherwise|when|where|if|unless|for|on|while|until|except|apart|other than|besides|but|beyond|by\b)|\s*[,(]?\s*(?:except|apart from|other than|aside|besides|save for|but (?:for|the|one)))"
"""What would narrow a claim down to a part of the change."""
_AS_BEFORE = rf"(?:not\s+(?:been\s+)?{_CHANGED}|untouched|unchanged|unaffected|unmodified|unaltered|the same|intact|left (?:alone|untouched|unchanged|as)|as[- ](?:is|it|they|before))"
_BE = r"(?:is|are|was|were|has been|have been|remains?|stays?|left|kept)"
KEPT = combine_patterns(
    rf"\b(?:no|without(?:\s+any)?|zero)\s+(?:(?!other\b|further\b|more\b|additional\b)[\w-]{{1,20}}\s+){{0,2}}?(?:changes?|edits?|modifications?|alterations?)\s+(?:(?:is|are|was|were)\s+)?(?:(?:made|needed|required|done|necessary)\s+)?(?:to|in|of|on|within|under|inside)\s+{_FILL}{_OTHERS}(?P<none_to>{_LIST}){_SO_FAR}",
    rf"\b(?:no|none of(?: the)?)\s+{_FILL}(?P<none>{_LIST})\s+(?:(?:files?|code|lines?)\s+)?(?:changes?|edits?|(?:(?:is|are|was|were|has been|have been|gets?|got|had to|has to|have to|needed to|need to)\s+)?(?:be\s+)?{_CHANGED})\b{_SO_FAR}",
    rf"\b(?:does not|doesn't|did not|didn't|without|never|not|nor)\s+(?:(?:have|had|need)(?:\s+to)?\s+|actually\s+|even\s+)?{_CHANGES}\s+{_FILL}{_OTHERS}(?P<not_changed>{_LIST}){_SO_FAR}",
    rf"\b(?:i|we|commits?|prs?)\s+(?:do not|don't)\s+{_CHANGES}\s+{_FILL}(?P<we_leave>{_LIST}){_SO_FAR}",
    rf"(?P<stays>{_LIST})\s+(?:(?:files?|code|itself|themselves)\s+)?(?:{_BE}\s+){{1,3}}(?:(?:all|completely|entirely|intentionally|deliberately|totally|kept|left)\s+){{0,2}}{_AS_BEFORE}\b{_SO_FAR}",
    rf"(?P<bare>{_LIST})\s+(?:files?\s+|code\s+)?(?:untouched|unchanged|unmodified|unaffected|not (?:touched|changed|modified))(?=\s*(?:$|[.,;)]))",
    rf"\b(?:leav(?:es?|ing)|left|keep(?:s|ing)?|kept)\s+{_FILL}(?P<left>{_LIST})\s+(?:completely\s+|entirely\s+)?(?:alone|{_AS_BEFORE})\b{_SO_FAR}",
    rf"(?P<told>{_LIST})\s*[:=(-]{{1,2}}\s*(?:unchanged|untouched|no changes?|not (?:touched|changed))\b",
    rf"(?P<pass>{_LIST})\s+(?:(?:still|all|also|should|will|must|continue to)\s+){{0,2}}(?:pass(?:es|ing|ed)?|works?|runs?|(?:is|are) green|stays? green)\s+(?:exactly\s+)?(?:unchanged|unmodified|untouched|as[- ]is|as they (?:are|were)|without\s+(?:(?:any|a single|further)\s+)?(?:changes?|modifications?|edits?|adjustments?|being\s+\w+|(?:chang|touch|edit|modif|adapt)\w+ (?:them|it|any)))\b",
    rf"\b(?:nothing|not a (?:single )?line|no lines?|no part)\s+(?:in|of|under|inside)\s+{_FILL}(?P<nothing_in>{_LIST})\s+(?:is|are|was|were|has been|changes?)\b",
    rf"(?P<spared>{_LIST})\s+(?:did not|didn't|do not|don't|does not|doesn't)\s+(?:have to|need(?: to)?|require)\s+(?:be\s+|any\s+)?{_CHANGES}\b{_SO_FAR}",
    rf"\bno\s+need\s+to\s+{_CHANGES}\s+{_FILL}(?P<no_need>{_LIST}){_SO_FAR}",
)
_END = r"(?=\s*(?:$|[.,;:!)(\u2013\u2014]|-\s|in this\b|here\b|and\s+(?:no|nothing)\b))"
_ALONE = r"(?:only|just|solely|exclusively|merely|purely|nothing but)"
ONLY = combine_patterns(
    rf"\b(?:this|it|(?:pr|commit|change|patch|that))\s+{_ALONE}\s+(?:add|improv|extend|fix|tweak)\w{{0,4}}\s+{_FILL}(?:(?:more|missing|some|few|several|unit|new)\s+){{0,2}}(?P<adds>{_LIST})(?:{_END}|(?=\s+for\b))",
    rf"\bno\s+(?:other\s+)?(?:(?!other\b)\w+\s+)?(?:files?|modules?|code|lines?)\s+(?:other than|besides|except(?: for)?|apart from|but|outside(?: of)?|than)\s+{_FILL}(?P<none_but>{_LIST})",
    rf"\b{_ALONE}\s+(?:ever\s+)?(?:(?:touch|chang|edit|modif|updat|affect|adjust)\w{{0,4}})\s+{_FILL}(?P<worked>{_LIST}){_END}",
    rf"\b(?:touch|chang|edit|modif|updat|affect|adjust)(?:e?s|e?d|ing)?\s+{_ALONE}\s+{_FILL}(?P<touches>{_LIST}){_END}",
    rf"(?:^(?:[-*+]\s+|\[x\]\s+)?|[:;,(]\s*|\b(?:this|it|pr|commit|change|patch|that)(?:'s|\s+is|\s+was)\s+){_ALONE}\s+(?:an?\s+)?{_FILL}(?P<alone>{_LIST})(?:\s+(?:files?|changes?|updates?|tweaks?|edits?|bumps?|upgrades?))?(?:\s+(?:(?:is|are|was|were|has been|have been)\s+)?{_CHANGED}\b|{_END})",
    rf"(?P<kind>{_LIST})(?:-|\s+changes?\s+|\s+)only\b(?=\s*(?:$|[.,;:!)]|changes?\b|commit\b|pr\b|patch\b|diff\b|update\b))",
    rf"\b(?:changes?|diff|edits?|patch|work|fix|pr|pull request|commit|it|this|everything)\s+(?:is|are|was|were|stays?|remains?)\s+(?:\w+\s+)?(?:limited|confined|restricted|scoped|contained|isolated|local)\s+(?:only\s+)?(?:to|in|within)\s+{_FILL}(?P<limited>{_LIST})",
    rf"(?:^|[:;,(]\s*)(?:limited|confined|restricted|scoped|local)\s+to\s+{_FILL}(?P<limited_first>{_LIST})",
    rf"\bnothing\s+(?:\w+\s+)?(?:outside(?:\s+of)?|beyond|other than|except(?: for)?|besides|but|apart from)\s+{_FILL}(?P<beside>{_LIST})(?!\s+(?:ever\s+)?(?:call|us|need|depend|import|reli|rely|refer|read|know|test)\w*\b)",
    rf"\b(?:all|every)(?:\s+of)?\s+(?:the\s+|my\s+|these\s+)?(?:code\s+)?(?:changes?|edits?|diff|work)\s+(?:is|are|happens?|lives?|stays?|sits?)\s+(?:only\s+)?(?:in|inside|under|within|limited to|confined to)\s+{_FILL}(?P<within>{_LIST})",
    rf"(?P<sole>{_LIST})\s+(?:is|are|was|were)\s+the\s+only\s+(?:\w+\s+)?(?:files?|things?|modules?|places?|parts?)\b(?!\s+(?:that\s+)?(?:us|call|depend|import|need|read|writ|contain|hav|fail)\w*)",
    rf"\bthe\s+only\s+(?:(?:touched|changed|modified|edited|affected)\s+)?(?:files?|modules?|{MASK})\s+(?:(?:that|this|i|we|pr|change|is|are|was|were|touched|changed|changes|modified|edited|affected|touches|here)\s+){{0,6}}(?:is|are)\s+{_FILL}(?P<sole_named>{_LIST}){_END}",
)
_NOTHING_ELSE = combine_patterns(
    r"\b(?:nothing else|no other (?:\w+\s+)?(?:files?|modules?|code|changes?)|no further changes?)\b(?!\s+(?:(?:is|are|was|were)\s+)?(?:needed|required|necessary|works?|us(?:es?|ed)|depends?|imports?|calls?|reads?|fails?|matters|helps|to do))"
)
_STRICT = combine_patterns(
    r"\bno\s+(?:other\s+)?(?:\w+\s+)?files?\b|\bnothing\s+(?:\w+\s+)?(?:outside|beyond|other|except|besides|but|apart)|\bonly\s+(?:\w+\s+)?files?\b"
)
_OF_CODE = combine_patterns(r"\b(?:code|logic|functional|production|product|source|behaviou?r\w*|implementation)\b")
"""Words by which tests and documents are not spoken of."""
_WORKED = r"(?:add(?:s|ed|ing)?|updat(?:es?|ed|ing)|extend(?:s|ed|ing)?|adapt(?:s|ed|ing)?|adjust(?:s|ed|ing)?|chang(?:es?|ed|ing)|edit(?:s|ed|ing)?|modif(?:y|ies|ied|ying)|revis(?:es?|ed|ing)|(?:re)?wr(?:ites?|ote|itten)|refresh(?:es|ed)?|improv(?:es?|ed|ing)|amend(?:s|ed)?|creat(?:es?|ed|ing)|regenerat(?:es?|ed|ing)|bump(?:s|ed|ing)?|touch(?:es|ed|ing)?|refactor(?:s|ed|ing)?|fix(?:es|ed|ing)?)"
_COMES = r"(?:includ(?:es?|ed|ing)|with|plus|comes with|brings?)"
_SOME = r"(?:(?:an?|the|both|some|new|our|more|matching|corresponding|relevant|necessary|missing|project|also|user|api|public|short|github|actions?|entry|entries|section|line|note|to|in|for|of)\s+){0,5}"
_BETWEEN = r"(?:\s+(?!(?:to|that|which|who|when|where|so|because|if|as|like|by|for|from|with|via|how|whether|what|while|after|before|on|than|without|into|in|have|has|had|is|are|was|were|read|reads|reading|stored|missing|found|used|defined|declared)\b)[^\s.,;:]{1,80}){1,10}"
_WRITTEN = r"(?:add(?:s|ed|ing)?|append(?:s|ed|ing)?|document(?:s|ed|ing)?|mention(?:s|ed|ing)?|describ(?:es?|ed|ing)|explain(?:s|ed|ing)?|not(?:es|ed|ing)|record(?:s|ed|ing)?|writ(?:es?|ing)|wrote|list(?:s|ed|ing)?|regist(?:ers?|ered|ering)|declar(?:es?|ed|ing)|bump(?:s|ed|ing)?|rais(?:es?|ed|ing)|lower(?:s|ed|ing)?|pin(?:s|ned|ning)?|insert(?:s|ed|ing)?|put(?:s|ting)?|updat(?:es?|ed|ing)|chang(?:es?|ed|ing)|edit(?:s|ed|ing)?|renam(?:es?|ed|ing)|replac(?:es?|ed|ing)|remov(?:es?|ed|ing)|adjust(?:s|ed|ing)?|enabl(?:es?|ed|ing)|disabl(?:es?|ed|ing)|configur(?:es?|ed|ing)|set(?:s|ting)?|implement(?:s|ed|ing)?|introduc(?:es?|ed|ing)|creat(?:es?|ed|ing)|increas(?:es?|ed|ing)|extend(?:s|ed|ing)?|fix(?:es|ed|ing)?)"
_NO_PART = r"(?!\s+(?:support|usages?|uses?|imports?|references?|calls?|links?|mentions?|paths?|handling|names?|pars\w+|from\b|that\s+(?:is|was|are|were)\b)|'s\b)"
_PASSIVE = r"(?:\s+(?:entry|entries|section|note|file)s?)?(?:\s+(?:(?:has|have|had)\s+been|is|are|was|were|gets?|got))?\s+(?:also\s+|now\s+|accordingly\s+|too\s+)?(?:updated|adapted|adjusted|extended|added|changed|amended|revised|regenerated|refreshed|rewritten|included|edited|bumped)\b(?!\s+(?:when|if|by|on|every|each|automatically|only|once|unless|while|during|after|before))"
DONE = combine_patterns(
    rf"\b{_WORKED}\s+{_SOME}(?P<object>{_LIST}){_NO_PART}",
    rf"\b{_COMES}\s+{_SOME}(?P<along>{MASK}){_NO_PART}",
    rf"\b{_WRITTEN}{_BETWEEN}(?<!\blink)(?<!\blinks)(?<!\breference)(?<!\breferences)(?<!\bpointer)(?<!\bpath)(?<!\baccess)\s+(?:in|into|to)\s+{_FILL}(?P<place>{_LIST}){_NO_PART}",
    rf"\b{_WRITTEN}\s+(?:(?:the|a|an|some|broken|dead)\s+){{0,2}}(?:links?|references?|paths?)\s+in\s+{_FILL}(?P<mended>{_LIST}){_NO_PART}",
    rf"(?:\band|,|\bplus|\bwith|\+|^[-*+])\s+(?:also\s+)?(?:an?|one|some|two)\s+(?:[\w-]{{1,20}}\s+){{0,2}}?(?:lines?|notes?|entry|entries|sections?|paragraphs?|sentences?|mention|hint|examples?)\s+(?:(?:about|on|for|that|explaining|describing)\s+(?:(?!in\b|to\b)[\w`()-]{{1,40}}\s+){{1,6}}?)?(?:in|to|into)\s+{_FILL}(?P<line_in>{_LIST})",
    rf"\band\s+(?:also\s+)?(?:start|run|register|wire|call|export|use|document|mention|list|configure|hook|enable|mount|expos|declar|import|invok|trigger)(?:e?s|e?d)?\s+(?:it|them|this|that)\s+(?:in|from|into|to|via|through)\s+{_FILL}(?P<from_there>{_LIST})",
    rf"^(?:[-*+]\s+|\[x\]\s+)(?:an?\s+|the\s+|one\s+|short\s+|matching\s+|new\s+){{0,3}}(?:lines?|notes?|entry|entries|sections?|paragraphs?|mention|item|bullet)\s+(?:(?:about|on|for|under|that|explaining|describing)\s+(?:(?!in\b|to\b)[^\s.;:]{{1,40}}\s+){{1,6}}?)?(?:in|to|into)\s+{_FILL}(?P<listed_line_in>{_LIST})",
    rf"^(?:[-*+]\s+|\[x\]\s+)(?:an?\s+|the\s+|new\s+|matching\s+){{0,3}}(?P<listed_entry>{MASK})\s+(?:entry|entries|note|section|fragment|line|paragraph)(?=\s*(?:$|[.,;!)]|for\b|about\b|on\b|added\b|included\b|under\b))",
    rf"(?:^|[.;,]\s)(?:(?:and|also|it\s+is|this\s+is|both\s+are|all\s+is)\s+){{0,2}}(?:noted|mentioned|recorded|documented|described|listed|announced)\s+(?:\w+\s+){{0,2}}(?:under\s+[^\s.;:]{{1,30}}\s+)?in\s+{_FILL}(?P<noted_in>{_LIST})",
    rf"(?:\band|,|\bplus)\s+(?:an?|the)\s+(?P<entry>{MASK})\s+(?:entry|entries|note|section|fragment)\b",
    rf"(?P<tells>{MASK})\s+(?:now\s+)?(?:(?:lists?|explains?|mentions?|describes?|documents?|covers?|exercises?|tells?\s+(?:about|of))\s+(?:it|this|that|them|both|the new)\b|(?:has|have)\s+(?:an?|one)\s+(?:new\s+)?(?:entry|section|note|line|paragraph)\s+(?:for|about|on)\s+(?:it|this|that|them|the new)\b)",
    rf"\bthe\s+(?:new\s+)?(?:option|setting|flag|parameter|argument|field|command|function|variable|feature|endpoint|method)s?\s+(?:is|are|has been|have been|was|were)\s+(?:now\s+|also\s+)?(?:explained|documented|described|listed|mentioned)\s+in\s+{_FILL}(?P<explained_in>{MASK})",
    rf"\b(?:(?:is|are|lives?)\s+in\s+{_FILL}(?P<now_in>{MASK})\s+now\b|now\s+(?:lives?|sits?|is|are|resides?)\s+in\s+{_FILL}(?P<in_now>{MASK}))",
    rf"\b(?:is|are|was|were)\s+(?:now\s+|also\s+)?(?:raised|bumped|updated|adjusted|pinned|lowered|increased)\s+in\s+{_FILL}(?P<raised_in>{_LIST})",
    rf"(?P<gets>{_LIST})\s+(?:now\s+|also\s+)?(?:gets?|got|gain(?:s|ed)?|receiv(?:es?|ed)|now has|now have)\s+(?:an?|the|some|its|new|two|more)\b",
    rf"^(?:\[x\]\s+|(?:[-*+]\s+)?(?:[\w.-]{{1,30}}(?:\s*,\s*|\s+and\s+|\s*&\s*|\s*\+\s*)){{1,3}})(?P<listed>{MASK})(?=\s*(?:$|[.;,]|for\b))",
    rf"\b(?:remov|delet|drop|strip)\w{{0,4}}{_BETWEEN}\s+from\s+{_FILL}(?P<origin>{_LIST}){_NO_PART}",
    rf"\b(?:now|also|and)\s+(?:documented|described|mentioned|explained|listed)\s+in\s+{_FILL}(?P<told_in>{_LIST})",
    rf"\b(?:covered|tested)\s+(?:by|with)\s+(?:an?|new|some|two|three)\s+(?:[\w-]{{1,30}}\s+){{0,3}}tests?\s+(?:cases?\s+)?in\s+(?P<test_in>{MASK})",
    rf"\b(?:new|added|another)\s+(?:[\w-]{{1,30}}\s+){{0,2}}(?:tests?|cases?|section|entry|target|job|step|function|class|method)\s+in\s+{_FILL}(?P<new_in>{MASK})",
    rf"\b{_WORKED}\s+{_SOME}(?:[\w-]{{1,30}}\s+){{0,3}}?(?:{MASK}\s*)?\((?P<aside>{MASK})\)",
    rf"^(?:[-*+]\s+)?in\s+{_FILL}(?P<inside>{MASK})[,:]\s+(?:we\s+|i\s+)?(?:now\s+|also\s+)?(?:{_WORKED}|{_WRITTEN}|handle|use|check|guard|wrap|call|return|pass|skip|raise)\b",
    rf"\b(?:a|the|new)\s+(?:new\s+)?(?P<makes>{MASK})\s+(?:adds|drops|creates|backfills|renames|populates)\b",
    rf"\b(?:via|with|by|through)\s+(?:an?|the)\s+(?:new\s+)?(?P<by_means>{MASK})(?=\s*(?:$|[.,;:)]))",
    rf"(?P<now_runs>{MASK})\s+(?:job\s+)?now\s+(?:also\s+)?(?:runs?|tests?|builds?|caches?|lints?|publishes|uploads|covers?)\b",
    rf"^(?:[-*+]\s+|\[x\]\s+|\w{{1,20}}(?:\([^)]{{0,60}}\))?!?:\s+)?(?:also\s+)?(?:run|test|wire|enable|execute|exercise|check|lint|build)(?:s|d)?\s+(?:[^\s;:!?]{{1,60}}\s+){{1,8}}?(?:in|into|on)\s+(?:the\s+|our\s+)?(?P<runs_in>{MASK})(?=\s*(?:$|[.,;)]|\bas well\b|\btoo\b))",
    rf"(?P<passive>{_LIST}){_PASSIVE}",
)
_ITEM = lazy_compile(
    rf"^(?:[-*+]\s+|\d{{1,2}}[.)]\s+)?\**(?P<item>{MASK})\**\s*(?P<rest>(?::|--?\s|\u2013|\u2014|\().*)$"
)
_DEED_BEHIND = lazy_compile(
    r"(?::|--?\s|\u2013|\u2014)\s*(?:(?:now|also)\s+)?(?:add|handl|fix|updat|remov|renam|replac|extract|guard|wrap|chang|refactor|simplif|mov|implement|introduc|us|switch|bump|extend|adjust|rewrit|drop|delet|creat)(?:e|es|s|ed|d|ing|ies|ied|y)?\b",
    re.IGNORECASE,
)
"""What is said to be done to a file in its line of a list."""
_EXCUSED = lazy_compile(
    r"\b(?:unchanged|untouched|no changes?|not (?:changed|touched|needed|yet)|n't|already|still|existing|see|cf|reference|context|unaffected|as before|todo|later|follow-?up|pass(?:es|ed)?|ok|green)\b",
    re.IGNORECASE,
)
"""Words behind a file in a list by which it need not be one that changes."""


class _Told(NamedTuple):
    """A file is said to be worked on, or to stay; `found` lies in the text of `named`."""

    sentence: Sentence
    named: Named
    found: re.Match[str]

    def nouns(self) -> list[Noun]:
        """What it is said of."""
        return self.named.of(first_group(self.found))


def held_places(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """What is said of files and folders, of each of them each thing once."""
    seen: set[tuple[str, str]] = set()
    read = [(sentence, Named(sentence.text, ground)) for sentence in said[:MAX_SENTENCES]]
    told = [(sentence, named) for sentence, named in read if named.parts]
    for held in (
        *_alone(read, told, ground),
        *_kept(told, ground),
        *_done(told, ground),
        *_worked(told, ground),
        *_items(told, ground),
    ):
        key = held.kind, held.sentence.text
        if key not in seen:
            seen.add(key)
            yield held


_Read = list[tuple[Sentence, Named]]


def _tellings(told: _Read, form: re.Pattern[str], denial: re.Pattern[str] | None) -> Iterator[_Told]:
    for sentence, named in told:
        for found in form.finditer(named.text):
            if denial is None or not denied(named.text, found.start(), denial):
                yield _Told(sentence, named, found)


def _alone(read: _Read, told: _Read, ground: Ground) -> Iterator[Held]:
    for each in _tellings(told, ONLY, LATER):
        strict = bool(_NOTHING_ELSE.search(each.named.text) or _STRICT.search(each.found.group()))
        strict = (strict or each.found.lastgroup in ("worked", "touches")) and not _OF_CODE.search(each.named.text)
        yield from _only(each.sentence, each.nouns(), strict, ground)
    for sentence, named in told:
        lists = {match.group() for match in _LISTED.finditer(named.text)}
        bound = len(lists) == 1 and _NOTHING_ELSE.search(named.text) and not ONLY.search(named.text)
        if bound and _CHANGE_OF.search(named.text):
            yield from _only(sentence, named.of(lists.pop()), True, ground)
    yield from _alone_in_all(read, ground)


def _alone_in_all(read: _Read, ground: Ground) -> Iterator[Held]:
    """No other file, or only those that follow: what is meant stands in other sentences."""
    for number, (sentence, named) in enumerate(read):
        if named.parts:
            continue
        around = read[:number] if _NO_OTHER.search(named.text) else read[number:] if _THESE.search(named.text) else []
        nouns = [noun for _, each in around for noun in each.parts]
        if any(noun.thing is None for noun in nouns):
            yield from _only(sentence, [noun for noun in nouns if noun.thing is None], False, ground)


_NO_OTHER = combine_patterns(
    r"\b(?:only|just)\s+(?:that|this)\s+(?:one\s+)?(?:file|module)\s+(?:is\s+|was\s+|has\s+been\s+)?(?:chang|touch|edit|modif)\w{1,4}\b",
    r"\bno other (?:\w+\s+)?(?:files?|modules?)\s+(?:(?:is|are|was|were|have been|has been)\s+)?(?:touched|changed?|affected|modified|edited)\b",
)
_THESE = combine_patterns(
    r"\b(?:only|just)\s+(?:the following|these)\s+(?:\w+\s+)?files?\b",
    r"\b(?:touch|chang|edit|modif)\w{0,4}\s+(?:only|just)\s+(?:the following|these)\b",
)


_LISTED = lazy_compile(_LIST)
_CHANGE_OF = lazy_compile(
    r"\b(?:chang|touch|edit|modif|updat|fix|bump|adjust|tweak|add|rewrit|line|one-?liner|correct|format|typo|in|of)\w{0,4}\b",
    re.IGNORECASE,
)


def _only(sentence: Sentence, nouns: list[Noun], strict: bool, ground: Ground) -> Iterator[Held]:
    files = [file for file in ground.change.files if file.added or file.deleted or file.status is not Status.MODIFIED]
    others = [file for file in files if not any(noun.of(file) for noun in nouns)]
    things = [noun.thing.name for noun in nouns if noun.thing is not None]
    if things:
        if set(things) & {"code", "schema", "migrated"}:
            return
        bounds = [_BOUNDS.get(name, _beyond_words) for name in things]
        beyond = [file for file in others if all(bound(file, ground) for bound in bounds)]
        confidence = 0.7 if any(not ground.only_words(file) and is_code(file.path) for file in beyond) else 0.6
    else:
        sorted_out = (
            (0.75, [file for file in others if is_code(file.path) and not is_test(file.path)]),
            (0.7, [file for file in others if role(file.path) is Role.WORKFLOW]),
            (0.65, [file for file in others if role(file.path) is Role.CONFIGURATION]),
            (0.6, [file for file in others if strict and role(file.path) is not Role.LOCK]),
        )
        confidence, beyond = next(((sure, group) for sure, group in sorted_out if group), (0.75, []))
    wrong = "The description says that the change stays in one place, and more than that changes"
    yield Held("confined", sentence, Answer(not beyond, places(beyond), confidence), wrong)


def _beyond_tests(file: FileChange, ground: Ground) -> bool:
    return file in ground.product_beside_tests or role(file.path) is Role.WORKFLOW


def _beyond_pipeline(file: FileChange, ground: Ground) -> bool:
    return file in ground.product and not ground.only_words(file) and not RUNS_CODE.search(file.path)


def _beyond_settings(file: FileChange, ground: Ground) -> bool:
    return file in ground.product and not ground.only_words(file)


def _beyond_demands(file: FileChange, ground: Ground) -> bool:
    return is_code(file.path) and not is_manifest(file.path) and not ground.only_words(file) and not is_test(file.path)


def _beyond_words(file: FileChange, ground: Ground) -> bool:
    return file in code_changed(ground)


_BOUNDS: dict[str, Callable[[FileChange, Ground], bool]] = {
    "test": _beyond_tests,
    "pipeline": _beyond_pipeline,
    "setting": _beyond_settings,
    "dependency": _beyond_demands,
    "lock": _beyond_demands,
}


def _kept(told: _Read, ground: Ground) -> Iterator[Held]:
    for each in _tellings(told, KEPT, None):
        if each.sentence.line == 0 and each.found.start() == 0 and each.named.text[:5].lower() in ("never", "not t"):
            continue
        if _REST.search(each.found.group()):
            continue
        if (part := _PART.search(each.named.text[: each.found.start()][-200:])) and part["part"].lower() not in _WHOLE:
            yield from _rights_kept(each, part["part"], ground)
            continue
        for noun in each.nouns():
            sure = 0.8 if noun.thing is None else noun.thing.kept
            if not sure or _REST.search(noun.text):
                continue
            answer = _stayed(noun, each, ground)
            if answer is not None:
                kind = "untouched" if noun.thing is None else f"{noun.name}_kept"
                what = "files" if noun.thing is None else noun.thing.what
                wrong = f"The description says that {what} stay as they were, and the change edits them"
                yield Held(kind, each.sentence, answer._replace(confidence=min(sure, answer.confidence)), wrong)


_PART = lazy_compile(
    r"\b(?P<part>[\w-]{2,40})\s+(?:of|in|for|from|on|to|by|inside|within|behind)\s+(?:(?:the|our|its|this|that|these|both|all|existing)\s+){0,3}$",
    re.IGNORECASE,
)
_WHOLE = frozenset({"rest", "all", "none", "any", "each", "both", "contents", "content", "code", "files", "everything", "nothing", "line", "lines", "text", "source", "sources", "changes", "change", "edits", "out", "and"})  # fmt: skip
"""What one can say of a file and mean all of it: its triggers or its name are a part, of which the rest says nothing."""


def _rights_kept(told: _Told, part: str, ground: Ground) -> Iterator[Held]:
    """Of the parts of a workflow, its rights alone can be told by their lines."""
    if not _RIGHTS.match(part) or not any(noun.name == "pipeline" for noun in told.nouns()):
        return
    given = [file for file in ground.change.files if role(file.path) is Role.WORKFLOW]
    touched = any(_GIVES.search(line) for line in (*ground.came, *ground.went))
    wrong = "The description says that the rights of workflows stay as they were, and lines that give them change"
    if given:
        yield Held("rights_kept", told.sentence, Answer(not touched, places(given) if touched else (), 0.75), wrong)


_RIGHTS = lazy_compile(r"(?:permission|right|privilege|scope)s?$", re.IGNORECASE)
_GIVES = lazy_compile(r"^\s*permissions\s*:|^\s*[\w-]{3,30}\s*:\s*(?:read|write|none)\s*(?:#.*)?$")


_REST = lazy_compile(r"\b(?:other|others|remaining|rest|else|most|many|some)\b", re.IGNORECASE)


def _stayed(noun: Noun, told: _Told, ground: Ground) -> Answer | None:
    """None where the word may mean something else that changes."""
    files = [file for file in ground.change.files if file.added or file.deleted or file.status is not Status.MODIFIED]
    edited = [file for file in files if noun.of(file)]
    name = "" if noun.thing is None else noun.thing.name
    if name == "dependency":
        return _demands_kept(ground)
    if name == "test":
        rewritten = [file for file in edited if is_code(file.path) and ground.rewrites(file)]
        whole = not _EXISTING.search(f"{noun.text} {told.found.group()}")
        grown = [file for file in edited if file.added and is_code(file.path)] if whole else []
        because = f"{FROM_WORDING}; what changes may serve tests only"
        return Answer(not (rewritten or grown), places(rewritten or grown), 0.7 if rewritten else 0.6, because)
    if name == "pipeline":
        workflows = [file for file in edited if role(file.path) is Role.WORKFLOW]
        scripts = (
            [] if "workflow" in noun.text.lower() else [file for file in edited if not _OF_A_TOOL.search(file.path)]
        )
        edited = list(dict.fromkeys((*workflows, *scripts)))
    if name == "code":
        edited = [file for file in edited if not ground.only_words(file)]
    return Answer(not edited, places(edited), 1.0)


_OF_A_TOOL = lazy_compile(r"(?:^|/)(?:tools?|scripts?|hack|build)/(?!ci\b)")
"""Folders of scripts that a pipeline may run, and people may by hand."""
_EXISTING = lazy_compile(
    r"\b(?:existing|old|current|all|pass\w*|works?|runs?|green|need\w*|requir\w*|necessary|had to|have to|has to)\b",
    re.IGNORECASE,
)
"""Words by which only the tests that were there before are meant."""


def _demands_kept(ground: Ground) -> Answer | None:
    """None where a manifest that changed cannot be read: what it asks for may be the same."""
    beyond: list[FileChange] = []
    for file in ground.change.files:
        if not is_manifest(file.path) or is_test(file.path):
            continue
        texts = ground.texts(file)
        if texts is None or file.base is None or file.head is None:
            return None
        then, now = (
            {(each.name, str(each)) for each in read_manifest(path, text).dependencies}
            for path, text in ((file.base.path, texts[0]), (file.head.path, texts[1]))
        )
        if {name for name, _ in then} != {name for name, _ in now}:
            beyond.append(file)
    return Answer(not beyond, places(beyond), 0.8)


def _done(told: _Read, ground: Ground) -> Iterator[Held]:
    for each in _tellings(told, DONE, _NOT_DONE):
        if put_off(each.named.text, each.found.end()) or _done_by_another(each):
            continue
        for noun in each.nouns():
            if (
                noun.thing is not None
                and noun.thing.done
                and not (each.found.lastgroup == "listed" and noun.name == "pipeline")
            ):
                held = any(noun.thing.holds(path) for path in ground.touched)
                wrong = f"The description says that {noun.thing.what} is worked on, and it is not touched"
                yield Held(f"{noun.name}_changed", each.sentence, Answer(held, confidence=noun.thing.done), wrong)
            elif noun.thing is None and each.found.lastgroup not in ("along", "listed") and _left_alone(noun, ground):
                because = f"{FROM_WORDING}; a file can be named for another reason"
                answer = Answer(False, confidence=0.65, because=because)
                yield Held("path_changed", each.sentence, answer, _UNTOUCHED)


def _done_by_another(told: _Told) -> bool:
    """Does a sentence tell what somebody else does, as in `the script updates the lock file`?"""
    before = told.named.text[max(0, told.found.start() - 60) : told.found.start()]
    return _DOES.match(told.found.group()) is not None and _ANOTHER.search(before) is not None


_DOES = lazy_compile(r"[a-z]+s\b")
_ANOTHER = lazy_compile(
    r"(?<![:;,])\s(?!(?:this|it|pr|mr|request|change|commit|patch|branch|also|and|now|then|that|which|we|i|to|fix|feature|work|series|diff|update|one|but)\b)[A-Za-z][\w-]{1,30}\s+$",
    re.IGNORECASE,
)


def _worked(told: _Read, ground: Ground) -> Iterator[Held]:
    """Files in clauses that say what the change does: they are among those that it touches, in whatever words it is said."""
    for sentence, named in told:
        if not any(noun.thing is None and _left_alone(noun, ground) for noun in named.parts):
            continue
        for clause in own_clauses(named.text):
            said = named.text[clause.start : clause.end]
            if (
                not clause.works
                or _ONLY_USES.match(clause.verb)
                or _OF_OTHERS.search(said)
                or denied(named.text, clause.start, _NOT_DONE)
            ):
                continue
            if put_off(named.text, clause.end):
                continue
            for noun in named.of(said):
                if noun.thing is None and _left_alone(noun, ground):
                    because = f"{FROM_WORDING}; a file can be named for another reason"
                    yield Held("path_changed", sentence, Answer(False, confidence=0.6, because=because), _UNTOUCHED)


_ONLY_USES = lazy_compile(
    r"(?:us|reus|call|read|load|pass|set|switch|delegat|replac|swap|rout|forward|depend|rely|reli|invok|log|emit|describ|document|renam|return|rais|throw|tak|requir|stor|cach|trigger|put|bring|cover|propagat|install|remov|delet|drop|strip|rip|eliminat|retir|skip|ignor|detect|pick)"
)
"""Deeds that need not touch the file that they name, or that are told of it elsewhere."""
_OF_OTHERS = lazy_compile(
    r"\b(?:link(?:s|ed|ing)?|mentions?|references?|example|pattern|copy|copied|style|read\w*|from|support|imports?|calls?|path|paths|name|names)\b",
    re.IGNORECASE,
)
_UNTOUCHED = "The description says that files change which the change does not touch"
_NOT_DONE = lazy_compile(
    r"\bin\s+#\d|\b(?:no|not|without|never|cannot|lacks?|missing|todo|will|shall|should|would|could|can|may|might|must|needs?|later|follow[- ]?up|planned|future|if|unless|please|instead of|skip(?:s|ped)?|previous(?:ly)?|already|going to|happy to|plan to|like to|want to|used to|try(?:ing)? to|fail(?:s|ed)? to|when(?:ever)?|before|after|since|because|that|which)\b|n't\b|'ll\b",
    re.IGNORECASE,
)


def _left_alone(noun: Noun, ground: Ground) -> bool:
    """Is it a file that is there and that the change does not touch?"""
    if touches(noun.text, ground) or any(noun.fits(path) for path in ground.touched):
        return False
    return ("." in noun.text.rpartition("/")[2] and stands(noun.text, ground)) or noun.text.lower() in ground.file_names


def _items(told: _Read, ground: Ground) -> Iterator[Held]:
    """Files of a list of changes: where most of them change, one that does not is wrong."""
    items = [(sentence, named, found) for sentence, named in told if (found := _ITEM.match(named.text))]
    files = [(sentence, named.of(found["item"])[0], found["rest"]) for sentence, named, found in items]
    paths = [(sentence, noun, rest) for sentence, noun, rest in files if noun.thing is None]
    alone = [(sentence, noun, rest) for sentence, noun, rest in paths if _left_alone(noun, ground)]
    most = 2 * len(alone) <= len(paths)
    for sentence, _, rest in alone:
        if (most or _DEED_BEHIND.match(rest)) and not _EXCUSED.search(rest):
            because = f"{FROM_WORDING}; a file in a list can be named for another reason"
            yield Held("path_changed", sentence, Answer(False, confidence=0.6, because=because), _UNTOUCHED)
