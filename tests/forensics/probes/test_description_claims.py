"""What a description claims, held against the change: right, wrong, and only looking like a claim."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import SequenceMatcher

import pytest

from auditor.domain import Description, Fact, FileChange, Hunk, Outcome, Status, TreeEntry
from auditor.forensics.probe_kit.probe_inputs import Documents, PythonModules
from tests.accuracy.labelled import project
from tests.forensics.probes.asking import added, ask, change, modified, modules, tree

CODE = modified("src/app.py", 30)
TEST = added("tests/test_app.py", 12)
GUIDE = modified("docs/guide.md", 5)
NO_TEXT = Documents({})


def claims(
    title: str,
    body: str = "",
    *files: FileChange,
    documents: Documents = NO_TEXT,
    code: PythonModules | None = None,
) -> list[Fact]:
    paths = [file.path for file in files]
    return ask(
        "claims.description_matches",
        Description(title, body),
        change(*files),
        documents,
        code or modules({}),
        tree(*paths, "README.md", "src/other.py"),
    )


def outcome(facts: list[Fact]) -> Outcome:
    assert len(facts) == 1, facts
    return facts[0].outcome


@pytest.mark.parametrize(
    "said",
    [
        "Adds unit tests for the parser.",
        "Docs and tests were added.",
        "Rewrite the loader, with new tests",
        "- [x] Tests",
        "- [X] I have added tests that prove my fix is effective",
        "The new path is covered by a regression test.",
    ],
)
def test_tests_that_are_claimed_must_be_in_the_change(said: str) -> None:
    assert outcome(claims("Change the parser", said, CODE)) is Outcome.NOT_FOUND
    assert outcome(claims("Change the parser", said, CODE, TEST)) is Outcome.FOUND


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
        "Remaining logic is the same otherwise.",
    ],
)
def test_words_about_tests_that_promise_none_are_no_claim(said: str) -> None:
    assert outcome(claims("Change the parser", said, CODE)) is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    "said",
    [
        "No breaking changes.",
        "This is backwards compatible.",
        "- [x] Non-breaking change",
        "It doesn\u2019t break callers.",
    ],
)
def test_a_break_of_the_interface_contradicts_a_promise_of_none(said: str) -> None:
    file = modified("app/api.py", 2)
    before, kept = "def load(path): ...\ndef save(path): ...\n", "def load(path): ...\n"
    (wrong,) = claims("Tidy the loader", said, file, code=modules({"app/api.py": kept}, {"app/api.py": before}))
    (right,) = claims("Tidy the loader", said, file, code=modules({"app/api.py": before}, {"app/api.py": before}))
    assert (wrong.outcome, right.outcome) == (Outcome.NOT_FOUND, Outcome.FOUND)
    assert wrong.locations


def test_an_announced_break_contradicts_nothing_and_is_noted() -> None:
    file = modified("app/api.py", 2)
    code = modules({"app/api.py": ""}, {"app/api.py": "def save(path): ...\n"})
    facts = claims("feat!: drop save", "Adds tests.\nThis is not backwards compatible.", file, TEST, code=code)
    assert outcome(facts) is Outcome.FOUND
    assert facts[0].data is not None
    assert facts[0].data.model_dump()["announces_break"] is True


@pytest.mark.parametrize("title", ["docs: explain the loader", "Docs only", "Update the guide, no code changes"])
def test_code_in_a_change_of_documents_only_is_named(title: str) -> None:
    (wrong,) = claims(title, "", GUIDE, CODE)
    assert wrong.outcome is Outcome.NOT_FOUND
    assert [place.path for place in wrong.locations] == ["src/app.py"]  # type: ignore[union-attr]
    assert outcome(claims(title, "", GUIDE)) is Outcome.FOUND


def test_examples_may_be_documents_and_excuse_no_code_beside_them() -> None:
    example = modified("examples/first.py", 20)
    assert outcome(claims("docs: explain the loader", "", GUIDE, example)) is not Outcome.NOT_FOUND
    assert outcome(claims("docs: explain the loader", "", GUIDE, example, CODE)) is Outcome.NOT_FOUND


def test_a_workflow_is_no_document() -> None:
    assert outcome(claims("docs: explain", "", GUIDE, modified(".github/workflows/ci.yml"))) is Outcome.NOT_FOUND


def test_comments_and_docstrings_of_python_are_documents() -> None:
    before = 'def load():\n    """Lod."""\n    return 1  # lod\n'
    after = 'def load():\n    """Load it.\n\n    All of it.\n    """\n    return 1\n'
    changed = 'def load():\n    """Load it."""\n    return 2\n'
    words = Documents({"src/app.py": after}, {"src/app.py": before})
    more = Documents({"src/app.py": changed}, {"src/app.py": before})
    assert outcome(claims("docs: mend docstrings", "", CODE, documents=words)) is Outcome.FOUND
    assert outcome(claims("docs: mend docstrings", "", CODE, documents=more)) is Outcome.NOT_FOUND


def test_a_typing_error_is_not_thirty_lines_of_code_and_may_be_a_handful() -> None:
    assert outcome(claims("Fix typo", "", CODE)) is Outcome.NOT_FOUND
    assert outcome(claims("Fix typo", "", GUIDE)) is Outcome.FOUND
    assert outcome(claims("Fix typo", "", modified("src/app.py", 1))) is Outcome.NOT_APPLICABLE


def test_a_refactoring_takes_nothing_from_callers() -> None:
    file = modified("app/api.py", 2)
    before = "def save(path): ...\n"
    gone = modules({"app/api.py": "def store(path): ...\n"}, {"app/api.py": before})
    kept = modules({"app/api.py": before}, {"app/api.py": before})
    assert outcome(claims("refactor: rename things", "", file, code=gone)) is Outcome.NOT_FOUND
    assert outcome(claims("Clean up", "No functional changes.", file, code=kept)) is Outcome.FOUND


@pytest.mark.parametrize(
    "said",
    [
        "No change to the interface.",
        "The public API stays the same.",
        "Callers need not change anything.",
        "Leaves the signatures as they were",
        "A drop-in replacement.",
    ],
)
def test_promises_to_callers_go_by_many_words(said: str) -> None:
    before = "def load(path): ...\ndef save(path): ...\n"
    gone = modules({"app/api.py": "def load(path, mode): ...\n"}, {"app/api.py": before})
    assert outcome(claims("Make it faster", said, modified("app/api.py", 2), code=gone)) is Outcome.NOT_FOUND


LARGE = modified("src/app.py", 260)
"""Hundreds of lines."""


@pytest.mark.parametrize(
    ("title", "body", "wrong", "right"),
    [
        ("Fix a typing mistake in the title", "", LARGE, GUIDE),
        ("Correct some spelling errors", "", LARGE, GUIDE),
        ("Start page", "Just one word in the header.", LARGE, GUIDE),
        ("Small fix for the loader", "", LARGE, CODE),
        ("fix(loader): tiny change", "", LARGE, CODE),
        ("Loader", "This PR is just a minor tweak.", LARGE, CODE),
        ("Loader", "The code is untouched.", CODE, GUIDE),
        ("Loader", "Does not touch any code.", CODE, GUIDE),
        ("Loader", "Only tests are changed here.", CODE, TEST),
        ("Loader", "No production code is touched.", CODE, TEST),
        ("Loader", "The behaviour is unchanged.", added("src/more.py", 300), CODE),
        ("Loader", "Purely internal changes.", added("src/more.py", 300), CODE),
        ("Loader", "Functionally identical.", modified(".github/workflows/ci.yml"), CODE),
    ],
)
def test_what_is_played_down_is_held_against_the_size_and_kind_of_the_change(
    title: str, body: str, wrong: FileChange, right: FileChange
) -> None:
    assert outcome(claims(title, body, wrong)) is Outcome.NOT_FOUND
    assert outcome(claims(title, body, right)) is Outcome.FOUND


@pytest.mark.parametrize(
    "said",
    [
        "- small fix for the footer",
        "Adds a loader; a small change of the tests follows later.",
        "This changes the interface.",
        "Behaviour changes as told in the issue.",
        "Detects typing mistakes and adds hints.",
        "Fix typing errors of mypy",
    ],
)
def test_words_about_a_part_of_a_change_do_not_speak_of_all_of_it(said: str) -> None:
    assert outcome(claims("Add a loader", said, LARGE)) is Outcome.NOT_APPLICABLE


def test_layout_alone_keeps_every_word() -> None:
    laid = Documents({"src/app.py": "x = f(\n    1,\n    2,\n)\n"}, {"src/app.py": "x = f(1, 2)\n"})
    more = Documents({"src/app.py": "y = 2\n" * 20}, {"src/app.py": "x = f(1, 2)\n"})
    assert outcome(claims("style: wrap", "", CODE, documents=laid)) is Outcome.FOUND
    assert outcome(claims("Tidy", "Formatting only.", CODE, documents=more)) is Outcome.NOT_FOUND


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("See `src/gone.py` for the details.", Outcome.NOT_FOUND),
        ("The loader in src/app.py is split.", Outcome.FOUND),
        ("A later change will add `src/next.py`.", Outcome.NOT_APPLICABLE),
        ("See https://example.org/src/gone.py and docs.example.org/a/b.html.", Outcome.NOT_APPLICABLE),
        ("Works and/or fails in v1.2/v1.3.", Outcome.NOT_APPLICABLE),
        ("Like src/other.py does.", Outcome.NOT_APPLICABLE),
        ("Updates src/other.py as well.", Outcome.NOT_FOUND),
        ("Refuse what is outside of the node/io.js grammar.", Outcome.NOT_APPLICABLE),
        ("Refuse what src/node.js does not know.", Outcome.NOT_FOUND),
        ("Spell it alike in readme/other.md.", Outcome.NOT_FOUND),
        ("Spell it alike in app/other.py.", Outcome.NOT_APPLICABLE),
    ],
)
def test_files_that_are_named_exist_and_those_said_to_change_do(said: str, expected: Outcome) -> None:
    assert outcome(claims("Split the loader", said, CODE)) is expected


@pytest.mark.parametrize(
    ("said", "named"),
    [("Fixes #12", True), ("See owner/name#3", True), ("Closes ABC-12", True), ("Uses UTF-8 and C#", False)],
)
def test_whether_an_issue_is_named_is_told_and_never_judged(said: str, named: bool) -> None:
    (fact,) = claims("Split the loader", said, CODE)
    assert fact.outcome is Outcome.NOT_APPLICABLE
    assert ("names an issue" in fact.statement) is named


def test_the_share_of_claims_that_hold_is_measured_and_each_contradiction_is_a_fact() -> None:
    facts = claims("docs: guide", "Adds tests.\nSee docs/guide.md.", GUIDE, CODE)
    assert [fact.outcome for fact in facts] == [Outcome.NOT_FOUND, Outcome.NOT_FOUND]
    assert {fact.measure for fact in facts} == {0.3333}
    assert "line 1 of the text" in facts[0].statement
    assert "the title" in facts[1].statement


def test_an_empty_description_claims_nothing() -> None:
    assert outcome(claims("", "", CODE)) is Outcome.NOT_APPLICABLE


SHOP = project("shop")
PRICES, CLIENT, TESTS = SHOP["shop/prices.py"], SHOP["shop/client.py"], SHOP["tests/test_prices.py"]
DISCOUNT = f"""{PRICES}

