"""A GitHub of our own over real HTTP on loopback: it keeps state, limits, permissions and can fail in many ways."""

from tests.fake_github.faults import Fault, How
from tests.fake_github.server import FakeGitHub, Seen
from tests.fake_github.state import JOB_TOKEN, PERSONAL_TOKEN, READ_ONLY_TOKEN, Pull, StoredComment, StoredRun, World

__all__ = [
    "JOB_TOKEN",
    "PERSONAL_TOKEN",
    "READ_ONLY_TOKEN",
    "FakeGitHub",
    "Fault",
    "How",
    "Pull",
    "Seen",
    "StoredComment",
    "StoredRun",
    "World",
]
