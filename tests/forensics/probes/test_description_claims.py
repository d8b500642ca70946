"""What a description claims, compared with the change: right, wrong, and words that only look like a claim."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import SequenceMatcher

import pytest

from auditor.domain import Description, Fact, FileChange, Hunk, Outcome, Status, TreeEntry
from auditor.forensics.probe_kit.probe_inputs import Documents, Tree
from tests.accuracy.labelled import project
from tests.forensics.probes.asking import ask, change, modules

SHOP = project("shop")
PRICES, CLIENT, MANIFEST = SHOP["shop/prices.py"], SHOP["shop/client.py"], SHOP["pyproject.toml"]
SLOWER = CLIENT.replace("timeout=10", "timeout=30")
WITHOUT_SHIPPING = PRICES.partition("\n\ndef shipping")[0] + "\n"
MORE_TESTS = f"{SHOP['tests/test_prices.py']}\n\ndef test_net_of_nothing():\n    assert net(0) == 0\n"
COMMENTED = PRICES.replace('    """Without', '    # as the law has it\n    """Without')
README = "# Shop\n\nPrices.\n"
WORKFLOW = {".github/workflows/ci.yml": "on: push\n"}
LIBRARY = {**SHOP, "shop/py.typed": ""}
"""The shop, saying that other projects import it."""
AGREES, CONTRADICTS, SAYS_NOTHING = Outcome.FOUND, Outcome.NOT_FOUND, Outcome.NOT_APPLICABLE
Files = Mapping[str, str | None]


def facts_of(said: str, files: Files, before: Mapping[str, str] = SHOP) -> list[Fact]:
    """The answers to a description of a change that leaves these files as they are given; None deletes one."""
    after = {path: text for path, text in {**before, **files}.items() if text is not None}
    edited = tuple(_edited(path, before.get(path), after.get(path)) for path in files)
    base = {path: before[path] for path in files if path in before}
    head = {path: after[path] for path in files if path in after}
    python = tuple({path: text for path, text in side.items() if path.endswith(".py")} for side in (base, head))
    title, _, body = said.partition("\n")
    sides = ({path: TreeEntry(path, "1" * 40) for path in side} for side in (after, before))
    return ask(
        "claims.description_matches",
        Description(title, body.strip("\n")),
        change(*edited),
        Documents(head, base),
        modules(python[1], python[0]),
        Tree(*sides),
    )


def said_of(said: str, files: Files, before: Mapping[str, str] = SHOP) -> Outcome:
    """The one outcome of those answers."""
    facts = facts_of(said, files, before)
    assert len({fact.outcome for fact in facts}) == 1, facts
    return facts[0].outcome


def _edited(path: str, before: str | None, after: str | None) -> FileChange:
    old, new = (before or "").split("\n")[:-1], (after or "").split("\n")[:-1]
    turns = [each for each in SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if each[0] != "equal"]
    hunks = tuple(Hunk(a + 1, b - a, c + 1, d - c) for _, a, b, c, d in turns)
    status = Status.ADDED if before is None else Status.DELETED if after is None else Status.MODIFIED
    base, head = (None if each is None else TreeEntry(path, "0" * 40) for each in (before, after))
    added, gone = sum(each.head_count for each in hunks), sum(each.base_count for each in hunks)
    return FileChange(status, base, head, hunks, added, gone)


@pytest.mark.parametrize(
    "said",
    [
        "Adds unit tests for the parser.",
        "Docs and tests were added.",
        "Rewrite the loader, with new tests",
        "- [x] Tests",
        "- [X] I have added tests that prove my fix is effective",
        "The new path is covered by a regression test.",
        "Add more tests",
    ],
)
def test_tests_that_are_claimed_must_be_in_the_change(said: str) -> None:
    assert said_of(f"Wait longer\n\n{said}", {"shop/client.py": SLOWER}) is CONTRADICTS
    assert said_of(f"Wait longer\n\n{said}", {"shop/client.py": SLOWER, "tests/test_prices.py": MORE_TESTS}) is AGREES


