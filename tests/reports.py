"""Records to render: a realistic one, and a contested one. Hand-written evidence and opinions, the real synthesis."""

from __future__ import annotations

from typing import Any

from auditor.domain import (
    Abstention,
    Attempt,
    AuditReport,
    Cause,
    Citation,
    CodeLocation,
    CommitLocation,
    Cost,
    Coverage,
    Criterion,
    DocumentLocation,
    Evidence,
    Expect,
    Expectation,
    FileCoverage,
    FileStatus,
    GatePolicy,
    Opinion,
    Outcome,
    Rubric,
    RubricRecord,
    Scope,
    SecondLook,
    SensitiveArea,
    SensitiveLines,
    Severity,
    Side,
    Step,
    Subject,
    Timings,
    Tool,
    Waiver,
)
from auditor.report.github_links import Links
from auditor.report.rule_page_text import ToolHome
from auditor.synthesis import synthesise
from tests.verdicts import PERSONAS

HEAD = "4f1c9a7be02d83c65f7a1e9d0b42c8f36a5d7e10"
BASE = "b7e3d2109c84f5a6e1d0c9b8a7f6e5d4c3b2a190"
BEFORE = "9d8c7b6a5f4e3d2c1b0a9f8e7d6c5b4a39281706"
GITHUB = "https://github.com"
LINKS = Links(
    server_url=GITHUB,
    repository="acme/parcels",
    head_sha=HEAD,
    base_sha=BASE,
    run_url=f"{GITHUB}/acme/parcels/actions/runs/8123456789",
    check_url=f"{GITHUB}/acme/parcels/runs/23456789012",
    tool=ToolHome(f"{GITHUB}/octo/automaton-auditor", "v1"),
)


def rubric(**more: Any) -> Rubric:
    """Six criteria, a little of everything a rubric can ask."""
    return Rubric(
        id="pull-request",
        title="Pull request",
        about="Is this change safe to merge, and will the next person be glad of it?",
        personas=PERSONAS,
        gate=GatePolicy(),
        criteria=(
            _criterion(
                "focus",
                "Change focus and history",
                "Can the change be reviewed in one go, and does its history show how it was made?",
                Expectation(probe="change.size", expect=Expect.NOT_FOUND, weight=3, worst=1.0),
                Expectation(probe="history.messages", expect=Expect.NOT_FOUND, severity=Severity.LOW, worst=0.6),
            ),
            _criterion(
                "tests",
                "Tests accompany code",
                "Does new behaviour come with tests that can fail, and do the old ones stay?",
                Expectation(probe="tests.changed_with_code", expect=Expect.FOUND, weight=3, cap=3.5, worst=0.3),
                Expectation(probe="tests.removed_or_skipped", expect=Expect.NOT_FOUND, weight=2, worst=0.3),
                weight=2,
            ),
            _criterion(
                "security",
                "Security",
                "Does anything run, load, trust or send what it should not?",
                Expectation(
                    probe="code.shell_execution", expect=Expect.NOT_FOUND, weight=3, severity=Severity.CRITICAL, cap=3
                ),
                Expectation(
                    probe="code.tls_verification_off", expect=Expect.NOT_FOUND, weight=2, severity=Severity.HIGH, cap=3
                ),
                weight=3,
                security=True,
            ),
            _criterion(
                "error_handling",
                "Error handling",
                "Are failures seen, named and bounded?",
                Expectation(probe="code.broad_except", expect=Expect.NOT_FOUND, weight=2, worst=0.6),
                Expectation(probe="code.no_timeout", expect=Expect.NOT_FOUND, weight=2, worst=1.0),
                weight=1.5,
            ),
            _criterion(
                "interfaces",
                "Interfaces and types",
                "Do callers keep working, and can a reader see what is passed in and returned?",
                Expectation(probe="code.public_api_break", expect=Expect.NOT_FOUND, weight=3, severity=Severity.HIGH),
                weight=1.5,
                architecture=True,
            ),
            _criterion(
                "documentation",
                "Documentation accuracy",
                "Do the documents say what the code does?",
                Expectation(probe="docs.paths_exist", expect=Expect.FOUND, worst=1.0),
            ),
        ),
        **more,
    )


