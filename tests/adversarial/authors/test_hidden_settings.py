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
    ("a constant that is negated", TLS, "const strict = true;\nmodule.exports = { rejectUnauthorized: !strict };\n", "const lax = false;\nmodule.exports = { rejectUnauthorized: !lax, agent: !!lax };\n"),
    ("a property that is defined", TLS, "const a = new Agent();\nReflect.defineProperty(a.options, 'reject' + 'Unauthorized', { value: a.totalSocketCount < 0 });\n", "const a = new Agent();\nReflect.defineProperty(a.options, 'rejectUnauthorized', { value: true });\nReflect.defineProperty(a.options, 'keepAlive', { value: false });\n"),
    ("a property that is computed each time", TLS, "module.exports = { get rejectUnauthorized() { return !1; } };\n", "module.exports = { get rejectUnauthorized() { return !lax; }, get keepAlive() { return !1; } };\n"),
    ("an option that is set by reflection", TLS, "const o = {};\nReflect.set(o, 'strictSSL', Boolean(''));\n", "const o = {};\nReflect.set(o, 'strictSSL', Boolean('yes'));\nReflect.set(o, 'gzip', false);\n"),
    ("options from pairs", TLS, "module.exports = Object.fromEntries([['rejectUnauthorized', false], ['timeout', 3]]);\n", "module.exports = Object.fromEntries([['rejectUnauthorized', true], ['timeout', 3]]);\n"),
    ("options in a text", TLS, "module.exports = JSON.parse('{\"rejectUnauthorized\": false}');\n", "module.exports = JSON.parse('{\"rejectUnauthorized\": true, \"gzip\": false}');\n"),
    ("a comparison that never holds", TLS, "module.exports = { rejectUnauthorized: 'a' === 'b' };\n", "module.exports = { rejectUnauthorized: 'a' === 'a' };\n"),
    ("a field of a class", TLS, "class Modes {\n  static off = Number.isInteger('1');\n}\nmodule.exports = { ['reject' + 'Unauthorized']: Modes.off };\n", "class Modes {\n  static off = Number.isInteger(1);\n}\nmodule.exports = { ['reject' + 'Unauthorized']: Modes.off };\n"),
    ("a condition that is switched off", TLS, "module.exports = (o) => ({ rejectUnauthorized: o.strict && false });\n", "module.exports = (o, strict = false) => ({ rejectUnauthorized: o.strict && o.ca !== undefined, secure: strict });\n"),
]  # fmt: skip
GO_START = 'package shop\n\nimport "crypto/tls"\n\n'
GO: list[Case] = [
    ("a negation", TLS, GO_START + "var c = &tls.Config{InsecureSkipVerify: !false}\n", GO_START + "var c = &tls.Config{InsecureSkipVerify: !true}\n"),
    ("a function", TLS, GO_START + "func skip() bool { return true }\n\nvar c = &tls.Config{InsecureSkipVerify: skip()}\n", GO_START + "func f(lax bool) *tls.Config {\n\treturn &tls.Config{InsecureSkipVerify: lax}\n}\n"),
    ("a comparison that is always true", TLS, GO_START + "func f(c *tls.Config) {\n\tc.InsecureSkipVerify = 1 == 1\n}\n", GO_START + "func f(c *tls.Config) {\n\tc.InsecureSkipVerify = 1 == 2\n}\n"),
    ("a constant that is negated", TLS, GO_START + "const strict = false\n\nvar c = tls.Config{InsecureSkipVerify: !strict}\n", GO_START + "const strict = true\n\nvar c = tls.Config{InsecureSkipVerify: !strict}\n"),
    ("a field by its name in pieces", TLS, GO_START + "import \"reflect\"\n\nfunc f(c *tls.Config) {\n\treflect.ValueOf(c).Elem().FieldByName(\"Insecure\" + \"SkipVerify\").SetBool(true)\n}\n", GO_START + "import \"reflect\"\n\nfunc f(c *tls.Config) bool {\n\treflect.ValueOf(c).Elem().FieldByName(\"Insecure\" + \"SkipVerify\").SetBool(false)\n\treturn reflect.ValueOf(c).Elem().FieldByName(\"InsecureSkipVerify\").Bool()\n}\n"),
]  # fmt: skip
JAVA_START = "import java.security.cert.*;\nimport javax.net.ssl.*;\n\nclass A implements X509TrustManager {\n  public X509Certificate[] getAcceptedIssuers() { return new X509Certificate[0]; }\n  public void checkClientTrusted(X509Certificate[] c, String a) throws CertificateException { throw new CertificateException(); }\n"
JAVA: list[Case] = [
    ("a manager that only counts", TLS, JAVA_START + "  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {\n    int n = chain.length;\n    return;\n  }\n}\n", JAVA_START + "  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {\n    if (chain.length == 0) throw new CertificateException();\n    inner.checkServerTrusted(chain, type);\n  }\n}\n"),
    ('a reference to a method that is always true', TLS, 'import okhttp3.OkHttpClient;\n\nclass A {\n  static boolean check(String host, Object session) {\n    return true;\n  }\n  OkHttpClient c = new OkHttpClient.Builder().hostnameVerifier(A::check).build();\n}\n', 'import okhttp3.OkHttpClient;\n\nclass A {\n  static boolean check(String host, Object session) {\n    return host.equals("shop.example");\n  }\n  OkHttpClient c = new OkHttpClient.Builder().hostnameVerifier(A::check).build();\n}\n'),
]  # fmt: skip
PHP: list[Case] = [
    ("numbers of options", TLS, "<?php\ncurl_setopt_array($c, [64 => 0, 81 => 0, CURLOPT_TIMEOUT => 3]);\n", "<?php\ncurl_setopt_array($c, [64 => 1, 81 => 2, CURLOPT_TIMEOUT => 0]);\n"),
    ("the number of one option", TLS, "<?php\ncurl_setopt($c, 81, false);\n", "<?php\ncurl_setopt($c, 13, 0);\n"),
]  # fmt: skip
CSHARP_START = "using System.Net.Security;\nusing System.Security.Cryptography.X509Certificates;\n\nstatic class Shop\n{\n    static bool Ok(object s, X509Certificate c, X509Chain chain, SslPolicyErrors e)%s\n    static void Off() { System.Net.ServicePointManager.ServerCertificateValidationCallback += Ok; }\n}\n"
CSHARP: list[Case] = [
    ("a function that is named", TLS, CSHARP_START % " => true;", CSHARP_START % " => e == SslPolicyErrors.None;"),
    ("a function with a body", TLS, CSHARP_START % " { return true; }", CSHARP_START % " { return e == SslPolicyErrors.None; }"),
]  # fmt: skip
RUBY: list[Case] = [
    ("a constant by its name in pieces", TLS, 'require "net/http"\n\nh = Net::HTTP.new("shop.example", 443)\nh.verify_mode = OpenSSL::SSL.const_get("VERIFY_" + "NONE")\n', 'require "net/http"\n\nh = Net::HTTP.new("shop.example", 443)\nh.verify_mode = OpenSSL::SSL.const_get("VERIFY_" + "PEER")\n'),
]  # fmt: skip
PHP += [
    ("a condition that never holds", TLS, "<?php\nuse GuzzleHttp\\Client;\n\n$given = ['verify' => (bool) getenv('STRICT') && false];\n$c = new Client($given);\n", "<?php\nuse GuzzleHttp\\Client;\n\n$given = ['verify' => (bool) getenv('STRICT') || true];\n$c = new Client($given);\n"),
    ("a number as a truth", TLS, "<?php\nuse GuzzleHttp\\Client;\n\n$c = new Client(['verify' => (bool) 0]);\n", "<?php\nuse GuzzleHttp\\Client;\n\n$c = new Client(['verify' => (bool) 1]);\n"),
]  # fmt: skip
RUBY += [
    ("an empty list", TLS, "require 'faraday'\n\nOPTIONS = { verify: [].any? }.freeze\nFaraday.new('https://shop.example', ssl: OPTIONS)\n", "require 'faraday'\n\nOPTIONS = { verify: [1].any? }.freeze\nFaraday.new('https://shop.example', ssl: OPTIONS)\n"),
    ("a negation", TLS, "require 'faraday'\n\nFaraday.new('https://shop.example', ssl: { verify: !true })\n", "require 'faraday'\n\nFaraday.new('https://shop.example', ssl: { verify: !false })\n"),
]  # fmt: skip
LANGUAGES = {"py": PYTHON, "js": JAVASCRIPT, "go": GO, "java": JAVA, "php": PHP, "cs": CSHARP, "rb": RUBY}
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
