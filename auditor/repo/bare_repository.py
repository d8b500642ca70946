"""An empty bare repository of our own."""

from __future__ import annotations

from auditor.repo.git_process import Git


def init_bare_repository(git: Git) -> None:
    """Write an empty bare repository by hand: six small files, and no template is ever copied."""
    for folder in ("objects/info", "objects/pack", "refs/heads"):
        (git.git_dir / folder).mkdir(parents=True)
    (git.home / "gitconfig").touch(mode=0o600)
    (git.git_dir / "HEAD").write_text("ref: refs/heads/nothing\n", encoding="ascii")
    version, extension = (0, "") if git.id_length == 40 else (1, "[extensions]\n\tobjectFormat = sha256\n")
    (git.git_dir / "config").write_text(
        f"[core]\n\trepositoryFormatVersion = {version}\n\tbare = true\n{extension}", encoding="ascii"
    )
