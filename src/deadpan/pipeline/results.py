"""Results: one tidy table of answers, and the scores, plots and reports made of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.core.capabilities import Addition
from deadpan.core.measurement import ALL, Measurement
from deadpan.core.outcomes import Coverage, missing_questions
from deadpan.core.parts import asked_in, items_of, part_note, parts_in
from deadpan.core.published import read_published
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.signature import require_equal, signature_differences
from deadpan.core.usage import Prices, read_prices
from deadpan.metrics.statistics.comparing import Comparisons
from deadpan.metrics.statistics.intervals import with_intervals
from deadpan.pipeline.ablation import name_variants, picture_gains, variants_plot
from deadpan.pipeline.displays import results_page
from deadpan.pipeline.item_scores import ITEM_SCORES, item_rows, own_scores
from deadpan.pipeline.kept_options import keep_options
from deadpan.pipeline.slips import warn_of_slips
from deadpan.pipeline.table_files import write_table

if TYPE_CHECKING:
    import altair as alt

    from deadpan.reports import Intervals, Section
    from deadpan.reports.plot import Plot


@dataclass(frozen=True, eq=False)
class Results:
    """What models answered and how each answer ended. Scores follow from the table; nothing is
    asked anew. Unequal signatures raise unless `mix` allows them side by side."""

    table: pl.DataFrame
    options: ScoringOptions = field(default_factory=ScoringOptions)
    mix: bool = False
    more: Sequence[Score] = ()
    """Scores that came with the answers."""
    beside: Mapping[str, Sequence[Addition]] = field(default_factory=dict)
    """What reports show besides, by benchmark: of people's ratings, of why models fail."""
    tasks: tuple[str, ...] = ()
    """The tasks that are shown, where not all; metrics may look at the others."""
    measured: Mapping[str, Sequence[Measurement | Score]] | None = None
    """What was measured while the answers were read in shards: the table has no texts then."""

    def __post_init__(self) -> None:
        made = self.table.select("model", "signature").unique(maintain_order=True)
        require_equal(made.iter_rows(), self.mix)

    @cached_property
    def shown(self) -> pl.DataFrame:
        """The table with models named apart where their answers were not made alike."""
        named = name_variants(self.table)
        return disambiguate_models(named) if self.mix else named

    @cached_property
    def tables(self) -> dict[str, pl.DataFrame]:
        """The rows of each benchmark, of the tasks that are shown."""
        groups = self._of_tasks(self.shown).group_by("benchmark", maintain_order=True)
        return {str(name): rows for (name,), rows in groups}

    def _of_tasks(self, rows: pl.DataFrame) -> pl.DataFrame:
        return rows.filter(pl.col("task").is_in(self.tasks)) if self.tasks else rows

    @cached_property
    def measurements(self) -> dict[str, list[Measurement | Score]]:
        """What every metric measured, benchmark by benchmark."""
        found = self.measured
        if found is None:
            found = {
                name: list(
                    find(name).measurements(
                        self.shown.filter(pl.col("benchmark") == name), self.options
                    )
                )
                for name in self.tables
            }
        for name, rows in self.tables.items():
            warn_of_slips(find(name), rows, found[name])
        return {name: list(found[name]) for name in self.tables}

    @cached_property
    def by_benchmark(self) -> dict[str, list[Score]]:
        """Every score, benchmark by benchmark."""
        found: dict[str, list[Score]] = {}
        for name, measured in self.measurements.items():
            every = [*self.more, *with_intervals(measured, asked_in(self.tables[name]))]
            found[name] = [one for one in every if not self.tasks or one.task in self.tasks]
            require_equal(((one.model, one.signature) for one in found[name]), self.mix)
            found[name] += [one for more in self.additions[name] for one in more.scores]
        return found

    @cached_property
    def comparisons(self) -> dict[str, Comparisons]:
        """Models to be compared item by item, benchmark by benchmark."""
        return {name: Comparisons(measured) for name, measured in self.measurements.items()}

    @cached_property
    def additions(self) -> dict[str, list[Addition]]:
        """What is shown besides the scores of answers, benchmark by benchmark: what pictures add
        where models were asked with and without them, and what was given."""
        found: dict[str, list[Addition]] = {}
        for name, measured in self.measurements.items():
            gains = picture_gains(find(name), measured)
            plot = variants_plot(find(name), self.tables[name])
            shown = [Addition(plots=(plot,))] if plot else []
            found[name] = [*([gains] if gains else []), *shown, *self.beside.get(name, ())]
        return found

    def showing(self, benchmark: str, addition: Addition) -> Results:
        """The same results, with something that reports show besides."""
        own = [*self.beside.get(benchmark, ()), addition]
        return replace(self, beside={**self.beside, benchmark: own})

    def __len__(self) -> int:
        return len(self.table)

    def __repr__(self) -> str:
        parts = []
        for name, rows in self.tables.items():
            tasks = ", ".join(rows["task"].unique(maintain_order=True))
            parts.append(f"{name} ({tasks}): {Coverage.of(rows['outcome'])}")
            parts += [f"{model}: {part_note(own)}" for model, own in parts_in(rows).items()]
        models = ", ".join(self.table["model"].unique(maintain_order=True))
        return f"<Results of {models}; {'; '.join(parts)}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the overall scores, a column each model."""
        return results_page(repr(self), self.by_benchmark)

    @property
    def unfinished(self) -> list[str]:
        """Of which models and tasks questions were never asked, as after a run that was stopped."""
        return missing_questions(self.table)

    def scores(self) -> pl.DataFrame:
        """Every score as a row: benchmark, model, task, metric, group, value, counts; to how many
        items of how many the answers are; what is known of the metric; and the signature."""
        rows = []
        for name, scores in self.by_benchmark.items():
            about, parts = find(name).metric, parts_in(self.tables[name])
            for one in scores:
                metric = about(one.metric)
                known = {"better": metric.better, "unit": metric.unit, "decimals": metric.decimals}
                row = one.model_dump(exclude={"signature"}) | items_of(one, parts)
                rows.append({"benchmark": name, **row, **known, "signature": one.signature})
        return pl.DataFrame(rows, infer_schema_length=None)

    def items(self) -> pl.DataFrame:
        """Each item's own score in each metric, a row each, with its groups and the statistics
        that it adds to the sums."""
        return pl.concat([ITEM_SCORES, *(item_rows(*one) for one in self._by_item())])

    def _by_item(self) -> Iterator[tuple[str, Measurement]]:
        """The measurements that give each item a score, with their benchmarks."""
        for name, measured in self.measurements.items():
            for one in measured:
                if isinstance(one, Measurement) and one.group == ALL and not one.metric.each:
                    yield name, one

    def to_polars(self) -> pl.DataFrame:
        """The table of answers, with each item's own score per metric in columns of its own."""
        tall = [own_scores(*one) for one in self._by_item()]
        found = pl.concat(tall).drop_nulls("score") if tall else pl.DataFrame()
        if found.is_empty():
            return self.shown
        keys = [name for name in found.columns if name not in ("metric", "score")]
        wide = found.pivot("metric", index=keys, values="score", aggregate_function="first")
        scores = {name: f"score.{name}" for name in wide.columns if name not in keys}
        answers = self.shown.drop(name for name in self.shown.columns if name.startswith("score."))
        return answers.join(wide.rename(scores), keys, "left", maintain_order="left")

    def to_pandas(self) -> Any:
        """The same as a pandas data frame; needs pandas."""
        try:
            import pandas as pd
        except ImportError as error:
            raise DeadpanError("to_pandas needs pandas: pip install pandas") from error
        return pd.DataFrame(self.to_polars().to_dict(as_series=False))

    def sections(self, prices: Prices | None = None) -> list[Section]:
        """What a report is made of, benchmark by benchmark."""
        from deadpan.reports import Section

        known = prices or read_prices()
        made = []
        whole = self._of_tasks(self.to_polars())
        for (name,), rows in whole.group_by("benchmark", maintain_order=True):
            benchmark = find(str(name))
            published = read_published(benchmark.folder)
            scores = self.by_benchmark[benchmark.name]
            section = Section(benchmark, rows, scores, published, known)
            made.append(
                replace(
                    section,
                    additions=tuple(self.additions[benchmark.name]),
                    comparisons=self.comparisons[benchmark.name],
                )
            )
        return made

    def plots(self) -> dict[str, Plot]:
        """Every plot of the report, by name: each benchmark's, where there are several after its
        name (`pixelhumor-overview`), and the abilities profile."""
        from deadpan.reports import draw_abilities, plots

        sections = self.sections()
        several = len(sections) > 1
        made = {
            f"{section.benchmark.name}-" * several + plot.name: plot
            for section in sections
            for plot in plots(section)
        }
        profile = draw_abilities(sections)
        return {**made, **({profile.name: profile} if profile else {})}

    def plot(self, name: str | None = None) -> alt.TopLevelMixin:
        """One plot as an Altair chart: the overview, or the one of that name (see `plots`)."""
        import altair as alt

        from deadpan.reports.plot import altair_spec

        made = self.plots()
        chosen = next(iter(made), None) if name is None else name
        if chosen not in made:
            known = ", ".join(made) or "none: there is nothing to plot"
            raise DeadpanError(f"plot {chosen}: expected one of {known}")
        return alt.Chart.from_dict(altair_spec(made[chosen].spec))

    def report(
        self,
        path: str | Path = "report.html",
        *,
        prices: Prices | None = None,
        only: Sequence[str] = (),
        pictures: Sequence[Path] = (),
        models: Mapping[str, str] | None = None,
        samples: int | None = None,
        columns: Sequence[str] = (),
        names: Mapping[str, str] | None = None,
        intervals: Intervals = "brackets",
        plots: str | Path | None = None,
    ) -> Path:
        """Writes a report; the suffix says which: .html .md .tex .csv .json. `only` are the numbers
        of the paper's tables to show, `pictures` the folders whose pictures a page may hold,
        `models` gives models other names, and their order. `columns` are those to show, by heading
        or as TASK/METRIC[/GROUP], and `names` gives them other headings; `intervals` says how
        tables print them. Items that the page cannot hold are on pages beside it, at most `samples`
        of them. Every plot is written into the folder `plots`, where one is named, as PNG and
        SVG."""
        from deadpan.reports import (
            MOST_ITEMS,
            check_columns,
            rename_models,
            write_plots,
            write_report,
        )

        made = [
            replace(
                section,
                only=tuple(only),
                columns=tuple(columns),
                headings=names or {},
                intervals=intervals,
                picture_folders=tuple(pictures),
            )
            for section in self.sections(prices)
        ]
        if columns or names:
            check_columns(made)
        if models:
            made = [rename_models(section, models) for section in made]
        if plots is not None:
            write_plots(made, Path(plots))
        most = MOST_ITEMS if samples is None else samples
        return write_report(made, Path(path), generated=date.today().isoformat(), samples=most)

    def write(self, path: str | Path) -> None:
        """Writes the table of answers (.parquet or .jsonl), with each item's scores and the choices
        made when scoring, so that whoever reads it scores it alike."""
        table = self.table if self.mix else self.to_polars()
        write_table(keep_options(table, self.options), Path(path))


def disambiguate_models(results: pl.DataFrame) -> pl.DataFrame:
    """The results with a model's name followed by what differs, where its answers to one task have
    unequal signatures: `gpt (fewshot:random:1;seed:0)`, `gpt (fewshot:retrieval:1)`."""
    asked, names = ["benchmark", "task", "model"], []
    made = results.select(*asked, "signature").unique(maintain_order=True)
    for (*_, model), rows in made.group_by(asked, maintain_order=True):
        unlike = signature_differences(rows["signature"].to_list())
        named = [f"{model} ({one})" if one else str(model) for one in unlike]
        names.append(rows.with_columns(named=pl.Series(named)))
    joined = results.join(pl.concat(names), [*asked, "signature"], "left", maintain_order="left")
    return joined.with_columns(model="named").drop("named")
