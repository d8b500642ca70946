"""What a change is said to be no more than, and whether it is: documents, tests, layout, a move, a small one, one that breaks nothing."""

from __future__ import annotations

import re
from collections import Counter

from auditor.domain import FileChange, Status
from auditor.forensics.dependencies.manifest_formats import is_manifest
from auditor.forensics.description.accompanying_file_claims import DOCUMENT_FOLDERS
from auditor.forensics.description.change_contents import FROM_WORDING, Answer, Ground, places
from auditor.forensics.description.file_references import RUNS_CODE, is_pipeline
from auditor.forensics.public_api.breaking_changes import BreakingChange
from auditor.forensics.public_api.python_api_changes import find_breaking_changes, importable_modules, is_public_module
from auditor.forensics.public_api.removed_exports import compared_base_files, find_export_breaks
from auditor.forensics.source_text.file_roles import Role, is_code, is_example, language, role
from auditor.lazy_regex import lazy_compile

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
_REWRITTEN = 10
"""Words that come or go in one file from which it was not only laid out anew."""
_STRAY = 6
"""Lines that may come or go beside a move or an addition, such as those of imports."""


def nothing_breaks(ground: Ground) -> Answer | None:
    """None where no public interface was there before, or in a language that is not compared."""
    gone = _breaks(ground)
    return None if gone is None else _broken(gone)


def _breaks(ground: Ground) -> list[BreakingChange] | None:
    """What callers relied on and can no longer; None where nothing can be compared."""
    change, modules = ground.change, ground.modules
    known = importable_modules(modules, ground.tree, ground.surfaces)
    if not (known or any(map(is_public_module, modules.base)) or compared_base_files(modules, ground.surfaces)):
        return None
    told = [
        *find_breaking_changes(change, modules, known, ground.tree, ground.documents),
        *find_export_breaks(change, modules, ground.surfaces),
    ]
    return [each for each in told if each.confidence >= 0.5]


def _broken(gone: list[BreakingChange]) -> Answer:
    if not gone:
        return Answer(holds=True)
    surest = max(gone, key=lambda each: each.confidence)
    confidence = round(0.9 * surest.confidence, 2)
    because = f"{FROM_WORDING}; {surest.because}" if surest.because else FROM_WORDING
    return Answer(False, tuple(each.at for each in gone), confidence, because)


def only_documents(ground: Ground) -> Answer | None:
    """Do documents, comments and docstrings change, and nothing else that machines read?

    None for strings, in which helps are written, and for examples, which many count as documentation.
    """
    beyond = code_changed(ground)
    if beyond and all(is_example(file.path) or ground.only_strings(file) for file in beyond):
        return None
    told = all(language(file.path) == "python" for file in beyond)
    because = FROM_WORDING if told else f"{FROM_WORDING}; words for readers may stand in strings of the code"
    return Answer(not beyond, places(beyond), 0.9 if told else 0.6, because)


def only_words_for_people(ground: Ground) -> Answer | None:
    """Do settings stay too, by which something runs that is no documentation?"""
    beyond = [
        file
        for file in ground.change.files
        if (role(file.path) is Role.CONFIGURATION or is_manifest(file.path))
        and not _OF_DOCUMENTS.search(file.path)
        and not DOCUMENT_FOLDERS.search(file.path)
        and not ground.only_words(file)
    ]
    return (
        Answer(False, places(beyond), 0.65, f"{FROM_WORDING}; a setting may serve the documentation")
        if beyond
        else None
    )


_OF_DOCUMENTS = lazy_compile(
    r"(?:^|/)(?:\.github|\.vscode|\.idea|\.gitlab)/|mkdocs|readthedocs|docusaurus|vitepress|_config\.|sphinx|cspell|markdown|vale|typos|codespell|prettier|editorconfig|netlify|vercel|redirects?|sidebar|nav\b|toc\b|package\.json|pyproject|git(?:ignore|attributes|modules)|example|sample|template|codecov|citation|changelog|\.all-contributors|book\.toml|antora|hugo|config\.toml|pre-commit|lychee|renovate|dependabot|crowdin",
    re.IGNORECASE,
)
"""Settings by which documentation is built or checked, and those that are shown in it."""


def only_typo(ground: Ground) -> Answer | None:
    """None for lines here and there: they may be the correction of a name, and may be more."""
    beyond = code_changed(ground)
    if not beyond:
        return Answer(holds=True)
    if sum(map(_rewritten, beyond)) <= _SMALL:
        return None
    return Answer(False, places(beyond), 0.8, f"{FROM_WORDING}; a misspelt name may stand in many places")


