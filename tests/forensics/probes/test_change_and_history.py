"""Probes on the change and its history: there, not there, and looks like it but is not."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

import pytest

from auditor.domain import (
    Commit,
    CommitFile,
    Coverage,
    Fact,
    FileCoverage,
    FileStatus,
    History,
    Hunk,
    Outcome,
    Scope,
    Side,
    Signature,
    Status,
    Subject,
    TreeEntry,
)
from auditor.domain import FileChange as File
from auditor.forensics.probe_kit.probe_inputs import Documents
from auditor.forensics.test_suites import skipped_python_tests as marks
from auditor.forensics.test_suites.python_test_inventory import SourceLines
from auditor.forensics.workflows.workflow_files import GovernanceFiles
from tests.forensics.probes.asking import added, ask, change, commit, deleted, modified, modules, tree

WHOLE = Subject(repository="r", head="1" * 40, scope=Scope.WHOLE_TREE)
CHANGE = Subject(repository="r", head="1" * 40, base="0" * 40, merge_base="0" * 40, scope=Scope.INTRODUCED)


def outcome(facts: list[Fact]) -> Outcome:
    assert len(facts) == 1, facts
    return facts[0].outcome


def test_tests_count_half_so_that_nobody_saves_on_them() -> None:
    (accompanied,) = ask("change.size", change(added("a.py", 190), added("tests/test_a.py", 400)))
    (heavy,) = ask("change.size", change(added("a.py", 300), added("tests/test_a.py", 400)))
    assert (accompanied.outcome, heavy.outcome) == (Outcome.NOT_FOUND, Outcome.FOUND)
    assert "(400 in tests, which count half)" in accompanied.statement


@pytest.mark.parametrize(
    ("path", "outcome_of"),
    [("dist/setup/index.js", Outcome.NOT_FOUND), ("src/dist.js", Outcome.FOUND), ("pkg/dist/core.py", Outcome.FOUND)],
)
def test_what_a_bundler_wrote_is_not_code_that_somebody_reads(path: str, outcome_of: Outcome) -> None:
    assert outcome(ask("change.size", change(added(path, 9000)))) is outcome_of


def test_a_change_of_thousands_of_lines_is_too_large_and_graded() -> None:
    (small,) = ask("change.size", change(added("a.py", 500)))
    (large,) = ask("change.size", change(added("a.py", 5000)))
    assert small.outcome is large.outcome is Outcome.FOUND
    assert small.measure is not None
    assert 0 < small.measure < 0.1
    assert large.measure == 1.0


@pytest.mark.parametrize("path", ["poetry.lock", "api_pb2.py", "vendor/x.py", "docs/guide.md", "data.json"])
def test_lines_that_nobody_reviews_do_not_count_towards_size(path: str) -> None:
    assert outcome(ask("change.size", change(added(path, 5000)))) is Outcome.NOT_FOUND


def test_a_large_deletion_is_no_large_change() -> None:
    assert outcome(ask("change.size", change(deleted("a.py", 5000)))) is Outcome.NOT_FOUND


def test_a_change_all_over_the_place_is_spread() -> None:
    assert outcome(ask("change.spread", change(*(modified(f"p{n}/a.py") for n in range(9))))) is Outcome.FOUND
    assert outcome(ask("change.spread", change(*(modified(f"p/a{n}.py") for n in range(9))))) is Outcome.NOT_FOUND
    assert outcome(ask("change.spread", change(modified("README.md")))) is Outcome.NOT_APPLICABLE


def test_generated_files_are_told_by_path_and_by_their_own_word() -> None:
    by_path = ask("change.generated_or_vendored", change(added("x_pb2.py")), Documents({}))
    by_word = ask("change.generated_or_vendored", change(added("x.py")), Documents({"x.py": "# @generated\n"}))
    assert outcome(by_path) is outcome(by_word) is Outcome.FOUND
    assert by_word[0].confidence < by_path[0].confidence
    assert (
        outcome(ask("change.generated_or_vendored", change(added("x.py")), Documents({"x.py": "x = 1"})))
        is Outcome.NOT_FOUND
    )


def test_a_history_in_one_lump_is_a_bulk_upload() -> None:
    history = History((commit(3), commit(2), commit(1, files=200)))
    (fact,) = ask("history.progression", history, WHOLE)
    assert fact.outcome is Outcome.NOT_FOUND
    assert fact.data is not None
    assert fact.data.model_dump() == {"commits": 3, "span_hours": 2.0, "largest_commit_share": 0.9901, "bulk": True}


def test_a_history_in_steps_is_progress_and_a_short_change_is_not_judged() -> None:
    steps = History(tuple(commit(n) for n in range(10, 0, -1)))
    assert outcome(ask("history.progression", steps, WHOLE)) is Outcome.FOUND
    assert outcome(ask("history.progression", History((commit(1, files=200),)), CHANGE)) is Outcome.NOT_APPLICABLE


def test_one_commit_is_said_to_be_one_and_takes_no_hours() -> None:
    (fact,) = ask("history.progression", History((commit(1, files=200),)), WHOLE)
    assert fact.statement == "The history of the repository is a bulk upload, not gradual work: one commit."


def test_a_shallow_history_is_believed_less() -> None:
    commits = tuple(commit(n) for n in range(10, 0, -1))
    (whole,) = ask("history.progression", History(commits), WHOLE)
    (cut,) = ask("history.progression", History(commits, complete=False, limit_reason="shallow"), WHOLE)
    assert cut.confidence < whole.confidence
    assert "shallow" in cut.confidence_reason


def test_a_commit_over_many_files_and_folders_is_not_atomic() -> None:
    wide, narrow = commit(2, files=40, parent=1), commit(3, files=5, parent=2)
    assert outcome(ask("history.atomic_commits", History((narrow, wide, commit(1))))) is Outcome.FOUND
    assert outcome(ask("history.atomic_commits", History((narrow, narrow)))) is Outcome.NOT_FOUND
    assert outcome(ask("history.atomic_commits", History((commit(1, files=400),)))) is Outcome.NOT_APPLICABLE


def test_a_change_of_one_commit_is_asked_like_any_other() -> None:
    assert outcome(ask("history.atomic_commits", History((commit(2, files=40, parent=1),)))) is Outcome.FOUND
    assert outcome(ask("history.atomic_commits", History((commit(2, files=4, parent=1),)))) is Outcome.NOT_FOUND


def wide(message: str, *files: CommitFile) -> list[Fact]:
    """What is said of a commit of those files among others."""
    one = commit(2, message, parent=1)
    return ask("history.atomic_commits", History((one._replace(files=files), commit(3, parent=2), commit(1))))


def test_moves_releases_and_what_says_that_it_changes_all_alike_are_one_purpose() -> None:
    modified_files = [CommitFile(Status.MODIFIED, f"d{n}/f.py", "1" * 40) for n in range(60)]
    moves = [
        CommitFile(status, f"{folder}/d{n}/f{n}.py", blob)
        for n in range(60)
        for status, folder, blob in ((Status.DELETED, "old", None), (Status.ADDED, "new", "1" * 40))
    ]
    manifests = [
        CommitFile(Status.MODIFIED, f"d{n}/{name}", "1" * 40)
        for n in range(40)
        for name in ("package.json", "CHANGELOG.md")
    ]
    assert outcome(wide("Put it elsewhere", *moves)) is Outcome.NOT_FOUND
    assert outcome(wide("Release 2.0", *manifests)) is Outcome.NOT_FOUND
    (fact,) = wide("Reformat with a longer line", *modified_files)
    assert fact.outcome is Outcome.NOT_FOUND
    assert "1 other large commit is a mechanical change" in fact.statement
    assert outcome(wide("Add the shop", *modified_files)) is Outcome.FOUND
    new_files = [CommitFile(Status.ADDED, f"d{n}/f{n}.py", "1" * 40) for n in range(60)]
    assert outcome(wide("Reformat with a longer line", *new_files)) is Outcome.FOUND, "formatting adds no files"


def test_a_commit_that_lists_its_purposes_and_reaches_everywhere_is_not_atomic() -> None:
    everywhere = [CommitFile(Status.MODIFIED, f"part{n % 8}/f{n}.py", "1" * 40) for n in range(24)]
    inside = [CommitFile(Status.MODIFIED, f"shop/part{n}/f{n}.py", "1" * 40) for n in range(24)]
    for listed in (
        "New parser; faster start; no more warnings",
        "Fix the build, update the guide and remove old flags",
    ):
        (fact,) = wide(listed, *everywhere)
        assert fact.outcome is Outcome.FOUND
        assert "1 of 2 commits lists several purposes in its message" in fact.statement
    assert outcome(wide("Fix the till, sort the menu and drop old lamps", *inside)) is Outcome.FOUND, (
        "one part of the project"
    )
    for related in (
        "Extract the parser, move it to a file and rename the parser",
        "Drop the cache, its flag and make loading plain",
    ):
        assert outcome(wide(related, *inside)) is Outcome.NOT_FOUND, "steps of one purpose"
    assert outcome(wide("Add lamps, chairs and tables", *everywhere)) is Outcome.NOT_FOUND, "one purpose, three objects"
    assert outcome(wide("Use the new clock in every part", *everywhere)) is Outcome.NOT_FOUND


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Add tide tables, rewrite the web page, rename the logo", Outcome.FOUND),
        ("Fix login + change the tax rate + remove the old mailer", Outcome.FOUND),
        ("various fixes", Outcome.FOUND),
        ("chore: misc changes.", Outcome.FOUND),
        ("Add tide tables, update the docs, add tests and bump the version", Outcome.NOT_FOUND),
        ("Sort imports, add tide tables and let sessions last half an hour", Outcome.FOUND),
        ("Add tide tables, let sessions last half an hour and reformat the tests", Outcome.FOUND),
        ("Add tide tables, update imports and let sessions last half an hour", Outcome.NOT_FOUND),
        ("Add tide tables, fix the linter and let sessions last half an hour", Outcome.NOT_FOUND),
        ("Add tide tables, lint fixes and let sessions last half an hour", Outcome.NOT_FOUND),
        ("Sort imports, format code", Outcome.NOT_FOUND),
        ("Add tables, charts and maps of tides", Outcome.NOT_FOUND),
        ("Fix various things that the new clock broke", Outcome.NOT_FOUND),
        ("Sprint 4\n\n- tides as PDF\n- faster pages\n- a new logo", Outcome.FOUND),
        ("Faster tides\n\n- keep them in memory\n- ask for a week at once\n- draw less", Outcome.NOT_FOUND),
        ("Tides, web page and assets", Outcome.FOUND),
        ("tides, web, assets: run the formatter", Outcome.NOT_FOUND),
        ("1) new tide tables 2) fix the web page 3) drop old assets", Outcome.FOUND),
    ],
)
def test_a_list_of_unrelated_purposes_is_told_of_few_files_too(said: str, expected: Outcome) -> None:
    files = [CommitFile(Status.MODIFIED, f"{place}/f.py", "1" * 40) for place in ("tides", "web", "assets", "tests")]
    assert outcome(wide(said, *files)) is expected
    assert outcome(wide(said, files[0], files[3])) is Outcome.NOT_FOUND, "one place and its test"


def test_a_stock_word_with_an_explanation_below_it_says_something_and_one_above_a_trailer_does_not() -> None:
    told = commit(1, "Fix\n\nThe parser took a comma for a dot in German numbers.")
    (said,) = ask("history.messages", History((told,)))
    assert (said.outcome, said.statement) == (Outcome.NOT_FOUND, "The only commit message is informative.")
    bare = commit(1, "Fix\n\nSigned-off-by: Ada Lovelace <ada@example.org>")
    assert outcome(ask("history.messages", History((bare,)))) is Outcome.FOUND


def test_a_large_import_among_many_steps_is_no_upload_in_bulk() -> None:
    steps = [commit(n * 10, parent=n * 10 - 10) for n in range(60, 1, -1)]
    imported = commit(10, files=3_000)
    assert outcome(ask("history.progression", History((*steps, imported)), WHOLE)) is Outcome.FOUND
    assert outcome(ask("history.progression", History((*steps[:6], imported)), WHOLE)) is Outcome.NOT_FOUND


def test_the_oldest_commit_of_a_cut_history_is_no_upload_in_bulk() -> None:
    steps = [commit(n, parent=n - 1) for n in range(10, 1, -1)]
    edge = commit(1, files=3_000)
    cut = History((*steps, edge), complete=False, limit_reason="shallow")
    assert outcome(ask("history.progression", cut, WHOLE)) is Outcome.FOUND
    little = History((*steps[:2], edge), complete=False, limit_reason="shallow")
    (fact,) = ask("history.progression", little, WHOLE)
    assert fact.outcome is Outcome.UNAVAILABLE
    assert "shallow" in fact.statement


@pytest.mark.parametrize(
    "message",
    [
        "",
        "wip",
        "Fix",
        "updates",
        "...",
        "asdf",
        "tweaks",
        "some small fixes",
        "chore: update",
        "Add files via upload",
        "final2",
    ],
)
def test_messages_that_say_nothing_are_counted_and_never_repeated(message: str) -> None:
    (fact,) = ask("history.messages", History((commit(1, message), commit(2, "Read blobs by id, since names can lie"))))
    assert fact.outcome is Outcome.FOUND
    assert fact.measure == 0.5
    assert "Read blobs" not in fact.model_dump_json()


@pytest.mark.parametrize(
    "message",
    [
        "Fix the parser",
        "wip: keep hunks apart",
        "Update lock file",
        "修复",
        "修复解析器",
        "버그 수정",
        "fix #12",
        "update TODO",
        "v2.1.0",
        "change a -> the",
    ],
)
def test_short_messages_that_say_something_are_fine(message: str) -> None:
    assert outcome(ask("history.messages", History((commit(1, message),)))) is Outcome.NOT_FOUND


def test_dates_that_contradict_each_other_are_named_by_kind() -> None:
    day = 86_400
    base = 1_700_000_000
    history = History(
        (
            commit(4, authored=base + 50 * day, committed=base + 9 * day),
            commit(3, authored=base, committed=base, parent=2),
            commit(2, authored=base + 5 * day, committed=base + 5 * day),
        )
    )
    facts = ask("history.dates", history)
    assert {c.what for fact in facts for c in fact.data.commits} == {"future", "before_parent"}  # type: ignore[union-attr]


def test_a_commit_from_after_the_audit_or_hours_before_its_parent_has_an_odd_date() -> None:
    base, hour = 1_700_000_000, 3_600
    late = History((commit(1, authored=base, committed=base),), read_at=base - 50 * hour)
    [told] = ask("history.dates", late)
    assert [each.what for each in told.data.commits] == ["ahead"]  # type: ignore[union-attr]
    assert "2023-11-12" in told.statement
    assert ask("history.dates", replace(late, read_at=base - 50 * hour + 60)) == [told]  # the same all day
    assert outcome(ask("history.dates", replace(late, read_at=base + 1))) is Outcome.NOT_FOUND
    for back, expected in ((5 * hour, Outcome.FOUND), (600, Outcome.NOT_FOUND)):
        younger = commit(2, authored=base - back, committed=base - back, parent=1)
        assert outcome(ask("history.dates", replace(late, read_at=None, commits=(younger, *late.commits)))) is expected


@pytest.mark.parametrize(
    ("authored", "committed", "parent", "expected"),
    [
        (-90, -90, 9, Outcome.FOUND),
        (-90, 1, 9, Outcome.NOT_FOUND),  # rebased: written long before, committed anew
        (-0.03, -0.03, 9, Outcome.NOT_FOUND),  # another machine's clock
        (-90, -90, 8, Outcome.NOT_FOUND),  # it builds on another commit, of which nothing is known
    ],
)
def test_a_commit_from_before_the_one_of_the_base_that_it_builds_on_has_an_odd_date(
    authored: float, committed: float, parent: int, expected: Outcome
) -> None:
    moment, day = 1_700_000_000, 86_400
    first = commit(1, authored=moment + int(authored * day), committed=moment + int(committed * day), parent=parent)
    start = commit(9, authored=moment, committed=moment)
    assert outcome(ask("history.dates", History((first,), start=start))) is expected
    assert outcome(ask("history.dates", History((first,)))) is Outcome.NOT_FOUND


def test_a_rebase_makes_no_odd_dates() -> None:
    base = 1_700_000_000
    history = History(
        (commit(2, authored=base - 10**6, committed=base + 20, parent=1), commit(1, authored=base, committed=base))
    )
    assert outcome(ask("history.dates", history)) is Outcome.NOT_FOUND


def accompanied(*files: File, head: dict[str, str] | None = None, base: dict[str, str] | None = None) -> list[Fact]:
    python = [{path: text for path, text in (side or {}).items() if path.endswith(".py")} for side in (head, base)]
    return ask("tests.changed_with_code", change(*files), tree(), Documents(head or {}, base or {}), modules(*python))


def test_code_without_tests_is_told_from_code_with_tests() -> None:
    assert outcome(accompanied(added("a.py", 50))) is Outcome.NOT_FOUND
    assert outcome(accompanied(added("a.py", 50), added("tests/test_a.py", 5))) is Outcome.FOUND


@pytest.mark.parametrize(
    "files", [[added("README.md", 50)], [added("a.py", 3)], [deleted("a.py", 50)], [added("docs/conf.py", 50)]]
)
def test_changes_that_need_no_test_are_not_asked_for_one(files: list[File]) -> None:
    assert outcome(accompanied(*files)) is Outcome.NOT_APPLICABLE


WORK = "".join(f"x{number} = {number}\n" for number in range(40))


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.py", '"""' + "Long words.\n" * 40 + '"""\n'),
        ("a.py", "# A comment.\n" * 40),
        ("a.rb", "# A comment.\n" * 40),
        ("a.go", "/*\n" + "Long words.\n" * 40 + "*/\n"),
        ("a.ts", "/** Says. */\n" * 40),
        ("a.py", "\n" * 40),
    ],
)
def test_comments_and_docstrings_need_no_test(path: str, source: str) -> None:
    assert outcome(accompanied(added(path, 40), head={path: source})) is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("path", "source"), [("a.py", WORK), ("a.go", 'x := "/*"\n' * 40), ("a.js", "f() // why\n" * 40)]
)
def test_code_beside_comments_needs_one(path: str, source: str) -> None:
    assert outcome(accompanied(added(path, 40), head={path: source})) is Outcome.NOT_FOUND


def test_code_that_only_moved_or_was_sorted_needs_no_test() -> None:
    moved = accompanied(added("b.py", 40), deleted("a.py", 40), head={"b.py": WORK}, base={"a.py": WORK})
    turned = "".join(reversed(WORK.splitlines(keepends=True)))
    indented = accompanied(
        modified("a.py", 40), head={"a.py": "if ready:\n" + turned.replace("x", "    x")}, base={"a.py": WORK}
    )
    assert [outcome(moved), outcome(indented)] == [Outcome.NOT_APPLICABLE] * 2


@pytest.mark.parametrize(
    ("beside", "confidence"),
    [
        (modified("tests/__snapshots__/page.ambr", 2), 0.6),
        (modified("tests/data/expected.json", 2), 0.6),
        (added("tests/data/new.json", 2), 0.9),
        (modified("docs/page.json", 2), 0.9),
    ],
)
def test_new_code_with_other_expected_results_may_well_be_tested(beside: File, confidence: float) -> None:
    (fact,) = accompanied(added("a.py", 40), beside, head={"a.py": WORK})
    assert (fact.outcome, fact.confidence) == (Outcome.NOT_FOUND, confidence)


def test_comments_in_tests_do_not_pass_for_tests() -> None:
    head = {"a.py": WORK, "tests/test_a.py": "# Nothing is checked.\n" * 40}
    assert outcome(accompanied(added("a.py", 40), added("tests/test_a.py", 40), head=head)) is Outcome.NOT_FOUND


def test_a_file_that_holds_its_own_tests_comes_with_tests() -> None:
    source = "fn f() {}\n" * 20 + "#[cfg(test)]\nmod tests {\n" + "    assert!(f());\n" * 20 + "}\n"
    assert outcome(accompanied(added("src/a.rs", 43), head={"src/a.rs": source})) is Outcome.FOUND
    assert outcome(accompanied(added("src/a.rs", 20), head={"src/a.rs": source})) is Outcome.NOT_FOUND


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("features/steps/orders.py", Outcome.FOUND),
        ("shop/features/environment.py", Outcome.FOUND),
        ("features/step_definitions.rb", Outcome.FOUND),
        ("features/step_definitions/orders.rb", Outcome.FOUND),
        ("features/support/env.rb", Outcome.FOUND),
        ("features/orders.rb", Outcome.NOT_FOUND),
        ("shop/features/orders.py", Outcome.NOT_FOUND),
        ("shop/environment.py", Outcome.NOT_FOUND),
    ],
)
def test_the_steps_of_a_feature_are_tests_and_what_a_feature_does_is_none(path: str, expected: Outcome) -> None:
    assert outcome(accompanied(added("a.py", 40), added(path, 20))) is expected


def test_a_test_script_without_a_suffix_is_a_test() -> None:
    files = added("tool.sh", 40), added("test/fast/Unit tests/tool_works", 10)
    assert outcome(accompanied(*files)) is Outcome.FOUND


def test_a_whole_tree_is_asked_whether_it_has_tests_at_all() -> None:
    none = Documents({}), modules({})
    assert outcome(ask("tests.changed_with_code", None, tree("a.py", "tests/test_a.py"), *none)) is Outcome.FOUND
    assert outcome(ask("tests.changed_with_code", None, tree("a.py"), *none)) is Outcome.NOT_FOUND


def test_new_functions_without_a_test_weigh_more_than_work_inside_those_there_are() -> None:
    before = "def f():\n    return 1\n"
    inside = before.replace("return 1", "".join(f"x{n} = {n}\n    " for n in range(20)) + "return 1")
    beside = before + "\n\ndef g():\n    " + "".join(f"x{n} = {n}\n    " for n in range(20)) + "return 1\n"
    (work,) = accompanied(modified("a.py", 22), head={"a.py": inside}, base={"a.py": before})
    (more,) = accompanied(modified("a.py", 24), head={"a.py": beside}, base={"a.py": before})
    (fresh,) = accompanied(added("b.py", 40), head={"b.py": WORK})
    assert (work.outcome, work.confidence) == (Outcome.NOT_FOUND, 0.6)
    assert (more.outcome, more.confidence) == (fresh.outcome, fresh.confidence) == (Outcome.NOT_FOUND, 0.9)
    assert more.statement.startswith("The change adds ")
    assert more.statement.endswith(" in 1 new function or class (`g`), but no tests.")


def test_scripts_for_whoever_works_on_a_project_need_no_tests_where_there_is_a_product() -> None:
    files = change(added("scripts/release.py", 50))
    beside = [tree("scripts/release.py", "parcels/rates.py"), tree("scripts/release.py")]
    facts = [ask("tests.changed_with_code", files, each, Documents({}), modules({})) for each in beside]
    assert [outcome(each) for each in facts] == [Outcome.NOT_APPLICABLE, Outcome.NOT_FOUND]


def test_a_removed_test_is_reported_at_the_place_where_it_stood() -> None:
    before = {"tests/test_a.py": "def test_one():\n    assert f()\n\ndef test_two():\n    assert g()\n"}
    (fact,) = ask(
        "tests.removed_or_skipped",
        change(modified("tests/test_a.py")),
        modules({"tests/test_a.py": "def test_one():\n    assert f()\n"}, before),
        Documents({}),
    )
    assert fact.outcome is Outcome.FOUND
    assert [(place.path, place.start, place.side) for place in fact.locations] == [("tests/test_a.py", 4, "base")]  # type: ignore[union-attr]


def test_a_test_that_goes_along_with_the_code_it_names_is_hardly_missed() -> None:
    files = change(modified("a.py"), deleted("tests/test_a.py", 2))
    test = {"tests/test_a.py": "def test_one():\n    assert gather() == 1\n"}
    code = "def gather():\n    return 1\n"
    kept, gone = (
        ask("tests.removed_or_skipped", files, modules({"a.py": head}, {"a.py": code, **test}), Documents({}, test))
        for head in (code, "x = 1\n")
    )
    assert [each.confidence for each in kept] == [0.8]
    assert [each.confidence for each in gone] == [0.4]
    assert gone[0].statement == "Test removed together with the tested code: `test_one`."


def test_a_test_in_whose_place_another_came_may_be_the_same_one_renamed() -> None:
    before = {"tests/test_a.py": "def test_one():\n    assert f()\n"}
    after = {"tests/test_a.py": "def test_other():\n    assert f()\n"}
    (fact,) = ask(
        "tests.removed_or_skipped", change(modified("tests/test_a.py")), modules(after, before), Documents({})
    )
    assert (fact.outcome, fact.confidence) == (Outcome.FOUND, 0.5)


def test_a_test_of_code_that_goes_on_under_another_name_is_missed() -> None:
    test = {"tests/test_a.py": "def test_one():\n    assert gather() == 1\n"}
    code = "def gather():\n    return 1\n"
    for head in ({"a.py": code.replace("gather", "gathered")}, {"b.py": code.replace("gather", "collect")}):
        files = change(modified("a.py"), deleted("tests/test_a.py", 2))
        facts = ask("tests.removed_or_skipped", files, modules(head, {"a.py": code, **test}), Documents({}, test))
        assert [each.confidence for each in facts] == [0.8]


def test_a_test_that_checks_nothing_takes_the_place_of_none() -> None:
    before = {"tests/test_a.py": "def test_one():\n    assert f()\n"}
    after = {"tests/test_a.py": "def test_other():\n    f()\n"}
    files = change(modified("tests/test_a.py"))
    (fact,) = ask("tests.removed_or_skipped", files, modules(after, before), Documents(after, before))
    assert (fact.outcome, fact.confidence) == (Outcome.FOUND, 0.8)


def test_a_new_method_is_new_though_another_class_has_one_of_its_name() -> None:
    before = "class A:\n    def get(self):\n        return 1\n\n\nclass B:\n    pass\n"
    after = before + "\n    def get(self):\n" + "".join(f"        self.x{n} = {n}\n" for n in range(12))
    files = change(modified("a.py", 14))
    texts = Documents({"a.py": after}, {"a.py": before})
    (fact,) = ask("tests.changed_with_code", files, tree("a.py"), texts, modules({"a.py": after}, {"a.py": before}))
    assert fact.confidence == 0.9
    assert "in 1 new function or class" in fact.statement


NEAT = {f"p/m{n}.py": f"x = call('a',\n         {n})\n" for n in range(4)}
NEATER = {path: text.replace("'", '"').replace(",\n         ", ", ") for path, text in NEAT.items()}
UNSORTED = {path: f"import sys\nimport os\n{text}" for path, text in NEAT.items()}
SORTED = {path: f"import os\nimport sys\n\n{text}" for path, text in NEATER.items()}


@pytest.mark.parametrize(
    ("base", "head", "outcome_of"),
    [
        (NEAT, {**NEATER, "p/new.py": WORK}, Outcome.FOUND),
        (NEAT, {**NEATER, "p/new.py": "x = 1\n"}, Outcome.NOT_FOUND),
        (NEAT, {**NEATER, "p/new.py": "def half(n):\n    if n % 2:\n        raise ValueError(n)\n    return n // 2\n"}, Outcome.FOUND),
        (UNSORTED, {**SORTED, "p/new.py": WORK}, Outcome.FOUND),
        (UNSORTED, {**{path: text.replace("sys", "io") for path, text in SORTED.items()}, "p/new.py": WORK}, Outcome.NOT_FOUND),
        (NEAT, NEATER, Outcome.NOT_FOUND),
        (
            NEAT,
            {**{path: text.replace("call", "calls") for path, text in NEATER.items()}, "p/new.py": WORK},
            Outcome.NOT_FOUND,
        ),
    ],
)  # fmt: skip
def test_files_that_are_only_laid_out_anew_are_told_where_they_hide_other_work(
    base: dict[str, str], head: dict[str, str], outcome_of: Outcome
) -> None:
    files = [modified(path, 2) if path in base else added(path, head[path].count("\n")) for path in head]
    assert outcome(ask("change.laid_out_anew", change(*files), Documents(head, base))) is outcome_of


def test_a_removed_test_is_named() -> None:
    before = {"tests/test_a.py": "def test_one():\n    assert f()\n"}
    (fact,) = ask("tests.removed_or_skipped", change(deleted("tests/test_a.py")), modules({}, before), Documents({}))
    assert fact.statement == "Test removed: `test_one`."


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("README.md", Outcome.NOT_APPLICABLE),
        (".github/workflows/ci.yml", Outcome.NOT_FOUND),
        ("uv.lock", Outcome.NOT_APPLICABLE),
        ("src/a.py", Outcome.NOT_FOUND),
        ("tests/test_a.py", Outcome.NOT_FOUND),
    ],
)
def test_a_change_that_touches_no_code_is_not_praised_for_keeping_the_tests(path: str, said: Outcome) -> None:
    facts = ask("tests.removed_or_skipped", change(modified(path)), modules({}), Documents({}))
    assert outcome(facts) is said


def test_a_moved_test_is_not_removed() -> None:
    source = "def test_one():\n    assert f()\n"
    facts = ask(
        "tests.removed_or_skipped",
        change(deleted("tests/test_a.py"), added("tests/test_b.py")),
        modules({"tests/test_b.py": source}, {"tests/test_a.py": source}),
        Documents({}),
    )
    assert outcome(facts) is Outcome.NOT_FOUND


def test_a_newly_skipped_test_is_reported_and_an_old_skip_is_not() -> None:
    plain = "def test_one():\n    assert f()\n"
    skipped = "import pytest\n\n@pytest.mark.skip\ndef test_one():\n    assert f()\n"
    path = "tests/test_a.py"
    assert (
        outcome(
            ask(
                "tests.removed_or_skipped",
                change(modified(path)),
                modules({path: skipped}, {path: plain}),
                Documents({}),
            )
        )
        is Outcome.FOUND
    )
    assert (
        outcome(
            ask(
                "tests.removed_or_skipped",
                change(modified(path)),
                modules({path: skipped}, {path: skipped}),
                Documents({}),
            )
        )
        is Outcome.NOT_FOUND
    )


@pytest.mark.parametrize("path", [".github/auditor.yml", "CODEOWNERS", ".github/CODEOWNERS", "docs/CODEOWNERS"])
def test_a_change_of_the_gate_is_reported(path: str) -> None:
    assert (
        outcome(ask("governance.gate_changed", change(modified(path)), Documents({}), GovernanceFiles()))
        is Outcome.FOUND
    )


def test_a_workflow_that_runs_the_auditor_is_part_of_the_gate_and_others_are_not() -> None:
    path = ".github/workflows/audit.yml"
    ours = Documents({path: "- uses: OWNER/automaton-auditor@v1"})
    assert outcome(ask("governance.gate_changed", change(modified(path)), ours, GovernanceFiles())) is Outcome.FOUND
    assert (
        outcome(
            ask("governance.gate_changed", change(modified(path)), Documents({path: "- run: make"}), GovernanceFiles())
        )
        is Outcome.NOT_FOUND
    )


def test_a_gate_that_is_renamed_away_is_reported() -> None:
    moved = File(Status.RENAMED, TreeEntry(".github/auditor.yml", "0" * 40), TreeEntry("old.yml", "0" * 40))
    assert outcome(ask("governance.gate_changed", change(moved), Documents({}), GovernanceFiles())) is Outcome.FOUND


@pytest.mark.parametrize(
    "path", ["AGENTS.md", "sub/CLAUDE.md", ".cursor/rules/a.mdc", ".github/copilot-instructions.md", ".mcp.json"]
)
def test_instructions_for_agents_are_reported(path: str) -> None:
    assert (
        outcome(ask("agents.instructions_changed", change(added(path)), Documents({}), GovernanceFiles()))
        is Outcome.FOUND
    )


@pytest.mark.parametrize("path", ["src/agents.py", "docs/agents/overview.md", "README.md"])
def test_files_about_agents_are_no_instructions(path: str) -> None:
    assert (
        outcome(ask("agents.instructions_changed", change(added(path)), Documents({}), GovernanceFiles()))
        is Outcome.NOT_FOUND
    )


def covered(*files: tuple[str, FileStatus]) -> Coverage:
    return Coverage(files=tuple(FileCoverage(path=path, status=status, reason="r") for path, status in files))


def test_a_file_that_could_not_be_read_leaves_the_analysis_unfinished() -> None:
    facts = ask("coverage.analysed", covered(("a.py", FileStatus.ANALYSED), ("b.py", FileStatus.UNAVAILABLE)))
    assert outcome(facts) is Outcome.NOT_FOUND
    assert facts[0].measure == 0.5


def test_binary_files_and_links_do_not_count_and_exclusions_lower_the_confidence() -> None:
    (fact,) = ask(
        "coverage.analysed",
        covered(("a.py", FileStatus.ANALYSED), ("b.png", FileStatus.NOT_APPLICABLE), ("c.py", FileStatus.EXCLUDED)),
    )
    assert fact.outcome is Outcome.FOUND
    assert fact.confidence == 0.75


@pytest.mark.parametrize(
    "source",
    [
        "import pytest\n\n@pytest.mark.skip\nclass TestA:\n    def test_one(self):\n        assert f()\n",
        "import pytest\npytestmark = pytest.mark.skip\n\nclass TestA:\n    def test_one(self):\n        assert f()\n",
    ],
)
def test_a_skip_on_the_class_or_the_module_is_a_skip(source: str) -> None:
    before = "class TestA:\n    def test_one(self):\n        assert f()\n"
    facts = bodies(source, before)
    assert [fact.statement for fact in facts] == ["Test is now skipped or expected to fail: `test_one`."]


_ONE = "def test_one():\n    assert f()\n"


@pytest.mark.parametrize(
    "mark",
    [
        "pytestmark = pytest.mark.anyio",
        "pytestmark = [pytest.mark.asyncio, pytest.mark.usefixtures('server')]",
        "pytestmark = [\n    pytest.mark.django_db,  # no skip here\n    pytest.mark.slow,\n]",
        "pytestmark = needs_docker",
    ],
)
def test_a_module_mark_that_only_names_a_plugin_or_a_group_skips_nothing(mark: str) -> None:
    head = f"import pytest\n\n{mark}\n\n{_ONE}"
    assert outcome(bodies(head, _ONE)) is Outcome.NOT_FOUND
    assert outcome(bodies(f"{head}\ndef test_two():\n    assert g()\n", head)) is Outcome.NOT_FOUND


@pytest.mark.parametrize(
    "mark",
    [
        "pytestmark = pytest.mark.skip(reason='broken')",
        "pytestmark = [\n    pytest.mark.anyio,\n    pytest.mark.xfail(reason='known'),\n]",
        "pytestmark = pytest.mark.skipif(True, reason='for now')",
        "pytestmark = pytest.mark.skipif(condition=True, reason='for now')",
        "pytestmark = pytest.mark.skipif(not False, reason='for now')",
        "pytestmark = pytest.mark.anyio\npytestmark = pytest.mark.skip(reason='for now')",
        "pytestmark = [pytest.mark.anyio]\npytestmark.append(pytest.mark.skip(reason='for now'))",
        "pytestmark = [pytest.mark.usefixtures('#'), pytest.mark.skip(reason='for now')]",
        "if True:\n    pytestmark = pytest.mark.skip(reason='for now')",
        "marks = pytestmark = pytest.mark.skip(reason='for now')",
        "later = pytest.mark.skip(reason='for now')\npytestmark = [later]",
        "pytest.skip('for now', allow_module_level=True)",
        "raise unittest.SkipTest('for now')",
    ],
)
def test_what_keeps_a_whole_module_from_running_is_a_skip(mark: str) -> None:
    (fact,) = bodies(f"import pytest\n\n{mark}\n\n{_ONE}", _ONE)
    assert fact.statement == "Test is now skipped or expected to fail: `test_one`."


@pytest.mark.parametrize(
    "mark",
    [
        "@pytest.mark.skipif(sys.platform == 'win32', reason='posix')",
        "@unittest.skipUnless(\n    HAS_ZSTD,\n    'needs zstd',\n)",
        "@pytest.mark.xfail(sys.version_info < (3, 12), reason='old')",
    ],
)
def test_a_test_that_comes_with_a_condition_takes_nothing_away_and_an_old_one_that_gets_one_is_doubtful(
    mark: str,
) -> None:
    two = f"{mark}\ndef test_two():\n    assert g()\n"
    assert outcome(bodies(f"{_ONE}\n{two}", _ONE)) is Outcome.NOT_FOUND
    (fact,) = bodies(f"{mark}\n{_ONE}", _ONE)
    assert fact.statement == "Test now runs only under a condition: `test_one`."
    assert fact.confidence == 0.6
    assert outcome(bodies(f"{mark}\n{_ONE}\n", f"{mark}\n{_ONE}")) is Outcome.NOT_FOUND


def test_a_new_test_in_a_module_that_asks_for_a_package_takes_nothing_away() -> None:
    head = f"import pytest\n\npytestmark = [\n    pytest.mark.skipif(not has_client(), reason='no client'),\n    pytest.mark.anyio,\n]\n\n{_ONE}"
    assert outcome(bodies(f"{head}\ndef test_two():\n    assert g()\n", head)) is Outcome.NOT_FOUND
    (fact,) = bodies(head, _ONE)
    assert "only under a condition" in fact.statement


@pytest.mark.parametrize(
    "mark", ["@unittest.skipIf(True, 'later')", "@pytest.mark.xfail", "@pytest.mark.skip('later')"]
)
def test_a_test_that_comes_switched_off_is_told(mark: str) -> None:
    (fact,) = bodies(f"{_ONE}\n{mark}\ndef test_two():\n    assert g()\n", _ONE)
    assert fact.statement == "Test is now skipped or expected to fail: `test_two`."


def test_a_moved_test_keeps_the_mark_that_it_had() -> None:
    marked = "    @pytest.mark.skip\n    def test_one(self):\n        assert f()\n"
    assert outcome(bodies(f"class TestNew:\n{marked}", f"class TestOld:\n{marked}")) is Outcome.NOT_FOUND


def test_many_marks_and_tests_are_read_in_time_that_grows_with_their_number() -> None:
    head = "pytestmark = [\n" + "(" * 20_000 + "\n" + "".join(f"@pytest.mark.skipif({'  ' * 5000}x)\ndef test_{n}():\n    pass\n\n" for n in range(50))  # fmt: skip
    rows: SourceLines = {Side.HEAD: {"tests/test_a.py": head.split("\n")}, Side.BASE: {"tests/test_a.py": []}}
    shapes = modules({"tests/test_a.py": "pytestmark = 1\n" + "def test_a():\n    pass\n" * 3000})
    tests = [("tests/test_a.py", each) for each in shapes.head["tests/test_a.py"].functions]
    begun = perf_counter()
    marks.find_skipped_tests(change(modified("tests/test_a.py")), shapes, tests, [], rows)
    assert perf_counter() - begun < 2


def test_a_test_file_that_cannot_be_read_is_not_taken_for_removed() -> None:
    from auditor.forensics.probe_kit.probe_inputs import PythonModules
    from tests.forensics.probes.asking import shape

    path = "tests/test_a.py"
    seen = PythonModules({}, {path: shape("def test_one():\n    assert f()\n")}, {path: "broken"})
    assert outcome(ask("tests.removed_or_skipped", change(modified(path)), seen, Documents({}))) is Outcome.UNAVAILABLE


@pytest.mark.parametrize("path", ["tests/data/x.json", "tests/conftest.py"])
def test_data_and_fixtures_are_no_tests(path: str) -> None:
    assert outcome(accompanied(added("a.py", 200), added(path, 200))) is Outcome.NOT_FOUND


def test_one_line_of_tests_does_not_accompany_a_thousand_of_code() -> None:
    facts = accompanied(added("a.py", 1000), added("tests/test_a.py", 1))
    assert outcome(facts) is Outcome.NOT_FOUND
    assert facts[0].measure == 0.001


def test_a_cut_history_lowers_the_confidence_of_every_answer() -> None:
    cut = History((commit(2, parent=1),), complete=False, limit_reason="shallow")
    for probe in ("history.messages", "history.atomic_commits", "history.dates"):
        (fact,) = ask(probe, cut)
        assert fact.confidence < 0.8
        assert "shallow" in fact.confidence_reason


def test_a_history_that_could_not_be_listed_is_unavailable() -> None:
    none = History((), complete=False, limit_reason="over its limits")
    for probe in ("history.messages", "history.atomic_commits", "history.dates"):
        assert outcome(ask(probe, none)) is Outcome.UNAVAILABLE


def bodies(head: str, base: str) -> list[Fact]:
    path = "tests/test_a.py"
    return ask(
        "tests.removed_or_skipped",
        change(modified(path)),
        modules({path: head}, {path: base}),
        Documents({path: head}, {path: base}),
    )


WHOLE_TEST = 'def test_one():\n    """Say what."""\n    made = f()\n    assert made\n    assert made.a == 1\n    assert made.b == 2\n'


@pytest.mark.parametrize(
    "first",
    [
        "return",
        "pytest.skip('later')",
        "self.skipTest('later')",
        "raise unittest.SkipTest('later')",
        "pytest.xfail('known')",
        "return None  # for now",
    ],
)
def test_a_test_that_now_stops_before_it_checks_is_reported_as_skipped(first: str) -> None:
    head = WHOLE_TEST.replace("    made = f()\n", f"    {first}\n    made = f()\n")
    (fact,) = bodies(head, WHOLE_TEST)
    assert fact.outcome is Outcome.FOUND
    assert "skipped" in fact.statement


@pytest.mark.parametrize(
    "head",
    [
        WHOLE_TEST.replace("    made = f()\n", "    if windows:\n        pytest.skip('posix only')\n    made = f()\n"),
        WHOLE_TEST.replace("    made = f()\n", "    def g():\n        return 1\n    made = f()\n"),
        WHOLE_TEST.replace('"""Say what."""', '"""Say what.\n\n    return nothing\n    """'),
        WHOLE_TEST + "    return\n",
        WHOLE_TEST.replace("    assert made.b == 2\n", ""),
    ],
)
def test_a_skip_under_a_condition_a_late_return_and_a_single_check_less_are_fine(head: str) -> None:
    assert outcome(bodies(head, WHOLE_TEST)) is Outcome.NOT_FOUND


def test_a_test_that_loses_most_of_its_checks_is_reported_with_doubt() -> None:
    head = WHOLE_TEST.replace("    assert made.a == 1\n    assert made.b == 2\n", "    # assert made.a == 1\n")
    (fact,) = bodies(head, WHOLE_TEST)
    assert fact.outcome is Outcome.FOUND
    assert "assertions" in fact.statement
    assert fact.confidence < 0.8


def test_checks_that_a_helper_of_the_change_takes_over_are_not_lost() -> None:
    path, helping = "tests/test_a.py", "tests/conftest.py"
    before = "def test_one():\n    made = f()\n    assert made\n    assert made.part\n    assert made.part.kind == 1\n"
    after = "def test_one():\n    made = part_of(f(), 1)\n    assert made\n"
    lost = "def test_one():\n    made = part_of(f(), 1)\n"

    def told(now: str, helper: str) -> Outcome:
        texts = {path: now, helping: helper}
        sides = modules(texts, {path: before})
        asked = ask("tests.removed_or_skipped", change(modified(path), added(helping)), sides, Documents(texts, {path: before}))  # fmt: skip
        return outcome(asked)

    checking = "def part_of(made, kind):\n    assert made.part.kind == kind\n    return made.part\n"
    assert told(after, checking) is Outcome.NOT_FOUND
    assert told(lost, checking) is Outcome.FOUND
    assert told(after, "def part_of(made, kind):\n    return made.part\n") is Outcome.FOUND


@pytest.mark.parametrize(
    ("inner", "lines", "expected"),
    [
        ("    def own():\n", 6, Outcome.NOT_APPLICABLE),
        ("    def own():\n", 12, Outcome.NOT_FOUND),
        ("def own():\n", 6, Outcome.NOT_FOUND),
        ("class Own:\n", 6, Outcome.NOT_FOUND),
        ("def own():\n", 3, Outcome.NOT_APPLICABLE),
    ],
)
def test_a_few_lines_are_worth_a_test_where_a_new_function_stands_in_no_other(
    inner: str, lines: int, expected: Outcome
) -> None:
    before = "def outer():\n    x = 0\n"
    depth = inner.index(inner.lstrip()) + 4
    written = inner + "".join(f"{' ' * depth}x{n} = {n}\n" for n in range(lines - 1))
    file = replace(modified("a.py", lines), hunks=(Hunk(2, 0, 3, lines),))
    (fact,) = accompanied(file, head={"a.py": before + written}, base={"a.py": before})
    assert fact.outcome is expected


def test_a_function_of_another_name_is_no_new_one_though_a_few_of_its_lines_changed() -> None:
    path, body = "pkg/a.py", [f"    x{n} = {n}\n" for n in range(20)]
    before = "def upto(there):\n" + "".join(body)
    for changed, new in ((range(4), False), (range(18), True)):
        after = "def since(there):\n" + "".join(
            f"    y = {n}\n" if n in changed else line for n, line in enumerate(body)
        )
        count = len(changed) + 1
        file = replace(modified(path, count), hunks=(Hunk(1, count, 1, count),))
        (fact,) = accompanied(file, head={path: after}, base={path: before})
        assert ("in 1 new function or class" in fact.statement) is new


def test_a_method_that_got_another_name_above_its_old_body_is_no_new_one() -> None:
    path = "pkg/a.py"
    body = "        a = 1\n        return a\n\n"
    before = "".join(f"class C{n}:\n    def send(self, check):\n{body}" for n in range(12))
    after = before.replace("def send(self, check)", "def notify(self, flip)")
    numbers = [n for n, line in enumerate(after.split("\n"), 1) if "notify" in line]
    file = replace(modified(path, len(numbers)), hunks=tuple(Hunk(number, 1, number, 1) for number in numbers))
    texts = Documents({path: after}, {path: before})
    sides = modules({path: after}, {path: before})
    (fact,) = ask("tests.changed_with_code", change(file), tree(path), texts, sides)
    assert fact.statement.startswith("The change adds 12 new lines of product code")
    rewritten = modified(path, after.count("\n"))
    (fact,) = ask("tests.changed_with_code", change(rewritten), tree(path), texts, sides)
    assert "in 12 new functions or classes" in fact.statement


def test_a_test_that_did_nothing_before_is_not_newly_skipped() -> None:
    idle = WHOLE_TEST.replace("    made = f()\n", "    return\n    made = f()\n")
    assert outcome(bodies(idle + "\n", idle)) is Outcome.NOT_FOUND


def test_code_that_names_keep_out_of_the_size_is_counted_aloud_and_lowers_the_confidence() -> None:
    (fact,) = ask("change.size", change(added("a.py", 10), added("vendor/b.py", 5000)))
    assert fact.outcome is Outcome.NOT_FOUND
    assert "5,000 more" in fact.statement
    assert fact.confidence < 0.7
    (plain,) = ask("change.size", change(added("a.py", 10), added("README.md", 5000)))
    assert (plain.confidence, "5,000 more" in plain.statement) == (1.0, True)


WORKFLOW = ".github/workflows/ci.yml"


@pytest.mark.parametrize(
    "text",
    [
        "on: pull_request_target\n",
        "on: [push, workflow_run]\n",
        "permissions: write-all\n",
        "permissions:\n  contents: write\n",
        "permissions: {id-token: 'write'}\n",
        "permissions:\n  contents:\n    write\n",
        "permissions:\n  contents: >-\n    write\n",
        'on: "pull\\x5frequest_target"\n',
    ],
)
def test_a_workflow_that_gets_new_rights_is_reported(text: str) -> None:
    plain = "on: push\npermissions:\n  contents: read\n"
    asked = ask(
        "governance.gate_changed",
        change(modified(WORKFLOW)),
        Documents({WORKFLOW: text}, {WORKFLOW: plain}),
        GovernanceFiles(),
    )
    assert outcome(asked) is Outcome.FOUND
    assert (
        outcome(ask("governance.gate_changed", change(added(WORKFLOW)), Documents({WORKFLOW: text}), GovernanceFiles()))
        is Outcome.FOUND
    )
    same = Documents({WORKFLOW: f"{text}# more\n"}, {WORKFLOW: text})
    assert (
        outcome(ask("governance.gate_changed", change(modified(WORKFLOW)), same, GovernanceFiles()))
        is Outcome.NOT_FOUND
    )


@pytest.mark.parametrize(
    "text",
    [
        "on: push\n",
        "# on: pull_request_target\n",
        "permissions:\n  contents: read  # not write\n",
        "run: echo overwrite\n",
        "permissions:\n  issues: write\n  discussions: write\n",
    ],
)
def test_a_workflow_without_new_rights_is_not(text: str) -> None:
    assert (
        outcome(ask("governance.gate_changed", change(added(WORKFLOW)), Documents({WORKFLOW: text}), GovernanceFiles()))
        is Outcome.NOT_FOUND
    )


def test_a_committer_who_is_not_the_author_is_told_and_not_charged() -> None:
    one = commit(2, parent=1)
    merged = Commit(one.sha, one.parents, one.author, Signature("Hub", "hub@example.org", one.committer.time), "Add it")
    (fact,) = ask("history.dates", History((merged, commit(1))))
    assert fact.outcome is Outcome.NOT_FOUND
    assert "1 with a different committer" in fact.statement


def test_a_commit_written_before_its_parent_is_told_and_not_charged() -> None:
    base = 1_700_000_000
    history = History(
        (commit(2, authored=base - 10**6, committed=base + 20, parent=1), commit(1, authored=base, committed=base))
    )
    (fact,) = ask("history.dates", history)
    assert fact.outcome is Outcome.NOT_FOUND
    assert "1 written more than a day before the parent, as usual" in fact.statement
    assert fact.data is not None
    assert [each.what for each in fact.data.commits] == ["author_before_parent"]  # type: ignore[attr-defined]


def switched_off(path: str, before: str, after: str) -> Outcome:
    number = len(after.split("\n"))
    facts = ask(
        "tests.removed_or_skipped",
        change(modified(path, number)),
        modules({}),
        Documents({path: after}, {path: before}),
    )
    return outcome(facts)


@pytest.mark.parametrize(
    ("path", "after", "expected"),
    [
        ("pyproject.toml", 'addopts = "-q --ignore=tests/slow"', Outcome.FOUND),
        ("package.json", '"test": "echo no tests"', Outcome.FOUND),
        (".github/workflows/ci.yml", "      - run: ./gradlew build -x test", Outcome.FOUND),
        ("Makefile", "\tpytest -k 'not slow'", Outcome.FOUND),
        ("Makefile", "one:\n\tpytest -n 4 -m 'not serial'\ntwo:\n\tpytest -m serial", Outcome.NOT_FOUND),
        ("Makefile", "one:\n\tpytest -n 4 -m 'not serial'\ntwo:\n\tpytest -m slow", Outcome.FOUND),
        ("Makefile", "one:\n\tpytest -m 'not serial'\ntwo:\n\tpytest -x -m 'not serial'", Outcome.FOUND),
        ("Makefile", "one:\n\tpytest -m 'not serial'\n# pytest -m serial", Outcome.FOUND),
        ("Makefile", "one:\n\tpytest -m 'not serial' # pytest -m serial", Outcome.FOUND),
        ("Makefile", "one:\n\tpytest -m 'not serial' -k 'not login'\ntwo:\n\tpytest -m serial", Outcome.FOUND),
        ("Makefile", "one:\n\tpytest -m 'not serial' --ignore=tests/login\ntwo:\n\tpytest -m serial", Outcome.FOUND),
        ("pom.xml", "<skipTests>false</skipTests>", Outcome.NOT_FOUND),
        ("setup.cfg", "lint = flake8 --ignore=E501", Outcome.NOT_FOUND),
        ("pyproject.toml", '"pydantic>=2.9",', Outcome.NOT_FOUND),
        ("pyproject.toml", "# --ignore=tests/slow", Outcome.NOT_FOUND),
        ("a.md", "--ignore=tests/slow", Outcome.NOT_APPLICABLE),
    ],
)
def test_tests_can_be_switched_off_by_settings(path: str, after: str, expected: Outcome) -> None:
    assert switched_off(path, "x", after) is expected
    if expected is Outcome.FOUND:
        assert switched_off(path, after, after) is Outcome.NOT_FOUND, "it was so before"


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("api/Client.java", "/**\n * NOTE: This class is auto generated by OpenAPI Generator.\n * Do not edit the class manually.\n */\nclass A {}\n", True),
        ("app/models.py", '"""\nShop API\n\nGenerated by: https://openapi-generator.tech\n"""\nX = 1\n', True),
        ("db/schema.rb", "# This file is auto-generated from the current state of the database. Instead\n# of editing this file, use migrations.\n", True),
        ("src/icons.rs", "// Built from assets/icons.svg by build.rs; do not edit.\n", True),
        ("static/app.js", "!function(e,t){" + "a.b=c(d);" * 400 + "}\n", True),
        ("static/lib.js", "/*!\n * Bootstrap v5.3.0 (https://getbootstrap.com/)\n * Licensed under MIT\n */\n(function () {})\n", True),
        ("api/params.py", "# File generated from our OpenAPI spec\nX = 1\n", True),
        ("api/kept.py", "# A file generated from a report is kept\nX = 1\n", False),
        ("app/report.py", 'HEAD = "# Generated by report.py. Do not edit."\n', False),
        ("app/version.py", 'import os\n\nTEMPLATE = """\\\n# This file is auto-generated by build. Do not edit.\nVERSION = {version!r}\n"""\n', False),
        ("web/emit.ts", "const HEAD = `\n// This file is generated by emit.ts, do not edit\n`\n", False),
        ("app/data.py", 'NOTE = """\nkept\n"""\n# This file is auto-generated by build.\nX = 1\n', True),
        ("app/names.py", '"""Renders the auto-generated names of bots, and what people must not change."""\n', False),
        ("app/order.py", "# Do not change the order: the first rule that fits decides.\nRULES = []\n", False),
        ("shop/migrations/0002_tax.py", "# Generated by Django 5.0 on 2026-01-01\n", False),
        ("lib/confirm.rb", "# Confirmable checks that the confirmation token is generated once.\nmodule Confirm\nend\n", False),
        ("lib/codes.rb", "# frozen_string_literal: true\n\nmodule Codes\n  # Generated with:\n  # fetch codes | sort\n  ALL = []\nend\n", False),
        ("lib/codes.rb", "# frozen_string_literal: true\n\n# Generated with: rake codes\nmodule Codes\nend\n", True),
        ("web/Client.java", "package web;\n/**\n * Generated by the compiler of schemas.\n */\nclass Client {}\n", True),
        ("app/ids.go", "// IDs are generated by the database when rows are written.\npackage app\n", False),
        ("web/chart-4.2.1.js", "draw()\n", True),
        ("db/upgrade-4.2.1.js", "exports.up = () => {}\n", False),
        ("db/patches/patch_v1-4.2.1.js", "exports.up = () => {}\n", False),
        ("web/mark.css", ".mark {\n  background: url(data:image/png;base64," + "iVBORw0K" * 600 + ");\n}\n", False),
        ("web/mark.js", "export const MARK = 'data:image/svg+xml;charset=utf-8;base64," + "iVBORw0K" * 600 + "=='\n", False),
        ("web/marks.js", "const a=1;" + "data:image/png;base64,iVBO;b(a);" * 600 + "\n", True),
        ("web/long.ts", "export const TEXT = " + "'word and word ' + " * 200 + "''\n", False),
    ],
)  # fmt: skip
def test_what_a_tool_made_is_told_by_the_top_of_the_file_and_by_its_lines(path: str, text: str, expected: bool) -> None:
    found = ask("change.generated_or_vendored", change(added(path)), Documents({path: text}))
    assert (outcome(found) is Outcome.FOUND) is expected


