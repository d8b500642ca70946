"""One audit of a fleet, and the key that it has wherever and whenever it runs."""

from __future__ import annotations

import hashlib
import json

from pydantic import Field

from auditor.domain import Frozen
from auditor.fleet.targets import TargetGate

KEY_LENGTH = 64


class Unit(Frozen):
    """What is audited, and how. Equal units have equal keys, and nothing that differs between two runs is in them."""

    repository: str = Field(description="URL, or absolute path on the machine that ran it.")
    head: str = Field(description="Commit SHA.")
    base: str | None = Field(default=None, description="Commit SHA; none when the whole tree is audited.")
    rubric: str = Field(
        description="Digest of the rubric that was asked for; `base` and the digest of the default one where the configuration of the base decides."
    )
    gate: TargetGate | None = Field(
        default=None, description="Thresholds that were asked for, before those of the base and of the rubric."
    )
    bench: str = Field(description="Who judges, and the settings that change what judges see.")
    reports: tuple[str, ...] = Field(default=(), description="Digests of the reports on the system.")
    version: str = Field(description="Version of the tool.")

    @property
    def key(self) -> str:
        """64 hexadecimal digits, the same for the same unit on every machine."""
        canonical = json.dumps(self.model_dump(mode="json"), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(canonical.encode()).hexdigest()

    @property
    def name(self) -> str:
        """What a person calls it: repository and commits."""
        commits = f"{self.base[:10]}..{self.head[:10]}" if self.base else self.head[:10]
        return f"{self.repository} {commits}"


def in_shard(key: str, shard: tuple[int, int]) -> bool:
    """Does a key belong to shard `i` of `n`? Every key belongs to exactly one of `1/n` to `n/n`."""
    number, count = shard
    return int(key[:16], 16) % count == number - 1
