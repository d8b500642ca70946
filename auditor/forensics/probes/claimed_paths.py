"""Whether file paths that a report names exist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import ConfigDict

from auditor.domain import Fact, History, Location, ProbeData
from auditor.forensics.documents.passages import Document, Passage, PassageKind
from auditor.forensics.documents.path_mentions import (
    PathStatus,
    find_paths,
    folder_tree_paths,
    gitignore_patterns,
    join_preceding_word,
    parse_path,
    path_status,
)
from auditor.forensics.documents.report_inputs import Reports
from auditor.forensics.documents.unread_reports import unread_report_facts
from auditor.forensics.probe_kit.fact_outcomes import found, missing_paths, not_applicable, not_found
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Documents, Tree
from auditor.lazy_regex import lazy_compile

_MAX_MENTIONS = 3_000
_GITIGNORE = ".gitignore"
_NO_DOCUMENTS = Documents(head={})


class ClaimedPaths(ProbeData):
    """Paths that documents name, each as `document:page or line: path`."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    verified: tuple[str, ...] = ()
    hallucinated: tuple[str, ...] = ()
    forward_reference: tuple[str, ...] = ()
    historical: tuple[str, ...] = ()
    example: tuple[str, ...] = ()


@probe("docs.claimed_paths", reads=(_GITIGNORE,))
def claimed_paths(
    reports: Reports, tree: Tree, history: History, documents: Documents = _NO_DOCUMENTS
) -> Iterator[Fact]:
    """Do the file paths that a report names exist?

    Counts: every file that a report names in its text, as code or in a folder tree. Does not count as missing: a file that the history
    contains, that the sentence calls planned, former or an example, that the program writes at run time, or that `.gitignore` lists
    (source code and documents excepted). Folders in running text and product names that end like files are not checked.

    Correct the path, or say that the file is planned, was removed, or is written at run time.
    """
    readable = [document for document in reports.documents if document.passages]
    yield from unread_report_facts(reports)
    if not readable:
        return
    former = {file.path for commit in history.commits for file in commit.files}
    ends = {path.rpartition("/")[2] for path in former}

    def once(named: str) -> bool:
        return named in former or any(path.endswith(f"/{named}") for path in former) if "/" in named else named in ends

    ignored = gitignore_patterns(documents.head.get(_GITIGNORE, ""))
    by_claim: dict[PathStatus, dict[str, Location]] = {claim: {} for claim in PathStatus}
    for document in readable:
        for count, (passage, named, sentence, place) in enumerate(_claims(document)):
            if count >= _MAX_MENTIONS:
                break
            whole = join_preceding_word(passage.text, passage.text.find(named), named)
            meant = whole if whole in tree.endings else named
            claim = path_status(meant, sentence, passage.heading, document.name, tree, once, ignored)
            there = passage.moved_to_line_of(place)
            by_claim[claim].setdefault(f"{document.place_of(there)}: {meant}", document.at(there, sentence))
    data = ClaimedPaths(**{claim.value: tuple(places) for claim, places in by_claim.items()})
    total = sum(map(len, by_claim.values()))
    wrong = by_claim[PathStatus.HALLUCINATED]
    if not total:
        yield not_applicable("The reports name no file.")
    elif wrong:
        yield not_found(
            f"{missing_paths('path named in a report', _paths(wrong))}.",
            at=list(wrong.values()),
            confidence=0.8,
            because="a path may belong to another repository or be created at run time",
            measure=round(1 - len(wrong) / total, 4),
            data=data,
        )
    else:
        yield found(
            _all_exist_text(len(by_claim[PathStatus.VERIFIED]), total),
            confidence=0.9,
            because="what the reports say about the files was not checked",
            measure=1.0,
            data=data,
        )


def _paths(claims: Mapping[str, Location]) -> dict[str, None]:
    """The paths of claims in the form `place: path`, each once."""
    return dict.fromkeys(each.rpartition(": ")[2] for each in claims)


def _all_exist_text(there: int, total: int) -> str:
    if there == total:
        return (
            "The only path named in the reports exists."
            if total == 1
            else f"All {total} paths named in the reports exist."
        )
    if total == 1:
        return "The only path named in the reports is planned, removed or an example."
    others = (
        "the other one is planned, removed or an example"
        if total - there == 1
        else "the others are planned, removed or examples"
    )
    return f"Of {total} paths named in the reports, {there} {'exists' if there == 1 else 'exist'} and {others}."


def _claims(document: Document) -> Iterator[tuple[Passage, str, str, int]]:
    """Passage, path, sentence and place in the passage for every path that a document names."""
    for passage in document.passages:
        if passage.kind is PassageKind.CONTENTS:
            continue
        if passage.kind is PassageKind.CODE:
            for path in folder_tree_paths(passage.text):
                yield passage, path, "", passage.text.find(path.rstrip("/").rpartition("/")[2])
            continue
        seen: set[str] = set()
        for start, named in find_paths(passage.text[:20_000]):
            seen.add(named)
            yield passage, named, _sentence_at(passage.text, start), start
        for words in passage.marked:
            marked = parse_path(words)
            if marked is not None and marked not in seen:
                start = max(0, passage.text.find(words))
                yield passage, marked, _sentence_at(passage.text, start), start


_SENTENCE_END = lazy_compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)(?<!\betc)(?<!\bvs)(?<!\bz\.B)(?<!\bp\.ej)[.!?]\s|\u3002")
"""The end of a sentence; the full stop of an abbreviation is none."""


def _sentence_at(text: str, place: int) -> str:
    """The sentence around a place, of which 300 letters on either side are looked at."""
    begin = max(0, place - 300)
    ends = [begin + found.end() - 1 for found in _SENTENCE_END.finditer(text[begin : place + 400])]
    start = max((end for end in ends if end <= place), default=begin)
    stop = min((end for end in ends if end > place), default=place + 300)
    return text[start : min(stop + 1, place + 300)].strip()
