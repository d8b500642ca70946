"""Names in patterns of tables stand for shells, and a name that nothing stands for is an error."""

from __future__ import annotations

import re

import pytest

from auditor.forensics.languages.named_values import Definitions, Scope
from auditor.forensics.library_models.named_patterns import UnknownName, expand_pattern
from auditor.forensics.protections.unsafe_settings import command_rows, setting_rows
from tests.seeing import lines


@pytest.mark.parametrize("program", ["ash", "bash", "csh", "dash", "fish", "ksh", "mksh", "sh", "tcsh", "zsh"])
def test_each_shell_of_unix_fits_the_name(program: str) -> None:
    assert re.fullmatch(expand_pattern("/bin/{shell} -c"), f"/bin/{program} -c")


@pytest.mark.parametrize("program", ["cmd", "cmd.exe", "powershell", "powershell.exe", "pwsh", "pwsh.exe"])
def test_each_shell_of_windows_fits_the_name(program: str) -> None:
    assert re.fullmatch(expand_pattern("{windows_shell}"), program)


@pytest.mark.parametrize("program", ["", "ssh", "bashful", "cash", "python", "cmdx"])
def test_another_program_fits_neither(program: str) -> None:
    assert not re.fullmatch(expand_pattern("{shell}|{windows_shell}"), program)


@pytest.mark.parametrize("pattern", [r"a{2}", r"a{0,3}", r"\{shell}", r"\$\{name\}", r"[{}]"])
def test_other_braces_stay_as_they_are(pattern: str) -> None:
    assert expand_pattern(pattern) == pattern


def test_the_rows_of_languages_know_the_same_names() -> None:
    assert Scope([Definitions()]).expand("{shell}|{windows_shell}") == expand_pattern("{shell}|{windows_shell}")


@pytest.mark.parametrize("expand", [expand_pattern, Scope([Definitions()]).expand])
def test_a_name_that_nothing_stands_for_is_an_error_with_the_one_that_is_meant(expand: object) -> None:
    assert callable(expand)
    with pytest.raises(UnknownName, match=r"no pattern is called 'windows_shel'; did you mean 'windows_shell'\?"):
        expand("^{windows_shel}$")


def test_every_pattern_of_settings_and_commands_names_what_there_is() -> None:
    rows = [*setting_rows(), *command_rows()]
    written = [each for row in rows for each in (row.names, row.value, row.line, row.paths, row.beside, row.unless)]
    for pattern in written:
        re.compile(expand_pattern(pattern))


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("go", 'package a\n\nimport "os/exec"\n\nfunc f(x string) { exec.Command("SHELL", "-c", "ls "+x) }\n'),
        ("rust", 'fn f(x: &str) { Command::new("SHELL").arg("-c").arg(format!("ls {}", x)).output(); }\n'),
        ("shell", 'SHELL -c "ls $1"\n'),
        ("shell", '/usr/bin/SHELL -c "ls $1"\n'),
        ("python", "import os\ndef f(x):\n    os.system(f\"SHELL -c 'ls {x}'\")\n"),
    ],
)
@pytest.mark.parametrize("program", ["sh", "fish", "tcsh", "mksh"])
def test_a_command_built_for_any_shell_is_reported_in_each_language(language: str, source: str, program: str) -> None:
    assert lines("code.shell_execution", source.replace("SHELL", program), language)
