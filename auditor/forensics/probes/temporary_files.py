"""Files with predictable names in shared temporary directories."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from auditor.forensics.library_models.temporary_files import temporary_files
from auditor.forensics.probe_kit.probe_decorators import site_probe
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.parameter_values import parameter_default
from auditor.forensics.python.scope_bindings import last_name, receiver
from auditor.forensics.python.string_building import DynamicPart, TextPart, text_variants
from auditor.forensics.source_text.site_probe_types import Site
from auditor.row_tables import by_name, method_names, names_of, positions_of, qualified_names

_WRITE = re.compile(r"[wa+]")
"""Modes that write into what may be there already; `x` refuses to."""
_SHARED = "/tmp"  # noqa: S108 - what a variable of the environment stands for when it is not set
_TEMPORARY_PATH = re.compile(r"^(?:sqlite:/{3}|file:(?://)?)?/+(?:(?:private/)?tmp|(?:private/)?var/tmp|dev/shm)/+[^/]")
_ROWS = temporary_files()
_FOLDER_VARIABLES = names_of(_ROWS.directory_variables)
"""Environment variables that name the folder for temporary files."""
_RACY_NAME_CALLS = names_of(_ROWS.racy_names)
_WRITE_CALLS: dict[str, tuple[str, int | None] | None] = {
    **positions_of(_ROWS.writing_calls),
    **dict.fromkeys(names_of(_ROWS.path_methods)),
}
"""All calls that write a file; None where the path is what the method is called on."""
_OPEN_CALLS = by_name(_ROWS.opening_calls)
"""Calls that open a file: the argument that names the file, which is first, and the position of the mode."""
_PROGRAMS = names_of(_ROWS.programs)
"""Calls that start a program with what its command says."""
_READ_ONLY_PROGRAM = re.compile(
    r"(?:[^\s/]{0,40}/){0,8}(?:cat|rm|rmdir|ls|stat|head|tail|grep|wc|file|du|df|diff|cmp|test|find|less|unlink|shred|md5sum|sha\d+sum|readlink|chmod|chown|pkill|kill|umount|mount|xdg-open|open|docker|podman)\b"
)
"""Programs that do not write the paths that they are given, or write on another machine."""
_OUTPUT_REDIRECTION = re.compile(r">\s{0,4}/")
"""A redirection of output into a file."""
_TEMPORARY_PATH_IN_COMMAND = re.compile(
    r"(?:^|[\s=>\"'])(/+(?:(?:private/)?tmp|(?:private/)?var/tmp|dev/shm)/+[^\s\"']+)"
)
_OPTION = re.compile(r"(?:-[\w-]{1,60}|of)=(?=/)")
_PROGRAM_WRITE_REASON = "whether the program writes to it was not analysed"
_MAX_WORDS = 60
_NON_PATH_NODES = (ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.Lambda)
_FOLDER_CALLS = names_of(_ROWS.directory_calls)
_RANDOM_NAME = re.compile(
    r"uuid|token|secret|random|rand|nonce|unique|mkstemp|mkdtemp|hexdigest|urandom", re.IGNORECASE
)
_WRITING_ROWS = (*_ROWS.writing_calls, *_ROWS.path_methods, *_ROWS.directory_calls)
_PARTLY_DYNAMIC_REASON = "part of the name is set at run time"
_FOLDER_CHECK_REASON = "the directory may be checked before it is used"
_FILE = "File with {} is written to a shared temporary directory: another user can create it first"
_FOLDER = "Directory with {} is used in a shared temporary directory: another user can create it first"


@site_probe(
    "code.insecure_temporary_file",
    none_statement="No temporary file has a predictable name.",
    calls=(
        *_RACY_NAME_CALLS,
        *_OPEN_CALLS,
        *qualified_names(_WRITING_ROWS),
        *_PROGRAMS,
        "os.open",
        "pathlib.Path.open",
    ),
    methods=("open", *method_names(_WRITING_ROWS)),
    second_look=("S306", "S108"),
)
def insecure_temporary_file(match: Match) -> Iterator[Site]:
    """Is a temporary file created with a predictable name?

    A fixed or predictable name in a directory that every user can write to, such as `/tmp`, is reported where a file, directory or socket is created there. Reading is not, nor are random names or files opened with `x`.

    Create the name and the file in one call, which picks a name that cannot be guessed.
    """
    if match.name in _RACY_NAME_CALLS:
        yield match.site("{call} only makes a name: another user can create the file first")
        return
    if match.name in _PROGRAMS:
        yield from _command_paths(match)
        return
    for path in _written_paths(match):
        if isinstance(path, _NON_PATH_NODES) or (isinstance(path, ast.Constant) and not isinstance(path.value, str)):
            continue
        site = _guessable_site(match, path)
        if site is not None:
            yield site
            return


def _guessable_site(match: Match, path: ast.expr) -> Site | None:
    """The site of a path that others can guess."""
    form = _FOLDER if match.name in _FOLDER_CALLS else _FILE
    for pieces in text_variants(match.module, path, match.scope, match.call.lineno):
        told = [_resolve_piece(match, each) for each in pieces]
        text = "".join(each if isinstance(each, str) else "x" for each in told)
        foreign = [each for each in told if isinstance(each, DynamicPart)]
        if not _TEMPORARY_PATH.match(text) or any(_is_random(match, each) for each in foreign):
            continue
        if foreign:
            return match.site(form.format("a predictable name"), confidence=0.7, because=_PARTLY_DYNAMIC_REASON)
        if form is _FOLDER:
            return match.site(form.format("a fixed name"), confidence=0.7, because=_FOLDER_CHECK_REASON)
        return match.site(form.format("a fixed name"))
    return None


def _command_paths(match: Match) -> Iterator[Site]:
    """Paths in a command that the program may write."""
    words = [each for given in match.call.args[:_MAX_WORDS] for each in _words_of(match, given)][:_MAX_WORDS]
    if len(words) < 2:
        words = (
            words or [each for name in ("args", "cmd") for each in _words_of(match, match.argument(name))][:_MAX_WORDS]
        )
    for number, word in enumerate(words):
        for pieces in text_variants(match.module, word, match.scope, match.call.lineno):
            told = [_resolve_piece(match, each) for each in pieces]
            text = "".join(each if isinstance(each, str) else "x" for each in told)
            if not number and _READ_ONLY_PROGRAM.match(text) and not _OUTPUT_REDIRECTION.search(text):
                return
            found = _TEMPORARY_PATH_IN_COMMAND.search(text) if not number else None
            option = _OPTION.match(text)
            if found is None and not (number and _TEMPORARY_PATH.match(text[option.end() :] if option else text)):
                continue
            if not any(_is_random(match, each) for each in told if isinstance(each, DynamicPart)):
                yield match.site(
                    "Program is given a predictable file name in a shared temporary directory",
                    confidence=0.6,
                    because=_PROGRAM_WRITE_REASON,
                )
                return


def _words_of(match: Match, given: ast.expr | None) -> list[ast.expr]:
    """What a command is made of: the items of a list, also where it has a name or is spread out, or added to another."""
    for _ in range(_MAX_NAMES):
        if isinstance(given, ast.Starred):
            given = given.value
        elif isinstance(given, ast.Call) and _is_split(given):
            given = _split(given)
        elif isinstance(given, ast.Name):
            found = match.module.lookup(given.id, match.scope)
            value = found[0].value if found is not None else None
            if not isinstance(value, (ast.List, ast.Tuple)) and not _is_split(value):
                break
            given = value
        else:
            break
    if isinstance(given, (ast.List, ast.Tuple)):
        return [
            inner
            for each in given.elts
            for inner in (_unpacked_items(match, each) if isinstance(each, ast.Starred) else [each])
        ]
    return [] if given is None else [given]


def _is_split(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Call) and last_name(value.func) == "split"


def _split(call: ast.Call) -> ast.expr | None:
    """The text that is taken apart into words: `shlex.split(command)`, `command.split()`."""
    if call.args or not isinstance(call.func, ast.Attribute):
        return call.args[0] if call.args else None
    return call.func.value


def _unpacked_items(match: Match, given: ast.Starred) -> list[ast.expr]:
    """The items of a list that is unpacked into another."""
    found = match.module.lookup(given.value.id, match.scope) if isinstance(given.value, ast.Name) else None
    value = found[0].value if found is not None else given.value
    return list(value.elts) if isinstance(value, (ast.List, ast.Tuple)) else []


_MAX_NAMES = 4


def _resolve_piece(match: Match, piece: TextPart) -> TextPart:
    """A piece of a path, with parameter defaults and environment variables of the shared folder resolved."""
    if not isinstance(piece, DynamicPart):
        return piece
    usual = match.value(parameter_default(piece.expression, piece.scope))
    if isinstance(usual, str):
        return usual
    key: ast.expr | None = None
    if isinstance(piece.expression, ast.Call) and piece.expression.args:
        key = piece.expression.args[0] if last_name(piece.expression.func) in {"get", "getenv", "gettempdir"} else None
    elif isinstance(piece.expression, ast.Subscript):
        key = piece.expression.slice
    return _SHARED if key is not None and match.value(key) in _FOLDER_VARIABLES else piece


def _is_random(match: Match, piece: DynamicPart) -> bool:
    """Is a random value part of it, also under a name that it was bound to before?"""
    expression: ast.expr = piece.expression
    if isinstance(expression, ast.Name):
        found = match.module.lookup(expression.id, piece.scope)
        if found is not None and found[0].value is not None and _is_random_expression(match, found[0].value):
            return True
    return _is_random_expression(match, expression)


def _is_random_expression(match: Match, expression: ast.expr) -> bool:
    written = ast.get_source_segment(match.module.source, expression) or ""
    return _RANDOM_NAME.search(written[:500]) is not None


def _written_paths(match: Match) -> Iterator[ast.expr]:
    """The paths of what a call writes; none when it reads, or refuses what is there already."""
    path: ast.expr | None
    if match.name in _FOLDER_CALLS:
        path = _folder(match)
    elif match.name in _WRITE_CALLS:
        named = _WRITE_CALLS[match.name]
        path = receiver(match.call) if named is None else match.argument(*named)
    elif match.name == "os.open":
        flags = {
            each.attr
            for each in ast.walk(match.argument("flags", 1) or ast.Constant(0))
            if isinstance(each, ast.Attribute)
        }
        path = match.argument("path", 0) if "O_CREAT" in flags and not flags & {"O_EXCL", "O_TMPFILE"} else None
    else:
        path = _opened_path(match)
    if path is not None:
        yield path


def _opened_path(match: Match) -> ast.expr | None:
    """The path that is opened in a mode that writes."""
    row = _OPEN_CALLS.get(match.name)
    mode = match.value(match.argument("mode", row.mode if row is not None else 0))
    if not isinstance(mode, str) or not _WRITE.search(mode.partition(":")[0] if match.name[:3] == "tar" else mode):
        return None
    return match.argument(row.argument, 0) if row is not None else receiver(match.call)


def _folder(match: Match) -> ast.expr | None:
    """A folder that is used as it is if another user made it first."""
    taken = (
        match.value(match.argument("exist_ok", 2))
        if match.name != ".mkdir"
        else match.value(match.argument("exist_ok"))
    )
    if taken is not True:
        return None
    return match.argument("name", 0) if match.name == "os.makedirs" else receiver(match.call)
