"""Files and folders of projects: rows of `project_files.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import python_reader
from auditor.row_tables import NameRows


class ProjectFiles(Frozen):
    """Files, folders and languages by what they are for."""

    command_fences: NameRows
    command_files: NameRows
    command_folders: NameRows
    command_languages: NameRows
    hidden_folders: NameRows
    markup_languages: NameRows
    note_languages: NameRows
    prose_languages: NameRows
    recipe_files: NameRows
    record_languages: NameRows
    routine_files: NameRows
    step_files: NameRows


project_files = python_reader("project_files", ProjectFiles)
