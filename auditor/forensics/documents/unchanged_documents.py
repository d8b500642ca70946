"""Documents that a change leaves alone and that its links have to do with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class UnchangedDocuments:
    """Markdown that a change leaves alone and that its links have to do with.

    `texts` are those from which a link may lead to what goes, `gone` the paths of these files and of folders of which
    nothing is left: both are empty where none goes. To headings of the `linked_texts` documents of the change link.
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    gone: frozenset[str] = frozenset()
    linked_texts: Mapping[str, str] = field(default_factory=dict)