def discount(total: float, percent: int) -> float:
    \"\"\"Less by some percent.\"\"\"
    return total * (100 - percent) / 100
"""
WITHOUT_SHIPPING = PRICES.partition("\n\ndef shipping")[0] + "\n"
RENAMED = PRICES.replace("def gross", "def with_tax")
SLOWER = CLIENT.replace("timeout=10", "timeout=30")
ONE_TEST = f"{TESTS}\n\ndef test_discount_takes_percent():\n    assert discount(100, 10) == 90\n"
SAYS_SO, CONTRADICTS, SAYS_NOTHING = Outcome.FOUND, Outcome.NOT_FOUND, Outcome.NOT_APPLICABLE


def said_of(said: str, files: Mapping[str, str | None], before: Mapping[str, str] = SHOP) -> Outcome:
    """What is answered to a description of a change of the shop that leaves these files as they are given."""
    after = {path: text for path, text in {**before, **files}.items() if text is not None}
    edited = tuple(_edited(path, before.get(path), after.get(path)) for path in files)
    touched = (
        {path: before[path] for path in files if path in before},
        {path: after[path] for path in files if path in after},
    )
    python = tuple({path: text for path, text in side.items() if path.endswith(".py")} for side in touched)
    title, _, body = said.partition("\n")
    facts = ask(
        "claims.description_matches",
        Description(title, body.strip()),
        change(*edited),
        Documents(touched[1], touched[0]),
        modules(python[1], python[0]),
        tree(*after),
    )
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
    ("said", "files", "expected"),
    [
        ("Add `discount`", {"shop/prices.py": DISCOUNT}, SAYS_SO),
        ("Add discount() to the prices", {"shop/prices.py": DISCOUNT}, SAYS_SO),
        ("Add `coupon`\n\nCustomers can enter a code.", {"shop/prices.py": DISCOUNT}, CONTRADICTS),
        ("Add `discount`, remove `shipping`", {"shop/prices.py": DISCOUNT}, CONTRADICTS),
        ("Remove `shipping`", {"shop/prices.py": WITHOUT_SHIPPING}, SAYS_SO),
        ("Tidy the prices\n\nThe old functions keep working.", {"shop/prices.py": WITHOUT_SHIPPING}, CONTRADICTS),
        ("Rename `gross` to `with_tax`", {"shop/prices.py": RENAMED}, SAYS_SO),
        ("Rename `gross` to `with_tax`\n\nThe old name keeps working.", {"shop/prices.py": RENAMED}, CONTRADICTS),
        ("Rename `net` to `without_tax`", {"shop/prices.py": RENAMED}, CONTRADICTS),
        ("Call it `with_tax`\n\n`gross` stays.", {"shop/prices.py": f"{RENAMED}\n\ngross = with_tax\n"}, SAYS_SO),
        ("Call it `with_tax`\n\n`gross` stays.", {"shop/prices.py": RENAMED}, CONTRADICTS),
        ("Deprecate `shipping`", {"shop/prices.py": WITHOUT_SHIPPING}, CONTRADICTS),
        ("Deprecate `shipping`", {"shop/prices.py": PRICES.replace("Cost in", "Deprecated. Cost in")}, SAYS_SO),
        ("`stock` now raises `TimeoutError`", {"shop/client.py": SLOWER}, CONTRADICTS),
        ("Raise `LookupError` for unknown goods", {"shop/client.py": SLOWER}, CONTRADICTS),
        ("`stock` waits longer for slow answers", {"shop/client.py": SLOWER}, SAYS_SO),
        ("The signature of `gross` is unchanged.", {"shop/prices.py": PRICES.replace("total: float, rate", "amount: float, rate")}, CONTRADICTS),
        ("Replace `requests` with `httpx`", {"shop/client.py": SLOWER}, CONTRADICTS),
        ("Replace requests with httpx", {"shop/client.py": CLIENT.replace("requests", "httpx")}, SAYS_SO),
    ],
)  # fmt: skip
def test_names_that_are_said_to_come_go_or_stay_are_looked_for_in_the_change(
    said: str, files: dict[str, str | None], expected: Outcome
) -> None:
    assert said_of(said, files) is expected


MANIFEST = SHOP["pyproject.toml"]


@pytest.mark.parametrize(
    ("said", "files", "expected"),
    [
        ("Bump requests from 2.31 to 2.32.3", {"pyproject.toml": MANIFEST.replace("2.31", "2.32.3")}, SAYS_SO),
        ("Bump requests to v2.x", {"pyproject.toml": MANIFEST.replace("2.31", "2.32.3")}, SAYS_SO),
        ("Bump requests to 3.x", {"pyproject.toml": MANIFEST.replace("2.31", "2.32.3")}, CONTRADICTS),
        ("Bump requests to 2.33", {"pyproject.toml": MANIFEST.replace("2.31", "2.32.3")}, CONTRADICTS),
        ("Raise the timeout to 30 seconds", {"shop/client.py": SLOWER}, SAYS_SO),
        ("Raise the timeout to 20 seconds", {"shop/client.py": SLOWER}, CONTRADICTS),
        ("Raise the timeout to 30000 ms", {"shop/client.py": SLOWER}, SAYS_SO),
        ("Discounts\n\nOnly one file is touched.", {"shop/prices.py": DISCOUNT, "shop/client.py": SLOWER}, CONTRADICTS),
        ("Discounts\n\nTwo files change.", {"shop/prices.py": DISCOUNT, "shop/client.py": SLOWER}, SAYS_SO),
        ("Discounts\n\nAdds two tests.", {"shop/prices.py": DISCOUNT, "tests/test_prices.py": ONE_TEST}, CONTRADICTS),
        ("Discounts\n\nAdds one test.", {"shop/prices.py": DISCOUNT, "tests/test_prices.py": ONE_TEST}, SAYS_SO),
        ("Wait\n\nThe change is limited to `shop/client.py`.", {"shop/client.py": SLOWER}, SAYS_SO),
        ("Wait\n\nThe change is limited to `shop/client.py`.", {"shop/client.py": SLOWER, "shop/prices.py": DISCOUNT}, CONTRADICTS),
        ("Wait\n\nDoes not touch `shop/prices.py`.", {"shop/client.py": SLOWER, "shop/prices.py": DISCOUNT}, CONTRADICTS),
        ("Wait\n\nNo new dependencies.", {"pyproject.toml": MANIFEST.replace("requests", "httpx")}, CONTRADICTS),
        ("Wait\n\nNo new dependencies.", {"shop/client.py": SLOWER}, SAYS_SO),
        ("Wait\n\nThe README is updated as well.", {"shop/client.py": SLOWER}, CONTRADICTS),
        ("Wait\n\n- changelog entry added", {"shop/client.py": SLOWER}, CONTRADICTS),
        ("Wait\n\nAdds a workflow that runs the linter.", {"shop/client.py": SLOWER}, CONTRADICTS),
        ("Wait\n\nComes with a migration for the table.", {"shop/client.py": SLOWER}, CONTRADICTS),
        ("Add docstrings", {"shop/prices.py": PRICES.replace('    \"\"\"Without tax.\"\"\"\n', "")}, CONTRADICTS),
        ("Discounts\n\nThe change is purely additive.", {"shop/prices.py": DISCOUNT}, SAYS_SO),
        ("Discounts\n\nThe change is purely additive.", {"shop/prices.py": WITHOUT_SHIPPING}, CONTRADICTS),
        ("New tax\n\nNo existing test had to be changed.", {"tests/test_prices.py": TESTS.replace("120", "119")}, CONTRADICTS),
        ("feat: discounts", {"README.md": "# Shop\n\nDiscounts.\n"}, CONTRADICTS),
        ("feat: discounts", {"shop/prices.py": DISCOUNT}, SAYS_SO),
        ("ci: run the linter", {"shop/prices.py": DISCOUNT}, CONTRADICTS),
        ("Rename `shop/prices.py` to `shop/money.py`", {"shop/prices.py": None, "shop/money.py": PRICES}, SAYS_SO),
        ("Rename `shop/prices.py` to `shop/money.py`", {"shop/money.py": PRICES}, CONTRADICTS),
        ("Delete `shop/prices.py`", {"shop/prices.py": WITHOUT_SHIPPING}, CONTRADICTS),
    ],
)  # fmt: skip
def test_numbers_places_and_what_comes_along_are_held_against_the_change(
    said: str, files: dict[str, str | None], expected: Outcome
) -> None:
    assert said_of(said, files) is expected


@pytest.mark.parametrize(
    "said",
    [
        "Improvements",
        "Make it better\n\nAs discussed yesterday.",
        "Fix the nightly job\n\nIt failed again on Monday. Closes #12.",
        "Next step\n\nSee the ticket for the reasons.",
        "Tidy up\n\nWe should add `coupon` later. I tried to remove `shipping` and it did not work out.",
        "Various things\n\n```\nadd `coupon`\n```",
    ],
)
def test_words_that_fit_any_change_say_nothing_of_this_one(said: str) -> None:
    assert said_of(said, {"shop/client.py": SLOWER}) is SAYS_NOTHING


WORKFLOW = {".github/workflows/ci.yml": "on: push\n"}
COMMENTED = PRICES.replace('    """Without', '    # as the law has it\n    """Without')
MORE_TESTS = f"{TESTS}\n\ndef test_net_of_nothing():\n    assert net(0) == 0\n"
EDITED_TESTS = TESTS.replace("120", "119")
NUMBERED = MANIFEST.replace('version = "', 'version = "9.')


