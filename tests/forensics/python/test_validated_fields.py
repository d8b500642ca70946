"""Fields that attrs holds to a fixed set can do no harm in a query or a command; others can."""

from __future__ import annotations

import pytest

from tests.seeing import sites

QUERY = "code.sql_from_strings"
SHELL = "code.shell_execution"
OLD = "import attr\nimport subprocess\n\nNAMES = load()\n\n\n@attr.s\nclass Order:\n    column = attr.ib({field})\n\n    def run(self, cursor):\n        {use}\n"
NEW = "import attrs\n\n\n@attrs.define\nclass Order:\n    column: str = attrs.field({field})\n\n    def run(self, cursor):\n        {use}\n"
SELECT = "cursor.execute('select * from orders order by ' + self.column)"
INSIDE = "cursor.execute(f'select * from orders where id = {self.column}')"
MAKE = "subprocess.run('make ' + self.column, shell=True, check=True)"


@pytest.mark.parametrize(
    ("source", "probe"),
    [
        (OLD.format(field="validator=attr.validators.in_(['a', 'b'])", use=SELECT), QUERY),
        (OLD.format(field="validator=attr.validators.in_(['a', 'b'])", use=MAKE), SHELL),
        (NEW.format(field="validator=attrs.validators.in_(('a', 'b'))", use=SELECT), QUERY),
        (
            NEW.format(
                field="validator=[attrs.validators.instance_of(str), attrs.validators.in_(['a', 'b'])]", use=SELECT
            ),
            QUERY,
        ),
        (OLD.format(field="validator=attr.validators.in_(['a', 'b'])", use=INSIDE), QUERY),
        (OLD.format(field="validator=attr.validators.instance_of((int, float))", use=INSIDE), QUERY),
        (OLD.format(field="converter=int", use=INSIDE), QUERY),
        (NEW.format(field="converter=int, validator=attrs.validators.gt(0)", use=INSIDE), QUERY),
    ],
)
def test_a_field_with_a_fixed_set_of_values_is_harmless(source: str, probe: str) -> None:
    assert sites(probe, source) == []


@pytest.mark.parametrize(
    ("source", "probe"),
    [
        (OLD.format(field="", use=SELECT), QUERY),
        (OLD.format(field="validator=attr.validators.instance_of(str)", use=SELECT), QUERY),
        (OLD.format(field="validator=attr.validators.in_(NAMES)", use=SELECT), QUERY),
        (OLD.format(field="converter=str", use=INSIDE), QUERY),
        (OLD.format(field="converter=int", use=f"self.column = cursor.name\n        {INSIDE}"), QUERY),
        (OLD.format(field="validator=attr.validators.in_(['a']), converter=lambda given: given", use=INSIDE), QUERY),
        (OLD.format(field="validator=attr.validators.instance_of((int, str))", use=INSIDE), QUERY),
        (OLD.format(field="validator=attr.validators.in_(['a', 'b'])", use=f"self.column = cursor.name\n        {SELECT}"), QUERY),
        (OLD.format(field="validator=attr.validators.instance_of(str)", use=MAKE), SHELL),
        (NEW.format(field="validator=attrs.validators.or_(attrs.validators.in_(['a']), attrs.validators.instance_of(str))", use=SELECT), QUERY),
    ],
)  # fmt: skip
def test_any_other_field_is_not(source: str, probe: str) -> None:
    assert sites(probe, source)
