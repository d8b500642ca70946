"""`python -m tests.statements`: what rules say, the ten longest sentences, and the words that are ruled out.

Statements are read from the code of the probes and of the rooms that write for them, with `{...}` where a value is filled in,
from rows of knowledge, and from the pages of the rules.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from auditor import strict_yaml
from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.engine.rule_texts import rule_texts
from tests.plain_words import ruled_out

ROOT = Path(__file__).resolve().parents[1]
FORENSICS = ROOT / "auditor/forensics"
LONGEST = 10
_MIN_WORDS = 3
_PRINTED_KEYS = {"because", "does", "meaning", "reason", "reasons", "says", "statement", "statements"}
"""Keys of rows whose text is printed beside a finding."""
_TAG = re.compile(r"\{[%{].*?[%}]\}")
_LETTERS = re.compile(r"[^\W\d_]+")
_CODE_LIKE = re.compile(r"\\|\(\?|\[\^|\[a-z]|\[a-z-|^(?!\[[\w ]*\|)[^\w`{\"“]")
"""Patterns and code. A statement may begin with words for one and for several: `[Test|{} tests] removed`."""


@dataclass(frozen=True)
class Statement:
    """A sentence, or a part of one, that a rule may print."""

    where: str
    """The rules whose module it is in, or the path of a module that writes for several."""
    text: str


@cache
def statements() -> Sequence[Statement]:
    """All of them, by rule and in the order of the code; each text of a module once."""
    rules: dict[Path, list[str]] = defaultdict(list)
    for probe in discover_probes().values():
        rules[Path(inspect.getfile(probe.ask))].append(probe.id)
    found = [
        Statement(", ".join(rules.get(path, ())) or str(path.relative_to(FORENSICS)), text)
        for path in sorted(FORENSICS.rglob("*.py"))
        for text in dict.fromkeys(sentences(path.read_text(encoding="utf-8")))
    ]
    return sorted([*found, *row_texts()], key=lambda each: (each.where.endswith((".py", ".yaml")), each.where))


def row_texts() -> Iterator[Statement]:
    """The same in the rows of knowledge."""
    for path in sorted(FORENSICS.rglob("*.yaml")):
        data, _ = strict_yaml.parse_plain(path.read_text(encoding="utf-8"), path.name)
        for text in dict.fromkeys(_texts_below(data, printed=False)):
            if len(_LETTERS.findall(text)) >= _MIN_WORDS:
                yield Statement(str(path.relative_to(FORENSICS)), text)


def _texts_below(value: object, *, printed: bool) -> Iterator[str]:
    if isinstance(value, dict):
        for key, below in value.items():
            yield from _texts_below(below, printed=printed or key in _PRINTED_KEYS)
    elif isinstance(value, list):
        for below in value:
            yield from _texts_below(below, printed=printed)
    elif printed and isinstance(value, str):
        yield value


@cache
def page_texts() -> Sequence[Statement]:
    """What the page of each rule says in sentences: question, terms, advice, harm and limits."""
    found: list[Statement] = []
    for rule in rule_texts().values():
        texts = [rule.title, rule.question, rule.counts, rule.advice]
        if rule.page is not None:
            texts += [rule.page.harm, rule.page.fine_if, rule.page.why, *rule.page.limits]
            texts += [text for each in rule.page.variants for text in (each.harm, each.advice, each.fine_if)]
        found += [Statement(rule.id, text) for text in texts if text]
    return found


def sentences(source: str) -> Iterator[str]:
    """The texts of a module that may become a sentence: no docstrings, no patterns, no single words."""
    yield from _texts_of(source).sentences


def docstring_lines(source: str) -> Iterator[str]:
    """The first line of the docstring of a module and of each class and function in it."""
    yield from _texts_of(source).docstring_lines


@dataclass(frozen=True)
class _Texts:
    """What a module says, in the order of its code."""

    sentences: Sequence[str]
    docstring_lines: Sequence[str]


@cache
def _texts_of(source: str) -> _Texts:
    """Both in one pass: to parse every module of the package takes seconds."""
    found, documented = list[str](), list[str]()
    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            documented.append((ast.get_docstring(node) or "").partition("\n")[0])
        text = _text(node)
        if text is not None and _may_be_sentence(text):
            found.append(text)
        waiting += reversed(_below(node))
    return _Texts(found, documented)


def _text(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return _with_gaps(node) if isinstance(node, ast.JoinedStr) else None


def _may_be_sentence(text: str) -> bool:
    words = _LETTERS.findall(text.replace("{...}", ""))
    return len(words) >= _MIN_WORDS and " " in text.strip() and not _CODE_LIKE.search(text)


def _below(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below, without texts that are no value (docstrings) or are parts of a text with gaps."""
    ignored = ast.Constant if isinstance(node, (ast.Expr, ast.JoinedStr)) else ast.expr_context
    found = list[ast.AST]()
    for value in vars(node).values():
        below = value if isinstance(value, list) else (value,)
        found += [each for each in below if isinstance(each, ast.AST) and not isinstance(each, ignored)]
    return found


def _with_gaps(text: ast.JoinedStr) -> str:
    return "".join(str(each.value) if isinstance(each, ast.Constant) else "{...}" for each in text.values)


@cache
def package_texts() -> Sequence[Statement]:
    """What the rest of the package prints, the words of templates and rubrics, and the first line of each docstring."""
    found: list[Statement] = []
    for path in sorted((ROOT / "auditor").rglob("*.py")):
        source, where = path.read_text(encoding="utf-8"), str(path.relative_to(ROOT))
        found += [Statement(where, text) for text in (*sentences(source), *docstring_lines(source))]
    for path in sorted((ROOT / "templates").rglob("*.j2")):
        found += [Statement(path.name, _TAG.sub(" ", line)) for line in path.read_text(encoding="utf-8").splitlines()]
    for path in sorted((ROOT / "rubric").glob("*.yaml")):
        found += [Statement(path.name, line) for line in path.read_text(encoding="utf-8").splitlines()]
    return found


def faults(texts: Sequence[Statement]) -> Mapping[Statement, list[str]]:
    """The texts that contain ruled-out words, with these words."""
    return {each: words for each in texts if (words := ruled_out(each.text))}


def main() -> int:
    """Print the lists. 1 when a ruled-out word is in one of them."""
    said = statements()
    out = sys.stdout.write
    where = ""
    for each in said:
        if each.where != where:
            where = each.where
            out(f"\n{where}\n")
        out(f"  {each.text}\n")
    out(f"\n{len(said)} statements. The longest {LONGEST}:\n")
    for each in sorted(said, key=lambda each: -len(each.text))[:LONGEST]:
        out(f"  {len(each.text)} characters, {each.where}: {each.text}\n")
    wrong = faults([*said, *page_texts(), *package_texts()])
    out(f"\nRuled-out words: {sum(map(len, wrong.values()))}\n")
    for each, words in wrong.items():
        out(f"  {', '.join(words)} in {each.where}: {each.text}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
