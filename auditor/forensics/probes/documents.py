"""Whether documentation speaks of what is there."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from posixpath import normpath
from typing import Any

from auditor.domain import CodeLocation, Fact
from auditor.forensics import restructured
from auditor.forensics.applications import Kin, is_migration
from auditor.forensics.commanded import MAX_LINES, commanded
from auditor.forensics.compatibility import definitions_before, is_private
from auditor.forensics.facts import counted, each_of, found, lines, not_applicable, not_found, several, some, verb
from auditor.forensics.inputs import Bystanders, Change, Documents, PythonModules, Tree
from auditor.forensics.mentions import (
    PLANNED,
    PLANNING,
    SUFFIXES,
    drawn_paths,
    is_filled_in,
    is_output,
    path_in,
    spoken_paths,
    stands,
)
from auditor.forensics.outline import Class, Function
from auditor.forensics.probe import probe
from auditor.forensics.roles import Role, is_example, is_expected_output, role
from auditor.late import late

_MARKDOWN = ("*.md", "**/*.md", "*.markdown", "**/*.markdown")
_RESTRUCTURED = ".rst"
_LINKED = (*_MARKDOWN, f"*{_RESTRUCTURED}", f"**/*{_RESTRUCTURED}")
_MAX_DEPTH = 40
MAX_MARKDOWN = 300_000
"""Characters of a document that is parsed; the largest among the code bases looked at has half of that."""
MAX_BRACKETS = 8_000
MAX_MENTIONS = 1_000
_CONTEXT = 400
_LONG_LINE = 20_000
_SENTENCE = late(r"(?<=[.!?])\s+(?=[A-Z`\[(*])|\n\s*(?:[-*+]|\d+[.)])\s|\|")
_HISTORY = late(
    r"(?:^|/)(?:changelog|changes|history|news|release[-_ ]?notes|releases)[^/]*\.(?:md|markdown)$", re.IGNORECASE
)
_AHEAD = late(r"(?:^|/)(?:plans?|proposals?|rfcs?)/[^/]+\.(?:md|markdown)$", re.IGNORECASE)
"""Documents that say what is to come: what they name need not be there."""


@dataclass(frozen=True)
class _Mention:
    path: str
    line: int
    text: str
    context: str
    heading: str = ""


_NO_BYSTANDERS = Bystanders()


@probe("docs.paths_exist", reads=_MARKDOWN)
def paths_exist(
    change: Change | None, documents: Documents, tree: Tree, bystanders: Bystanders = _NO_BYSTANDERS
) -> Iterator[Fact]:
    """Does the documentation name files that are not there?

    Paths, modules and file names in Markdown, wherever they stand: prose, tables, commands, drawings of trees; of a
    change also what other documents name by its whole path and the change takes away. What is said to be planned, gone,
    written when the program runs, or an example counts for nothing; where no file is named the question does not apply.

    Correct the path, or say plainly that the file is planned.
    """
    mentions = [
        mention
        for path, text in sorted(documents.head.items())
        if not _HISTORY.search(path) and not _AHEAD.search(path) and not is_expected_output(path)
        for mention in islice(_mentions(path, text, tree), MAX_MENTIONS)
        if _counts(change, path, mention.line)
    ]
    left = list(_named_what_goes(bystanders, tree))
    going = frozenset(left)
    mentions += left
    if not mentions:
        yield not_applicable("No document in scope names a file of the repository.")
        return
    missing = [mention for mention in mentions if not stands(mention.text, mention.path, tree)]
    wrong = [
        mention
        for mention in missing
        if not (_WENT if mention in going else PLANNED).search(mention.context)
        and not PLANNING.search(mention.heading)
        and not is_output(mention.text, tree)
        and not is_filled_in(mention.text, tree)
        and not _is_kept_aside(mention.text, tree)
    ]
    if not wrong:
        more = len(missing)
        planned = f"; {more:,} more {verb(more, 'is', 'are')} announced, historical or made by tools" if more else ""
        there = len(mentions) - more
        yield not_found(f"{several(there, 'path')} named in documents {verb(there, 'exists', 'exist')}{planned}.")
        return
    yield found(
        f"{_of(len(wrong), len(mentions), 'path')} named in documents {'does' if len(wrong) == 1 else 'do'} not exist: {some(dict.fromkeys(each.text for each in wrong))}.",
        at=[lines(mention.path, mention.line, mention.line, quote=mention.text) for mention in wrong],
        confidence=0.75,
        because="a path may be meant for another repository or be made at run time",
        measure=round(len(wrong) / len(mentions), 4),
        introduced=None if change is None else True,
    )


_WENT = late(
    r"\b(?:remov\w+|renam\w+|delet\w+|drop\w*|formerly|legacy|moved|replac\w+|used to|previous\w*|no longer|deprecat\w+|old)\b",
    re.IGNORECASE,
)
"""Words by which a document says that a file which was there until now is none."""


def _named_what_goes(bystanders: Bystanders, tree: Tree) -> Iterator[_Mention]:
    """Where documents which the change leaves alone name a file or folder which it takes away, by its whole path."""
    for path, text in sorted(bystanders.texts.items()):
        if _HISTORY.search(path) or _HISTORY_OF_OTHERS.search(path) or _AHEAD.search(path) or is_expected_output(path):
            continue
        for mention in islice(_mentions(path, text, tree), MAX_MENTIONS):
            named = mention.text.removeprefix("./").rstrip("/")
            if "/" in named and named in bystanders.gone:
                yield mention


_PUT_THERE = (
    ".github",
    ".gitlab",
    ".circleci",
    ".vscode",
    ".husky",
    ".storybook",
    ".devcontainer",
    ".cursor",
    ".claude",
)


def _is_kept_aside(named: str, tree: Tree) -> bool:
    """Does it lie in a hidden folder of which the repository keeps nothing, as programs make for what they remember?"""
    first = named.removeprefix("./").partition("/")[0]
    return first.startswith(".") and "/" in named and first not in _PUT_THERE and not tree.exists(first)


def _of(part: int, whole: int, thing: str) -> str:
    return f"The only {thing}" if whole == 1 else f"{part:,} of {whole:,} {thing}s"


def _counts(change: Change | None, path: str, line: int) -> bool:
    """Is a line in question: any line of a whole tree, those that the change wrote otherwise?"""
    return change is None or line in _written(change, path)


def _written(change: Change, path: str) -> frozenset[int]:
    file = change.by_path.get(path)
    return frozenset() if file is None else file.added_lines


def _mentions(path: str, text: str, tree: Tree) -> Iterator[_Mention]:
    """What a document names: set as code, in running text, in commands, in drawings of folders.

    Running text and commands may speak of somebody else's files: they count where the path is there, or its first folder is.
    """
    source = text.split("\n")
    headings = [number for number, line in enumerate(source) if line.startswith("#")]
    commands = _Commands(path, tree, foreign=_STARTS_ANEW.search(text) is not None)

    def mention(named: str, line: int, words: str, around: str = "") -> _Mention:
        number = _line_of(source, line, words)
        above = bisect_left(headings, number)
        heading = source[headings[above - 1]][:_CONTEXT] if above else ""
        return _Mention(path, number, named, around or _sentence_around(source, number, words), heading)

    for token, line in _tokens(text):
        if token.type == "code_inline":
            named = path_in(token.content) or _bare(token.content, tree)
            for each in [named] if named is not None else commands.in_line(token.content):
                yield mention(each, line, token.content)
        elif token.type == "text":
            for _, named in spoken_paths(token.content):
                if "/" in named and path_in(named) is not None and _is_ours(named, path, tree):
                    yield mention(named, line, named)
        elif token.type in {"fence", "code_block"}:
            before = _said_before(source, line)
            drawn = _drawn(token.content, tree)
            for named in drawn or commands.in_block(token.info, token.content):
                words = named.rstrip("/").rpartition("/")[2] if drawn else named
                shown = mention(named, line, words, before)
                yield replace(shown, context=f"{before} {source[shown.line - 1][:_CONTEXT]}")


_STARTS_ANEW = late(
    r"\b(?:npx create-|npm (?:create|init)|yarn create|pnpm create|cargo (?:new|init)|rails new|startproject|startapp|cookiecutter|git init|uv init|poetry new|go mod init|dotnet new|mkdir)\b"
)
"""Commands by which a reader starts a project of their own, to which the files named from then on belong."""
_SHELL = frozenset({"", "sh", "bash", "shell", "console", "zsh", "text", "terminal", "shell-session", "sh-session", "powershell", "cmd", "bat", "fish"})  # fmt: skip
_SCRIPTED = late(r"\.(?:py|sh|bash|rb|js|mjs|ts|go|php|pl|ps1)$")


class _Commands:
    """The files that the commands of one document take for granted, beside those that they make."""

    def __init__(self, document: str, tree: Tree, *, foreign: bool) -> None:
        self._document, self._tree, self._foreign = document, tree, foreign
        self._made: set[str] = set()
        self._shown = False

    def in_block(self, info: str, text: str) -> list[str]:
        """Of a block of code, if it is one of commands."""
        words = info.split()
        if (words[0].strip("{}.").lower() if words else "") not in _SHELL:
            self._shown = self._shown or text.count("\n") > 1
            return []
        return [each for line in text.split("\n")[:MAX_LINES] for each in self.in_line(line)]

    def in_line(self, line: str) -> list[str]:
        """Of one line, or of words set as code."""
        if " " not in line.strip() and not line.strip().startswith("./"):
            return []
        seen = commanded(line)
        self._made |= {each.rpartition("/")[2] for each in seen.made}
        modules = [each for module in seen.modules if (each := _of_module(module, self._tree))]
        return [each for each in (*seen.needed, *modules) if self._counts(each)]

    def _counts(self, named: str) -> bool:
        if _LOOSE.search(named):
            return False
        if stands(named, self._document, self._tree):
            return True
        if self._foreign or named.rpartition("/")[2] in self._made:
            return False
        at_root = "/" not in self._document
        if "/" in named.removeprefix("./"):
            return at_root or _is_ours(named, self._document, self._tree)
        return at_root and not self._shown and _SCRIPTED.search(named) is not None


_LOOSE = late(r"[<>{}$*%]|\.\.\.|path/to|example|your|\bmy[-_]|xxx|^/|^~|^\.\./\.\.|node_modules|venv", re.IGNORECASE)


def _of_module(module: str, tree: Tree) -> str:
    """The file of a module of this repository that is run by its name; nothing for a module of others."""
    parts = module.split(".")
    for root in ("", "src/"):
        if not tree.exists(f"{root}{parts[0]}"):
            continue
        path = root + "/".join(parts)
        return f"{path}/__main__.py" if tree.exists(path) else f"{path}.py"
    return ""


def _is_ours(named: str, document: str, tree: Tree) -> bool:
    """Is it there, or is at least its first folder?"""
    first = named.removeprefix("./").partition("/")[0]
    folder = document.rpartition("/")[0]
    return stands(named, document, tree) or (
        first not in {"", "..", "~"} and (tree.exists(first) or bool(folder and tree.exists(f"{folder}/{first}")))
    )


_NAME = late(rf"^[\w.+-]{{1,80}}\.(?:{SUFFIXES})$")


def _bare(words: str, tree: Tree) -> str | None:
    """The name of a file without its folder, where the repository has such a file: that it has none says nothing."""
    named = words.strip()
    return named if _NAME.match(named) and named in tree.endings else None


def _drawn(text: str, tree: Tree) -> list[str]:
    """The paths of a drawing of folders, where at least half of them are there: others show what a reader would make."""
    drawn = list(islice(drawn_paths(text), MAX_MENTIONS)) or list(_indented(text))
    there = sum(stands(each, "", tree) for each in drawn)
    return drawn if drawn and 2 * there >= len(drawn) else []


_ENTRY = late(
    r"^(?P<indent> {0,40}|\t{0,10})(?:(?P<name>[\w@.+-]{1,80}/?)(?:\s+(?:#|-|\u2013|//|<-).*)?|(?P<told>[\w@+-]{1,60}(?:/|\.\w{1,10}))\s+\S.*)\s*$"
)
"""A file or a folder, and what is said of it: in words alone only where its name tells what it is."""


def _indented(text: str) -> Iterator[str]:
    """The files of a list of folders in which depth is told by blanks, folders by their slash."""
    rows = [_ENTRY.match(line[:300]) for line in text.split("\n")[:MAX_LINES] if line.strip()]
    entries = [(len(row["indent"]), row["name"] or row["told"]) for row in rows if row is not None]
    if len(entries) < 3 or len(entries) < len(rows) or not any(name.endswith("/") for _, name in entries):
        return
    folders: list[tuple[int, str]] = []
    for depth, name in entries:
        while folders and folders[-1][0] >= depth:
            folders.pop()
        if name.endswith("/"):
            folders.append((depth, name))
        elif "." in name.strip("."):
            yield "".join(above for _, above in folders) + name


def _said_before(source: list[str], line: int) -> str:
    """The last line of text above a block, which says what it shows."""
    above = (each for each in reversed(source[max(0, line - 4) : line]) if each.strip())
    return next(above, "")[-_CONTEXT:]


def _sentence_around(source: list[str], number: int, words: str) -> str:
    """The sentence, list item or table cell in which words stand on a line; it may begin a line earlier and end one later."""
    before = "" if number < 2 or not source[number - 2].strip() else source[number - 2][-_CONTEXT:]
    line = source[number - 1][:_LONG_LINE]
    after = source[number][:_CONTEXT] if number < len(source) and source[number].strip() else ""
    joined = f"{before}\n{line}\n{after}"
    at = joined.find(words, len(before))
    if at < 0:
        return line[:_CONTEXT]
    starts = [found.end() for found in _SENTENCE.finditer(joined, 0, at)]
    end = _SENTENCE.search(joined, at + len(words))
    return joined[starts[-1] if starts else 0 : end.start() if end else len(joined)][: 3 * _CONTEXT]


def _line_of(source: list[str], start: int, words: str) -> int:
    """The line (from 1) on which words stand, in the paragraph that starts at `start` (from 0)."""
    for offset, line in enumerate(source[start : start + 50]):
        if words in line[:_LONG_LINE]:
            return start + offset + 1
    return start + 1


def _too_tangled(text: str) -> bool:
    """Would parsing take longer than any honest document asks for? Brackets cost the parser the most."""
    return len(text) > MAX_MARKDOWN or text.count("[") > MAX_BRACKETS or text.count("`") > MAX_BRACKETS


def _inline_tokens(text: str) -> Iterator[tuple[Any, int]]:
    """Every inline token, and every piece of HTML, with the line (from 0) where its paragraph starts."""
    return ((token, line) for token, line in _tokens(text, linked=True) if token.type not in {"fence", "code_block"})


def _tokens(text: str, *, linked: bool = False) -> Iterator[tuple[Any, int]]:
    """Every token of text, code and HTML and where (line from 0) its block starts; nothing for text too tangled to parse.

    The words of links are left out unless they are asked for: where they lead is another question.
    """
    from markdown_it import MarkdownIt

    if _too_tangled(text):
        return
    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_DEPTH}).enable("table")
    for block in parser.parse(text):
        line = block.map[0] if block.map else 0
        if block.type in {"fence", "code_block", "html_block"}:
            yield block, line
        depth = 0
        for child in (block.children or ()) if block.type == "inline" else ():
            depth += (child.type == "link_open") - (child.type == "link_close")
            if linked or not depth or child.type == "code_inline":
                yield child, line


_HISTORY_OF_OTHERS = late(r"(?:^|/)(?:node_modules|vendor|third_party|archive)/", re.IGNORECASE)


@probe("docs.links_resolve", reads=_LINKED)
def links_resolve(
    change: Change | None, documents: Documents, tree: Tree, bystanders: Bystanders = _NO_BYSTANDERS
) -> Iterator[Fact]:
    """Do links between documents lead nowhere?

    In Markdown links to files, folders and headings of the repository, from its root where they begin with a slash; in
    reStructuredText links to files, pictures and what is included; of a change also those of other documents that led
    to a file which it takes away. Addresses elsewhere are not asked for, and without any link of that kind the question
    does not apply.

    Correct the target; a link to a heading uses its text in lower case with hyphens.
    """
    examined, broken = 0, []
    labels = frozenset(
        name.lower()
        for path, text in documents.head.items()
        if not path.endswith(_RESTRUCTURED)
        for name in _LABEL.findall(text)
    )
    led_to = {**bystanders.linked, **documents.head}
    anchors = {
        _EVERYWHERE: labels,
        **{
            path: _anchors(text, path, tree)
            for path, text in led_to.items()
            if not (path.endswith(_RESTRUCTURED) or _FILLED_IN.search(text))
        },
    }
    for path, text in sorted(documents.head.items()):
        if is_expected_output(path):
            continue
        led = restructured.targets(text) if path.endswith(_RESTRUCTURED) else _targets(text)
        within = [(target, line) for target, line in led if _is_within(target, path, tree)]
        source = text.split("\n") if within else []
        for target, line in within:
            number = _line_of(source, line, target)
            if not _counts(change, path, number):
                continue
            examined += 1
            if not _leads_somewhere(path, target, tree, anchors):
                broken.append(lines(path, number, number, quote=target[:200]))
    left = list(_led_to_what_goes(bystanders))
    examined += len(left)
    broken += left
    if not examined:
        yield not_applicable("No document in scope links to a place in the repository.")
    elif broken:
        yield found(
            f"{_of(len(broken), examined, 'link')} inside the repository {'leads' if len(broken) == 1 else 'lead'} nowhere: {some(dict.fromkeys(each.quote for each in broken))}.",
            at=broken,
            confidence=0.85,
            because="a site generator may resolve links in its own way",
            measure=round(len(broken) / examined, 4),
            introduced=None if change is None else True,
        )
    else:
        links = "The only link" if examined == 1 else f"All {examined:,} links"
        yield not_found(f"{links} inside the repository {verb(examined, 'leads', 'lead')} somewhere.")


def _led_to_what_goes(bystanders: Bystanders) -> Iterator[CodeLocation]:
    """Links of documents which the change leaves alone, to files and folders which it takes away."""
    from urllib.parse import unquote

    for path, text in sorted(bystanders.texts.items()):
        if is_expected_output(path) or _HISTORY_OF_OTHERS.search(path):
            continue
        source = text.split("\n")
        for target, line in _targets(text):
            named = unquote(target.partition("#")[0].partition("?")[0])
            if not named or _ELSEWHERE.match(target) or named.startswith("/"):
                continue
            if normpath(f"{path.rpartition('/')[0]}/{named}").lstrip("/") in bystanders.gone:
                number = _line_of(source, line, target)
                yield lines(path, number, number, quote=target[:200])


def _targets(text: str) -> Iterator[tuple[str, int]]:
    """Where links and images of a document lead, those written in HTML too, and the line (from 0) of their block."""
    for token, line in _inline_tokens(text):
        name = {"link_open": "href", "image": "src"}.get(token.type)
        raw = token.attrGet(name) if name else None
        if isinstance(raw, str):
            yield raw, line
        elif token.type in {"html_block", "html_inline"}:
            yield from (
                (found[1], line)
                for found in _HTML_TARGET.finditer(token.content[:_LONG_LINE])
                if _FILED.search(found[1])
            )


_HTML_TARGET = late(
    r"<(?:a|img|source)\s[^>]{0,400}?\b(?:href|src|srcset)\s*=\s*[\"']([^\"'>\s]{1,300})", re.IGNORECASE
)
_FILED = late(
    r"^[^?#]*\.(?:md|markdown|rst|png|jpe?g|gif|svg|webp|pdf|txt|html|py|js|ts|json|ya?ml)(?:[?#]|$)|^#", re.IGNORECASE
)
_ELSEWHERE = late(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)
_MAIL = late(r"^[\w.+-]{1,80}@[\w-]{1,80}\.[\w.-]{1,80}$")
_SITE = late(r"(?:^|/)(?:docs?|documentation|website|www|site|content|pages|book|blog|guides?|manual)/", re.IGNORECASE)


def _is_within(target: str, document: str, tree: Tree) -> bool:
    """Does a link speak of a place in the repository? From the root only where no site is made of the document."""
    if not target or _ELSEWHERE.match(target) or "{" in target or "://" in target or _MAIL.match(target):
        return False
    if not target.startswith("/"):
        return True
    known = tree.exists(target.partition("#")[0].lstrip("/")) and target.strip("/") != ""
    return known or (_FILED.search(target) is not None and not _SITE.search(document))


def _leads_somewhere(path: str, target: str, tree: Tree, anchors: dict[str, frozenset[str]]) -> bool:
    from urllib.parse import unquote

    named, _, anchor = target.partition("#")
    named = unquote(named.partition("?")[0])
    folder = "" if named.startswith("/") else path.rpartition("/")[0]
    place = normpath(f"{folder}/{named}").lstrip("/") if named else path
    if named and place != "." and not tree.exists(place):
        if _PLACEHOLDER.match(named) or any(tree.exists(each) for each in _pages(path, named, place)):
            return True
        # out of the repository are GitHub's own pages, not to be judged
        return (
            place.startswith("..")
            or _ON_GITHUB.match(named) is not None
            or (named.startswith("/") and _is_in_a_site(path, named, tree))
        )
    if not anchor or place not in anchors or re.match(r"^L\d+", anchor):
        return True
    wanted = unquote(anchor).lower().replace(_EMOJI_FORM, "")
    return wanted in anchors[place] or wanted in anchors[_EVERYWHERE]


def _pages(document: str, named: str, place: str) -> Iterator[str]:
    """The pages that a generator may mean by a link without a suffix: it serves each under its name, or as a folder of that name."""
    if "." in named.rstrip("/").rpartition("/")[2].strip("."):
        return
    places = {place, normpath(f"{document.rpartition('.')[0]}/{named}").lstrip("/")}
    for each in places:
        if not each.startswith(".."):
            yield from (f"{each}{ending}" for ending in _PAGES)


_PAGES = (".md", ".mdx", ".markdown", ".rst", ".ipynb", "/index.md", "/README.md")
_PLACEHOLDER = late(r"[A-Z][A-Z0-9]{0,40}_[A-Z0-9_]{1,40}/")
"""What is filled in when a page is made, such as the address of its pictures."""


_ON_GITHUB = late(
    r"^(?:\.\./)+(?:(?:tree|blob|raw|commits?|compare|edit)/[^/]+(?:/|$)|(?:issues|pulls?|releases|wiki|actions|discussions)(?:/(?:\d+|new|latest|tag|choose)[\w./-]{0,200})?/?$)"
)
"""Pages that GitHub has beside a repository's own: a text that is shown there in a comment leads to them so."""


