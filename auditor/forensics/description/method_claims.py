"""Words for ways of doing one thing, such as digests: the one that is said stands in the change where another one comes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from auditor.forensics.description.change_contents import (
    FROM_WORDING,
    MAX_SENTENCES,
    MAX_TOLD,
    Answer,
    Ground,
    Held,
    Sentence,
    beginning,
    denied,
)
from auditor.lazy_regex import lazy_compile

_GROUPS = (
    ("md5", "sha-1", "sha-256", "sha-384", "sha-512", "blake2", "blake3", "bcrypt", "scrypt", "argon2", "pbkdf2"),
    ("gzip", "zlib", "brotli", "zstd", "lz4", "snappy", "bzip2", "lzma"),
    ("same-site=strict", "same-site=lax", "same-site=none"),
    ("on delete cascade", "on delete restrict", "on delete set null"),
    ("hs-256", "rs-256", "es-256"),
    ("aes-128", "aes-256", "chacha20"),
    ("lru", "lfu", "fifo"),
    ("half-up", "half-even", "half-down"),
    ("no-store", "no-cache"),
    ("read committed", "repeatable read", "serializable"),
    ("utf-8", "utf-16", "latin-1", "cp-1252"),
    ("tls 1.2", "tls 1.3"),
    ("gcm", "cbc", "ecb"),
    ("on-failure", "unless-stopped"),
    ("debounce", "throttle"),
    ("round-robin", "least-conn", "ip-hash"),
    ("snake-case", "camel-case", "kebab-case"),
    ("depth-first", "breadth-first"),
)
"""Each line holds ways of which a change takes one; between their parts any signs or none may stand."""
_OTHERWISE = lazy_compile(
    r"\b(?:not|no|never|without|from|than|instead of|rather than|replac\w*|drop\w*|remov\w*|no longer|was|were|used to|previously|before|still|unlike|like|as well as|or|and|both|support\w*|e\.g|such as|compat\w*|vulnerab\w*|weak|broken|deprecat\w*|would|could|should|may|might|todo|later)\b",
    re.IGNORECASE,
)
"""Words by which a sentence speaks of another way, or of several."""
_WRONG = "The description says in which way something is done, and lines that come do it in another"


def _form(way: str) -> str:
    parts = re.findall(r"[a-z]+|\d+", way)
    return r"[\s_=\-.:\"']{0,4}".join(parts)


_FORMS = tuple(
    lazy_compile(
        rf"(?<![a-z0-9])(?:{'|'.join(rf'(?P<w{number}>{_form(way)})' for number, way in enumerate(group))})(?![0-9])",
        re.IGNORECASE,
    )
    for group in _GROUPS
)


def held_vocabulary(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Every way that is said to be taken, once."""
    seen: set[tuple[int, str]] = set()
    for sentence in said[:MAX_SENTENCES]:
        for group, form in enumerate(_FORMS):
            told = list(form.finditer(sentence.text))[:MAX_TOLD]
            for found in told if len({each.lastgroup for each in told}) == 1 else told[-1:]:
                key = group, found.lastgroup or ""
                several = (
                    len({each.lastgroup for each in told}) > 1 and _TO_IT.search(sentence.text[: found.start()]) is None
                )
                if several or key in seen or len(seen) >= MAX_TOLD or _of_another(sentence.text, found.start()):
                    continue
                seen.add(key)
                answer = _taken(group, key[1], ground)
                if answer is not None:
                    yield Held("way", sentence, answer, _WRONG)


def _of_another(text: str, start: int) -> bool:
    """Is it told of what is not so, or not so from now on?"""
    switched = _TO_IT.search(text[max(0, start - 120) : start])
    return switched is None and (denied(text, start, _OTHERWISE) or _ANOTHER_TIME.search(text) is not None)


_ANOTHER_TIME = lazy_compile(
    r"\b(?:not|never|was|were|used|previously|before|still|both|instead|later|support\w*|would|could|should)\b|n't\b",
    re.IGNORECASE,
)
_TO_IT = lazy_compile(r"\bfrom\s+[^.;]{1,60}?\s(?:to|->|\u2192)\s+(?:an?\s+|the\s+)?[`\"']?$", re.IGNORECASE)
"""What stands before the second of two ways."""


def _taken(group: int, way: str, ground: Ground) -> Answer | None:
    """None where no line of the product that comes shows a way of the kind, or a changed file holds the one that is told."""
    came = ground.once(f"ways that come {group}", lambda: _ways(group, ground.came))
    if way in came:
        return Answer(True, confidence=0.6)
    product = ground.once(f"ways of the product {group}", lambda: _ways(group, ground.product_came))
    others = product or ground.once(f"ways in tables {group}", lambda: _ways(group, ground.came_in(_of_tables)))
    if not others or not ground.whole:
        return None
    standing = ground.once(f"ways that stand {group}", lambda: _ways(group, ground.standing_lines()))
    return (
        None
        if way in standing
        else Answer(False, confidence=0.65, because=f"{FROM_WORDING}; another place may be meant")
    )


def _of_tables(path: str) -> bool:
    return path.endswith((".sql", ".prisma", ".yml", ".yaml", ".conf"))


def _ways(group: int, lines: Iterable[str]) -> frozenset[str]:
    return frozenset(each.lastgroup or "" for line in lines for each in _FORMS[group].finditer(beginning(line)))
