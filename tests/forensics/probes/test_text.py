"""Text probes: hidden characters, promises, debugging aids, defaults, records in dicts, tests that check nothing."""

import pytest

from tests.seeing import lines, sites


@pytest.mark.parametrize(
    "source",
    [
        "access = 'user\u202e \u2066// admin'",
        "name = 'a\u200bb'",
        "c\u043eunt = 1",
        "x = 'plain\U000e0041\U000e0042'",
        "x = 'a\ufe01\ufe02\ufe03'",
        "x = '\u25b6\ufe0f\ufe0e'",
        "is_admin\ufe0f\ufe0f = True",
        "x = '\u25b6\ufe0f\ufe0f\ufe0f\ufe0f\ufe0f'",
        "x = 'soft\u00adhyphen'",
        "x = 1  # \u2060",
        "x = 'a\u200f.'",
        "x = 1  # admin\u200f",
    ],
)
def test_characters_that_hide_or_pose_are_reported(source: str) -> None:
    assert lines("text.hidden_characters", source) == [1]


def test_an_invisible_character_is_named_since_no_reader_sees_it() -> None:
    (site,) = sites("text.hidden_characters", "name = 'a\u200bb'")
    assert site.statement == "Line contains an invisible character: `U+200B` zero width space"


@pytest.mark.parametrize(
    ("source", "language"),
    [
        ("flag = '\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f'", "python"),
        ("family = '\U0001f468\u200d\U0001f469\u200d\U0001f467'", "python"),
        ("heart = '\u2764\ufe0f'", "python"),
        ("heart = '\u2764\ufe0f\ufe0f'", "python"),
        ("Press \u25b6\ufe0f\ufe0f to begin", "md"),
        ("\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd", "md"),
        ("\u05e9\u05dc\u05d5\u05dd\u200f (abc)", "md"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "md"),
        ("\ufeffimport os", "txt"),
        ("(\u05e9\u05dc\u05d5\u05dd)\u200f.", "md"),
        ("x = '\u05e9\u05dc\u05d5\u05dd!\u200f'", "python"),
        ("Donau\u00addampf", "md"),
        ("gr\u00f6\u00dfe = 'na\u00efve'", "python"),
        ("delta = '\u0394x'", "python"),
        ("text = '\u041f\u0440\u0438\u0432\u0435\u0442, world'", "python"),
        ("text = 'one\\n\u041f\u0440\u0438\u0432\u0435\u0442\\t\u043c\u0438\u0440'", "python"),
    ],
)
def test_characters_used_for_what_they_are_meant_for_are_not_reported(source: str, language: str) -> None:
    assert sites("text.hidden_characters", source, language) == []


@pytest.mark.parametrize("language", ["jsonl", "csv", "log", "ipynb"])
def test_recorded_data_may_hold_any_writing_and_is_reported_with_doubt(language: str) -> None:
    assert [each.confidence for each in sites("text.hidden_characters", '{"a": "user\u202e"}', language)] == [0.5]
    assert sites("text.hidden_characters", '{"a": "c\u043eunt"}', language) == []


@pytest.mark.parametrize("language", ["python", "yaml", "javascript", "toml"])
def test_what_is_run_or_configures_is_reported_without_doubt(language: str) -> None:
    assert [each.confidence for each in sites("text.hidden_characters", "a: 'user\u202e'", language)] == [1.0]


def test_work_put_off_in_a_comment_is_reported_on_its_line() -> None:
    assert lines("text.todo_added", "x = 1\n# TODO: do it\n") == [2]


@pytest.mark.parametrize(
    "comment",
    ["FIXME(#123): do it", "TODO: BOOK-118 do it", "TODO do it, see issue 7", "TODO: do it\n# once LIN-42 is done", "XXX https://bugs.example.org/4711"],
)  # fmt: skip
def test_work_that_is_put_off_and_tracked_elsewhere_is_not_reported(comment: str) -> None:
    assert sites("text.todo_added", f"# {comment}\n") == []


