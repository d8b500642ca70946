"""Whether files that documentation names exist."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from auditor.domain import Fact
from auditor.english_counts import by_count, pluralize
from auditor.forensics.documents.command_paths import MAX_LINES, paths_in_command
from auditor.forensics.documents.markdown_parser import (
    MARKDOWN_PATTERNS,
    MAX_LINE_LENGTH,
    THIRD_PARTY_DOCUMENT,
    find_line,
    tokens,
)
from auditor.forensics.documents.path_mentions import (
    PLANNED_HEADING,
    PLANNED_WORDS,
    exists_in_tree,
    find_paths,
    folder_tree_paths,
    has_template,
    is_build_output,
    parse_path,
    suffix_pattern,
)
from auditor.forensics.documents.unchanged_documents import UnchangedDocuments
from auditor.forensics.library_models.project_files import project_files
from auditor.forensics.probe_kit.fact_outcomes import code_location, found, missing_paths, not_applicable, not_found
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change, Documents, Tree
from auditor.forensics.source_text.file_roles import is_expected_output
from auditor.lazy_regex import lazy_compile
from auditor.row_tables import names_of

MAX_MENTIONS = 1_000
_CONTEXT = 400
_SENTENCE = lazy_compile(r"(?<=[.!?])\s+(?=[A-Z`\[(*])|\n\s*(?:[-*+]|\d+[.)])\s|\|")
_HISTORY = lazy_compile(
    r"(?:^|/)(?:changelog|changes|history|news|release[-_ ]?notes|releases)[^/]*\.(?:md|markdown)$", re.IGNORECASE
)
_PLAN_DOCUMENT = lazy_compile(r"(?:^|/)(?:plans?|proposals?|rfcs?)/[^/]+\.(?:md|markdown)$", re.IGNORECASE)
"""Documents about what is planned, which may name files that do not exist."""


@dataclass(frozen=True)
class _Mention:
    path: str
    line: int
    text: str
    context: str
    heading: str = ""


_NO_BYSTANDERS = UnchangedDocuments()


@probe("docs.paths_exist", reads=MARKDOWN_PATTERNS)
def paths_exist(
    change: Change | None, documents: Documents, tree: Tree, bystanders: UnchangedDocuments = _NO_BYSTANDERS
) -> Iterator[Fact]:
    """Does the documentation name files that do not exist?

    Counts: a path, module or file name in the text, tables, commands and folder trees of Markdown files, and a file that the change
    removes and another document names by its full path. Does not count: a file that the text calls planned, removed, written at run
    time, or an example.

    Correct the path or remove it. If the file is planned, say so in the text.
    """
    left = list(_mentions_of_removed(bystanders, tree))
    going = frozenset(left)
    mentions = [*_mentions_in_scope(change, documents, tree), *left]
    missing = [mention for mention in mentions if not exists_in_tree(mention.text, mention.path, tree)]
    wrong = [
        mention
        for mention in missing
        if not _is_expected_missing(mention, _REMOVAL_WORDS if mention in going else PLANNED_WORDS, tree)
    ]
    if not mentions:
        yield not_applicable("No document in scope names a file of the repository.")
    elif not wrong:
        more = len(missing)
        planned = f"; {more:,} more {by_count(more, 'is', 'are')} planned, removed or generated" if more else ""
        there = len(mentions) - more
        yield not_found(f"{pluralize(there, 'path')} named in documents {by_count(there, 'exists', 'exist')}{planned}.")
    else:
        yield found(
            f"{missing_paths('path named in the documentation', [each.text for each in wrong])}.",
            at=[code_location(mention.path, mention.line, mention.line, quote=mention.text) for mention in wrong],
            confidence=0.75,
            because="a path may belong to another repository or be created at run time",
            measure=round(len(wrong) / len(mentions), 4),
            introduced=None if change is None else True,
        )


def _mentions_in_scope(change: Change | None, documents: Documents, tree: Tree) -> Iterator[_Mention]:
    """Mentions in the documents in scope: in a change only on the lines that it adds."""
    for path, text in sorted(documents.head.items()):
        if _HISTORY.search(path) or _PLAN_DOCUMENT.search(path) or is_expected_output(path):
            continue
        for mention in islice(_mentions(path, text, tree), MAX_MENTIONS):
            if change is None or mention.line in change.added_lines(path):
                yield mention


def _is_expected_missing(mention: _Mention, excusing: re.Pattern[str], tree: Tree) -> bool:
    """Does the document say that the file is missing, or is it one that nobody would commit?"""
    return (
        excusing.search(mention.context) is not None
        or PLANNED_HEADING.search(mention.heading) is not None
        or is_build_output(mention.text, tree)
        or has_template(mention.text, tree)
        or _is_in_untracked_folder(mention.text, tree)
    )


_REMOVAL_WORDS = lazy_compile(
    r"\b(?:remov\w+|renam\w+|delet\w+|drop\w*|formerly|legacy|moved|replac\w+|used to|previous\w*|no longer|deprecat\w+|old)\b",
    re.IGNORECASE,
)
"""Words by which a document says that a file no longer exists."""


def _mentions_of_removed(bystanders: UnchangedDocuments, tree: Tree) -> Iterator[_Mention]:
    """Mentions in unchanged documents of files or folders that the change removes, by their whole path."""
    for path, text in sorted(bystanders.texts.items()):
        if (
            _HISTORY.search(path)
            or THIRD_PARTY_DOCUMENT.search(path)
            or _PLAN_DOCUMENT.search(path)
            or is_expected_output(path)
        ):
            continue
        for mention in islice(_mentions(path, text, tree), MAX_MENTIONS):
            named = mention.text.removeprefix("./").rstrip("/")
            if "/" in named and named in bystanders.gone:
                yield mention


_COMMITTED_HIDDEN_FOLDERS = names_of(project_files().hidden_folders)


def _is_in_untracked_folder(named: str, tree: Tree) -> bool:
    """Is it in a hidden folder of which the repository tracks nothing, such as a tool's cache?"""
    first = named.removeprefix("./").partition("/")[0]
    return first.startswith(".") and "/" in named and first not in _COMMITTED_HIDDEN_FOLDERS and not tree.exists(first)