def _is_in_a_site(document: str, named: str, tree: Tree) -> bool:
    """Does a path from the root of a site lead somewhere from one of the folders around the document?"""
    folders = document.split("/")[:-1][:_DEEPEST]
    return any(tree.exists(normpath("/".join(folders[:depth]) + named)) for depth in range(1, len(folders) + 1))


_DEEPEST = 20
_EMOJI_FORM = "\ufe0f"
"""Says that the sign before it is to be shown in colours; GitHub keeps it in an anchor and drops the sign."""
_EXPLICIT = late(
    r"<(?:a|h[1-6]|div|span|p)\s[^>]{0,200}?(?:id|name)\s*=\s*[\"']([^\"'>]{1,200})[\"']|\{(?::[^{}#\n]{0,100})?#([\w-]{1,100})(?:\s[^{}\n]{0,100})?\}|\sid=[\"']([^\"'>]{1,200})[\"']",
    re.IGNORECASE,
)
_EVERYWHERE = ""
_LABEL = late(r"^\(([\w-]{1,100})\)=[ \t]{0,20}$", re.MULTILINE)
"""The label before a heading, by which all pages of a site can link to it."""


_FILLED_IN = late(
    r"^[ \t]{0,20}(?::::[ \t]{1,9}(?:mkdocs-\w|\w{1,100}[.:]\w)|-{1,2}8<-|\{![^!\n]|\{%-?[ \t]{0,9}include|```\{include)|^import [^\n]{1,200}\.mdx?['\"]",
    re.MULTILINE,
)
"""What a generator puts other text in the place of: nobody can tell which headings come with it."""
_ONE_HYPHEN = ("mkdocs.yml", "mkdocs.yaml", ".vitepress")
"""What lies in or above a folder of documents of which a generator makes pages with one hyphen in an anchor where GitHub makes several."""