@pytest.mark.parametrize(
    "comment",
    [
        "TODO: read UTF-8",
        "TODO: move to SHA-256",
        "TODO: paint it #ff0000",
        "TODO: read H264-2",
        "TODO: do it\n# TODO: ABC-1 and that",
    ],
)
def test_what_only_looks_like_an_issue_tracks_nothing(comment: str) -> None:
    assert lines("text.todo_added", f"# {comment}\n") == [1]


def test_an_address_that_may_be_that_of_an_issue_leaves_doubt() -> None:
    (site,) = sites("text.todo_added", "# TODO: do it as in https://docs.example.org/guide")
    assert site.confidence < 0.7


@pytest.mark.parametrize(
    "source", ["x = 'TODO: in a string'", "todo_list = []", "# a TODO list app", "'''\n# TODO in a docstring\n'''"]
)
def test_the_word_in_other_places_is_not_work_put_off(source: str) -> None:
    assert sites("text.todo_added", source) == []


@pytest.mark.parametrize(
    ("source", "language"),
    [
        ("let x = 1 // TODO: do it", "typescript"),
        ("/* TODO: do it */", "css"),
        ("# TODO: do it", "yaml"),
        ("x: 'it''s' # TODO: do it", "yaml"),
        ("don't() // TODO: do it", "go"),
        ("-- TODO: do it", "sql"),
        ("<!-- TODO: do it -->", "vue"),
        ("; TODO: do it", "ini"),
    ],
)
def test_work_put_off_is_seen_in_other_languages_too(source: str, language: str) -> None:
    assert lines("text.todo_added", source, language) == [1]


def test_work_put_off_inside_a_long_comment_is_seen() -> None:
    assert lines("text.todo_added", "/*\n * TODO: do it\n */\nlet TODO = 1\n", "go") == [2]


@pytest.mark.parametrize(
    ("source", "language"),
    [
        ("const url = 'http://a/TODO'", "javascript"),
        ('const s = "// TODO"', "javascript"),
        ("color: '#TODO'", "yaml"),
        ("echo $#TODO", "shell"),
        ("a//TODO", "python3"),
        ("# TODO", "css"),
    ],
)
def test_a_mark_that_opens_no_comment_in_its_language_is_none(source: str, language: str) -> None:
    assert lines("text.todo_added", source, language) == []


@pytest.mark.parametrize(
    "source",
    [
        "breakpoint()",
        "import pdb\npdb.set_trace()",
        "from pdb import set_trace as st\nst()",
        "import pdb",
        "from ipdb import set_trace",
        "import pdb\npdb.Pdb().set_trace()",
        "import IPython\nIPython.embed()",
        "from IPython import embed\nembed()",
        "import sys\nsys.breakpointhook()",
        "stop = [breakpoint]",
        '__import__("pdb").set_trace()',
    ],
)
def test_a_debugging_aid_is_reported(source: str) -> None:
    assert len(sites("text.debug_leftovers", source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "print('hello')",
        "def breakpoint(): ...\nbreakpoint()",
        "page.set_trace()",
        "from .pdb import load",
        "import pdbfile",
    ],
)
def test_ordinary_calls_are_no_debugging_aids(source: str) -> None:
    assert sites("text.debug_leftovers", source) == []


@pytest.mark.parametrize(
    ("source", "confidence"),
    [
        ("def f(x=[]):\n    x.append(1)", 1.0),
        ("def f(*, x={}):\n    x['a'] = 1", 1.0),
        ("def f(x=[]):\n    return len(x)", 0.6),
        ("import collections\ndef f(x=collections.defaultdict(list)):\n    x.update(y)", 1.0),
    ],
)
def test_a_default_shared_between_calls_is_reported(source: str, confidence: float) -> None:
    assert [site.confidence for site in sites("code.mutable_default", source)] == [confidence]


@pytest.mark.parametrize(
    "source", ["def f(x=None): ...", "def f(x=()): ...", "def f(x=frozenset()): ...", "class A:\n    x = []"]
)
def test_other_defaults_are_not_reported(source: str) -> None:
    assert sites("code.mutable_default", source) == []


def test_a_dict_read_like_a_record_is_reported() -> None:
    source = "def f(order: dict[str, object]):\n    return order['id'], order['sum'], order.get('tax'), order['day']"
    assert lines("code.dict_soup", source) == [1]