@pytest.mark.parametrize(
    ("probe", "history", "said"),
    [
        ("history.atomic_commits", History((commit(2, parent=1),)), "The only commit neither touches more than 30 files in many folders nor lists unrelated purposes."),
        ("history.atomic_commits", History((commit(3, parent=2), commit(2, parent=1))), "None of 2 commits touches more than 30 files in many folders or lists unrelated purposes."),
        ("history.dates", History((commit(1),)), "Commit dates are consistent."),
        ("history.dates", History((commit(2, parent=1), commit(1))), "Commit dates are consistent."),
        ("history.dates", History((commit(1, authored=1_700_099_999),)), "The only commit has an author date more than an hour after its commit date."),
        ("history.dates", History((commit(2, parent=1), commit(1, authored=1_700_099_999))), "1 of 2 commits has an author date more than an hour after its commit date."),
        ("history.messages", History((commit(1, message="wip"),)), "The only commit message says nothing about the change: `wip`."),
        ("history.messages", History((commit(2, message="Add the depot's opening hours", parent=1), commit(1, message="wip"))), "1 of 2 commit messages says nothing about the change: `wip`."),
        ("history.messages", History((commit(2, message="fix", parent=1), commit(1, message="wip"))), "2 of 2 commit messages say nothing about the change: `fix`, `wip`."),
    ],
)  # fmt: skip
def test_sentences_about_one_commit_speak_of_one_and_about_several_of_several(
    probe: str, history: History, said: str
) -> None:
    (fact,) = ask(probe, history)
    assert fact.statement.startswith(said)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ((added("src/a.py", 1),), "The change adds 1 line to review in 1 file."),
        (
            (added("src/a.py", 2), added("src/b.py", 3)),
            "The change adds 5 lines to review in 2 files.",
        ),
        ((added("docs/a.md", 1),), "The change adds no lines to review; 1 in documents,"),
        ((deleted("src/a.py", 9),), "The change adds no lines to review."),
    ],
)
def test_the_size_of_a_change_is_counted_in_words_that_fit_the_number(files: tuple[File, ...], said: str) -> None:
    (fact,) = ask("change.size", change(*files))
    assert fact.statement.startswith(said)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ((added("tests/test_a.py", 1),), "The change edits no product code."),
        ((added("src/a.py", 1),), "The change edits product code in 1 folder."),
        ((added("src/a.py", 1), added("lib/b.py", 1)), "The change edits product code in 2 folders."),
        (
            (added("src/a.py", 1), added("deploy/app.ini", 1)),
            "The change edits product code and configuration in 2 folders.",
        ),
        (
            (added("src/a.py", 1), added("lib/Cargo.toml", 1), added(".env.example", 1), added("docs/.gitignore", 1)),
            "The change edits product code in 1 folder.",
        ),
        (
            (added("src/a.py", 1), added("build/Dockerfile", 1)),
            "The change edits product code and configuration in 2 folders.",
        ),
    ],
)
def test_folders_that_are_touched_are_counted_where_there_are_any(files: tuple[File, ...], said: str) -> None:
    (fact,) = ask("change.spread", change(*files))
    assert fact.statement == said