@pytest.mark.parametrize(
    ("said", "wrong", "right"),
    [
        ("This only touches `prices.py`.", {"shop/prices.py": DISCOUNT} | WORKFLOW, {"shop/prices.py": DISCOUNT}),
        ("One line in prices.py, nothing else changed.", {"shop/prices.py": DISCOUNT} | WORKFLOW, {"shop/prices.py": DISCOUNT}),
        ("See prices.py. No other files touched.", {"shop/prices.py": DISCOUNT, "shop/client.py": SLOWER}, {"shop/prices.py": DISCOUNT}),
        ("No file other than shop/prices.py changes.", {"shop/prices.py": DISCOUNT, "README.md": "x\n"}, {"shop/prices.py": DISCOUNT}),
        ("Workflows and README untouched.", {"shop/prices.py": DISCOUNT} | WORKFLOW, {"shop/prices.py": DISCOUNT}),
        ("Only the tests change.", {"tests/test_prices.py": MORE_TESTS, "shop/prices.py": COMMENTED}, {"tests/test_prices.py": MORE_TESTS}),
        ("This PR only adds tests for net.", {"tests/test_prices.py": MORE_TESTS, "shop/client.py": SLOWER}, {"tests/test_prices.py": MORE_TESTS}),
        ("All existing tests pass untouched.", {"tests/test_prices.py": EDITED_TESTS}, {"tests/test_prices.py": MORE_TESTS}),
        ("Tests: unchanged.", {"tests/test_prices.py": MORE_TESTS}, {"shop/client.py": SLOWER}),
        ("No code changes.", {"shop/client.py": SLOWER}, {"pyproject.toml": MANIFEST.replace("2.31", "2.32.3")}),
        ("Bumps the version in `pyproject.toml`.", {"shop/prices.py": DISCOUNT}, {"pyproject.toml": NUMBERED}),
        ("Adds a line in the README.", {"shop/prices.py": DISCOUNT}, {"README.md": "# Shop\n\nDiscounts.\n"}),
        ("Adds `discount` and a unit test for it.", {"shop/prices.py": DISCOUNT}, {"shop/prices.py": DISCOUNT, "tests/test_prices.py": ONE_TEST}),
        ("Adds `discount`, with a test for `discount`.", {"shop/prices.py": DISCOUNT, "tests/test_prices.py": MORE_TESTS}, {"shop/prices.py": DISCOUNT, "tests/test_prices.py": ONE_TEST}),
        ("- shop/client.py: waits longer\n- pyproject.toml: new version", {"shop/client.py": SLOWER}, {"shop/client.py": SLOWER, "pyproject.toml": NUMBERED}),
        ("Drop Python 3.7 support.", {"shop/client.py": SLOWER}, {"pyproject.toml": MANIFEST + "# 3.7 is gone\n"}),
        ("Bump attrs to 23.1.", {"pyproject.toml": MANIFEST.replace("2.31", "2.32.3")}, {"pyproject.toml": MANIFEST + "# attrs 23.1\n"}),
        ("Removes the old function with_shipping.", {"shop/prices.py": f"{DISCOUNT}\nwith_shipping = 1\n"}, {"shop/prices.py": WITHOUT_SHIPPING}),
    ],
)  # fmt: skip
def test_what_stays_what_alone_changes_and_what_is_worked_on_goes_by_any_words(
    said: str, wrong: dict[str, str | None], right: dict[str, str | None]
) -> None:
    assert said_of(f"Next step\n\n{said}", wrong) is CONTRADICTS
    assert said_of(f"Next step\n\n{said}", right) is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    [
        "I'll add tests in a follow-up.",
        "The README will follow in another PR.",
        "If wanted, I can add a changelog entry.",
        "The README already explains it.",
        "The other tests are unchanged.",
        "Adds links to the README of the warehouse.",
        "Waits as pyproject.toml has it, like `prices.py` does.",
        "The crash was only in `prices.py` so far.",
        "`docker build` makes it; the README, as before, says how.",
        "`shop/rates.gen.py` is generated and ignored by git.",
        "The config.Timeout of Go is no file.",
        "The code of the workflow engine elsewhere adds steps to a pipeline of its own.",
    ],
)
def test_words_that_put_off_explain_or_point_elsewhere_are_held_against_nobody(said: str) -> None:
    assert (
        said_of(f"Wait\n\n{said}", {"shop/client.py": SLOWER, "tests/test_prices.py": EDITED_TESTS}) is not CONTRADICTS
    )


