"""What fronts of Python packages pass on of private modules, and the breaks that follow."""

from __future__ import annotations

import time
from collections.abc import Mapping

import pytest

from auditor.domain import Outcome
from auditor.forensics.public_api.init_reexports import (
    find_package_inits,
    find_private_imports,
    find_public_siblings,
    is_private_module,
)
from auditor.forensics.public_api.package_reachability import MAX_REEXPORTED_NAMES, follow_reexports
from tests.auditing import asked, found, places
from tests.repos import Drawing

FILES = {
    "src/cron/__init__.py",
    "src/cron/_parse.py",
    "src/cron/_api/__init__.py",
    "src/cron/_api/_jobs.py",
    "src/cron/run.py",
}
BEFORE = """
class Schedule:
    def __init__(self, text: str) -> None:
        self.text = text


class Cursor:
    def __init__(self, at: int) -> None:
        self.at = at
"""


@pytest.mark.parametrize(
    ("text", "passed"),
    [
        ("from ._parse import Schedule, Cursor as Place\n", [("src/cron/_parse.py", {"Schedule": "Schedule", "Cursor": "Place"})]),
        ("from cron._parse import (  # all\n    Schedule,  # one\n    _hidden,\n)\n", [("src/cron/_parse.py", {"Schedule": "Schedule"})]),
        ("from ._parse import (  # all (of it)\n    Schedule,  # (one)\n)\n", [("src/cron/_parse.py", {"Schedule": "Schedule"})]),
        ("try:\n    from ._api import *\nexcept ImportError:\n    pass\n", [("src/cron/_api/__init__.py", None)]),
        ("from ._api._jobs import Job\n", [("src/cron/_api/_jobs.py", {"Job": "Job"})]),
        ("from ._parse import Schedule as _Schedule\n", [("src/cron/_parse.py", {})]),
        ("__all__ = ['Cursor']\nfrom ._parse import Schedule, Cursor\n", [("src/cron/_parse.py", {"Cursor": "Cursor"})]),
        ("from ._parse import *\n\n__all__: list[str] = [\n    'Cursor',  # where it is\n]\n", [("src/cron/_parse.py", {"Cursor": "Cursor"})]),
        ("from ._parse import Cursor\n__all__ = ['run'] + more\n", [("src/cron/_parse.py", {"Cursor": "Cursor"})]),
        ("if TYPE_CHECKING:\n    from ._parse import Cursor\n", [("src/cron/_parse.py", {"Cursor": "Cursor"})]),
        ("def now():\n    from ._parse import Cursor\n\nclass Late:\n    from ._parse import Schedule\n", []),
        ("\"\"\"Use it so:\n\n    from cron._parse import Cursor\n\"\"\"\n# \nfrom .run import main\n", []),
        ("from .run import main\nfrom os import path\nfrom ._gone import x\nfrom ...... import y\nimport cron._parse\n", []),
    ],
)  # fmt: skip
def test_a_front_passes_on_what_it_takes_by_a_public_name(text: str, passed: list[object]) -> None:
    assert list(find_private_imports("src/cron/__init__.py", text, FILES)) == passed


@pytest.mark.parametrize(
    ("path", "private"),
    [
        ("src/cron/_parse.py", True),
        ("src/cron/_api/jobs.py", True),
        ("src/cron/internal/jobs.py", True),
        ("src/cron/run_internal/jobs.py", True),
        ("src/cron/internal.py", False),
        ("src/cron/internal_mail/jobs.py", False),
        ("src/cron/__init__.py", False),
    ],
)
def test_names_of_modules_and_of_folders_say_what_is_for_a_package_alone(path: str, private: bool) -> None:
    assert is_private_module(path) is private


def test_fronts_are_those_of_public_packages_around_private_modules() -> None:
    assert find_package_inits(
        ["src/cron/_api/_jobs.py", "src/cron/run.py", "_build/x.py"], FILES | {"_build/__init__.py"}
    ) == {"src/cron/__init__.py"}


def api(drawing: Drawing, front: str, after: str, **more: str) -> list[str]:
    """What the question of breaks says of a change of a private module behind a front that it leaves alone."""
    before = {"src/cron/__init__.py": front, "src/cron/_parse.py": BEFORE, **more}
    return changed(drawing, before, {"src/cron/_parse.py": after})


