"""Kinds of claims about a change as a whole: how each is worded, and what the facts say of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from auditor.domain import FileChange, Status
from auditor.forensics.claim_ground import (
    FROM_WORDING,
    MAX_DESCRIPTION,
    Answer,
    Check,
    Ground,
    Held,
    Sentence,
    denied,
    places,
)
from auditor.forensics.claim_words import (
    ADDITIVE,
    ANNOTATED,
    DEPENDENCIES_TITLE,
    DOCUMENTED,
    DOCUMENTS,
    FEATURE_TITLE,
    LAYOUT,
    LAYOUT_TITLE,
    LOCKED,
    MIGRATED,
    MOVED_ONLY,
    NO_DEPENDENCY,
    NO_SETTING,
    NO_TEST_CHANGED,
    NOTHING,
    PIPELINE,
    PIPELINE_TITLE,
    README,
    RECORDED,
    REFACTORING,
    SETTINGS_ONLY,
    SMALL,
    SMALL_TITLE,
    TESTED,
    TESTS_ONLY,
    TYPO,
    TYPO_TITLE,
    UNBROKEN,
    WITH_DOCSTRINGS,
)
from auditor.forensics.compatibility import breaks, is_interface
from auditor.forensics.lost_offers import compared_before, lost_offers
from auditor.forensics.manifests import is_lock, is_manifest, read_manifest
from auditor.forensics.outline import Function, Outline
from auditor.forensics.roles import Role, is_code, is_expected_output, is_test, language, role
from auditor.late import late

_SMALL = 5
"""Lines of code, changed together with their neighbours, up to which a change may be the correction of a typing error."""
_IN_PLACE = 2
"""Neighbouring lines that the correction of a typing error may change."""
_LITTLE = 60
"""Changed lines of product code up to which a change is small by anybody's measure."""
_LARGE = 200
"""Changed lines of product code from which nobody would call it small; between the two, some would and some would not."""
_GROWTH = 150
"""Added lines of product code beside which hardly any is deleted, from which a change does more than rearrange what was there."""
_BEGINNING = 3
"""Lines of a description that speak of the change as a whole."""
_BEGINNING_OF_LIST = 12
"""The same where a description begins with what is wrong today."""
_REWRITTEN = 10
"""Words that come or go in one file from which it was not only laid out anew."""
_STRAY = 6
"""Lines that may come or go beside a move or an addition, such as those of imports."""


@dataclass(frozen=True)
class Kind:
    """A kind of claim: how it is worded in titles and sentences, how it is checked, and what to say when it is wrong."""

    name: str
    title: re.Pattern[str]
    said: re.Pattern[str]
    check: Check
    wrong: str
    until: int = MAX_DESCRIPTION
    """The last line on which it speaks of all of the change: further down, what was squashed into it is told one by one."""
    denies: bool = False
    """Is it itself a denial, so that a word of denial before it takes nothing back?"""


