"""How repositories are cloned."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.domain import Fact
from auditor.forensics.agent_systems.system_facts import probe_facts
from auditor.forensics.agent_systems.system_report_types import AgentSystem
from auditor.forensics.probe_kit.probe_decorators import probe


@probe("code.clone_in_temporary_directory")
def clone_in_temporary_directory(system: AgentSystem) -> Iterator[Fact]:
    """Does every clone go into a temporary directory that lives long enough?

    Every `git clone` command and library call in product code is checked, and its destination is followed through calls. A fixed
    directory, the working directory and a missing destination are not temporary. A directory that is deleted before the clone is
    used does not live long enough.

    Clone into `tempfile.TemporaryDirectory()` or `mkdtemp()`, and keep the directory object while the clone is in use.
    """
    yield from probe_facts(system, "code.clone_in_temporary_directory")


@probe("code.url_validated")
def url_validated(system: AgentSystem) -> Iterator[Fact]:
    """Is the URL of a clone validated before git gets it?

    A check is a condition that can stop the clone and tests the URL's prefix, parts, host, pattern or forbidden characters, in the
    function, its callers or the functions it calls, or a type that validates URLs. A test that the URL is not empty is not a check,
    nor is git's own error.

    Reject URLs that are not https or not of an expected host, and put `--` before the URL in the command.
    """
    yield from probe_facts(system, "code.url_validated")


@probe("code.auth_errors_handled")
def auth_errors_handled(system: AgentSystem) -> Iterator[Fact]:
    """Are authentication errors of a clone handled separately?

    Code that tests git's message for refused credentials, or raises or catches a separate error for them, handles them: in the
    function, its callers or the functions it calls. One handler for all errors does not, nor does an error message that only
    mentions credentials.

    Test git's output for "authentication failed", "permission denied" or "could not read Username", and raise a separate error for it.
    """
    yield from probe_facts(system, "code.auth_errors_handled")
