"""PixelHumor's studies of people, made from the mini-set, from results, and from what is
released."""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import polars as pl
import pytest

import deadpan
from deadpan.base.errors import DeadpanError
from deadpan.benchmarks.pixelhumor import PIXELHUMOR
from deadpan.benchmarks.pixelhumor.data_reports import OTHER_FILES
from deadpan.benchmarks.pixelhumor.people import PREFERRED, SCALES
from deadpan.benchmarks.pixelhumor.records import (
    MINI_SET,
    MODALITIES,
    PRESENCE,
    QUESTIONS,
    SOUND_EFFECTS,
    STYLES,
    Comic,
)
from deadpan.benchmarks.pixelhumor.studies.comics import agreement_of, showable
from deadpan.benchmarks.pixelhumor.studies.explanations import human_explanations
from deadpan.benchmarks.pixelhumor.studies.gold import write_panels
from deadpan.benchmarks.pixelhumor.votes import gold_labels
from deadpan.core.dataset import Dataset
from deadpan.core.study.choice_questions import Multiple, Single
from deadpan.core.study.exports import SettledItem, StudyExport
from deadpan.core.study.files import read_items, read_study, study_of, study_text, write_items
from deadpan.core.study.ranking_questions import Best
from deadpan.core.study.scale_questions import Likert
from deadpan.core.study.specification import Study
from deadpan.core.study.templates import MadeStudy, StudySource
from tests.benchmarks.study_words import shown, untold

DATA = PIXELHUMOR.read(None)
TEMPLATES = {template.name: template for template in PIXELHUMOR.studies}
FOLDER = PIXELHUMOR.folder / "studies"
MODELS = ("acme/wit-9", "acme/dry-2")
SMALL = {
    "annotation": {"practice": "2", "sessions": "2", "checks": "3"},
    "panels": {},
    "rating": {"comics": "6"},
    "preference": {"per_source": "3"},
}


@cache
def results() -> pl.DataFrame:
    """Two models' explanations of every comic of the mini-set; one refuses the first."""
    tables = []
    for model, word in zip(MODELS, ("bells", "drums"), strict=True):
        said = {comic.comic_id: f"It is funny: {word} {comic.comic_id}." for comic in DATA.records}
        if model == MODELS[0]:
            said[DATA.records[0].comic_id] = "I'm sorry, but I can't help with that."
        tables.append(
            deadpan.load("pixelhumor").score(said, task="interpretation", model=model).table
        )
    return pl.concat(tables, how="diagonal_relaxed")


def make(name: str, seed: int = 0, **given: str) -> MadeStudy:
    template = TEMPLATES[name]
    table = results() if template.source == "results" else None
    settings = template.settings(SMALL[name] | given)
    return template.make(StudySource(DATA, table, seed, settings))


def flagged() -> Dataset[Comic]:
    """The mini-set with one comic that is marked as harmful."""
    records = list(DATA.records)
    records[4] = records[4].model_copy(update={"harmful": True})
    return replace(DATA, records=tuple(records))


@pytest.mark.parametrize("name", TEMPLATES)
class TestEvery:
    def test_speaks_both_languages(self, name: str) -> None:
        study = make(name).study
        assert untold(study) == []
        assert set(study.languages) == {"en", "zh"}
        assert study.silent and study.template == f"pixelhumor/{name}"

    def test_is_the_same_for_the_same_seed(self, name: str) -> None:
        assert make(name, 7) == make(name, 7)
        assert make(name, 7).items != make(name, 8).items

    def test_goes_through_files(self, name: str, tmp_path: Path) -> None:
        made = make(name)
        assert study_of(study_text(made.study), "study.yaml") == made.study
        Study.model_validate(made.study.model_dump())
        write_items(tmp_path / "items.jsonl", made.items)
        assert read_items(tmp_path / "items.jsonl") == list(made.items)

    def test_the_options_are_those_of_the_file(self, name: str) -> None:
        """A lab that edits the file starts from what the template makes."""
        template = TEMPLATES[name]
        table = results() if template.source == "results" else None
        made = template.make(StudySource(DATA, table, 0, template.settings({})))
        assert made.study == read_study(FOLDER / f"{name}.yaml")

    def test_no_item_names_a_model(self, name: str) -> None:
        for item in make(name).items:
            assert not any(model in shown(item) for model in (*MODELS, "acme", "human"))

    def test_every_picture_is_there(self, name: str) -> None:
        assert all(Path(part.path).is_file() for item in make(name).items for part in item.files)