def _mentions(path: str, text: str, tree: Tree) -> Iterator[_Mention]:
    """What a document names: set as code, in running text, in commands, in drawings of folders.

    Running text and commands may speak of somebody else's files: they count where the path is there, or its first folder is.
    """
    source = text.split("\n")
    headings = [number for number, line in enumerate(source) if line.startswith("#")]
    commands = _Commands(path, tree, foreign=_PROJECT_START.search(text) is not None)

    def mention(named: str, line: int, words: str, around: str = "") -> _Mention:
        number = find_line(source, line, words)
        above = bisect_left(headings, number)
        heading = source[headings[above - 1]][:_CONTEXT] if above else ""
        return _Mention(path, number, named, around or _sentence_around(source, number, words), heading)

    for token, line in tokens(text):
        if token.type == "code_inline":
            named = parse_path(token.content) or _file_without_folder(token.content, tree)
            for each in [named] if named is not None else commands.in_line(token.content):
                yield mention(each, line, token.content)
        elif token.type == "text":
            for _, named in find_paths(token.content):
                if "/" in named and parse_path(named) is not None and _is_repository_path(named, path, tree):
                    yield mention(named, line, named)
        elif token.type in {"fence", "code_block"}:
            before = _line_before_block(source, line)
            drawn = _drawn(token.content, tree)
            for named in drawn or commands.in_block(token.info, token.content):
                words = named.rstrip("/").rpartition("/")[2] if drawn else named
                shown = mention(named, line, words, before)
                yield replace(shown, context=f"{before} {source[shown.line - 1][:_CONTEXT]}")


