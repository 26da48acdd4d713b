"""Every variant and paraphrase of every task: the same items, gold that fits, words that ask the
same in both languages."""

from __future__ import annotations

import re
from typing import Any

import pytest

from deadpan.benchmarks import BUILT_IN, find
from deadpan.core.question_variants import reorder_text, vary_questions, worded_questions
from deadpan.core.questions import Question, Reply
from deadpan.core.variants import Variant

ASKED = [(name, spec.name) for name in BUILT_IN for spec in find(name).tasks if name != "merbench"]
VARIED = [(name, task, variant) for name, task in ASKED for variant in find(name).variants.of(task)]
_SLOT = re.compile(r"\{\w+\}")


def made(name: str, task: str, variant: Variant, seed: int = 0) -> list[Question]:
    benchmark, prompts = find(name), find(name).prompts(task)
    words = worded_questions(benchmark, benchmark.read(None), task, prompts, variant)
    found, lost = vary_questions(benchmark, task, words, variant, seed)
    assert not lost
    return found


@pytest.mark.parametrize(("name", "task", "variant"), VARIED)
def test_a_variant_asks_about_the_same_items_and_changes_each(
    name: str, task: str, variant: Variant
) -> None:
    full, varied = made(name, task, Variant.FULL), made(name, task, variant)
    assert [one.item for one in varied] == [one.item for one in full]
    assert {one.language for one in varied} == {"en", "zh"}
    for one, other in zip(full, varied, strict=True):
        seen = (one.text, one.pictures, one.clip), (other.text, other.pictures, other.clip)
        assert seen[0] != seen[1] or variant is Variant.TEXT_ONLY or _says_nothing(one, variant)


def _says_nothing(question: Question, variant: Variant) -> bool:
    """Whether there were no words to leave out."""
    silent = question.clip is not None and not question.clip.transcript
    return variant is Variant.PICTURE_ONLY and silent


@pytest.mark.parametrize("name", ["janusmm", "cfms", "vimu"])
@pytest.mark.parametrize("variant", [Variant.PICTURE_ONLY, Variant.QUESTION_ONLY])
def test_words_of_items_are_gone(name: str, variant: Variant) -> None:
    """What differs from item to item is gone; ViMU's questions and options stay, in any order."""
    task = {"janusmm": "recognition", "cfms": "identification", "vimu": "eg"}[name]
    varied = made(name, task, variant)
    told = set()
    for one in varied:
        text = one.prompt_text(None)
        for letter, option in zip(one.options, one.about, strict=False):
            text = text.replace(f"{letter}. {option}", "option")
        told.add((one.language, text, frozenset(one.about)))
    assert len(told) == 2
    assert {one.clip.transcript for one in varied if one.clip} <= {""}
    shown = [bool(one.pictures) or one.clip is not None for one in varied]
    assert set(shown) == {variant is Variant.PICTURE_ONLY}


@pytest.mark.parametrize("task", ["eg", "rm", "sv", "rm_guided", "sv_guided"])
@pytest.mark.parametrize("seed", [0, 5])
def test_whoever_names_what_is_right_is_right_in_any_order(task: str, seed: int) -> None:
    """Gold's texts in the usual order, looked up among the letters of another."""
    full, varied = (
        made("vimu", task, Variant.FULL),
        made("vimu", task, Variant.SHUFFLED_OPTIONS, seed),
    )
    moved = 0
    for one, other in zip(full, varied, strict=True):
        texts = dict(zip(one.options, one.about, strict=True))
        letters = dict(zip(other.about, other.options, strict=True))
        wanted = sorted(letters[texts[letter]] for letter in one.gold)  # type: ignore[union-attr,index]
        assert other.gold == wanted
        assert _categories(one) == _categories(other)
        for letter, text in zip(other.options, other.about, strict=True):
            assert f"{letter}. {text}" in other.text
        moved += one.gold != other.gold
        reply = Reply(text=f'{{"selected_options": {list(wanted)}}}'.replace("'", '"'))
        assert find("vimu").parse_answer(task, reply, other).parsed == wanted
    assert moved


def _categories(question: Question) -> set[str]:
    """Those of gold's letters."""
    known = question.attributes["categories"]
    assert isinstance(known, list) and isinstance(question.gold, list)
    named = dict(zip(question.options, known, strict=True))
    return {named[str(letter)] for letter in question.gold}


@pytest.mark.parametrize("task", ["panel", "panel_order", "panel_text"])
def test_gold_goes_with_the_panels(task: str) -> None:
    """A panel's new number leads back to its old one: the same cut-out of the same picture."""
    full, varied = (
        made("pixelhumor", task, Variant.FULL),
        made("pixelhumor", task, Variant.SHUFFLED_PANELS),
    )
    for one, other in zip(full, varied, strict=True):
        old, new = one.pictures[0].panels, other.pictures[0].panels
        assert [(b.x1, b.y1) for b in old] == [(b.x1, b.y1) for b in new]
        back = {n.panel_number: o.panel_number for o, n in zip(old, new, strict=True)}
        assert sorted(back) == sorted(back.values())
        assert sorted(other.pictures[0].layout) == list(range(len(old)))
        assert _back(task, other.gold, back) == _plain(task, one.gold)


def _back(task: str, gold: Any, back: dict[int, int]) -> Any:
    if task == "panel":
        return [str(back[int(one)]) if one != "NA" else one for one in gold]
    if task == "panel_order":
        return [back[one] for one in gold]
    lines = re.findall(r"^\s*(\d+)\s*:(.*)$", gold["text"], re.M)
    texts = {back[int(number)]: text.strip() for number, text in lines}
    return [back[one] for one in gold["sequence"]], texts


def _plain(task: str, gold: Any) -> Any:
    return _back(task, gold, {number: number for number in range(1, 99)})


@pytest.mark.parametrize(("name", "task"), ASKED)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_paraphrases_ask_the_same_in_other_words(name: str, task: str, language: Any) -> None:
    benchmark = find(name)
    folders = benchmark.paraphrases(task)
    assert len(folders) >= 2
    usual = benchmark.prompts(task)
    others = [benchmark.prompts(task, folder) for folder in folders]
    assert len({usual.checksum, *(one.checksum for one in others)}) == len(others) + 1
    question = made(name, task, Variant.FULL)
    options = next(one.options for one in question if one.language == language)
    labels = next(one.labels for one in question if one.language == language)
    for one in others:
        assert one.system == usual.system
        assert sorted(_SLOT.findall(one.user[language])) == sorted(
            _SLOT.findall(usual.user[language])
        )
        colon = "：" if language == "zh" else ":"
        assert all(f"\n{label}{colon}" in one.user[language] for label in labels)
        if Variant.SHUFFLED_OPTIONS in benchmark.variants.of(task) and name != "vimu":
            order = list(reversed(range(len(options))))
            assert reorder_text(one.user[language], options, order) is not None
        if name == "vimu" and task != "oe":
            assert '{"selected_options": [...]}' in one.user[language]


def test_a_number_that_no_paraphrase_has_is_refused(tmp_path: Any) -> None:
    from deadpan.base.errors import DeadpanError
    from deadpan.engine.task_questions import RunSettings, prompts_folder

    settings = RunSettings(tmp_path, paraphrase=7)
    with pytest.raises(
        DeadpanError, match="cfms/joint has 2 paraphrases of its prompt; got number 7"
    ):
        prompts_folder(find("cfms"), "joint", settings)
    with pytest.raises(DeadpanError, match="leave out one of the two"):
        RunSettings(tmp_path, paraphrase=1, prompts=tmp_path)
