"""Paths that documents name: which words are one, and whether the file that they name exists."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from posixpath import normpath

from auditor.domain.frozen_model import Frozen
from auditor.forensics.probe_kit.probe_inputs import Tree
from auditor.forensics.source_text.file_roles import Role, is_code, role
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns
from auditor.lazy_regex import lazy_compile
from auditor.row_tables import NameRows, name_reader


class _Table(Frozen):
    suffixes: NameRows
    product_names: NameRows
    output_folders: NameRows


_names = name_reader(Path(__file__).with_name("path_mentions.yaml"), _Table)


def suffix_pattern() -> str:
    """The suffixes of files that documents name, as alternatives of a regular expression."""
    return "|".join(sorted(_names("suffixes")))


_FILE = lazy_compile(lambda: rf"^\.?/?(?:[\w.@+-]+[/\\])*[\w.@+-]*\.(?:{suffix_pattern()})$")
_FOLDER = lazy_compile(r"^\.?/?(?:[\w.@+-]+/)+$")
_POSITION = lazy_compile(r"(?:::\w[\w.]*(?:\(\))?|(?<=\w\w):[A-Za-z_]\w*(?:\(\))?|:\d+(?:[-:]\d+)?|#L\d+(?:-L\d+)?)$")
PLANNED_WORDS = lazy_compile(
    r"\b(?:will|shall|planned|plan to|todo|future|upcoming|roadmap|proposed|to be|not yet|create[sd]?|add an?|adds an?|generate[sd]?|writes?|written to|produces?|e\.g\.|for example|such as|removed?|renamed|deleted?|formerly|legacy|moved|used to|if present|if it exists|name[d]? it|put it|save it|(?<=\()default|defaults to)\b",
    re.IGNORECASE,
)
"""Words by which the sentence around a path says that it need not be there: announced, made at run time, gone."""
PLANNED_HEADING = lazy_compile(
    r"\b(?:roadmap|planned|future|todo|next steps|proposals?|migrat\w+|removed|deprecated)\b", re.IGNORECASE
)
"""The same in the heading above."""


class PathStatus(StrEnum):
    """The status of a path that a document names."""

    VERIFIED = "verified"
    HALLUCINATED = "hallucinated"
    FORWARD_REFERENCE = "forward_reference"
    HISTORICAL = "historical"
    EXAMPLE = "example"


_WORDS_BETWEEN = r"(?:\W+\w+){0,4}?\W*$"
"""At most a few words between a verb and the path that it is about."""
_PASSIVE_VERB = r"^[`\"'*)\]]{0,4}(?:\s+\([^)]{0,60}\))?\s+(?:file\s+|module\s+|folder\s+)?(?:was|were|is|are|has been|have been|had been|gets?|got|being)\s+(?:\w+ly\s+|since\s+|all\s+)?"
"""What stands between a path and what was done to it."""
_REMOVAL_VERB = r"(?:removed?|removing|removes|renamed?|renames|deleted?|deletes|dropped|retired|moved|merged|folded|replaced|superseded|split)"
_CREATION_VERB = r"(?:added|created|written|implemented|built|extracted|introduced|moved|split|refactored|done)"


@dataclass(frozen=True)
class _StatusWords:
    """Words by which a document itself says that a path need not exist: in its clause, before it or after it."""

    claim: PathStatus
    anywhere: re.Pattern[str]
    before: re.Pattern[str]
    after: re.Pattern[str]


_STATUS_WORDS = (
    _StatusWords(
        PathStatus.HISTORICAL,
        combine_patterns(r"\b(?:renamed (?:to|into)|formerly|legacy|previously|originally|no longer|once (?:was|stood|lived)|used to (?:be|live|stand|sit|hold|contain|have|exist)|was (?:once )?called|(?:earlier|first|old|older|previous|former) (?:version|draft|file|module|layout|name|structure)s?)\b"),
        combine_patterns(rf"\b{_REMOVAL_VERB}{_WORDS_BETWEEN}", rf"\b(?:replaces|replacing|supersedes|instead of|old|former){_WORDS_BETWEEN}"),
        combine_patterns(rf"{_PASSIVE_VERB}{_REMOVAL_VERB}\b", r"^[`\"'*)\]]{0,4}\s*(?:->|\u2192|=>)"),
    ),
    _StatusWords(
        PathStatus.FORWARD_REFERENCE,
        combine_patterns(
            rf"\b(?:will|shall|planned|plans? to|todo|in (?:the )?future|future (?:work|version|release|step|iteration)s?|upcoming|forthcoming|roadmap|propos(?:ed?|al)|pending|remaining|later|intends?|recommend\w*|remediat\w*|concrete action|action:|not yet|yet to be|next (?:steps?|phase|iteration|release|version|sprint|milestone|commit)|(?:to|should|could|can|would|must|may|might) be (?:\w+ly )?{_CREATION_VERB}|(?:should|could|must|need to|needs to) (?:add|create|write|extract|introduce|split|move|implement|build))\b"
        ),
        combine_patterns(rf"(?:^|[:;.\]]|^\W{{0,20}}\d{{1,4}}[.)])\W{{0,20}}(?:then\s+|also\s+)?(?:create|add|extract|introduce|split|implement|write|build|move|refactor|put){_WORDS_BETWEEN.replace('{0,4}', '{0,8}')}"),
        combine_patterns(r"^[`\"'*)\]]{0,4}\s+(?:\((?:planned|todo|future|to do|not yet[^)]{0,40}|coming[^)]{0,40})\)|is (?:planned|missing|still to come|on the roadmap)|does not exist yet)"),
    ),
    _StatusWords(
        PathStatus.EXAMPLE,
        combine_patterns(r"\b(?:e\.g\.|for example|for instance|example|such as|placeholder|sample|hallucinat\w*|invented|fictional|nonexistent|(?:does|do|did) not exist|peers?|claimed|if present|if (?:it|they|one|there) (?:exists?|is one)|optional(?:ly)?|template)\b"),
        combine_patterns(rf"\b(?:generate[sd]?|generating|emits?|name[d]? it|your|like){_WORDS_BETWEEN}"),
        combine_patterns(rf"{_PASSIVE_VERB}(?:generated|emitted|optional)\b"),
    ),
)  # fmt: skip
_RUNTIME_WORDS = combine_patterns(
    r"\b(?:generat(?:e[sd]?|ing)|(?:pre-?)?creat(?:es?|ed|ing)|writ(?:es?|ten|ing)|wrote|output|produces?|default|read from|loaded from|optional|put it|save[sd]?|emits?|exports?|stor(?:es?|ed|ing)|persist\w*|artifacts?|your)\b"
)
"""Words by which a file of data is made or looked for when the program runs; source code is not."""
_CLAUSE_BREAK = lazy_compile(
    r";\s|\s[\u2013\u2014]\s|,\s+(?:and|but|while|whereas|so|though|although|yet|or|where|which)\s+(?![`\"'*(\[]{0,3}(?:[\w@.+-]+/)*[\w.+-]+\.\w{1,5}\b)",
    re.IGNORECASE,
)
"""Between two clauses; a further path of a list is none."""
_PLACEHOLDER = lazy_compile(r"[<>{}$*%]|\.\.\.|path/to|foo|bar\b|example|your[-_]|my[-_]|xxx|YYYY", re.IGNORECASE)
_PATH_IN_TEXT = lazy_compile(
    lambda: (
        rf"(?<![\w/\\.:@-])(?:[A-Za-z]:[\\/])?(?:\.{{0,2}}[\\/])?(?:[\w.@+-]{{1,80}}[\\/]){{0,12}}[\w@+-][\w.@+-]{{0,80}}\.(?:{suffix_pattern()})(?![\w/\\-])(?:::?\w+)?"
    )
)
_TREE_LINE = lazy_compile(
    r"^(?P<indent>[\s\u2502|]{0,80})(?:[\u251c\u2514+`|][\u2500\u2550-]{1,4}\s?)(?P<name>[\w.@+-]+/?)"
)
_TREE_GLYPHS = lazy_compile(r"[\u251c\u2514][\u2500\u2550]")


_PRODUCT_NAME = lazy_compile(
    lambda: rf"^(?:{'|'.join(sorted(_names('product_names')))})\.(?:js|ts|cpp)$",
    re.IGNORECASE,
)
"""Names of products that end like files."""
_TEMPLATE_WORDS = ("example", "sample", "template", "default", "dist")


def parse_path(words: str) -> str | None:
    """The path that words set as code are, without its position; None when they are none or only show the form of one."""
    if re.fullmatch(r"\w+\\", words.strip()):
        return None  # a backquote that somebody meant to show ended it
    named = _POSITION.sub("", words.strip().replace("\\", "/"))
    if "/" not in named or _PLACEHOLDER.search(named) or not (_FILE.match(named) or _FOLDER.match(named)):
        return None
    return named


_TEXT_DOCUMENT = lazy_compile(r"\.(?:md|rst|txt|ipynb)$", re.IGNORECASE)
_MAX_GITIGNORE_LINES = 500
_GLOB = re.compile(r"[\w.@+/*-]{1,100}")


def gitignore_patterns(text: str) -> frozenset[str]:
    """What a `.gitignore` at the root leaves out: names, paths and endings such as `*.db`; what it takes back is left aside."""
    lines = (line.strip() for line in text.split("\n")[:_MAX_GITIGNORE_LINES])
    return frozenset(
        line for line in lines if _GLOB.fullmatch(line) and line.count("*") <= 1 and line not in {"*", "/"}
    )


def is_ignored(named: str, ignored: frozenset[str]) -> bool:
    """Is a path, or a folder it is in, one that the repository is set to leave out?"""
    parts = named.removeprefix("./").strip("/").split("/")
    whole = {"/".join(parts[:end]) for end in range(1, len(parts) + 1)}
    for line in ignored:
        bare = line.strip("/")
        if "*" in bare:
            start, _, end = bare.rpartition("/")[2].partition("*")
            fits = any(each.startswith(start) and each.endswith(end) and len(each) > len(start + end) for each in parts)
            if "/" not in bare and fits:
                return True
        elif bare in whole or ("/" not in line.rstrip("/") and bare in parts):
            return True
    return False


def exists_in_tree(named: str, document: str, tree: Tree) -> bool:
    """Does the path exist from the root, from the document's folder, or as the end of another path?"""
    named = named.removeprefix("./").rstrip("/")
    folder = document.rpartition("/")[0]
    if named.startswith(("/", "~", "..")) or not named:
        return tree.exists(normpath(f"{folder}/{named}").lstrip("/")) or not named.startswith("..")
    if tree.exists(named) or tree.exists(normpath(f"{folder}/{named}").lstrip("/")):
        return True
    return named in tree.endings


