"""What a description says becomes of files, and of definitions between files: that they go, come, stay, or move elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from auditor.domain import FileChange, Side
from auditor.forensics.description.change_contents import (
    FROM_WORDING,
    MAX_SENTENCES,
    Answer,
    Ground,
    Held,
    Sentence,
    denied,
)
from auditor.forensics.description.code_name_claims import CALLED, FILE_SUFFIXES, TAKEN_BACK, stated
from auditor.forensics.description.file_references import ADDRESS, PATH, goes_by, is_address
from auditor.forensics.description.masked_sentences import MASK, Masked, unmarked
from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.source_text.definition_names import definition_spans, unqualified
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns, first_group, groups_by_role
from auditor.lazy_regex import lazy_compile

MAX_PIECES = 40
"""Files and names of one sentence that are looked at."""
MAX_STATEMENTS = 80
"""Sentences about files that are held against all files and lines of a change."""
MAX_FATES = 200
"""Statements of a description that are looked at."""


class Piece(NamedTuple):
    """A file, a folder or a name of code as the description writes it."""

    text: str
    is_file: bool

    @property
    def word(self) -> str:
        """The last part of a name of code; nothing where it is none."""
        last = unqualified(self.text.partition("(")[0].strip())
        return last if not self.is_file and _IDENTIFIER.fullmatch(last) else ""


_IDENTIFIER = lazy_compile(r"[^\W\d][\w$]{1,199}")
_TICKED = lazy_compile(r"(?P<fence>`{1,2})(?P<inner>[^`\n]{1,160})(?P=fence)")
_PLACE = lazy_compile(rf"\.?[\w@.+-]{{1,80}}(?:/[\w@.+-]{{1,80}}){{0,12}}/?|[\w.-]{{1,100}}\.(?:{FILE_SUFFIXES})")


class Pieces(Masked[Piece]):
    """A sentence whose files and names are masked."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(MAX_PIECES)
        text = ADDRESS.sub(" ", unmarked(sentence.text)).replace("**", "")
        text = _TICKED.sub(lambda found: self._ticked(found["inner"].strip(), found.group()), text)
        text = PATH.sub(self._path, text)
        self.text = CALLED.sub(lambda found: self._mask(Piece(found.group(), False), found.group()), text)

    def _ticked(self, inner: str, whole: str) -> str:
        place = inner.removeprefix("./")
        if _PLACE.fullmatch(place) and ("/" in place or PATH.fullmatch(place)):
            return self._mask(Piece(place.rstrip("/"), True), whole)
        return self._mask(Piece(inner, False), whole)

    def _path(self, found: re.Match[str]) -> str:
        path = found.group().removeprefix("./")
        if is_address(path):
            return found.group()
        return self._mask(Piece(path, True), found.group())