@pytest.mark.parametrize(
    ("title", "files"),
    [
        ('Revert "Add `coupon` and update the README"', {"shop/client.py": SLOWER}),
        ("refactor: replace requests by something else", {"shop/prices.py": WITHOUT_SHIPPING}),
        ("feat: guide for discounts", {"README.md": "# Shop\n\nDiscounts.\n"}),
        ("docs: clearer help", {"shop/client.py": CLIENT.replace("stock/", "stocks/")}),
    ],
)
def test_titles_that_say_themselves_what_they_bring_are_not_held_against_their_kind(
    title: str, files: dict[str, str | None]
) -> None:
    assert said_of(title, files) is not CONTRADICTS


def test_a_title_of_a_kind_is_believed_less_than_words_of_the_author() -> None:
    title, words = (
        claims(title, body, GUIDE, CODE)[0] for title, body in (("docs: guide", ""), ("Guide", "Docs only."))
    )
    assert title.confidence < 0.7 < words.confidence


@pytest.mark.parametrize("name", ["uv.lock", "site.scss", "App.vue", "schema.prisma", "build.kts", "main.c", "a.cts"])
def test_files_go_by_the_same_suffixes_wherever_descriptions_name_them(name: str) -> None:
    """Three lists of suffixes differed by these: they are no names of code, and are paths in every form."""
    files = {f"app/{name}": "x\n", "shop/client.py": SLOWER}
    assert said_of(f"Wait\n\nAdds `{name}`.", files) is SAYS_SO
    assert said_of(f"Wait\n\n{name} is untouched.", files) is CONTRADICTS