@pytest.mark.parametrize(
    ("meaning", "told"),
    [
        ("Order = dict[str, object]", 1),
        ("Order: TypeAlias = 'list[int]'\nOrder = dict[str, object] | None", 0),
        ("Order = Mapping[str, object] if TYPE_CHECKING else object", 0),
        ("Order = tuple[str, ...]", 0),
        ("Order = NewType('Order', str)", 0),
    ],
)
def test_a_type_that_the_module_names_is_read_as_what_it_stands_for(meaning: str, told: int) -> None:
    source = "def f(order: Order):\n    return order['id'], order['sum'], order.get('tax'), order['day']"
    assert len(lines("code.dict_soup", f"{meaning}\n{source}")) == told


NEW_ORDER = "def new():\n    return {'id': 1, 'sum': 2, 'tax': 3, 'day': 4}\n"
READS = "    return {0}['id'], {0}['sum'], {0}.get('tax'), {0}['day']\n"


@pytest.mark.parametrize(
    "source",
    [
        NEW_ORDER + "def f(order):\n" + READS.format("order"),
        "ORDERS = [dict(id=1, sum=2, tax=3, day=4)]\ndef f(order, *, rate=1):\n" + READS.format("order"),
        NEW_ORDER + "def f(orders):\n    for one in orders:\n    " + READS.format("one"),
        NEW_ORDER + "class A:\n    def f(self, order):\n    " + READS.format("order"),
    ],
)
def test_a_dict_that_the_file_builds_and_reads_like_a_record_is_reported_without_any_annotation(source: str) -> None:
    assert [site.confidence for site in sites("code.dict_soup", source)] == [0.75]


@pytest.mark.parametrize(
    "source",
    [
        NEW_ORDER + "def f(order):\n    order.groupby('id')\n" + READS.format("order"),
        "def f(row):\n    return {'id': row['id'], 'sum': row['sum'], 'tax': row['tax'], 'day': row['day']}\n",
        "import pandas as pd\nFRAME = pd.DataFrame({'id': [1], 'sum': [2], 'tax': [3], 'day': [4]})\ndef f(x):\n"
        + READS.format("x"),
        NEW_ORDER + "def f(order):\n    return order['id'], order['sum'], order['other'], order['more']\n",
        NEW_ORDER + "def f(order: Order):\n" + READS.format("order"),
        "def f(counts: dict[str, int], name: str):\n    return counts[name]",
        "def f(order):\n    return order['id'], order['sum'], order['tax'], order['day']",
        "def f(kwargs: dict):\n    return kwargs['a'], kwargs['b'], kwargs['c'], kwargs['d']",
    ],
)
def test_a_dict_used_as_a_mapping_is_not_reported(source: str) -> None:
    assert sites("code.dict_soup", source) == []


@pytest.mark.parametrize(
    "source",
    [
        "def test_f():\n    f()",
        "class TestF:\n    def test_f(self):\n        self.f()",
        "async def test_f():\n    await f()",
        "def test_f():\n    assert True",
        "def test_f():\n    x = 1\n    assert x == x",
        "def test_f():\n    assert (f(), 'message')",
        "from app.testing import client\ndef test_f():\n    client.is_(f())",
        "from app.models import column\ndef test_f():\n    query(column.in_([1]))",
    ],
)
def test_a_test_that_checks_nothing_is_reported(source: str) -> None:
    assert len(sites("tests.without_assertions", source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "def test_f():\n    assert f()",
        "import pytest\ndef test_f():\n    with pytest.raises(ValueError):\n        f()",
        "class TestF:\n    def test_f(self):\n        self.assertEqual(f(), 1)",
        "def test_f(mock):\n    mock.assert_called_once()",
        "def common(app):\n    assert app\ndef test_f(app):\n    common(app)",
        "def test_f():\n    check_result(f())",
        "def helper():\n    f()",
        "from app.testing import is_\ndef test_f():\n    is_(f(), 1)",
        "from app.testing import is_not as differs\ndef test_f():\n    differs(f(), 1)",
        "@router.post('/login/test-token')\ndef test_token(user: User) -> User:\n    return user",
    ],
)
def test_a_test_that_checks_something_is_not_reported(source: str) -> None:
    assert sites("tests.without_assertions", source) == []
