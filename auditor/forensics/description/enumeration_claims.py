"""What a sentence says of several things at once: a list of kinds, all files of a name, all tests, all packages in a lock."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.forensics.description.change_contents import FROM_WORDING, Answer, Ground, Held, Sentence, denied, stem
from auditor.forensics.description.phrase_claim_checks import Form, held_by_form
from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.source_text.file_roles import Role, role
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns, first_group
from auditor.lazy_regex import lazy_compile

_ITEM = r"(?>[A-Z][\w+#.-]{1,30}\w|[A-Z]{2,10}|[a-z][\w-]{1,20})"
_LIST = lazy_compile(rf"(?<![\w/.`-]){_ITEM}(?:,\s+{_ITEM}){{1,10}},?\s+(?:and|or|&)\s+{_ITEM}(?![\w/`-])")
"""Three words or more with commas between them."""
_SPLIT = lazy_compile(r",\s+(?:(?:and|or|&)\s+)?|\s+(?:and|or|&)\s+")
_PROPER = lazy_compile(r"[A-Z][A-Z0-9+#-]{1,9}|[A-Z][a-z]{0,15}[A-Z][A-Za-z]{1,15}")
"""A word that cannot be put in other words: CSV, LaTeX, GraphQL, YAML."""
_AS_BEFORE = lazy_compile(
    r"\b(?:like|such as|e\.g|unlike|already|existing|previously|before|instead of|besides|beyond|apart from|without|except|no longer|not|never|later|planned|follow[- ]?ups?|todo|used to|was|were|between|because|since|users?|team|thanks|people|cc|reviewed)\b|n't\b|@",
    re.IGNORECASE,
)
"""Words of sentences that list what is elsewhere, was there before, or is no part of the change."""
_LISTED_ELSEWHERE = "The description lists kinds of which one stands in no changed file, and the others do"
_OF_ALL = combine_patterns(
    r"`(?P<name>[\w.-]{1,60}\.\w{1,10}|Dockerfile|Makefile|Jenkinsfile)`\s+(?:of|in|for)\s+(?:all|each|every)\b(?!\s+(?:changed|touched|affected|new|other))",
    r"\b(?:all|each|every)\s+(?:of\s+the\s+|the\s+|(?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s+){0,2}`(?P<those>[\w.-]{1,60}\.\w{1,10}|Dockerfile|Makefile|Jenkinsfile)`(?:\s+files?|s)?(?!\w)(?!\s+(?:that|which|with|under|below|in)\b)",
)
_NOT_ALL = "The description speaks of all files of a name, and the change leaves some of them alone"
_ALL_RUN = combine_patterns(
    r"\b(?:still\s+)?(?:runs?|running|executes?|keeps?\s+running)\s+(?:still\s+)?(?:all|every one)\s+(?:of\s+)?(?:the\s+|our\s+)?(?:same\s+)?tests\b(?!\s+(?:in|of|that|which|under|with))",
    r"\b(?:all|every)\s+(?:of\s+)?(?:the\s+|our\s+)?tests?\s+(?:still|are still|continues? to|keeps?)\s+(?:run|running|executed)\b",
    r"\bno\s+tests?\s+(?:is|are|was|were|gets?|has been|have been)\s+(?:skipped|left out|excluded|disabled|removed|dropped|ignored|deselected)\b",
    r"\b(?:without|and)\s+(?:skipping|leaving out|excluding|disabling|ignoring)\s+(?:no|any)\s+tests?\b",
)
_LEFT_OUT = lazy_compile(
    r"(?:pytest|py\.test|tox|nox|jest|vitest|mocha|go test|cargo test|rspec|phpunit|mvn|gradle|make|addopts|norecursedirs|collect_ignore|testPathIgnorePatterns|modulePathIgnorePatterns|exclude)"
    r"[^\n#]{0,200}?(?P<option>\s--?(?:ignore(?:-glob)?|deselect|testPathIgnorePatterns|exclude|skip)[= ]|\s-k\s*[\"']?not\b|\s-m\s*[\"']?not\b|\s-DskipTests|\s-x\s+test\b|(?<=norecursedirs)\s*=|(?<=collect_ignore)\s*=|IgnorePatterns\W)"
)
"""How a command or a setting leaves tests out."""
_TESTS_LEFT_OUT = "The description says that all tests run, and a line that comes leaves some out"
_LOCKS = {
    "poetry.lock": "pyproject.toml", "uv.lock": "pyproject.toml", "pdm.lock": "pyproject.toml", "Pipfile.lock": "Pipfile",
    "package-lock.json": "package.json", "yarn.lock": "package.json", "pnpm-lock.yaml": "package.json", "bun.lock": "package.json",
    "Cargo.lock": "Cargo.toml", "Gemfile.lock": "Gemfile", "composer.lock": "composer.json",
}  # fmt: skip
_LOCK = "|".join((*map(re.escape, _LOCKS), "lock ?file"))
_IN_LOCK = combine_patterns(
    rf"\b(?:add|list|lock|pin|record|enter|put|regenerat|refresh|updat|sync|resolv)\w{{0,4}}\b[^;!?]{{0,120}}?(?P<lock>{_LOCK})\b",
    rf"(?P<made>{_LOCK})`?\s+(?:is|was|are|were|has been|gets)\s+(?:re-?generated|refreshed|updated|synced|brought up to date|in sync)\b",
)
_PACKAGE = lazy_compile(
    r"^\s*(?:gem\s+[\"'](?P<gem>[\w-]{2,60})[\"']|[\"']?(?P<name>@?[A-Za-z][\w.-]{0,60}(?:/[\w.-]{1,60})?)(?:\[[\w,-]{1,60}\])?[\"']?\s*(?:[:=]\s*(?:[\"'][\^~<>=*\d]|\{\s*version)|[<>=~!]=))"
)
"""A line of a manifest that asks for a package in some version."""
_NO_PACKAGES = frozenset({"version", "python", "node", "npm", "rust-version", "edition", "ruby", "php", "name", "lockfileVersion", "requires-python", "target-version", "packageManager", "engines"})  # fmt: skip
_NOT_LOCKED = "The description says that packages are in a lock file, and one that comes is not there"


def held_lists(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Statements about several things at once."""
    yield from held_by_form(said, _FORMS, ground)


