"""BLEU between annotators adds up to what the corpus function gives, and has an interval."""

import numpy as np
import pytest

from deadpan.core.annotations import Annotation
from deadpan.core.metric import Sums
from deadpan.metrics.annotation_bleu import bleu_rows, mean_bleu_of
from deadpan.metrics.annotation_questions import Question, plain_words
from deadpan.metrics.annotation_scores import annotation_scores
from deadpan.metrics.statistics.agreement import mean_bleu

pytest.importorskip("sacrebleu")
WORDS = {
    "en": ["the cat mocks itself once more today", "a tired man laughs at his own boss"],
    "zh": ["这只猫今天又在嘲笑自己", "累坏的人在笑话自己的老板"],
}


def said(people: int, items: int) -> list[Annotation]:
    """Annotators who change a text's end by who they are; the last of them skips every third."""
    return [
        Annotation(
            item=f"{language}{item}",
            annotator=f"a{who}",
            question="why",
            value=WORDS[language][item % 2] + "!?。"[:who] * (item % 3) + str(item * (who == 1)),
            language=language,
        )
        for language in ("en", "zh")
        for item in range(items if language == "en" else items // 2)
        for who in range(people)
        if who < people - 1 or item % 3
    ]


@pytest.mark.parametrize("people", [2, 3])
def test_sums_give_the_mean_of_pairs(people: int) -> None:
    question = Question.of("why", said(people, 12), plain_words)
    expected, weights = [], []
    rows = []
    for language in question.spoken:
        part = question.among(list(question.said), language)
        expected.append(mean_bleu(part.said, language))
        weights.append(sum(len(unit) > 1 for unit in part.units))
        rows += list(bleu_rows(question, language).values())
    keys = tuple(dict.fromkeys(key for row in rows for key in row))
    sums = Sums(keys, np.array([sum(row.get(key, 0.0) for row in rows) for key in keys]))
    assert mean_bleu_of(sums) == pytest.approx(np.average(expected, weights=weights))


def test_it_has_an_interval() -> None:
    scores = annotation_scores("cfms", said(3, 30))
    found = next(one for one in scores if one.metric == "agreement_bleu4" and one.group == "all")
    assert found.interval == "bootstrap"
    assert found.low is not None and found.high is not None and found.value is not None
    assert 0 < found.low < found.value < found.high <= 1