def _criterion(criterion_id: str, title: str, question: str, *expectations: Expectation, **more: Any) -> Criterion:
    levels = {1: "It has to be done again.", 3: "It will do.", 5: "The next person will be glad of it."}
    return Criterion(id=criterion_id, title=title, question=question, evidence=expectations, levels=levels, **more)


def seen(evidence_id: str, statement: str, *locations: Any, outcome: Outcome = Outcome.FOUND, **more: Any) -> Evidence:
    """One piece of evidence."""
    return Evidence(
        id=evidence_id,
        probe=evidence_id.split("#", maxsplit=1)[0],
        outcome=outcome,
        statement=statement,
        locations=locations,
        **more,
    )


def line(path: str, start: int, quote: str, **more: Any) -> CodeLocation:
    """One line of a file."""
    return CodeLocation(path=path, start=start, end=start, quote=quote, **more)


def opinion(
    judge: str, criterion: str, score: int, argument: str, cites: Evidence, change: str = "", path: str = ""
) -> Opinion:
    """One opinion that cites one piece of evidence."""
    quote = next((each.quote for each in cites.locations if each.quote), cites.statement)
    return Opinion(
        judge=judge,
        criterion=criterion,
        score=score,
        argument=argument,
        citations=(Citation(evidence=cites.id, quote=quote),),
        remediation=(Step(path=path, change=change, evidence=cites.id),) if change else (),
    )


def report(
    evidence: tuple[Evidence, ...],
    opinions: tuple[Opinion, ...],
    *,
    asked: Rubric,
    gate: GatePolicy,
    abstentions: tuple[Abstention, ...] = (),
    waivers: tuple[Waiver, ...] = (),
    coverage: Coverage | None = None,
    bench: str = "embedded",
    cost: Cost | None = None,
    sensitive: SensitiveLines | None = None,
    **subject: Any,
) -> AuditReport:
    """A record whose verdict the real synthesis made."""
    about = Subject(
        **{
            "repository": "acme/parcels",
            "head": HEAD,
            "base": BASE,
            "merge_base": BASE,
            "scope": Scope.INTRODUCED,
            "pull_request": 271,
            "fork": False,
            **subject,
        }
    )
    return AuditReport(
        tool=Tool(version="1.0.0", python="3.11.9", git="2.45.0", bench=bench),
        subject=about,
        rubric=RubricRecord(
            id=asked.id, origin="built-in", digest="5e" * 32, definition=asked, gate=gate, waivers=waivers
        ),
        coverage=coverage or Coverage(files=(FileCoverage(path="parcels/rates.py", status=FileStatus.ANALYSED),)),
        evidence=evidence,
        sensitive_lines=sensitive or SensitiveLines(),
        opinions=opinions,
        abstentions=abstentions,
        verdict=synthesise(asked, evidence, opinions, abstentions, scope=about.scope, gate=gate, waivers=waivers),
        cost=cost or Cost(),
        timings=Timings(started_at="2026-11-21T09:00:00+00:00", seconds={"evidence": 0.4}),
    )


