"""What `deadpan audit judge` prints, and its JSON document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.markup import escape

from deadpan.base.counting import count_noun
from deadpan.base.printable import visible
from deadpan.cli.output import print_line, say
from deadpan.cli.tables import number, plain_table, print_table
from deadpan.metrics.statistics.judge_agreement import Agreement
from deadpan.metrics.statistics.opinions import Estimated
from deadpan.pipeline.correcting import CorrectedScore
from deadpan.pipeline.judge_audit import JudgeAudit, ScaleAudit
from deadpan.pipeline.judge_panel import Panel
from deadpan.pipeline.judge_positions import PositionLean

LABELS = (50, 100, 200, 500)
"""The numbers of labels whose widths are told."""
_MEASURES = {
    "exact": "the same",
    "kappa": "kappa",
    "alpha": "alpha",
    "pearson": "r",
    "spearman": "rank r",
    "difference": "judge − people",
}


def print_audit(
    found: JudgeAudit, width: float | None, positions: Sequence[PositionLean] | None
) -> None:
    """Agreement, leanings, retest, the panel, then corrected scores and what labels buy."""
    for task in dict.fromkeys(one.task for one in found.scales):
        own = [one for one in found.scales if one.task == task]
        print_line(f"{found.benchmark}/{task}: judge and people", "bold")
        _print_agreement(own)
        _print_leanings(own)
        _print_retest(own)
        for panel in (one for one in found.panels if one.task == task):
            _print_panel(panel)
    _print_positions(positions)
    _print_corrected(found)
    _print_plans(found.corrected, width)
    for line in found.notes:
        say(line, "yellow")


def _name(text: str) -> str:
    return escape(visible(text))


def _with_interval(one: Estimated | None, decimals: int = 2) -> str:
    if one is None or one.value is None:
        return "–"
    ends = (
        "" if one.low is None else f" [{number(one.low, decimals)}, {number(one.high, decimals)}]"
    )
    return number(one.value, decimals) + ends


def _print_agreement(own: Sequence[ScaleAudit]) -> None:
    rated = [(one, one.agreement) for one in own if one.agreement is not None]
    measured = {name for _, agreed in rated for name in agreed.judge}
    columns = {name: title for name, title in _MEASURES.items() if name in measured}
    table = plain_table("scale", "who", numbers=("answers", *columns.values()))
    for at, (one, agreed) in enumerate(rated):
        cells = [_with_interval(agreed.judge.get(name)) for name in columns]
        table.add_row(_name(one.scale.name), _name(one.judge), str(agreed.answers), *cells)
        is_last = at + 1 == len(rated) or rated[at + 1][0].scale.name != one.scale.name
        if is_last and agreed.people:
            cells = [_with_interval(agreed.people.get(name)) for name in columns]
            table.add_row("", "people", str(agreed.repeated), *cells)
    if rated:
        print_table(table)
    for one, agreed in rated:
        print_line(f"{one.scale.name}: {agreed.verdict(one.judge)}{_gap(agreed)}")
    if rated:
        note = "people: with each other. r: with the mean of the raters, or of the other raters"
        say(note, "dim")
    for one in own:
        if one.agreement is None:
            say(f"{one.scale.name}, {one.judge}: nobody rated what it judged", "yellow")


def _gap(agreed: Agreement) -> str:
    gap = agreed.gap
    if gap.value is None or gap.low is None:
        return ""
    return f" (alpha {number(gap.value, 2)} apart, {number(gap.low, 2)} to {number(gap.high, 2)})"


def _print_leanings(own: Sequence[ScaleAudit]) -> None:
    """A row for each thing that the judge was looked at for; surely there is bold."""
    known = [(one, one.leanings) for one in own if one.leanings is not None]
    numbers = ("judge − people, more by", "p, adjusted", "answers")
    table = plain_table("scale", "judge", "leaning", numbers=numbers)
    for one, found in known:
        for lean in found.leans:
            cells = (_with_interval(lean.difference), _p(lean.adjusted), str(lean.answers))
            marked = [
                f"[bold]{cell}[/bold]" if lean.is_sure else cell for cell in map(escape, cells)
            ]
            table.add_row(_name(one.scale.name), _name(one.judge), _name(lean.about), *marked)
        if any(lean.about.startswith("length") and lean.is_sure for lean in found.leans):
            for about, estimated in found.quarters:
                cells = (_with_interval(estimated), "", "")
                table.add_row("", "", _name(f"  {about}"), *map(escape, cells))
    if table.row_count:
        print_table(table)
    notes: dict[str, list[str]] = {}
    for one, found in known:
        for note in found.notes:
            notes.setdefault(note, []).append(one.judge)
    for note in notes:
        say(f"not looked at: {note}", "dim")


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _print_retest(own: Sequence[ScaleAudit]) -> None:
    again = [(one, one.retest) for one in own if one.retest is not None]
    for one, found in again:
        print_line(
            f"{one.scale.name}, {one.judge} asked up to {found.repeats} times: deviation "
            f"{number(found.deviation, 2)}, {found.flips:.0%} of pairs differ; that is "
            f"{found.share:.0%} of the variance of its mean (standard error "
            f"{number(found.error, 3)}, of which {number(found.added, 3)} by the judge)"
        )
    if not again and own:
        say("retest: no answer was judged twice (--judge-epochs 3 tells how far it varies)", "dim")


def _print_panel(panel: Panel) -> None:
    print_line(
        f"{panel.scale.name}, all judges: alpha {_with_interval(panel.alpha)} over "
        f"{count_noun(panel.answers, 'answer')}"
    )
    for (first, second), measured in panel.pairs.items():
        said = ", ".join(
            f"{title} {_with_interval(measured[name])}"
            for name, title in _MEASURES.items()
            if name in measured and name != "difference"
        )
        print_line(f"  {first} and {second}: {said}")
    if panel.disputed:
        judges = list(panel.disputed[0].said)
        numbers = (*map(_name, judges), "people")
        table = plain_table("most disputed", "model", numbers=numbers)
        for one in panel.disputed:
            values = [number(one.said[judge], 1) for judge in judges]
            table.add_row(_name(one.item), _name(one.model), *values, number(one.people, 1))
        print_table(table)


def _print_positions(positions: Sequence[PositionLean] | None) -> None:
    if positions is None:
        say("position: each answer is judged alone (--choices FILE for choices of two)", "dim")
    for one in positions or ():
        sure = "; surely not half" if one.is_sure else ""
        said = f"{_with_interval(one.left)} of {count_noun(one.choices, 'choice')}"
        print_line(f"position, {one.who}: what stands left is chosen in {said}{sure}")


def _print_corrected(found: JudgeAudit) -> None:
    if not found.corrected:
        say("no score was corrected: people rated fewer than five answers of each model", "yellow")
        return
    print_line(f"{found.benchmark}: scores corrected by people", "bold")
    numbers = ("judge alone", "people alone", "corrected", "rated", "worth")
    table = plain_table("task", "metric", "model", "judge", numbers=numbers)
    for one in found.corrected:
        digits = one.metric.decimals
        alone = Estimated(one.alone.value, one.alone.low, one.alone.high)
        by_people, both = (Estimated(x.value, x.low, x.high) for x in (one.people, one.corrected))
        judged = escape(_with_interval(alone, digits))
        cells = (
            f"[yellow]{judged}[/yellow]" if one.is_off else judged,
            escape(_with_interval(by_people, digits)),
            f"[bold]{escape(_with_interval(both, digits))}[/bold]",
            f"{one.labels:,} of {one.graded:,}",
            f"+{one.worth:,}",
        )
        names = (one.task, one.metric.name, one.model, one.judge)
        table.add_row(*map(_name, names), *cells)
    print_table(table)
    for line in _corrected_lines(found.corrected):
        print_line(line)


def _corrected_lines(scores: Sequence[CorrectedScore]) -> Iterator[str]:
    if off := [one for one in scores if one.is_off]:
        are = "is" if len(off) == 1 else "are"
        yield (
            f"{len(off)} of {count_noun(len(scores), 'score')} by a judge alone {are} surely not "
            "what people would say (judge − people on the same answers, p adjusted by Holm)"
        )
        yield from (f"  {_off_line(one)}" for one in off)
    yield "worth: how many more ratings people alone would have needed for as narrow an interval"
    for one in scores:
        if one.library is not None:
            by_library = Estimated(one.library.value, one.library.low, one.library.high)
            digits = one.metric.decimals + 1
            yield (
                f"{one.task} {one.metric.name} of {one.model} by ppi-python: "
                f"{_with_interval(by_library, digits)}, ours {number(one.corrected.value, digits)}"
            )


def _off_line(one: CorrectedScore) -> str:
    bias = Estimated(one.bias.value, one.bias.low, one.bias.high)
    return (
        f"{one.task} {one.metric.name} of {one.model} by {one.judge}: judge − people "
        f"{_with_interval(bias, one.metric.decimals)}, p {_p(one.adjusted)}"
    )


def _print_plans(scores: Sequence[CorrectedScore], width: float | None) -> None:
    """How narrow the interval is with so many labels, and how many make it as narrow as wished."""
    if not scores:
        return
    most = max(one.plan.most for one in scores)
    counts = [n for n in LABELS if n <= most] or [most]
    numbers = [*(f"{n} rated" for n in counts), "all rated"]
    numbers += [f"for {width:g}"] if width else []
    names = ("width of the interval", "model", "judge")
    table = plain_table(*names, numbers=numbers)
    for one in scores:
        digits = one.metric.decimals
        most = one.plan.most
        cells = [number(one.plan.width(n), digits) if n <= most else "" for n in counts]
        cells.append(number(one.plan.width(most), digits))
        if width:
            needed = one.plan.labels_for(width)
            cells.append("more items" if needed is None else f"{needed:,} rated")
        table.add_row(
            _name(f"{one.task} {one.metric.name}"), _name(one.model), _name(one.judge), *cells
        )
    print_table(table)
    for one in scores:
        if width and (line := _more_items(one, width)):
            print_line(line)


def _more_items(one: CorrectedScore, width: float) -> str:
    """That an interval so narrow takes more items than there are, and how many."""
    if one.plan.labels_for(width) is not None:
        return ""
    are = "is" if one.plan.most == 1 else "are"
    return (
        f"{one.task} {one.metric.name} of {one.model} by {one.judge}: an interval {width:g} wide "
        f"needs a larger set, about {one.plan.answers_for(width):,} items, all rated; there {are} "
        f"{one.plan.most:,}"
    )
