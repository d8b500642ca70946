"""Comments that give a reason for dropping a failure, not only that it is dropped."""

from __future__ import annotations

import re

UNINFORMATIVE_WORD = (
    r"(?:ignor(?:e|ed|es|ing)|swallow(?:ed|s)?|no|op|no-?op|nothing|empty|skip(?:ped|s)?|pass|whatever|do|does|done|this|that|the|it|its|is|to|here|any|all|just|"
    r"errors?|exceptions?|fail(?:s|ed|ure|ures)?|silent(?:ly)?|left|for|now|todo|fixme|xxx|hack|handle|later|catch|everything|and|on|move|continue|go|we|don|care|never|mind|ok|fine)"
)
"""Words that say that something is dropped, and nothing of why."""
REASON_WORDS = (
    r"(?i)\b(?:because|since|best[- ]effort|harmless|safe(?:ly)?|fine|ok(?:ay)?|never|cannot|can't|won't|always|already|may|might|intentional\w*|deliberate\w*|on purpose|expected|optional\w*|"
    r"does(?:n't| not)|don't|do not|is not|isn't|not an? (?:error|problem|failure)|no (?:need|harm|way|point)|only|anyway|regardless|whether|either|unless|next|later|nobody|nothing|no one|must (?:not|never)|should(?: not|n't)|logged|reported|retr\w+|fallback|falls? back|default\w*|so that|if|broken pipes?|epipe)\b"
)
"""Words of a comment that says why, not what."""
_UNINFORMATIVE_PATTERN, _REASON_PATTERN = re.compile(UNINFORMATIVE_WORD, re.IGNORECASE), re.compile(REASON_WORDS)
_TOOL_DIRECTIVE = re.compile(
    r"#\s*(?:noqa\b(?:\s*:\s*[A-Z]+\d+(?:[,\s]+[A-Z]+\d+)*)?|type:\s*\w+(?:\[[^\]\n]{0,200}\])?|pylint:\s*[\w-]+\s*=\s*[\w-]+(?:\s*,\s*[\w-]+)*|pragma:?\s*no\s?(?:cover|branch|qa)(?:[^#\n]{0,200}?\b(?:tests?|tested|testable|exercised|covered|coverage|reach\w*|unreach\w*|hit|trigger\w*|simulat\w*|reproduc\w*)\b[^#\n]*)?|nosemgrep\b(?:\s*:\s*\S+)?|nosonar\b|nosec\b(?:\s*:?\s*B\d+(?:[,\s]+B\d+)*)?"
    r"|(?:ruff|flake8)\s*:\s*noqa\b(?:\s*:\s*[A-Z]+\d+(?:[,\s]+[A-Z]+\d+)*)?|(?:mypy|pyright|fmt|pyre-\w+|coverage)\s*:[^#\n]*)",
    re.IGNORECASE,
)
"""What is said to a tool: a reason may follow it. Why no test comes there is none why a failure is dropped."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_MIN_INFORMATIVE_WORDS = 3
"""Words beyond a shrug from which a comment says why; one is enough beside a word that only reasons have."""


def gives_reason(comment: str) -> bool:
    """Does a comment, with its mark, say why nothing is done? What it says to tools, and what it puts off, is none."""
    text = _TOOL_DIRECTIVE.sub("", comment)
    if "TODO" in text or "FIXME" in text:
        return False
    telling = sum(not _UNINFORMATIVE_PATTERN.fullmatch(word) for word in _WORD.findall(text))
    return telling >= _MIN_INFORMATIVE_WORDS or (telling > 0 and _REASON_PATTERN.search(text) is not None)
