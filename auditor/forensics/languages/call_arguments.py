"""Whether what a call is given is as a rule asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.forensics.languages.constant_names import careful_texts
from auditor.forensics.languages.language_rule_types import ALL, BEFORE, BEHIND, ITSELF, RECEIVER, Argument
from auditor.forensics.languages.parsed_file import File

if TYPE_CHECKING:
    from tree_sitter import Node


_MAX_BESIDE = 300
"""Bytes before and behind a call that a rule may look at."""


def fits(file: File, node: Node, arguments: list[Node], wanted: Argument) -> bool:
    """Is what stands at a place of a call as a rule asks?"""
    if wanted.place in _BESIDE:
        return wanted.form is not None and wanted.form.search(_beside(file, node, wanted.place)) is not None
    if wanted.place == ALL:
        return wanted.reads is not None and wanted.reads.search(file.texts.listed(arguments)) is not None
    for each in _places(file, node, arguments, wanted.place):
        if not _looks_like(file, each, wanted):
            continue
        if wanted.made_of is not None and not wanted.made_of.search(file.texts.sources(each)):
            continue
        if _reads_like(file, each, wanted):
            return True
    return False


def still_reads(file: File, node: Node, arguments: list[Node], wanted: Argument) -> bool:
    """Does some of that read as asked even where names that are held to a fixed set are constants?"""
    return wanted.reads is None or any(
        wanted.reads.search(careful_texts(file).reads(each, told_apart=wanted.told_apart))
        for each in _places(file, node, arguments, wanted.place)
    )


def is_there(file: File, arguments: list[Node], wanted: Argument) -> bool:
    """Is there anything at a place that may be as a rule asks, as far as its kind and its source tell?"""
    if wanted.place is not None and wanted.place < 0:
        return True
    at = arguments if wanted.place is None else arguments[wanted.place : wanted.place + 1]
    return any(_looks_like(file, each, wanted) for each in at)


def _looks_like(file: File, node: Node, wanted: Argument) -> bool:
    """Is a node of a kind and a form that a rule asks for?"""
    return (not wanted.kinds or node.type in wanted.kinds) and (
        wanted.form is None or wanted.form.search(file.text(node)) is not None
    )


def _reads_like(file: File, node: Node, wanted: Argument) -> bool:
    """Is what an expression stands for, or the type that its name is declared with, as it must be?"""
    if wanted.reads is None and wanted.typed is None:
        return True
    if wanted.reads is not None and wanted.reads.search(file.texts.reads(node, told_apart=wanted.told_apart)):
        return True
    return wanted.typed is not None and any(map(wanted.typed.search, file.types_of(node)))


def _places(file: File, node: Node, arguments: list[Node], place: int | None) -> list[Node]:
    """The nodes at a place of a call."""
    if place is None:
        return arguments
    if place == RECEIVER:
        return file.texts.receiver(node)
    return [node] if place == ITSELF else arguments[place : place + 1]


_BESIDE = {BEFORE, BEHIND}


def _beside(file: File, node: Node, place: int | None) -> str:
    """The source right before or behind a node."""
    start, end = node.byte_range
    told = file.source[max(0, start - _MAX_BESIDE) : start] if place == BEFORE else file.source[end : end + _MAX_BESIDE]
    return told.decode("utf-8", errors="replace")
