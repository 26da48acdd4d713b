"""`deadpan reappraise`: turn a bitter meme into a kind one, by hand or with a model's plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import TypeAdapter, ValidationError

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError
from deadpan.cli.flags import RetryFlags, grouped
from deadpan.cli.output import advancing_bar, say, say_endings, say_first

if TYPE_CHECKING:
    from deadpan.editing.reappraise import Done, Stop, Wish
    from deadpan.editing.reappraise.plan import Stage
    from deadpan.editing.reappraise.sources import Places

_OWN_WORDS = ("folder:", "openai-images/", "google-images/", "diffusers/")
"""Editors that need not be told the new captions."""
_NEXT = {"describe": "plan", "plan": "edit", "edit": "release"}
_STOPS: dict[str, Stop] = {"describe": "described", "plan": "planned", "edit": "edited"}


class TargetEmotion(StrEnum):
    """What a meme should feel like."""

    HAPPY = "happy"
    CALM = "calm"
    RELAXED = "relaxed"
    EXCITED = "excited"


class MemeLanguage(StrEnum):
    """The language of a meme."""

    EN = "en"
    ZH = "zh"


class ReappraisalStage(StrEnum):
    """The stages that a person verifies, and what was accepted in all of them."""

    DESCRIBE = "describe"
    PLAN = "plan"
    EDIT = "edit"
    RELEASE = "release"

    @property
    def to_make(self) -> Stage:
        """The stage that is made; of a release the last one."""
        stages: dict[str, Stage] = {"describe": "describe", "plan": "plan"}
        return stages.get(self.value, "edit")


@grouped
def reappraise(
    source: Path,
    retries: RetryFlags,
    target: TargetEmotion | None = None,
    caption: list[str] | None = None,
    editor: str = "caption",
    model: str | None = None,
    stage: ReappraisalStage | None = None,
    describe: Annotated[bool, typer.Option("--describe")] = False,
    review: Annotated[bool, typer.Option("--review")] = False,
    plan: Path | None = None,
    language: MemeLanguage | None = None,
    out: Path = Path("reappraised"),
    max_connections: Annotated[int, typer.Option(min=1)] = 4,
) -> None:
    """Turn memes from a bitter feeling to a kind one: OUT/edited, OUT/side_by_side, OUT/plans.

    With --stage describe, plan, edit and release one step at a time: after each, a person fills in
    OUT/review/STAGE.csv (accept, revise or remove, with reason). The same command again continues
    where it stopped. Ends with status 1 where a meme failed.
    """
    from deadpan.editing import find_editor
    from deadpan.editing.reappraise import FAILED, Reappraisal, Wish
    from deadpan.editing.reappraise.sources import (
        found_sources,
        given_plans,
        places,
        require_untouched,
    )
    from deadpan.editing.reappraise.staged import run_stage
    from deadpan.engine.run import simple_asker

    wish = Wish(
        target=target.value if target else None,
        captions=_captions(caption or ()),
        language=language.value if language else None,
        stop="described" if describe else "planned" if review else "edited",
    )
    if stage is not None:
        _check_stage(stage, wish, model, plan)
        wish = replace(wish, stop=_STOPS.get(stage, wish.stop))
    else:
        _check(wish, editor, model, plan)
    calls = retries.at_once(max_connections)
    sources = found_sources(source)
    results = places(sources, out)
    if stage is ReappraisalStage.RELEASE:
        _release(results, out)
        return
    if plan is None and stage is None:
        require_untouched(results)
    reappraisal = Reappraisal(
        editor=find_editor(editor) if wish.stop == "edited" else None,
        wish=wish,
        results=results,
        asker=simple_asker(model, retries.store, calls) if model else None,
        plans=given_plans(plan, sources) if plan else None,
        at_once=max_connections,
    )
    with advancing_bar("reappraising", len(results)) as progress:
        if stage is None:
            done = reappraisal.run(progress)
        else:
            done = run_stage(stage.to_make, reappraisal, out, progress)
    _say(done, out, wish, stage)
    if any(one.ending in FAILED for one in done):
        raise typer.Exit(1)


def _captions(given: Sequence[str]) -> tuple[str, ...]:
    from deadpan.editing.reappraise.plan import NewCaptions

    try:
        return TypeAdapter(NewCaptions).validate_python(tuple(given))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise DeadpanError(f"--caption: {first['msg'].removeprefix('Value error, ')}") from None


def _check(wish: Wish, editor: str, model: str | None, plan: Path | None) -> None:
    """Raises for options that contradict each other, or that leave nothing to write."""
    if plan is not None and (wish.captions or wish.target or wish.language):
        raise DeadpanError("--plan says it all: put caption, target and language into the plan")
    if wish.captions and model is not None:
        raise DeadpanError(
            "--caption leaves a --model nothing to plan; to have both, plan with --review, put the "
            "caption into the plan, and give it back with --plan"
        )
    if wish.stop == "described" and model is None:
        raise DeadpanError("--describe needs a --model that describes")
    has_words = wish.captions or model is not None or plan is not None
    if not has_words and not editor.startswith(_OWN_WORDS):
        given = "give --caption TEXT, a --model that plans, or a --plan"
        raise DeadpanError(f"{editor} needs the new words: {given}")


def _check_stage(stage: ReappraisalStage, wish: Wish, model: str | None, plan: Path | None) -> None:
    """Raises for options that do not go with a stage."""
    if plan is not None or wish.captions or wish.stop != "edited":
        raise DeadpanError(
            f"--stage {stage.value} takes no --plan, --caption, --describe or --review: it goes on "
            "from OUT/plans, where a person may change what is in them"
        )
    if stage in (ReappraisalStage.DESCRIBE, ReappraisalStage.PLAN) and model is None:
        raise DeadpanError(f"--stage {stage.value} needs a --model")


def _release(results: Mapping[Path, Places], out: Path) -> None:
    from deadpan.editing.reappraise.staged import release

    made = release(results, out)
    say_first([f"{name}: not accepted in all stages" for name in made.waiting], str(out / "review"))
    removed = f", {made.removed} removed (removed.json says why)" if made.removed else ""
    say(f"released {count_noun(made.memes, 'meme')}{removed}: {made.folder}")
    say(f"score them with deadpan score merbench --data {made.folder} --judge MODEL")


def _say(
    done: Sequence[Done], out: Path, wish: Wish, stage: ReappraisalStage | None = None
) -> None:
    from deadpan.editing.reappraise import FAILED

    lines = []
    for one in (one for one in done if one.ending in (*FAILED, "waiting") or one.notes):
        reason = one.reason.removeprefix(f"{one.source}: ")
        what = f"{one.ending}: {reason}" if reason else "; ".join(one.notes)
        lines.append(f"{one.source.name}: {what}")
    say_first(lines, str(out / "plans"))
    say_endings("meme", [(one.ending, one.reused) for one in done])
    endings = {one.ending for one in done}
    if stage is not None:
        if wish.stop in endings:
            sheet = out / "review" / f"{stage.value}.csv"
            say(f"look at {out / 'plans'}, change what you like, and decide in {sheet}:")
            say("decision: accept, revise or remove; reason: why, where it is not accept")
            say(f"then go on with --stage {_NEXT[stage]}, or {stage.value} again to revise")
        return
    if wish.stop != "edited" and wish.stop in endings:
        say(f"look at {out / 'plans'}, change what you like, and go on with --plan {out / 'plans'}")
    elif "edited" in endings:
        say(f"wrote {out / 'edited'} and {out / 'side_by_side'}")
