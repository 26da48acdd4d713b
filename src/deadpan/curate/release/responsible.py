"""What Croissant is told for responsible AI of a curation, from its counts and settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deadpan.base.counting import count_noun
from deadpan.curate.release.counts import Funnel
from deadpan.curate.release.history import is_consented
from deadpan.curate.release.material import About, Material

Said = dict[str, str | Sequence[str]]


def stated(about: About) -> Said:
    """What its makers state; nothing where they state nothing."""
    return {
        "dataUseCases": about.use_cases,
        "dataLimitations": about.limitations,
        "dataBiases": about.biases,
        "dataSocialImpact": about.social_impact,
        "personalSensitiveInformation": about.personal_information,
    }


def responsible(material: Material, funnel: Funnel) -> Said:
    """How it was collected, cleaned and labelled, and what its makers state."""
    names = ", ".join(one.name for one in material.curation.collect)
    said: Said = {
        "dataCollection": f"{count_noun(funnel.collected, 'post')} from {names}.",
        "dataCollectionType": list(dict.fromkeys(_kinds(material))),
        "dataCollectionRawData": "Not in the release; provenance.csv tells where each item came "
        "from, dropped.csv why each other post is not in it.",
        "dataPreprocessingProtocol": list(_steps(funnel)),
        "dataManipulationProtocol": _cleaned(material),
        "dataAnnotationProtocol": list(_labelled(material)),
        "dataAnnotationPlatform": "deadpan study" if material.study else "",
        "dataAnnotationAnalysis": list(material.agreement),
        "machineAnnotationTools": list(dict.fromkeys(_tools(material))),
    }
    return {name: value for name, value in (said | stated(material.about)).items() if value}


def _kinds(material: Material) -> Iterator[str]:
    for source in material.curation.collect:
        if is_consented(source):
            yield "Others: chats given with consent"
        elif source.fetch:
            yield "Web Scraping"
        else:
            yield "Secondary Data Analysis"


def _steps(funnel: Funnel) -> Iterator[str]:
    for one in funnel.stages:
        if one.dropped:
            why = ", ".join(f"{reason} {many}" for reason, many in one.dropped.items())
            yield f"{one.stage}: {one.came} posts came, {one.came - one.left} dropped ({why})."


def _cleaned(material: Material) -> str:
    opening = material.curation.open
    words = "names, numbers and addresses taken out of texts" if opening.anonymise else ""
    done = ["pictures and videos written anew without metadata", words]
    return f"{'; '.join(filter(None, done))}.".capitalize()


def _labelled(material: Material) -> Iterator[str]:
    drafting = material.curation.draft
    if drafting is not None:
        yield f"Drafted by {drafting.model} in at most {count_noun(drafting.rounds, 'round')}."
    if material.study:
        yield "Settled by people in a study; DATASHEET.md has its rules, people and agreement."
    elif drafting is not None:
        yield "No people were asked."


def _tools(material: Material) -> Iterator[str]:
    drafting = material.curation.draft
    if drafting is not None:
        yield from filter(None, (drafting.model, drafting.validator, drafting.blind))
    if material.curation.read.ocr:
        yield "OCR: RapidOCR"
