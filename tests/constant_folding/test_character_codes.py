"""Lists of character codes, read as the text that they are."""

import pytest

from auditor.constant_folding.decoded_literals import hidden_texts

TEXT = "ghp_" + "4cAr7" * 6


def _read(source: str) -> set[str]:
    return {each.text for each in hidden_texts(source)}


@pytest.mark.parametrize(
    ("form", "begin", "end"),
    [
        ("{:d}", "var table = []byte{", "}"),
        ("0x{:02X}", "table := []byte{\n", ",\n}"),
        ("(byte) {:d}", "byte[] table = {", "};"),
        ("{:d}u8", "const TABLE: &[u8] = &[", "];"),
        ("'{:c}'", "char table[] = {", "};"),
        ("b'{:c}'", "let table = [", "];"),
        ("{:d}", "String.fromCharCode(", ")"),
    ],
)
def test_a_list_of_codes_is_read_as_text(form: str, begin: str, end: str) -> None:
    assert TEXT in _read(begin + ", ".join(form.format(ord(each)) for each in TEXT) + end)


@pytest.mark.parametrize(
    "source",
    [
        "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]",
        "[" + ", ".join(str(ord(each) * 3) for each in TEXT) + "]",
        "[" + ", ".join(str(ord(each) / 2) for each in TEXT) + "]",
        "[103, 104, 112, 95]",
    ],
)
def test_other_numbers_are_no_text(source: str) -> None:
    assert _read(source) == set()