def typical() -> AuditReport:
    """A pull request with a shell command in it, judged by the written policies; the gate fails."""
    shell = seen(
        "code.shell_execution#1",
        "Shell injection risk: `subprocess.run(..., shell=True)` runs a command built at run time.",
        line("parcels/labels.py", 48, 'subprocess.run(f"lp -d {printer} {file}", shell=True)'),
        line("parcels/labels.py", 63, 'subprocess.run(f"lpstat -p {printer}", shell=True)'),
        introduced=True,
        second_look=SecondLook.AGREES,
    )
    tls = seen(
        "code.tls_verification_off#1",
        "No connection skips TLS or SSH host key verification.",
        outcome=Outcome.NOT_FOUND,
    )
    size = seen(
        "change.size#1",
        "The change adds 212 lines to review in 7 files.",
        outcome=Outcome.NOT_FOUND,
    )
    messages = seen("history.messages#1", "Each of 4 commit messages is informative.", outcome=Outcome.NOT_FOUND)
    changed = seen(
        "tests.changed_with_code#1",
        "21 new test lines for 164 new lines of product code.",
        CodeLocation(path="tests/test_labels.py"),
        confidence=0.9,
        confidence_reason="whether the tests run the new code was not analysed",
    )
    skipped = seen(
        "tests.removed_or_skipped#1",
        "1 test is skipped without a condition.",
        line("tests/test_rates.py", 30, '@pytest.mark.skip("flaky")'),
        measure=0.1,
        introduced=True,
    )
    broad = seen(
        "code.broad_except#1",
        "`except Exception` catches everything and handles all errors the same way.",
        line("parcels/rates.py", 117, "except Exception as error:"),
        measure=0.5,
        confidence=0.5,
        confidence_reason="the handler uses the exception and may pass it on",
        introduced=True,
    )
    timeout = seen(
        "code.no_timeout#1",
        "1 of 3 requests waits without end.",
        line("parcels/carriers/dhl.py", 22, "requests.get(self.tracking_url(number))"),
        measure=0.33,
        introduced=True,
    )
    breaks = seen("code.public_api_break#1", "No breaking API change in 3 changed modules.", outcome=Outcome.NOT_FOUND)
    docs = seen(
        "docs.paths_exist#1",
        "Path named in the documentation does not exist: `parcels/printers.py`.",
        line("docs/printing.md", 14, "see `parcels/printers.py`"),
        outcome=Outcome.NOT_FOUND,
        measure=0.89,
    )
    advice = "Pass the program and its arguments as a list, and leave shell=True out."
    opinions = (
        opinion("prosecutor", "focus", 5, "2 of 2 expectations met.", size),
        opinion("defense", "focus", 5, "2 of 2 expectations met.", size),
        opinion("tech_lead", "focus", 5, "2 of 2 expectations met.", size),
        opinion("prosecutor", "tests", 3, "A skipped test checks nothing.", skipped, "Fix the test, or give the skip a condition.", "tests/test_rates.py"),
        opinion("defense", "tests", 5, "New behaviour comes with tests.", changed),
        opinion("tech_lead", "tests", 4, "Met in part: one test is skipped.", skipped, "Fix the test, or give the skip a condition."),
        opinion("prosecutor", "security", 2, "A printer's name reaches a shell. A severe finding limits the score to 2.", shell, advice, "parcels/labels.py"),
        opinion("defense", "security", 3, "Two commands go through a shell.", shell, advice, "parcels/labels.py"),
        opinion("tech_lead", "security", 3, "Not met: two commands go through a shell.", shell, advice, "parcels/labels.py"),
        opinion("prosecutor", "error_handling", 2, "A request may wait for ever.", timeout, "Give every request a timeout.", "parcels/carriers/dhl.py"),
        opinion("defense", "error_handling", 4, "Two of three requests are bounded.", timeout, "Give every request a timeout."),
        opinion("tech_lead", "error_handling", 3, "Not met: one request without a timeout, one wide except.", broad, "Name the exceptions that the code in the `try` can raise."),
        opinion("prosecutor", "interfaces", 5, "No public name was removed.", breaks),
        opinion("defense", "interfaces", 5, "No public name was removed.", breaks),
        opinion("tech_lead", "interfaces", 5, "No public name was removed.", breaks),
        opinion("prosecutor", "documentation", 4, "One path leads nowhere.", docs, "Correct the path, or drop the sentence."),
        opinion("defense", "documentation", 5, "Eight of nine paths are right.", docs, "Correct the path, or drop the sentence."),
        opinion("tech_lead", "documentation", 5, "Eight of nine paths are right.", docs, "Correct the path, or drop the sentence."),
    )  # fmt: skip
    files = (
        *(
            FileCoverage(path=path, status=FileStatus.ANALYSED)
            for path in ("docs/printing.md", "parcels/carriers/dhl.py", "parcels/labels.py", "parcels/rates.py")
        ),
        FileCoverage(path="parcels/static/label.svg", status=FileStatus.NOT_APPLICABLE, reason="an image"),
        FileCoverage(path="tests/test_labels.py", status=FileStatus.ANALYSED),
        FileCoverage(path="tests/test_rates.py", status=FileStatus.ANALYSED),
    )
    return report(
        (size, messages, changed, skipped, shell, tls, broad, timeout, breaks, docs),
        opinions,
        asked=rubric(),
        gate=GatePolicy(overall=3.0, criteria={"security": 4.0, "tests": 3.0}, no_new=Severity.CRITICAL),
        coverage=Coverage(files=files),
        sensitive=SensitiveLines(
            areas=(
                SensitiveArea(
                    area="tls",
                    does="changes certificate checks",
                    places=(line("parcels/carriers/dhl.py", 9, "session.verify = settings.CHECK"),),
                ),
                SensitiveArea(
                    area="secrets",
                    does="handles secrets or environment variables",
                    places=(
                        line("parcels/carriers/dhl.py", 14, 'KEY = os.environ["DHL_KEY"]'),
                        line("parcels/labels.py", 12, 'PRINTER = os.environ.get("PRINTER")'),
                        line("parcels/rates.py", 20, "def rate(token: str) -> Rate:"),
                        line("parcels/rates.py", 31, "session.password = password"),
                    ),
                    left_out=2,
                ),
            )
        ),
    )


