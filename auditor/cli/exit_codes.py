"""What the exit code of the command says."""

from __future__ import annotations

PASSED, FAILED, MISTAKE, BUG, INCONCLUSIVE = range(5)
INTERRUPTED = 130
"""Ctrl-C, as shells expect it. SIGTERM ends with 143."""

EXIT_CODES = {
    PASSED: "the gate passed, or the change is empty and there is nothing to judge",
    FAILED: "the gate failed",
    MISTAKE: "a mistake in the options, the files or the repository; the message says what to do",
    BUG: "a bug in the tool, or one of its processes could not start",
    INCONCLUSIVE: "inconclusive: something could not be judged, and nothing failed",
}
BY_CONCLUSION = {"passed": PASSED, "failed": FAILED, "inconclusive": INCONCLUSIVE, "nothing_to_judge": PASSED}


def exit_code_help(*meanings: str) -> str:
    r"""The end of a help page: what each exit code means, from 0 on. The `\b` keeps click from wrapping it."""
    return "\b\nExit codes:\n" + "\n".join(f"  {code}  {meaning}" for code, meaning in enumerate(meanings))


EPILOGUE = exit_code_help(*EXIT_CODES.values())
