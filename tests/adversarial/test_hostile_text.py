"""One table of hostile texts, in every free field of a record, rendered into every sink: nothing of it acts.

Each sink is read with a parser of what GitHub, a browser, a runner or a terminal would see. A rendered page may differ from
one made of plain words in its words only, never in its structure.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from auditor.domain import AuditReport
from auditor.forensics.python.justifying_comments import gives_reason
from auditor.report import comparison_json, comparison_pages
from auditor.report.annotations import annotate
from auditor.report.check_run_text import check_output
from auditor.report.comment_text import comment
from auditor.report.github_links import Links
from auditor.report.html_report import html
from auditor.report.job_summary_text import summary
from auditor.report.markdown_report import markdown
from auditor.report.sarif_report import sarif
from auditor.report.workflow_commands import commands
from tests.comparisons import hostile_folders, hostile_pair
from tests.hostile import PAYLOADS, PLAIN, hostile, with_one
from tests.reports import GITHUB, HEAD, LINKS

PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
OURS = ("https://github.com/acme/parcels/", "https://github.com/octo/automaton-auditor/blob/v1/.github/docs/rules.md#")
TAGS = frozenset(
    [
        "a",
        "b",
        "code",
        "del",
        "details",
        "em",
        "h2",
        "h3",
        "h4",
        "li",
        "ol",
        "p",
        "strong",
        "sub",
        "summary",
        "span",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "ul",
        "h1",
    ]
)
"""What our pages are made of. `span` stands around a dollar sign, which GitHub asks for."""
DRAWN_TAGS = frozenset(["circle", "g", "line", "path", "rect", "svg", "text"])
HTML_TAGS = (
    TAGS
    | DRAWN_TAGS
    | frozenset(["body", "br", "dd", "div", "dl", "dt", "figcaption", "figure", "footer", "head", "header", "html"])
    | frozenset(["main", "meta", "nav", "pre", "section", "style", "title"])
)
RECOGNISED = {
    "mention": re.compile(r"(?:^|[^0-9A-Za-z`/])@[0-9A-Za-z]"),
    "number": re.compile(r"#[0-9]"),
    "issue": re.compile(r"GH-[0-9]", re.IGNORECASE),
    "address": re.compile(r"://|www\.|mailto:|xmpp:", re.IGNORECASE),
    "e-mail": re.compile(r"[\w.+-]@[\w-]"),
    "emoji": re.compile(r":[\w+-]+:"),
    "commit": re.compile(r"(?<![0-9a-z])(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,40}(?![0-9a-z])"),
}
"""What GitHub turns into a link, a picture or a notification wherever it stands outside code, links and addresses."""
JOINER = "\u2060"


@dataclass
class Page(HTMLParser):
    """What a browser makes of a page."""

    allowed: frozenset[str]
    tags: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    strange: list[str] = field(default_factory=list)
    inside: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in ("br", "meta"):
            self.inside.append(tag)
        if tag not in self.allowed:
            self.strange.append(f"<{tag}>")
        for name, value in attrs:
            if tag == "a" and name == "href":
                self.links.append(value or "")
            elif (tag, name) not in _ATTRIBUTES or (name == "style" and value not in _ALIGNED):
                self.strange.append(f"<{tag} {name}={value!r}>")

    def handle_endtag(self, tag: str) -> None:
        self.tags.append(f"/{tag}")
        if not self.inside or self.inside.pop() != tag:
            self.strange.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if not {"code", "a", "style", "pre"} & set(self.inside):
            self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def handle_pi(self, data: str) -> None:
        self.strange.append(f"<?{data}>")

    def unknown_decl(self, data: str) -> None:
        self.strange.append(f"<![{data}>")


_ATTRIBUTES = {
    ("td", "style"), ("th", "style"), ("ol", "start"), ("html", "lang"), ("meta", "charset"), ("meta", "http-equiv"), ("meta", "content"),
    ("meta", "name"), ("th", "scope"), ("a", "class"), ("a", "rel"), ("span", "class"), ("strong", "class"), ("p", "class"), ("div", "class"),
    ("ol", "class"), ("code", "class"), ("details", "id"), ("div", "id"), ("td", "data-label"), ("details", "open"), ("li", "class"), ("details", "class"), ("dl", "class"),
    ("h2", "id"), ("li", "id"), ("pre", "class"), ("table", "class"), ("td", "class"), ("th", "class"), ("tr", "class"), ("ul", "class"),
    ("td", "colspan"), ("a", "title"), ("section", "aria-labelledby"), ("nav", "aria-label"),
    *((tag, name) for tag in ("div", "pre") for name in ("tabindex", "role", "aria-label", "aria-labelledby")),
    *(("svg", name) for name in ("class", "width", "height", "viewbox", "aria-hidden", "focusable")),
    *((tag, "class") for tag in ("circle", "g", "line", "path", "text")), ("g", "transform"), ("path", "d"),
    *(("line", name) for name in ("x1", "x2", "y1", "y2")), *(("circle", name) for name in ("cx", "cy", "r")),
    *(("rect", name) for name in ("x", "y", "width", "height", "rx")), *(("text", name) for name in ("x", "y", "text-anchor")),
}  # fmt: skip
_ALIGNED = ("text-align:left", "text-align:center", "text-align:right")


def read(rendered: str, allowed: frozenset[str] = TAGS) -> Page:
    page = Page(allowed)
    page.feed(rendered)
    page.close()
    return page


CODE_OR_ESCAPED = re.compile(r"\\[\s\S]|(?<!`)(`+)(?!`)[\s\S]+?(?<!`)\1(?!`)")


def without_code(text: str) -> str:
    """Markdown without its code spans and without what a backslash takes the meaning from."""
    return CODE_OR_ESCAPED.sub("", text)


def unseen(text: str) -> set[str]:
    """Characters that a reader cannot see, apart from line ends, our own joiners and what gives a sign its colour."""
    shown = re.sub("(?<=[\u2600-\u27bf\U0001f300-\U0001faff])\ufe0f", "", text).replace(JOINER, "")
    return {
        f"U+{ord(each):04X}"
        for each in set(shown)
        if (unicodedata.category(each) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} and each != "\n")
        or 0xFE00 <= ord(each) <= 0xFE0F
        or each in "\u3164\u115f\u1160\u034f\u2800"
    }


MARKDOWN: dict[str, Callable[[AuditReport, str], str]] = {
    "comment": lambda report, payload: comment(report, LINKS, None, [payload]),
    "check summary": lambda report, payload: check_output(report, LINKS, None, [payload]).summary,
    "check text": lambda report, payload: check_output(report, LINKS, None, [payload]).text,
    "job summary": lambda report, payload: summary(report, LINKS, None, [payload]),
    "report.md": lambda report, _: markdown(report),
}
LIMITS = {
    "comment": 65_535,
    "check summary": 65_535,
    "check text": 65_535,
    "job summary": 1_048_000,
    "report.md": 1 << 40,
}


@cache
def blocks(sink: str, decided: bool) -> tuple[str, ...]:
    """The structure of the page when nothing in it is hostile."""
    return structure(MARKDOWN[sink](hostile(PLAIN, decided=decided), PLAIN))


def structure(text: str) -> tuple[str, ...]:
    return shape(PARSER.parse(text))


def shape(tokens: list[Token]) -> tuple[str, ...]:
    return tuple(f"{token.type} {token.tag} {token.level}" for token in tokens)


SHORT = [name for name in PAYLOADS if "something" not in name]
NASTY = [
    "HTML",
    "a mention",
    "a link",
    "a row's end",
    "backticks",
    "an HTML comment",
    "control characters",
    "lists and quotes",
]
"""Of every kind one, where all would take too long."""


@pytest.mark.parametrize(
    ("name", "decided"), [*((name, False) for name in PAYLOADS), *((name, True) for name in NASTY)]
)
def test_no_hostile_text_acts_in_markdown(name: str, decided: bool) -> None:
    payload = PAYLOADS[name]
    report = hostile(payload, decided=decided)
    for sink, render in MARKDOWN.items():
        if sink == "report.md" and name not in SHORT:
            continue  # it has no limit to keep, and a parser takes long over all of it
        tokens = assert_inert(render(report, payload), sink)
        if name in SHORT:
            assert shape(tokens) == blocks(sink, decided), sink


def assert_inert(text: str, sink: str) -> list[Token]:
    tokens = PARSER.parse(text)
    page = read(PARSER.renderer.render(tokens, PARSER.options, {}))
    assert page.strange == [], sink
    assert page.inside == [], sink
    assert all(link.startswith(OURS) and re.fullmatch(r"[!-~]+", link) for link in page.links), sink
    assert page.comments in ([], [f" automaton-auditor:comment:{'pull-request'} "]) or (
        len(page.comments) == 1 and text.startswith("<!-- automaton-auditor:verdict:1 {") and sink == "check text"
    )
    for each in page.texts:
        for what, pattern in RECOGNISED.items():
            assert not pattern.search(each), (sink, what, each)
    assert unseen(text) == set(), sink
    bare = without_code(text)
    assert "[^" not in bare, sink
    assert "$" not in bare.replace("<span>$</span>", ""), sink
    assert not any(token.type in {"fence", "code_block"} for token in tokens), sink
    assert not re.search(r"^\s*(?:[-*]\s+)?/", text, re.MULTILINE), sink
    assert len(text.encode()) <= LIMITS[sink], sink
    return tokens


@pytest.mark.parametrize("name", PAYLOADS)
def test_no_hostile_text_acts_in_the_check_runs_title_and_notes(name: str) -> None:
    for decided in (True, False):
        output = check_output(hostile(PAYLOADS[name], decided=decided), LINKS)
        assert 0 < len(output.title) <= 255
        assert "\n" not in output.title
        for text in (
            output.title,
            *(each.title for each in output.annotations),
            *(each.message for each in output.annotations),
        ):
            assert unseen(text) == set()
            assert all(ord(each) <= 0xFFFF for each in text)
            assert not any(pattern.search(text) for pattern in RECOGNISED.values()), text
        for text in (output.summary, output.text):
            assert all(ord(each) <= 0xFFFF for each in text)
        for note in output.annotations:
            assert len(note.title) <= 255
            assert len(note.message.encode()) <= 64_000
            assert note.path.isprintable()
            assert not note.path.startswith(("/", "../"))


COMMAND = re.compile(r"::(error|warning|notice) ((?:[a-zA-Z]+=[^,]*)(?:,[a-zA-Z]+=[^,]*)*)::(.*)")


@pytest.mark.parametrize("name", PAYLOADS)
def test_a_runner_sees_one_command_a_line_with_our_properties_only(name: str) -> None:
    for decided in (True, False):
        report = hostile(PAYLOADS[name], decided=decided)
        for line in commands(annotate(report).shown):
            assert not {"\r", "\n", "\u2028", "\x85"} & set(line)
            head, _, message = line.removeprefix("::").partition("::")
            command, _, properties = head.partition(" ")
            assert command in {"error", "warning", "notice"}
            assert [each.partition("=")[0] for each in properties.split(",")] == ["file", "line", "endLine", "title"]
            assert "::" not in message
            assert "##[" not in message
            assert not re.search(r"%0[AD]", properties, re.IGNORECASE)
            assert unseen(line) == set()


@cache
def tags(decided: bool) -> tuple[str, ...]:
    return skeleton(read(html(hostile(PLAIN, decided=decided), LINKS, None, [PLAIN]), HTML_TAGS))


def skeleton(page: Page) -> tuple[str, ...]:
    """The tags, apart from code and links, which depend on the words."""
    return tuple(each for each in page.tags if each.removeprefix("/") not in {"code", "a", "span"})


@pytest.mark.parametrize("decided", [True, False], ids=["typical", "contested"])
@pytest.mark.parametrize("name", PAYLOADS)
def test_no_hostile_text_acts_in_the_html_page(name: str, decided: bool) -> None:
    payload = PAYLOADS[name]
    text = html(hostile(payload, decided=decided), LINKS, None, [payload])
    page = read(text, HTML_TAGS)
    assert page.strange == []
    assert page.inside == []
    assert page.comments == []
    assert skeleton(page) == tags(decided)
    assert all(link.startswith((*OURS, "#")) for link in page.links)
    assert unseen(text) == set()
    assert not re.search(r"<[^>]*\s(?:on\w+|src|style|srcset|action|data)\s*=", text, re.IGNORECASE)


@pytest.mark.parametrize("name", PAYLOADS)
def test_no_hostile_text_acts_in_sarif(name: str) -> None:
    for decided in (True, False):
        log = json.loads(sarif(hostile(PAYLOADS[name], decided=decided), LINKS))
        for key, value in strings(log):
            assert unseen(value) == set(), key
            if key == "uri":
                assert re.fullmatch(r"[A-Za-z0-9._~%-]+(?:/[A-Za-z0-9._~%-]+)*", value)
                assert not {".", ".."} & set(value.split("/"))
            elif key == "text":
                assert "](" not in value
                assert not re.search(r"\{\d", value)
                assert not any(pattern.search(value) for pattern in RECOGNISED.values()), value
            elif key == "markdown":
                page = read(PARSER.render(value))
                assert page.strange == []
                assert not page.links
            elif key in {"informationUri", "helpUri"}:
                assert re.fullmatch(r"https://github\.com/octo/automaton-auditor[!-~]*", value)
            elif key not in {"$schema", "repositoryUri", "revisionId"}:
                assert "://" not in value, key


def strings(value: object, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, list):
        for each in value:
            yield from strings(each, key)
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from strings(each, name)


@pytest.mark.parametrize("name", PAYLOADS)
def test_a_terminal_shows_no_control_character_of_foreign_origin(name: str) -> None:
    import io

    from rich.console import Console

    from auditor.report.terminal_report import print_verdict

    for decided in (True, False):
        page = io.StringIO()
        print_verdict(
            hostile(PAYLOADS[name], decided=decided),
            Console(file=page, width=100, color_system=None, highlight=False, markup=False, emoji=False),
        )
        assert unseen(page.getvalue()) == set()


@pytest.mark.parametrize("name", NASTY[:4])
def test_hostile_names_by_which_parts_find_each_other_are_inert_too(name: str) -> None:
    for key, report in with_one(PAYLOADS[name]):
        for sink in ("comment", "report.md"):
            text = MARKDOWN[sink](report, PLAIN)
            page = read(PARSER.render(text))
            assert page.strange == [], (sink, key)
            assert all(link.startswith(OURS) for link in page.links), (sink, key)
            assert unseen(text) == set(), (sink, key)
        assert read(html(report, LINKS), HTML_TAGS).strange == [], key
        json.loads(sarif(report, LINKS))


@pytest.mark.parametrize("name", SHORT)
def test_addresses_given_by_the_surroundings_break_out_of_nothing(name: str) -> None:
    evil = f"{GITHUB}/{PAYLOADS[name]}"
    links = Links(GITHUB, "acme/parcels", HEAD, None, run_url=evil, check_url=evil, report_url=evil)
    report = hostile(PLAIN)
    for sink, text in (("comment", comment(report, links)), ("check summary", check_output(report, links).summary)):
        page = read(PARSER.render(text))
        assert page.strange == [], sink
        assert all(link.startswith(f"{GITHUB}/") for link in page.links), sink
    assert read(html(report, links), HTML_TAGS).strange == []


def test_words_for_tools_are_no_reason_to_drop_a_failure() -> None:
    assert not gives_reason("# nosemgrep: python.lang.security.broad-except")
    assert not gives_reason("# NOSONAR python:S5754")
    assert gives_reason("# NOSONAR: one hook of somebody else must never stop the rest")


COMPARISONS = {"two records": hostile_pair, "two folders": hostile_folders}


@cache
def plain_comparison(kind: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The structure of both pages of a comparison when nothing in it is hostile."""
    plain = COMPARISONS[kind](PLAIN)
    return structure(comparison_pages.markdown(plain)), skeleton(read(comparison_pages.html(plain), HTML_TAGS))


