"""A model whose answers are files: what is not answered yet is written down as a prompt, for a model to answer by hand.

The prompt files are all that the answering model may be given. It writes one JSON document of the schema beside each, under
the same name with `.json`; running again goes on from there.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from auditor.domain import AuditReport, Dossier
from auditor.judges.claude_bench import ClaudeBench, Options
from auditor.judges.judge_panel import Timeouts
from auditor.judges.recorded_answers import today
from auditor.judges.signed_answer_cache import SealedAnswerStore
from auditor.report.answers_kept_on_check_run import MAX_LENGTH
from tests.auditing import audited_change
from tests.judges.cases import claude
from tests.judges.model_stand_in import Body, Says, Standin, is_vote, judge
from tests.judging.blanking import ReadFile, blanked
from tests.judging.cases import Case


@dataclass
class AnswersInFiles:
    """The folder of one case: a prompt and an answer for each judge and round."""

    folder: Path
    missing: list[str] = field(default_factory=list)

    def answer(self, body: Body) -> Says:
        """The answer on file; a refusal where there is none yet, with the prompt written down."""
        content = body["messages"][0]["content"]
        turn = content[-1]["text"]
        name = f"{judge(body)}-{2 if is_vote(body) or '# Second look' in turn else 1}"
        answered = self.folder / f"{name}.json"
        if answered.exists():
            return Says(answered.read_text(encoding="utf-8"))
        self.folder.mkdir(parents=True, exist_ok=True)
        system = body["system"] if isinstance(body["system"], str) else body["system"][0]["text"]
        schema = json.dumps(body["output_config"]["format"]["schema"], indent=1)
        parts = [
            system,
            *(each["text"] for each in content),
            f"# Answer\nOne JSON document of this schema and nothing else:\n{schema}",
        ]
        (self.folder / f"{name}.md").write_text("\n\n".join(parts), encoding="utf-8")
        self.missing.append(name)
        return Says("", stop="refusal")


def heard(case: Case, folder: Path, criterion: str = "", *, is_blanked: bool = False) -> tuple[AuditReport, list[str]]:
    """The audit of a case with the answers on file, and the names of those that are missing.

    With one criterion judges are asked about that alone: a short prompt, and a short answer. A blanked case shows code
    without comments and docstrings.
    """
    answers = AnswersInFiles(folder / case.name)
    model: Callable[[Body], Says] = answers.answer
    bench = claude(Standin(model).connect())
    adapt = blanked if is_blanked else _as_it_is
    return audited_change(case.path, case.base, case.head, bench, criterion, adapt), answers.missing


@dataclass(frozen=True)
class Kept:
    """Answers of one audit that are kept on its check run, and those that the next audit asks for again."""

    answers: int
    reused: int
    length: int
    """Characters of all answers together, sealed, without a limit."""


def kept(case: Case, folder: Path, criterion: str = "", *, max_length: int = MAX_LENGTH) -> Kept:
    """Audit a case whose answers are all on file twice: what the second audit finds kept of the first."""
    answers = AnswersInFiles(folder / case.name)

    def audit(store: SealedAnswerStore) -> AuditReport:
        bench = ClaudeBench(
            Options("claude-sonnet-5-5", pace=Timeouts(deadline=60.0)), Standin(answers.answer).connect(), store
        )
        return audited_change(case.path, case.base, case.head, bench, criterion)

    first, whole = _store(max_length), _store(10_000_000)
    audit(first)
    audit(whole)
    second = _store(max_length)
    second.open(first.sealed())
    report = audit(second)
    return Kept(len(report.hearing.answers), report.cost.reused, len(whole.sealed()))


def _store(max_length: int) -> SealedAnswerStore:
    return SealedAnswerStore("a secret of this measurement alone, nobody's", ("tests.judging",), today(), max_length)


def _as_it_is(dossier: Dossier, _read: ReadFile) -> Dossier:
    return dossier
