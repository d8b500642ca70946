"""The text of a persona: what of it is its own, and what is in a template or belongs to others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from auditor.forensics.agent_systems.abstract_values import Const, Place, Value
from auditor.forensics.agent_systems.model_calls import AskedModel
from auditor.forensics.agent_systems.prompt_overlap import overlap, words_of
from auditor.forensics.agent_systems.value_contents import walk

_MIN_FILLED_WORDS = 15
"""Words that a persona must fill into a shared template before these alone are compared; the shortest of real systems has 16."""
_MIN_PIECE = 60
"""Characters of a text of the code from which it says something of a persona."""
Piece = tuple[str, int, str]
"""A text of the code: its file, its line, its words."""


@dataclass(eq=False)
class PersonaText:
    """A persona and the text that makes it."""

    persona: str
    text: str
    place: Place
    whole: str = ""
    """All that the model is told, where `text` is only its system part."""
    pieces: tuple[Piece, ...] = ()
    """The texts of the code that reach the model, in their order, each with its place."""


def persona_overlap(one: PersonaText, other: PersonaText) -> float:
    """How much two personas share, 0 to 1: of what each fills into the template that both are asked with, else of their texts."""
    template = set(one.pieces) & set(other.pieces)
    own = [" ".join(piece[2] for piece in each.pieces if piece not in template) for each in (one, other)]
    if template and min(len(words_of(each)) for each in own) >= _MIN_FILLED_WORDS:
        return overlap(own[0], own[1])
    return overlap(one.text, other.text)


def text_pieces(value: Value) -> Iterator[Piece]:
    """The known texts that a value is made of, each with its place."""
    for each in walk(value):
        if isinstance(each, Const) and isinstance(each.value, str) and each.place is not None and each.value.strip():
            yield each.place.unit.path, each.place.line, each.value


def prompt_containers(every: list[AskedModel], found: dict[str, PersonaText]) -> list[str]:
    """Nodes that only hold the personas of others: two at least, and no text of their own."""
    own = {node: set(_long_pieces(each)) for node, each in found.items()}
    held = {
        node: own[node].union(*(_asked_pieces(each) for each in every if each.event.context == node)) for node in found
    }
    containers: list[str] = []
    for node, told in found.items():
        others = [each for each in found if each != node and own[each]]
        kept = [each for each in others if own[each] <= held[node] and not own[node] <= held[each]]
        whole = [each for each in others if _is_within(found[each].text, told.text)]
        if len(kept) > 1 or len(whole) > 1:
            containers.append(node)
    return containers if len(found) - len(containers) > 1 else []


def _is_within(text: str, other: str) -> bool:
    return len(text) < len(other) and " ".join(words_of(text)) in " ".join(words_of(other))


def _long_pieces(found: PersonaText) -> Iterator[Piece]:
    """The texts of a persona that say something; one that was found by its name is its own text."""
    pieces = found.pieces or ((found.place.unit.path, found.place.line, found.text),)
    return (each for each in pieces if len(each[2]) >= _MIN_PIECE)


def _asked_pieces(asking: AskedModel) -> set[Piece]:
    call = asking.event.call
    values = (*call.args, *(value for _, value in call.named))
    return {piece for each in values for piece in text_pieces(each) if len(piece[2]) >= _MIN_PIECE}