class TestAnnotation:
    def test_asks_in_the_words_of_the_data(self) -> None:
        (stage,) = make("annotation").study.stages
        values = {
            one.name: tuple(option.value for option in one.options)
            for one in stage.questions
            if isinstance(one, Single | Multiple)
        }
        assert tuple(values) == QUESTIONS
        assert values["Q1"] == PRESENCE
        assert values["Q2"] == SOUND_EFFECTS
        assert values["Q3"] == ()
        assert values["Q4"] == MODALITIES
        assert values["Q5"] == STYLES
        assert PIXELHUMOR.votes is not None
        assert {*QUESTIONS} <= {one.name for one in PIXELHUMOR.votes.questions}

    def test_who_says_no_is_asked_about_sounds_only(self) -> None:
        (stage,) = make("annotation").study.stages
        given = {"Q1": "No", "Q2": "Absent"}
        assert stage.missing(given) == []
        assert stage.completed(given) == given | {"Q3": "NA", "Q4": "NA", "Q5": ["NA"]}
        assert stage.missing({"Q1": "Yes"}) == ["Q2", "Q3", "Q4", "Q5"]

    def test_answers_are_votes_that_give_gold(self) -> None:
        """What two people answer alike becomes gold by the rule for the released votes."""
        (stage,) = make("annotation").study.stages
        asked = {one.name: one for one in PIXELHUMOR.votes.questions}  # type: ignore[union-attr]
        for item in make("annotation").items:
            if item.kind != "practice":
                continue
            comic = next(one for one in DATA.records if one.comic_id == item.key)
            answers = stage.completed(item.gold)
            for name, value in answers.items():
                assert asked[name].read(value)
                labels = tuple(value) if isinstance(value, list) else (str(value),)
                gold = gold_labels(name, {"A1": labels, "A2": labels})
                released = {
                    "Q1": [comic.presence],
                    "Q2": [comic.sound_effect],
                    "Q3": [*comic.panel],
                    "Q4": [comic.modality],
                    "Q5": [*comic.styles],
                }[name]
                assert sorted(gold) == sorted(released)

    def test_pairs_batches_and_a_third(self) -> None:
        study = make("annotation").study
        (stage,) = study.stages
        assert (study.teams, stage.people) == (4, 2)
        assert study.batches is not None
        assert (study.batches.size, study.batches.checked) == (100, 10)
        assert study.batches.questions == ("Q2", "Q3")
        assert (stage.settling.rule, stage.settling.otherwise) == ("votes", ("third", "third"))

    def test_sets_practice_and_checks_aside(self) -> None:
        made = make("annotation")
        kinds = Counter(item.kind for item in made.items)
        assert kinds == {"practice": 4, "check": 3, "main": 28}
        assert len({item.key for item in made.items}) == 35
        assert made.study.checks_every == 20
        for item in made.items:
            assert (
                set(item.gold)
                == {
                    "practice": set(QUESTIONS),
                    "check": {"Q2", "Q3"},
                    "main": set(),
                }[item.kind]
            )
        practised = [item.language for item in made.items if item.kind == "practice"]
        assert Counter(practised) == {"en": 2, "zh": 2}

    def test_without_practice_and_batches(self) -> None:
        made = make("annotation", practice="0", checks="0", batch="0", comics="5", people="3")
        assert [item.kind for item in made.items] == ["main"] * 5
        assert made.study.practice is None and made.study.batches is None
        assert made.study.checks_every is None
        assert made.study.stages[0].people == 3

    def test_other_data_is_practised_on_the_mini_set(self, tmp_path: Path) -> None:
        """English comics only, so that nobody practises in a language that is not asked in."""
        folder = tmp_path / "comics"
        shutil.copytree(MINI_SET, folder)
        data = PIXELHUMOR.read(folder)
        english = tuple(
            comic.model_copy(update={"comic_id": f"own_{number}"})
            for number, comic in enumerate(data.records)
            if comic.language == "en"
        )
        template = TEMPLATES["annotation"]
        source = StudySource(replace(data, records=english), None, 0, template.settings({}))
        made = template.make(source)
        practice = [item for item in made.items if item.kind == "practice"]
        assert len(practice) == 20 and {item.language for item in practice} == {"en"}
        assert all(item.parts[0].path.startswith(str(MINI_SET)) for item in practice)
        assert Counter(item.kind for item in made.items)["main"] == 22

    @pytest.mark.parametrize(
        ("given", "expected"),
        [
            ({"people": "0"}, "--set people=0: expected 1 or more"),
            ({"pass_mark": "1.5"}, "--set pass_mark=1.5: expected 0 to 1"),
            ({"practice": "50"}, "100 comics for practice (practice times sessions): expected"),
            ({"checks": "99"}, "--set checks=99"),
            ({"practice_from": "moon"}, "expected one of mini-set, data"),
            ({"peple": "2"}, "did you mean people?"),
        ],
    )
    def test_wrong_options_say_what_was_expected(
        self, given: dict[str, str], expected: str
    ) -> None:
        with pytest.raises(DeadpanError) as error:
            make("annotation", **given)
        assert expected in str(error.value)

    def test_harmful_comics_are_blurred(self) -> None:
        template = TEMPLATES["annotation"]
        source = StudySource(flagged(), None, 0, template.settings({"practice": "0"}))
        harmful = [item.key for item in template.make(source).items if item.harmful]
        assert harmful == [DATA.records[4].comic_id]


