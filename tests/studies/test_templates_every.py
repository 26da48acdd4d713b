"""What every study of every benchmark keeps to."""

from __future__ import annotations

from pathlib import Path

import pytest

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import BUILT_IN, find
from deadpan.core.study.files import read_items, study_of, study_text, write_items
from deadpan.core.study.words import Words
from deadpan.studies.making.benchmark_templates import offered_templates
from deadpan.studies.making.catalogue import find_template
from tests.benchmarks.study_words import untold
from tests.studies.template_world import (
    BENCHMARKS,
    EDITORS,
    MODELS,
    NEEDS_FILES,
    every_template,
    make,
    public,
    questions,
    template_of,
)

MADE = [name for name in every_template() if not name.endswith(NEEDS_FILES)]
MADE.remove("merbench/failures")  # edits are neither right nor wrong
SAMPLED = [one for one in MADE if "sample" in [item.name for item in template_of(one).options]]


@pytest.mark.parametrize("name", MADE)
class TestEvery:
    def test_speaks_both_languages(self, name: str) -> None:
        made = make(name)
        assert untold(made.study) == []
        assert made.study.template == name and made.study.silent
        said: list[Words] = [part.title for item in made.items for part in item.parts]
        said += [part.title for item in made.items for one in item.outputs for part in one.parts]
        assert all(set(words) == {"en", "zh"} and all(words.values()) for words in said)
        for item in (one for one in made.items if one.feedback):
            # What the data itself says of an item is in the item's language.
            assert set(item.feedback) in ({"en", "zh"}, {item.language})
            assert all(item.feedback.values())

    def test_is_the_same_for_the_same_seed(self, name: str) -> None:
        assert make(name, 7) == make(name, 7)

    def test_names_no_model_where_raters_look(self, name: str) -> None:
        names = (*MODELS, *(name.rpartition("/")[2] for name in MODELS), *EDITORS, "acme")
        for item in make(name).items:
            assert not [one for one in names if one in public(item) and one != "caption"]

    def test_goes_through_files(self, name: str, tmp_path: Path) -> None:
        made = make(name)
        assert study_of(study_text(made.study), "study.yaml") == made.study
        write_items(tmp_path / "items.jsonl", made.items)
        assert read_items(tmp_path / "items.jsonl") == list(made.items)

    def test_drafts_and_gold_are_answers(self, name: str) -> None:
        made = make(name)
        asked = {question.name: question for question in questions(made.study)}
        for item in made.items:
            for given in (item.draft, item.gold):
                for what, value in given.items():
                    question = asked[what]
                    is_otherwise = question.when is not None and value == question.otherwise
                    assert is_otherwise or question.read(value, item) == value

    def test_every_part_that_is_shown_is_there(self, name: str) -> None:
        made = make(name)
        named = {part for stage in made.study.stages for part in stage.shows}
        assert named <= {part.name for item in made.items for part in item.parts}

    def test_what_is_asked_is_what_files_have(self, name: str) -> None:
        """Annotations are known to the benchmark; ratings are on its scales."""
        study, benchmark = make(name).study, find(name.partition("/")[0])
        asked = {one.name for one in questions(study)}
        if study.produces == "ratings":
            assert benchmark.ratings is not None
            # Words are notes beside the ratings.
            rated = {one.name for one in questions(study) if one.level != "text"}
            assert rated <= {scale.name for scale in benchmark.ratings.scales}
        elif study.produces == "annotations" and not name.endswith("failures"):
            assert benchmark.votes is not None
            assert asked <= {one.name for one in benchmark.votes.questions}

    def test_names_of_questions_are_once_in_a_study(self, name: str) -> None:
        """A file of annotations has no stage."""
        names = [one.name for one in questions(make(name).study)]
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", SAMPLED)
def test_a_sample_is_drawn_by_the_seed(name: str) -> None:
    drawn = {str([item.key for item in make(name, seed, **_few(name)).items]) for seed in range(6)}
    assert len(drawn) > 1


def _few(name: str) -> dict[str, str]:
    known = {option.name for option in template_of(name).options}
    few = {"sample": "4", "practice": "0", "checks": "0"}
    return {key: value for key, value in few.items() if key in known}


@pytest.mark.parametrize("name", BENCHMARKS)
def test_answers_have_to_be_there(name: str) -> None:
    from deadpan.core.study.templates import StudySource
    from tests.studies.template_world import data

    for template in offered_templates(find(name)):
        if template.source == "results":
            with pytest.raises(DeadpanError, match=f"no answer to {name}"):
                template.make(StudySource(data(name), None, 0, template.settings({})))


def test_the_catalogue_has_them_all() -> None:
    for name in BUILT_IN:
        for study in ("judge", "failures", "failure-audit"):
            if study == "judge" and find(name).judging is None:
                with pytest.raises(DeadpanError, match="no such study"):
                    find_template(f"{name}/{study}")
            else:
                assert find_template(f"{name}/{study}")[1].name == study
