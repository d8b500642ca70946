"""Statements in a few words of which the lines that come show another: wrong, right, and only looking like it."""

from __future__ import annotations

import pytest

from auditor.domain import Outcome
from tests.forensics.probes.test_description_claims import CONTRADICTS, SHOP, said_of


def told(said: str, code: str, before: str = "", path: str = "shop/work.py") -> Outcome:
    base = {**SHOP, path: before} if before else SHOP
    return said_of(f"Next step\n\n{said}", {path: f"{before}{code}"}, base)


LOGGED = 'def work(log):\n    log.{}("order %s is late", 7)\n'


@pytest.mark.parametrize(
    "words",
    [
        "Late orders are now logged at {} level.",
        "Logs late orders at level {}.",
        "Late orders are logged as {}s now.",
        "Late orders are logged with level `{}`.",
        "Orders that will be late are now logged as {}s instead of nothing.",
        "Lowers the log message of late orders to {}.",
        "- log late orders at `{}`",
    ],
)
def test_the_level_at_which_something_is_logged_is_that_of_the_lines_that_come(words: str) -> None:
    said = words.format("warning")
    assert told(said, LOGGED.format("info")) is CONTRADICTS
    assert told(said, LOGGED.format("warning")) is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    [
        "Late orders are still logged as warnings.",
        "Late orders were logged as warnings.",
        "Logs the warning that the shop gives.",
        "Late orders should be logged at warning level later.",
        "The log has a warning for those.",
    ],
)
def test_words_about_logs_that_tell_no_level_of_what_comes_are_not_held_against_it(said: str) -> None:
    assert told(said, LOGGED.format("info")) is not CONTRADICTS


def test_a_level_that_other_lines_of_the_file_log_at_may_be_meant() -> None:
    before = 'def warn(log):\n    log.warning("x")\n\n\n'
    assert told("Late orders are logged as warnings.", LOGGED.format("info"), before) is not CONTRADICTS


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ('    log::info!("late");\n', "src/work.rs"),
        ('  console.info("late");\n', "src/work.ts"),
        ('\tslog.InfoContext(ctx, "late")\n', "work/late.go"),
        ('    LOG.info("late");\n', "src/Work.java"),
        ('    _logger.LogInformation("late");\n', "src/Work.cs"),
        ('    Rails.logger.info("late")\n', "app/work.rb"),
        ('    Logger.info("late")\n', "lib/work.ex"),
    ],
)
def test_levels_are_read_in_any_usual_language(line: str, path: str) -> None:
    assert told("Late orders are now logged at debug level.", line, path=path) is CONTRADICTS
    assert told("Late orders are now logged at info level.", line, path=path) is not CONTRADICTS


@pytest.mark.parametrize(
    "words",
    [
        "A name that is taken is answered with {}.",
        "Returns a {} when the name is taken.",
        "Taken names are rejected with {} Conflict.",
        "The endpoint now responds with HTTP {} for a taken name.",
    ],
)
@pytest.mark.parametrize(
    "line",
    ["    abort(422)\n", "    raise HTTPException(status.HTTP_422_UNPROCESSABLE_ENTITY)\n", "    return error, HTTPStatus.UNPROCESSABLE_ENTITY\n"],
)  # fmt: skip
def test_the_status_of_an_answer_is_that_of_the_lines_that_come(words: str, line: str) -> None:
    code = f"def work(status):\n{line}"
    assert told(words.format(409), code) is CONTRADICTS
    assert told(words.format(422), code) is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    [
        "Returns 409 rows at most.",
        "Fixes #409, which returned 500 for it.",
        "A conflict is still answered with 409.",
    ],
)
def test_a_number_that_only_looks_like_a_status_is_not_held_against_those_that_come(said: str) -> None:
    assert told(said, "def work():\n    abort(422)\n") is not CONTRADICTS


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ('@app.put("/orders/<int:key>")\ndef save(key): ...\n', "shop/web.py"),
        ('router.put("/orders/:id", save);\n', "src/orders.ts"),
        ('\tmux.HandleFunc("PUT /orders/{id}", save)\n', "web/orders.go"),
        ('    @PutMapping("/orders/{id}")\n', "src/Orders.java"),
        ('  put "/orders/:id", to: "orders#update"\n', "config/routes.rb"),
        ('    [HttpPut("orders/{id}")]\n', "src/Orders.cs"),
        ('        .route("/orders/:id", put(save))\n', "src/orders.rs"),
    ],
)
def test_the_method_of_an_address_is_that_of_its_route(line: str, path: str) -> None:
    assert told("Adds `PATCH /orders/{id}`.", line, path=path) is CONTRADICTS
    assert told("Adds `PUT /orders/{id}`.", line, path=path) is not CONTRADICTS
    assert told("Clients that send `PATCH /customers/{id}` are told apart.", line, path=path) is not CONTRADICTS