def _kinds(found: re.Match[str], sentence: Sentence, ground: Ground) -> Answer | None:
    """None unless all but one of the kinds stand in what comes: then the list means that, and the one is missing."""
    listed = [each for each in _SPLIT.split(found.group()) if each]
    proper = [each for each in listed if _PROPER.fullmatch(each)]
    if not sentence.line or len(proper) < 2 or not ground.whole or _AS_BEFORE.search(sentence.text):
        return None
    missing = [each for each in proper if _bare(each) not in ground.run_together]
    held = [each for each in listed if stem(_bare(each)) in ground.came_together]
    if len(missing) != 1 or len(held) < _ENOUGH:
        return None
    return Answer(False, confidence=0.6, because=f"{FROM_WORDING}; what is listed may go by another name")


_ENOUGH = 3


def _bare(word: str) -> str:
    return re.sub(r"[\W_]", "", word.lower())


def _all_of(found: re.Match[str], _: Sentence, ground: Ground) -> Answer | None:
    """None where the change touches no file of that name."""
    name = first_group(found)
    there = [path for path in ground.tree.head if path.rpartition("/")[2] == name]
    touched = [path for path in there if path in ground.touched]
    if len(there) < 2 or not touched:
        return None
    left = [path for path in there if path not in ground.touched]
    if len(left) >= len(touched):
        return None  # some of them are meant
    return Answer(
        not left, tuple(code_location(path) for path in left[:5]), 0.65, f"{FROM_WORDING}; some of them may be meant"
    )


def _all_tests(_: re.Match[str], __: Sentence, ground: Ground) -> Answer | None:
    """None where no line that comes leaves tests out."""
    before = {option for line in ground.went for option in _options(line)}
    new = [option for line in ground.came for option in _options(line) if option not in before]
    return (
        Answer(False, confidence=0.75, because=f"{FROM_WORDING}; what is left out may run elsewhere") if new else None
    )


def _options(line: str) -> Iterator[str]:
    for found in _LEFT_OUT.finditer(line[:2_000]):
        yield line[found.start("option") :].strip()[:200]