@pytest.mark.parametrize(
    "said",
    [
        "No tests were needed.",
        "I did not add tests.",
        "Tests will be added later.",
        "- [ ] I have added tests",
        "<!-- Please say whether you added tests -->",
        "> I added tests\n",
        "```\nadd tests\n```",
        "Adds a test runner to the tool.",
        "All existing tests pass.",
        "- [x] Tests pass locally",
        "This will need tests added afterwards.",
        "It works better with test containers.",
        "test: wait for the first answer",
    ],
)
def test_words_about_tests_that_promise_none_are_no_claim(said: str) -> None:
    assert said_of(f"Wait longer\n\n{said}", {"shop/client.py": SLOWER}) is SAYS_NOTHING


RUST = "pub fn net(n: u32) -> u32 {\n    n\n}\n"
RUST_TESTS = "\n#[cfg(test)]\nmod checks {\n    fn holds() {\n        assert!(super::net(1) == 1);\n    }\n}\n"
DOCTEST = "/// ```\n/// assert_eq!(shop::net(1), 1);\n/// ```\n"


@pytest.mark.parametrize(
    ("path", "before", "after", "expected"),
    [
        ("src/net.rs", f"{RUST}{RUST_TESTS}", f"{RUST}{RUST_TESTS.replace('== 1', '== 2 - 1')}", AGREES),
        ("src/net.rs", RUST, f"{DOCTEST}{RUST}", AGREES),
        ("src/net.rs", RUST, RUST.replace("    n\n", "    assert!(n > 0);\n    n\n"), SAYS_NOTHING),
        ("src/net.rs", f"{RUST}{RUST_TESTS}", f"{RUST.replace('    n', '    n + 0')}{RUST_TESTS}", CONTRADICTS),
        ("shop/net.py", "def net(n):\n    return n\n", 'def net(n):\n    """\n    >>> net(1)\n    """\n    return n\n', AGREES),
        ("playground/net/index.js", "a()\n", "b()\n", SAYS_NOTHING),
        ("pyproject.toml", "[project]\n", "[project]\nname = 'a'\n", SAYS_NOTHING),
    ],
)  # fmt: skip
def test_tests_beside_what_they_test_count_and_assertions_of_product_code_deny_nothing(
    path: str, before: str, after: str, expected: Outcome
) -> None:
    assert said_of("Net prices\n\nAdd more tests.", {path: after}, {path: before}) is expected


@pytest.mark.parametrize(
    "said",
    [
        "No breaking changes.",
        "This is backwards compatible.",
        "- [x] Non-breaking change",
        "It doesn\u2019t break callers.",
        "No change to the interface.",
        "The public API stays the same.",
        "Leaves the signatures as they were",
        "A drop-in replacement.",
    ],
)
def test_a_certain_break_contradicts_a_promise_of_none(said: str) -> None:
    assert said_of(f"Tidy the prices\n\n{said}", {"shop/prices.py": WITHOUT_SHIPPING}, LIBRARY) is CONTRADICTS
    assert said_of(f"Tidy the prices\n\n{said}", {"shop/prices.py": COMMENTED}, LIBRARY) is AGREES


def test_an_uncertain_break_decides_nothing() -> None:
    assert said_of("Tidy the prices\n\nNo breaking changes.", {"shop/prices.py": WITHOUT_SHIPPING}) is SAYS_NOTHING


@pytest.mark.parametrize(
    "said", ["This is not backwards compatible.", "It does not break lines.", "Might be a non-breaking change."]
)
def test_words_that_promise_no_compatibility_are_no_claim(said: str) -> None:
    assert said_of(f"Tidy the prices\n\n{said}", {"shop/prices.py": WITHOUT_SHIPPING}, LIBRARY) is SAYS_NOTHING