def test_the_beginning_that_all_routes_of_a_file_share_belongs_to_their_addresses() -> None:
    code = '@Controller("orders")\nexport class Orders {\n  @Put(":id")\n  save() {}\n}\n'
    assert told("Adds PATCH /orders/:id.", code, path="src/orders.controller.ts") is CONTRADICTS
    assert told("Adds PUT /orders/:id.", code, path="src/orders.controller.ts") is not CONTRADICTS


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ('def work(rows):\n    return rows.order_by("created_at")\n', "shop/work.py"),
        ("  return rows.sort((a, b) => a.createdAt - b.createdAt);\n", "src/work.ts"),
        ('QUERY = "SELECT * FROM orders ORDER BY created_at"\n', "shop/work.py"),
        ("    rows.order(created_at: :asc)\n", "app/work.rb"),
        ("    rows.OrderBy(each => each.CreatedAt);\n", "src/Work.cs"),
    ],
)
def test_what_comes_first_is_what_the_lines_that_come_sort_first(line: str, path: str) -> None:
    assert told("Orders are listed newest first.", line, path=path) is CONTRADICTS
    assert told("Orders are listed oldest first.", line, path=path) is not CONTRADICTS
    assert told("Orders were listed newest first.", line, path=path) is not CONTRADICTS


def test_the_newest_first_is_in_falling_order() -> None:
    line = 'def work(rows):\n    return rows.order_by("-created_at")\n'
    assert told("The oldest orders come first.", line) is CONTRADICTS
    assert told("The most recent orders come first.", line) is not CONTRADICTS


@pytest.mark.parametrize("words", ["Unknown keys raise `{}`.", "`find` now throws `{}` for unknown keys."])
def test_an_error_that_is_raised_is_one_that_lines_which_come_raise(words: str) -> None:
    code = "class UnknownKey(Exception): ...\n\n\nclass KeyMissingError(Exception): ...\n\n\n"
    raised = "def find(key):\n    raise UnknownKey(key)\n"
    assert told(words.format("KeyMissingError"), raised, code) is CONTRADICTS
    assert (
        told(words.format("KeyMissingError"), raised.replace("UnknownKey", "KeyMissingError"), code) is not CONTRADICTS
    )


def test_an_error_that_comes_of_what_is_called_need_not_be_raised_by_a_line() -> None:
    code = "def find(key):\n    number = int(key)\n    raise UnknownKey(number)\n"
    assert told("Keys that are no numbers raise ValueError.", code) is not CONTRADICTS


@pytest.mark.parametrize(
    ("said", "wrong", "right"),
    [
        ("Returns an empty list for unknown keys.", "return None", "return []"),
        ("`find` returns `None` for unknown keys.", "return []", "return None"),
        ("Returns false if the key is unknown.", "return None", "return False"),
        ("It now returns an empty dict instead of `None`.", "return None", "return {}"),
    ],
)
def test_what_is_returned_is_what_a_line_that_comes_returns(said: str, wrong: str, right: str) -> None:
    code = "def find(key):\n    if key is unknown:\n        {}\n"
    assert told(said, code.format(wrong)) is CONTRADICTS
    assert told(said, code.format(right)) is not CONTRADICTS


