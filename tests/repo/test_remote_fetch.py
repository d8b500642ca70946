"""Remote repositories over file://, where packs are really made: with and without filters."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.domain import UserError
from auditor.repo.repository_opening import open_repository
from tests.repos import Drawing


@pytest.fixture
def served(drawing: Drawing) -> Drawing:
    """A repository with a long main line and a branch that forks early."""
    for number in range(12):
        drawing.commit({f"f{number}.py": f"x = {number}\n" * 50, "big.txt": "y\n" * 500 * number})
        if number == 4:
            drawing.git("branch", "work")
    drawing.switch("work")
    drawing.commit({"new.py": "z = 1\n"})
    drawing.commit({"f1.py": "x = 100\n"})
    drawing.switch("main")
    return drawing


@pytest.mark.parametrize("filters", ["true", "false"])
def test_a_remote_change_has_its_exact_merge_base_and_all_it_needs(served: Drawing, filters: str) -> None:
    served.git("config", "uploadpack.allowFilter", filters)
    served.git("config", "uploadpack.allowAnySHA1InWant", "true")
    fork = served.git("merge-base", "main", "work")
    with open_repository(f"file://{served.path}", base="main", head="work") as repo:
        assert repo.merge_base == fork
        assert {change.path for change in repo.changes()} == {"new.py", "f1.py"}
        assert len(repo.log().commits) == 2
        assert repo.read("f1.py") == b"x = 100\n"
        assert repo.read_commit(str(repo.base), "f11.py") is not None
        assert repo.git_processes <= 20


@pytest.mark.parametrize(("head", "changed"), [("main", 7), ("main~7", 0), ("main~5", 2)])
def test_a_remote_base_that_the_head_grew_from_needs_no_second_look(served: Drawing, head: str, changed: int) -> None:
    served.git("config", "uploadpack.allowFilter", "true")
    served.git("config", "uploadpack.allowAnySHA1InWant", "true")
    with open_repository(f"file://{served.path}", base="main~7", head=head) as repo:
        assert len(repo.log().commits) == changed
        assert len([change for change in repo.changes() if change.path != "big.txt"]) == changed
        assert repo.read_commit(str(repo.base), "f1.py") == b"x = 1\n" * 50


def test_blobs_that_nobody_asked_for_are_not_fetched(served: Drawing) -> None:
    served.git("config", "uploadpack.allowFilter", "true")
    served.git("config", "uploadpack.allowAnySHA1InWant", "true")
    with open_repository(f"file://{served.path}", base="main", head="work") as repo:
        repo.changes()
        entries = {entry.path: entry.blob for entry in repo.files().entries}
        with repo.blobs() as reader:
            sizes = reader.sizes(entries.values())
        assert sizes[entries["new.py"]] is not None
        assert sizes[entries["f2.py"]] is None
        repo.prepare([entries["f2.py"]])
        with repo.blobs() as reader:
            assert reader.sizes([entries["f2.py"]])[entries["f2.py"]] is not None


def test_the_whole_history_of_a_remote_can_be_read(served: Drawing) -> None:
    served.git("config", "uploadpack.allowFilter", "true")
    served.git("config", "uploadpack.allowAnySHA1InWant", "true")
    with open_repository(f"file://{served.path}") as repo:
        assert len(repo.log().commits) == 12
        assert repo.name.endswith("drawn")


def test_a_remote_ref_or_repository_that_is_not_there_is_one_sentence(served: Drawing, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such ref"), open_repository(f"file://{served.path}", base="gone"):
        pass
    with pytest.raises(UserError, match="no repository at this URL"), open_repository(f"file://{tmp_path}/nowhere"):
        pass
