"""What the tests of publishers share: a connection, a verdict to publish, a desk to leave it on."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

from auditor.domain import Annotation, AnnotationLevel, CheckConclusion, CheckOutput, CheckRun
from auditor.github import GitHub, GitHubError
from auditor.publishers import Publication, PublicationSubject, PublishContext, check_run_publisher
from tests.fake_github import JOB_TOKEN, FakeGitHub

HEAD = "a" * 40
NEWER = "c" * 40
NAME = "Automaton Auditor"
ABOUT = PublicationSubject("pull-request", HEAD, 7)
MARKER = "<!-- automaton-auditor:comment:pull-request -->"


def connected(fake: FakeGitHub, token: str = JOB_TOKEN) -> GitHub:
    return GitHub.connect(fake.url, token, "octo/shop", deadline=20, pace=0)


def note(line: int, words: str = "A shell runs here.") -> Annotation:
    return Annotation(
        path="app.py", start_line=line, end_line=line, level=AnnotationLevel.FAILURE, title="Security", message=words
    )


def verdict(lines: Iterable[int] = (), title: str = "Failed: 2.1 of 5") -> CheckOutput:
    return CheckOutput(
        title=title,
        summary="One criterion is below its threshold.",
        text="All of it.",
        annotations=tuple(map(note, lines)),
    )


def publication(lines: Iterable[int] = (), title: str = "Failed: 2.1 of 5") -> Publication:
    return Publication(
        conclusion=CheckConclusion.FAILURE,
        check=verdict(lines, title),
        comment=f"{MARKER}\n{title}",
        summary=f"# {title}",
        files={"report.json": "{}", "report.md": f"# {title}"},
    )


def begun(github: GitHub, about: PublicationSubject = ABOUT) -> CheckRun | GitHubError:
    """As the Action begins: trouble is a value that the ladder gets."""
    try:
        return check_run_publisher.begin(github, about, NAME, "https://example.com/run/1")
    except GitHubError as trouble:
        return trouble


def desk(
    github: GitHub | None, run: CheckRun | GitHubError | None, folder: Path, about: PublicationSubject = ABOUT
) -> PublishContext:
    return PublishContext(about, io.StringIO(), github, run, folder / "step-summary.md", folder)
