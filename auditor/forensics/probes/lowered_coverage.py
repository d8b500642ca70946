"""Whether less coverage by tests is asked for than before."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.domain import Fact
from auditor.forensics.probe_kit.fact_outcomes import code_location, found, not_applicable, not_found
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change, Documents
from auditor.forensics.test_suites.coverage_thresholds import (
    coverage_file_names,
    find_lowered_coverage,
    is_measured_product,
)

_READS = tuple(f"{folder}{name}" for name in sorted(coverage_file_names()) for folder in ("", "**/"))
_MAX_SHOWN = 20


@probe("tests.coverage_threshold_lowered", reads=_READS, only_changes=True)
def coverage_threshold_lowered(change: Change, documents: Documents) -> Iterator[Fact]:
    """Does the change ask for less coverage by tests than before?

    A least percentage that is lowered or removed, a larger drop that is accepted, and changed product files that are
    taken out of the measurement. A threshold that moves to another file of the same tool does not count.

    Keep the threshold and add tests, or lower it in a change of its own that says why.
    """
    if not documents.head and not documents.base:
        yield not_applicable("The change touches no settings of a coverage tool.")
        return
    product = [file.path for file in change.files if file.head is not None and is_measured_product(file.path)]
    lowered = list(find_lowered_coverage(documents.base, documents.head, product))
    for each in lowered[:_MAX_SHOWN]:
        yield found(
            each.says,
            at=[code_location(each.path, each.line)],
            confidence=each.confidence,
            because=each.because,
            introduced=True,
        )
    if not lowered:
        yield not_found(
            "No coverage threshold is lowered.", confidence=0.9, because="thresholds on command lines were not read"
        )