def changed(drawing: Drawing, before: dict[str, str], after: Mapping[str, str | None]) -> list[str]:
    """What the question of breaks says of a change."""
    drawing.commit({"pyproject.toml": '[project]\nname = "cron"\n', **before})
    drawing.branch("work")
    drawing.commit(after)
    told = [
        each
        for each in asked(drawing.path, "main", "code.public_api_break").evidence
        if each.probe == "code.public_api_break"
    ]
    return [each.statement if each.outcome is Outcome.FOUND else each.outcome.value for each in told]


ASKS_MORE = BEFORE.replace("text: str", "text: str, zone: str")


@pytest.mark.parametrize("front", ["from ._parse import Schedule\n", "from cron._parse import *\n"])
def test_what_a_front_passes_on_of_a_private_module_breaks_its_callers(drawing: Drawing, front: str) -> None:
    assert api(drawing, front, ASKS_MORE) == [
        "Public function gained a required parameter: `zone` of `Schedule.__init__`."
    ]


def test_a_class_gone_from_behind_a_chain_of_private_modules_is_missed(drawing: Drawing) -> None:
    passing = {"src/cron/_api/__init__.py": "from .._parse import Schedule\n"}
    told = api(drawing, "from ._api import Schedule\n", BEFORE.replace("class Schedule", "class Plan"), **passing)
    assert told == ["Public class `Schedule` was removed."]


@pytest.mark.parametrize(
    ("front", "said"),
    [
        ("from ._parse import Cursor\n", "not_found"),
        ("from ._parse import Schedule as _S\n", "not_applicable"),
        ("", "not_applicable"),
    ],
)
def test_what_no_front_passes_on_breaks_nobody(drawing: Drawing, front: str, said: str) -> None:
    assert api(drawing, front, ASKS_MORE) == [said]


SCHEDULE, CURSOR = BEFORE.strip().split("\n\n\n")


@pytest.mark.parametrize(
    ("front", "now", "where"),
    [
        ("from ._parse import Schedule, Cursor\n", "from ._parse import Cursor\nfrom ._plan import Schedule\n", "_plan.py"),
        ("from ._parse import Schedule, Cursor\n", "from ._parse import Cursor\nfrom .plan import Schedule\n", "plan.py"),
        ("from ._parse import *\n", "from ._parse import *\nfrom ._plan import *\n", "_plan.py"),
        ("from ._parse import Schedule, Cursor\n", f"from ._parse import Cursor\n\n\n{SCHEDULE}\n", "plan.py"),
    ],
)  # fmt: skip
def test_what_a_front_takes_from_elsewhere_than_before_is_not_gone(
    drawing: Drawing, front: str, now: str, where: str
) -> None:
    moved = {"src/cron/__init__.py": now, "src/cron/_parse.py": f"{CURSOR}\n", f"src/cron/{where}": f"{SCHEDULE}\n"}
    assert changed(drawing, {"src/cron/__init__.py": front, "src/cron/_parse.py": BEFORE}, moved) == ["not_found"]


PARSE = "def parse(text: str) -> list[str]:\n    return text.split()\n\n\nSEPARATOR = ' '\n"
ASKING = PARSE.replace("text: str", "text: str, zone: str")
ASKED = "Public function gained a required parameter: `zone` of `parse`."


@pytest.mark.parametrize(
    ("was", "now", "front"),
    [
        ("_parse.py", "_parse/__init__.py", "from ._parse import parse, SEPARATOR\n"),
        ("_parse/__init__.py", "_parse.py", "from cron._parse import *\n"),
        ("parse.py", "parse/__init__.py", ""),
        ("parse/__init__.py", "parse.py", ""),
    ],
)
def test_a_module_that_became_a_package_is_held_against_it_and_the_other_way_round(
    drawing: Drawing, was: str, now: str, front: str
) -> None:
    before = {"src/cron/__init__.py": front, "src/cron/py.typed": "", f"src/cron/{was}": PARSE}
    moved = {f"src/cron/{was}": None, f"src/cron/{now}": ASKING}
    assert changed(drawing, before, moved) == [ASKED]


@pytest.mark.parametrize(
    ("now", "said"),
    [
        ({"parse/__init__.py": PARSE}, []),
        ({"parse/__init__.py": "from .core import parse, SEPARATOR\n", "parse/core.py": PARSE}, []),
        ({"parse/__init__.py": "from .core import SEPARATOR\n", "parse/core.py": PARSE}, ["Public function `parse` was removed."]),
        ({"parse/__init__.py": "", "parse/core.py": PARSE}, ["Public function `parse` was removed.", "Public constant `SEPARATOR` was removed."]),
    ],
)  # fmt: skip
def test_of_a_module_that_became_a_package_its_front_alone_is_asked(
    drawing: Drawing, now: dict[str, str], said: list[str]
) -> None:
    before = {"src/cron/__init__.py": "", "src/cron/py.typed": "", "src/cron/parse.py": PARSE}
    moved: dict[str, str | None] = {f"src/cron/{path}": text for path, text in now.items()}
    assert sorted(changed(drawing, before, {"src/cron/parse.py": None, **moved})) == sorted(said or ["not_found"])


