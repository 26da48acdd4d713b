"""A page on how the outcome of a study came about, to go along with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from statistics import median

from deadpan.core.score import Score
from deadpan.core.study.exports import StudyExport
from deadpan.core.study.stages import Stage
from deadpan.core.study.words import in_language
from deadpan.studies.results.agreement import over_everything
from deadpan.studies.results.answer_times import Timed, answer_seconds
from deadpan.studies.results.gold import gold_values

_RULES = {
    "independent": "answers stand by themselves",
    "equal": "settled where all say the same",
    "votes": "settled where all say the same, else what at least two say",
    "objection": "one objection discards",
    "majority": "the majority decides",
}
_REMEDIES = {
    "discuss": "they discuss it, each seeing both answers only then",
    "third": "another person answers",
    "discard": "the item is discarded",
}

_ROWS = {
    "annotations": "what one person said to one question about one item, by themselves, before a "
    "later stage sent it back",
    "ratings": "one rating of one output; of a choice, 1 for the chosen one and 0 for the rest",
    "choices": "one choice between two outputs",
    "answers": "one answer to the benchmark's own question",
    "gold": "one question about an item that was settled, and `by` what; or an item of which "
    "nothing was",
    "decisions": "what one person said to one question about one item that people differed on: in "
    "the end of the discussion (`discuss`), or as the third person (`third`)",
    "disagreements": "what one person said, by themselves, to one question that people differed on",
    "reviews": "what a reviewer said of one person's words about one item, or of their practice",
    "returns": "one item that a stage sent back, by whom, to which stage, and why",
    "opinions": "what a model said to one person who asked it about one item",
    "times": "one task, and how long it took, or why it was skipped",
    "checks": "one answer to a hidden check",
    "recruited": "one person whom a platform sent",
}


def datasheet(
    export: StudyExport,
    agreement: Sequence[Score],
    more: Sequence[str] = (),
    tables: Sequence[str] = (),
) -> str:
    """The page, in Markdown; `more` are the lines of the study's template, `tables` the names of
    those that lie beside it."""
    study = export.study
    lines = [f"# {in_language(study.title, 'en')}: datasheet", "", *_about(export), ""]
    for stage in study.stages:
        lines += [*_stage(export, stage), ""]
    lines += [*_people(export), "", *_agreement(over_everything(export, agreement))]
    lines += ["", *more] if more else []
    if study.silent:
        lines += ["", "## Decided here, as the paper does not say", ""]
        lines += [f"- {line}" for line in study.silent]
    if tables:
        lines += ["", "## Files", "", "| file | one row is |", "| --- | --- |"]
        lines += [f"| `{name}` | {_ROWS[name]} |" for name in tables]
    return "\n".join(lines).rstrip() + "\n"


def _about(export: StudyExport) -> Iterator[str]:
    study = export.study
    items = {one.unit for one in export.settled}
    spoken = Counter(one.item.language for one in {s.unit: s for s in export.settled}.values())
    by_language = ", ".join(f"{many} {language}" for language, many in sorted(spoken.items()))
    yield f"- study: `{study.name}`, version {export.version} of its words and guidelines"
    if study.template:
        yield f"- template: `{study.template}`"
    yield f"- items: {len(items)} ({by_language})"
    if study.minutes:
        yield f"- minutes an item was thought to take: {study.minutes:g}"
    if study.pay:
        yield f"- pay: {in_language(study.pay, 'en')}"
    yield f"- consent asked for: {'yes' if study.consent else 'no'}"
    if study.consent and study.consent.warning:
        yield f"- people were warned: {' '.join(in_language(study.consent.warning, 'en').split())}"
    if harmful := len({one.unit for one in export.settled if one.item.harmful}):
        yield f"- items that were veiled until asked for: {harmful}"
    yield "- answers are those of the people named below, and no one else's; what they were shown"
    yield "  belongs to its makers, and is not part of these files unless they say so"
    if study.practice:
        by = (
            "a second person"
            if study.practice.by_person
            else f"{study.practice.pass_mark:.0%} right"
        )
        stages = ", ".join(in_language(one.title, "en") for one in study.practised)
        of = f", stage by stage: {stages}" if len(study.stages) > 1 else ""
        yield f"- practice passed by: {by}, up to {study.practice.rounds} rounds{of}"
    if study.batches:
        size, checked = study.batches.size, study.batches.checked
        yield f"- batches of {size}, {checked} of each checked by a lead; in files they are named"
        yield "  by the team whose items they are and their number in it: `team 1 batch 2`"


def _stage(export: StudyExport, stage: Stage) -> Iterator[str]:
    rows = [one for one in export.settled if one.stage == stage.name]
    states = Counter(one.state for one in rows)
    values = [gold for one, own in gold_values(export) if one.stage == stage.name for gold in own]
    yield f"## {in_language(stage.title, 'en')}"
    yield ""
    yield f"- people an item: {stage.people or 'everybody'}; {_RULES[stage.settling.rule]}"
    if stage.settling.otherwise:
        yield f"- else: {'; then '.join(_REMEDIES[one] for one in stage.settling.otherwise)}"
    yield f"- questions: {', '.join(f'`{one.name}` ({one.kind})' for one in stage.questions)}"
    yield f"- items: {', '.join(f'{many} {state}' for state, many in states.most_common())}"
    if ways := Counter(gold.by for gold in values):
        yield f"- gold by: {', '.join(f'{many} {by}' for by, many in ways.most_common())}"
    reasons = Counter(one.reason for one in rows if one.state == "discarded")
    for reason, many in reasons.most_common(20):
        words = escape(" ".join(reason.split())[:200])
        yield f"  - discarded, {many}: {words or 'no reason given'}"


def _people(export: StudyExport) -> Iterator[str]:
    yield "## People"
    yield ""
    yield "| who | tasks | skipped | median s of their own answers |"
    yield "| --- | ---: | ---: | ---: |"
    for who in dict.fromkeys(one.person for one in export.spent):
        own = [one for one in export.spent if one.person == who]
        seconds = answer_seconds(Timed(one.kind, one.state, one.seconds) for one in own)
        skipped = sum(one.state == "skipped" for one in own)
        typical = f"{median(seconds):.0f}" if seconds else ""
        yield f"| {who} | {len(own) - skipped} | {skipped} | {typical} |"
    if export.waiting:
        yield ""
        yield f"Answered, and not yet accepted by a reviewer: {export.waiting}. These are left out."
    if export.checks:
        wrong = sum(not one.right for one in export.checks)
        yield ""
        yield f"Hidden checks: {len(export.checks)} answers, {wrong} wrong."


def _agreement(scores: Sequence[Score]) -> Iterator[str]:
    shown = [one for one in scores if one.value is not None]
    if not shown:
        return
    models = any(one.model for one in shown)
    of = "| of " if models else ""
    yield "## Agreement and scores" if models else "## Agreement"
    yield ""
    yield f"{of}| question | measure | value | 95 % interval | n |"
    yield f"{'| --- ' if models else ''}| --- | --- | ---: | --- | ---: |"
    for one in shown:
        interval = "" if one.low is None else f"{one.low:.3f} to {one.high:.3f}"
        whose = f"| {escape(one.model) or 'all'} " if models else ""
        asked = one.task if one.group == "all" else f"{one.task}, {one.group}"
        yield f"{whose}| {asked} | {one.metric} | {one.value:.3f} | {interval} | {one.n} |"
