"""Routes that are moved out of the reach of a guard, each beside a move that keeps them behind it."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from auditor.forensics.protections.guard_order import find_lines_without_guard, order_rows
from tests.forensics.protections.changed import changed


class Case(NamedTuple):
    """A row, a file as it was, a move that leaves a guard, and one that does not."""

    row: str
    path: str
    before: str
    hostile: str
    benign: str


CASES = [
    Case("axum_layer", "src/web.rs", 'Router::new()\n    .route("/orders", get(orders))\n    .route("/refunds", post(refund))\n    .route_layer(from_fn(login::required))\n    .route("/health", get(health))\n', 'Router::new()\n    .route("/orders", get(orders))\n    .route_layer(from_fn(login::required))\n    .route("/health", get(health))\n    .route("/refunds", post(refund))\n', 'Router::new()\n    .route("/refunds", post(refund))\n    .route("/orders", get(orders))\n    .route_layer(from_fn(login::required))\n    .route("/health", get(health))\n'),
    Case("express_use", "src/app.js", "const app = express();\napp.use(requireLogin);\napp.get('/orders', orders);\napp.post('/refunds', refund);\n", "const app = express();\napp.post('/refunds', refund);\napp.use(requireLogin);\napp.get('/orders', orders);\n", "const app = express();\napp.use(requireLogin);\napp.post('/refunds', refund);\napp.get('/orders', orders);\n"),
    Case("go_use", "routes.go", "func Routes(r chi.Router) {\n\tr.Use(auth.Required)\n\tr.Get(\"/orders\", orders)\n\tr.Post(\"/refunds\", refund)\n}\n", "func Routes(r chi.Router) {\n\tr.Post(\"/refunds\", refund)\n\tr.Use(auth.Required)\n\tr.Get(\"/orders\", orders)\n}\n", "func Routes(r chi.Router) {\n\tr.Use(auth.Required)\n\tr.Post(\"/refunds\", refund)\n\tr.Get(\"/orders\", orders)\n}\n"),
]  # fmt: skip


def lines(path: str, before: str, after: str) -> list[str]:
    """The lines that are reported of an edit of one file."""
    return [each.quote for each in find_lines_without_guard([changed(path, before, after)])]


@pytest.mark.parametrize("case", CASES, ids=[each.row for each in CASES])
def test_a_route_that_leaves_its_guard_is_reported(case: Case) -> None:
    (line,) = lines(case.path, case.before, case.hostile)
    assert "/refunds" in line


@pytest.mark.parametrize("case", CASES, ids=[each.row for each in CASES])
def test_a_route_that_stays_behind_its_guard_is_not(case: Case) -> None:
    assert lines(case.path, case.before, case.benign) == []
    assert lines(case.path, case.hostile, case.before) == []


def test_every_row_has_a_case() -> None:
    assert sorted(each.row for each in CASES) == sorted(row.id for row in order_rows())


def test_a_guard_of_another_router_protects_nothing() -> None:
    before = "const app = express();\napp.get('/a', a);\napp.get('/b', b);\nconst desk = express();\ndesk.use(requireLogin);\n"
    after = "const app = express();\napp.get('/b', b);\napp.get('/a', a);\nconst desk = express();\ndesk.use(requireLogin);\n"
    assert lines("src/app.js", before, after) == []
