"""The course of one run of the Action: from the environment to the exit code, whatever happens on the way."""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import IO

from auditor.action import action_inputs, event_plans, result_pages, runner_environment
from auditor.action.action_inputs import FailStep, Inputs, Mode
from auditor.action.check_run_lifecycle import AuditRun, RunResult
from auditor.action.run_conclusions import Outcome, exit_code
from auditor.action.runner_environment import Runner
from auditor.action.step_log import Log
from auditor.domain import Conclusion, UserError
from auditor.github import GitHubError
from auditor.publishers import job_summary_publisher, step_outputs
from auditor.settings import Inconclusive


class Stopped(BaseException):
    """The runner asks the step to end. No handler of errors may take it for one."""


def run(environment: Mapping[str, str], stream: IO[str]) -> int:
    """Act on the event of a runner's environment and give the exit code of the step. Raises nothing."""
    log = Log(stream)
    with _raise_on_signal():
        try:
            about = runner_environment.read(environment)
        except UserError as error:
            log.fail(str(error))
            return exit_code(Outcome.ERROR, FailStep.GATE, Inconclusive.ACTION_REQUIRED)
        try:
            wanted, strangers = action_inputs.read(environment)
        except UserError as error:
            _report_result(RunResult(Outcome.ERROR, str(error)), about, Inputs(), log)
            return exit_code(Outcome.ERROR, FailStep.GATE, Inconclusive.ACTION_REQUIRED)
        if wanted.mode is Mode.DOCTOR:
            return _run_doctor(environment, about, log)
        for line in strangers:
            log.warn(line)
        case = AuditRun(about, wanted, stream)
        ending = _execute(case)
        _ignore_signals()
        if ending.report is None:
            ending = _complete_check_run(case, ending, log)
        case.close()
        _report_result(ending, about, wanted, log)
    return exit_code(ending.outcome, wanted.fail_step, case.inconclusive)


def _run_doctor(environment: Mapping[str, str], about: Runner, log: Log) -> int:
    from auditor.action import setup_doctor

    try:
        return setup_doctor.run(environment, about.workspace, log.say)
    except Stopped:
        return exit_code(Outcome.STOPPED, FailStep.GATE, Inconclusive.ACTION_REQUIRED)


def _execute(case: AuditRun) -> RunResult:
    try:
        return case.execute(event_plans.plan(case.runner, runner_environment.read_payload(case.runner)))
    except Stopped:
        return RunResult(Outcome.STOPPED, "The run was cancelled before there was a verdict.")
    except UserError as error:
        return RunResult(Outcome.ERROR, str(error))
    except GitHubError as trouble:
        return RunResult(Outcome.ERROR, trouble.sentence)
    except Exception as error:  # noqa: BLE001 - told as a bug, and the check run is still completed
        if os.environ.get("AUDITOR_DEBUG"):
            traceback.print_exc()
        return RunResult(Outcome.BUG, f"{type(error).__name__}: {str(error)[:200]!r}")


def _complete_check_run(case: AuditRun, ending: RunResult, log: Log) -> RunResult:
    """The check run completed where possible; a second failure on the way out must not hide the first."""
    try:
        return case.abandon(ending)
    except Exception as error:  # noqa: BLE001 - told, and the run goes on to its end
        log.warn(f"The check run could not be completed: a bug of the tool ({type(error).__name__}).")
        return ending


def _report_result(ending: RunResult, about: Runner, wanted: Inputs, log: Log) -> None:
    """The log, the outputs, and the job summary where no verdict has been written there."""
    if ending.sentence:
        shown = log.fail if ending.outcome in (Outcome.ERROR, Outcome.BUG, Outcome.TIMED_OUT) else log.say
        shown(_with_input_names(ending.sentence))
    log.say(_verdict_line(ending))
    for reason in ending.report.verdict.gate.reasons if ending.report is not None else ():
        if reason.conclusion is not Conclusion.PASSED:
            log.say(reason.sentence)
    values = result_pages.outputs(
        ending.outcome,
        ending.report,
        ending.deliveries,
        f"{wanted.report_directory}/report.json",
        ending.check_url,
    )
    try:
        if about.output is not None:
            step_outputs.write(about.output, values)
        if ending.report is None and about.summary is not None:
            job_summary_publisher.write(
                about.summary, result_pages.summary_page(ending.outcome, _with_input_names(ending.sentence))
            )
    except (OSError, job_summary_publisher.TooLong) as error:
        log.warn(f"Outputs or job summary could not be written ({type(error).__name__}).")


def _verdict_line(ending: RunResult) -> str:
    overall = ending.report.verdict.overall if ending.report else None
    score = "" if overall is None else f", overall {overall:.1f} of 5"
    where = next((each.url for each in ending.deliveries if each.destination == "check" and each.url), ending.check_url)
    return f"Verdict: {ending.outcome.value}{score}." + (f" {where}" if where else "")


_INPUT_BY_OPTION = {
    "--judges embedded": "judges: embedded",
    "set ANTHROPIC_API_KEY": "give the input anthropic-api-key",
    "--max-tokens": "the input max-tokens",
    "--token-env": "the input token",
    "--timeout": "the input timeout",
    "--base": "the base branch",
    "--head": "the head",
}
"""What a sentence for the command line calls an option is an input here."""


def _with_input_names(sentence: str) -> str:
    for option, name in _INPUT_BY_OPTION.items():
        sentence = sentence.replace(option, name)
    return sentence


_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@contextmanager
def _raise_on_signal() -> Iterator[None]:
    """While this is open, a signal to end unwinds the run, so that the check run is completed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_number: int, _frame: FrameType | None) -> None:
        _ignore_signals()
        raise Stopped

    before = {each: signal.signal(each, stop) for each in _SIGNALS}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _ignore_signals() -> None:
    """From here on the run is being ended; a second signal must not leave it half done."""
    if threading.current_thread() is threading.main_thread():
        for each in _SIGNALS:
            signal.signal(each, signal.SIG_IGN)


def main() -> int:
    """Act as the step of a workflow: the environment of this process, and its standard output."""
    return run(os.environ, sys.stdout)