_KIND = r"(?:files?|modules?|scripts?|documents?|pages?|folders?|director(?:y|ies)|packages?|workflows?|class(?:es)?|functions?|methods?|helpers?|constants?|types?|tests?|test\s+(?:file|case)s?)"
_FILL = rf"(?:(?:the|a|an|our|its|this|these|both|all|old|new|now|also|whole|entire|entirely|unused|obsolete|dead|stale|empty|legacy|deprecated|unneeded|redundant|leftover|existing|duplicated?|shared|public|private|{_KIND})\s+){{0,5}}"
_SEVERAL = rf"{MASK}(?:\s*(?:,\s*and|,|and|&)\s+(?:the\s+)?{MASK}){{0,12}}"
_BE = r"(?:is|are|was|were|has been|have been|gets?|got)\s+(?:(?:now|also|therefore|thus|simply|finally|both|all|accordingly|hereby)\s+){0,2}"
_ENDED = r"(?!\s*(?:file|module|script)?,?\s*(?:after|then|but|though|when|while)\b)(?=\s*(?:$|[.,;:!)]|\((?!partly)|[-\u2013\u2014]\s|(?:and|as|since|because|which|now|entirely|completely|altogether|too|also|here|instead|it|they|in favou?r|for good|file|module|script|folder|directory|files|modules|scripts)\b))"
"""What may follow a file that goes; `from` and the like would make it the place where something else goes."""
_SAYS = r"(?:^(?:\[x\]\s+|[-*+]\s+|\w{1,20}(?:\([^)]{0,60}\))?!?:\s*|\[\w{1,20}\]\s*)?(?:also\s+|and\s+|then\s+|now\s+)?|\b(?:this|the)\s+(?:pr|pull request|change|commit|patch|branch)\s+(?:also\s+|now\s+|therefore\s+)?|\b(?:we|i)\s+(?:also\s+|now\s+|therefore\s+)?|[,;]\s*(?:and\s+)?(?:also\s+|then\s+)?|\band\s+(?:also\s+|then\s+)?)"
"""What stands before a deed of the change itself; a script that deletes a file is told of in other words."""
_GONE = combine_patterns(
    rf"{_SAYS}(?:remov(?:es?|ed|ing)|delet(?:es?|ed|ing)|drop(?:s|ped|ping)?|get(?:s|ting)? rid of|got rid of)\s+{_FILL}(?P<gone>{_SEVERAL}){_ENDED}",
    rf"(?P<gone_since>{_SEVERAL})\s+(?:(?:file|module|script|folder|directory)s?\s+)?{_BE}(?:removed|deleted|gone|dropped)(?=\s*(?:$|[.,;:!)]|(?:as|since|because|too|here|entirely|completely|altogether|for good)\b))",
    rf"(?P<gone_away>{_SEVERAL})\s+(?:goes|go|went)\s+away\b",
    rf"^(?:[-*+]\s+)?(?P<listed_gone>{MASK})\s*(?::|--?|\u2013|\u2014|\()\s*(?:deleted|removed)\b",
)
_NEW = combine_patterns(
    rf"{_SAYS}(?:add(?:s|ed|ing)?|creat(?:es?|ed|ing)|introduc(?:es?|ed|ing))\s+(?:a\s+|the\s+|an\s+)?new\s+(?:[\w-]{{1,20}}\s+){{0,2}}?(?:file|module|script|document|page|workflow|class|test file|test module)s?,?\s+(?:called\s+|named\s+)?\(?(?P<new>{_SEVERAL})",
    rf"^(?:[-*+]\s+)?(?:a\s+)?new\s+(?:[\w-]{{1,20}}\s+){{0,2}}?(?:file|module|script|document|page|workflow|test file|test module)s?:?\s+(?P<new_first>{_SEVERAL})",
    rf"(?P<new_since>{_SEVERAL})\s+(?:is|are)\s+(?:a\s+)?new(?:\s+(?:file|module|script|document|page)s?)?(?=\s*(?:$|[.,;:)]))",
    rf"^(?:[-*+]\s+)?(?P<listed_new>{MASK})\s*\((?:new|new file|added)\)",
)
_MOVE = r"(?:mov(?:es?|ed|ing)|relocat(?:es?|ed|ing)|renam(?:es?|ed|ing)|transfer(?:s|red)?|migrat(?:es?|ed|ing)|extract(?:s|ed|ing)?|pull(?:s|ed|ing)?|split(?:s|ting)?|lift(?:s|ed)?|hoist(?:s|ed)?|factor(?:s|ed)?)"
_MOVED = combine_patterns(
    rf"{_SAYS}{_MOVE}\s+{_FILL}(?P<what>{_SEVERAL})\s+(?:{_KIND}\s+)?(?:out\s+)?(?:from|of|out of)\s+{_FILL}(?P<source>{MASK})\s+(?:(?:{_KIND})\s+)?(?:in\s?to|to|->|\u2192)\s+{_FILL}(?P<target>{MASK})",
    rf"{_SAYS}{_MOVE}\s+{_FILL}(?P<what_to>{_SEVERAL})\s+(?:{_KIND}\s+)?(?:out\s+)?(?:in\s?to|to|->|\u2192)\s+{_FILL}(?P<target_of>{MASK})",
    rf"{_SAYS}{_MOVE}\s+{_FILL}(?P<what_out>{_SEVERAL})\s+(?:{_KIND}\s+)?(?:out of|from)\s+{_FILL}(?P<source_of>{MASK})(?=\s*(?:$|[.,;:)]))",
    rf"(?P<what_was>{_SEVERAL})\s+(?:{_KIND}\s+)?(?:(?:{_BE})?(?:moved|relocated|renamed|extracted)|moves?)\s+(?:from\s+{_FILL}(?P<source_was>{MASK})\s+)?(?:in\s?to|to)\s+{_FILL}(?P<target_was>{MASK})",
    rf"(?P<what_lives>{_SEVERAL})\s+(?:{_KIND}\s+)?(?:now\s+(?:lives?|sits?|resides?|stands?|is defined|are defined)\s+in|(?:lives?|is|are)\s+now\s+(?:defined\s+)?in)\s+{_FILL}(?P<target_lives>{MASK})",
)
_NO_LONGER = combine_patterns(
    rf"(?P<file>{MASK})\s+(?:file\s+|module\s+|script\s+)?no longer\s+(?:(?P<defines>defines?|holds?|has|contains?)|(?P<imports>imports?|requires?|includes?)|(?P<mentions>mentions?|names?|references?|lists?))\s+{_FILL}(?P<without>{MASK})",
    rf"(?P<without_since>{MASK})\s+(?:is|are)\s+no longer\s+(?:(?P<defines_since>defined|contained)|(?P<imports_since>imported|required|included)|(?P<mentions_since>mentioned|named|referenced|listed))\s+(?:in|by|from)\s+{_FILL}(?P<file_since>{MASK})",
)
_STAYS = combine_patterns(
    rf"(?P<stays>{_SEVERAL})\s+(?:(?:file|module|script|folder|directory)s?\s+)?(?:(?:is|are)\s+(?:not|n't)\s+(?:removed|deleted|dropped)|(?:is|are)\s+(?:still\s+there|kept(?:\s+(?:in place|for now|as|where))?)|(?:stays?|remains?)\s+(?:in place|where|for now|as it is|for\b|available|until))",
    rf"{_SAYS}keep(?:s|ing)?\s+{_FILL}(?P<keeps>{_SEVERAL})(?=\s*(?:$|[.,;:)]|(?:for now|as a|as an|as is|in place|around|until|for compat\w*|for backwards?)\b))",
)
_NOW = combine_patterns(
    rf"(?P<part>{MASK})\s+(?:function\s+|class\s+|method\s+)?(?:in|of)\s+{_FILL}(?P<file>{MASK})\s+now\s+(?P<deed>[a-z]{{2,20}}s)\b",
    rf"^(?:[-*+]\s+)?(?P<file_bare>{MASK})\s+now\s+(?P<deed_bare>[a-z]{{2,20}}s)\b",
    rf"^(?:[-*+]\s+)?(?P<file_last>{MASK})\s+(?P<deed_last>exports?|defines?|holds?|returns?|contains?)\s+[^.,;]{{1,60}}\bnow(?=\s*(?:$|[.,;]))",
)
_BY_OTHERS = lazy_compile(
    r"(?:is|was|has|passes|works|runs|fails|builds|compiles|shows|gets|sees|looks|takes|needs|depends|matches|agrees|fits|benefits|parses|validates|lints)$"
)
"""What a file does now may be the work of another one that changes."""
_RUN_TIME = lazy_compile(
    r"\b(?:when|whenever|automatically|at run[- ]?time|on exit|on startup|at the end|each time|every time|temporary|tmp|cache|users? can|command|subcommand|allows?|lets?)\b",
    re.IGNORECASE,
)
"""Words by which a sentence tells what a program does with files, and not what the change does."""
_GOES = "The description says that files are taken away, and they are still there"
_COMES = "The description says that files are new, and they stood there before"
_MOVES = "The description says that things move elsewhere, and they do not"
_FREED = "The description says that a file is free of a name, and the name still stands in it"
_KEPT = "The description says that files stay, and they are taken away"
_ANOTHER = f"{FROM_WORDING}; another file of that name may be meant"


