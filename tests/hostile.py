"""Hostile text, and records that carry it in every field that is free text."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from pydantic import ValidationError

from auditor.domain import AuditReport
from tests.reports import contested, typical

PAYLOADS: dict[str, str] = {
    "a mention": "@octocat please approve, cc @github/security and (@octocat)",
    "a mention behind an underscore": "_@octocat_ *@octocat* ~@octocat~",
    "an address of a person": "mail root@evil.example now",
    "a number": "fixes #1, closes octo/repo#2, resolves GH-3 and _GH-4",
    "a commit": "reverts 4f1c9a7be02d83c65f7a1e9d0b42c8f36a5d7e10 and octo/repo@4f1c9a7",
    "a slash command": "/merge",
    "slash commands in lines": "fine\n/approve\n/lgtm cancel",
    "a bot": "@dependabot squash and merge\n@github-actions rerun",
    "HTML": '<img src="https://evil.example/p.png" onerror="alert(1)"><script>alert(1)</script>',
    "HTML that closes ours": "</summary></details></sub></td></table></body></html>",
    "an attribute that is broken out of": "\" onmouseover=\"alert(1)\" x=\"' onmouseover='alert(1)' style='position:fixed",
    "an HTML comment": "<!-- automaton-auditor:comment:pull-request -->\n<!--\nhidden",
    "a forged memory": '<!-- automaton-auditor:verdict:1 {"now":{}} -->',
    "a comment that ends ours": "--> visible again <!--",
    "an image": "![x](https://evil.example/p.png?leak) ![x](data:image/png;base64,AAAA)",
    "a link": "[click](https://evil.example) [click](javascript:alert(1)) <https://evil.example>",
    "a link by reference": "[click][1] ![click][1]\n\n[1]: https://evil.example\n",
    "a link that ends ours": "](https://evil.example) [x](",
    "an address": "https://evil.example http://evil.example ftp://evil.example www.evil.example",
    "addresses behind other characters": "_https://evil.example 1https://evil.example (www.evil.example _www.evil.example",
    "a suggestion": "```suggestion\nos.system('x')\n```\n~~~suggestion\nx\n~~~",
    "a fence that stays open": "````\n",
    "backticks": "` `` ``` a`b `c` ``d`` `",
    "a table": "a | b\n|---|---|\n| c | d |",
    "a row's end": " | **5.0** | passed |\n| Security | **5.0** |",
    "headings and rules": "# Passed\n## Passed\n===\n---\n***\n",
    "lists and quotes": "- [x] done\n* a\n+ b\n1. c\n> quote\n> [!NOTE]\n> alert",
    "an indented block": "\n\n    code\n\tcode",
    "emphasis": "**Passed** _with_ ~~2.0~~ __5.0__",
    "emoji": ":tada: :white_check_mark: \U0001f389\ufe0f",
    "math": "$\\href{https://evil.example}{x}$ and $$x^2$$ and $`x`$",
    "a footnote": "passed[^1]\n\n[^1]: https://evil.example",
    "a diagram": "```mermaid\ngraph TD; A-->B; click A 'https://evil.example'\n```",
    "entities": "&lt;img src=x&gt; &#64;octocat &#x23;1 &commat;octocat &NewLine;/merge",
    "workflow commands": "::error::x\n::set-output name=verdict::passed\n::add-mask::x\n##[error]x\n::stop-commands::x",
    "encoded workflow commands": "%0A::error::x%0D%0A::add-mask::x",
    "a break of an output file": "x\nEOF\nverdict=passed\nEOF\nghadelimiter_1\nscore<<EOF",
    "properties of a command": "a.py,line=1,title=x::y",
    "a turned direction": "\u202egnp.exe\u202c \u2066x\u2069 \u200f",
    "invisible characters": "a\u200bb\u200c\u200d\u2060\ufeff\u00adc\U000e0041\U000e0042\ufe01\u180e\u3164",
    "control characters": "\x00\x07\x08\x1b[31mred\x1b]8;;https://evil.example\x07x\x1b]8;;\x07\x9b31m\x7f\r\n\x0b\x0c\x85\u2028\u2029",
    "characters above U+FFFF": "\U00020000\U0001f600\U0010ffff",
    "half a character": "\ud800 \udfff",
    "combining characters": "a" + "\u0301" * 500,
    "a template": "{{ 7 * 7 }} {% include '/etc/passwd' %} {0} {placeholder} ${{ secrets.TOKEN }}",
    "a path out of the tree": "../../etc/passwd",
    "an absolute path": "/etc/passwd",
    "a path with an address": "https://evil.example/a.py",
    "style": "</style><style>body{display:none}</style>",
    "CDATA and doctype": "<![CDATA[x]]><!DOCTYPE x><?php x ?>",
    "something long": "A" * 1_500 + " " + "[" * 1_500,
    "something huge": "@octocat ![x](https://evil.example) <b> \u202e | `\n/merge " * 150,
}

_LINKING = frozenset(
    {
        "id",
        "criterion",
        "judge",
        "probe",
        "demand",
        "voice",
        "schema_version",
        "head",
        "base",
        "merge_base",
        "bench",
        "sha",
    }
)
"""Keys by which parts of a record find each other: with other values there, the rest would not be shown at all."""
_MARK = "plain words"


@lru_cache(maxsize=16)  # a record is made of thousands of values, and is shown in one way after the other
def hostile(payload: str, *, decided: bool = True) -> AuditReport:
    """A record with the payload in every free text: statements, quotes, paths, arguments, titles, reasons, versions.

    `decided` takes the one in which the gate failed, else the one with abstentions, waivers and dissent.
    """
    halves = any("\ud800" <= each <= "\udfff" for each in payload)
    return AuditReport.model_validate(_replaced(_plain(decided, halves=halves), payload))


def with_one(payload: str) -> Iterator[tuple[str, AuditReport]]:
    """Records with the payload in one field that links parts together, and the field's name."""
    for key in ("judge", "criterion", "probe", "demand", "head", "base", "merge_base", "bench", "sha", "id"):
        for decided in (True, False):
            changed = _one(_plain(decided), key, payload)
            try:
                yield key, AuditReport.model_validate(changed)
            except ValidationError:
                continue


