"""Files of a change as sentences name them: by their path, or by a word for what they are, such as the README."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from auditor.domain import FileChange
from auditor.forensics.dependencies.manifest_formats import is_lock, is_manifest
from auditor.forensics.description.change_contents import Ground
from auditor.forensics.description.code_name_claims import FILE_SUFFIXES
from auditor.forensics.description.masked_sentences import MASK, Masked, unmarked
from auditor.forensics.source_text.file_roles import Role, is_code, is_test, role
from auditor.lazy_regex import lazy_compile

MAX_NOUNS = 40
"""Nouns of one sentence that are looked at."""
ADDRESS = lazy_compile(r"\b[a-z][a-z0-9+.-]{1,20}://\S+|\bwww\.\S+", re.IGNORECASE)
_BARE = (
    r"(?:docker-?file|containerfile|makefile|gnumakefile|jenkinsfile|procfile|gemfile|rakefile|vagrantfile|brewfile|justfile|codeowners|go\.(?:mod|sum|work)"
    r"|\.(?:env|git|docker|npm|eslint|prettier|pylint|flake8|editor|babel|nvm|rubocop|golangci|pre-commit|coverage|python-version|node-version|tool-versions|dockerignore)[\w.-]{0,40})"
)
"""Names of files that go without a suffix, or with one that is none of a language."""
PATH = lazy_compile(
    r"(?<![\w/.:@~$<{-])(?:\.?[\w@+-][\w.@+-]{0,100}/){1,12}[\w.@+-]{1,100}\.[A-Za-z]\w{0,9}\b(?![/<>{}*]|#\d)"
    rf"|(?<![\w/.:@~$<{{*-])\.?[\w+-][\w.+-]{{0,100}}\.(?:{FILE_SUFFIXES})\b(?![/<>{{}}*(=]|\.\w)"
    rf"|(?<![\w/.:@~$<{{*-]){_BARE}\b(?![/<>{{}}*(=]|\.\w)",
    re.IGNORECASE,
)
"""A file: with folders by any suffix, without by one that is known, or by a name that everybody knows."""
PRETEND = lazy_compile(r"path/to|foo|example(?!$)|your[-_]|my[-_]|xxx", re.IGNORECASE)
LIBRARY = lazy_compile(
    r"^(?:[A-Z]\w{1,20}|vue|next|node|react|d3|three|express|ember|angular|backbone|socket)\.(?:js|ts|py|rs|go)$|^[A-Z][\w]{1,20}\.(?:sh|js)$",
    re.IGNORECASE,
)
"""Names of libraries that only look like those of files."""


def is_address(path: str) -> bool:
    """Does it begin with the name of a host, as `example.org/page.html` does?"""
    first = path.partition("/")[0]
    return "/" in path and "." in first.lstrip(".") and not first.startswith(".")


def touches(path: str, ground: Ground) -> bool:
    """Does the change touch a file of that path, or of that end of a path?"""
    return any(goes_by(each, path) for each in ground.touched)


def stands(path: str, ground: Ground) -> bool:
    """Does such a file stand before or after the change?"""
    if "/" not in path:
        varied = path.lower() in _WITH_VARIANTS and any(goes_by(each, path) for each in ground.file_names)
        return varied or path.lower() in ground.file_names
    return ground.tree.exists(path) or path in ground.tree.base or path in ground.tree.endings


def goes_by(path: str, said: str) -> bool:
    """Is it the path that is said, or does it end in it? Of a name with blanks the last word is taken for it."""
    if "/" in said:
        return path == said or path.endswith(f"/{said}")
    name, wanted = path.rpartition("/")[2].lower(), said.lower()
    spaced = "." in wanted and name.endswith(f" {wanted}")
    return name == wanted or spaced or (wanted in _WITH_VARIANTS and wanted in re.split(r"[.-]", name))


_WITH_VARIANTS = frozenset({"dockerfile", "containerfile", "makefile", "jenkinsfile", "gemfile"})
"""Files of which several stand side by side, such as `Dockerfile.dev`."""


@dataclass(frozen=True)
class Thing:
    """A word for files. The confidences say how sure it is that a sentence is wrong: 0 where that is not asked."""

    name: str
    words: str
    what: str
    holds: Callable[[str], bool]
    done: float = 0.0
    """Where it is said to be worked on."""
    kept: float = 0.0
    """Where it is said to stay as it was."""


@dataclass(frozen=True)
class Noun:
    """One path or word in a sentence."""

    text: str
    thing: Thing | None = None

    @property
    def name(self) -> str:
        """What tells it from others of the description."""
        return self.text.lower() if self.thing is None else self.thing.name

    def fits(self, path: str) -> bool:
        """Is the file what is meant, or does it lie in the folder that is meant?"""
        if self.thing is not None:
            return self.thing.holds(path)
        return goes_by(path, self.text) or f"/{self.text}/" in f"/{path}/"

    def of(self, file: FileChange) -> bool:
        """Is one side of a changed file what is meant?"""
        return any(self.fits(each.path) for each in (file.base, file.head) if each is not None)


def _of_name(form: str) -> Callable[[str], bool]:
    pattern = lazy_compile(form, re.IGNORECASE)
    return lambda path: pattern.search(path) is not None


_README = _of_name(r"(?:^|/)readme[^/]*$")
_RECORD = _of_name(
    r"(?:^|/)(?:change|history|news|release|whats)[\w .-]*\.\w+$|change-?_?log[^/]*$|release[-_]?notes[^/]*$|(?:^|/)(?:changelog|changes|news|history)$|(?:^|/)(?:\.changeset|\.?changes?|changelogs?|changelog\.d|newsfragments|news|releasenotes|release-?notes|unreleased|\.changie|towncrier|releases?)/"
)
_SCHEMA = _of_name(r"migrat|alembic|/versions/|\.sql$|flyway|liquibase|schema")
_TABLES = _of_name(r"(?:^|/)(?:db|database|migrations?|alembic|prisma)/(?:[^/]+/)*[^/]+\.(?:sql|prisma|rb|py|ts|js)$|\.sql$|(?:^|/)schema\.(?:rb|prisma|sql)$")  # fmt: skip
_SERVED = _of_name(r"(?:open-?api|swagger)[^/]*\.(?:ya?ml|json)$|(?:^|/)(?:openapi|swagger|api-?specs?)/")
RUNS_CODE = lazy_compile(
    r"(?:^|/)(?:\.github|\.circleci|\.ci|ci|\.buildkite|\.azure[\w-]*|\.woodpecker|\.gitea|\.forgejo|tools?|scripts?|hack|build)/|(?:^|/)(?:tox\.ini|noxfile\.py|Makefile|Dockerfile|Jenkinsfile|azure-pipelines[\w.-]*|appveyor[\w.-]*|\.?travis[\w.-]*|\.pre-commit[\w.-]*|\.gitlab-ci[\w.-]*|\.codecov[\w.-]*|codecov[\w.-]*|\.drone[\w.-]*|renovate[\w.-]*|cloudbuild[\w.-]*|justfile|Taskfile[\w.-]*)$",
    re.IGNORECASE,
)
"""What runs, builds or checks code, beside workflows."""


def is_pipeline(path: str) -> bool:
    """Is it a workflow, or what one runs?"""
    return role(path) is Role.WORKFLOW or RUNS_CODE.search(path) is not None


def _is_product(path: str) -> bool:
    return is_code(path) and role(path) is Role.PRODUCT


_SERVES = r"(?!'s\b|-(?!only\b)\w|/\w|\s+(?:pars\w+|support|generat\w+|check\w*|lint\w*|links?|template|handling|format|path|name|reader|loader|writer|render\w*|badge|title|theme|tools?|plugin|builder|runner|discovery|framework|harness|command|mode|servers?|environment|data|helpers?|utilit\w+|containers?|doubles?|plan|account|guide|warnings?|hooks?|coverage|status|minutes|results?|output|failures?|errors?|runs?|jobs? that|time|class(?:es)?|functions?|methods?|modules?|fixtures?|names?)\b)"
"""A word that only says what another thing is for, as in `test runner`, is none of these."""
_SETTINGS_IN_CODE = lazy_compile(r"(?:^|/)config/[\w/-]{1,80}\.(?:php|rb|exs)$|(?:^|/)settings(?:/\w{1,40})?\.py$")
"""Settings that frameworks keep in code."""
THINGS = (
    Thing("readme", r"read-?me(?:\.\w{2,4})?(?:\s+file)?", "the README", _README, 0.8, 0.8),
    Thing(
        "record",
        r"change-?log|release notes|news (?:entry|fragment|file)",
        "what users are told of changes",
        _RECORD,
        0.8,
        0.8,
    ),
    Thing("license", r"licen[cs]e file", "the license", _of_name(r"(?:^|/)(?:licen[cs]e|copying)[^/]*$"), 0.7, 0.7),
    Thing(
        "api_specification",
        r"(?:open-?api|swagger)(?:\s+(?:spec\w*|documents?|files?|schema|definitions?|yaml|json)|(?=\s*(?:$|[.,;:!)&]|\b(?:and|is|are|was|too|as well)\b)))",
        "the specification of the interface",
        _SERVED,
        0.65,
        0.75,
    ),
    Thing(
        "compose",
        r"(?:docker[- ])?compose files?|docker[- ]compose(?:\s+(?:config\w*|setup|stack))?",
        "the composition of containers",
        _of_name(r"(?:^|/)(?:docker-)?compose[\w.-]*\.ya?ml$"),
        0.65,
        0.7,
    ),
    Thing(
        "lock",
        r"lock-?\s?files?|(?:package-lock|yarn|poetry|uv|cargo|gemfile|pnpm|composer)[.-]lock\w*",
        "the lock file",
        lambda path: role(path) is Role.LOCK or is_lock(path),
        0.85,
        0.8,
    ),
    Thing(
        "schema",
        r"(?:(?:data ?base|db|sql)\s+)?schema(?=\W*(?:$|[.,;:!)]|\b(?:is|are|was|stays?|remains?|and|or|changes?|migrations?|untouched|unchanged|not|itself)\b))|(?:(?:data ?base|db|sql)\s+)?tables(?=\s+(?:are|stay|remain))|(?:data ?base|db)(?=\s+changes?\b)",
        "the schema of the database",
        _TABLES,
        0.0,
        0.7,
    ),
    Thing(
        "migrated",
        r"(?:(?:data ?base|db|sql|schema|alembic|django|prisma|rails|knex|flyway|liquibase|ecto|drizzle)\s+)?migrations?(?=\s*(?:$|[.,;:!)]|\b(?:that|included|added|(?:adds|drops|creates|backfills|renames|populates)\b|to (?:add|drop|create|backfill|rename|populate)\b|for (?:existing|old) (?:rows|data|records)|for (?:the |a )?(?:column|table|index)\b|for (?:it|this)\b|for (?:the |a |an )?(?=`)|for (?:the |a |an )?(?:[\w`]+\s+){0,2}(?:table|column|schema|database|field|index|model)|which|to the schema|files?|scripts?|and|is|are|was|were|changes?|untouched|unchanged|not|only)\b))",
        "a migration of the database",
        _SCHEMA,
        0.65,
        0.7,
    ),
    Thing(
        "pipeline",
        r"(?:(?:ci|github|release|build|lint|test|nightly|deploy\w*)[- ]){0,2}(?:github actions|(?:ci|test|build) matrix|workflows?|pipelines?|ci (?:matrix|job|step|config\w*|check)s?|ci(?:/cd)?)(?:\s+(?:files?|config\w*))?"
        r"(?=\s*(?:$|[.,;:!)&]|\b(?:that|which|to (?:run|build|test|use|also)|for (?:releases?|pull|the (?:lint|test|build|release)\w*)|job|files?|config\w*|is|are|was|were|stays?|remains?|and|or|changes?|runs?|only|touched|untouched|unchanged|now|has|have|not|pass(?:es)?|gets?|got)\b))",
        "what runs in the pipeline",
        is_pipeline,
        0.7,
        0.7,
    ),
    Thing(
        "setting",
        r"(?:(?:build|project|tool\w*)\s+)?(?:config(?:uration)?|settings)(?:\s+(?:files?|values?))?",
        "configuration",
        lambda path: role(path) in (Role.CONFIGURATION, Role.WORKFLOW) or _SETTINGS_IN_CODE.search(path) is not None,
        0.0,
        0.75,
    ),
    Thing(
        "dependency",
        r"(?:third[- ]party\s+|runtime\s+|external\s+)?(?:dependenc(?:y|ies)|deps)|(?:package\s+)?manifests?",
        "dependencies",
        lambda path: is_manifest(path) or is_lock(path) or role(path) in (Role.LOCK, Role.VENDORED),
        0.0,
        0.8,
    ),
    Thing(
        "test",
        r"(?:(?:of|the|our|any|all|existing|old|current|other|unit|integration|e2e|regression)\s+){0,4}tests?(?:[- ](?:cases?|files?|suites?|code))?(?!\s+(?:with|on|against|under)\b)",
        "tests",
        is_test,
        0.0,
        0.7,
    ),
    Thing(
        "code",
        r"(?:production|product|source|application|app|runtime|library|non-test|core|business|backend|frontend|actual|src)\s+(?:source\s+)?(?:code|logic|sources?|files?)|(?:source\s+)?code(?!\s+(?:path|style|generat|review|owner|block|coverage|quality|point|comment|example|snippet))",
        "the code of the product",
        _is_product,
        0.0,
        0.75,
    ),
)
_THING = lazy_compile(
    "|".join(rf"(?P<{thing.name}>\b(?:{thing.words})(?!\w){_SERVES})" for thing in THINGS), re.IGNORECASE
)
_TICKED = lazy_compile(r"`{1,2}(?P<place>\.?[\w@.+-]{1,80}(?:/[\w@.+-]{1,80}){0,12}/?)`{1,2}")
_VERSIONED = lazy_compile(r"\s{1,3}(?:from|to)\s{1,3}v?\d{1,5}\.\d")
"""What stands behind the name of a package that goes from one version to another."""
_BY_NAME = {thing.name: thing for thing in THINGS}
_DRESSED = lazy_compile(rf"[`*\"']{{1,3}}(?P<bare>{MASK})[`*\"']{{1,3}}|\[(?P<shown>{MASK})\]\({MASK}\)")


def _last_words(ground: Ground) -> set[str]:
    """Last words of all names in the paths that are touched: who names something else need not be held against each path."""
    return ground.once(
        "last words of touched paths",
        lambda: {
            word
            for path in ground.touched
            for part in path.split("/")
            for word in (_last_word(part), *re.split(r"[.-]", part.lower()))
        },
    )


def _last_word(path: str) -> str:
    return path.rpartition("/")[2].lower().rpartition(" ")[2]


class Named(Masked[Noun]):
    """A sentence whose nouns are masked."""

    def __init__(self, sentence: str, ground: Ground) -> None:
        super().__init__(MAX_NOUNS)
        self._ground = ground
        plain = ADDRESS.sub(" ", unmarked(sentence)).replace("**", "")
        text = _TICKED.sub(self._place, plain)
        text = PATH.sub(self._path, text)
        text = _THING.sub(self._word, text)
        self.text = _DRESSED.sub(lambda found: found["bare"] or found["shown"], text)

    def _place(self, found: re.Match[str]) -> str:
        """A file or a folder in ticks; what is neither, or has a version behind it, is another kind of name."""
        if _VERSIONED.match(found.string, found.end()):
            return found.group()
        text = found["place"].removeprefix("./").rstrip("/")
        ground = self._ground
        known = (
            ground.tree.exists(text)
            or text in ground.tree.endings
            or (_last_word(text) in _last_words(ground) and any(Noun(text).fits(path) for path in ground.touched))
        )
        return self._mask(Noun(text), found.group()) if text and (known or stands(text, ground)) else found.group()

    def _path(self, found: re.Match[str]) -> str:
        path = found.group().removeprefix("./")
        if is_address(path) or not stands(path, self._ground):
            return found.group()
        return self._mask(Noun(path), found.group())

    def _word(self, found: re.Match[str]) -> str:
        name = found.lastgroup or ""
        return self._mask(Noun(found.group(), _BY_NAME[name]), found.group())