@pytest.mark.parametrize(
    ("said", "wrong", "right"),
    [
        ("Docs only", {"README.md": README, "shop/client.py": SLOWER}, {"README.md": README}),
        ("Only documentation is changed.", {"shop/client.py": SLOWER}, {"docs/guide.md": "x\n"}),
        ("- Docs only (`README.md`)", WORKFLOW, {"README.md": README}),
        ("This is a comment-only change.", {"shop/client.py": SLOWER}, {"shop/prices.py": COMMENTED}),
        ("This only updates the docs.", {"tests/test_prices.py": MORE_TESTS}, {"docs/conf.py": "x = 1\n"}),
        ("Only the tests change.", {"shop/client.py": SLOWER}, {"tests/test_prices.py": MORE_TESTS}),
        ("This PR only adds tests for net.", {"shop/client.py": SLOWER}, {"tests/test_prices.py": MORE_TESTS}),
        ("Tests only", {"shop/client.py": SLOWER}, {"tests/data/a.json": "{}\n"}),
        ("Updates the guide, no code changes.", {"shop/client.py": SLOWER}, {"README.md": README}),
        ("No production code is touched.", {"shop/client.py": SLOWER}, {"tests/test_prices.py": MORE_TESTS}),
        ("Product code is unchanged.", {"shop/client.py": SLOWER}, {"shop/prices.py": COMMENTED}),
        ("No functional changes.", {"shop/prices.py": WITHOUT_SHIPPING}, {"shop/prices.py": COMMENTED}),
        ("Pure refactoring.", {"shop/prices.py": WITHOUT_SHIPPING}, {"README.md": README}),
    ],
)  # fmt: skip
def test_a_change_of_one_kind_has_no_files_of_another(said: str, wrong: Files, right: Files) -> None:
    assert said_of(f"Next step\n\n{said}", wrong, LIBRARY) is CONTRADICTS
    assert said_of(f"Next step\n\n{said}", right, LIBRARY) is AGREES


@pytest.mark.parametrize(
    ("said", "files"),
    [
        ("docs: clearer help", {"shop/client.py": SLOWER}),
        ("Only docs mention this.", {"shop/client.py": SLOWER}),
        ("Run 6 jobs on a documentation only commit instead of 7.", {"shop/client.py": SLOWER}),
        ("Run tests only on code changes", {"shop/client.py": SLOWER}),
        ("No code changes were necessary.", {"shop/client.py": None}),
        ("No functional change.", {"shop/client.py": SLOWER}),
        ("Remove `shipping`, no functional change otherwise.", {"shop/prices.py": WITHOUT_SHIPPING}),
        ("Removes `shipping`.\n\nThe rest is a pure refactoring.", {"shop/prices.py": WITHOUT_SHIPPING}),
        ("Docs only: the help", {"shop/client.py": CLIENT.replace('"""', '"""Now: ', 1).replace("stock/", "stocks/")}),
        ("Docs only", {"setup.cfg": "[metadata]\n"}),
    ],
)
def test_kinds_that_files_do_not_decide_are_no_claim(said: str, files: Files) -> None:
    assert said_of(said, files, LIBRARY) is not CONTRADICTS


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("See `shop/gone.py` for the details.", CONTRADICTS),
        ("Adds `checks/test_wait.py` as well.", CONTRADICTS),
        ("The limit in `shop/client.py:12` is raised.", AGREES),
        ("The limit in `client.py` is raised.", AGREES),
        ("Like `shop/prices.py` does.", SAYS_NOTHING),
        ("See shop/gone.py for the details.", SAYS_NOTHING),
        ("See `elsewhere/gone.py` for the details.", SAYS_NOTHING),
        ("See `gone.py` for the details.", SAYS_NOTHING),
        ("A later change will add `shop/next.py`.", SAYS_NOTHING),
        ("Reads the server's `shop/app.py`.", SAYS_NOTHING),
        ("`shop/rates.py` is generated at run time.", SAYS_NOTHING),
        ("Rebased on `origin/8.0.x`, `upstream/main` and `shop/b`.", SAYS_NOTHING),
        ("Run `pip install shop/gone.py` first.", SAYS_NOTHING),
    ],
)
def test_paths_in_code_marks_are_on_one_side_of_the_change(said: str, expected: Outcome) -> None:
    assert said_of(f"Wait longer\n\n{said}", {"shop/client.py": SLOWER}) is expected


@pytest.mark.parametrize(
    "title", ["Merge branch 'origin/8.0.x' into main", "Merge `shop/gone.py` into main", 'Revert "See `shop/gone.py`"']
)
def test_titles_that_name_branches_or_other_changes_name_no_path(title: str) -> None:
    assert said_of(title, {"shop/client.py": SLOWER}) is SAYS_NOTHING


NEWER = MANIFEST.replace("2.31", "2.32.3")
LOCK = '[[package]]\nname = "requests"\nversion = "{}"\nsource = {{ registry = "https://pypi.org/simple" }}\n'