def _anchors(text: str, path: str, tree: Tree) -> frozenset[str]:
    """Anchors of a document: GitHub's for its headings (numbered when repeated), those of the generator that makes a page of it, and explicit ones."""
    from markdown_it import MarkdownIt

    names: set[str] = {next(filter(None, groups)).lower() for groups in _EXPLICIT.findall(text)}
    seen: dict[str, int] = {}
    if _too_tangled(text):
        return frozenset(names)
    blocks = MarkdownIt("commonmark", {"maxNesting": _MAX_DEPTH}).parse(text)
    for heading, inline in pairwise(blocks):
        if heading.type == "heading_open":
            spoken = "".join(child.content for child in inline.children or () if child.type in {"text", "code_inline"})
            slug = re.sub(r"[^\w\- ]", "", spoken.strip().lower()).replace(" ", "-")
            count = seen.get(slug, 0)
            seen[slug] = count + 1
            names.add(slug if count == 0 else f"{slug}-{count}")
    if names and _has_anchors_of_one_hyphen(path, tree):
        closer = {re.sub(r"-{2,}", "-", each).strip("-") for each in names}
        names |= closer | {re.sub(r"-(\d+)$", r"_\1", each) for each in closer}
    return frozenset(names)


def _has_anchors_of_one_hyphen(path: str, tree: Tree) -> bool:
    folders = path.split("/")[:-1][:_DEEPEST]
    above = ("/".join([*folders[:depth], ""]) for depth in range(len(folders) + 1))
    return any(tree.exists(folder + each) for folder in above for each in _ONE_HYPHEN)


