"""What a description says, held against what the change does: a module for each kind of statement.

None of them is loaded where there is no description.
"""

from __future__ import annotations

from auditor.forensics.claims.among import held_among
from auditor.forensics.claims.amounts import held_amounts
from auditor.forensics.claims.branches import held_branches
from auditor.forensics.claims.commands import held_commands
from auditor.forensics.claims.deeds import held_names
from auditor.forensics.claims.defaults import held_defaults
from auditor.forensics.claims.definitions import held_definitions
from auditor.forensics.claims.demands import held_demands
from auditor.forensics.claims.fates import held_fates
from auditor.forensics.claims.figures import held_figures
from auditor.forensics.claims.ground import Ground, Held, Sentence, before_steps
from auditor.forensics.claims.kinds import held_kinds
from auditor.forensics.claims.leftovers import held_leftovers
from auditor.forensics.claims.limits import held_limits
from auditor.forensics.claims.lists import held_lists
from auditor.forensics.claims.manners import held_manners
from auditor.forensics.claims.measures import held_measures
from auditor.forensics.claims.numbers import held_numbers
from auditor.forensics.claims.opposed import held_opposed
from auditor.forensics.claims.packages import held_packages
from auditor.forensics.claims.paths import held_paths
from auditor.forensics.claims.places import held_places
from auditor.forensics.claims.promises import held_promises
from auditor.forensics.claims.runtimes import held_runtimes
from auditor.forensics.claims.sides import held_sides
from auditor.forensics.claims.subject import held_subject
from auditor.forensics.claims.triggers import held_triggers
from auditor.forensics.claims.typed import held_types
from auditor.forensics.claims.values import held_settings, held_values
from auditor.forensics.claims.vocabulary import held_vocabulary

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
