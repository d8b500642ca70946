"""Paths that documents name: which words are one, and how it stands with the file they name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from posixpath import normpath

from auditor.forensics.inputs import Tree

SUFFIXES = "py|pyi|md|rst|toml|cfg|ini|ya?ml|json|js|jsx|ts|tsx|go|rs|java|rb|sh|c|h|cpp|html|css|sql|ipynb|proto"
_FILE = re.compile(rf"^\.?/?(?:[\w.@+-]+[/\\])*[\w.@+-]*\.(?:{SUFFIXES})$")
_FOLDER = re.compile(r"^\.?/?(?:[\w.@+-]+/)+$")
_POSITION = re.compile(r"(?:::\w[\w.]*(?:\(\))?|:\d+(?:[-:]\d+)?|#L\d+(?:-L\d+)?)$")
_COMING = (
    r"will|shall|planned|plan to|todo|future|upcoming|roadmap|proposed|to be|not yet|next|create|creates|add a|adds a"
)
_MADE = r"generate[sd]?|writes?|written|output|produces?|e\.g\.|example|such as|optional|if present|default|is read from|read from|your|name[d]? it|put it|save[sd]?"
PLANNED = re.compile(
    r"\b(?:will|shall|planned|plan to|todo|future|upcoming|roadmap|proposed|to be|not yet|create[sd]?|add an?|adds an?|generate[sd]?|writes?|written to|produces?|e\.g\.|for example|such as|removed?|renamed|deleted?|formerly|legacy|moved|used to|if present|if it exists|(?:is )?read from|name[d]? it|put it|save it)\b",
    re.IGNORECASE,
)
"""Words by which the sentence around a path says that it need not be there: announced, made at run time, gone."""
PLANNING = re.compile(
    r"\b(?:roadmap|planned|future|todo|next steps|proposals?|migrat\w+|removed|deprecated)\b", re.IGNORECASE
)
"""The same in the heading above."""
_BY_WORDS = (
    ("historical", re.compile(r"\b(?:removed|renamed|deleted|formerly|legacy|moved from|used to|was called|replaced)\b", re.IGNORECASE)),
    ("forward_reference", re.compile(rf"\b(?:{_COMING}|remaining|pending|forthcoming|intend|recommend\w*|remediat\w*|concrete action|action:|extract|introduce|split into)\b", re.IGNORECASE)),
    ("example", re.compile(rf"\b(?:{_MADE}|emits?|exports?|stored?|persist\w*|artifacts?|template|placeholder|hallucinat\w*|invented|fictional|nonexistent|does not exist|do not exist|peers?|claimed)\b", re.IGNORECASE)),
)  # fmt: skip
_OUTPUT = frozenset(
    {
        "dist", "build", "out", "target", "coverage", "htmlcov", "node_modules", "_build", "bin", "obj", "venv", ".venv", "__pycache__",
        ".tox", ".nox", ".next", ".nuxt", ".gradle", ".mypy_cache", ".pytest_cache", ".ruff_cache",
    }
)  # fmt: skip
_PLACEHOLDER = re.compile(r"[<>{}$*%]|\.\.\.|path/to|foo|bar\b|example|your[-_]|my[-_]|xxx|YYYY", re.IGNORECASE)
_SPOKEN = re.compile(
    rf"(?<![\w/\\.:@-])(?:[A-Za-z]:[\\/])?(?:\.{{0,2}}[\\/])?(?:[\w.@+-]{{1,80}}[\\/]){{0,12}}[\w@+-][\w.@+-]{{0,80}}\.(?:{SUFFIXES})(?![\w/\\-])(?:::?\w+)?"
)
_TREE_LINE = re.compile(
    r"^(?P<indent>[\s\u2502|]{0,80})(?:[\u251c\u2514+`|][\u2500\u2550-]{1,4}\s?)(?P<name>[\w.@+-]+/?)"
)
_GLYPHS = re.compile(r"[\u251c\u2514][\u2500\u2550]")


_PRODUCT = re.compile(
    r"^(?:node|next|vue|react|express|nuxt|nest|three|d3|p5|chart|angular|ember|backbone|alpine|moment|discord|transformers|tensorflow|langgraph|langchain|whisper|llama|stable-diffusion|ggml)\.(?:js|ts|cpp)$",
    re.IGNORECASE,
)
"""Names of products that end like files."""
_PATTERNS = ("example", "sample", "template", "default", "dist")


class Claim(StrEnum):
    """How it stands with a path that a document names."""

    VERIFIED = "verified"
    HALLUCINATED = "hallucinated"
    FORWARD_REFERENCE = "forward_reference"
    HISTORICAL = "historical"
    EXAMPLE = "example"


def path_in(words: str) -> str | None:
    """The path that words set as code are, without its position; None when they are none or only show the form of one."""
    named = _POSITION.sub("", words.strip().replace("\\", "/"))
    if "/" not in named or _PLACEHOLDER.search(named) or not (_FILE.match(named) or _FOLDER.match(named)):
        return None
    return named


def stands(named: str, document: str, tree: Tree) -> bool:
    """Does the path exist from the root, from the document's folder, or as the end of another path?"""
    named = named.removeprefix("./").rstrip("/")
    folder = document.rpartition("/")[0]
    if named.startswith(("/", "~", "..")) or not named:
        return tree.exists(normpath(f"{folder}/{named}").lstrip("/")) or not named.startswith("..")
    if tree.exists(named) or tree.exists(normpath(f"{folder}/{named}").lstrip("/")):
        return True
    return named in tree.endings