def test_what_a_new_version_of_a_package_is_said_to_bring_is_not_said_of_the_change() -> None:
    body = "Bumps requests.\n\n<details>\n<summary>Release notes</summary>\n\n- Adds tests.\n- Remove `compat`\n- Bump idna from 3.1 to 3.2\n</details>"
    bumped = {"pyproject.toml": MANIFEST.replace("2.31", "2.32.3")}
    assert said_of(f"Bump requests from 2.31 to 2.32.3\n\n{body}", bumped) is SAYS_SO


def test_a_sentence_that_goes_on_on_the_next_line_is_one() -> None:
    said = (
        "Wait longer\n\nThe warehouse answers slowly in the evening, so the client adds\n`patience` to what it waits."
    )
    assert said_of(said, {"shop/client.py": SLOWER}) is CONTRADICTS


ROUTES = """from fastapi import APIRouter

router = APIRouter()


@router.get("/prices/{{sku}}")
def price(sku: str) -> float:
    return 1.0


@router.put("/prices/{{sku}}")
def reprice(sku: str, net: float) -> None:
    del sku, net
{more}"""
TWO_ROUTES = ROUTES.format(more="")
THREE_ROUTES = ROUTES.format(more='\n\n@router.delete("/prices/{sku}")\ndef forget(sku: str) -> None:\n    del sku\n')
COMMAND = 'package main\n\nimport "flag"\n\nvar asJSON = flag.Bool("json", false, "print JSON")\n'
NEW_VERSION = MANIFEST.replace('version = "', 'version = "7.')
COPIED = {"web/vendor/sortable.min.js": "function a(){}\n"}
CHECKS = {"scripts/check.sh": "go vet ./... || true\n"}