def test_a_module_that_nobody_could_import_beside_a_package_of_its_name_breaks_nobody(drawing: Drawing) -> None:
    before = {"src/cron/__init__.py": "", "src/cron/parse/__init__.py": PARSE, "src/cron/parse.py": ASKING}
    assert changed(drawing, before, {"src/cron/parse.py": None}) == ["not_found"]


def test_a_private_module_that_became_a_package_and_is_passed_on_by_nobody_breaks_nobody(drawing: Drawing) -> None:
    before = {"src/cron/__init__.py": "", "src/cron/_parse.py": PARSE}
    told = changed(drawing, before, {"src/cron/_parse.py": None, "src/cron/_parse/__init__.py": ASKING})
    assert told == ["not_applicable"]


def test_what_became_of_a_module_is_shown_where_it_stands_now(drawing: Drawing) -> None:
    before = {"src/cron/__init__.py": "", "src/cron/py.typed": "", "src/cron/parse.py": PARSE}
    drawing.commit({"pyproject.toml": '[project]\nname = "cron"\n', **before})
    drawing.branch("work")
    drawing.commit({"src/cron/parse.py": None, "src/cron/parse/__init__.py": ASKING})
    report = asked(drawing.path, "main", "code.public_api_break")
    assert places(found(report, "code.public_api_break")) == [("src/cron/parse/__init__.py", 1)]


@pytest.mark.parametrize(
    "module",
    [
        "from ._parse import parse\n\n__all__ = ['parse', 'run']\n\n\ndef run() -> None: ...\n",
        "from ._parse import parse as parse\n\n\ndef run() -> None: ...\n",
        "from cron._parse import *\n\n\ndef run() -> None: ...\n",
        '"""All that there is."""\n\nfrom __future__ import annotations\n\nfrom ._parse import (\n    parse,\n)\n',
    ],
)
def test_what_a_public_module_means_to_pass_on_of_a_private_one_breaks_its_callers(
    drawing: Drawing, module: str
) -> None:
    before = {"src/cron/__init__.py": "", "src/cron/api.py": module, "src/cron/_parse.py": PARSE}
    assert changed(drawing, before, {"src/cron/_parse.py": ASKING}) == [ASKED]


@pytest.mark.parametrize(
    "module",
    [
        "from ._parse import parse\n\n\ndef run() -> None:\n    parse('')\n",
        "from ._parse import parse\n\n__all__ = ['run']\n\n\ndef run() -> None: ...\n",
        "from . import _parse as told\n\n\ndef run() -> None:\n    told.parse('')\n",
        "from ._parse import parse as told\n\nWORDS = told('a b')\n",
        "from ._parse import parse as _parse\n",
        "# see _parse\n",
    ],
)
def test_what_a_public_module_only_uses_of_a_private_one_breaks_nobody(drawing: Drawing, module: str) -> None:
    before = {"src/cron/__init__.py": "", "src/cron/api.py": module, "src/cron/_parse.py": PARSE}
    assert changed(drawing, before, {"src/cron/_parse.py": ASKING}) == ["not_applicable"]


def test_what_lies_deeper_behind_a_public_module_is_followed(drawing: Drawing) -> None:
    before = {
        "src/cron/__init__.py": "",
        "src/cron/api.py": "from ._inner import parse\n",
        "src/cron/_inner/__init__.py": "from .text import parse\n",
        "src/cron/_inner/text.py": PARSE,
    }
    assert changed(drawing, before, {"src/cron/_inner/text.py": ASKING}) == [ASKED]


def test_a_public_module_that_takes_a_name_from_elsewhere_than_before_loses_nothing(drawing: Drawing) -> None:
    before = {"src/cron/__init__.py": "", "src/cron/api.py": "from ._parse import *\n", "src/cron/_parse.py": PARSE}
    after = {"src/cron/api.py": "from ._text import *\n", "src/cron/_parse.py": None, "src/cron/_text.py": PARSE}
    assert changed(drawing, before, after) == ["not_found"]