def is_output(named: str, tree: Tree) -> bool:
    """Does it lie in a folder where tools by their custom put what they make, of which the repository keeps nothing?"""
    folders = named.removeprefix("./").split("/")[:-1]
    for depth, folder in enumerate(folders, start=1):
        if folder in _OUTPUT or folder.endswith(".egg-info"):
            return not tree.exists("/".join(folders[:depth]))
    return False


def spoken_paths(text: str) -> Iterator[tuple[int, str]]:
    """Where in running text a file is named, and its path with slashes of our kind."""
    for found in _SPOKEN.finditer(text):
        at_home = found.start() > 0 and text[found.start() - 1] == "~"
        if not at_home and not _PRODUCT.match(found[0]):
            yield found.start(), _POSITION.sub("", found[0].replace("\\", "/"))


def drawn_paths(text: str) -> Iterator[str]:
    """Paths of a folder tree drawn with lines, such as documents show."""
    if not _GLYPHS.search(text):
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


def joined_before(text: str, start: int, named: str) -> str:
    """The name with the word before it, for texts in which an underscore was lost as a blank."""
    before = re.search(r"([A-Za-z0-9_]{1,40}) $", text[max(0, start - 41) : start])
    return f"{before[1]}_{named.lstrip('_')}" if before and "/" not in named else named


def judged(named: str, sentence: str, heading: str, document: str, tree: Tree, once: Callable[[str], bool]) -> Claim:
    """How it stands with a path, by the tree, by what once was there, then by the words around it."""
    if _PLACEHOLDER.search(named):
        return Claim.EXAMPLE
    local = re.sub(r"^[A-Za-z]:/", "", named)
    if _is_there(local, document, tree):
        return Claim.VERIFIED
    if once(local.removeprefix("./")):
        return Claim.HISTORICAL
    if is_output(local, tree) or _is_filled_in(local, tree):
        return Claim.EXAMPLE
    return _by_words(sentence, heading)


def _by_words(sentence: str, heading: str) -> Claim:
    for claim, words in _BY_WORDS:
        if words.search(sentence):
            return Claim(claim)
    if re.search(r"\b(?:future|roadmap|remaining|next steps|planned|forward plan|todo)\b", heading, re.IGNORECASE):
        return Claim.FORWARD_REFERENCE
    return Claim.HALLUCINATED


def _is_filled_in(named: str, tree: Tree) -> bool:
    """Does whoever runs it make the file from a pattern beside it, `config.yaml` from `config.example.yaml`?"""
    folder, _, name = named.removeprefix("./").rpartition("/")
    stem, _, suffix = name.rpartition(".")
    for word in _PATTERNS:
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


def _is_there(named: str, document: str, tree: Tree) -> bool:
    bare = named.removeprefix("./").strip("/")
    if not named.startswith(("..", "~")) and stands(bare, document, tree):
        return True
    parts = bare.split("/")
    return any("/".join(parts[start:]) in tree.endings for start in range(1, len(parts) - 1))
