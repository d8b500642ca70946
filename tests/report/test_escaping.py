"""Foreign text in every sink: nothing of it acts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from auditor.report.escaping import for_code_span, for_html, for_markdown, for_terminal, visible

HOSTILE = [
    "@someone fixes #1, GH-2 and owner/repo#3",
    "[link](https://evil.example/?x)",
    "![image](https://evil.example/p.png)",
    "![ref][x]\n\n[x]: https://evil.example/p.png",
    "<img src=x onerror=alert(1)> <script>x</script> <!-- hidden -->",
    "https://evil.example www.evil.example mailto:a@b.example",
    "**bold** _em_ ~~gone~~ `code` ```fence```",
    "| a | b |\n|---|---|",
    "# heading\n- item\n1. item\n> quote\n***",
    "\n\n    indented",
    ":tada: $x^2$ [^1] [!NOTE]",
    "\u202eright to left\u202c \x1b[31mred\x1b]8;;https://evil.example\x07link\x1b]8;;\x07",
    "a\r\nb\u2028c\x85d\x00e",
    "&lt;b&gt; &#64;someone &copy;",
    "deadbeef1234567890 commit",
    "_https://evil.example 1https://evil.example _www.evil.example",
    "/merge",
]
PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
HARMLESS = {"paragraph_open", "paragraph_close", "inline", "text", "text_special", "softbreak", "code_inline"}


def kinds(text: str) -> set[str]:
    tokens: list[Token] = PARSER.parse(text)
    return {token.type for token in tokens} | {child.type for token in tokens for child in token.children or ()}


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_plain_words_in_markdown(text: str) -> None:
    escaped = for_markdown(text)
    assert kinds(f"Seen: {escaped}") <= HARMLESS
    assert kinds(f"Seen: {for_code_span(text)}") <= HARMLESS
    assert not any(mention in escaped for mention in ("@someone", "://", "www.", "GH-", "mailto:"))


def test_an_address_is_broken_behind_any_character_github_recognises_it_after() -> None:
    for before in ("", " ", "_", "*", "~", "(", "1", "\u00e9"):
        assert "://" not in for_markdown(f"{before}https://evil.example")
        assert "www." not in for_markdown(f"{before}www.evil.example")


def test_a_bots_command_does_not_stand_at_the_start() -> None:
    assert for_markdown("/merge now").startswith("\\/")
    assert for_markdown(" \n/merge").startswith("\\/")


def test_code_with_a_bar_is_plain_words_and_leaves_other_code_alone() -> None:
    assert for_markdown("from `a | None` to `b`") == "from a \\| None to `b`"


def test_a_bar_in_code_is_escaped_in_a_table_only() -> None:
    assert for_code_span("a|b") == "`a|b`"
    assert for_code_span("a|b", in_table=True) == "`a\\|b`"


PIECES = [
    *"@#[](){}!<>`*_~|:/\\-+=.&;$^\"' \n\t\r1aGH",
    "\u202e",
    "\x1b",
    "http://",
    "www.",
    "![",
    "](",
    "<!--",
    "```",
    "<a",
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
@settings(max_examples=400, deadline=None)
def test_no_text_becomes_markup(text: str) -> None:
    assert kinds(f"Seen: {for_markdown(text)}") <= HARMLESS
    assert kinds(f"| {for_code_span(text)} |".replace("\n", " ")) <= HARMLESS


@given(st.text(max_size=80))
def test_no_control_or_format_character_survives_for_a_terminal(text: str) -> None:
    import unicodedata

    shown = for_terminal(text)
    assert not any(unicodedata.category(character) in {"Cc", "Cf", "Cs"} for character in shown)
    assert "\n" not in shown


def test_invisible_characters_are_written_out() -> None:
    assert visible("a\u200bb\u202ec") == "a⟨U+200B⟩b⟨U+202E⟩c"
    assert visible("plain text") == "plain text"


def test_html_is_escaped_for_text_and_attributes() -> None:
    assert for_html("<a href=\"x\" onclick='y'>&") == "&lt;a href=&quot;x&quot; onclick=&#x27;y&#x27;&gt;&amp;"
