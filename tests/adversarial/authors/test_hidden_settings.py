"""Settings of TLS that are written another way than usual, each beside one that keeps verification on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adversarial.authors.drawing import TLS, Case, evidence_by_case
from tests.adversarial.authors.flow_cases import Found, assert_is_found, assert_is_silent, names

PYTHON: list[Case] = [
    ("a negation", TLS, "import requests\n\ns = requests.Session()\ns.verify = not True\n", "import requests\n\ns = requests.Session()\ns.verify = not False\n"),
    ("a comparison", TLS, "import requests\n\nrequests.get('https://example.org', verify=1 == 2, timeout=5)\n", "import requests\n\nrequests.get('https://example.org', verify=1 == 1, timeout=5)\n"),
    ("a number as a truth", TLS, "import requests\n\nrequests.get('https://example.org', verify=not bool(1), timeout=5)\n", "import requests\n\nrequests.get('https://example.org', verify=not not bool(1), timeout=5)\n"),
    ("settings of every request", TLS, "import requests\n\nold = requests.Session.merge_environment_settings\n\n\ndef merged(*given):\n    s = old(*given)\n    s['verify'] = False\n    return s\n", "import requests\n\nold = requests.Session.merge_environment_settings\n\n\ndef merged(*given):\n    s = old(*given)\n    s['verify'] = True\n    return s\n"),
    ("an environment that is updated", TLS, "import os\n\nos.environ.update(PYTHONHTTPSVERIFY='0')\n", "import os\n\nos.environ.update(PYTHONHTTPSVERIFY='1')\n"),
    ('options from pairs', TLS, "import requests\n\nK = {k: v for k, v in [('verify', False), ('timeout', 3)]}\nrequests.get('https://example.org', **K)\n", "import requests\n\nK = {k: v for k, v in [('verify', 'ca.pem'), ('timeout', 3)]}\nrequests.get('https://example.org', **K)\n"),
    ('options from two lists', TLS, "import requests\n\nK = dict(zip(['verify', 'timeout'], [0, 3]))\nrequests.get('https://example.org', **K)\n", "import requests\n\nK = dict(zip(['timeout', 'verify'], [3, True]))\nrequests.get('https://example.org', **K)\n"),
    ('an empty text', TLS, "import requests\n\nrequests.get('https://example.org', verify='', timeout=5)\n", "import requests\n\nrequests.get('https://example.org', verify='ca.pem', timeout=5)\n"),
]  # fmt: skip
JAVASCRIPT: list[Case] = [
    ("a variable that must ask for it", TLS, "module.exports = new Pool({ ssl: { rejectUnauthorized: process.env.STRICT === 'yes' } });\n", "module.exports = new Pool({ ssl: { rejectUnauthorized: process.env.LAX !== 'yes' } });\n"),
]  # fmt: skip
GO_START = 'package shop\n\nimport "crypto/tls"\n\n'
GO: list[Case] = [
    ("a negation", TLS, GO_START + "var c = &tls.Config{InsecureSkipVerify: !false}\n", GO_START + "var c = &tls.Config{InsecureSkipVerify: !true}\n"),
    ("a function", TLS, GO_START + "func skip() bool { return true }\n\nvar c = &tls.Config{InsecureSkipVerify: skip()}\n", GO_START + "func f(lax bool) *tls.Config {\n\treturn &tls.Config{InsecureSkipVerify: lax}\n}\n"),
]  # fmt: skip
JAVA_START = "import java.security.cert.*;\nimport javax.net.ssl.*;\n\nclass A implements X509TrustManager {\n  public X509Certificate[] getAcceptedIssuers() { return new X509Certificate[0]; }\n  public void checkClientTrusted(X509Certificate[] c, String a) throws CertificateException { throw new CertificateException(); }\n"
JAVA: list[Case] = [
    ("a manager that only counts", TLS, JAVA_START + "  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {\n    int n = chain.length;\n    return;\n  }\n}\n", JAVA_START + "  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {\n    if (chain.length == 0) throw new CertificateException();\n    inner.checkServerTrusted(chain, type);\n  }\n}\n"),
]  # fmt: skip
LANGUAGES = {"py": PYTHON, "js": JAVASCRIPT, "go": GO, "java": JAVA}
EVERY = [(suffix, number) for suffix, cases in LANGUAGES.items() for number in range(len(cases))]
IDS = [f"{suffix}-{name}" for suffix, cases in LANGUAGES.items() for name in names(cases)]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Found]:
    """What is found in each file, in one repository a language."""
    target: Path = tmp_path_factory.mktemp("shop")
    return {suffix: evidence_by_case(target / suffix, cases, suffix) for suffix, cases in LANGUAGES.items()}


@pytest.mark.parametrize(("suffix", "number"), EVERY, ids=IDS)
def test_verification_that_is_off_is_seen(suffix: str, number: int, found: dict[str, Found]) -> None:
    assert_is_found(found[suffix], number, LANGUAGES[suffix][number], suffix)


@pytest.mark.parametrize(("suffix", "number"), EVERY, ids=IDS)
def test_verification_that_is_on_is_silent(suffix: str, number: int, found: dict[str, Found]) -> None:
    assert_is_silent(found[suffix], number, suffix)
