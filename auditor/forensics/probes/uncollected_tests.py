"""Whether tests that stay in the tree are no longer collected or run."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.domain import Fact, FileChange
from auditor.forensics.probe_kit.fact_outcomes import found, not_applicable, not_found, unavailable
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change, Documents, PythonModules, Tree
from auditor.forensics.source_text.file_roles import is_code, is_test
from auditor.forensics.test_suites.collection_losses import find_moved_losses, find_setting_losses
from auditor.forensics.test_suites.suite_inputs import SuiteInputs, is_settings_file
from auditor.forensics.test_suites.switched_off_in_code import find_code_switches

_READS = (
    *("**/conftest.py", "*.py", "**/*.py", "**/*_test.go", "**/*.rs", "**/*.rb", "**/*.cs", "**/*.java", "**/*.kt"),
    *("**/*.php", "**/*.?js", "**/*.?ts", "**/*.js", "**/*.jsx", "**/*.ts", "**/*.tsx"),
)
_MAX_SHOWN = 20


@probe("tests.not_collected", reads=_READS, only_changes=True)
def not_collected(
    change: Change, modules: PythonModules, documents: Documents, tree: Tree, suites: SuiteInputs
) -> Iterator[Fact]:
    """Are tests that stay in the tree no longer collected or able to fail a run?

    Which tests the runners collect is computed from their settings, before and after the change. Tests that are
    deleted or marked to be skipped do not count here, nor does a setting that leaves out files without tests.

    Let these tests run again, or delete them in a change that says why.
    """
    before = {**modules.other_languages_base, **modules.base}
    after = {**modules.others, **modules.head}
    kept = frozenset(tree.base.keys() & tree.head.keys())
    losses = [
        *find_setting_losses(suites, before),
        *find_moved_losses(suites, before, after, documents.head),
        *find_code_switches(change.files, documents.base, documents.head, kept),
    ]
    for each in sorted(losses, key=lambda loss: -loss.confidence)[:_MAX_SHOWN]:
        yield found(each.says, at=each.at, confidence=each.confidence, because=each.because, introduced=True)
    if not losses and suites.cut:
        yield unavailable(
            "Whether every test is still collected could not be determined: there are too many files or patterns."
        )
    elif not losses and not any(_bears_on_tests(file) for file in change.files):
        yield not_applicable("The change touches neither tests nor settings of a test runner.")
    elif not losses:
        because = "commands and plugins that choose tests were not followed"
        yield not_found("Every test that is kept is still collected.", confidence=0.85, because=because)


def _bears_on_tests(file: FileChange) -> bool:
    paths = [entry.path for entry in (file.base, file.head) if entry is not None]
    return any(is_settings_file(path) or (is_test(path) and is_code(path)) for path in paths)
