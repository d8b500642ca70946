"""Probes on interfaces, maintainability and documentation: there, not there, and looks like it but is not."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from auditor.domain import Fact, Outcome
from auditor.forensics.documents.unchanged_documents import UnchangedDocuments
from auditor.forensics.probe_kit.probe_inputs import Documents
from auditor.forensics.public_api.exported_files import PublicSurfaces
from auditor.forensics.public_api.python_type_hints import required_fields
from auditor.forensics.source_text.file_outline import Class
from tests.auditing import asked as audited_for
from tests.auditing import found as found_in
from tests.auditing import places
from tests.forensics.probes.asking import added, ask, change, deleted, modified, modules, renamed, tree
from tests.repos import Drawing


def breaks(before: str, after: str, path: str = "pkg/a.py") -> list[str]:
    facts = ask("code.public_api_break", change(modified(path)), modules({path: after}, {path: before}), tree(path))
    return [fact.statement for fact in facts if fact.outcome is Outcome.FOUND]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("def f(): ...", "x = 1", "Public function `f` was removed."),
        ("class A: ...", "x = 1", "Public class `A` was removed."),
        ("class A:\n    def f(self): ...", "class A: ...", "Public method `A.f` was removed."),
        ("def f(a): ...", "def f(): ...", "Public function lost a parameter: `a` of `f`."),
        ("def f(a, b): ...", "def f(b): ...", "Public function lost a parameter: `a` of `f`."),
        ("def f(*, a): ...", "def f(*, b): ...", "Public function lost a parameter: `a` of `f`."),
        (
            "def f(a): ...",
            "def f(b): ...",
            "Parameter of a public function was renamed: `a` (now `b`) of `f`.",
        ),
        (
            "class A:\n    def f(self, a): ...",
            "class A:\n    def f(self, b, c=1): ...",
            "Parameter of a public function was renamed: `a` (now `b`) of `A.f`.",
        ),
        ("def f(a=1): ...", "def f(a): ...", "Parameter of a public function lost its default: `a` of `f`."),
        ("def f(a): ...", "def f(a, b): ...", "Public function gained a required parameter: `b` of `f`."),
        ("def f(a): ...", "def f(b, a): ...", "Public function gained a required parameter: `b` of `f`."),
        ("def f(a, b): ...", "def f(b, a): ...", "Parameters of the public function `f` were reordered."),
        ("def f(): ...", "async def f(): ...", "Public function `f` changed between `def` and `async def`."),
        ("__all__ = ['f', 'g']\ndef f(): ...\ng = 1", "__all__ = ['f']\ndef f(): ...", "`g` is no longer exported."),
        ("__all__ = ['g']\ng = 1", "x = 1", "`g` is no longer exported."),
        ("LIMIT = 1", "x = 1", "Public constant `LIMIT` was removed."),
        (
            "def f(a, b): ...",
            "def f(a, c=1, b=2): ...",
            "New parameter of a public function shifts existing positional arguments: `c` of `f`.",
        ),
        (
            "def f(a): ...",
            "def f(*, a): ...",
            "Parameter of a public function became keyword-only: `a` of `f`.",
        ),
        (
            "def f(a): ...",
            "def f(a, /): ...",
            "Parameter of a public function became positional-only: `a` of `f`.",
        ),
        ("def f(**more): ...", "def f(): ...", "Public function `f` no longer accepts extra arguments."),
        ("def f(*more): ...", "def f(*, a=1): ...", "Public function `f` no longer accepts extra arguments."),
        (
            "class A:\n    def f(self): ...",
            "class A:\n    @property\n    def f(self): ...",
            "Public method `A.f` changed between method and property.",
        ),
    ],
)
def test_what_callers_relied_on_and_is_gone_is_a_break(before: str, after: str, said: str) -> None:
    assert breaks(before, after) == [said]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def f(a): ...", "def f(a, b=1): ..."),
        ("def f(a, *, b): ...", "def f(a, *, c=1, b): ..."),
        ("def f(a, *, b): ...", "def f(a, b): ..."),
        ("def f(**more): ...", "def f(a=1, **more): ..."),
        ("logger = 1", "x = 1"),
        ("_LIMIT = 1", "x = 1"),
        ("LIMIT = 1", "from pkg.b import LIMIT"),
        ("import os\nfrom typing import Any", "x = 1"),
        ("def f(a): ...", "def f(*args, **kwargs): ..."),
        ("def _f(a): ...", "x = 1"),
        ("def f(): ...", "from pkg.b import f"),
        ("def f(): ...", "from pkg.b import g as f"),
        ("def f(): ...", "f = functools.partial(g)"),
        ("class A:\n    def f(self): ...", "class A(Base): ..."),
        ("def f():\n    def inner(): ...", "def f(): ..."),
        (
            "class A:\n    @property\n    def x(self): ...\n    @x.setter\n    def x(self, v): ...",
            "class A:\n    @property\n    def x(self): ...\n    @x.setter\n    def x(self, v): ...",
        ),
    ],
)
def test_what_callers_can_still_do_is_no_break(before: str, after: str) -> None:
    assert breaks(before, after) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("@click.command()\n@click.option('--a')\ndef f(a): ...", "@click.command()\n@click.option('--b')\n@click.option('--a')\ndef f(*, b, a): ..."),
        ("@cli.command()\n@click.argument('a')\n@click.pass_context\ndef f(ctx, a): ...", "@cli.command()\n@click.argument('a')\ndef f(a): ..."),
        ("@app.command()\ndef f(a: str): ...", "@app.command()\nasync def f(a: str, b: int = 1): ..."),
        ("@router.get('/a')\ndef f(a): ...", "@router.get('/a')\nasync def f(db, a): ..."),
        ("class A:\n    @router.post('')\n    def f(self, a): ...", "class A:\n    @router.post('')\n    async def f(self, a): ..."),
        ("@click.command('x')\n@shared\ndef f(a): ...", "@click.command('x')\n@shared\n@wide\ndef f(a, wide): ..."),
        ("if X:\n    def f(*a): ...\nelse:\n    def f(b): ...", "if X:\n    def f(*a): ...\nelse:\n    def f(b, c=1): ..."),
        ("@dataclass\nclass A:\n    a: int\n    def __init__(self, a=1): ...", "@dataclass\nclass A:\n    a: int\n    b: bool\n    def __init__(self, a=1, b=False): ..."),
    ],
)  # fmt: skip
def test_commands_answers_to_requests_and_classes_that_are_made_their_own_way_break_nobody(
    before: str, after: str
) -> None:
    assert breaks(before, after) == []
    assert retyped(before, after) == []


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("def f(self): ...", "@staticmethod\n    def f(): ...", []),
        ("def f(self): ...", "@classmethod\n    def f(cls): ...", []),
        ("@classmethod\n    def f(cls): ...", "@staticmethod\n    def f(): ...", []),
        ("@classmethod\n    def f(cls): ...", "def f(self): ...", ["Public method `A.f` can no longer be called on its class."]),
        ("@staticmethod\n    def f(): ...", "def f(self): ...", ["Public method `A.f` can no longer be called on its class."]),
        ("@property\n    def f(self): ...", "@staticmethod\n    def f(): ...", ["Public method `A.f` changed between method and property."]),
    ],
)  # fmt: skip
def test_a_method_that_needs_no_instance_any_more_is_called_as_before(before: str, after: str, said: list[str]) -> None:
    assert breaks(f"class A:\n    {before}", f"class A:\n    {after}") == said


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("@click.command()\n@click.option('--a')\ndef f(a): ...", "@click.command()\n@click.option('--b')\ndef f(b): ...", "Command lost an option or argument: `a` of `f`."),
        ("@app.command()\ndef f(a: str): ...", "@app.command()\ndef f(a: str, b: int): ...", "Public function gained a required parameter: `b` of `f`."),
        ("@router.get('/a')\ndef f(a): ...", "x = 1", "Public function `f` was removed."),
        ("if X:\n    def f(*a): ...\nelse:\n    def f(b, c): ...", "if X:\n    def f(*a): ...\nelse:\n    def f(b): ...", "Public function lost a parameter: `c` of `f`."),
        ("def f(a): ...", "@router.get('/a')\ndef f(): ...", "Public function lost a parameter: `a` of `f`."),
        ("def f(a=1): ...", "@click.command()\n@click.option('--a')\ndef f(a): ...", "Parameter of a public function lost its default: `a` of `f`."),
        ("@get\ndef f(a): ...", "@get\ndef f(): ...", "Public function lost a parameter: `a` of `f`."),
        ("__all__ = ['A']\nclass A: ...", "x = 1", "Public class `A` was removed."),
    ],
)  # fmt: skip
def test_an_option_that_is_gone_and_a_new_argument_that_must_be_given_are_breaks_told_once(
    before: str, after: str, said: str
) -> None:
    assert breaks(before, after) == [said]


DJANGO = ("manage.py", "shop/wsgi.py", "shop/settings.py", "orders/models.py")


@pytest.mark.parametrize(
    ("path", "beside", "expected"),
    [
        ("shop/settings.py", DJANGO, Outcome.NOT_APPLICABLE),
        ("orders/models.py", DJANGO, Outcome.NOT_APPLICABLE),
        ("shop/settings.py", (*DJANGO, "pyproject.toml"), Outcome.NOT_APPLICABLE),
        ("orders/models.py", (*DJANGO, "pyproject.toml"), Outcome.FOUND),
        ("orders/models.py", ("manage.py", "orders/models.py"), Outcome.FOUND),
        ("forms/fields.py", ("setup.py", "demo/manage.py", "demo/shop/asgi.py", "forms/fields.py"), Outcome.FOUND),
        ("demo/shop/settings.py", ("setup.py", "demo/manage.py", "demo/shop/asgi.py"), Outcome.NOT_APPLICABLE),
        ("pricing.py", ("Dockerfile", "main.py"), Outcome.NOT_APPLICABLE),
        ("shop/pricing.py", ("shop/Procfile",), Outcome.NOT_APPLICABLE),
        ("shop/pricing.py", ("Dockerfile", "shop/pyproject.toml"), Outcome.FOUND),
        ("shop/pricing.py", ("Dockerfile", "pyproject.toml"), Outcome.FOUND),
        ("shop/pricing.py", ("shop/Dockerfile", "setup.cfg"), Outcome.FOUND),
        ("shop/pricing.py", ("docker/Dockerfile", "NotADockerfile"), Outcome.FOUND),
        ("orders/migrations/0002_tax.py", ("setup.py",), Outcome.NOT_APPLICABLE),
        ("orders/migrations/__init__.py", ("setup.py",), Outcome.FOUND),
        ("alembic/versions/2024_add.py", ("setup.py",), Outcome.NOT_APPLICABLE),
    ],
)
def test_projects_that_are_started_and_steps_of_a_database_have_no_callers_outside(
    path: str, beside: tuple[str, ...], expected: Outcome
) -> None:
    sides = modules({path: "x = 1"}, {path: "LIMIT = 1"})
    facts = ask("code.public_api_break", change(modified(path)), sides, tree(path, *beside))
    assert [fact.outcome for fact in facts] == [expected]


def test_a_change_cannot_make_a_library_an_application() -> None:
    from auditor.forensics.probe_kit.probe_inputs import Tree

    before = tree("setup.py", "pkg/a.py")
    after = tree("setup.py", "pkg/a.py", "pkg/manage.py", "pkg/wsgi.py")
    sides = modules({"pkg/a.py": "x = 1"}, {"pkg/a.py": "LIMIT = 1"})
    facts = ask("code.public_api_break", change(modified("pkg/a.py")), sides, Tree(after.head, before.head))
    assert [fact.outcome for fact in facts] == [Outcome.FOUND]
    facts = ask("code.public_api_break", change(modified("pkg/a.py")), sides, Tree(before.head, after.head))
    assert [fact.outcome for fact in facts] == [Outcome.NOT_APPLICABLE]


def undocumented(source: str, path: str = "pkg/a.py") -> Outcome:
    return ask("docs.public_docstrings", None, modules({path: source}))[0].outcome


@pytest.mark.parametrize(
    "source",
    [
        "class _A:\n    def f(self):\n        ...\n\nclass B(_A):\n    '''B.'''\n    def f(self): ...",
        "class _A:\n    def f(self): ...\n\nclass _M(_A): ...\n\nclass B(_M):\n    '''B.'''\n    def f(self): ...",
        "import logging\n\nclass Handler(logging.Handler):\n    '''H.'''\n    def emit(self, record): ...",
        "from .base import View\n\nclass Orders(View):\n    '''O.'''\n    def post(self, request): ...",
        "import ast\n\nclass Names(ast.NodeVisitor):\n    '''N.'''\n    def visit_Name(self, node): ...",
        "class A(Base):\n    \"A.\"\n    @field_validator('x')\n    def known(cls, value): ...",
        "import json\n\nclass Dates(json.JSONEncoder):\n    '''D.'''\n    def default(self, o): ...",
    ],
)
def test_a_method_that_a_class_above_has_or_a_framework_calls_needs_no_docstring(source: str) -> None:
    assert undocumented(source) is not Outcome.FOUND


@pytest.mark.parametrize(
    "source",
    [
        "class _A:\n    def f(self): ...\n\nclass B(_A):\n    '''B.'''\n    def g(self): ...",
        "from .base import Client\n\nclass Orders(Client):\n    '''O.'''\n    def post(self, request): ...",
        "class Orders:\n    '''O.'''\n    def emit(self): ...",
        "class A(A):\n    '''A.'''\n    def f(self): ...",
        "class A(B):\n    '''A.'''\n    def f(self): ...\n\nclass B(A):\n    '''B.'''",
    ],
)
def test_a_method_of_its_own_needs_a_docstring(source: str) -> None:
    assert undocumented(source) is Outcome.FOUND


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("pkg/_flag.py", "def f(a): ...", Outcome.NOT_APPLICABLE),
        ("pkg/_inner/a.py", "def f(a): ...", Outcome.NOT_APPLICABLE),
        ("pkg/_flag.py", "__all__ = ['f']\ndef f(a): ...", Outcome.FOUND),
        ("pkg/__main__.py", "def f(a): ...", Outcome.FOUND),
        ("pkg/flag_.py", "def f(a): ...", Outcome.FOUND),
    ],
)
def test_a_module_for_its_own_package_is_public_where_it_exports_something(
    path: str, source: str, expected: Outcome
) -> None:
    assert undocumented(source, path) is expected
    assert ask("code.untyped_public_functions", None, modules({path: source}))[0].outcome is expected


def test_steps_of_a_database_need_neither_docstrings_nor_annotations() -> None:
    path, source = "alembic/versions/2024_add.py", "def upgrade():\n    ...\n"
    assert undocumented(source, path) is Outcome.NOT_APPLICABLE
    assert ask("code.untyped_public_functions", None, modules({path: source}))[0].outcome is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("pkg/__main__.py", []),
        ("pkg/__about__.py", ["Public function `run` was removed."]),
        ("pkg/main.py", ["Public function `run` was removed."]),
    ],
)
def test_what_is_started_and_not_imported_may_lose_its_functions(path: str, expected: list[str]) -> None:
    assert breaks("def run(): ...", "def start(): ...", path) == expected


def test_a_package_that_no_longer_serves_a_name_of_its_modules_breaks_who_imports_it() -> None:
    before = "from .core import load, _hidden\nimport os\nVERSION_INFO = 1\nlogger = 1\n"
    assert breaks(before, "from .core import save\n", "pkg/__init__.py") == [
        "Public constant `VERSION_INFO` was removed.",
        "The package no longer re-exports `load`.",
    ]
    assert breaks(before, "from .other import load\nVERSION_INFO = 2\n", "pkg/__init__.py") == []


def test_an_answer_to_requests_that_moved_to_another_module_is_still_at_its_address() -> None:
    source = "@router.get('/a')\ndef orders(): ...\n\ndef total(): ...\n"
    sides = modules({"pkg/a.py": "x = 1\n", "pkg/b.py": source}, {"pkg/a.py": source})
    facts = ask("code.public_api_break", change(modified("pkg/a.py"), added("pkg/b.py")), sides, tree("pkg/a.py"))
    assert [fact.statement for fact in facts] == ["Public function `total` was removed."]


@pytest.mark.parametrize(
    "path", ["tests/test_a.py", "pkg/_private.py", "examples/a.py", "setup.py", "install-tool.py", "pkg/2to3.py"]
)
def test_modules_that_nobody_imports_have_no_interface(path: str) -> None:
    facts = ask(
        "code.public_api_break", change(modified(path)), modules({path: "x = 1"}, {path: "def f(): ..."}), tree(path)
    )
    assert [fact.outcome for fact in facts] == [Outcome.NOT_APPLICABLE]


def test_a_module_that_is_gone_is_a_break_and_one_that_became_a_package_is_not() -> None:
    before = {"pkg/a.py": "def f(): ..."}
    gone = ask("code.public_api_break", change(deleted("pkg/a.py")), modules({}, before), tree("pkg/b.py"))
    package = ask("code.public_api_break", change(deleted("pkg/a.py")), modules({}, before), tree("pkg/a/__init__.py"))
    assert [fact.outcome for fact in gone] == [Outcome.FOUND]
    assert [fact.outcome for fact in package] == [Outcome.NOT_FOUND]


def test_breaks_of_one_kind_are_told_together_and_by_name() -> None:
    before = "".join(f"def f{number}(): ...\n" for number in range(6))
    assert breaks(before, "x = 1") == ["6 public functions were removed: `f0`, `f1`, `f2`, `f3` and 2 more."]


def test_a_module_that_moved_says_where_to() -> None:
    moved = renamed("pkg/a.py", "lib/a.py")
    source = "def f(): ...\n"
    (fact,) = ask(
        "code.public_api_break", change(moved), modules({"lib/a.py": source}, {"pkg/a.py": source}), tree("lib/a.py")
    )
    assert fact.statement == "Public module `pkg/a.py` (now `lib/a.py`) was removed."


@pytest.mark.parametrize(
    ("path", "before", "beside", "sure"),
    [
        ("pkg/a.py", "def f(): ...", "pkg/py.typed", True),
        ("src/pkg/deep/a.py", "def f(): ...", "src/pkg/py.typed", True),
        ("pkg/__init__.py", "def f(): ...", "README.md", True),
        ("pkg/a.py", "__all__ = ['f']\ndef f(): ...", "README.md", True),
        ("pkg/a.py", "def f(): ...", "README.md", False),
        ("pkg/a.py", "def f(): ...", "other/py.typed", False),
    ],
)
def test_a_break_is_only_possible_where_nothing_says_that_others_import_the_module(
    path: str, before: str, beside: str, *, sure: bool
) -> None:
    facts = ask(
        "code.public_api_break", change(modified(path)), modules({path: "x = 1"}, {path: before}), tree(path, beside)
    )
    assert all((fact.confidence >= 0.8) is sure for fact in facts)


def test_paths_and_links_that_lead_nowhere_are_named() -> None:
    there = tree("README.md", "src/a.py")
    (path,) = ask("docs.paths_exist", None, Documents({"README.md": "See `src/gone.py` and `src/a.py`."}), there)
    (link,) = ask("docs.links_resolve", None, Documents({"README.md": "[x](gone.md)"}), there)
    (heading,) = ask("docs.links_resolve", None, Documents({"README.md": "# A\n\n[x](#b)"}), there)
    assert path.statement == "Path named in the documentation does not exist: `src/gone.py`."
    assert link.statement == "Broken link (no such file): `gone.md`."
    assert heading.statement == "Broken link (no such heading in the file): `#b`."


def test_only_new_functions_without_annotations_are_reported_in_a_change() -> None:
    source = "def old(a): ...\ndef new(a): ...\ndef typed(a: int) -> int: ...\ndef _private(a): ...\n"
    (fact,) = ask("code.untyped_public_functions", change(modified("a.py", 3, start=2)), modules({"a.py": source}))
    assert [place.start for place in fact.locations] == [2]  # type: ignore[union-attr]
    assert fact.measure == 0.5
    assert fact.introduced is True


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("def f(a: Dict): ...", "def f(a: dict): ...", ""),
        ("def f(a, b): ...", "def f(a: int, b): ...", ""),
        (
            "def f(a: int) -> int: ...",
            "def f(a: int, b=1) -> int: ...",
            "A public function lacks type annotations: `f` (for `b`).",
        ),
        ("", "def f(a): ...", "A public function lacks type annotations: `f`."),
    ],
)
def test_a_function_that_lacked_annotations_before_is_not_charged_to_who_touches_its_line(
    before: str, after: str, said: str
) -> None:
    (fact,) = ask(
        "code.untyped_public_functions", change(modified("a.py", 1)), modules({"a.py": after}, {"a.py": before})
    )
    assert (fact.statement if fact.outcome is Outcome.FOUND else "") == said


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("def fist(a):\n    return a", "def first(a):\n    return a", False),
        ("def first(a: int) -> int:\n    return a", "def first(a):\n    return a", True),
        ("", "def first(a): ...", True),
    ],
)
@pytest.mark.parametrize("asked", ["code.untyped_public_functions", "docs.public_docstrings"])
def test_a_function_that_only_gets_another_name_is_asked_for_nothing_more(
    asked: str, before: str, after: str, *, found: bool
) -> None:
    (fact,) = ask(asked, change(modified("a.py", 1)), modules({"a.py": after}, {"a.py": before}))
    assert (fact.outcome is Outcome.FOUND) is (found and not (asked.startswith("docs") and before != ""))


def test_what_a_package_no_longer_exports_is_told_once() -> None:
    before = {
        "pkg/__init__.py": "from .models import Log, Kept\n__all__ = ['Log', 'Kept']",
        "pkg/models.py": "class Log: ...\nclass Kept: ...\nclass Other: ...",
    }
    after = {"pkg/__init__.py": "from .models import Kept\n__all__ = ['Kept']", "pkg/models.py": "class Kept: ..."}
    facts = ask(
        "code.public_api_break", change(*map(modified, before)), modules(after, before), tree(*before, "pkg/py.typed")
    )
    assert sorted(fact.statement for fact in facts) == [
        "Public class `Other` was removed.",
        "`Log` is no longer exported.",
    ]


_BARE = "def one(a): ...\ndef two(a): ...\ndef three(a): ...\n"
_TYPED = "def one(a: int) -> int: ...\ndef two(a): ...\ndef three(a): ...\n"


@pytest.mark.parametrize(
    ("before", "confidence"),
    [
        ({"pkg/a.py": _BARE}, 0.6),
        ({"pkg/a.py": _TYPED}, 1.0),
        ({"pkg/a.py": "def one(a): ...\n"}, 1.0),
        ({"pkg/a.py": _BARE, "pkg/b.py": _TYPED}, 0.6),
        ({"pkg/b.py": _BARE}, 0.6),
        ({"pkg/b.py": _TYPED}, 1.0),
        ({"pkg/b.py": _BARE, "pkg/c.py": _TYPED}, 1.0),
        ({"tests/test_b.py": _BARE}, 1.0),
    ],
)
def test_a_function_without_types_is_only_possibly_amiss_where_its_file_had_none_before(
    before: dict[str, str], confidence: float
) -> None:
    after = {"pkg/a.py": f"def new(a): ...\n{before.get('pkg/a.py', '')}"}
    facts = ask("code.untyped_public_functions", change(modified("pkg/a.py", 1)), modules(after, before))
    assert [(fact.outcome, fact.confidence) for fact in facts] == [(Outcome.FOUND, confidence)]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            "def f(a: int, *more, **others) -> int: ...",
            "A public function lacks type annotations: `f` (for `*more`, `**others`).",
        ),
        ("def f(*more): ...", "A public function lacks type annotations: `f`."),
        ("def f(a: int, *, b) -> int: ...", "A public function lacks type annotations: `f` (for `b`)."),
        ("def f(a: int, b): ...", "A public function lacks type annotations: `f` (for `b`, return type)."),
        ("@cli.command()\n@click.option('--a')\ndef f(a): ...", ""),
        ("@click.command()\ndef f(a): ...", ""),
        ("@app.command()\ndef f(a): ...", "A public function lacks type annotations: `f`."),
        ("class A(BaseModel):\n    @validator('a')\n    def f(cls, a): ...", ""),
        (
            "class A(BaseModel):\n    @cached('a')\n    def f(cls, a): ...",
            "A public function lacks type annotations: `A.f`.",
        ),
    ],
)
def test_what_a_signature_lacks_is_named_and_what_a_command_takes_is_told_by_its_options(
    source: str, said: str
) -> None:
    (fact,) = ask("code.untyped_public_functions", None, modules({"a.py": source}))
    assert (fact.statement if fact.outcome is Outcome.FOUND else "") == said


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("def f(a): ...", "def f(b): ...", False),
        ("def f(a):\n    'Says.'", "def f(b): ...", True),
        ("", "def f(b): ...", True),
    ],
)
def test_a_docstring_that_was_missing_before_is_not_charged_to_who_touches_the_line(
    before: str, after: str, *, found: bool
) -> None:
    (fact,) = ask("docs.public_docstrings", change(modified("a.py", 1)), modules({"a.py": after}, {"a.py": before}))
    assert (fact.outcome is Outcome.FOUND) is found


def branchy(branches: int) -> str:
    return "def f(x):\n" + "".join(f"    if x == {n}:\n        return {n}\n" for n in range(branches))


def test_a_function_that_gets_tangled_is_reported_and_an_old_tangle_is_not() -> None:
    def asked(before: str, after: str) -> list[Fact]:
        return ask("code.complexity", change(modified("a.py", 20)), modules({"a.py": after}, {"a.py": before}))

    assert asked(branchy(3), branchy(15))[0].statement == ("Function `f` grew from 4 to 16 branches (limit 15).")
    assert asked("", branchy(15))[0].statement == "New function `f` has 16 branches (limit 15)."
    assert asked(branchy(15), branchy(15))[0].outcome is Outcome.NOT_FOUND
    assert asked(branchy(15), branchy(14))[0].outcome is Outcome.NOT_FOUND


@pytest.mark.parametrize(
    ("before", "after", "found"), [(20, 21, False), (20, 25, True), (40, 44, False), (14, 15, False), (12, 15, True)]
)
def test_one_more_branch_in_an_old_tangle_is_nobody_s_decision_to_tangle_it(
    before: int, after: int, *, found: bool
) -> None:
    sources = {"a.py": branchy(after)}, {"a.py": branchy(before)}
    facts = ask("code.complexity", change(modified("a.py", 90)), modules(*sources))
    assert (facts[0].outcome is Outcome.FOUND) is found


@pytest.mark.parametrize(
    ("before", "after", "found"), [(110, 115, False), (110, 140, True), (98, 105, False), (80, 105, True)]
)
def test_a_long_function_is_charged_to_who_made_it_long(before: int, after: int, *, found: bool) -> None:
    sources = [{"a.py": "def f():\n" + "    x = 1\n" * count} for count in (after, before)]
    facts = ask("code.long_functions", change(modified("a.py", 200)), modules(*sources))
    assert (facts[0].outcome is Outcome.FOUND) is found


def test_a_tangled_function_that_moved_to_another_file_did_not_grow() -> None:
    facts = ask(
        "code.complexity",
        change(added("b.py", 40), deleted("a.py", 40)),
        modules({"b.py": branchy(15)}, {"a.py": branchy(15)}),
    )
    assert facts[0].outcome is Outcome.NOT_FOUND


def test_of_functions_that_share_a_name_each_is_compared_with_its_own() -> None:
    def both(first: int, second: int) -> str:
        return f"{branchy(first)}\n{branchy(second)}"

    for before, after, outcome in (
        (both(20, 2), both(20, 2), Outcome.NOT_FOUND),
        (both(20, 2), both(20, 16), Outcome.FOUND),
        (both(20, 2), branchy(20), Outcome.NOT_FOUND),
    ):
        facts = ask("code.complexity", change(modified("a.py", 90)), modules({"a.py": after}, {"a.py": before}))
        assert facts[0].outcome is outcome


def test_the_whole_tree_is_asked_for_every_tangled_or_long_function() -> None:
    long = "def f():\n" + "    x = 1\n" * 120
    assert ask("code.complexity", None, modules({"a.py": branchy(15)}))[0].outcome is Outcome.FOUND
    assert ask("code.long_functions", None, modules({"a.py": long}))[0].outcome is Outcome.FOUND
    assert ask("code.long_functions", None, modules({"a.py": branchy(3)}))[0].outcome is Outcome.NOT_FOUND
    assert ask("code.complexity", None, modules({"tests/test_a.py": branchy(15)}))[0].outcome is Outcome.NOT_APPLICABLE


def paths(text: str, *files: str) -> Outcome:
    return ask("docs.paths_exist", None, Documents({"README.md": text}), tree("README.md", *files))[0].outcome


@pytest.mark.parametrize(
    "text",
    [
        "See `src/gone.py`.",
        "See `src/gone.py:12`.",
        "Look into `src\\gone.py` for it.",
        "All of `lib/gone/` matters.",
        "See `bin/gone.sh`.",
        "See `dist` and `src/dist.py`.",
        "This will be great. See `src/gone.py` for how.",
        "It was the next default output of your example: `src/gone.py` does it.",
        "- We will add more\n- `src/gone.py` is the core",
    ],
)
def test_a_path_that_is_not_there_is_reported(text: str) -> None:
    assert paths(text, "src/a.py", "bin/run.sh") is Outcome.FOUND


@pytest.mark.parametrize(
    "text",
    [
        "See `src/a.py`.",
        "See `src/a.py:12`.",
        "See `src\\a.py`.",
        "See `./src/a.py`.",
        "See `pkg/deep/b.py`.",
        "We will add `src/planned.py` next.",
        "It writes `out/report.json`.",
        "We will add\n`src/planned.py` soon.",
        "## Roadmap\n\nThe core goes to `src/planned.py`.",
        "`src/old.py` was renamed.",
        "Wheels lie in `dist/`.",
        "Open `htmlcov/index.html`, or `web/node_modules/.cache/`.",
    ],
)
def test_paths_that_exist_or_are_announced_are_fine(text: str) -> None:
    assert paths(text, "src/a.py", "root/pkg/deep/b.py") is Outcome.NOT_FOUND


@pytest.mark.parametrize(
    "text",
    [
        "See `src/<name>.py`.",
        "Use `a/b` or `and/or`.",
        "```\ncat src/gone.py\n```",
        "See `path/to/file.py`.",
        "`https://example.org/a.py`",
        "Write `t\\`hello\\`` for a text that is translated.",
    ],
)
def test_placeholders_and_shell_output_name_no_path(text: str) -> None:
    assert paths(text) is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("docs/plans/orders.md", Outcome.NOT_APPLICABLE),
        ("rfcs/0012-orders.md", Outcome.NOT_APPLICABLE),
        ("docs/planning.md", Outcome.FOUND),
        ("docs/floorplans/orders.md", Outcome.FOUND),
    ],
)
def test_what_a_plan_names_need_not_be_there(document: str, expected: Outcome) -> None:
    told = ask("docs.paths_exist", None, Documents({document: "See `src/orders.py`.\n"}), tree(document, "src/a.py"))
    assert [each.outcome for each in told] == [expected]


def links(text: str, *files: str) -> Outcome:
    return ask("docs.links_resolve", None, Documents({"docs/a.md": text}), tree("docs/a.md", *files))[0].outcome


@pytest.mark.parametrize(
    "text",
    [
        "[a](gone.md)",
        "![a](img/gone.png)",
        "[a][b]\n\n[b]: gone.md",
        "# Here\n\n[a](#there)",
        "[a](../docs/tree/x.md)",
        "[a](tree/HEAD/x.md)",
    ],
)
def test_a_link_to_nowhere_is_reported(text: str) -> None:
    assert links(text) is Outcome.FOUND


@pytest.mark.parametrize(
    "text",
    [
        "[a](b.md)",
        "[a](../README.md)",
        "[a](../tree/HEAD/gone.md) [b](../issues) [c](../pull/12)",
        "# Some Title!\n\n[a](#some-title)",
        "# A\n# A\n[a](#a-1)",
        "<a id='x'></a>\n\n[a](#x)",
        "[a](b.md#L10)",
    ],
)
def test_a_link_that_leads_somewhere_is_fine(text: str) -> None:
    assert links(text, "docs/b.md", "README.md") is Outcome.NOT_FOUND


@pytest.mark.parametrize(
    ("target", "page", "expected"),
    [
        ("guide", "docs/guide.md", Outcome.NOT_FOUND),
        ("sub/guide/#start", "docs/sub/guide.rst", Outcome.NOT_FOUND),
        ("../guide", "docs/guide.md", Outcome.NOT_FOUND),
        ("sub", "docs/sub/index.md", Outcome.NOT_FOUND),
        ("gone", "docs/guide.md", Outcome.FOUND),
        ("guide.html", "docs/guide.md", Outcome.FOUND),
    ],
)
def test_a_page_is_linked_to_by_its_name_where_a_generator_serves_it(target: str, page: str, expected: Outcome) -> None:
    assert links(f"[it]({target})", page) is expected


@pytest.mark.parametrize(
    ("anchor", "beside", "expected"),
    [
        ("salt-pepper", "mkdocs.yml", Outcome.NOT_FOUND),
        ("salt-pepper", "docs/.vitepress/config.ts", Outcome.NOT_FOUND),
        ("salt-pepper_1", "mkdocs.yml", Outcome.NOT_FOUND),
        ("salt--pepper", "mkdocs.yml", Outcome.NOT_FOUND),
        ("pepper", "mkdocs.yml", Outcome.FOUND),
        ("salt-pepper", "other/mkdocs.yml", Outcome.FOUND),
    ],
)
def test_a_heading_is_linked_to_as_the_generator_of_its_page_writes_it(
    anchor: str, beside: str, expected: Outcome
) -> None:
    text = {"docs/a.md": f"# Salt & Pepper\n\n# Salt & Pepper\n\n[here](#{anchor})"}
    (fact,) = ask("docs.links_resolve", None, Documents(text), tree("docs/a.md", beside))
    assert fact.outcome is expected


@pytest.mark.parametrize(
    ("filling", "expected"),
    [
        ("::: mkdocs-click\n    :module: shop.cli", Outcome.NOT_FOUND),
        ("::: shop.cli.main", Outcome.NOT_FOUND),
        ('--8<-- "parts/sell.md"', Outcome.NOT_FOUND),
        ("{% include 'sell.md' %}", Outcome.NOT_FOUND),
        ("import Sell from './_sell.mdx'", Outcome.NOT_FOUND),
        ("::: tip\nSell more.\n:::", Outcome.FOUND),
        ("We import goods from a sell.md list.", Outcome.FOUND),
    ],
)
def test_a_heading_may_come_with_what_a_generator_fills_into_a_page(filling: str, expected: Outcome) -> None:
    text = {"docs/a.md": "[it](b.md#shop-sell)", "docs/b.md": f"# Commands\n\n{filling}\n"}
    assert ask("docs.links_resolve", None, Documents(text), tree(*text))[0].outcome is expected


def test_a_link_from_the_root_of_a_site_leads_into_the_folder_that_the_site_is_made_of() -> None:
    there = tree("web/public/posts/a.md", "web/public/img/b.jpg")
    for name, outcome in (("b", Outcome.NOT_FOUND), ("gone", Outcome.FOUND)):
        text = {"web/public/posts/a.md": f"![b](/img/{name}.jpg)"}
        assert ask("docs.links_resolve", None, Documents(text), there)[0].outcome is outcome


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("/docs/rules/gone.md", Outcome.FOUND),
        ("/docs/b.md", Outcome.NOT_FOUND),
        ("/guide/gone.md", Outcome.NOT_APPLICABLE),
        ("/docs/rules/gone", Outcome.NOT_APPLICABLE),
    ],
)
def test_a_link_from_the_root_to_a_file_in_a_folder_of_the_repository_is_followed_from_a_site_too(
    target: str, expected: Outcome
) -> None:
    text = {"docs/a.md": f"[b]({target})"}
    assert ask("docs.links_resolve", None, Documents(text), tree("docs/a.md", "docs/b.md"))[0].outcome is expected


@pytest.mark.parametrize(
    "text",
    ["[a](https://example.org/gone)", "[a](mailto:a@example.org)", "`[a](gone.md)`", "[a](/absolute/on/the/site)"],
)
def test_links_that_leave_the_repository_are_not_followed(text: str) -> None:
    assert links(text) is Outcome.NOT_APPLICABLE


def test_public_things_without_a_docstring_are_reported() -> None:
    source = 'def bare(): ...\ndef told():\n    """Tell."""\ndef _private(): ...\nclass Told:\n    """Tell."""\n'
    (fact,) = ask("docs.public_docstrings", None, modules({"a.py": source}))
    assert [place.quote for place in fact.locations] == ["bare"]
    assert fact.measure == round(1 / 3, 4)


@pytest.mark.parametrize(
    ("path", "outcome"),
    [
        ("docs/guide.md", Outcome.FOUND),
        ("golden/guide.md", Outcome.FOUND),
        ("tests/README.md", Outcome.FOUND),
        ("tests/golden/report.md", Outcome.NOT_APPLICABLE),
        ("pkg/tests/fixtures/project/README.md", Outcome.NOT_APPLICABLE),
    ],
)
@pytest.mark.parametrize(
    ("probe", "text"), [("docs.paths_exist", "See `src/gone.py`.\n"), ("docs.links_resolve", "See [it](gone.md).\n")]
)
def test_what_tests_compare_with_is_not_taken_for_documentation(
    probe: str, text: str, path: str, outcome: Outcome
) -> None:
    assert ask(probe, None, Documents({path: text}), tree(path))[0].outcome is outcome


OURS = (
    "src/app/main.py",
    "src/app/loader.py",
    "scripts/build.sh",
    "config/settings.toml",
    "tools/gen/Makefile",
    "README.md",
)


def read_beside(text: str, probe: str = "docs.paths_exist") -> Outcome:
    facts = ask(probe, None, Documents({"README.md": text}), tree(*OURS))
    assert len(facts) == 1
    return facts[0].outcome


@pytest.mark.parametrize(
    ("there", "gone"),
    [
        ("The loader is in src/app/loader.py.", "The loader is in src/app/reader.py."),
        ("| src/app/main.py | start |\n|---|---|\n", "| src/app/tasks.py | start |\n|---|---|\n"),
        ("- **src/app/main.py** starts", "- **src/app/views.py** starts"),
        ("```sh\n$ sudo bash scripts/build.sh --all\n```", "```sh\n$ sudo bash scripts/seed.sh --all\n```"),
        ("Run:\n\n    ./scripts/build.sh\n", "Run:\n\n    ./scripts/deploy.sh\n"),
        ("```\nmake -C tools/gen all\n```", "```\nmake -C tools/make all\n```"),
        ("Call `python src/app/main.py -v`.", "Call `python src/app/start.py -v`."),
        ("Start it with `python -m app.loader`, in `src/`.", "Start it with `python -m src.app.server`."),
        ("`uv run --frozen pytest src/app/main.py::test_it`", "`uv run --frozen pytest src/app/test.py::test_it`"),
        ("`docker build -f tools/gen/Makefile .`", "`docker build -f docker/Dockerfile.prod .`"),
        ("```text\n.\n├── src\n│   └── app\n│       ├── main.py\n│       └── loader.py\n```", "```text\n.\n├── src\n│   └── app\n│       ├── main.py\n│       └── worker.py\n```"),
        ("```\nsrc/\n  app/\n    main.py\n    loader.py   # reads\n```", "```\nsrc/\n  app/\n    main.py\n    cache.py   # keeps\n```"),
        ("Settings are read from `config/settings.toml`.", "Settings are read from `config/app.toml`."),
    ],
)  # fmt: skip
def test_paths_are_named_in_text_commands_and_drawings_too(there: str, gone: str) -> None:
    assert read_beside(gone) is Outcome.FOUND
    assert read_beside(there) in {Outcome.NOT_FOUND, Outcome.NOT_APPLICABLE}


@pytest.mark.parametrize(
    "text",
    [
        "Reads and/or writes; Linux/macOS, TCP/IP, client/server. See example.org/docs/index.html.",
        "```sh\nsudo cp app.service /etc/systemd/system/app.service\npython ~/tools/run.py\n```",
        "```sh\ncurl -o src/result.py https://example.org/x\npython src/result.py\n```",
        "```sh\nnpx create-app mine\nnode src/index.js\n```",
        "Save this:\n\n```python\nimport app\n\napp.run()\n```\n\nand `python hello.py` starts it.",
        "A project may look like this:\n\n```\nmine/\n  pages/\n    index.js\n    about.js\n```",
        "State is kept in `.app/state.json`.",
    ],
)
def test_files_of_readers_machines_and_of_what_they_make_are_not_missed(text: str) -> None:
    assert read_beside(text) in {Outcome.NOT_FOUND, Outcome.NOT_APPLICABLE}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<a href="docs/guide.md">Guide</a>', Outcome.FOUND),
        ('<p><img alt="x" src="docs/logo.png"></p>', Outcome.FOUND),
        ('<a href="src/app/main.py">start</a>', Outcome.NOT_FOUND),
        ("[guide](/docs/guide.md)", Outcome.FOUND),
        ("[start](/src/app/main.py)", Outcome.NOT_FOUND),
        ("[home](/)", Outcome.NOT_APPLICABLE),
        ("[write](someone@example.org)", Outcome.NOT_APPLICABLE),
        ("(the-host)=\n## Where it runs\n\n[host](#the-host)", Outcome.NOT_FOUND),
        ("the-host)=\n## Where it runs\n\n[host](#the-host)", Outcome.FOUND),
        ("![shot](IMG_URL/shot.png)", Outcome.NOT_FOUND),
        ("![shot](IMG/shot.png)", Outcome.FOUND),
        ("## `HOST` {: #HOST }\n\n[host](#HOST)", Outcome.NOT_FOUND),
        ("## Host {: .wide #the-host title='x' }\n\n[host](#the-host)", Outcome.NOT_FOUND),
        ("## Host {: .wide }\n\n[host](#the-host)", Outcome.FOUND),
        ('<h3 name="how">How</h3>\n\n[How](#how)', Outcome.NOT_FOUND),
    ],
)
def test_links_in_html_and_from_the_root_lead_somewhere_too(text: str, expected: Outcome) -> None:
    assert read_beside(text, "docs.links_resolve") is expected


def test_a_link_in_a_long_block_of_html_is_on_its_own_line(drawing: Drawing) -> None:
    rows = "<br>\n" * 120
    drawing.commit({"README.md": f'<div>\n{rows}<a href="docs/missing.md">Guide</a>\n</div>\n'})
    facts = found_in(audited_for(drawing.path, None, "docs.links_resolve"), "docs.links_resolve")
    assert places(facts) == [("README.md", 122)]


def retyped(before: str, after: str, path: str = "pkg/a.py") -> list[str]:
    texts = Documents({path: after}, {path: before})
    sides = modules({path: after}, {path: before})
    facts = ask("code.public_api_break", change(modified(path)), sides, tree(path), PublicSurfaces(), texts)
    return [fact.statement for fact in facts if fact.outcome is Outcome.FOUND]


RECORD = "@dataclass\nclass A:\n    a: int\n    b: str = ''\n"


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("def f(a: str) -> str: ...", "def f(a: str) -> str | None: ...", "Return type of `f` changed from `str` to `str | None`; check its callers."),
        ("def f() -> dict[str, Any]: ...", "class Answer:\n    a: int\ndef f() -> Answer: ...", "Return type of `f` changed from `dict[str, Any]` to `Answer`; check its callers."),
        ("def f(a: int) -> int: ...", "def f(a: list[int]) -> int: ...", "Parameter type of `f` (`a`) was narrowed from `int` to `list[int]`."),
        ("class A:\n    def f(self, *, a: Iterable[str] = ()): ...", "class A:\n    def f(self, *, a: list[str] = ()): ...", "Parameter type of `A.f` (`a`) was narrowed from `Iterable[str]` to `list[str]`."),
        ("class A(Enum):\n    B = 1\n    C = 2", "class A(Enum):\n    B = 1", "Public attribute `A.C` was removed."),
        (RECORD, RECORD.replace("a: int", "a: int\n    c: int"), "Public function gained a required parameter: `c` of `A`."),
    ],
)  # fmt: skip
def test_types_shapes_and_fields_that_are_others_now_break_callers(before: str, after: str, said: str) -> None:
    assert retyped(before, after) == [said]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def f(a: str) -> Optional[int]: ...", "def f(a: 'str') -> int: ..."),
        ("def f(a: t.List[int]) -> None: ...", "def f(a: Iterable[int]) -> bool: ..."),
        ("def f(a): return a", "def f(a: int) -> int: return a"),
        ("class A:\n    def f(self) -> 'A': ...", "class A:\n    def f(self) -> Self: ..."),
        ("class A: ...\nclass B(A): ...\ndef f() -> A: ...", "class A: ...\nclass B(A): ...\ndef f() -> B: ..."),
        ("def f() -> dict[str, Any]: ...", "class Answer(TypedDict):\n    a: int\ndef f() -> Answer: ..."),
        ("def f() -> tuple[int, str]: ...", "class Answer(NamedTuple):\n    a: int\ndef f() -> Answer: ..."),
        ("class A:\n    b = 1", "class A:\n    @property\n    def b(self): ..."),
        (RECORD, RECORD.replace("b: str", "c: int = 0\n    d: ClassVar[int]\n    b: str")),
        ("def _f(a: int): ...", "def _f(a: str): ..."),
    ],
)
def test_types_that_take_more_or_give_less_break_nobody(before: str, after: str) -> None:
    assert retyped(before, after) == []


@pytest.mark.parametrize(
    "given",
    [
        "c: str | None = Field(None, description='x')",
        "c: dict[str, int] = Field({}, alias='x')",
        "c: list[int] = attrs.field(factory=list)",
        "c: int = field(init=False)",
        "c: Price | None = field(\n        default=None,\n        kw_only=True,\n    )",
        "c: Annotated[\n        str, Field(max_length=3)\n    ] = 'x'",
        "c: Annotated[str, Field(default='x')]",
        "c: Literal['a=b'] = 'a=b'",
    ],
)
def test_a_new_field_that_has_a_default_in_any_form_asks_nobody_for_it(given: str) -> None:
    assert retyped(RECORD, RECORD.replace("b: str", f"{given}\n    b: str")) == []


@pytest.mark.parametrize(
    "asked",
    [
        "c: str = Field(..., description='the default way')",
        "c: str = Field(default=...)",
        "c: str = Field(\n        description='x',\n    )",
        "c: int = attrs.field(converter=int)",
        "c: Annotated[str, Field(max_length=3)]",
        "c: 'list[int]'",
    ],
)
def test_a_new_field_without_a_default_is_asked_for_in_any_form(asked: str) -> None:
    said = ["Public function gained a required parameter: `c` of `A`."]
    assert retyped(RECORD, RECORD.replace("a: int", f"a: int\n    {asked}")) == said


@pytest.mark.parametrize("piece", ["    a: (", "    a: str = Field(", "    a: x = field('", "    a:\n", "    a: b =\n"])
def test_fields_that_are_written_to_take_long_do_not(piece: str) -> None:
    started = time.process_time()
    source = f"@dataclass\nclass A:\n    x: int\n{piece * 20_000}"
    list(
        required_fields(
            source.split("\n"), Class("A", 2, 20_003, is_public=True, has_docstring=False, bases=(), decorators=())
        )
    )
    assert time.process_time() - started < 1


@pytest.mark.parametrize("path", [".github/scripts/labels.py", ".hooks/tidy.py", "docs_src/media/one.py"])
def test_what_lies_in_hidden_folders_or_shows_something_is_imported_by_nobody(path: str) -> None:
    assert breaks("def f(a): ...", "def g(a): ...", path) == []


@pytest.mark.parametrize(
    ("taken", "lost"),
    [
        ("from .a import b", True),
        ("from ..a import b", True),
        ("from ._a import b", True),
        ("from .._a import b", False),
        ("from .a import _b", False),
    ],
)
def test_a_package_serves_no_helpers_of_the_packages_around_it(taken: str, lost: bool) -> None:
    told = ["The package no longer re-exports `b`."] if lost else []
    assert breaks(f"{taken}\nfrom .a import c", "from .a import c", "pkg/sub/__init__.py") == told


PROMISES = "import abc\n\n\nclass Store(abc.ABC):\n    @abc.abstractmethod\n    def get(self): ...\n"
PUT = "    @abc.abstractmethod\n    def put(self): ...\n"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("    def get(self): ...\n", f"    def get(self): ...\n\n{PUT}", ["Existing subclasses lack the new abstract method `Store.put`."]),
        ("    def get(self): ...\n", "    def get(self): ...\n\n    def put(self): ...\n", []),
    ],
)  # fmt: skip
def test_what_whoever_implements_a_class_relies_on_is_compared(old: str, new: str, said: list[str]) -> None:
    assert breaks(PROMISES, PROMISES.replace(old, new)) == said


@pytest.mark.parametrize(
    ("text", "gone", "expected"),
    [
        ("Read [how](../old.md) first.\n", {"old.md"}, Outcome.FOUND),
        ("New [recipes](../recipes/) for you.\n", {"recipes/soup.md", "recipes"}, Outcome.FOUND),
        ("![plan](plan%20b.svg)\n", {"docs/plan b.svg"}, Outcome.FOUND),
        ("Read [how](https://example.org/old.md), or old.md.\n", {"old.md", "docs/old.md"}, Outcome.NOT_APPLICABLE),
        ("Read [how](old.md), which went long ago.\n", {"old.md"}, Outcome.NOT_APPLICABLE),
        ("`[how](old.md)` is how a link is written.\n", {"docs/old.md"}, Outcome.NOT_APPLICABLE),
    ],
)
def test_links_of_documents_left_alone_to_what_a_change_takes_away_lead_nowhere(
    text: str, gone: set[str], expected: Outcome
) -> None:
    beside = UnchangedDocuments({"docs/a.md": text}, frozenset(gone))
    (fact,) = ask("docs.links_resolve", change(modified("b.py")), Documents({}), tree("docs/a.md", "b.py"), beside)
    assert fact.outcome is expected


def test_a_field_that_a_written_constructor_takes_is_kept_and_one_that_it_does_not_is_gone() -> None:
    record = "@dataclass\nclass Text:\n    content: str\n    language: str\n"
    written = "class Text:\n    def __init__(self, content: str, {}: str) -> None:\n        self.content = content\n"
    assert breaks(record, written.format("language")) == []
    assert any("`Text.language`" in told for told in breaks(record, written.format("dialect")))


@pytest.mark.parametrize(
    ("unread", "said"),
    [
        ({}, "The change edits no existing module that other projects can import."),
        (
            {"pkg/old.py": "print statement"},
            "The change edits no existing, readable module that other projects can import. 1 unreadable file was not compared.",
        ),
        (
            {"tests/test_old.py": "print statement"},
            "The change edits no existing module that other projects can import.",
        ),
    ],
)
def test_a_module_that_could_not_be_read_is_not_said_to_be_untouched(unread: dict[str, str], said: str) -> None:
    sides = replace(modules({}), unreadable=unread)
    (fact,) = ask("code.public_api_break", change(*map(modified, unread)), sides, tree(*unread))
    assert (fact.outcome, fact.statement) == (Outcome.NOT_APPLICABLE, said)
