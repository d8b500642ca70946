"""What a description says is gone altogether, and which side or part it says stays as it was: wrong, right, and only looking like it."""

from __future__ import annotations

from time import process_time

import pytest

from tests.forensics.probes.test_claims_of_several import told
from tests.forensics.probes.test_description_claims import CONTRADICTS, SHOP

STORE = "def one(db, key):\n    return db.execute({})\n\n\ndef some(db, text):\n    return db.execute({})\n"
FORMATTED = 'f"SELECT * FROM goods WHERE id = {key}"', "f\"SELECT * FROM goods WHERE name LIKE '%{text}%'\""
BOUND = '"SELECT * FROM goods WHERE id = ?", (key,)', '"SELECT * FROM goods WHERE name LIKE ?", (text,)'
TABLE = 'f"SELECT * FROM {TABLE} WHERE name LIKE ?", (text,)'
LOUD = "export function pay(sum) {\n  console.log(sum);\n  charge(sum);\n  console.log('paid');\n}\n"
QUIETER = LOUD.replace("  console.log(sum);\n", "")
QUIET = QUIETER.replace("  console.log('paid');\n", "")


@pytest.mark.parametrize(
    "said",
    [
        "All queries use bound parameters now.",
        "No query is put together with f-strings any more.",
        "Uses placeholders in every query of the store.",
        "Parametrises all SQL statements.",
        "The queries are now all parametrised.",
        "Replaces all string formatting in queries.",
    ],
)
def test_of_queries_that_are_all_said_to_be_bound_none_is_put_together(said: str) -> None:
    before = {**SHOP, "shop/store.py": STORE.format(*FORMATTED)}
    assert told(said, {"shop/store.py": STORE.format(BOUND[0], FORMATTED[1])}, before) is CONTRADICTS
    assert told(said, {"shop/store.py": STORE.format(*BOUND)}, before) is not CONTRADICTS
    assert told(said, {"shop/store.py": STORE.format(BOUND[0], TABLE)}, before) is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    [
        "Removes all `console.log` calls.",
        "Replaces every console.log with the logger.",
        "All `console.log` calls are gone.",
        "There is no `console.log` left.",
        "The till no longer uses `console.log`.",
        "No more `console.log` in pay.js.",
    ],
)
def test_of_what_is_said_to_be_gone_nothing_is_left_where_some_goes(said: str) -> None:
    before = {**SHOP, "web/pay.js": LOUD, "web/debug.js": LOUD}
    assert told(said, {"web/pay.js": QUIETER}, before) is CONTRADICTS
    assert told(said, {"web/pay.js": QUIET}, before) is not CONTRADICTS
    assert told(said, {"web/pay.js": QUIET, "web/debug.js": f"{LOUD}\n// end\n"}, before) is not CONTRADICTS
    assert told(said, {"web/pay.js": f"{QUIET}// console.log is for tests\n"}, before) is not CONTRADICTS


@pytest.mark.parametrize(
    "said",
    [
        "Removes all `console.log` calls but one, which is still needed.",
        "Removes a `console.log` call.",
        "All `console.log` calls will be removed later.",
        "Removes almost all `console.log` calls.",
        "Removes the noise at the till.",
    ],
)
def test_what_goes_in_part_may_be_left_in_part(said: str) -> None:
    assert told(said, {"web/pay.js": QUIETER}, {**SHOP, "web/pay.js": LOUD}) is not CONTRADICTS