def is_build_output(named: str, tree: Tree) -> bool:
    """Is it made or fetched by tools, by its folder or name, and does the repository keep nothing of the kind?"""
    folders = named.removeprefix("./").split("/")[:-1]
    for depth, folder in enumerate(folders, start=1):
        if folder in _names("output_folders") or folder.endswith(".egg-info"):
            return not tree.exists("/".join(folders[:depth]))
    made = role(named)
    return made in (Role.GENERATED, Role.VENDORED) and not any(role(path) is made for path in tree.head)


def find_paths(text: str) -> Iterator[tuple[int, str]]:
    """Where in running text a file is named, and its path with slashes of our kind."""
    for found in _PATH_IN_TEXT.finditer(text):
        at_home = found.start() > 0 and text[found.start() - 1] == "~"
        if not at_home and not _PRODUCT_NAME.match(found[0]):
            yield found.start(), _POSITION.sub("", found[0].replace("\\", "/"))


def folder_tree_paths(text: str) -> Iterator[str]:
    """Paths of a folder tree drawn with lines, such as documents show."""
    if not _TREE_GLYPHS.search(text):
        return
    folders: list[tuple[int, str]] = []
    for line in text.split("\n")[:2000]:
        found = _TREE_LINE.match(line[:300])
        if found is None:
            continue
        depth = len(found["indent"])
        while folders and folders[-1][0] >= depth:
            folders.pop()
        name = found["name"]
        path = "".join(each for _, each in folders) + name
        if name.endswith("/"):
            folders.append((depth, name))
        elif "." in name.strip("."):
            yield path
        else:
            folders.append((depth, f"{name}/"))


