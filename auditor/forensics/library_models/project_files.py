"""Files and folders of projects: rows of `project_files.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.library_models.model_table import Names, read_python


class ProjectFiles(NamedTuple):
    """Files, folders and languages by what they are for."""

    command_fences: Names
    command_files: Names
    command_folders: Names
    command_languages: Names
    hidden_folders: Names
    markup_languages: Names
    note_languages: Names
    prose_languages: Names
    recipe_files: Names
    record_languages: Names
    routine_files: Names
    step_files: Names


def project_files() -> ProjectFiles:
    """The rows, read once."""
    return read_python("project_files", ProjectFiles)