@pytest.mark.parametrize("name", SHORT)
@pytest.mark.parametrize("kind", COMPARISONS)
def test_no_hostile_text_acts_in_a_comparison_of_records(name: str, kind: str) -> None:
    comparison, (plain_blocks, plain_tags) = COMPARISONS[kind](PAYLOADS[name]), plain_comparison(kind)
    tokens = assert_inert(comparison_pages.markdown(comparison), "report.md")
    assert shape(tokens) == plain_blocks
    text = comparison_pages.html(comparison)
    page = read(text, HTML_TAGS)
    assert (page.strange, page.inside, page.comments) == ([], [], [])
    assert skeleton(page) == plain_tags
    assert all(re.fullmatch(r"#pair-\d+", link) for link in page.links)
    assert unseen(text) == set()
    written = comparison_json.to_json(comparison)
    assert all(each == "\n" or " " <= each <= "~" for each in written)
    json.loads(written)


@pytest.mark.parametrize("name", PAYLOADS)
@pytest.mark.parametrize("kind", COMPARISONS)
def test_a_terminal_shows_no_control_character_of_a_compared_record(name: str, kind: str) -> None:
    import io

    from rich.console import Console

    from auditor.report.comparison_terminal import print_comparison

    page = io.StringIO()
    console = Console(file=page, width=100, color_system=None, highlight=False, markup=False, emoji=False)
    print_comparison(COMPARISONS[kind](PAYLOADS[name]), console)
    assert unseen(page.getvalue()) == set()