class TestPanels:
    def test_shows_the_bare_picture(self) -> None:
        """Neither numbers nor text nor flag, which are asked for."""
        for item in make("panels").items:
            (part,) = item.parts
            assert (part.kind, part.panels, part.alt) == ("picture", (), "")
            assert not item.harmful and not item.gold

    def test_flagged_comics_are_blurred_on_demand(self) -> None:
        template = TEMPLATES["panels"]
        for blur, count in (("no", 0), ("yes", 1)):
            source = StudySource(flagged(), None, 0, template.settings({"blur": blur}))
            assert sum(item.harmful for item in template.make(source).items) == count

    def test_files_are_called_as_the_release_has_them(self, tmp_path: Path) -> None:
        made = make("panels")
        item, said = made.items[0], {"potentially_harmful": "harm"}
        became = [SettledItem(1, item, "harm", "settled", said, "")]
        written = write_panels(StudyExport(made.study, 1, [], became, [], []), tmp_path)
        names = {path.name for path in written}
        assert names <= set(OTHER_FILES)
        flags = (tmp_path / "harm_annotation.csv").read_text("utf-8")
        assert flags.splitlines() == ["comic_id,potentially_harmful", f"{item.key},harm"]

    def test_asks_for_what_the_release_has(self) -> None:
        study = make("panels", people="2").study
        questions = {one.name: one for stage in study.stages for one in stage.questions}
        assert {"panel_sequence", "text", "potentially_harmful"} <= set(questions)
        harm = questions["potentially_harmful"]
        assert isinstance(harm, Single)
        assert {one.value for one in harm.options} == {one.harm for one in flagged().records}
        people = {stage.name: stage.people for stage in study.stages}
        assert people == {"boxes": 2, "reading": 2, "checking": 1, "harm": 2}
        checking = study.stage("checking")
        assert checking is not None
        assert checking.settling.returns == {"wrong_boxes": "boxes", "wrong_reading": "reading"}


