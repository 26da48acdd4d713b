"""Scores over both perspectives: which memes count, and what is unavailable."""

from collections.abc import Callable, Mapping
from pathlib import Path

import polars as pl
import pytest

from deadpan.base.resources import Unavailable
from deadpan.benchmarks.janusmm.irc import PARTS, Consistency, Loader
from deadpan.benchmarks.janusmm.scoring import irc_by_item
from deadpan.core.answers import Answers
from deadpan.core.questions import Language
from deadpan.core.score import Score, select
from deadpan.core.signature import parse_signature
from tests.benchmarks.janusmm.meme_folder import answered, chinese_row, data, plain_row, row, scored

LONG = "word " * 20


def fixed(**parts: float) -> dict[str, Loader]:
    """Parts that have one value for every pair."""

    def loader(name: str) -> Callable[[Language], Consistency]:
        return lambda language: Consistency("fixed", lambda pairs: [parts[name]] * len(pairs))

    return {name: loader(name) for name in PARTS}


def scores(
    tmp_path: Path,
    initiator: Mapping[str, str | None],
    responder: Mapping[str, str | None],
    parts: dict[str, Loader] | None = None,
) -> dict[tuple[str, str], Score]:
    rows = [row("a"), row("b"), row("c"), chinese_row("zh"), plain_row("plain")]
    table = answered(data(tmp_path, rows), {"initiator": initiator, "responder": responder})
    made = scored(table, parts=parts or fixed(elc=1.0, fgc=0.5, crc=0.6))
    return {(one.metric, one.group): one for one in made if one.task == "dual"}


ALL = dict.fromkeys(("a", "b", "c", "plain"), f"Emotion: sad\nReasoning: {LONG}") | {
    "zh": "情绪：难过\n推理：" + "字" * 30
}


def test_parts_and_their_mean_in_per_cent_for_each_language(tmp_path: Path) -> None:
    found = scores(tmp_path, ALL, ALL)
    assert {key: one.value for key, one in found.items() if key[1] == "language=zh"} == {
        ("irc", "language=zh"): pytest.approx(70.0),
        ("elc", "language=zh"): pytest.approx(100.0),
        ("fgc", "language=zh"): pytest.approx(50.0),
        ("crc", "language=zh"): pytest.approx(60.0),
        ("short_pairs", "language=zh"): 0.0,
        ("repeated_pairs", "language=zh"): 0.0,
    }
    assert [found["irc", group].n for group in ("all", "language=en", "language=zh")] == [4, 3, 1]


def test_only_self_deprecating_memes_answered_from_both_sides_count(tmp_path: Path) -> None:
    initiator = ALL | {"a": "no labels", "b": None}
    responder = {name: said for name, said in ALL.items() if name != "zh"}
    responder["c"] = "Reasoning: too short"
    found = scores(tmp_path, initiator, responder)
    whole = found["irc", "all"]
    counts = (whole.n, whole.invalid, whole.unscored, whole.not_given)
    assert counts == (2, 1, 1, 1), "b's call failed; zh is answered from one side alone"
    assert whole.value == pytest.approx(70.0 / 2), "an invalid side is consistent with nothing"
    assert found["irc", "language=zh"].value is None
    assert found["short_pairs", "all"].value == 1.0


def test_a_part_that_is_unavailable_takes_irc_with_it_and_leaves_the_others(tmp_path: Path) -> None:
    parts = fixed(elc=1.0, fgc=0.5, crc=0.6)
    usual = parts["crc"]

    def english_only(language: Language) -> Consistency:
        if language == "zh":
            raise Unavailable("no encoder", "get it with: deadpan resources get e")
        return usual(language)

    found = scores(tmp_path, ALL, ALL, parts | {"crc": english_only})
    assert found["irc", "language=en"].value == pytest.approx(70.0)
    assert found["irc", "language=zh"].value is None
    assert found["irc", "all"].value is None and found["crc", "all"].value is None
    assert found["fgc", "language=zh"].value == pytest.approx(50.0)
    settings = parse_signature(found["irc", "all"].signature).settings
    assert settings["crc"] == (
        "en=fixed,zh=unavailable: no encoder; get it with: deadpan resources get e"
    )