def held_fates(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """What is said to become of files and definitions, each statement once."""
    seen: set[tuple[str, str]] = set()
    looked_at = 0
    for sentence in said[:MAX_SENTENCES]:
        read = Pieces(sentence)
        if not any(piece.is_file for piece in read.parts):
            continue
        looked_at += 1
        if looked_at > MAX_STATEMENTS:
            return
        for kind, key, answer, wrong in _fates(read, ground):
            if (kind, key) not in seen and len(seen) < MAX_FATES:
                seen.add((kind, key))
                yield Held(kind, sentence, answer, wrong)


_Fate = tuple[str, str, Answer, str]
"""The kind of a statement, what it is about, what became of it, and what to say when it is wrong."""


def _fates(read: Pieces, ground: Ground) -> Iterator[_Fate]:
    if not _RUN_TIME.search(read.text):
        yield from _each(read, _GONE, lambda piece: _gone(piece, ground), ("file_gone", _GOES))
        yield from _each(read, _NEW, lambda piece: _new(piece, ground), ("file_new", _COMES))
    yield from _each(read, _STAYS, lambda piece: _stays(piece, ground), ("file_kept", _KEPT))
    for found in stated(_MOVED, read.text):
        yield from _moved(_Move.of(found, read), ground)
    for found in stated(_NOW, read.text):
        yield from _does(found, read, ground)
    for found in _NO_LONGER.finditer(read.text):
        if not denied(read.text, found.start(), TAKEN_BACK):
            yield from _freed(found, read, ground)


def _each(
    read: Pieces, form: re.Pattern[str], weigh: Callable[[Piece], Answer | None], told: tuple[str, str]
) -> Iterator[_Fate]:
    """What is said of the files that a form of words names."""
    for found in stated(form, read.text, _TOLD_BACK if form is _STAYS else TAKEN_BACK):
        for piece in read.of(first_group(found)):
            answer = weigh(piece) if piece.is_file else None
            if answer is not None:
                yield told[0], piece.text, answer, told[1]


def _does(found: re.Match[str], read: Pieces, ground: Ground) -> Iterator[_Fate]:
    """A file that does something now, by its own text, is one that changes."""
    told = groups_by_role(found)
    file = read.of(told["file"])[0]
    if not file.is_file or "." not in file.text or _BY_OTHERS.match(told["deed"].lower()):
        return
    left = ground.standing(file.text)
    if len(left) == 1 and not any(goes_by(path, file.text) for path in ground.touched):
        yield "does_now", file.text, Answer(False, (code_location(left[0]),), 0.65, _BY_ANOTHER), _IDLE


_IDLE = "The description says what a file does now, and the change does not touch it"
_BY_ANOTHER = f"{FROM_WORDING}; what it does may come from a file that it uses"
_TOLD_BACK = lazy_compile(
    r"\b(?:todo|should|would|could|can|may|might|if|unless|please|used to|previously|before)\b", re.IGNORECASE
)


def _goes_as(file: FileChange, text: str) -> bool:
    """Does a file that stood at the base go by that path, or lie in that folder, and does it leave it?"""
    then, now = file.base, file.head
    if then is None or not _is_within(then.path, text):
        return False
    return now is None or (now.path != then.path and ("/" not in text or not _is_within(now.path, text)))


def _is_within(path: str, text: str) -> bool:
    return goes_by(path, text) or f"/{text}/" in f"/{path}"


def _gone(piece: Piece, ground: Ground) -> Answer | None:
    """None where nothing of that name is there to be taken away, which is no lie where it went before."""
    if any(_goes_as(file, piece.text) for file in ground.change.files):
        return Answer(holds=True)
    left = ground.standing(piece.text)
    if not left:
        return None
    if len(left) > 1 and "/" not in piece.text:
        return None
    at = tuple(code_location(path, side=Side.HEAD) for path in left[:5])
    return Answer(False, at, 0.75, _ANOTHER)


def _new(piece: Piece, ground: Ground) -> Answer | None:
    came = [file for file in ground.change.files if file.head is not None and _is_within(file.head.path, piece.text)]
    if any(file.base is None or file.base.path != file.path for file in came):
        return Answer(holds=True)
    if "/" not in piece.text and not came:
        return None
    old = [file.path for file in came] or ground.standing(piece.text)
    return Answer(False, tuple(code_location(path) for path in old[:5]), 0.7, _ANOTHER) if old else None


def _stays(piece: Piece, ground: Ground) -> Answer | None:
    if ground.standing(piece.text):
        return Answer(holds=True) if any(_is_within(path, piece.text) for path in ground.touched) else None
    lost = [file for file in ground.change.files if _goes_as(file, piece.text)]
    at = tuple(code_location(file.base.path, side=Side.BASE) for file in lost[:5] if file.base is not None)
    return Answer(False, at, 0.8, _ANOTHER) if lost else None


class _Move(NamedTuple):
    """What is said to move; nothing stands for a place that is not told."""

    what: list[Piece]
    source: Piece | None
    target: Piece | None

    @classmethod
    def of(cls, found: re.Match[str], read: Pieces) -> _Move:
        told = {role: read.of(text) for role, text in groups_by_role(found).items()}
        source, target = (next(iter(told.get(name, ())), None) for name in ("source", "target"))
        return cls(told["what"], source, target)


def _moved(move: _Move, ground: Ground) -> Iterator[_Fate]:
    for piece in move.what:
        answer = _file_moved(piece, move, ground) if piece.is_file else _name_moved(piece.word, move, ground)
        if answer is not None:
            yield "moved", piece.text, answer, _MOVES


def _file_moved(piece: Piece, move: _Move, ground: Ground) -> Answer | None:
    """A file must be gone from where it was. None where it is not known from where it went."""
    if move.target is None or not move.target.is_file or goes_by(move.target.text, piece.text):
        return None
    if any(_goes_as(file, piece.text) for file in ground.change.files):
        there = ground.standing(move.target.text)
        return Answer(bool(there), confidence=0.75, because=_ANOTHER)
    left = ground.standing(piece.text) if "/" in piece.text or move.source is None else []
    if len(left) != 1:
        return None
    return Answer(False, (code_location(left[0]),), 0.7, _ANOTHER)


def _name_moved(word: str, move: _Move, ground: Ground) -> Answer | None:
    """A definition must be gone where it was, and stand where it is said to be now."""
    if not word:
        return None
    if move.source is not None and move.source.is_file and (still := _still_defined(word, move.source, ground)):
        return still
    if move.target is None or not move.target.is_file:
        return None
    came = [
        file for file in ground.change.files if file.head is not None and _is_within(file.head.path, move.target.text)
    ]
    texts = [ground.documents.head.get(file.path) for file in came]
    if not came:
        return _untouched(move.target.text, ground)
    if None in texts:
        return None
    held = any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text or "") for text in texts)
    at = tuple(code_location(file.path) for file in came[:5])
    return Answer(held, at, 0.7, FROM_WORDING)