@pytest.mark.parametrize(
    "words",
    [
        "The flag `late-orders` is {} by default.",
        "This is behind `late_orders`, which is {} by default.",
        "`LATE_ORDERS` ({} by default) shows them.",
        "`--late-orders` is {} unless asked for.",
    ],
)
@pytest.mark.parametrize(
    "line", ["LATE_ORDERS = True\n", 'FLAGS = {"late-orders": True}\n', "def show(late_orders: bool = True): ...\n"]
)
def test_a_switch_is_by_default_what_the_line_that_comes_makes_it(words: str, line: str) -> None:
    assert told(words.format("off"), line) is CONTRADICTS
    assert told(words.format("disabled"), line) is CONTRADICTS
    assert told(words.format("on"), line) is not CONTRADICTS


def test_a_comparison_with_a_truth_gives_no_default() -> None:
    line = 'LATE = os.environ.get("LATE_ORDERS") == "true"\n'
    assert told("`LATE_ORDERS` is off by default.", line) is not CONTRADICTS


@pytest.mark.parametrize(
    "words",
    [
        "`page_size` defaults to {}.",
        "`--page-size` (default: {})",
        "The default of `page_size` is now {}.",
        "`page_size` is {} by default.",
        "Without `page_size` there are {} of them.",
    ],
)
def test_a_default_is_the_number_that_the_line_that_comes_gives(words: str) -> None:
    line = "def pages(page_size: int = 25): ...\n"
    assert told(words.format(50), line) is CONTRADICTS
    assert told(words.format(25), line) is not CONTRADICTS


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("Orders of at least 50 are sent free.", "if total > 50:"),
        ("Orders of 50 or more are sent free.", "if total > 50:"),
        ("Orders of less than 50 cost extra.", "if total <= 50:"),
        ("Orders of more than 50 are sent free.", "if total >= 50:"),
        ("At most 50 are taken.", "if 50 <= total:"),
        ("At least 50 are asked for.", "if total <= LEAST:"),
    ],
)
def test_a_bound_lies_on_the_side_that_is_told(said: str, line: str) -> None:
    right = line.replace(">=", "#").replace("<=", "@").replace(">", ">=").replace("<", "<=")
    right = right.replace("#", ">").replace("@", "<")
    code = "LEAST = 50\n\n\ndef work(total):\n    {}\n        return 1\n"
    assert told(said, code.format(line)) is CONTRADICTS
    assert told(said, code.format(right)) is not CONTRADICTS


@pytest.mark.parametrize(
    "said", ["More than 50 tests pass.", "It was at most 50 before.", "At least 50% of it.", "Takes 50 or 51."]
)
def test_a_number_that_is_no_bound_is_not_held_against_comparisons(said: str) -> None:
    assert told(said, "def work(total):\n    if total >= 50:\n        return 1\n") is not CONTRADICTS


@pytest.mark.parametrize(
    ("code", "path"),
    [
        (
            "def known(one, other):\n    if one is None:\n        return False\n    return one == other\n",
            "shop/work.py",
        ),
        ("def known(one, other)\n  return false if one.nil?\n  one == other\nend\n", "lib/work.rb"),
    ],
)
def test_yes_may_be_what_a_comparison_gives_back(code: str, path: str) -> None:
    assert told("Returns true when both are the same.", code, path=path) is not CONTRADICTS


def test_yes_is_given_back_by_somebody_where_nothing_is_worked_out() -> None:
    code = "def known(one):\n    if one is None:\n        return False\n"
    assert told("Returns true when nothing is given.", code) is CONTRADICTS


def test_a_status_in_place_of_which_another_thing_is_given_is_not_told() -> None:
    code = "def late(request):\n    return render(request, 'late.html', status=503)\n"
    assert told("Gives boats a page instead of a 500 response.", code) is not CONTRADICTS
    assert told("Gives boats a 500 response.", code) is CONTRADICTS
