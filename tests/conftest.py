"""Fixtures that every test may use."""

import gc
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from auditor.forensics.secrets import secret_detector
from tests import small_process
from tests.fake_github.fixture import fake
from tests.repos import Drawing
from tests.warm import warm_up

__all__ = ["drawing", "fake"]


# What a build server or a shell sets, and what programs colour their answers or change their ways by.
_SAID_BY_SURROUNDINGS = ("CI", "FORCE_COLOR", "CLICOLOR_FORCE", "NO_COLOR", "COLUMNS", "LINES", "PYTEST_ADDOPTS")


def pytest_configure() -> None:
    """Begin alike everywhere: a build server's variables colour output, and a job started in the background ignores Ctrl-C."""
    for name in [
        each for each in os.environ if each in _SAID_BY_SURROUNDINGS or each.startswith(("GITHUB_", "RUNNER_"))
    ]:
        del os.environ[name]
    # Properties hold on a busy machine, too: how long an example takes tells of its neighbours.
    settings.register_profile("anywhere", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("anywhere")
    # Without byte code every worker and every process that a test starts compiles its modules again: seconds each time.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_collection_finish() -> None:
    """What collecting left behind stays: nobody need look through it for garbage again, least of all each forked process.

    Garbage is looked for after fifty thousand new objects: after seven hundred, as usual, it took a twentieth of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture(scope="session")
def _what_every_worker_reads() -> None:
    """Tables, patterns and modules, once for all workers that audits of this process fork."""
    warm_up()


@pytest.fixture(autouse=True)
def _audits_see_what_is_changed(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that changes this process is audited in it."""
    if "monkeypatch" not in request.fixturenames:
        yield
        return
    request.getfixturevalue("_what_every_worker_reads")
    with small_process.in_this_process():
        yield


@pytest.fixture
def drawing(tmp_path: Path) -> Drawing:
    """An empty real repository to draw in."""
    return Drawing(tmp_path / "drawn")


@pytest.fixture(autouse=True, scope="session")
def _rules_of_the_secret_detector() -> None:
    """Compile the detector's rules once for all runs, and load them once for all audits of this process."""
    place = Path(tempfile.gettempdir()) / f"auditor-tests-{os.getuid()}"
    place.mkdir(mode=0o700, exist_ok=True)
    os.environ.setdefault("KF_RULE_CACHE_DIR", str(place))
    secret_detector.load_scanner()
