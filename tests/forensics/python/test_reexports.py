"""Names that one module of a repository passes on to another one."""

from __future__ import annotations

import time

import pytest

from auditor.forensics.engine import cross_file_aliases
from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.single_file_scan import scan_file
from tests.auditing import Answers, asked, covered
from tests.repos import Drawing

SHELL = "code.shell_execution"
RUNS = "def handle(request):\n    {}(request.args['x'])\n"


def told(report: Answers, probe: str = SHELL) -> list[tuple[str, int | None, bool | None]]:
    """Path, line and whether it is new, of everything that the probe found."""
    return [
        (place.path, place.start, each.introduced)
        for each in report.evidence
        if each.probe == probe and each.outcome == "found"
        for place in each.locations
        if place.kind == "code"
    ]


@pytest.mark.parametrize(
    "files",
    [
        {"tools.py": "from os import system as run\n", "app.py": "from tools import run\n" + RUNS.format("run")},
        {"tools.py": "import os\nrun = os.system\n", "app.py": "from tools import run as go\n" + RUNS.format("go")},
        {"tools.py": "from os import system as run\n", "app.py": "import tools\n\n" + RUNS.format("tools.run")[:-1]},
        {"tools.py": "from os import system as run\n", "app.py": "from tools import *\n" + RUNS.format("run")},
        {"pkg/__init__.py": "from .inner import run\n", "pkg/inner.py": "from os import system as run\n", "app.py": "from pkg import run\n" + RUNS.format("run")},
        {"src/pkg/a.py": "from os import system as run\n", "src/pkg/__init__.py": "", "src/pkg/app.py": "from .a import run\n" + RUNS.format("run")},
        {"pkg/__init__.py": "from os import system as run\n", "pkg/sub/__init__.py": "", "pkg/sub/app.py": "from .. import run\n" + RUNS.format("run")},
        {"src/pkg/a.py": "import os\n", "src/pkg/app.py": "from pkg.a import os\n" + RUNS.format("os.system")},
    ],
)  # fmt: skip
def test_a_name_passed_on_by_another_module_is_followed(drawing: Drawing, files: dict[str, str]) -> None:
    drawing.commit(files)
    [(path, _, _)] = told(asked(drawing.path, None, SHELL))
    assert path.endswith("app.py")


@pytest.mark.parametrize(
    "files",
    [
        {"tools.py": "def run(x):\n    return x\n", "app.py": "from tools import run\n" + RUNS.format("run")},
        {"tools.py": "from os import system as run\n", "app.py": "from other import run\n" + RUNS.format("run")},
        {"tools.py": "from os import system as run\n", "app.py": "from tools import walk as run\n" + RUNS.format("run")},
        {"tools.py": "from os import system as run\n", "app.py": "from tools import run\nrun = print\n"},
    ],
)  # fmt: skip
def test_other_names_are_not(drawing: Drawing, files: dict[str, str]) -> None:
    drawing.commit(files)
    assert told(asked(drawing.path, None, SHELL)) == []


def test_a_change_is_followed_into_modules_that_it_leaves_alone(drawing: Drawing) -> None:
    drawing.commit({"tools.py": "from os import system as run\n", "app.py": "from tools import run\n"})
    drawing.branch("work")
    drawing.commit({"app.py": "from tools import run\n" + RUNS.format("run")})
    assert told(asked(drawing.path, "main", SHELL)) == [("app.py", 3, True)]
    drawing.commit({"app.py": "# more\nfrom tools import run\n" + RUNS.format("run")})
    assert told(asked(drawing.path, "HEAD^", SHELL)) == [("app.py", 4, False)]


def test_a_change_is_followed_through_several_modules_that_it_leaves_alone(drawing: Drawing) -> None:
    drawing.commit({
        "pkg/__init__.py": "from .outer import *\n",
        "pkg/outer.py": "def other(): ...\nfrom .inner import run\n",
        "pkg/inner.py": "class Other: ...\ntry:\n    from os import system as run\nexcept ImportError:\n    run = None\n",
    })  # fmt: skip
    drawing.branch("work")
    drawing.commit({"app.py": "from pkg import run\n" + RUNS.format("run")})
    assert told(asked(drawing.path, "main", SHELL)) == [("app.py", 3, True)]


def test_more_files_than_are_looked_at_again_say_so(drawing: Drawing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cross_file_aliases, "MAX_RESCANNED_FILES", 1)
    taking = "from tools import run\n" + RUNS.format("run")
    drawing.commit({"tools.py": "from os import system as run\n", "a.py": taking, "b.py": taking})
    report = asked(drawing.path, None, SHELL)
    assert [path for path, _, _ in told(report)] == ["a.py"]
    status, reason = covered(report)["b.py"]
    assert status == "partial"
    assert "use names of other modules" in reason


def test_more_modules_than_are_read_for_a_change_say_so(drawing: Drawing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cross_file_aliases, "MAX_IMPORTED_MODULES", 1)
    drawing.commit({"a.py": "from b import run\n", "b.py": "from os import system as run\n"})
    drawing.branch("work")
    drawing.commit({"app.py": "import a\nfrom b import run\n" + RUNS.format("run")})
    report = asked(drawing.path, "main", SHELL)
    assert told(report) == []
    assert "some of its names are unknown" in covered(report)["app.py"][1]


@pytest.mark.parametrize(
    "source",
    [
        "import a\n\n@cache\ndef f(\n    x,\n) -> int:\n    import hidden\n# said\n    return x\n\nimport b\n",
        "class C:\n    import hidden\nif True:\n    import a\nelse:\n    def f(): import hidden\nimport b",
        'X = """\ndef f():\n    """; import a; """\n"""\nimport b\n',
        'X = """\ndef f():\n    """; import a\nY = """text"""\nimport b\n',
        'X = """\ndef f():\n    """; import a  # """\nimport b\n# """\n',
        "x = (\n1,\nclass_ := 2,\n)\nimport a, b\n",
        "__definition_left_out__\ndef f(): ...\nimport a, b\n",
        'def f():\n    """Text\nimport hidden\n    """\nimport a, b\n',
    ],
)
def test_what_a_module_binds_is_the_same_without_its_definitions(source: str) -> None:
    outline = scan_file(source.encode(), "python", Interest((), definitions=False)).outline
    assert outline is not None
    assert [each.qualified_name for each in outline.imports] == ["a", "b"]


def test_modules_that_pass_names_on_in_a_circle_end(drawing: Drawing) -> None:
    drawing.commit({
        "a.py": "from b import run\nfrom os import system\n",
        "b.py": "from a import run\nfrom a import system as run\n",
        "app.py": "from a import run\n" + RUNS.format("run"),
    })  # fmt: skip
    assert [path for path, _, _ in told(asked(drawing.path, None, SHELL))] == ["app.py"]


def test_thousands_of_imports_in_a_deep_folder_are_answered_in_time(drawing: Drawing) -> None:
    deep = "/".join(["d"] * 300)
    flood = "".join(f"from a{number} import run\nimport b{number}.c\n" for number in range(12_000))
    drawing.commit({
        "tools.py": "from os import system as run\n",
        f"{deep}/a1.py": "from tools import run\n",
        f"{deep}/flood.py": flood,
        "app.py": "from tools import run\n" + RUNS.format("run"),
    })  # fmt: skip
    started = time.monotonic()
    assert [path for path, _, _ in told(asked(drawing.path, None, SHELL))] == ["app.py"]
    assert time.monotonic() - started < 20