_PROJECT_START = lazy_compile(
    r"\b(?:npx create-|npm (?:create|init)|yarn create|pnpm create|cargo (?:new|init)|rails new|startproject|startapp|cookiecutter|git init|uv init|poetry new|go mod init|dotnet new|mkdir)\b"
)
"""Commands that start a new project, to which the files named from then on belong."""
_SHELL = names_of(project_files().command_fences) | {""}
_SCRIPT_SUFFIX = lazy_compile(r"\.(?:py|sh|bash|rb|js|mjs|ts|go|php|pl|ps1)$")


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
        seen = paths_in_command(line)
        self._made |= {each.rpartition("/")[2] for each in seen.made}
        modules = [each for module in seen.modules if (each := _of_module(module, self._tree))]
        return [each for each in (*seen.required, *modules) if self._is_expected_path(each)]

    def _is_expected_path(self, named: str) -> bool:
        if _PLACEHOLDER_PATH.search(named):
            return False
        if exists_in_tree(named, self._document, self._tree):
            return True
        if self._foreign or named.rpartition("/")[2] in self._made:
            return False
        at_root = "/" not in self._document
        if "/" in named.removeprefix("./"):
            return at_root or _is_repository_path(named, self._document, self._tree)
        return at_root and not self._shown and _SCRIPT_SUFFIX.search(named) is not None


_PLACEHOLDER_PATH = lazy_compile(
    r"[<>{}$*%]|\.\.\.|path/to|example|your|\bmy[-_]|xxx|^/|^~|^\.\./\.\.|node_modules|venv", re.IGNORECASE
)


def _of_module(module: str, tree: Tree) -> str:
    """The file of a module of this repository that is run by its name; nothing for a module of others."""
    parts = module.split(".")
    for root in ("", "src/"):
        if not tree.exists(f"{root}{parts[0]}"):
            continue
        path = root + "/".join(parts)
        return f"{path}/__main__.py" if tree.exists(path) else f"{path}.py"
    return ""


def _is_repository_path(named: str, document: str, tree: Tree) -> bool:
    """Does it exist, or at least its first folder?"""
    first = named.removeprefix("./").partition("/")[0]
    folder = document.rpartition("/")[0]
    return exists_in_tree(named, document, tree) or (
        first not in {"", "..", "~"} and (tree.exists(first) or bool(folder and tree.exists(f"{folder}/{first}")))
    )


_NAME = lazy_compile(lambda: rf"^[\w.+-]{{1,80}}\.(?:{suffix_pattern()})$")


def _file_without_folder(words: str, tree: Tree) -> str | None:
    """A file name without folder, where the repository has such a file."""
    named = words.strip()
    return named if _NAME.match(named) and named in tree.endings else None


def _drawn(text: str, tree: Tree) -> list[str]:
    """The paths of a drawing of folders, where at least half of them are there: others show what a reader would make."""
    drawn = list(islice(folder_tree_paths(text), MAX_MENTIONS)) or list(_indented_tree_paths(text))
    there = sum(exists_in_tree(each, "", tree) for each in drawn)
    return drawn if drawn and 2 * there >= len(drawn) else []


_ENTRY = lazy_compile(
    r"^(?P<indent> {0,40}|\t{0,10})(?:(?P<name>[\w@.+-]{1,80}/?)(?:\s+(?:#|-|\u2013|//|<-).*)?|(?P<told>[\w@+-]{1,60}(?:/|\.\w{1,10}))\s+\S.*)\s*$"
)
"""A file or a folder, and what is said of it: in words alone only where its name tells what it is."""


def _indented_tree_paths(text: str) -> Iterator[str]:
    """The files of a folder list with depth by indentation and folders with a slash."""
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


def _line_before_block(source: list[str], line: int) -> str:
    """The last line of text above a block, which says what it shows."""
    above = (each for each in reversed(source[max(0, line - 4) : line]) if each.strip())
    return next(above, "")[-_CONTEXT:]


def _sentence_around(source: list[str], number: int, words: str) -> str:
    """The sentence, list item or table cell in which words are on a line; it may begin a line earlier and end one later."""
    before = "" if number < 2 or not source[number - 2].strip() else source[number - 2][-_CONTEXT:]
    line = source[number - 1][:MAX_LINE_LENGTH]
    after = source[number][:_CONTEXT] if number < len(source) and source[number].strip() else ""
    joined = f"{before}\n{line}\n{after}"
    at = joined.find(words, len(before))
    if at < 0:
        return line[:_CONTEXT]
    starts = [found.end() for found in _SENTENCE.finditer(joined, 0, at)]
    end = _SENTENCE.search(joined, at + len(words))
    return joined[starts[-1] if starts else 0 : end.start() if end else len(joined)][: 3 * _CONTEXT]
