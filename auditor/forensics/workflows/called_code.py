"""Code of the repository that the scripts of a workflow call: recipes of make and the like, and shell scripts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from auditor.forensics.embedded_shell.shell_extraction import embedded_scripts
from auditor.forensics.workflows.governance_files import called_scripts
from auditor.forensics.workflows.recipe_files import recipe_files_by_program
from auditor.forensics.workflows.recipe_scripts import recipe_lines
from auditor.forensics.workflows.shell_pipelines import read_pipelines


def called_files(workflows: Iterable[str], paths: Collection[str]) -> frozenset[str]:
    """The files among some paths that may hold code that workflows call."""
    texts = [*workflows]
    recipes = {each for files in recipe_files_by_program().values() for each in files} if texts else set()
    return called_scripts(texts, paths) | recipes.intersection(paths)


def called_code(workflow: str, texts: Mapping[str, str]) -> str:
    """What a workflow calls of some texts by path: lines of recipes, and whole scripts."""
    called = [texts[each] for each in sorted(called_scripts([workflow], texts.keys()))]
    return "\n".join(dict.fromkeys([*_recipes(workflow, texts), *called]))


def _recipes(workflow: str, texts: Mapping[str, str]) -> Iterator[str]:
    for script in embedded_scripts(workflow, "github_workflow"):
        for pipeline in read_pipelines(script.plain_text()):
            for stage in pipeline.stages:
                words = [each.strip("\"'") for each in stage.words]
                yield from (each.text for each in recipe_lines(words, texts))
