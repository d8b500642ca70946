"""What a description is about where it names nothing that could be looked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from auditor.forensics.description.change_contents import FROM_WORDING, Answer, Ground, Held, Sentence, stem
from auditor.forensics.description.claim_wordings import GENERAL
from auditor.lazy_regex import lazy_compile

_STRONG = r"(?:add|introduc|creat|implement|remov|drop|delet|renam|mov|replac|extract|split|support|handl|validat|reject|return|rais|throw|convert|pars|log|retry|retri|cach|skip|allow|requir|check|limit|escap|quot|clos|lock|expos|inline|merg|round|count|sort|filter|encrypt|hash|sign|format|print|stor|load|save|read|writ|send|deprecat|deduplicat|paginat|timeout|stop|ignor|disabl|enabl|switch|use|us|let|accept|warn|fail|report|show|hid|redact|sanitiz|normaliz|normalis)(?:e|es|s|ed|ing|ies|ied|ped|ping|ting|ted|y|ring|red|ning|ned|ming|med)?"
_SUBJECT = lazy_compile(
    rf"^(?:\[x\]\s+|[-*+]\s+|\w+(?:\([^)]{{0,80}}\))?!?:\s*)?(?:this\s+(?:\w+\s+)?|also\s+|now\s+|it\s+)?{_STRONG}\s+(?P<object>.{{3,160}})",
    re.IGNORECASE,
)
_ANY = lazy_compile(r"^(?P<object>.{3,160})")
_STEMS_GENERAL = frozenset(map(stem, GENERAL))


def held_subject(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """What a description is about where it names nothing: its words stand in the names and lines that change.

    Nothing is said to be wrong by this: people have other words for what code calls by its own.
    """
    if not ground.small_enough:
        return
    for sentence in islice(said, 6):
        for form, needed in ((_SUBJECT, 1), (_ANY, 2)):
            about = form.match(sentence.text)
            if about is None or (form is _ANY and sentence.line):
                continue
            words = {stem(word) for word in re.findall(r"[^\W\d_]{3,40}", about["object"])} - _STEMS_GENERAL
            if len({word for word in words if len(word) > 2} & ground.stems) >= needed:
                yield Held(
                    "subject",
                    sentence,
                    Answer(True, confidence=0.5, because=f"{FROM_WORDING}; words were compared, not what they mean"),
                    "",
                )
                return