class TestRating:
    def test_every_explanation_is_an_item(self) -> None:
        made = make("rating")
        assert Counter(item.outputs[0].source for item in made.items) == dict.fromkeys(MODELS, 6)
        assert set(Counter(item.key for item in made.items).values()) == {2}
        for item in made.items:
            (output,) = item.outputs
            assert item.key in output.parts[0].text

    def test_comics_that_a_model_refused_are_left_out(self) -> None:
        made = make("rating", comics="350")
        first = DATA.records[0].comic_id
        assert first not in {item.key for item in made.items}
        assert "left out, as not everybody explained it: 1 comic" in made.notes
        assert "34 comics instead of 350: no more have all explanations" in made.notes

    def test_comics_are_those_that_annotators_agree_on(self) -> None:
        agreed = agreement_of(DATA)
        chosen = {item.key for item in make("rating").items}
        left = {comic.comic_id for comic in DATA.records[1:]} - chosen
        assert min(agreed[one] for one in chosen) >= max(agreed[one] for one in left)
        assert min(agreed.values()) < 1 == max(agreed.values())

    def test_random_where_there_are_no_votes(self, tmp_path: Path) -> None:
        folder = tmp_path / "comics"
        shutil.copytree(MINI_SET, folder)
        (folder / "annotation.csv").unlink()
        template = TEMPLATES["rating"]
        data = PIXELHUMOR.read(folder)
        made = template.make(StudySource(data, results(), 0, template.settings({"comics": "4"})))
        assert len(made.items) == 8
        assert "the data has no votes of annotators: comics are chosen at random" in made.notes

    def test_is_on_the_scale_of_the_ratings(self) -> None:
        (stage,) = make("rating").study.stages
        rated, words = stage.questions
        assert isinstance(rated, Likert)
        scale = SCALES[0]
        assert (rated.name, rated.lowest, rated.highest) == (scale.name, 1, 7)
        assert (scale.lowest, scale.highest) == (1, 7)
        assert words.required and stage.settling.rule == "independent"
        assert stage.review is not None
        assert (stage.review.question, stage.review.needed) == (words.name, 2)
        assert len(stage.review.points) == 4

    def test_the_codebook_has_every_style(self) -> None:
        guidelines = make("rating").study.guidelines
        assert all(style in text for style in STYLES for text in guidelines.values())

    def test_needs_explanations(self) -> None:
        template = TEMPLATES["rating"]
        for nothing in (None, results().clear()):
            with pytest.raises(DeadpanError, match="give --from the store or the table"):
                template.make(StudySource(DATA, nothing, 0, template.settings({})))
        others = results().with_columns(task=pl.lit("presence"))
        with pytest.raises(DeadpanError, match="hold no explanation"):
            template.make(StudySource(DATA, others, 0, template.settings({})))

    def test_two_runs_of_a_model_are_refused(self) -> None:
        template = TEMPLATES["rating"]
        twice = pl.concat([results(), results()])
        with pytest.raises(DeadpanError, match="two explanations"):
            template.make(StudySource(DATA, twice, 0, template.settings({})))


class TestPreference:
    def test_a_person_is_among_the_models(self) -> None:
        made = make("preference")
        people = {comic.comic_id: comic.explanation for comic in DATA.records}
        for item in made.items:
            said = {output.source: output.parts[0].text for output in item.outputs}
            assert set(said) == {"human", *MODELS}
            assert said["human"] == people[item.key]
        per_source = Counter(item.attributes["source"] for item in made.items)
        assert max(per_source.values()) <= 3

    def test_places_do_not_tell_whose_they_are(self) -> None:
        places = {
            [output.source for output in item.outputs].index("human")
            for seed in range(6)
            for item in make("preference", seed).items
        }
        assert places == {0, 1, 2}

    def test_a_third_chooses_among_the_two(self) -> None:
        (stage,) = make("preference").study.stages
        (question,) = stage.questions
        assert isinstance(question, Best) and question.name == PREFERRED
        assert not question.tie and stage.people == 2
        assert stage.settling.otherwise == ("third",)
        assert stage.settling.third_chooses_among_theirs

    def test_released_explanations(self, released: Path) -> None:
        """70 rows, three of which are of unknown comics, one misspelt, and one comic is there
        twice."""
        found, notes = human_explanations(PIXELHUMOR.read(released))
        assert len(found) == 67
        assert "polka palace" in found["garfield_2158"]
        assert "kindergarten" in found["xkcd_2966"]
        assert notes == [
            "human_explanation.csv: garfied_2158 is read as garfield_2158",
            "human_explanation.csv: no comic of the data is called explosm_3279, smbc_1603: "
            "left out",
            "human_explanation.csv: xkcd_2966 is explained twice; the first counts",
        ]


def test_released_votes_rank_comics(released: Path) -> None:
    data = PIXELHUMOR.read(released)
    agreed = agreement_of(data)
    assert len(agreed) == 2800
    assert sum(share == 1 for share in agreed.values()) > 350


def test_data_without_pictures_says_how_to_get_them(released: Path) -> None:
    with pytest.raises(DeadpanError, match="deadpan data get pixelhumor"):
        showable(PIXELHUMOR.read(released))
