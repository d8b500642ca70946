"""Dangers that no rule knows, in changes of people who cannot write: none passes before somebody has approved the change."""

from __future__ import annotations

import pytest

from auditor.domain import ApprovalStatus, Conclusion, Verdict
from tests.auditing import audited
from tests.repos import Content, Drawing

VIEWS = 'from flask import Flask, request\n\nfrom shop import tools\n\napp = Flask(__name__)\n\n\n@app.get("/a")\ndef show():\n    return tools.describe(request.args["a"])\n'
HIDDEN: dict[str, dict[str, Content]] = {
    "annotations of a request are evaluated": {
        "shop/views.py": VIEWS,
        "shop/tools.py": "import typing\n\n\ndef describe(a):\n    return str(typing.get_type_hints(type('Row', (), {'__annotations__': {'x': a}})))\n",
    },
    "an inspector evaluates a rule of a request": {
        "src/app.js": "const express = require('express');\nconst { Session } = require('node:inspector');\nconst app = express();\napp.get('/a', (req, res) => {\n  const s = new Session();\n  s.connect();\n  s.post('Runtime.evaluate', { expression: req.query.rule }, () => res.end());\n});\n"
    },
    "a comparison of bash evaluates a subscript": {"release.sh": "#!/bin/bash\nif [[ $2 -gt 20 ]]; then exit 1; fi\n"},
    "a task of Tekton pastes a title into a script": {
        ".tekton/greet.yaml": 'kind: Task\nspec:\n  steps:\n    - name: greet\n      script: |\n        echo "Thanks: $(params.title)"\n'
    },
    "a flow of Node-RED runs a query": {"flows.json": '[{"type": "exec", "command": "ping", "addpay": "payload"}]\n'},
    "Hasura shows all columns to everybody": {
        "metadata/users.yaml": "select_permissions:\n  - role: anonymous\n    permission: {columns: '*', filter: {}}\n"
    },
    "Elixir reads terms of a cookie": {
        "lib/shop/items.ex": "defmodule Items do\n  def read(text), do: :erlang.binary_to_term(Base.decode64!(text))\nend\n"
    },
    "a key of a web key set": {
        "config/keys.json": '{"keys": [{"kty": "OKP", "crv": "Ed25519", "d": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"}]}\n'
    },
    "a test folder that is served": {
        "pages/api/__tests__/a.test.ts": "export default (req, res) => run(req.query.a);\n"
    },
    "a test that sends what it is given": {
        "tests/test_sums.py": "import os\n\n\ndef test_a():\n    assert send(os.environ) is None\n"
    },
    "a document whose code block is run": {"docs/guide.md": '# Guide\n\n```python exec="on"\nfetch()\n```\n'},
    "a style sheet that loads a plugin": {"site/look.less": '@plugin "./tones.css";\n'},
    "a library that nobody reads": {"shop/native.so": b"\x7fELF\x02\x01\x01\0"},
    "a large bundle": {"vendor/lib/all.js": "f(1);\n" * 3_000},
    "a check is taken out of a handler": {"shop/orders.py": VIEWS.replace("shop import tools", "shop import sums")},
}
HARMLESS: dict[str, dict[str, Content]] = {
    "a correction of a document": {"docs/guide.md": "# Guide\n\nCall `show` twice.\n"},
    "a picture and a code block": {
        "site/logo.png": b"\x89PNG\0",
        "docs/guide.md": "# Guide\n\n```python\nshow()\n```\n",
    },
}
BEFORE: dict[str, Content] = {
    "README.md": "# Shop\n",
    "docs/guide.md": "# Guide\n\nCall `show`.\n",
    "shop/sums.py": 'def add(a: int, b: int) -> int:\n    """Both together."""\n    return a + b\n',
    "tests/test_sums.py": "from shop.sums import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n",
    "shop/orders.py": VIEWS.replace("shop import tools", "shop import sums").replace(
        "    return", "    confirm(request)\n    return"
    ),
}


def verdict(drawing: Drawing, files: dict[str, Content], author: ApprovalStatus) -> Verdict:
    drawing.commit(BEFORE)
    drawing.branch("change")
    drawing.commit(files)
    return audited(drawing.path, "main", author=author).verdict


@pytest.mark.parametrize("name", HIDDEN)
def test_what_no_rule_knows_waits_for_an_approval(drawing: Drawing, name: str) -> None:
    found = verdict(drawing, HIDDEN[name], ApprovalStatus(author_can_write=False))
    assert found.conclusion is not Conclusion.PASSED
    (reason,) = [each for each in found.gate.reasons if each.demand == "approval"]
    assert reason.conclusion is Conclusion.INCONCLUSIVE
    assert any(path in reason.sentence for path in HIDDEN[name])


@pytest.mark.parametrize("name", HARMLESS)
def test_what_can_do_no_harm_passes_without_one(drawing: Drawing, name: str) -> None:
    assert verdict(drawing, HARMLESS[name], ApprovalStatus(author_can_write=False)).conclusion is Conclusion.PASSED
