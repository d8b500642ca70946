"""Arguments as they are written, without the node that some grammars put around each of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node


def unwrapped_arguments(given: Sequence[Node], wrappers: Collection[str]) -> list[Node]:
    """The arguments of a call without the node around each: `name: value` is its value."""
    return (
        [each.named_children[-1] if each.type in wrappers and each.named_child_count else each for each in given]
        if wrappers
        else list(given)
    )