def _rewritten(file: FileChange) -> int:
    """Lines that change together with their neighbours; a letter is corrected in its own line."""
    stretches = (max(each.base_count, each.head_count) for each in file.hunks)
    return sum(each for each in stretches if each > _IN_PLACE)


def only_refactoring(ground: Ground) -> Answer:
    """Do callers and machines find what they found before? What the description says itself of a name, it does not hide."""
    hidden = [each for each in _breaks(ground) or () if not _last_words(each.name) & ground.words_said]
    if hidden:
        return _broken(hidden)
    demands = [
        file
        for file in ground.change.files
        if role(file.path) is Role.WORKFLOW or (role(file.path) is Role.LOCK and file.added)
    ]
    return Answer(not demands, places(demands), 0.6, f"{FROM_WORDING}; behaviour was not compared")


def _last_words(name: str) -> frozenset[str]:
    """The name by which a definition is called, without those of what it stands in."""
    return frozenset(re.findall(r"[^\W\d]\w*", name)[-1:])


def only_rearranged(ground: Ground) -> Answer | None:
    """None where as much goes as comes: that says nothing of behaviour."""
    product = ground.product
    added, deleted = sum(file.added for file in product), sum(file.deleted for file in product)
    if added < _GROWTH or 10 * deleted >= added:
        return None
    at = places(sorted(product, key=lambda file: -file.added))
    return Answer(False, at, 0.6, f"{FROM_WORDING}; what is new may not be in use yet")


def is_small(ground: Ground) -> Answer | None:
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


def only_layout(ground: Ground) -> Answer | None:
    """Are the words of the code the same as before? None where no such file was edited."""
    edited = [file for file in ground.change.files if is_code(file.path) and ground.texts(file) is not None]
    beyond = [file for file in edited if _words_changed(ground.texts(file) or ("", "")) > _REWRITTEN]
    if not edited:
        return None
    return Answer(not beyond, places(beyond), 0.8, f"{FROM_WORDING}; words were compared, not what they do")


def _words_changed(texts: tuple[str, str]) -> int:
    before, after = (Counter(_WORD.findall(text)) for text in texts)
    return sum(((before - after) + (after - before)).values())


_WORD = lazy_compile(r"\w+")


def code_changed(ground: Ground) -> list[FileChange]:
    """Files whose code differs, comments, docstrings and what builds the documentation left out; workflows and locked dependencies too."""
    return [
        file
        for file in ground.change.files
        if _is_machinery(file.path, ground) and not DOCUMENT_FOLDERS.search(file.path) and not ground.only_words(file)
    ]


def _is_machinery(path: str, ground: Ground) -> bool:
    """Code by its name or by what it holds, and what runs or fixes other code."""
    return is_code(path) or path in ground.modules.head or role(path) in (Role.WORKFLOW, Role.LOCK)


def only_pipeline(ground: Ground) -> Answer | None:
    """None where neither a pipeline nor product code changes: what runs there may be kept in a manifest."""
    beyond = [file for file in ground.product if not ground.only_words(file) and not RUNS_CODE.search(file.path)]
    if not beyond and not any(map(is_pipeline, ground.touched)):
        return None
    return Answer(not beyond, places(beyond), 0.65, f"{FROM_WORDING}; a pipeline may need code of its own")


def only_moved(ground: Ground) -> Answer | None:
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


_TELLING = lazy_compile(r"\w")
_IMPORT = lazy_compile(r"\s*(?:import|from|use|require|#include|package|const \w+ = require|export \{)\b")
_FIGURE = lazy_compile(r"\b\d+(?:\.\d+)?\b")


def _figures_differ(came: Counter[str], went: Counter[str]) -> bool:
    """Do numbers differ in the few lines that are not the same? A move keeps them."""
    now, then = (
        Counter(figure for line in side for figure in _FIGURE.findall(line)) for side in (came - went, went - came)
    )
    return now != then


def only_added(ground: Ground) -> Answer | None:
    """Is nothing taken away that was offered before?"""
    lost = {name for name, count in ground.defined_before.items() if name not in ground.defined and count}
    if lost and not ground.modules.unreadable:
        return Answer(False, places([file for file in ground.product if file.deleted]), 0.8)
    beyond = [file for file in ground.product if file.deleted > _STRAY and file.deleted * 3 > file.added]
    return Answer(not beyond, places(beyond), 0.6, f"{FROM_WORDING}; a line that is edited counts as deleted")


def takes_away(ground: Ground) -> Answer | None:
    """Does any line go? None where nothing that changes can be counted."""
    files = ground.change.files
    if not files or any(file.binary for file in files):
        return None
    return Answer(any(file.deleted or file.head is None for file in files), confidence=0.85)