_ATTEMPTS = (
    Attempt(judge="prosecutor", round=1, number=1, asked="claude-sonnet-5", answered="claude-sonnet-5-20260901", request_id="req_1", outcome="ok", stop_reason="end_turn", input_tokens=210, cache_write_tokens=9_400, output_tokens=2_310, usd=0.09, seconds=21.4),
    Attempt(judge="defense", round=1, number=1, asked="claude-sonnet-5", answered="claude-sonnet-5-20260901", request_id="req_2", outcome="truncated", stop_reason="max_tokens", input_tokens=210, cache_read_tokens=9_400, output_tokens=2_048, usd=0.05, seconds=18.0),
    Attempt(judge="tech_lead", round=2, number=1, asked="claude-sonnet-5", outcome="timed out", input_tokens=9_610, seconds=120.0),
)  # fmt: skip


def contested() -> AuditReport:
    """A fork's pull request heard by a model: a dissent, an abstention, a waiver, an opinion set aside, dark files."""
    size = seen(
        "change.size#1",
        "Too large for one review: 1,818 added lines in 48 files (limit 400).",
        CodeLocation(path="parcels/routing.py"),
        CodeLocation(path="parcels/zones.py"),
        measure=0.9,
        introduced=True,
    )
    messages = seen(
        "history.messages#1",
        "2 of 5 commit messages are empty or only stock words such as `wip` or `fix`.",
        CommitLocation(sha="1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d", quote="wip"),
        CommitLocation(sha="2a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d", quote="fix"),
        measure=0.4,
        confidence=0.9,
        confidence_reason="dates and authors are set by the author's machine",
    )
    changed = seen(
        "tests.changed_with_code#1", "Product code changes and no test does.", outcome=Outcome.NOT_FOUND, measure=0.0
    )
    skipped = seen(
        "tests.removed_or_skipped#1",
        "2 tests removed: `test_zone_of_island`, `test_zone_of_border_town`.",
        line("tests/test_zones.py", 12, "def test_zone_of_island():", side=Side.BASE),
        line("tests/test_zones.py", 19, "def test_zone_of_border_town():", side=Side.BASE),
        measure=0.2,
        confidence=0.8,
        confidence_reason="the test may be renamed, or its code may be removed too",
        introduced=True,
    )
    shell = seen(
        "code.shell_execution#1", "1 file could not be checked for commands that are run in a shell.",
        CodeLocation(path="parcels/generated/zones_pb2.py"),
        outcome=Outcome.UNAVAILABLE,
    )  # fmt: skip
    tls = seen(
        "code.tls_verification_off#1",
        "No connection skips TLS or SSH host key verification.",
        outcome=Outcome.NOT_FOUND,
    )
    broad = seen("code.broad_except#1", "No exception is caught too widely.", outcome=Outcome.NOT_FOUND)
    timeout = seen("code.no_timeout#1", "No request is made.", outcome=Outcome.NOT_APPLICABLE)
    breaks = seen(
        "code.public_api_break#1",
        "A public function asks for a new parameter.",
        line("parcels/routing.py", 77, "def route(parcel: Parcel, depot: Depot, *, via: Hub) -> Route:"),
        line("parcels/routing.py", 131, "def reroute(parcel: Parcel, reason: Reason) -> Route:"),
        introduced=True,
        confidence=0.75,
        confidence_reason="the package has no list of what is public",
    )
    docs = seen(
        "docs.paths_exist#1",
        "All 9 paths named in documents exist.",
        DocumentLocation(path="docs/routing.pdf", page=3, quote="parcels/routing.py"),
    )
    opinions = (
        opinion("prosecutor", "focus", 1, "Nobody can review 1,818 lines in one go, and two commits do not say what they do.", size, "Split it into changes that each do one thing and can be merged alone.", "parcels/routing.py"),
        opinion("defense", "focus", 4, "Most of the lines are one table of zones.", size),
        opinion("tech_lead", "focus", 2, "The table could have come in a change of its own.", size, "Split it into changes that each do one thing and can be merged alone."),
        opinion("prosecutor", "tests", 1, "Tests are taken away and none is added.", skipped, "Keep the tests and mend the code."),
        opinion("tech_lead", "tests", 2, "No test runs the new routes.", changed, "Add a test for a parcel that goes through a hub."),
        opinion("defense", "security", 5, "Nothing was found.", tls),
        opinion("prosecutor", "error_handling", 4, "Nothing swallows an exception.", broad),
        opinion("defense", "error_handling", 5, "Nothing swallows an exception.", broad),
        opinion("tech_lead", "error_handling", 5, "Nothing swallows an exception.", broad),
        opinion("prosecutor", "interfaces", 1, "Two callers break without notice.", breaks, "Give `via` a default, and announce the new reason.", "parcels/routing.py"),
        Opinion(judge="defense", criterion="interfaces", score=5, argument="The new parameter is optional.", citations=(Citation(evidence="code.public_api_break#1", quote="via: Hub | None = None"),)),
        opinion("tech_lead", "interfaces", 3, "One break, easily mended.", breaks, "Give `via` a default, and announce the new reason."),
        opinion("prosecutor", "documentation", 5, "The manual names what there is.", docs),
    )  # fmt: skip
    abstentions = (
        Abstention(judge="defense", criterion="tests", cause=Cause.TRUNCATED, reason="The answer ended in the middle of a word."),
        Abstention(judge="prosecutor", criterion="security", cause=Cause.REFUSED, reason="The model declined to answer."),
        Abstention(judge="tech_lead", criterion="security", cause=Cause.TIMED_OUT, reason="No answer came within 120 seconds."),
    )  # fmt: skip
    files = (
        FileCoverage(path="parcels/generated/zones_pb2.py", status=FileStatus.UNAVAILABLE, reason="its syntax could not be read: line 4,112 is 80,310 characters long"),
        FileCoverage(path="parcels/routing.py", status=FileStatus.ANALYSED),
        FileCoverage(path="parcels/zones.py", status=FileStatus.PARTIAL, reason="only its first 1,000,000 bytes were read"),
        FileCoverage(path="vendor/geo/shapes.js", status=FileStatus.EXCLUDED, reason="excluded by vendor/** in the configuration"),
    )  # fmt: skip
    return report(
        (size, messages, changed, skipped, shell, tls, broad, timeout, breaks, docs),
        opinions,
        asked=rubric(),
        gate=GatePolicy(overall=2.0, criteria={"security": 3.0}),
        abstentions=abstentions,
        waivers=(Waiver(criterion="documentation", reason="The manual moves out this month.", until="2027-01-31"),),
        coverage=Coverage(files=files, complete=False, limit_reason="the change touches more than 10,000 files"),
        bench="claude",
        sensitive=SensitiveLines(
            areas=(
                SensitiveArea(
                    area="access_control",
                    does="changes access control",
                    places=(line("parcels/routing.py", 40, "@login_required", side=Side.BASE),),
                ),
            ),
            unread_files=3,
        ),
        cost=Cost(model_calls=5, input_tokens=48_210, output_tokens=6_934, usd=0.31, attempts=_ATTEMPTS),
        fork=True,
        pull_request=272,
    )