@pytest.mark.parametrize(
    ("title", "files", "expected"),
    [
        ("Bump requests from 2.31 to 2.32.3", {"pyproject.toml": NEWER}, AGREES),
        ("Bump requests to v2.x", {"pyproject.toml": NEWER}, AGREES),
        ("Bump requests from 2.31 to 2.33", {"pyproject.toml": NEWER}, CONTRADICTS),
        ("Bump requests to 3.x", {"pyproject.toml": NEWER}, CONTRADICTS),
        ("Bump flask from 1.0 to 2.0 and requests from 2.31 to 2.33", {"pyproject.toml": NEWER}, CONTRADICTS),
        ("Bump requests from 2.31 to 2.32.9", {"uv.lock": LOCK.format("2.32.3")}, CONTRADICTS),
        ("Bump requests from 2.31 to 2.32.3", {"uv.lock": LOCK.format("2.32.3")}, AGREES),
        ("Bump version to 9.9.9", {"pyproject.toml": MANIFEST.replace('version = "', 'version = "7.')}, CONTRADICTS),
        ("Bump flask from 1.0 to 2.0", {"pyproject.toml": NEWER}, SAYS_NOTHING),
        ("Do not bump requests to 2.33", {"pyproject.toml": NEWER}, SAYS_NOTHING),
        ("Raise the timeout to 20 seconds", {"shop/client.py": SLOWER}, SAYS_NOTHING),
        ("Wait\n\nBump requests from 2.31 to 2.33", {"pyproject.toml": NEWER}, SAYS_NOTHING),
    ],
)
def test_versions_of_a_title_are_those_of_manifests_and_lock_files(title: str, files: Files, expected: Outcome) -> None:
    assert said_of(title, files) is expected


def test_release_notes_that_a_dependency_update_quotes_claim_nothing() -> None:
    notes = "<details>\n<summary>Release notes</summary>\n\n- Adds tests.\n- See `shop/gone.py`\n</details>"
    assert said_of(f"Bump requests from 2.31 to 2.32.3\n\n{notes}", {"pyproject.toml": NEWER}) is AGREES


def test_messages_of_squashed_commits_claim_nothing_of_the_whole_change() -> None:
    steps = "* Add tests\n\n* Docs only\n\n* See `shop/gone.py`"
    assert said_of(f"Wait longer\n\n{steps}", {"shop/client.py": SLOWER}) is SAYS_NOTHING


def test_a_sentence_that_continues_on_the_next_line_is_one() -> None:
    said = "Wait\n\nThe warehouse answers slowly in the evening, so this adds\ntests for the client."
    assert said_of(said, {"shop/client.py": SLOWER}) is CONTRADICTS


@pytest.mark.parametrize(
    "said",
    [
        "Improvements",
        "Make it better\n\nAs discussed yesterday.",
        "Add `coupon`\n\nRaise the limit from 10 to 20, only in one file.",
        "feat: discounts\n\nThe README is updated.",
        "",
    ],
)
def test_a_description_without_a_claim_that_can_be_checked_does_not_apply(said: str) -> None:
    assert said_of(said, {"shop/client.py": SLOWER}) is SAYS_NOTHING


@pytest.mark.parametrize(
    ("said", "named"),
    [("Fixes #12", True), ("See owner/name#3", True), ("Closes ABC-12", True), ("Uses UTF-8 and C#", False)],
)
def test_whether_an_issue_is_named_is_reported_and_never_judged(said: str, named: bool) -> None:
    (fact,) = facts_of(f"Wait longer\n\n{said}", {"shop/client.py": SLOWER})
    assert fact.outcome is SAYS_NOTHING
    assert ("names an issue" in fact.statement) is named


def test_each_contradiction_is_a_fact_with_its_line_and_the_share_of_claims_that_hold_is_measured() -> None:
    said = "Docs only\n\nAdds tests.\nSee `shop/client.py`."
    facts = facts_of(said, {"shop/client.py": SLOWER})
    assert [fact.outcome for fact in facts] == [CONTRADICTS, CONTRADICTS]
    assert {fact.measure for fact in facts} == {0.3333}
    assert {fact.confidence for fact in facts} == {0.8}
    assert "line 1 of the description" in facts[0].statement
    assert "the title" in facts[1].statement
    assert [place.path for place in facts[1].locations] == ["shop/client.py"]  # type: ignore[union-attr]
