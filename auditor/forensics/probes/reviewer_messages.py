"""Text that speaks to an automated reviewer instead of to the people who read the code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.forensics.probe_kit.probe_decorators import text_probe
from auditor.forensics.prompt_injection.message_search import (
    Message,
    disguised_anchors,
    file_anchors,
    find_messages,
    is_disguised,
)
from auditor.forensics.source_text.comments import COMMENTS_AND_STRINGS, lines_without_comments, strip_comments
from auditor.forensics.source_text.file_kinds import FileKind, file_suffixes
from auditor.forensics.source_text.keyword_index import register_keywords
from auditor.forensics.source_text.site_probe_types import FILE_NAME, Site, Text
from auditor.lazy_regex import lazy_compile

_ANCHORS = register_keywords(*file_anchors())
_DISGUISED = register_keywords(*disguised_anchors())
_MAX_SITES = 20
_DOUBTFUL = 0.6
"""The most that is said of what may be a prompt of the product, or a test of what looks for such messages."""
_DOUBTFUL_IN_PROSE = 0.55
"""What is said of doubtful words in a document: guides for contributors ask people for reviews and approval."""
_MODEL_CLIENT = lazy_compile(
    r"\b(?:openai|anthropic|langchain|langgraph|litellm|llama_index|ollama|genai|ChatPromptTemplate|chat\.completions|messages\.create|SystemMessage|HumanMessage)\b"
    r"|system_?prompt|_PROMPTS?\b|\bPROMPTS?\b|prompt_?template|\brole['\"]?\s*[:=]\s*['\"]system\b"
    r"|\bsystem(?:_message|_instructions?)?['\"]?\s*[:=]\s*(?:[rf]?['\"`]|\|)"
    r"|\byou are (?:[\w-]+, )?an? (?:[\w-]+ ){0,5}(?:assistant|reviewer|agent|expert|translator|chatbot|model|bot|engineer|AI)\b",
    re.IGNORECASE,
)
_ABOUT_INJECTION = lazy_compile(
    r"prompt[ _-]?injection|jailbreak|red[ _-]?team|adversarial|OWASP|\b(?:attacks?|attackers?)\b|_attacks?\b|is_injection|injection_|_injection",
    re.IGNORECASE,
)


@text_probe("code.addresses_reviewer", none_statement="No text addresses an automated reviewer.", reads_names=True)
def reviewer_messages(text: Text) -> Iterator[Site]:
    """Does text in the change speak to an automated reviewer?

    Counts: requests for a verdict, a score or silence that somebody addresses to a reviewer, orders to ignore instructions, other roles, forged
    ends and system messages, and claims of an earlier verdict; in comments, strings, names, file names and documents, in ten languages. What a
    product may say to a model of its own, and tests of what looks for such messages, are reported with doubt.

    Remove these words. If they are a prompt of your product, move them to a separate file.
    """
    hides = text.says(_DISGUISED)
    if not (hides or text.says(_ANCHORS) or is_disguised(text.content)):
        return
    own = _names_own_code(text.content)
    for message in find_messages(text.content, disguised=hides)[:_MAX_SITES]:
        sure = _certainty_without_names(message, text.content) if own else message.confidence
        if not sure or (sure <= _DOUBTFUL and _is_of_names(message, text)):
            continue
        if sure <= _DOUBTFUL and text.language in file_suffixes(FileKind.DOCUMENT):
            sure = _DOUBTFUL_IN_PROSE
        doubt = _doubt(message, text)
        yield Site(
            message.start,
            message.end,
            f"{_SUBJECT.get(text.language, 'Text')} addresses an automated reviewer and {message.meaning}",
            "message to a reviewer",
            min(sure, _DOUBTFUL) if doubt else sure,
            doubt or "it may be meant for people, or quoted",
        )


_OWN_NAME = lazy_compile(
    r"(?:\$|->|::|--|\\)[\w-]*audit[\w-]*|[\"'`][\w.:/$-]*audit[\w.:/-]*(?:[\"'`]|(?=\s*=>))|\b[\w-]*audit[\w-]*(?=\s?\(|::|->|\s*=>|\.[\w-])|\b\w*(?:_audit|audit_)\w*"
    r"|\b[\w.]+\.audit\w*|(?-i:\b\w*(?:[a-z]Audit|[Aa]udit(?:or|ing)?[A-Z])\w*)|\b(?:new|class|use|interface|enum|import|const|function|def)\s+[\w\\]*audit\w*",
    re.IGNORECASE,
)
"""A name of code or of a setting that says `audit`, by the marks around it: a word of prose has none."""
_OWN_NAMES = 4
"""Names in a file from which on auditing is what its product does."""


def _names_own_code(content: str) -> bool:
    """Does the product of a file audit something itself, so that the word is a name of its code?"""
    found = _OWN_NAME.finditer(content)
    return all(next(found, None) is not None for _ in range(_OWN_NAMES))


def _certainty_without_names(message: Message, content: str) -> float:
    """How sure a message still is once the names of the product's own code are taken out; 0 where nothing is left."""
    lines = content.split("\n")[message.start - 1 : message.end]
    left = find_messages("\n".join(_OWN_NAME.sub("name", each) for each in lines))
    return min(message.confidence, max((each.confidence for each in left), default=0.0))


def _is_of_names(message: Message, text: Text) -> bool:
    """Is a doubtful message none without the names of Python code, as in `def is_complex(model: Any) -> bool: return ...`?"""
    if text.language != "python":
        return False
    written = [" "] * len(text.content)
    for found in COMMENTS_AND_STRINGS.finditer(text.content):
        written[found.start() : found.end()] = found.group()
    for found in _LINE_END.finditer(text.content):
        written[found.start()] = "\n"
    return not find_messages("\n".join("".join(written).split("\n")[message.start - 1 : message.end]))


_LINE_END = re.compile("\n")
_SUBJECT = {FILE_NAME: "A file name"}


def _doubt(message: Message, text: Text) -> str:
    """Why a message may not be meant for us; empty where nothing says so. No prompt of a product is in a comment."""
    is_prompt = _MODEL_CLIENT.search(text.content) is not None
    if not (is_prompt or _ABOUT_INJECTION.search(text.content)) or _is_comment(message, text):
        return ""
    if is_prompt:
        return "the file talks to a model, so that these may be prompts of the product"
    return "the file is about such attacks"


def _is_comment(message: Message, text: Text) -> bool:
    """Is nothing left of a message once comments are taken out?"""
    code = _without_comments(text)[message.start - 1 : message.end]
    return not find_messages("\n".join(code))


def _without_comments(text: Text) -> list[str]:
    """The lines of a text without its comments; of Python without docstrings too, but with other long strings, which may be prompts."""
    if text.language != "python":
        return lines_without_comments(text.content, text.language)
    return strip_comments(_DOCSTRING.sub(lambda found: "\n" * found.group().count("\n"), text.content)).split("\n")


_DOCSTRING = lazy_compile(r"(?:\A|:[ \t]*(?:#[^\n]*)?\n)\s*[rR]?(\"{3}|'{3}).*?\1", re.DOTALL)
