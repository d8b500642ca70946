"""Which variables of the environments around commands occur in them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from auditor.forensics.embedded_shell.yaml_texts import YamlText

_WORD = re.compile(r"\w+")


@dataclass
class UsedVariables:
    """The variables around commands that occur in them."""

    words: dict[int, frozenset[str]] = field(default_factory=dict)
    """The words of each text."""
    places: dict[tuple[int, int], int] = field(default_factory=dict)
    """What each text uses of each environment, as a number of `numbers`."""
    numbers: dict[tuple[tuple[str, str], ...], int] = field(default_factory=lambda: {(): 0})

    def of(self, texts: Sequence[YamlText], environments: Sequence[Mapping[str, str]]) -> tuple[int, ...]:
        """What a command uses of the environments around it, the innermost first, as numbers that are equal where that is."""
        return tuple(number for text in texts for each in environments if (number := self._number(text, each)))

    def _number(self, text: YamlText, environment: Mapping[str, str]) -> int:
        place = (id(text), id(environment))
        if place not in self.places:
            words = self._words_of(text)
            few, many = sorted((words, environment), key=len)
            pairs = tuple((name, environment[name]) for name in sorted(few) if name in many)
            self.places[place] = self.numbers.setdefault(pairs, len(self.numbers))
        return self.places[place]

    def _words_of(self, text: YamlText) -> frozenset[str]:
        if id(text) not in self.words:
            self.words[id(text)] = frozenset(_WORD.findall(text.text))
        return self.words[id(text)]
