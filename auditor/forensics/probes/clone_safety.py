"""How repositories of others are fetched."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.domain import Fact
from auditor.forensics.agent_systems.system_facts import probe_facts
from auditor.forensics.agent_systems.system_report_types import AgentSystem
from auditor.forensics.probe_kit.probe_decorators import probe


@probe("code.clone_in_temporary_directory")
def clone_in_temporary_directory(system: AgentSystem) -> Iterator[Fact]:
    """Is every clone in a temporary directory that outlives its use?

    Asked of each place in product code that clones by a `git clone` command or a library; where its destination comes from is followed
    through calls. A fixed folder, the working directory, and no destination at all are not temporary; a directory that is deleted before
    its path is handed on does not outlive its use.

    Clone below `tempfile.TemporaryDirectory()` or `mkdtemp()`, and keep the directory object for as long as somebody reads from it.
    """
    yield from probe_facts(system, "code.clone_in_temporary_directory")


@probe("code.url_validated")
def url_validated(system: AgentSystem) -> Iterator[Fact]:
    """Is the URL checked before git sees it?

    Asked of each place in product code that clones. Counts: a condition that can stop the work and looks at the URL's beginning, parts,
    host, pattern or forbidden characters, in the function, in what leads to it or in what it calls, or a type that validates URLs. That it
    is not empty and that git accepts it are no such checks.

    Refuse what is no https URL of an expected host before it reaches git, and put `--` before it in the command.
    """
    yield from probe_facts(system, "code.url_validated")


@probe("code.auth_errors_handled")
def auth_errors_handled(system: AgentSystem) -> Iterator[Fact]:
    """Are authentication failures told apart?

    Asked of each place in product code that clones. Counts: looking for what git says of refused credentials, or raising or catching an
    error of its own for them, in the function, in what leads to it or in what it calls. One handler for whatever goes wrong does not, nor
    does a message that mentions credentials and decides nothing.

    Look at what git says (authentication failed, permission denied, could not read Username) and answer that case with its own error.
    """
    yield from probe_facts(system, "code.auth_errors_handled")