@pytest.mark.parametrize(
    ("statuses", "said"),
    [
        ({"a.py": FileStatus.ANALYSED}, "The only file in scope was analysed."),
        ({"a.py": FileStatus.ANALYSED, "b.py": FileStatus.ANALYSED}, "All 2 files in scope were analysed."),
        ({"a.py": FileStatus.ANALYSED, "b.kt": FileStatus.PARTIAL}, "`b.kt` was analysed only in part: r of b.kt."),
        ({"a.py": FileStatus.ANALYSED, "b.kt": FileStatus.PARTIAL, "c.kt": FileStatus.PARTIAL}, "`b.kt`, `c.kt` were analysed only in part (2 of 3 files): r of b.kt, r of c.kt."),
        ({"a.py": FileStatus.UNAVAILABLE, "b.py": FileStatus.ANALYSED}, "`a.py` could not be analysed: r of a.py."),
        ({"a.py": FileStatus.UNAVAILABLE, "b.kt": FileStatus.PARTIAL}, "`a.py`, `b.kt` could not be analysed in full (2 of 2 files): r of a.py."),
        ({f"{n}.py": FileStatus.UNAVAILABLE for n in range(4)}, "`0.py`, `1.py`, `2.py` and 1 more could not be analysed (4 of 4 files): r of 0.py, r of 1.py and 2 more."),
    ],
)  # fmt: skip
def test_what_was_read_in_part_is_not_said_to_be_unread(statuses: dict[str, FileStatus], said: str) -> None:
    files = tuple(FileCoverage(path=path, status=status, reason=f"r of {path}") for path, status in statuses.items())
    (fact,) = ask("coverage.analysed", Coverage(files=files, complete=True))
    assert fact.statement == said
