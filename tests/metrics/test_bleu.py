"""BLEU-4 from sums, against sacrebleu and by hand."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadpan.core.metric import Statistics, Sums, stack
from deadpan.core.questions import Language
from deadpan.metrics.bleu import TOKENIZERS, bleu, bleu_signature, bleu_statistics
from deadpan.metrics.bleu import corpus_bleu as our_bleu

sacrebleu = pytest.importorskip("sacrebleu.metrics", reason="needs the [text] extra")
TEXTS = st.text("ab c我好，", max_size=9)
PAIRS = st.lists(st.tuples(TEXTS, TEXTS.map(lambda text: text + "a")), min_size=1, max_size=6)


def bleu_of(rows: Sequence[Statistics]) -> float:
    keys, matrix, lines = stack(rows)
    return float(bleu(Sums(keys, matrix[lines].sum(axis=0))))


def corpus_bleu(
    hypotheses: Sequence[str], references: Sequence[str], language: Language = "en"
) -> float:
    return bleu_of(bleu_statistics(references, hypotheses, language))


def sacrebleus(hypotheses: Sequence[str], references: Sequence[str], language: Language) -> float:
    metric = sacrebleu.BLEU(tokenize=TOKENIZERS[language])
    return float(metric.corpus_score(list(hypotheses), [list(references)]).score)


@given(PAIRS, st.sampled_from(["en", "zh"]))
def test_sums_give_sacrebleus_corpus_bleu(pairs: list[tuple[str, str]], language: Language) -> None:
    hypotheses, references = zip(*pairs, strict=True)
    theirs = sacrebleus(hypotheses, references, language)
    assert corpus_bleu(hypotheses, references, language) == pytest.approx(theirs, abs=1e-9)


def test_several_languages_are_weighted_by_pairs() -> None:
    english, chinese = ["the cat sat down", "no"], ["我今天又没睡好"]
    references = ["the cat sat there", "yes it is so"]
    rows = bleu_statistics(references, english, "en")
    rows += bleu_statistics(["我昨天又没睡好"], chinese, "zh")
    one = sacrebleus(english, references, "en")
    other = sacrebleus(chinese, ["我昨天又没睡好"], "zh")
    assert bleu_of(rows) == pytest.approx((2 * one + other) / 3)


def test_rows_of_sums_have_a_value_each() -> None:
    keys, matrix, _ = stack(bleu_statistics(["a b c d", "a b"], ["a b c d", ""], "en"))
    weights = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [2.0, 1.0]])
    first, second, none, both = bleu(Sums(keys, weights @ matrix)).tolist()
    repeated = sacrebleus(["a b c d", "a b c d", ""], ["a b c d", "a b c d", "a b"], "en")
    assert (first, second) == (pytest.approx(100), 0) and np.isnan(none)
    assert both == pytest.approx(repeated)


def test_one_word_wrong_by_hand() -> None:
    # 5 of 6 words, 3 of 5 pairs and 1 of 4 triples match, and none of 3 quadruples, which
    # smoothing makes half of one; the lengths are equal.
    score = corpus_bleu(["the cat sits on the mat"], ["the cat sat on the mat"])
    assert score == pytest.approx(100 * (5 / 6 * 3 / 5 * 1 / 4 * 0.5 / 3) ** 0.25)


def test_chinese_is_split_into_characters() -> None:
    assert corpus_bleu(["我今天又没睡好"], ["我今天又没睡好"], "zh") == pytest.approx(100)
    one_off = corpus_bleu(["我今天又没睡好"], ["我昨天又没睡好"], "zh")
    by_hand = 100 * (6 / 7 * 4 / 6 * 3 / 5 * 2 / 4) ** 0.25
    assert one_off == pytest.approx(by_hand)
    assert corpus_bleu(["我今天又没睡好"], ["我昨天又没睡好"], "en") == 0


def test_signatures_name_the_tokenizer_and_version() -> None:
    assert "tok:13a" in bleu_signature("en")
    signature = bleu_signature("zh")
    assert "tok:zh" in signature and "eff:no" in signature and "version:" in signature


def test_odd_and_long_text_is_scored() -> None:
    for text in ("😂 😭 a b", "a \ud83d b c d", "a\x00b \x07 c d", "我笑 " * 25_000):
        assert corpus_bleu([text], [text], "zh") == pytest.approx(100)


def test_empty_references_and_unequal_texts_raise() -> None:
    with pytest.raises(ValueError, match="reference 0 is empty"):
        bleu_statistics([" "], ["a"], "en")
    with pytest.raises(ValueError):
        bleu_statistics(["a"], ["a", "b"], "en")


def test_the_effective_order_is_sacrebleus() -> None:
    for pair in (["so true"], ["so true"]), (["a b c d e"], ["a b c d f"]), (["a b"], ["a c"]):
        reference, hypothesis = pair
        metric = sacrebleu.BLEU(tokenize="13a", effective_order=True)
        expected = metric.sentence_score(hypothesis[0], reference).score
        ours = our_bleu(reference, hypothesis, "en", effective_order=True)
        assert ours == pytest.approx(expected)
    assert our_bleu(["so true"], ["so true"], "en") == 0
