"""BLEU-4 by sacrebleu."""

import pytest

from deadpan.metrics.bleu import corpus_bleu, sentence_bleus

pytest.importorskip("sacrebleu", reason="needs the [text] extra")


def test_one_word_wrong_by_hand() -> None:
    # 5 of 6 words, 3 of 5 pairs and 1 of 4 triples match, and none of 3 quadruples, which
    # smoothing makes half of one; the lengths are equal.
    bleu = corpus_bleu(["the cat sits on the mat"], ["the cat sat on the mat"], "en")
    assert bleu.score == pytest.approx(100 * (5 / 6 * 3 / 5 * 1 / 4 * 0.5 / 3) ** 0.25)


def test_chinese_is_split_into_characters() -> None:
    same = corpus_bleu(["我今天又没睡好"], ["我今天又没睡好"], "zh")
    assert same.score == pytest.approx(100)
    one_off = corpus_bleu(["我今天又没睡好"], ["我昨天又没睡好"], "zh").score
    by_hand = 100 * (6 / 7 * 4 / 6 * 3 / 5 * 2 / 4) ** 0.25
    assert one_off == pytest.approx(by_hand)
    assert corpus_bleu(["我今天又没睡好"], ["我昨天又没睡好"], "en").score == 0


def test_signatures_name_the_tokenizer_and_version() -> None:
    assert "tok:13a" in corpus_bleu(["a"], ["a"], "en").signature
    signature = sentence_bleus(["我"], ["我"], "zh").signature
    assert "tok:zh" in signature and "eff:yes" in signature and "version:" in signature


def test_sentences_are_scored_one_by_one() -> None:
    scores = sentence_bleus(["a b c d", "", "x"], ["a b c d", "a b", "y z"], "en").scores
    assert scores[0] == pytest.approx(100)
    assert scores[1] == 0.0 and scores[2] == 0.0


def test_odd_and_long_text_is_scored() -> None:
    for text in ("😂 😭 a b", "a \ud83d b c d", "a\x00b \x07 c d", "我笑 " * 25_000):
        assert corpus_bleu([text], [text], "zh").score == pytest.approx(100)


def test_empty_references_and_unequal_or_no_texts_raise() -> None:
    for score in (corpus_bleu, sentence_bleus):
        with pytest.raises(ValueError, match="reference 0 is empty"):
            score(["a"], [" "], "en")
        with pytest.raises(ValueError, match="2 hypotheses against 1 references"):
            score(["a", "b"], ["a"], "en")
        with pytest.raises(ValueError, match="no texts"):
            score([], [], "en")
