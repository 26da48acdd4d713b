"""CFMS's studies: drafts that people correct, the metaphor subset, generated pictures."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks.cfms.people import LEVELS, MET
from deadpan.benchmarks.cfms.records import TARGET_TYPES, PairRow, Pairs, read_pairs
from deadpan.benchmarks.cfms.studies.gold import label_rows, write_labels
from deadpan.benchmarks.cfms.studies.splitting import PAPER, drawn_splits
from deadpan.core.study.choice_questions import Single
from deadpan.core.study.exports import Spent
from deadpan.core.study.text_questions import Span
from deadpan.studies.making.catalogue import make_study
from deadpan.studies.making.creating import create_study
from deadpan.studies.models.drafting import draft_study
from deadpan.studies.results.export_files import write_export
from tests.benchmarks.study_words import untold
from tests.model_server import ModelServer
from tests.studies.template_world import (
    MODELS,
    became,
    data,
    drawn_pictures,
    make,
    public,
    questions,
    settled,
    template_of,
)


class TestAnnotation:
    def test_asks_in_the_words_of_the_data(self) -> None:
        study = make("cfms/annotation").study
        asked = {one.name: one for one in questions(study)}
        types = asked["target_type"]
        assert isinstance(types, Single)
        assert tuple(option.value for option in types.options) == TARGET_TYPES
        assert isinstance(asked["target"], Span)
        first, second = study.stages
        assert study.teams == 3 and first.drafted and first.opinions
        assert first.missing({"sarcastic": "no"}) == []
        assert first.missing({"sarcastic": "yes"}) == ["target", "target_type", "explanation"]
        assert second.builds_on == ("first",) and second.settling.returns == ("return",)

    def test_a_models_answer_is_the_draft_and_its_name_is_sealed(self) -> None:
        made = make("cfms/annotation", practice="0", checks="0")
        drafts = [item for item in made.items if item.draft]
        assert drafts and all(item.draft_by == MODELS[0] for item in drafts)
        for item in drafts:
            assert item.draft["sarcastic"] == "yes"
            assert item.draft["target"] == {"text": "the bells"}
            assert item.key in str(item.draft["explanation"])
            assert MODELS[0] not in public(item)

    def test_a_target_in_the_text_is_selected_there(self) -> None:
        from deadpan.benchmarks.cfms.studies.labelling import _drafted

        pair = next(one for one in data("cfms").records if len(one.row.text) > 6)
        words = pair.row.text.strip()[2:5]
        item = _drafted(pair, {"sarcastic": True, "target": words}, "m")
        target = item.draft["target"]
        assert isinstance(target, dict) and target["part"] == "text"
        part = item.part("text")
        assert part is not None and part.text[target["start"] : target["end"]] == words

    def test_a_draft_that_says_no_has_no_target(self) -> None:
        from deadpan.benchmarks.cfms.studies.labelling import _drafted

        pair = data("cfms").records[0]
        item = _drafted(pair, {"sarcastic": False, "target": "x", "explanation": "y"}, "m")
        assert item.draft == {"sarcastic": "no"}

    def test_of_several_models_one_is_named(self) -> None:
        with pytest.raises(DeadpanError, match=r"name one of acme/loud-9, acme/meek-2"):
            make("cfms/annotation", model="")
        with pytest.raises(DeadpanError, match=r"expected one of .*did you mean acme/meek-2"):
            make("cfms/annotation", model="acme/meek-3")

    def test_practice_and_checks_are_set_aside(self) -> None:
        made = make("cfms/annotation", practice="3", checks="2")
        kinds = {kind: [one for one in made.items if one.kind == kind]
                 for kind in ("practice", "check", "main")}  # fmt: skip
        assert len(kinds["practice"]) == 3 and len(kinds["check"]) == 2
        assert len({item.key for item in made.items}) == len(made.items)
        assert not any(item.draft for kind in ("practice", "check") for item in kinds[kind])
        gold = {pair.name: pair.row.sarcastic for pair in data("cfms").records}
        for item in (*kinds["practice"], *kinds["check"]):
            assert item.gold["sarcastic"] == ("yes" if gold[item.key] else "no")
        assert made.study.practice and made.study.checks_every

    def test_posts_that_a_run_did_not_ask_about_are_counted(self) -> None:
        made = make("cfms/annotation")
        answered = {item.key for item in made.items}
        others = [
            pair for pair in Pairs.of_dataset(data("cfms")).everything if pair.name not in answered
        ]
        assert others and not any(pair.row.split == "test" for pair in others)
        (note,) = [note for note in made.notes if "left out" in note]
        assert note.startswith(f"{len(others)} posts of the data left out")
        assert "deadpan study draft" in note

    def test_made_from_the_data_it_has_every_post_for_a_model_to_draft(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made = make_study("cfms/annotation")
        everything = read_pairs(None).everything
        assert {item.key for item in made.items} == {pair.name for pair in everything}
        assert any("no post has a draft yet: deadpan study draft" in note for note in made.notes)
        few = [item for item in made.items if "split" not in item.attributes][:2]
        opened = create_study(tmp_path / "study", made.study, few).opened
        said = {"answers": [{"question": "sarcastic", "answer": "no"}]}
        with ModelServer(lambda picture, prompt: json.dumps(said)) as server:
            server.offer(monkeypatch)
            assert draft_study(opened, "openai-api/loopback/drafter").items == 2
        opened.database.close()
        with pytest.raises(DeadpanError, match=r"--set model=m: name the answers with --from"):
            make_study("cfms/annotation", given={"model": "m"})

    def test_without_results_there_is_no_draft(self) -> None:
        made = make("cfms/labels")
        told = [*made.study.guidelines.values(), *(one.guidelines for one in made.study.stages)]
        assert "draft" not in str(told) and "草稿" not in str(told)
        assert not any(stage.drafted for stage in made.study.stages)
        assert not any(item.draft or item.draft_by for item in made.items)
        assert {item.attributes["split"] for item in made.items} == {"test"}
        assert len(make("cfms/labels", passes="1").study.stages) == 1
        assert not [line for line in made.study.silent if "draft" in line]
        assert [line for line in make("cfms/annotation").study.silent if "draft" in line]

    def test_what_was_settled_is_written_in_the_fields_of_the_data(self, tmp_path: Path) -> None:
        made = make("cfms/annotation")
        one, other, third = [item for item in made.items if item.kind == "main"][:3]
        said = {"target": {"text": "bosses", "part": "text", "start": 0, "end": 6}}
        said |= {"target_type": "others", "explanation": "they clash"}  # type: ignore[dict-item]
        export = settled(
            made,
            became(1, one, "first", sarcastic="yes", **said),
            became(1, one, "second", second_verdict="accept", explanation_fits="yes"),
            became(2, other, "first", sarcastic="no"),
            became(2, other, "second", "returned", second_verdict="return"),
            became(3, third, "first", sarcastic="no"),
            became(3, third, "second", second_verdict="accept"),
        )
        (path,) = write_labels(export, tmp_path)
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        assert [(row["id"], row["sarcastic"]) for row in rows] == [
            (one.key, True),
            (third.key, False),
        ]
        assert (rows[0]["target"], rows[1]["target"]) == ("bosses", None)
        # As lines of the data they need no more than their name and the pictures.
        data = {pair.name: pair.row for pair in read_pairs(None).everything}
        for row in rows:
            read, own = PairRow.model_validate(row), data[row["id"]]
            assert (read.image, read.text, read.metaphor) == (own.image, own.text, own.metaphor)


class TestSplits:
    @staticmethod
    def _rows(sizes: dict[tuple[str, bool], int]) -> list[dict[str, Any]]:
        strata = [stratum for stratum, size in sizes.items() for _ in range(size)]
        return [
            {"id": f"post_{at}", "language": language, "sarcastic": sarcastic}
            for at, (language, sarcastic) in enumerate(strata)
        ]

    def test_the_papers_table(self) -> None:
        rows = self._rows({("zh", True): 1246, ("zh", False): 1550})
        splits = drawn_splits(rows)
        found = Counter((splits[row["id"]], row["sarcastic"]) for row in rows)
        assert found == {
            ("train", True): 872, ("train", False): 1084,
            ("validation", True): 187, ("validation", False): 233,
            ("test", True): 187, ("test", False): 233,
        }  # fmt: skip

    @pytest.mark.parametrize("size", [1, 2, 3, 7, 40, 100, 1001])
    def test_other_numbers_in_proportion(self, size: int) -> None:
        half, rest = size // 2, size - size // 2
        rows = self._rows({("zh", True): half, ("en", False): rest})
        counts = Counter(drawn_splits(rows).values())
        assert sum(counts.values()) == size
        for name, of_paper in PAPER.items():
            assert abs(counts[name] - of_paper * size / 2796) < 1
        of_language = Counter((drawn_splits(rows)[row["id"]], row["language"]) for row in rows)
        for name in PAPER:
            assert abs(of_language[name, "zh"] - of_language[name, "en"]) <= 3

    def test_the_same_in_whatever_order_posts_come(self) -> None:
        rows = self._rows({("zh", True): 30, ("en", True): 20, ("zh", False): 50})
        assert drawn_splits(rows) == drawn_splits(rows[::-1])
        parts = ({row["id"] for row in rows if drawn_splits(rows)[row["id"]] == name}
                 for name in PAPER)  # fmt: skip
        assert sum(map(len, parts)) == len(rows)

    def test_are_in_labels_and_datasheet(self, tmp_path: Path) -> None:
        made = make("cfms/labels", passes="1", split="all", practice="0", checks="0")
        main = [item for item in made.items if item.attributes.get("split") != "metaphor"][:20]
        said = [became(at, item, "first", sarcastic="no") for at, item in enumerate(main)]
        export = replace(settled(made, *said), spent=[Spent(1, "a", "first", "A", "answer", "", 1)])
        write_export(export, tmp_path, "csv", template_of("cfms/labels"))
        lines = (tmp_path / "labels.jsonl").read_text("utf-8").splitlines()
        assert Counter(json.loads(line)["split"] for line in lines) == {
            "train": 14, "validation": 3, "test": 3,
        }  # fmt: skip
        told = (tmp_path / "datasheet.md").read_text("utf-8")
        assert "## Splits" in told and "| train | 14 |" in told and "1,956 / 420 / 420" in told

    @pytest.mark.parametrize("given", [{"splits": "data", "split": "all"}, {"split": "test"}])
    def test_or_those_of_the_data(self, given: dict[str, str]) -> None:
        made = make("cfms/labels", passes="1", **given)
        main = [item for item in made.items if item.kind == "main"]
        said = [became(at, item, "first", sarcastic="no") for at, item in enumerate(main)]
        rows = {row["id"]: row["split"] for row in label_rows(settled(made, *said))}
        known = {pair.name: pair.row.split for pair in Pairs.of_dataset(data("cfms")).everything}
        assert rows == {name: known[name] for name in rows} and len(rows) == len(main)

    def test_the_metaphor_subset_stands_beside_them(self) -> None:
        made = make("cfms/labels", split="all")
        kept = {item.attributes.get("split") for item in made.items if item.kind == "main"}
        assert kept == {None, "metaphor"}


class TestMetaphor:
    def test_chinese_by_yes_and_no_of_everybody(self) -> None:
        made = make("cfms/metaphor")
        assert [one.name for one in questions(made.study)] == ["sarcastic", "metaphor"]
        (stage,) = made.study.stages
        assert stage.people is None and stage.settling.rule == "independent"
        assert {item.language for item in made.items} == {"zh"}

    def test_english_at_three_ranked_levels(self) -> None:
        made = make("cfms/metaphor", language="en")
        for one in questions(made.study):
            assert isinstance(one, Single) and one.ranked
            assert tuple(option.value for option in one.options) == LEVELS
        assert {item.language for item in made.items} == {"en"}

    def test_or_by_the_papers_three_steps(self) -> None:
        study = make("cfms/metaphor", language="en", scheme="framework").study
        names = [one.name for one in questions(study)]
        assert names == ["sarcastic", "target", "explanation", "metaphor"]

    def test_with_a_number_of_people_those_have_to_agree(self) -> None:
        (stage,) = make("cfms/metaphor", people="3").study.stages
        assert (stage.people, stage.settling.otherwise) == (3, ("discard",))


class TestGeneration:
    def test_the_same_posts_by_every_generator(self, tmp_path: Path) -> None:
        made = make("cfms/generation", pictures=str(drawn_pictures(tmp_path)))
        units = {(item.key, item.outputs[0].source) for item in made.items}
        assert len(units) == 6 and {maker for _, maker in units} == {
            "acme/brush-1",
            "acme/crayon-2",
        }
        assert untold(made.study) == []
        assert any("not every generator" in note for note in made.notes)
        assert any("1 picture left out" in note for note in made.notes)
        for item in made.items:
            assert "acme" not in public(item)
            assert [part.name for part in item.parts] == ["target", "explanation"]

    def test_asks_on_the_scale_of_the_ratings(self, tmp_path: Path) -> None:
        study = make("cfms/generation", pictures=str(drawn_pictures(tmp_path))).study
        (question,) = questions(study)
        assert question.name == MET.name and study.stages[0].people == 2
        assert isinstance(question, Single)
        assert [MET.read(option.value) for option in question.options] == [1, 0]

    def test_one_generators_folder_will_do(self, tmp_path: Path) -> None:
        made = make("cfms/generation", pictures=str(drawn_pictures(tmp_path) / "by-0"))
        assert {item.outputs[0].source for item in made.items} == {"acme/brush-1"}

    def test_a_record_names_a_file_and_no_path(self, tmp_path: Path) -> None:
        folder = drawn_pictures(tmp_path) / "by-0"
        record = next(iter(sorted((folder / "records").iterdir())))
        told = json.loads(record.read_text("utf-8"))
        own = tmp_path / "own.png"
        own.write_bytes((folder / "images" / told["file"]).read_bytes())
        record.write_text(json.dumps(told | {"file": "../../own.png"}), "utf-8")
        made = make("cfms/generation", pictures=str(folder))
        assert str(own) not in {part.path for item in made.items for part in item.files}

    def test_a_folder_has_to_be_named(self, tmp_path: Path) -> None:
        with pytest.raises(DeadpanError, match="no folder is given"):
            make("cfms/generation")
        with pytest.raises(DeadpanError, match="deadpan generate"):
            make("cfms/generation", pictures=str(tmp_path))