def _still_defined(word: str, source: Piece, ground: Ground) -> Answer | None:
    """Does the file that is said to lose a definition define it word for word as before? Else None."""
    for file in ground.change.files:
        if file.base is None or file.head is None or not goes_by(file.base.path, source.text):
            continue
        then, now = ground.outlines_before.get(file.base.path), ground.outlines.get(file.head.path)
        if then is None or now is None:
            return None
        before, after = definition_spans(then, word), definition_spans(now, word)
        if before and len(after) >= len(before) and not any(_within(file.deleted_lines, *span) for span in before):
            return Answer(False, (code_location(file.path, *after[0]),), 0.8)
        return None
    return _untouched(source.text, ground)


def _untouched(text: str, ground: Ground) -> Answer | None:
    """Does the change leave the one file alone that goes by a name, so that nothing comes there and nothing goes? Else None."""
    left = ground.standing(text)
    untouched = len(left) == 1 and not any(goes_by(path, text) for path in ground.touched)
    return Answer(False, (code_location(left[0]),), 0.7, _ANOTHER) if untouched and "." in text else None


def _within(numbers: frozenset[int], start: int, end: int) -> bool:
    return any(start <= number <= end for number in numbers)


def _freed(found: re.Match[str], read: Pieces, ground: Ground) -> Iterator[_Fate]:
    told = groups_by_role(found)
    file, name = read.of(told["file"])[0], read.of(told["without"])[0]
    if not file.is_file or not name.word:
        return
    for path in sorted({each for each in ground.touched if goes_by(each, file.text)}):
        text, shape = ground.documents.head.get(path), ground.outlines.get(path)
        if text is None:
            continue
        word = re.compile(rf"(?<!\w){re.escape(name.word)}(?!\w)")
        if "defines" in told:
            if shape is None:
                continue
            there = definition_spans(shape, name.word)
            at = there[0][0] if there else None
        else:
            form = _IMPORTS if "imports" in told else lazy_compile(r"")
            at = next(
                (
                    number
                    for number, line in enumerate(text.split("\n"), start=1)
                    if name.word in line and form.search(line) and word.search(line)
                ),
                None,
            )
        where = () if at is None else (code_location(path, at, at),)
        yield "freed", f"{path} {name.word}", Answer(at is None, where, 0.75), _FREED


_IMPORTS = lazy_compile(
    r"^\s*(?:import|from|use|using|require|#include|export\s.*\bfrom|(?:const|let|var)\b.{0,200}\brequire)\b"
)
