"""What `deadpan curate` prints: stages as they go, and what each dropped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from deadpan.base.counting import count_noun
from deadpan.cli import output
from deadpan.cli.tables import plain_table, print_table

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from deadpan.core.curation import Post
    from deadpan.curate.running.planning import Plan
from deadpan.curate.running.progress import CurationEvents


class _Bars(CurationEvents):
    """Stages as bars, one after the other."""

    def __init__(self, bars: Progress) -> None:
        self._bars, self._stage = bars, ""
        self._bar: TaskID | None = None

    def began(self, stage: str, total: int | None, what: str) -> None:
        self._close()
        self._stage = stage
        if total and not output.errors.is_terminal:
            output.say(f"{stage}: {total:,} {what} …")
        if total != 0:
            self._bar = self._bars.add_task(f"{stage}: {what}", total=total)

    def advanced(self, count: int = 1) -> None:
        if self._bar is not None:
            self._bars.advance(self._bar, count)

    def ended(self, told: str) -> None:
        self._close()
        if told:
            output.say(f"{self._stage}: {told}" if self._stage else told)
        self._stage = ""

    def _close(self) -> None:
        if self._bar is not None:
            self._bars.remove_task(self._bar)
        self._bar = None


@contextmanager
def showing_stages() -> Iterator[CurationEvents]:
    """Events that show stages as they go."""
    is_watched = output.errors.is_terminal and not output.state.quiet
    with output.progress_bars(disable=not is_watched) as bars:
        yield _Bars(bars)


def print_counts(posts: Sequence[Post]) -> dict[str, Any]:
    """Prints what each stage dropped and flagged; returns the same for JSON."""
    from deadpan.curate.running.reporting import stage_counts

    table = plain_table(
        "stage",
        "dropped",
        "flagged",
        numbers=("in", "out"),
    )
    document: list[dict[str, Any]] = []
    for one in stage_counts(posts):
        row = (one.stage, _listed(one.dropped), _listed(one.flagged))
        table.add_row(*row, f"{one.came:,}", f"{one.left:,}")
        counts = {"in": one.came, "out": one.left}
        document.append(
            {"stage": one.stage, **counts, "dropped": one.dropped, "flagged": one.flagged}
        )
    print_table(table)
    return {"posts": len(posts), "stages": document}


def _listed(counts: Any) -> str:
    return ", ".join(f"{many:,} {reason}" for reason, many in counts.items())


def print_plan(plan: Plan) -> None:
    """Prints what a run would do."""
    table = plain_table("stage", "what there is to do")
    for stage, words in plan.lines:
        table.add_row(stage, words)
    print_table(table)
    output.say(f"nothing was written; {count_noun(plan.posts, 'post')} were counted")