def join_preceding_word(text: str, start: int, named: str) -> str:
    """The name with the word before it, for texts in which an underscore was lost as a blank."""
    before = re.search(r"([A-Za-z0-9_]{1,40}) $", text[max(0, start - 41) : start])
    return f"{before[1]}_{named.lstrip('_')}" if before and "/" not in named else named


def path_status(
    named: str, sentence: str, heading: str, document: str, tree: Tree, existed: Callable[[str], bool],
    ignored: frozenset[str] = frozenset(),
) -> PathStatus:  # fmt: skip
    """The status of a path, by the tree, by what once was there, then by the words around it.

    What the repository is told to ignore is made where the program runs; source code and texts to be read are not.
    """
    if _PLACEHOLDER.search(named):
        return PathStatus.EXAMPLE
    local = re.sub(r"^[A-Za-z]:/", "", named)
    if _exists_anywhere(local, document, tree):
        return PathStatus.VERIFIED
    if existed(local.removeprefix("./")):
        return PathStatus.HISTORICAL
    if is_build_output(local, tree) or has_template(local, tree):
        return PathStatus.EXAMPLE
    if not _is_source(local) and not _TEXT_DOCUMENT.search(local) and is_ignored(local, ignored):
        return PathStatus.EXAMPLE
    return _status_by_words(named, sentence, heading)


