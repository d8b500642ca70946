"""Answers about personas: which prompts there are, and how much they share."""

from __future__ import annotations

from itertools import combinations

from auditor.forensics.agent_systems.judge_detection import judge_nodes
from auditor.forensics.agent_systems.main_graph_analysis import Answers, ProgramStudy
from auditor.forensics.agent_systems.persona_prompts import MIN_PERSONA_WORDS, find_prompts
from auditor.forensics.agent_systems.persona_texts import persona_overlap
from auditor.forensics.agent_systems.prompt_overlap import MAX_OVERLAP, words_of
from auditor.forensics.agent_systems.system_report_types import NO_PRODUCT_CODE, PersonasData, ProbeAnswer, Prompt


def persona_answers(study: ProgramStudy) -> Answers:
    """All answers about personas."""
    return {"swarm.personas": (_personas_answer(study),)}


def _personas_answer(study: ProgramStudy) -> ProbeAnswer:
    if not study.python:
        return NO_PRODUCT_CODE
    found = find_prompts(study)
    data = PersonasData(
        prompts=tuple(
            Prompt(
                persona=each.persona, path=each.place.unit.path, line=each.place.line, words=len(words_of(each.text))
            )
            for each in found
        ),
        overlap={
            f"{one.persona}/{other.persona}": persona_overlap(one, other) for one, other in combinations(found, 2)
        },
    )
    places = tuple(study.place_spot(each.place) for each in found)
    names = ", ".join(each.persona for each in found)
    if len(found) < 2:
        nodes = judge_nodes(study)
        about = (
            f"Only one persona prompt of {MIN_PERSONA_WORDS} words or more was found ({names})."
            if found
            else f"No persona prompt of {MIN_PERSONA_WORDS} words or more was found."
        )
        sure, why = study.doubt(of=0.8 if not nodes else 0.6)
        return ProbeAnswer(
            answer=False,
            statement=about,
            data=data,
            spots=places,
            confidence=sure,
            because=why or "prompts may be loaded from elsewhere",
            measure=0.0,
        )
    alike = {pair: ratio for pair, ratio in data.overlap.items() if ratio > MAX_OVERLAP}
    highest = max(data.overlap.values())
    if alike:
        pair, ratio = max(alike.items(), key=lambda each: each[1])
        return ProbeAnswer(
            answer=False, statement=f"The prompts of {pair.replace('/', ' and ')} share {ratio:.0%} of their text: they are one persona under several names.",
            data=data, spots=places, confidence=0.9, because="parts filled in at run time were not compared", measure=round(1 - highest, 4),
        )  # fmt: skip
    few = len(found) < 3
    return ProbeAnswer(
        answer=True, statement=f"{len(found)} persona prompts ({names}) share at most {highest:.0%} of their text.", data=data, spots=places,
        confidence=0.7 if few else 0.9, because="only two personas" if few else "parts filled in at run time were not compared", measure=round(1 - highest, 4),
    )  # fmt: skip