@pytest.mark.parametrize(
    ("said", "path", "before", "half"),
    [
        ("Removes all unwraps.", "src/a.rs", "fn a() { b().unwrap(); }\nfn c() { d().unwrap(); }\n", "fn a() { b()?; }\nfn c() { d().unwrap(); }\n"),
        ("No more bare excepts.", "shop/a.py", "try:\n    a()\nexcept:\n    b()\ntry:\n    c()\nexcept:\n    d()\n", "try:\n    a()\nexcept OSError:\n    b()\ntry:\n    c()\nexcept:\n    d()\n"),
        ("Replaces all `any` types by real ones.", "web/a.ts", "let a: any;\nlet b: any;\n", "let a: string;\nlet b: any;\n"),
        ("All `os.path` calls are replaced by pathlib.", "shop/b.py", "a = os.path.join(b)\nc = os.path.dirname(d)\n", "a = Path(b)\nc = os.path.dirname(d)\n"),
    ],
)  # fmt: skip
def test_what_is_gone_is_told_in_many_languages(said: str, path: str, before: str, half: str) -> None:
    assert told(said, {path: half}, {**SHOP, path: before}) is CONTRADICTS
    assert (
        told(said, {path: "\n".join(half.splitlines()[: len(half.splitlines()) // 2]) + "\n"}, {**SHOP, path: before})
        is not CONTRADICTS
    )


BAR = "export function bar(n) {\n  return n;\n}\n"
WEB = {**SHOP, "static/bar.js": BAR, "static/site.css": "a { color: red; }\n", "server/seats.py": "FREE = 3\n"}
FRONT = {"static/bar.js": BAR.replace("return n", "return draw(n)"), "static/site.css": "a { color: blue; }\n"}


@pytest.mark.parametrize(
    "said",
    [
        "Frontend only: the bar gets a colour.",
        "This is a front-end only change.",
        "The server is not touched.",
        "No backend changes.",
        "Nothing changes on the server.",
        "Purely a CSS change.",
        "The bar is drawn without touching the backend.",
    ],
)
def test_a_side_that_is_said_to_stay_as_it_was_does(said: str) -> None:
    assert told(said, {**FRONT, "server/seats.py": "FREE = 4\n"}, WEB) is CONTRADICTS
    assert told(said, {**FRONT}, WEB) is not CONTRADICTS
    assert told(said, {**FRONT, "server/seats.py": "# seats\nFREE = 3\n"}, WEB) is not CONTRADICTS


def test_the_other_side_is_asked_likewise() -> None:
    said = "Backend only, no frontend changes."
    assert told(said, {**FRONT, "server/seats.py": "FREE = 4\n"}, WEB) is CONTRADICTS
    assert told(said, {"server/seats.py": "FREE = 4\n"}, WEB) is not CONTRADICTS
    assert told("The backend gives the colour, the frontend draws it.", {**FRONT, "server/seats.py": "FREE = 4\n"}, WEB) is not CONTRADICTS  # fmt: skip


@pytest.mark.parametrize(
    "said", ["The scheduler is not touched.", "Prices round up without touching the scheduler.", "It does not touch the scheduler."]
)  # fmt: skip
def test_a_part_that_is_said_not_to_be_touched_keeps_its_file(said: str) -> None:
    before = {**SHOP, "shop/scheduler.py": "EVERY = 5\n"}
    code = {"shop/prices.py": f"{SHOP['shop/prices.py']}\n\ndef more(): ...\n"}
    assert told(said, {**code, "shop/scheduler.py": "EVERY = 6\n"}, before) is CONTRADICTS
    assert told(said, code, before) is not CONTRADICTS
    assert told(said, {**code, "shop/scheduler.py": "# Runs often.\nEVERY = 5\n"}, before) is not CONTRADICTS


@pytest.mark.parametrize("piece", ["removes all ", "no more `a` ", "all queries ", "the server is ", "only the css "])
def test_statements_that_nothing_is_left_and_are_written_to_take_long_take_no_time(piece: str) -> None:
    said = (piece * 2_000)[:15_000]
    started = process_time()
    told(said, {"web/pay.js": QUIETER}, {**SHOP, "web/pay.js": LOUD})
    assert process_time() - started < 6


@pytest.mark.parametrize("mark", ["// #[cfg(test)]\n", "#[cfg(test)]\nuse fake::Clock;\n", ""])
def test_words_that_set_tests_apart_hide_nothing_where_they_set_none_apart(mark: str) -> None:
    before = {
        **SHOP,
        "src/lib.rs": f"{mark}pub fn a() {{ b().unwrap(); c().unwrap(); }}\npub fn d() {{ e().unwrap(); }}\n",
    }
    after = f"{mark}pub fn a() {{ b(); c(); }}\npub fn d() {{ e().unwrap(); }}\n"
    tests = "pub fn a() { b(); c(); }\n#[cfg(test)]\nmod tests { fn d() { e().unwrap(); } }\n"
    assert told("Removes all unwraps.", {"src/lib.rs": after}, before) is CONTRADICTS
    assert told("Removes all unwraps.", {"src/lib.rs": tests}, before) is not CONTRADICTS
