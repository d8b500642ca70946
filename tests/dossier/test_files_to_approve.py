"""Which files of a change somebody has to approve: all but those whose kind says that they can do no harm."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from auditor.audit_builder import ChangeReader
from auditor.domain import FilesToApprove
from auditor.repo.repository_opening import open_repository
from tests.repos import Content, Drawing


def found(drawing: Drawing, before: Mapping[str, Content], after: Mapping[str, Content]) -> FilesToApprove:
    drawing.commit({"README": "A project.\n", **before})
    drawing.branch("change")
    drawing.commit(after)
    with open_repository(drawing.path, base="main") as repo:
        return ChangeReader(repo).files_to_approve()


def places(files: FilesToApprove) -> list[str]:
    return [each.spoken for each in files.places]


@pytest.mark.parametrize(
    "path",
    [
        "shop/views.py",
        "web/app.js",
        "lib/shop/items.ex",
        "release.sh",
        "Makefile",
        "Dockerfile",
        "Jenkinsfile",
        ".github/workflows/ci.yml",
        "package.json",
        "poetry.lock",
        "requirements-dev.txt",
        "CMakeLists.txt",
        "data/policy.csv",
        "data/allowed_hosts.txt",
        "docs/page.mdx",
        "docs/conf.py",
        "examples/deploy/values.yaml",
        "vendor/lib/all.js",
        "dist/bundle.min.js",
        "templates/mail.html",
        "no_suffix",
        "tests/test_a.py",
        "src/a.test.ts",
        "site/look.css",
        "site/look.less",
        "locale/de.po",
        ".gitignore",
    ],
)
def test_code_settings_data_and_tests_have_to_be_approved(drawing: Drawing, path: str) -> None:
    assert places(found(drawing, {}, {path: "a = 1\n"})) == [f"{path}:1"]


@pytest.mark.parametrize(
    "path",
    ["README.md", "docs/guide.rst", "LICENSE.txt", "CHANGELOG", "site/logo.png", "docs/book.pdf"],
)  # fmt: skip
def test_prose_and_media_do_not(drawing: Drawing, path: str) -> None:
    assert places(found(drawing, {}, {path: "a = 1\n"})) == []


def test_the_first_changed_line_is_named_at_the_head_or_where_it_was(drawing: Drawing) -> None:
    before = {"a.py": "x = 1\ny = 2\n", "b.py": "x = 1\ny = 2\n", "c.py": "x = 1\n"}
    files = found(drawing, before, {"a.py": "x = 1\ny = 3\n", "b.py": "x = 1\n", "c.py": None})
    assert [(each.spoken, each.side.value) for each in files.places] == [
        ("a.py:2", "head"), ("b.py:2", "base"), ("c.py:1", "base"),
    ]  # fmt: skip


def test_binary_files_have_no_line(drawing: Drawing) -> None:
    assert places(found(drawing, {}, {"shop/native.so": b"\x7fELF\0"})) == ["shop/native.so"]


def test_code_that_becomes_prose_counts(drawing: Drawing) -> None:
    files = found(drawing, {"shop/guard.py": "x = 1\n" * 9}, {"shop/guard.py": None, "docs/guard.md": "x = 1\n" * 9})
    assert files.count == 1


def test_a_file_that_becomes_executable_a_link_and_a_submodule_count(drawing: Drawing) -> None:
    drawing.commit({"docs/run.md": "run\n", "docs/a.md": "a\n"})
    drawing.branch("change")
    (drawing.path / "docs/run.md").chmod(0o755)
    (drawing.path / "docs/link.md").symlink_to("../shop/views.py")
    drawing.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},docs/sub.md")
    drawing.commit({"docs/b.md": "b\n"})
    with open_repository(drawing.path, base="main") as repo:
        named = {each.path for each in ChangeReader(repo).files_to_approve().places}
    assert {"docs/run.md", "docs/link.md"} <= named
    assert "docs/b.md" not in named


def test_of_many_files_forty_are_named_and_the_others_counted(drawing: Drawing) -> None:
    files = found(drawing, {}, {f"a{number:02}.py": "x = 1\n" for number in range(50)})
    assert (len(files.places), files.left_out, files.count) == (40, 10, 50)