def test_a_part_may_turn_out_unavailable_only_when_it_is_used(tmp_path: Path) -> None:
    def missing(pairs: object) -> list[float]:
        raise Unavailable("no tagger", "install it")

    parts = fixed(elc=1.0, fgc=0.5, crc=0.6)
    broken: dict[str, Loader] = {"fgc": lambda language: Consistency("tagger", missing)}
    found = scores(tmp_path, ALL, ALL, parts | broken)
    assert found["fgc", "all"].value is None and found["elc", "all"].value == 100.0


def test_one_perspective_alone_has_no_consistency(tmp_path: Path) -> None:
    table = answered(data(tmp_path), {"initiator": {"m1": f"Reasoning: {LONG}"}})
    assert not [one for one in scored(table) if one.task == "dual"]


def test_perspectives_on_other_data_are_not_compared(tmp_path: Path) -> None:
    said = {"m1": f"Reasoning: {LONG}"}
    one = answered(data(tmp_path / "one"), {"initiator": said})
    other = answered(data(tmp_path / "two", [row(text="else")]), {"responder": said})
    made = scored(one.vstack(other))
    assert {score.task for score in made} == {"initiator", "responder"}


def test_the_signature_names_both_tasks_as_one(tmp_path: Path) -> None:
    found = scores(tmp_path, ALL, ALL)
    signature = parse_signature(found["irc", "all"].signature)
    assert (signature.task, signature.version, signature.n) == ("dual", "4", 5)
    assert len({one.signature for one in found.values()}) == 1


def test_the_irc_of_each_meme_for_people_to_be_compared_with(tmp_path: Path) -> None:
    rows = [row("a"), row("b"), chinese_row("zh")]
    said = {name: ALL[name] for name in ("a", "b", "zh")}
    table = answered(
        data(tmp_path, rows), {"initiator": said, "responder": said | {"b": "no labels"}}
    )
    scores = irc_by_item(Answers(table), fixed(elc=1.0, fgc=0.5, crc=0.6))
    assert {item: score for (_, item), score in scores.items()} == {
        "a": pytest.approx(70.0),
        "zh": pytest.approx(70.0),
    }


def test_the_signature_hides_no_setting_of_one_side(tmp_path: Path) -> None:
    said = {"m1": f"Reasoning: {LONG}"}
    table = answered(data(tmp_path), {"initiator": said, "responder": said})

    def signed(*shown: str) -> str:
        """The signature where these tasks were asked without pictures."""
        text = [
            str(parse_signature(one).with_settings(shown="text-only")) if task in shown else one
            for one, task in zip(table["signature"], table["task"], strict=True)
        ]
        made = scored(table.with_columns(signature=pl.Series(text)))
        return next(score.signature for score in made if score.task == "dual")

    sides = [signed(), signed("initiator"), signed("responder"), signed("initiator", "responder")]
    assert len(set(sides)) == 4


def test_a_constant_answer_is_consistent_everywhere_and_flagged(tmp_path: Path) -> None:
    """Case and punctuation aside; `plain`, which is not self-deprecating, has no pair."""
    said = "Emotion: joy\nReasoning: He laughs at himself, because life is hard for everybody here."
    own = {name: f"Emotion: joy\nReasoning: {name} {LONG}" for name in ALL}
    assert scores(tmp_path, own, own)["repeated_pairs", "all"].value == 0.0
    half = {**own, "a": said, "b": said.replace("He laughs", "he  LAUGHS") + "!", "plain": said}
    found = scores(tmp_path, half, own)
    assert found["repeated_pairs", "all"].value == 0.5
    assert found["repeated_pairs", "language=en"].value == pytest.approx(2 / 3)
    assert found["repeated_pairs", "language=zh"].value == 0.0
    same = dict.fromkeys(ALL, said)
    assert scores(tmp_path, own, same)["repeated_pairs", "all"].value == 1.0


def test_repeated_answers_of_one_task(tmp_path: Path) -> None:
    folder = data(tmp_path, [row("a"), row("b"), row("c")])
    said = {"a": "Reasoning: The cat.", "b": "Reasoning: the cat", "c": "Reasoning: A dog."}
    (found,) = select(
        scored(answered(folder, {"reasoning": said})), metric="repeated_answers", group="all"
    )
    assert (found.value, found.n) == (pytest.approx(2 / 3), 3)
