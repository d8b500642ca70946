"""What a Maven project asks for, read from hostile XML."""

from __future__ import annotations

import time

import pytest

from auditor.forensics.dependencies.manifest_formats import read_manifest
from tests.auditing import audited, found, places
from tests.repos import Drawing

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <groupId>org.own</groupId><artifactId>own</artifactId>
  <properties><x.version>1.2</x.version></properties>
  <dependencies>
    <dependency><groupId>a</groupId><artifactId>held</artifactId><version>${x.version}</version></dependency>
    <dependency><groupId>b</groupId><artifactId>floating</artifactId><version>LATEST</version></dependency>
    <dependency><groupId>c</groupId><artifactId>managed</artifactId></dependency>
  </dependencies>
</project>
"""


def test_only_a_version_that_moves_by_itself_is_unpinned(drawing: Drawing) -> None:
    drawing.commit({"pom.xml": POM})
    report = audited(drawing.path)
    assert places(found(report, "dependencies.unpinned")) == [("pom.xml", 6)]
    assert found(report, "dependencies.from_url") == []


def test_versions_are_looked_up_in_the_properties() -> None:
    read = read_manifest("pom.xml", POM)
    assert [(each.name, each.spec) for each in read.dependencies] == [
        ("a:held", "1.2"),
        ("b:floating", "latest"),
        ("c:managed", "managed elsewhere"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "<!DOCTYPE a [<!ENTITY b 'c'>]><project>&b;</project>",
        "<!DOCTYPE a SYSTEM 'file:///etc/hostname'><project/>",
        "<project>",
        '<?xml version="1.0" encoding="zzz"?><project/>',
        "",
        "<a>" * 100_000,
    ],
)
def test_hostile_xml_is_unread_with_a_reason(text: str) -> None:
    started = time.process_time()
    assert read_manifest("pom.xml", text).unread
    assert time.process_time() - started < 2