def _locked(found: re.Match[str], sentence: Sentence, ground: Ground) -> Answer | None:
    """None where no package newly stands in the manifest of a lock file that changes."""
    named = first_group(found)
    if found["lock"] and denied(sentence.text, found.start("lock")):
        return None
    asked = "" if named.lower().startswith("lock") else named
    for file in ground.change.files:
        path = file.path
        folder, _, name = path.rpartition("/")
        manifest = _LOCKS.get(name)
        text = ground.documents.head.get(path)
        if manifest is None or text is None or (asked and name.lower() != asked.lower()):
            continue
        for other in ground.change.files:
            if other.path == (f"{folder}/{manifest}" if folder else manifest) and other.head is not None:
                packed = _packed(text)
                if any(_packed(each) not in packed for each in _packages(other.path, ground)):
                    return Answer(False, (code_location(path),), 0.75, FROM_WORDING)
    return None


_AS_ONE = str.maketrans("_.", "--")


def _packed(text: str) -> str:
    """With one sign for those that registries take for the same."""
    return text.translate(_AS_ONE)


def _packages(path: str, ground: Ground) -> list[str]:
    """Packages that the lines of a manifest ask for which come, and that it did not ask for before."""
    after, before = (
        {each for line in (side.get(path) or "").split("\n") if (each := _package(line))}
        for side in (ground.documents.head, ground.documents.base)
    )
    return sorted(after - before)


def _package(line: str) -> str:
    found = _PACKAGE.match(line[:300])
    name = first_group(found) if found else ""
    return "" if name in _NO_PACKAGES else name.lower()


_JOB = combine_patterns(
    r"\b(?:add|introduc|creat|gain|bring|gets?|got|has|with|split|mov)\w{0,4}\b[^.;`]{0,60}?\bjobs?(?:,|\s+(?:called|named))?\s+`(?P<job>[A-Za-z][\w-]{0,40})`",
    r"\b(?:add|introduc|creat|gain|bring|gets?|got|split)\w{0,4}\s+(?:an?|the|its own|another|a\s+(?:new|separate|second|third))\s+`(?P<own>[A-Za-z][\w-]{0,40})`\s+job\b",
)
_NO_SUCH_JOB = "The description speaks of a new job by its name, and no workflow that comes has one of it"
_LINKS = combine_patterns(
    r"\b(?:links?|references?)\s+(?:in|of|from|on)\s+(?P<led>[^.;:!?]{1,30}(?:\.\w{1,8}[^.;:!?]{0,40}){0,5}?)\s+(?:now\s+|all\s+)?(?:points?|leads?|goes|go|(?:is|are|was|were)\s+(?:\w+\s+)?(?:updated|adapted|adjusted|fixed|changed|corrected))\b"
)
_DOCUMENT = lazy_compile(r"`(?P<path>[\w./-]{1,80}\.(?:md|rst|mdx|txt))`|\b(?P<readme>README)\b(?!\.?\w)")
_LINKS_LEFT = "The description says that links in a document are brought up to date, and the change leaves it alone"


def _job(found: re.Match[str], _: Sentence, ground: Ground) -> Answer | None:
    """None where no workflow changes, or jobs are told in another way than by a key."""
    name = first_group(found)
    came = ground.came_in(lambda path: role(path) is Role.WORKFLOW)
    if not came or not ground.whole:
        return None
    key = re.compile(rf"^\s{{1,8}}[\"']?{re.escape(name)}[\"']?:")
    return Answer(any(key.match(line) for line in came), confidence=0.75)


def _links(found: re.Match[str], _: Sentence, ground: Ground) -> Answer | None:
    """None where a document is not there, or all change."""
    named = [first_group(each) for each in _DOCUMENT.finditer(found["led"])][:20]
    there = {path for each in named for path in ground.standing(each if "." in each else f"{each}.md")}
    left = sorted(there - ground.touched)
    whole = len(there) == len(set(named))
    return Answer(False, tuple(code_location(path) for path in left), 0.7, FROM_WORDING) if left and whole else None


_FORMS = (
    Form(_LIST, _kinds, "list", _LISTED_ELSEWHERE),
    Form(_OF_ALL, _all_of, "all_of_a_name", _NOT_ALL),
    Form(_ALL_RUN, _all_tests, "all_tests", _TESTS_LEFT_OUT),
    Form(_IN_LOCK, _locked, "locked", _NOT_LOCKED),
    Form(_JOB, _job, "job", _NO_SUCH_JOB),
    Form(_LINKS, _links, "links", _LINKS_LEFT),
)
