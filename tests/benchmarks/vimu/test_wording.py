"""What models are told: slots, guidance, both languages, and nothing of the gold."""

from pathlib import Path

import pytest

from deadpan.benchmarks.vimu import VIMU, fill_prompt, guidance
from deadpan.benchmarks.vimu.records import read_videos
from deadpan.benchmarks.vimu.taxonomy import RHETORIC, SOCIAL, TASKS
from deadpan.core.questions import TRANSCRIPT, Language, Question
from deadpan.core.signature import checksum
from tests.benchmarks.vimu.data_folder import changed, write

LANGUAGES: tuple[Language, ...] = ("en", "zh")
CLOSED = [task for task in TASKS if task != "oe"]


def asked(folder: Path, task: str) -> list[Question]:
    dataset = read_videos(folder)
    return VIMU.questions(dataset, task, VIMU.prompts(task))


@pytest.mark.parametrize("task", TASKS)
def test_every_prompt_asks_the_videos_own_question(tmp_path: Path, task: str) -> None:
    english, chinese = asked(write(tmp_path), task)
    assert "Question: " in english.text and "问题：" in chinese.text
    assert english.text.count(TRANSCRIPT) == chinese.text.count(TRANSCRIPT) == 1
    left = english.text.replace(TRANSCRIPT, "").replace('{"selected_options": [...]}', "")
    assert "{" not in left
    assert ('{"selected_options": [...]}' in english.text) == (task != "oe")
    assert "in order" in english.system and "按顺序" in chinese.system


@pytest.mark.parametrize("task", CLOSED)
def test_options_are_letters_with_what_they_say(tmp_path: Path, task: str) -> None:
    question = asked(write(tmp_path), task)[0]
    assert (question.form, question.options) == ("labels", tuple("ABCDE"))
    for letter, text in zip(question.options, question.about, strict=True):
        assert f"\n{letter}. {text}\n" in question.text


def test_guidance_is_in_the_guided_prompts_alone(tmp_path: Path) -> None:
    folder = write(tmp_path)
    for task, taxonomy in (("rm", RHETORIC), ("sv", SOCIAL)):
        for plain, guided in zip(asked(folder, task), asked(folder, f"{task}_guided"), strict=True):
            told = guidance(taxonomy, guided.language)
            assert told in guided.text and told not in plain.text
            assert taxonomy[1].members[0].meaning not in plain.text
            assert guided.text.replace(told, "").startswith(plain.text[:60])


def test_guidance_explains_every_member() -> None:
    for taxonomy in (RHETORIC, SOCIAL):
        english, chinese = guidance(taxonomy, "en"), guidance(taxonomy, "zh")
        for category in taxonomy:
            assert category.label in english and category.label_zh in chinese
            for member in category.members:
                assert member.meaning in english and member.meaning_zh in chinese


def test_guidance_is_worded_as_when_the_tasks_got_their_versions() -> None:
    """Where other words are meant, raise the versions of the guided tasks with this."""
    told = [guidance(taxonomy, code) for taxonomy in (RHETORIC, SOCIAL) for code in LANGUAGES]
    versions = [VIMU.task(name).version for name in ("rm_guided", "sv_guided")]
    assert (versions, checksum(told)) == ([4, 4], "016f59b7")


def test_guidance_is_in_the_checksum_of_the_prompts() -> None:
    prompts = VIMU.prompts("rm_guided")
    assert guidance(RHETORIC, "zh") in prompts.user["zh"]
    assert prompts.checksum != VIMU.prompts("sv_guided").checksum


def test_slots_inside_data_are_not_filled(tmp_path: Path) -> None:
    hostile = "What {options} {guidance} {transcript} {question}?"
    made = changed(lambda r: r["vimu_eg"][0].update(question=hostile))
    text = asked(write(tmp_path, made), "eg")[0].text
    assert "What {options} {guidance} (transcript) {question}?" in text
    assert text.count(TRANSCRIPT) == 1


def test_a_slot_without_a_value_stays() -> None:
    assert fill_prompt("{question} {guidance} {other}", {"question": "Q"}) == "Q {guidance} {other}"


def test_prompts_of_ones_own_are_filled_alike(tmp_path: Path) -> None:
    (tmp_path / "own" / "en").mkdir(parents=True)
    (tmp_path / "own" / "en" / "rm_guided.txt").write_text("{options}|{guidance}|{question}")
    dataset = read_videos(write(tmp_path / "data"))
    prompts = VIMU.prompts("rm_guided", tmp_path / "own")
    question = VIMU.questions(dataset, "rm_guided", prompts)[0]
    assert question.text.startswith("A. Literal / Direct\n")
    assert "|Literal / Direct: The video means" in question.text


@pytest.mark.parametrize("task", TASKS)
def test_no_gold_is_told(tmp_path: Path, task: str) -> None:
    for question in asked(write(tmp_path), task):
        told = question.text + question.system + question.card("vimu", task).model_dump_json()
        for secret in (
            "mocks early risers",
            "它在开玩笑",
            "Nobody rises",
            "A man sleeps",
            "in bed",
        ):
            assert secret not in told
        assert "ground_truth" not in told