@pytest.mark.parametrize(
    ("said", "files", "expected"),
    [
        ("Prices API\n\nAdds three endpoints for prices.", {"shop/api.py": THREE_ROUTES}, SAYS_SO),
        ("Prices API\n\nAdds three endpoints for prices.", {"shop/api.py": TWO_ROUTES}, CONTRADICTS),
        ("Prices API\n\nAdds two endpoints and mentions three routes of tomorrow.", {"shop/api.py": TWO_ROUTES}, SAYS_SO),
        ("Add a `-json` flag", {"cmd/main.go": COMMAND}, SAYS_SO),
        ("Add a `-yaml` flag", {"cmd/main.go": COMMAND}, CONTRADICTS),
        ("Bump the version in pyproject.toml from 1.0 to 55.66.77", {"pyproject.toml": NEW_VERSION}, CONTRADICTS),
        ("Slower\n\nEdits `shop/client.py`. Only that file changes.", {"shop/client.py": SLOWER}, SAYS_SO),
        ("Slower\n\nEdits `shop/client.py`. Only that file changes.", {"shop/client.py": SLOWER, "shop/prices.py": WITHOUT_SHIPPING}, CONTRADICTS),
        ("Softer checks\n\nWorkflows are not touched.", CHECKS, SAYS_SO),
        ("Softer checks\n\nWorkflows are not touched.", {".github/workflows/ci.yml": "on: push\n"}, CONTRADICTS),
        ("Slower\n\nThis change has no tests.", {"shop/client.py": SLOWER}, SAYS_SO),
        ("Drag and drop\n\nNo third-party code is added.", {"shop/client.py": SLOWER, **COPIED}, CONTRADICTS),
        ("Drag and drop\n\nNo third-party code is added.", {"shop/client.py": SLOWER}, SAYS_SO),
    ],
)  # fmt: skip
def test_what_is_counted_bound_or_denied_in_other_words_is_held_against_the_change_too(
    said: str, files: dict[str, str | None], expected: Outcome
) -> None:
    assert said_of(said, files) is expected
