"""Every template, from its data to what comes out, with people made of rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from deadpan.core.annotations import read_annotations
from deadpan.core.choices import read_choices
from deadpan.core.rating_files import read_ratings
from deadpan.studies.making.catalogue import make_study, own_template, templates
from deadpan.studies.results.agreement import study_agreement
from deadpan.studies.results.export_files import FORMATS, write_export
from deadpan.studies.results.gathering import gather
from tests.studies import template_world
from tests.studies.robots import everybody, room_of, work_together

FROM_RESULTS = ("janusmm/rating", "merbench/judges", "cfms/annotation", "cfms/failures")
"""One study of answers of each kind: ratings, choices, drafts, labels of wrong answers."""
NAMES = [
    f"{benchmark.name}/{template.name}"
    for benchmark, template in templates()
    if template.source == "data"
    # These are made of what other commands wrote.
    and template.name not in ("generation", "failure-audit")
]
_SMALL = {"teams": "1", "batch": "0", "practice": "0", "sample": "3", "comics": "3"}


@pytest.mark.parametrize("name", [*NAMES, *FROM_RESULTS])
def test_runs_to_its_end(name: str, tmp_path: Path) -> None:
    benchmark, template = next(
        (one, other) for one, other in templates() if f"{one.name}/{other.name}" == name
    )
    known = {option.name for option in template.options}
    small = {option: value for option, value in _SMALL.items() if option in known}
    if template.takes_results:
        made = template_world.make(name, **small)
    else:
        made = make_study(name, (), None, small)
    items = [item for item in made.items if item.kind == "main"][:2]
    room = room_of(tmp_path / "study", made.study, items)
    stage = made.study.stages[0]
    raters = [room.joined(f"rater {at}") for at in range(stage.people or 3)]
    judges = [room.joined(f"judge {at}", "adjudicator") for at in range(2)]
    with everybody(*raters, *judges) as people:
        work_together(people)
    export = gather(room.study)
    assert {one.state for one in export.settled} <= {
        "settled",
        "discarded",
        "returned",
        "disputed",
        "open",
    }
    assert export.said
    assert study_agreement(export)
    for form in FORMATS:
        written = write_export(export, tmp_path / form, form, own_template(made.study))
        assert all(path.stat().st_size for path in written)
    folder = tmp_path / "csv"
    votes = benchmark.votes
    if (folder / "annotations.csv").exists():
        assert read_annotations([folder / "annotations.csv"], votes.questions if votes else ())
    if (folder / "ratings.csv").exists() and benchmark.ratings:
        assert read_ratings([folder / "ratings.csv"], benchmark.ratings.form())
    if (folder / "choices.csv").exists():
        assert read_choices([folder / "choices.csv"])
