"""`deadpan reappraise`: turn a bitter meme into a kind one, by hand or with a model's plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import TypeAdapter, ValidationError

from deadpan.base.errors import DeadpanError
from deadpan.cli.flags import RetryFlags
from deadpan.cli.grouping import grouped
from deadpan.cli.output import say
from deadpan.cli.printing import counted_progress
from deadpan.pipeline.reporter import counted

if TYPE_CHECKING:
    from deadpan.editing.reappraise.meme import Wish
    from deadpan.editing.reappraise.run import Done, Reappraisal

_SHOWN = 20
_OWN_WORDS = ("folder:", "openai-images/", "google-images/", "diffusers/")
"""Editors that need not be told the new captions."""


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


@grouped
def reappraise(
    source: Annotated[Path, typer.Argument(metavar="IMAGE|FOLDER", help="What to reappraise.")],
    retries: RetryFlags,
    target: Annotated[
        TargetEmotion | None,
        typer.Option(help="The feeling wanted; when left out, the one paired with the meme's."),
    ] = None,
    caption: Annotated[
        list[str] | None,
        typer.Option(help="The new caption; once for each caption region, or once for them all."),
    ] = None,
    editor: Annotated[
        str,
        typer.Option(
            help="caption, folder:PATH, openai-images/MODEL, google-images/MODEL or "
            "diffusers/NAME-OR-FOLDER."
        ),
    ] = "caption",
    model: Annotated[
        str | None, typer.Option(help="The model that describes and plans; an Inspect model name.")
    ] = None,
    describe: Annotated[
        bool,
        typer.Option("--describe", help="Stop once a meme is described, before it is planned."),
    ] = False,
    review: Annotated[
        bool, typer.Option("--review", help="Stop once a meme is planned, before it is edited.")
    ] = False,
    plan: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE|FOLDER",
            help="Plans to go on from, as --describe or --review wrote them and you changed them; "
            "a stage that is null is made by --model.",
        ),
    ] = None,
    language: Annotated[
        MemeLanguage | None, typer.Option(help="The memes' language, when it is not to be read.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder of the results.")] = Path("reappraised"),
    max_connections: Annotated[int, typer.Option(min=1, help="Memes worked on at once.")] = 4,
) -> None:
    """Turn memes from a bitter feeling to a kind one: OUT/edited, OUT/side_by_side, OUT/plans.

    The same command again continues where it stopped. Ends with status 1 where a meme failed.
    """
    from deadpan.editing import find_editor
    from deadpan.editing.reappraise.meme import Wish
    from deadpan.editing.reappraise.run import FAILED, Reappraisal
    from deadpan.editing.reappraise.sources import (
        found_sources,
        given_plans,
        places,
        require_untouched,
    )
    from deadpan.engine.run import simple_asker

    wish = Wish(
        target=target.value if target else None,
        captions=_captions(caption or ()),
        language=language.value if language else None,
        stop="described" if describe else "planned" if review else "edited",
    )
    _check(wish, editor, model, plan)
    calls = retries.at_once(max_connections)
    sources = found_sources(source)
    results = places(sources, out)
    if plan is None:
        require_untouched(results)
    reappraisal = Reappraisal(
        editor=find_editor(editor) if wish.stop == "edited" else None,
        wish=wish,
        results=results,
        asker=simple_asker(model, retries.store, calls) if model else None,
        plans=given_plans(plan, sources) if plan else None,
        at_once=max_connections,
    )
    done = _with_progress(reappraisal)
    _say(done, out, wish)
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
    if wish.captions or model is not None or plan is not None or editor.startswith(_OWN_WORDS):
        return
    raise DeadpanError(
        f"{editor} needs the new words: give --caption TEXT, a --model that plans, or a --plan"
    )


def _with_progress(reappraisal: Reappraisal) -> list[Done]:
    with counted_progress() as progress:
        bar = progress.add_task("reappraising", total=len(reappraisal.results))
        return reappraisal.run(lambda _: progress.advance(bar))


def _say(done: Sequence[Done], out: Path, wish: Wish) -> None:
    from deadpan.editing.reappraise.run import FAILED

    odd = [one for one in done if one.ending in FAILED or one.notes]
    for one in odd[:_SHOWN]:
        reason = one.reason.removeprefix(f"{one.source}: ")
        what = f"{one.ending}: {reason}" if reason else "; ".join(one.notes)
        say(f"{one.source.name}: {what}", "yellow")
    if len(odd) > _SHOWN:
        say(f"… and {len(odd) - _SHOWN} more, all in {out / 'plans'}", "yellow")
    counts = Counter(one.ending for one in done)
    reused = sum(one.reused for one in done)
    listed = ", ".join(f"{count} {ending.replace('_', ' ')}" for ending, count in counts.items())
    kept = f" ({reused} of them by an earlier run)" if reused else ""
    say(f"{counted(len(done), 'meme')}: {listed}{kept}")
    if wish.stop != "edited" and counts[wish.stop]:
        say(f"look at {out / 'plans'}, change what you like, and go on with --plan {out / 'plans'}")
    elif counts["edited"]:
        say(f"wrote {out / 'edited'} and {out / 'side_by_side'}")
