"""What a description says, held against what the change does: a module for each kind of statement.

None of them is loaded where there is no description.
"""

from __future__ import annotations

from auditor.forensics.description.alternatives import held_opposed
from auditor.forensics.description.amounts import held_amounts
from auditor.forensics.description.change_facts import Ground, Held, Sentence, before_steps
from auditor.forensics.description.client_and_server import held_sides
from auditor.forensics.description.commands import held_commands
from auditor.forensics.description.comparison_bounds import held_limits
from auditor.forensics.description.declared_types import held_types
from auditor.forensics.description.defaults import held_defaults
from auditor.forensics.description.definition_kinds import held_definitions
from auditor.forensics.description.enumerations import held_lists
from auditor.forensics.description.exhaustive_claims import held_leftovers
from auditor.forensics.description.file_claims import held_places
from auditor.forensics.description.mechanisms import held_manners
from auditor.forensics.description.moved_definitions import held_fates
from auditor.forensics.description.named_code import held_names
from auditor.forensics.description.named_files import held_paths
from auditor.forensics.description.named_numbers import held_figures
from auditor.forensics.description.one_of_several import held_among
from auditor.forensics.description.package_versions import held_packages
from auditor.forensics.description.per_item_claims import held_promises
from auditor.forensics.description.quantities import held_measures
from auditor.forensics.description.removed_requirements import held_demands
from auditor.forensics.description.replaced_values import held_settings, held_values
from auditor.forensics.description.runtimes import held_runtimes
from auditor.forensics.description.subject import held_subject
from auditor.forensics.description.versions_and_counts import held_numbers
from auditor.forensics.description.vocabulary import held_vocabulary
from auditor.forensics.description.whole_change import held_kinds
from auditor.forensics.description.workflow_branches import held_branches
from auditor.forensics.description.workflow_triggers import held_triggers

_WEIGHED = (
    held_fates,
    held_paths,
    held_names,
    held_numbers,
    held_amounts,
    held_figures,
    held_runtimes,
    held_values,
    held_settings,
    held_commands,
    held_places,
    held_lists,
    held_measures,
    held_opposed,
    held_defaults,
    held_limits,
    held_packages,
    held_triggers,
    held_branches,
    held_demands,
    held_leftovers,
    held_sides,
    held_manners,
    held_definitions,
    held_types,
    held_promises,
    held_among,
    held_vocabulary,
)


def weighed(said: list[Sentence], ground: Ground) -> list[Held]:
    """Every statement that can be held against the change, and what became of it; the subject of all where there is no other."""
    told = before_steps(said)
    held = [*held_kinds(said, ground), *(each for weigh in _WEIGHED for each in weigh(told, ground))]
    return held or list(held_subject(said, ground))