def held_kinds(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Every kind of claim that is made, once, with what the facts say of it."""
    for kind in _KINDS:
        sentence = next((each for each in said if _makes(kind, each)), None)
        if sentence is not None and (answer := kind.check(ground)) is not None:
            yield Held(kind.name, sentence, answer, kind.wrong)


def _makes(kind: Kind, sentence: Sentence) -> bool:
    if sentence.line == 0 and kind.title.search(sentence.text):
        return True
    if sentence.line > kind.until:
        return False
    claims = kind.said.finditer(sentence.text)
    return any(kind.denies or not denied(sentence.text, claim.start()) for claim in claims)


def _tests_changed(ground: Ground) -> Answer:
    held = any(_TEST.search(line) for line in ground.came)
    added = held or any(is_test(file.path) and _serves_tests(file.path) and file.added for file in ground.change.files)
    return Answer(added, confidence=0.8, because=f"{FROM_WORDING}; tests may stand in files whose names do not say so")


_TEST = late(
    r"^\s*(?:#\[(?:\w+::)?test\b|(?:async )?def test_|func (?:Test|Benchmark|Fuzz)[A-Z_]|@(?:Parameterized)?Test\b|(?:it|test|describe|specify)\s*\(?\s*[\"'`]|@test\b)"
)
"""How tests begin that stand beside what they test."""


def _serves_tests(path: str) -> bool:
    return is_code(path) or is_expected_output(path)


def _nothing_breaks(ground: Ground) -> Answer | None:
    """None where no public interface was there before, or in a language that is not compared."""
    change, modules = ground.change, ground.modules
    if not any(map(is_interface, modules.base)) and not compared_before(modules, ground.surfaces):
        return None
    told = [*breaks(change, modules, ground.tree, ground.documents), *lost_offers(change, modules, ground.surfaces)]
    gone = [each for each in told if each.confidence >= 0.5]
    if not gone:
        return Answer(holds=True)
    surest = max(gone, key=lambda each: each.confidence)
    confidence = round(0.9 * surest.confidence, 2)
    because = f"{FROM_WORDING}; {surest.because}" if surest.because else FROM_WORDING
    return Answer(False, tuple(each.at for each in gone), confidence, because)


def _only_documents(ground: Ground) -> Answer:
    beyond = _code_changed(ground)
    told = all(language(file.path) == "python" for file in beyond)
    because = FROM_WORDING if told else f"{FROM_WORDING}; words for readers may stand in strings of the code"
    return Answer(not beyond, places(beyond), 0.9 if told else 0.6, because)


def _only_typo(ground: Ground) -> Answer | None:
    """None for lines here and there: they may be the correction of a name, and may be more."""
    beyond = _code_changed(ground)
    if not beyond:
        return Answer(holds=True)
    if sum(map(_rewritten, beyond)) <= _SMALL:
        return None
    return Answer(False, places(beyond), 0.8, f"{FROM_WORDING}; a misspelt name may stand in many places")


def _rewritten(file: FileChange) -> int:
    """Lines that change together with their neighbours; a letter is corrected in its own line."""
    stretches = (max(each.base_count, each.head_count) for each in file.hunks)
    return sum(each for each in stretches if each > _IN_PLACE)


def _only_refactoring(ground: Ground) -> Answer:
    broken = _nothing_breaks(ground)
    if broken is not None and not broken.holds:
        return broken
    demands = [
        file
        for file in ground.change.files
        if role(file.path) is Role.WORKFLOW or (role(file.path) is Role.LOCK and file.added)
    ]
    return Answer(not demands, places(demands), 0.6, f"{FROM_WORDING}; behaviour was not compared")


def _only_rearranged(ground: Ground) -> Answer | None:
    """None where as much goes as comes: that says nothing of behaviour."""
    product = ground.product
    added, deleted = sum(file.added for file in product), sum(file.deleted for file in product)
    if added < _GROWTH or 10 * deleted >= added:
        return None
    at = places(sorted(product, key=lambda file: -file.added))
    return Answer(False, at, 0.6, f"{FROM_WORDING}; what is new may not be in use yet")


def _is_small(ground: Ground) -> Answer | None:
    """None for what some call small and others do not."""
    product = ground.product
    weight = sum(max(file.added, file.deleted) for file in product)
    if weight <= _LITTLE:
        return Answer(holds=True)
    if weight < _LARGE:
        return None
    return Answer(
        False, places(sorted(product, key=lambda file: -file.added)), 0.7, f"{FROM_WORDING}; lines were counted"
    )


def _only_tests(ground: Ground) -> Answer:
    beyond = [file for file in ground.product if not ground.only_words(file)]
    return Answer(not beyond, places(beyond), 0.7, f"{FROM_WORDING}; what serves tests may stand beside the product")


def _only_layout(ground: Ground) -> Answer | None:
    """Are the words of the code the same as before? None where no such file was edited."""
    edited = [file for file in ground.change.files if is_code(file.path) and ground.texts(file) is not None]
    beyond = [file for file in edited if _words_changed(ground.texts(file) or ("", "")) > _REWRITTEN]
    if not edited:
        return None
    return Answer(not beyond, places(beyond), 0.8, f"{FROM_WORDING}; words were compared, not what they do")


def _words_changed(texts: tuple[str, str]) -> int:
    before, after = (Counter(_WORD.findall(text)) for text in texts)
    return sum(((before - after) + (after - before)).values())


_WORD = late(r"\w+")


def _code_changed(ground: Ground) -> list[FileChange]:
    """Files whose code differs, comments, docstrings and what builds the documentation left out; workflows and locked dependencies too."""
    return [
        file
        for file in ground.change.files
        if _is_machinery(file.path, ground) and not _DOCUMENTS.search(file.path) and not ground.only_words(file)
    ]


def _is_machinery(path: str, ground: Ground) -> bool:
    """Code by its name or by what it holds, and what runs or fixes other code."""
    return is_code(path) or path in ground.modules.head or role(path) in (Role.WORKFLOW, Role.LOCK)


def _documents_changed(ground: Ground) -> Answer:
    """Documents, or where there are none of these words in code that are for readers."""
    told = [
        file for file in ground.change.files if role(file.path) is Role.DOCUMENTATION or _DOCUMENTS.search(file.path)
    ]
    spoken = any(_COMMENT.search(line) for line in ground.came)
    return Answer(bool(told) or spoken, confidence=0.75)


_DOCUMENTS = late(r"(?:^|/)(?:docs?|documentation|guides?|website|site|man)/", re.IGNORECASE)
_COMMENT = late(r"^\s*(?:#(?!!)|//|/\*|\*|--\s|<!--)|\"\"\"|'''")


def _readme_changed(ground: Ground) -> Answer:
    return _named(ground, late(r"(?:^|/)readme[^/]*$", re.IGNORECASE))


def _record_changed(ground: Ground) -> Answer:
    return _named(
        ground,
        late(
            r"(?:^|/)(?:change|history|news|release|whats)[\w .-]*\.\w+$|(?:^|/)(?:changelog|changes|news|history)$|(?:^|/)(?:\.changeset|\.?changes?|changelogs?|changelog\.d|newsfragments|news|releasenotes|release-?notes|unreleased|\.changie|towncrier|releases?)/",
            re.IGNORECASE,
        ),
    )


def _migrated(ground: Ground) -> Answer:
    return _named(ground, late(r"migrat|alembic|/versions/|\.sql$|flyway|liquibase|schema", re.IGNORECASE), 0.65)


def _named(ground: Ground, form: re.Pattern[str], confidence: float = 0.8) -> Answer:
    """Is a file of such a name changed?"""
    return Answer(any(form.search(path) for path in ground.touched), confidence=confidence)


def _pipeline_changed(ground: Ground) -> Answer:
    told = any(role(path) is Role.WORKFLOW or _PIPELINE.search(path) for path in ground.touched)
    return Answer(told, confidence=0.7, because=f"{FROM_WORDING}; what runs there may be kept elsewhere")


_PIPELINE = late(
    r"(?:^|/)(?:\.github|\.circleci|\.ci|ci|\.buildkite|\.azure[\w-]*|\.woodpecker|\.gitea|\.forgejo|tools?|scripts?|hack|build)/|(?:^|/)(?:tox\.ini|noxfile\.py|Makefile|Dockerfile|Jenkinsfile|azure-pipelines[\w.-]*|appveyor[\w.-]*|\.?travis[\w.-]*|\.pre-commit[\w.-]*|\.gitlab-ci[\w.-]*|\.codecov[\w.-]*|codecov[\w.-]*|\.drone[\w.-]*|renovate[\w.-]*|cloudbuild[\w.-]*|justfile|Taskfile[\w.-]*)$",
    re.IGNORECASE,
)


def _only_pipeline(ground: Ground) -> Answer | None:
    """None where neither a pipeline nor product code changes: what runs there may be kept in a manifest."""
    beyond = [file for file in ground.product if not ground.only_words(file) and not _PIPELINE.search(file.path)]
    if not beyond and not _pipeline_changed(ground).holds:
        return None
    return Answer(not beyond, places(beyond), 0.65, f"{FROM_WORDING}; a pipeline may need code of its own")


def _locked(ground: Ground) -> Answer:
    return Answer(any(role(path) is Role.LOCK or is_lock(path) for path in ground.touched), confidence=0.85)


def _demands_changed(ground: Ground) -> Answer:
    told = any(role(path) in (Role.LOCK, Role.WORKFLOW, Role.VENDORED) or _demands(path) for path in ground.touched)
    return Answer(told, confidence=0.75)


def _demands(path: str) -> bool:
    return is_manifest(path) or role(path) is Role.CONFIGURATION or _VERSIONS.search(path) is not None


_VERSIONS = late(
    r"dependenc|versions?|require|\.gradle|\.csproj$|\.props$|\.podspec$|Podfile|WORKSPACE|\.bzl$|\.nix$|\.gitmodules",
    re.IGNORECASE,
)


def _no_new_demand(ground: Ground) -> Answer | None:
    """None where a manifest that changed cannot be read."""
    grown: list[FileChange] = []
    for file in ground.change.files:
        if file.head is None or not is_manifest(file.path) or is_test(file.path):
            continue
        sides = (
            ground.documents.head.get(file.head.path),
            "" if file.base is None else ground.documents.base.get(file.base.path),
        )
        if sides[0] is None or sides[1] is None:
            return None
        now = {each.name for each in read_manifest(file.head.path, sides[0]).dependencies}
        then = (
            set() if file.base is None else {each.name for each in read_manifest(file.base.path, sides[1]).dependencies}
        )
        if now - then:
            grown.append(file)
    return Answer(not grown, places(grown), 0.85)


def _no_test_changed(ground: Ground) -> Answer:
    edited = [file for file in ground.change.files if is_test(file.path) and is_code(file.path) and file.deleted]
    return Answer(not edited, places(edited), 0.7, f"{FROM_WORDING}; what changes may serve tests only")


def _no_setting(ground: Ground) -> Answer:
    edited = [file for file in ground.change.files if role(file.path) in (Role.CONFIGURATION, Role.WORKFLOW)]
    return Answer(not edited, places(edited), 0.75)


def _only_settings(ground: Ground) -> Answer:
    beyond = [file for file in ground.product if not ground.only_words(file)]
    return Answer(not beyond, places(beyond), 0.7, f"{FROM_WORDING}; settings may be kept in code")


def _only_moved(ground: Ground) -> Answer | None:
    """What comes elsewhere must have gone here, but for lines of imports and the like. None for documents and data."""
    moved = [file for file in ground.change.files if file.status is Status.RENAMED]
    if not ground.product:
        return Answer(holds=True) if moved else None
    if not ground.whole:
        return None
    code = (
        [line for line in ground.came if _TELLING.search(line)],
        [line for line in ground.went if _TELLING.search(line)],
    )
    came, went = (Counter(line.strip() for line in side if not _IMPORT.match(line)) for side in code)
    fresh = sum((came - went).values())
    lost = sum((went - came).values())
    if min(fresh, lost) > _STRAY or not (moved or fresh):
        words = sum((ground.added - ground.gone).values()) + sum((ground.gone - ground.added).values())
        if words > 2 * _STRAY + 2 * min(fresh, lost):
            return Answer(False, places(ground.product), 0.6, f"{FROM_WORDING}; lines were compared, not what they do")
        return None
    if lost <= _STRAY < fresh or (not moved and fresh > _STRAY):
        return Answer(False, places(ground.product), 0.6, f"{FROM_WORDING}; lines were compared, not what they do")
    return Answer(holds=fresh <= _STRAY and not _figures_differ(came, went), at=places(ground.product), confidence=0.65)


_TELLING = late(r"\w")
_IMPORT = late(r"\s*(?:import|from|use|require|#include|package|const \w+ = require|export \{)\b")
_FIGURE = late(r"\b\d+(?:\.\d+)?\b")


def _figures_differ(came: Counter[str], went: Counter[str]) -> bool:
    """Do numbers differ in the few lines that are not the same? A move keeps them."""
    now, then = (
        Counter(figure for line in side for figure in _FIGURE.findall(line)) for side in (came - went, went - came)
    )
    return now != then


def _only_added(ground: Ground) -> Answer | None:
    lost = {name for name, count in ground.defined_before.items() if name not in ground.defined and count}
    if lost and not ground.modules.unreadable:
        return Answer(False, places([file for file in ground.product if file.deleted]), 0.8)
    beyond = [file for file in ground.product if file.deleted > _STRAY and file.deleted * 3 > file.added]
    return Answer(not beyond, places(beyond), 0.6, f"{FROM_WORDING}; a line that is edited counts as deleted")


def _feature(ground: Ground) -> Answer:
    material = (Role.PRODUCT, Role.CONFIGURATION, Role.WORKFLOW, Role.DATA, Role.GENERATED, Role.VENDORED)
    told = any(role(file.path) in material for file in ground.change.files if file.added)
    return Answer(told, confidence=0.65, because=f"{FROM_WORDING}; documents may be the product")


def _annotated(ground: Ground) -> Answer | None:
    """None where no Python changes: other languages are typed anyhow."""
    if not ground.modules.head or any(language(file.path) in _TYPED for file in ground.product):
        return None
    now, then = (
        sum(each.annotated_return + sum(parameter.annotated for parameter in each.parameters) for each in side)
        for side in (_functions(ground.modules.head), _functions(ground.modules.base))
    )
    more = now > then or any(_ANNOTATION.search(line) for line in ground.came)
    return Answer(more, confidence=0.65)


_TYPED = frozenset({"typescript", "go", "java", "rust", "kotlin", "javascript", "php", "ruby", "csharp"})
_ANNOTATION = late(r"^\s*\w+\s*:\s*[A-Z\[\w\"']|#\s*type:|->|\bTypeVar\b|\bcast\(|py\.typed|: \w+")


def _docstrings(ground: Ground) -> Answer | None:
    """None where the words in code of the change may be what is meant, in other languages."""
    if not ground.modules.head or any(language(file.path) != "python" for file in ground.product):
        return None
    now, then = (
        sum(each.documented for each in _functions(side))
        + sum(each.documented for shape in side.values() for each in shape.classes)
        for side in (ground.modules.head, ground.modules.base)
    )
    spoken = any('"""' in line or "'''" in line for line in ground.came)
    return Answer(now > then or spoken, confidence=0.75)


def _functions(side: Mapping[str, Outline]) -> list[Function]:
    return [each for shape in side.values() for each in shape.functions]


_KINDS = (
    Kind(
        "tests",
        late(r"^tests?(?:\([^)]{0,80}\))?!?:", re.IGNORECASE),
        TESTED,
        _tests_changed,
        "The description says that tests come with the change, and no test is added or extended",
    ),
    Kind(
        "nothing_breaks",
        NOTHING,
        UNBROKEN,
        _nothing_breaks,
        "The description says that nothing breaks for callers, and public names or parameters are gone",
    ),
    Kind(
        "only_documents",
        late(r"^docs?(?:\([^)]{0,80}\))?:|^\[docs?\]", re.IGNORECASE),
        DOCUMENTS,
        _only_documents,
        "The description says that only documentation changes, and more than that changes",
    ),
    Kind(
        "only_typo",
        TYPO_TITLE,
        TYPO,
        _only_typo,
        "The description speaks of a typing error, and the change goes far beyond one",
    ),
    Kind(
        "only_refactoring",
        late(r"^refactor(?:\([^)]{0,80}\))?:", re.IGNORECASE),
        REFACTORING,
        _only_refactoring,
        "The description says that behaviour stays as it was, and what callers or machines rely on changes",
    ),
    Kind(
        "only_rearranged",
        late(rf"^refactor(?:\([^)]{{0,80}}\))?:|{REFACTORING.pattern}", re.IGNORECASE),
        REFACTORING,
        _only_rearranged,
        "The description says that behaviour stays as it was, and the change adds much and takes hardly anything away",
        until=_BEGINNING,
    ),
    Kind(
        "small",
        SMALL_TITLE,
        SMALL,
        _is_small,
        "The description speaks of a small change, and hundreds of lines of product code change",
    ),
    Kind(
        "only_tests",
        NOTHING,
        TESTS_ONLY,
        _only_tests,
        "The description says that only tests change, and product code changes",
    ),
    Kind(
        "only_layout",
        LAYOUT_TITLE,
        LAYOUT,
        _only_layout,
        "The description says that only the layout of code changes, and its words change",
    ),
    Kind(
        "documents_changed",
        NOTHING,
        DOCUMENTED,
        _documents_changed,
        "The description says that the documentation is updated, and no document changes",
    ),
    Kind(
        "readme_changed",
        README,
        README,
        _readme_changed,
        "The description says that the README is updated, and it is not touched",
    ),
    Kind(
        "record_changed",
        RECORDED,
        RECORDED,
        _record_changed,
        "The description speaks of an entry among the changes told to users, and there is none",
    ),
    Kind(
        "migrated",
        MIGRATED,
        MIGRATED,
        _migrated,
        "The description speaks of a migration of the database, and the change brings none",
    ),
    Kind(
        "pipeline_changed",
        PIPELINE,
        PIPELINE,
        _pipeline_changed,
        "The description says that a workflow is added or changed, and none is touched",
    ),
    Kind(
        "only_pipeline",
        PIPELINE_TITLE,
        NOTHING,
        _only_pipeline,
        "The title speaks of what runs in the pipeline, and product code changes",
    ),
    Kind(
        "locked",
        LOCKED,
        LOCKED,
        _locked,
        "The description says that the lock file is updated, and none is touched",
    ),
    Kind(
        "demands_changed",
        DEPENDENCIES_TITLE,
        NOTHING,
        _demands_changed,
        "The title speaks of dependencies, and no manifest and no lock file changes",
    ),
    Kind(
        "no_new_demand",
        NO_DEPENDENCY,
        NO_DEPENDENCY,
        _no_new_demand,
        "The description says that no dependency is new, and a manifest asks for one that it did not ask for",
        denies=True,
    ),
    Kind(
        "no_test_changed",
        NO_TEST_CHANGED,
        NO_TEST_CHANGED,
        _no_test_changed,
        "The description says that tests stay as they were, and lines of tests go",
        denies=True,
    ),
    Kind(
        "no_setting",
        NO_SETTING,
        NO_SETTING,
        _no_setting,
        "The description says that no configuration changes, and some does",
        denies=True,
    ),
    Kind(
        "only_settings",
        NOTHING,
        SETTINGS_ONLY,
        _only_settings,
        "The description says that only configuration changes, and product code changes",
        until=_BEGINNING_OF_LIST,
    ),
    Kind(
        "only_moved",
        MOVED_ONLY,
        MOVED_ONLY,
        _only_moved,
        "The description says that things are only moved or renamed, and what they hold changes too",
        until=_BEGINNING_OF_LIST,
    ),
    Kind(
        "only_added",
        NOTHING,
        ADDITIVE,
        _only_added,
        "The description says that the change only adds, and it takes something away",
        denies=True,
        until=_BEGINNING_OF_LIST,
    ),
    Kind(
        "feature",
        FEATURE_TITLE,
        NOTHING,
        _feature,
        "The title speaks of a feature, and only documents or tests change",
    ),
    Kind(
        "annotated",
        ANNOTATED,
        ANNOTATED,
        _annotated,
        "The description says that type annotations are added, and none is",
    ),
    Kind(
        "with_docstrings",
        WITH_DOCSTRINGS,
        WITH_DOCSTRINGS,
        _docstrings,
        "The description says that docstrings are added, and none is",
    ),
)
