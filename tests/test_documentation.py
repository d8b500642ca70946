"""The documentation is complete, short where it should be, plain, and its links lead somewhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args
from urllib.parse import unquote

import click
import pytest
import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token
from pydantic import BaseModel

from auditor import cli, rubric_loader, strict_yaml
from auditor.action.action_inputs import INPUTS
from auditor.domain import SCHEMA_VERSION, Criterion, Expectation, Rule, Waiver
from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.probe_kit.probe_decorators import Probe
from auditor.settings import Config, Inconclusive
from tests.auditing import audited
from tests.documentation import DOCS, README, ROOT, page, section
from tests.plain_words import ruled_out
from tests.repos import Drawing

PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
LINKING = [*PAGES, ROOT / ".github/CONTRIBUTING.md", ROOT / ".github/SECURITY.md"]


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


@cache
def blocks(path: Path) -> Sequence[Token]:
    """A page as GitHub reads it, parsed once however many links lead to it."""
    return MarkdownIt("gfm-like", {"linkify": False}).parse(path.read_text(encoding="utf-8"))


@cache
def anchors(path: Path) -> Set[str]:
    """The anchors that GitHub gives to headings."""
    found = Counter[str]()
    for heading, inline in pairwise(blocks(path)):
        if heading.type == "heading_open":
            words = "".join(each.content for each in inline.children or () if each.type in {"text", "code_inline"})
            found[re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")] += 1
    repeated = {f"{slug}-{number}" for slug, count in found.items() for number in range(1, count)}
    return repeated | set(found)


def targets(path: Path) -> Iterator[str]:
    """Where links and pictures lead, those written in HTML too."""
    for block in blocks(path):
        for each in (block, *(block.children or ())):
            if each.type in {"html_block", "html_inline"}:
                yield from re.findall(r'\b(?:href|src|srcset)="([^"]+)"', each.content)
            named = each.attrGet("href") or each.attrGet("src")
            if named is not None:
                yield str(named)


def broken_links(path: Path) -> list[str]:
    broken = []
    for target in targets(path):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = unquote(target).partition("#")
        led = (path.parent / name).resolve() if name else path
        if not led.exists() or (anchor and anchor not in anchors(led)):
            broken.append(target)
    return broken


@pytest.mark.parametrize("path", LINKING, ids=relative)
def test_every_relative_link_leads_to_a_file_and_a_heading(path: Path) -> None:
    assert broken_links(path) == []


def test_a_link_to_a_missing_file_or_heading_is_seen(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("# One `two`: three\n\n## Same\n\n## Same\n")
    (tmp_path / "a.md").write_text(
        "# A\n[1](b.md#one-two-three) [2](b.md#same-1) [3](#a) [4](https://example.org/x)\n"
        '[5](c.md) [6](b.md#two) [7](#b) ![8](c.png)\n\n<img src="d.png">\n\n    [9](in-code.md)\n'
    )
    assert broken_links(tmp_path / "a.md") == ["c.md", "b.md#two", "#b", "c.png", "d.png"]


def test_the_readme_has_at_most_200_lines() -> None:
    assert len(README.splitlines()) <= 200


def test_the_two_commands_of_the_readme_are_there_word_for_word() -> None:
    install = "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/auditor audit path/to/your/repository"
    assert f"\n{install} --base HEAD~10\n" in README
    assert "\n.venv/bin/pip install -e '.[test]' && .venv/bin/pytest\n" in README


def test_the_readme_and_the_index_link_to_every_page() -> None:
    for path in DOCS.glob("*.md"):
        if path.name != "README.md":
            assert f"](.github/docs/{path.name})" in README, path.name
            assert f"]({path.name})" in page("README.md"), path.name


def test_the_readme_says_what_every_criterion_of_the_default_rubric_finds() -> None:
    rows = re.findall(r"^\| ([^|`]+?) \| ", section(README, "What it checks"), re.MULTILINE)
    criteria = rubric_loader.built_in("pull-request").criteria
    assert rows == ["Criterion", *(each.title for each in criteria)]
    assert len(criteria) == 11  # "eleven criteria"


# Commands, options, exit codes


def commands(group: click.Group, path: str = "auditor") -> Iterator[tuple[str, click.Command]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


def options(command: click.Command) -> set[str]:
    return {name for each in command.params for name in each.opts if name.startswith("--")}


def test_the_page_on_the_command_line_has_every_command_option_and_exit_code() -> None:
    text = page("command-line.md")
    known = dict(commands(cli.commands))
    for name in known:
        assert re.search(rf"^\| `{name}[ `]", section(text, "Commands"), re.MULTILINE), name
    rows = re.findall(r"^\| (`--.*?) \| ", section(text, "Options of `auditor audit`"), re.MULTILINE)
    listed = [name for row in rows for name in re.findall(r"`(--[a-z-]+)", row)]
    assert sorted(listed) == sorted(options(known["auditor audit"]))
    others = set().union(*(options(command) for name, command in known.items() if name != "auditor audit"))
    for option in others:
        assert f"`{option}" in section(text, "Options of other commands"), option
    for code, meaning in cli.EXIT_CODES.items():
        assert f"\n| {code} | {meaning} |" in section(text, "Exit codes")
    assert f"schema version of `report.json` is {SCHEMA_VERSION}" in text


def test_the_page_on_the_command_line_says_which_options_and_inputs_have_no_counterpart() -> None:
    text = section(page("command-line.md"), "Options and inputs of the Action")
    assert set(re.findall(r"`(--[a-z-]+)", text)) == options(dict(commands(cli.commands))["auditor audit"])
    inputs = {each.name for each in INPUTS}
    assert inputs <= set(re.findall(r"`([a-z][a-z-]+)(?:: whole_tree)?`", text))


@pytest.mark.parametrize("path", PAGES, ids=relative)
def test_pages_name_only_options_that_exist(path: Path) -> None:
    if path.name == "rules.md":  # speaks of options of other programs
        return
    known = set().union(*(options(command) for _, command in commands(cli.commands)))
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", path.read_text(encoding="utf-8"))) <= known


def test_every_command_takes_its_examples_seriously() -> None:
    """What a help page shows as an example can be parsed by the command."""
    known = dict(commands(cli.commands))
    for command in (cli.commands, *known.values()):
        for words in re.findall(r"^ +(auditor .*?)(?:  |$)", command.help or "", re.MULTILINE):
            name = next(each for each in sorted(known, key=len, reverse=True) if words.startswith(each))
            arguments = [each for each in words.removeprefix(name).partition(" > ")[0].split() if each != ">"]
            given = {each for each in arguments if each.startswith("--")}
            assert given <= options(known[name]), words


# Configuration, rubrics


def keys(model: type[BaseModel], prefix: str = "") -> Iterator[str]:
    """Every key of a configuration model; keys of lists have a table of their own."""
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from keys(kind, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}"


def first_cells(text: str) -> list[str]:
    """What the first cells of tables name in code marks."""
    cells = re.findall(r"^\| ([^|]+) \|", text, re.MULTILINE)
    return [name for cell in cells for name in re.findall(r"`([\w.]+)(?:: true)?`", cell)]


def test_the_page_on_configuration_has_every_key_and_value() -> None:
    text = page("configuration.md")
    assert first_cells(section(text, "Keys")) == list(keys(Config))
    assert first_cells(section(text, "Waivers")) == list(keys(Waiver))
    assert sorted(first_cells(section(text, "Inconclusive"))) == sorted(each.value for each in Inconclusive)
    assert Waiver in get_args(Config.model_fields["waivers"].annotation)


def test_the_example_configuration_is_valid_and_shows_every_key() -> None:
    example = section(page("configuration.md"), "Example").partition("```yaml\n")[2].partition("```")[0]
    assert strict_yaml.parse(Config, example, "the page").exclude == ("legacy/**",)
    assert set(yaml.safe_load(example)) == set(Config.model_fields)


def test_the_page_on_rubrics_has_every_decision_rule_in_order_and_every_key_of_a_criterion() -> None:
    text = page("rubrics-and-scores.md")
    rules = [each for each in first_cells(section(text, "3. Decision rules")) if each in set(Rule)]
    assert rules == [each.value for each in Rule]
    listed = first_cells(section(text, "Write a rubric"))
    assert sorted(listed) == sorted([*Criterion.model_fields, *Expectation.model_fields])
    for name in rubric_loader.names():
        assert f"\n| `{name}` |" in text, name


# Language


@pytest.mark.parametrize("path", [*PAGES, ROOT / ".github/SECURITY.md"], ids=relative)
def test_pages_are_written_in_plain_words(path: Path) -> None:
    assert ruled_out(path.read_text(encoding="utf-8")) == []


def help_texts() -> Iterator[str]:
    known: list[Any] = [cli.commands, cli.commands.commands["rubric"], *(each for _, each in commands(cli.commands))]
    for command in known:
        yield from (command.help or "", command.short_help or "", command.epilog or "")
        yield from (getattr(each, "help", None) or "" for each in command.params)


def test_help_and_action_yml_are_written_in_plain_words() -> None:
    metadata = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    outputs = [each["description"] for each in metadata["outputs"].values()]
    for text in [*help_texts(), *outputs, metadata["description"], *(each.description for each in INPUTS)]:
        assert ruled_out(text) == [], text


MAX_QUESTION_LENGTH = 80


@pytest.mark.parametrize("rule", discover_probes().values(), ids=lambda rule: rule.id)
def test_the_docstring_of_a_rule_is_a_short_question(rule: Probe) -> None:
    assert rule.question.endswith("?")
    assert len(rule.question) <= MAX_QUESTION_LENGTH
    assert rule.terms, "it says what counts and what does not"


def test_the_example_of_a_score_is_what_an_audit_gives(drawing: Drawing) -> None:
    module = '"""A."""\n\n\ndef get(url: str) -> bytes:\n    """The body of a page."""\n    import requests\n    return requests.get(url).content\n'
    drawing.commit({"pkg/a.py": '"""A."""\n'})
    drawing.branch("change")
    drawing.commit(
        {"pkg/a.py": module, "tests/test_a.py": "def test_get():\n    assert get('https://example.org')\n"}, "Add get"
    )
    report = audited(drawing.path, "main")
    (ruling,) = [each for each in report.verdict.rulings if each.criterion == "error_handling"]
    assert [(each.score, each.weight) for each in ruling.kept] == [(4, 0.3), (5, 0.3), (4, 0.4)]
    assert (ruling.score, [each.probe for each in ruling.caps]) == (3.5, ["code.no_timeout"])
    assert {each.score for each in report.verdict.rulings if each is not ruling} == {5.0, None}
    assert (report.verdict.overall, report.verdict.conclusion.value) == (4.8, "passed")
    said = page("rubrics-and-scores.md").partition("### An example")[2].partition("\n###")[0]
    for figure in ("weight 2 of the 9", "rounded down: 4", "rounded up: 5", "rounded: 4", "That is 4.3", "3.5", "4.8"):
        assert figure in said


def test_the_page_on_rubrics_lists_the_ids_of_the_default_rubric() -> None:
    listed = re.findall(
        r"`([a-z_]+)`",
        page("rubrics-and-scores.md").partition("have these ids")[2].partition("`auditor rubric show")[0],
    )
    wanted = [each.id for each in rubric_loader.built_in("pull-request").criteria]
    assert [each for each in listed if each in wanted] == wanted
