"""Valid code that a grammar stumbles over is read whole, and code that is broken stays so."""

from __future__ import annotations

import time

import pytest
from tree_sitter import Parser, Tree

from auditor.forensics.languages import file_rule_evaluation, grammar_workarounds
from auditor.forensics.languages.file_rule_evaluation import scan_file
from auditor.forensics.languages.language_registry import covered_languages
from auditor.forensics.source_text import syntax_trees

RUN = "code.dynamic_code"
AFTERWARDS = "\nexport function last(text: string) {\n  return eval(text)\n}\n"
SIGNATURES = "export interface Getter {\n  (key: string): string\n" + "".join(
    f"  // with {n} types\n  <\n    A{n} extends object = B,\n    C{n} = A{n}\n  >(\n    key: A{n}\n  ): Map<A{n}, C{n}>\n  <D{n} extends string>(key: D{n}): D{n}[]\n"
    for n in range(20)
)
SHOWN = "export const shown = (open: boolean) => {\n  if (open) {\n    return <Trans>You may not do this</Trans>\n  }\n  return (\n    <Dialog open={open}>\n      <Title>Terms & conditions</Title>\n    </Dialog>\n  )\n}\n"
VALID = [
    ("typescript", SIGNATURES + "}\n" + AFTERWARDS),
    ("typescript", "export type * from './types'\nexport type * as all from './all'\n" + AFTERWARDS),
    ("typescript", "const real = await vi.importActual<typeof import('./real')>('./real')\nlet kept: import('./kept').Kept['one']\n" + AFTERWARDS),
    ("typescript", SHOWN + AFTERWARDS),
    ("typescript", "const link = (\n  <a href='https://example.org/?one=1&two=2'>\n    this & that\n  </a>\n)\n" + AFTERWARDS),
    ("typescript", "const closed = 'ends with />'\nconst same = <T>(one: T) => one\nconst shape = (<Shape>one).size\n" + AFTERWARDS),
    ("typescript", "const bold = '</b>'\nconst same = <T>(one: T): T => {\n  return one\n}\n" + AFTERWARDS),
    ("javascript", "const link = <b>this & that</b>\nfunction last(text) {\n  return eval(text)\n}\n"),
    ("typescript", "export const made = (using?: string) => {\n  if (using) text += `USING ${using}`\n  return join(name, using,\n    last)\n}\n" + AFTERWARDS),
    ("typescript", "const rows = this.part<{ id: string }>`\n  all ids of runs\n` || []\nconst kept = part<Row[]>`one`\nconst all = part<Array<Row>>`one`\n" + AFTERWARDS),
    ("shell", 'list="${answer#*\\"data\\":[}"\nlist="${list%%]*}"\nold=${answer#*{\\"name\\":\\""$name"\\",\\"content\\":\\"}\neval "$list"\n'),
]  # fmt: skip


@pytest.mark.parametrize(("language", "source"), VALID)
def test_code_that_a_grammar_stumbles_over_is_read_to_its_end(language: str, source: str) -> None:
    known = covered_languages()[language]
    read = scan_file(source.encode(), known, known.probes)
    assert (read.unread, read.reason) == ("", "")
    assert [site.line for site in read.sites[RUN]][-1:] == [
        source.count("\n", 0, source.index("eval(") if "eval(" in source else source.index("eval ")) + 1
    ]


def test_all_types_of_a_module_handed_on_are_read_at_once_and_no_other_way_is_tried_behind_one_without_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parses: list[bytes] = []
    parse = syntax_trees.parse_tree

    def counted(parser: Parser, content: bytes) -> Tree | None:
        parses.append(content)
        return parse(parser, content)

    monkeypatch.setattr(file_rule_evaluation, "parse_tree", counted)
    known = covered_languages()["typescript"]
    assert scan_file(b"export type * from './types'\n", known, known.probes).reason == ""
    assert len(parses) == 1
    imported = b"const real = await original<typeof import('./real')>()\n"
    assert scan_file(imported, known, known.probes).reason == ""
    assert len(parses) == 3
    assert scan_file(b"// a type * of <all>\nconst three = (\n", known, known.probes).reason
    assert len(parses) == 5


@pytest.mark.parametrize(
    "source",
    [
        "type Small = Ranged<-5, 5>;\nfn f(x: Ranged<i8, -1>) -> Ranged<-1, 1> { x.into() }\n",
        'match error {\n    Failed {\n        #[cfg(feature = "std")]\n        ref name,\n    } => name.len(),\n}\n',
    ],
)
def test_rust_that_the_grammar_does_not_know_is_read_whole(source: str) -> None:
    known = covered_languages()["rust"]
    body = source if source.startswith("type") else f"fn g() -> usize {{\n{source}}}\n"
    assert scan_file(body.encode(), known, known.probes).reason == ""


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("typescript", "export const one = (\nexport const two = }\n" + AFTERWARDS),
        ("typescript", "interface One {\n  (key: string) string\n  <A>(key: A: A\n}\n" + AFTERWARDS),
        ("javascript", "const link = <b>this & that\n"),
        ("rust", "type Small = Ranged<-5 5>;\nfn f() { 1 + }\n"),
        ("shell", 'if true; then\n  list="${answer#*[}"\n'),
    ],
)
def test_code_that_is_broken_is_said_to_be_read_in_part_or_not_at_all(language: str, source: str) -> None:
    known = covered_languages()[language]
    read = scan_file(source.encode(), known, known.probes)
    assert read.reason or read.unread


@pytest.mark.parametrize(
    "masked",
    [
        grammar_workarounds.rewrite_common_typescript,
        grammar_workarounds.rewrite_typescript,
        grammar_workarounds.rewrite_markup,
        grammar_workarounds.rewrite_rust,
        grammar_workarounds.rewrite_shell,
    ],
)
@pytest.mark.parametrize(
    "piece",
    [
        b"export type ", b"\n" + b" " * 300, b"import(", b"typeof import('", b": import('a')", b"&", b"<-1", b", -1_",
        b"using ", b"a<b<c>", b"a<>`", b"a<" + b"x" * 300, b"#[cfg(", b"#[cfg(a)]\n", b"${a#", b"${a#\"", b"${a%%\\", b"<T>", b"\n  <", b"'\"`",
    ],
)  # fmt: skip
def test_what_is_written_otherwise_keeps_its_length_and_takes_time_in_proportion(masked, piece: bytes) -> None:  # type: ignore[no-untyped-def]
    content = piece * 20_000
    begun = time.process_time()
    assert len(masked(content)) == len(content)
    assert time.process_time() - begun < 1
