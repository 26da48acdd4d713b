"""Reappraisal stage by stage, each verified by a person: describe, plan, edit; and what was
accepted, in MER-Bench's released form."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import ValidationError

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import folder_name, is_file, read_bytes, sha256_of, write_bytes, write_text
from deadpan.base.rows import quote
from deadpan.benchmarks.merbench.records import INDEX, PAIRS, TAXONOMY, Meme
from deadpan.editing.reappraise import Done, Reappraisal, Stop
from deadpan.editing.reappraise.plan import Plan, Stage, read_plan, write_plan
from deadpan.editing.reappraise.review import decide, read_sheet, sheet_path, write_sheet
from deadpan.editing.reappraise.sources import Places

STAGES: tuple[Stage, ...] = ("describe", "plan", "edit")
STOPS: dict[Stage, Stop] = {"describe": "described", "plan": "planned", "edit": "edited"}
RELEASED, REMOVED = "released", "removed.json"


@dataclass(frozen=True)
class Standing:
    """Where each meme stands: its plan, if it has one, after what people decided."""

    out: Path
    results: Mapping[Path, Places]
    plans: Mapping[Path, Plan]

    @classmethod
    def read(cls, results: Mapping[Path, Places], out: Path, upto: Stage = "edit") -> Standing:
        """Reads plans and sheets, and enters decisions on stages up to that one into the plans. All
        sheets are read before anything is written: a bad one changes nothing."""
        there = {one: place.plan for one, place in results.items() if is_file(place.plan)}
        plans = {one: read_plan(path) for one, path in there.items()}
        reviewed = STAGES[: STAGES.index(upto) + 1]
        sheets = {stage: read_sheet(sheet_path(out, stage), results) for stage in reviewed}
        for source, plan in plans.items():
            decided = plan
            for stage, rows in sheets.items():
                decided = decide(decided, stage, rows.get(source.name))
            if decided is not plan:
                write_plan(there[source], decided)
                plans[source] = decided
        return cls(out, results, plans)

    def write_sheets(self, upto: Stage) -> None:
        """Writes the sheets of stages up to that one, with what was decided."""
        for stage in STAGES[: STAGES.index(upto) + 1]:
            path = sheet_path(self.out, stage)
            write_sheet(path, stage, self.plans, read_sheet(path, self.results))

    def waits(self, source: Path, stage: Stage) -> Done | None:
        """Why a meme is not worked on in a stage; None where it is."""
        plan = self.plans.get(source)
        if plan is not None and plan.removed:
            return Done(source, "removed", plan.removed.reason)
        if stage == "describe":
            return None
        before = STAGES[STAGES.index(stage) - 1]
        if plan is None or not plan.made(before):
            return Done(source, "waiting", f"there is nothing to accept yet: --stage {before}")
        if not plan.accepted(before):
            sheet = sheet_path(self.out, before)
            return Done(source, "waiting", f"{sheet} does not accept it yet")
        return None


def run_stage(
    stage: Stage, whole: Reappraisal, out: Path, report: Callable[[Done], None] = lambda done: None
) -> list[Done]:
    """Makes one stage of all memes that a person let through to it, and writes its sheet. What was
    removed is not worked on again, what is not decided waits."""
    standing = Standing.read(whole.results, out, stage)
    done: dict[Path, Done] = {}
    for source in whole.results:
        if (waiting := standing.waits(source, stage)) is not None:
            done[source] = waiting
            report(waiting)
    work = {one: places for one, places in whole.results.items() if one not in done}
    plans = {one: plan for one, plan in standing.plans.items() if one in work}
    made = replace(whole, results=work, plans=plans).run(report) if work else []
    done |= {one.source: one for one in made}
    Standing.read(whole.results, out, stage).write_sheets(stage)
    return [done[source] for source in whole.results]


@dataclass(frozen=True)
class Release:
    """What was written: where, how many memes, and those that were removed or are not accepted."""

    folder: Path
    memes: int
    removed: int
    waiting: tuple[str, ...]


def release(results: Mapping[Path, Places], out: Path) -> Release:
    """Writes the memes whose three stages were accepted as MER-Bench's released data: the index,
    sources, edits by editor; and beside it what was removed, at which stage and why."""
    standing = Standing.read(results, out)
    folder = out / RELEASED
    records, waiting = [], []
    removed = [
        {"id": source.name, "stage": plan.removed.stage, "reason": plan.removed.reason}
        for source, plan in standing.plans.items()
        if plan.removed
    ]
    for source, places in results.items():
        plan = standing.plans.get(source)
        if plan is not None and plan.removed:
            continue
        if plan is None or not all(plan.accepted(stage) for stage in STAGES):
            waiting.append(source.name)
            continue
        record = _record(source, places, plan)
        _copy(source, folder / "Original" / record.id, plan.source.sha256)
        editor = folder_name(plan.edited.editor) if plan.edited else ""
        edited = folder / "EditedResults" / editor / record.gen_id
        _copy(places.edited, edited, plan.edited.sha256 if plan.edited else "")
        records.append(record.model_dump())
    if not records:
        sheet = sheet_path(out, "edit")
        raise DeadpanError(f"no meme was accepted in all three stages; fill in {sheet}")
    write_text(folder / REMOVED, _json(removed))
    write_text(folder / INDEX, _json(records))
    standing.write_sheets("edit")
    return Release(folder, len(records), len(removed), tuple(waiting))


def _record(source: Path, places: Places, plan: Plan) -> Meme:
    """A meme in the released form; what it lacks raises with its place in the plan."""
    seen, wanted = plan.described, plan.proposed
    if seen is None or wanted is None:
        raise InputError(places.plan, "lacks a stage", "Have it made: --stage describe, plan.")
    lacks = [f"described.{name}" for name in TAXONOMY if getattr(seen, name) is None]
    lacks += ["proposed.specification"] * (not wanted.specification.strip())
    lacks += ["proposed.captions"] * (not "".join(wanted.captions).strip())
    if lacks:
        raise InputError(f"{places.plan} {lacks[0]}", "is missing; expected it", "Fill it in.")
    if wanted.target != PAIRS[seen.emotion]:
        what = f'got {quote(wanted.target)}; expected "{PAIRS[seen.emotion]}" for {seen.emotion}'
        raise InputError(f"{places.plan} proposed.target", what, "Correct the plan.")
    try:
        return Meme.model_validate(
            {
                "id": source.name,
                "gen_id": places.edited.name,
                "det_emo": seen.emotion,
                "tgt_emo": wanted.target,
                "img_desc": seen.description,
                "text": "\n".join(seen.captions),
                "pos_txt": "\n".join(wanted.captions),
                "spec": wanted.specification,
                **{name: getattr(seen, name) for name in TAXONOMY},
            }
        )
    except ValidationError as error:
        what = error.errors(include_url=False)[0]["msg"].removeprefix("Value error, ")
        raise InputError(source, what, "Rename or convert the picture.") from None


def _copy(source: Path, target: Path, sha256: str) -> None:
    """Copies a picture that is the one that was reviewed; another raises."""
    if sha256_of(source) != sha256:
        what = "is not the picture that was reviewed"
        raise InputError(source, what, "Put it back, or run the stages again.")
    if sha256_of(target) != sha256:
        write_bytes(target, read_bytes(source))


def _json(rows: Sequence[Mapping[str, object]]) -> str:
    return json.dumps(rows, ensure_ascii=False, indent=2) + "\n"