def _status_by_words(named: str, sentence: str, heading: str) -> PathStatus:
    """How the words around a path excuse that it is not there. What its clause says of something else does not."""
    before, after = _clause_around(named, sentence)
    for excuse in _STATUS_WORDS:
        if excuse.anywhere.search(f"{before} {after}") or excuse.before.search(before) or excuse.after.search(after):
            return excuse.claim
    if not _is_source(named) and _RUNTIME_WORDS.search(sentence):
        return PathStatus.EXAMPLE
    if re.search(r"\b(?:future|roadmap|remaining|next steps|planned|forward plan|todo)\b", heading, re.IGNORECASE):
        return PathStatus.FORWARD_REFERENCE
    return PathStatus.HALLUCINATED


def _clause_around(named: str, sentence: str) -> tuple[str, str]:
    """What is before and behind the path in its clause; all of the sentence behind it where it is not found in it."""
    text = sentence.replace("\\", "/")
    at = text.find(named)
    if at < 0:
        return text, text
    ends = [(each.start(), each.end()) for each in _CLAUSE_BREAK.finditer(text)]
    start = max((end for _, end in ends if end <= at), default=0)
    stop = min((begin for begin, _ in ends if begin >= at + len(named)), default=len(text))
    return text[start:at], text[at + len(named) : stop]


def _is_source(named: str) -> bool:
    return is_code(named) and not named.endswith((".sql", ".sh"))


def has_template(named: str, tree: Tree) -> bool:
    """Does the person who runs it make the file from a pattern beside it, `config.yaml` from `config.example.yaml`?"""
    folder, _, name = named.removeprefix("./").rpartition("/")
    stem, _, suffix = name.rpartition(".")
    for word in _TEMPLATE_WORDS:
        for each in (
            f"{stem}.{word}.{suffix}",
            f"{name}.{word}",
            f"{word}.{name}",
            f"{stem}.{suffix}.{word}",
            f"{stem}-{word}.{suffix}",
            f"{stem}_{word}.{suffix}",
        ):
            path = f"{folder}/{each}" if folder else each
            if tree.exists(path) or path in tree.endings:
                return True
    return False


def _exists_anywhere(named: str, document: str, tree: Tree) -> bool:
    if named.startswith("../"):
        beside = normpath(f"{document.rpartition('/')[0]}/{named}")
        return tree.exists(beside) or tree.exists(re.sub(r"^(?:\.\./)+", "", named))
    bare = named.removeprefix("./").strip("/")
    if not named.startswith(("..", "~")) and exists_in_tree(bare, document, tree):
        return True
    parts = bare.split("/")
    return any("/".join(parts[start:]) in tree.endings for start in range(1, len(parts) - 1))