def test_tests_beside_private_modules_pass_nothing_on(drawing: Drawing) -> None:
    before = {
        "src/cron/__init__.py": "",
        "src/cron/test_parse.py": "from ._parse import *\n",
        "src/cron/_parse.py": PARSE,
    }
    assert changed(drawing, before, {"src/cron/_parse.py": ASKING}) == ["not_applicable"]


def test_public_modules_are_looked_for_beside_the_outermost_private_name() -> None:
    paths = {*FILES, "src/cron/api.py", "src/cron/_api/text.py", "src/other.py", "setup.py"}
    assert find_public_siblings(["src/cron/_api/_jobs.py", "src/cron/_parse.py"], paths) == {
        "src/cron/api.py": {"_api", "_parse"},
        "src/cron/run.py": {"_api", "_parse"},
    }
    assert find_public_siblings(["src/cron/run.py", "src/cron/_data.json"], paths) == {}


def test_what_a_front_takes_from_an_internal_folder_breaks_its_callers_and_the_rest_of_it_nobody(
    drawing: Drawing,
) -> None:
    before = {
        "src/cron/__init__.py": "from .internal.parse import Schedule\n",
        "src/cron/internal/__init__.py": "",
        "src/cron/internal/parse.py": BEFORE,
    }
    asking = {"src/cron/internal/parse.py": ASKS_MORE.replace("at: int", "at: int, of: int")}
    assert changed(drawing, before, asking) == [
        "Public function gained a required parameter: `zone` of `Schedule.__init__`."
    ]


def test_of_several_names_that_leave_a_private_module_those_are_gone_that_no_front_has_any_longer(
    drawing: Drawing,
) -> None:
    before = {"src/cron/__init__.py": "from ._parse import *\n", "src/cron/_parse.py": BEFORE}
    after = {
        "src/cron/__init__.py": "from ._parse import *\nfrom ._plan import *\n",
        "src/cron/_parse.py": "",
        "src/cron/_plan.py": f"{SCHEDULE}\n",
    }
    assert changed(drawing, before, after) == ["Public class `Cursor` was removed."]


def test_what_is_gone_from_a_front_and_from_behind_it_is_told_once(drawing: Drawing) -> None:
    before = {"src/cron/__init__.py": "from ._parse import Schedule, Cursor\n", "src/cron/_parse.py": BEFORE}
    after = {"src/cron/__init__.py": "from ._parse import Cursor\n", "src/cron/_parse.py": f"{CURSOR}\n"}
    assert len(changed(drawing, before, after)) == 1


@pytest.mark.parametrize(
    "piece",
    [
        "__all__ = [",
        "class ",
        "async def ",
        "from . import (",
        "from ._parse import a, ",
        "from " + "." * 11,
        "from ._parse import (#",
        " \t",
    ],
)
def test_fronts_that_are_written_to_take_long_do_not(piece: str) -> None:
    started = time.process_time()
    list(find_private_imports("src/cron/__init__.py", piece * 20_000, FILES))
    assert time.process_time() - started < 1


def test_names_that_are_passed_on_round_and_round_are_followed_as_far_as_packages_go() -> None:
    names = ",".join(f"a{each} as a{each + 1}" for each in range(1_000))
    fronts_round = [f"p/_f{each}/__init__.py" for each in range(8)]
    lists = "".join(f"from .._f{each} import ({names})\n" for each in range(8))
    texts = {"p/__init__.py": lists.replace("..", "."), **dict.fromkeys(fronts_round, lists)}
    started = time.process_time()
    served = follow_reexports(
        {"p/__init__.py": "p/__init__.py"}, frozenset(texts), lambda paths: {each: texts[each] for each in paths}
    )
    assert time.process_time() - started < 1
    assert served[fronts_round[0]].names["a0"]


def test_a_list_of_names_in_every_front_is_kept_as_far_as_packages_go() -> None:
    names = "from ._x import (" + ",".join(f"a{each}" for each in range(30_000 // 8)) + ")\n"
    texts = {f"p{each}/__init__.py": names.replace("_x", f"_x{each % 4}") * 10 for each in range(80)}
    files = frozenset([*texts, *(f"p{each}/_x{each % 4}.py" for each in range(80))])

    def read(paths: list[str]) -> dict[str, str]:
        return {each: texts.get(each, "") for each in paths}

    served = follow_reexports({each: each for each in texts}, files, read)
    assert sum(len(each.names) for each in served.values()) <= MAX_REEXPORTED_NAMES
