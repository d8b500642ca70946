"""What judges ask to see before they vote, in a closed form: served from the repository, or refused."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from auditor.domain import Dossier, Exhibit, ExhibitKind, ExhibitLine, Side, TreeEntry
from auditor.domain.glob_patterns import matches_any
from auditor.dossier.builder import ChangeView, DossierOptions, show_exhibit
from auditor.dossier.caller_callee_test_exhibits import Fragment, call_fragments, definition_fragment
from auditor.dossier.code_search import CodeSearch, tie_names
from auditor.dossier.syntax_child_process import SyntaxReader
from auditor.forensics.source_text.file_roles import Role, role
from auditor.forensics.source_text.text_decoding import decode_text
from auditor.report.exhibit_text import exhibit_tokens

_FORM = re.compile(r"(definition|callers|tests) (\S+)|(lines|base) (\S+) (\d+)-(\d+)")
_MAX_NEEDS = 12
_MAX_LINES = 80
_MAX_TOKENS = 6_000


@dataclass(frozen=True)
class _Server:
    """Answers needs about one change."""

    view: ChangeView
    options: DossierOptions
    search: CodeSearch
    changed: frozenset[str]
    shown: frozenset[str]

    def answer(self, need: str) -> Iterator[Exhibit]:
        """The exhibits that a need asks for, numbered later; none where it is refused or leads nowhere."""
        form = _FORM.fullmatch(need)
        if form is None:
            return
        kind, name, side, path, first, last = form.groups()
        if kind is not None:
            yield from (each.exhibit(1, ()) for each in self._fragments(kind, name.rpartition(".")[2]))
        elif self._is_tied(path):
            lines = self._lines(path, Side.BASE if side == "base" else Side.HEAD)
            numbers = range(int(first), min(int(last), int(first) + _MAX_LINES - 1, len(lines)) + 1)
            if numbers:
                yield Exhibit(
                    id="definition#1",
                    kind=ExhibitKind.DEFINITION,
                    path=path,
                    side=Side.BASE if side == "base" else Side.HEAD,
                    start=numbers[0],
                    end=numbers[-1],
                    lines=tuple(ExhibitLine(number=each, text=lines[each - 1]) for each in numbers),
                )

    def _fragments(self, kind: str, name: str) -> Iterator[Fragment]:
        ties = tie_names(self.changed)
        if kind == "definition":
            found = definition_fragment(name, self.search, ties)
            yield from [found] if found is not None else []
            return
        wanted = ExhibitKind.TEST if kind == "tests" else ExhibitKind.CALLER
        yield from (each for each in call_fragments(name, self.search, ties) if each.kind is wanted)

    def _is_tied(self, path: str) -> bool:
        """May lines of the file be served? It is changed or shown already, or names a changed module, or lies beside one.

        Documents are not: prose is no evidence of what code does.
        """
        if role(path) is Role.DOCUMENTATION or matches_any(path, (*self.options.never_send, *self.options.exclude)):
            return False
        return path in self.changed | self.shown or self.search.is_tied(path, tie_names(self.changed))

    def _lines(self, path: str, side: Side) -> Sequence[str]:
        entry = self.view.head.get(path) if side is Side.HEAD else self._base_entry(path)
        content = self.view.read([entry]).get(entry.blob) if entry is not None else None
        text, is_text = decode_text(content) if content is not None else (b"", False)
        return text.decode("utf-8", errors="backslashreplace").split("\n") if is_text else ()

    def _base_entry(self, path: str) -> TreeEntry | None:
        return next((each.base for each in self.view.changes if each.base is not None and each.base.path == path), None)


def serve(view: ChangeView, options: DossierOptions, dossier: Dossier, needs: Sequence[str]) -> tuple[Exhibit, ...]:
    """What the needs ask for, once each, within a budget; ids go on from those of the dossier."""
    shown = frozenset(each.path for each in dossier.exhibits)
    changed = frozenset(each.path for each in view.changes)
    withheld = (*options.never_send, *options.exclude)
    allowed = {path: entry for path, entry in view.head.items() if not matches_any(path, withheld)}
    counts = {kind: sum(each.kind is kind for each in dossier.exhibits) for kind in ExhibitKind}
    taken = {(each.path, each.side, each.start, each.end) for each in dossier.exhibits}
    served: list[Exhibit] = []
    used = 0
    with SyntaxReader() as reader:
        server = _Server(view, options, CodeSearch(allowed, changed & set(allowed), view.read, reader), changed, shown)
        for need in sorted(dict.fromkeys(needs))[:_MAX_NEEDS]:
            for found in server.answer(need):
                place = (found.path, found.side, found.start, found.end)
                each = show_exhibit(found, (options.secret_lines or {}).get(found.path, ()))
                size = exhibit_tokens(each)
                if place in taken or used + size > _MAX_TOKENS:
                    continue
                taken.add(place)
                used += size
                counts[each.kind] += 1
                served.append(each.model_copy(update={"id": f"{each.kind.value}#{counts[each.kind]}"}))
    return tuple(served)
