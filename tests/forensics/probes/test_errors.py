"""Probes on error handling: there, not there, and looks like it but is not."""

import pytest

from tests.seeing import sites


@pytest.mark.parametrize(
    "source",
    [
        "try:\n    f()\nexcept Exception:\n    pass",
        "try:\n    f()\nexcept:\n    ...",
        "for x in y:\n    try:\n        f()\n    except (ValueError, Exception):\n        continue",
        "import contextlib\nwith contextlib.suppress(Exception):\n    f()",
    ],
)
def test_dropping_every_exception_is_reported(source: str) -> None:
    assert len(sites("code.swallowed_exception", source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "try:\n    f()\nexcept KeyError:\n    pass",
        "try:\n    f()\nexcept Exception:\n    log.exception('f')",
        "import contextlib\nwith contextlib.suppress(FileNotFoundError):\n    f()",
        "class Exception(ValueError): ...\ntry:\n    f()\nexcept Exception:\n    pass",
    ],
)
def test_a_narrow_or_logged_exception_is_not_dropped(source: str) -> None:
    assert sites("code.swallowed_exception", source) == []


@pytest.mark.parametrize(
    ("source", "confidence"),
    [
        ("try:\n    f()\nexcept Exception:\n    return_nothing()", 0.9),
        ("try:\n    f()\nexcept:\n    result = None", 0.9),
        ("try:\n    f()\nexcept Exception:\n    log.exception('f')", 0.5),
        ("try:\n    f()\nexcept Exception as error:\n    answer = error", 0.5),
    ],
)
def test_catching_everything_is_reported_with_its_doubt(source: str, confidence: float) -> None:
    assert [site.confidence for site in sites("code.broad_except", source)] == [confidence]


@pytest.mark.parametrize(
    "source",
    [
        "try:\n    f()\nexcept BaseException:\n    clean()\n    raise",
        "try:\n    f()\nexcept (KeyError, ValueError):\n    g()",
    ],
)
def test_a_handler_that_raises_again_or_names_its_exceptions_is_fine(source: str) -> None:
    assert sites("code.broad_except", source) == []


@pytest.mark.parametrize(
    "source",
    [
        "import requests\nrequests.get(url)",
        "from requests import post\npost(url, data)",
        "import requests\ns = requests.Session()\ns.get(url)",
        "import urllib.request\nurllib.request.urlopen(url)",
        "import requests\nrequests.get(url, timeout=None)",
        "import httpx\nhttpx.get(url, timeout=None)",
        "import httpx\nhttpx.get(url, timeout=None)\npage.wait_for(1)",
        "import requests\ns = requests.Session()\ns.get(url)\npartial(print, timeout=5)",
        "import socket\ns = socket.socket()\ns.settimeout(None)\ns.connect(address)",
    ],
)
def test_a_network_call_that_may_wait_for_ever_is_reported(source: str) -> None:
    assert len(sites("code.no_timeout", source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "import requests\nrequests.get(url, timeout=5)",
        "import requests\nrequests.get(url, **options)",
        "import httpx\nhttpx.get(url)",
        "import asyncio, httpx\nasync def f():\n    await asyncio.wait_for(httpx.AsyncClient(timeout=None).get(url), 5)",
        "import socket\ns = socket.socket()\ns.settimeout(5)\ns.connect(address)",
        "import urllib.request\nurllib.request.urlopen(url, None, 5)",
        "requests = {}\nrequests.get(url)",
    ],
)
def test_a_bounded_network_call_is_not_reported(source: str) -> None:
    assert sites("code.no_timeout", source) == []


@pytest.mark.parametrize(
    "body",
    [
        "raise",
        "log(e)\n    raise Other from e",
        "if e.code:\n        raise\n    else:\n        raise Other",
        "with lock:\n        raise",
    ],
)
def test_a_handler_that_always_raises_is_fine(body: str) -> None:
    assert sites("code.broad_except", f"try:\n    f()\nexcept Exception as e:\n    {body}\n") == []


@pytest.mark.parametrize(
    "body", ["if e.code:\n        raise\n    x = 1", "for a in b:\n        raise\n    x = 1", "return 1\n    raise"]
)
def test_a_handler_that_raises_only_sometimes_is_reported_with_doubt(body: str) -> None:
    (site,) = sites("code.broad_except", f"def g():\n  try:\n    f()\n  except Exception as e:\n    {body}\n")
    assert "only in some cases" in site.statement
    assert site.confidence == 0.5


@pytest.mark.parametrize("named", ["E = (Exception,)", "E = (ValueError, BaseException)", "E = Exception"])
def test_a_name_for_the_widest_class_hides_nothing(named: str) -> None:
    assert len(sites("code.broad_except", f"{named}\ntry:\n    f()\nexcept E:\n    x = 1\n")) == 1
    assert len(sites("code.swallowed_exception", f"{named}\ntry:\n    f()\nexcept E:\n    pass\n")) == 1


def test_a_name_for_narrow_classes_is_fine() -> None:
    assert sites("code.broad_except", "E = (ValueError, OSError)\ntry:\n    f()\nexcept E:\n    x = 1\n") == []
