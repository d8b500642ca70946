"""A deleted test file: does the code that it tests stay, or go with it?"""

from __future__ import annotations

import pytest

from tests.auditing import asked
from tests.repos import Drawing

LIB = "var req = exports = module.exports = {};\nreq.languages = function () { return 1; };\nreq.language = deprecate.function(req.languages, 'Use languages');\n"
TEST = "describe('req', function () {\n  it('knows the language', function () {\n    req.language('en').should.be.ok;\n  });\n});\n"


@pytest.mark.parametrize(
    ("lib", "confidence"),
    [
        (LIB.partition("req.language =")[0], 0.5),
        (LIB.replace("Use languages", "Prefer languages"), 0.85),
        (LIB.replace("req.language = deprecate.function(", "req.language = warned("), 0.85),
        (LIB.partition("req.language =")[0] + "if (old) {\n  req.language = 1;\n}\nreq.language = 2;\n", 0.85),
    ],
)
def test_a_member_that_goes_with_its_test_file_makes_the_finding_only_possible(
    drawing: Drawing, lib: str, confidence: float
) -> None:
    base = drawing.commit({"lib/request.js": LIB, "test/req.language.js": TEST})
    drawing.branch("change")
    drawing.commit({"lib/request.js": lib, "test/req.language.js": None})
    [evidence] = asked(drawing.path, base, "tests.file_removed").evidence
    assert evidence.confidence == confidence