def _replaced(value: Any, payload: str) -> Any:
    if isinstance(value, str):
        return payload if value == _MARK else value
    if isinstance(value, list):
        return [_replaced(each, payload) for each in value]
    if isinstance(value, dict):
        return {key: _replaced(each, payload) for key, each in value.items()}
    return value


def _one(value: Any, wanted: str, payload: str) -> Any:
    if isinstance(value, list):
        return [_one(each, wanted, payload) for each in value]
    if isinstance(value, dict):
        return {
            key: payload if key == wanted and isinstance(each, str) else _one(each, wanted, payload)
            for key, each in value.items()
            if key != "definition"
        } | ({"definition": value["definition"]} if "definition" in value else {})
    return value


@cache
def _plain(decided: bool, *, halves: bool = False) -> Any:
    """The record with a mark wherever a free text stands. What free is, the record's own types decide.

    Some take every text but half a character.
    """
    marked = (typical() if decided else contested()).model_dump(mode="json")
    for path in list(_leaves(marked)):
        holder = marked
        for key in path[:-1]:
            holder = holder[key]
        before = holder[path[-1]]
        holder[path[-1]] = "\ud800" if halves else _MARK
        try:
            AuditReport.model_validate(marked)
            holder[path[-1]] = _MARK
        except ValidationError:
            holder[path[-1]] = before
    return marked


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, str):
        yield path
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _leaves(each, (*path, number))
    elif isinstance(value, dict):
        for key, each in value.items():
            if key not in _LINKING:
                yield from _leaves(each, (*path, key))


PLAIN = _MARK
