"""What a description says, held against what the change does: a module for each kind of statement.

None of them is loaded where there is no description.
"""

from __future__ import annotations

from auditor.forensics.description.change_contents import Ground, Held, Sentence, before_steps
from auditor.forensics.description.change_kind_claims import held_kinds
from auditor.forensics.description.claims_without_names import held_subject
from auditor.forensics.description.client_or_server_claims import held_sides
from auditor.forensics.description.code_name_checks import held_names
from auditor.forensics.description.command_claims import held_commands
from auditor.forensics.description.comparison_bound_claims import held_limits
from auditor.forensics.description.declared_type_claims import held_types
from auditor.forensics.description.default_value_claims import held_defaults
from auditor.forensics.description.definition_kind_claims import held_definitions
from auditor.forensics.description.enumeration_claims import held_lists
from auditor.forensics.description.every_one_claims import held_leftovers
from auditor.forensics.description.file_change_claims import held_places
from auditor.forensics.description.file_existence_claims import held_paths
from auditor.forensics.description.level_and_order_claims import held_opposed
from auditor.forensics.description.matrix_and_index_claims import held_among
from auditor.forensics.description.mechanism_claims import held_manners
from auditor.forensics.description.method_claims import held_vocabulary
from auditor.forensics.description.moved_definition_claims import held_fates
from auditor.forensics.description.named_number_claims import held_figures
from auditor.forensics.description.package_version_claims import held_packages
from auditor.forensics.description.per_item_claims import held_promises
from auditor.forensics.description.quantity_claims import held_measures
from auditor.forensics.description.removed_dependency_claims import held_demands
from auditor.forensics.description.replaced_value_claims import held_settings, held_values
from auditor.forensics.description.runtime_version_claims import held_runtimes
from auditor.forensics.description.set_value_claims import held_amounts
from auditor.forensics.description.version_and_count_claims import held_numbers
from auditor.forensics.description.workflow_branch_claims import held_branches
from auditor.forensics.description.workflow_trigger_claims import held_triggers

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