@probe("docs.public_docstrings")
def public_docstrings(change: Change | None, modules: PythonModules) -> Iterator[Fact]:
    """Are there public functions and classes without a docstring?

    Asked of Python product code: functions, methods and classes that `__all__` names, or without one those with no leading underscore in
    their path; of a change only those that it adds. Overloads, overriding methods, setters, special methods and definitions inside functions need none; nor do tests, examples and migrations.
    Where none is public the question does not apply.

    Say in a sentence what it does for its caller; add what it returns and raises where that is not plain.
    """
    asked = list(_asked_for_docstrings(change, modules))
    examined = len(asked)
    bare = [(path, each) for path, each in asked if not each.documented]
    if not examined:
        yield not_applicable("No public function or class is in scope.")
    elif bare:
        yield found(
            f"{counted(len(bare), examined, 'public definition')} {verb(len(bare), 'has', 'have')} no docstring: {some(each.qualname for _, each in bare)}.",
            at=[lines(path, each.line, each.line, quote=each.qualname) for path, each in bare],
            measure=round(len(bare) / examined, 4),
            introduced=None if change is None else True,
        )
    else:
        yield not_found(f"{each_of(examined, 'public definition')} has a docstring.")


def _asked_for_docstrings(change: Change | None, modules: PythonModules) -> Iterator[tuple[str, Function | Class]]:
    """The definitions that the question is asked of: public ones of product code, of a change those that it adds."""
    before = {} if change is None else definitions_before(modules)
    kin = Kin(modules)
    for path, shape in sorted(modules.head.items()):
        if role(path) is not Role.PRODUCT or not path.endswith(".py") or is_example(path) or is_migration(path):
            continue
        if is_private(path) and shape.exports is None:
            continue
        written = None if change is None else _written(change, path)
        definitions: tuple[Function | Class, ...] = (*shape.functions, *shape.classes)
        for each in definitions:
            if not each.public or each.nested or each.qualname.rpartition(".")[2].startswith("__") or _needs_none(each):
                continue
            if written is not None and each.line not in written:
                continue
            old = before.get((path, each.qualname)) or before.get(("", each.qualname))
            if each.documented or not (
                (old is not None and not old.documented)  # the change touched its line for another reason
                or (isinstance(each, Function) and kin.overrides(each))
            ):
                yield path, each


def _needs_none(definition: Function | Class) -> bool:
    """Overloads, overriding methods and setters are documented elsewhere, and what validates a field is called by its model."""
    return any(name.rpartition(".")[2] in _DOCUMENTED_ELSEWHERE for name in definition.decorators)


_DOCUMENTED_ELSEWHERE = frozenset(
    {"overload", "override", "setter", "deleter", "validator", "field_validator", "model_validator", "root_validator", "field_serializer", "model_serializer", "validates", "hookimpl"}
)  # fmt: skip
