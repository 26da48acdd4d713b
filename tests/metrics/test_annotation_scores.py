"""Agreement question by question, against scikit-learn, sacrebleu and by hand."""

import pytest
import sacrebleu
from sklearn.metrics import cohen_kappa_score

from deadpan.core.annotation_values import Boxes, Order, Value
from deadpan.core.annotations import Annotation
from deadpan.core.score import Score, select
from deadpan.metrics.annotation_scores import AGREEMENT_METRICS, annotation_scores


def said(question: str, **values: list[Value | None]) -> list[Annotation]:
    """What annotators say about items 0, 1, …; None for nothing."""
    return [
        Annotation(str(item), annotator, question, value)
        for annotator, given in values.items()
        for item, value in enumerate(given)
        if value is not None
    ]


def labels(text: str) -> list[Value | None]:
    return [None if word == "-" else frozenset(word.split("+")) for word in text.split()]


def value(scores: list[Score], metric: str, group: str = "all") -> Score:
    (found,) = select(scores, metric=metric, group=group)
    return found


def test_three_annotators_of_labels() -> None:
    given = {"A": labels("a a b b"), "B": labels("a b b b"), "C": labels("a a a -")}
    scores = annotation_scores("x", said("q", **given))
    exact = value(scores, "agreement_exact")
    assert exact.value == pytest.approx((3 + 1 + 1 + 1) / 10) and (exact.n, exact.task) == (4, "q")
    pairs = [("A", "B", 4), ("A", "C", 3), ("B", "C", 3)]
    kappas = []
    for first, second, n in pairs:
        both = ([sorted(one)[0] for one in given[name][:n] if one] for name in (first, second))
        kappas.append(cohen_kappa_score(*both))
        pair = value(scores, "cohen_kappa", f"annotators={first}+{second}")
        assert pair.value == pytest.approx(kappas[-1]) and pair.n == n
    assert value(scores, "cohen_kappa").value == pytest.approx(sum(kappas) / 3)
    fleiss = value(scores, "fleiss_kappa")
    assert (fleiss.n, fleiss.unscored) == (3, 1)
    assert not select(scores, metric="agreement_overlap")


def test_several_labels_overlap() -> None:
    scores = annotation_scores("x", said("q", A=labels("a a+b c"), B=labels("a b d")))
    assert value(scores, "agreement_exact").value == pytest.approx(1 / 3)
    assert value(scores, "agreement_overlap").value == pytest.approx(2 / 3)
    # a 2, a+b 1, b 1, c 1, d 1: pairs that share nothing 2·1+2·1+2·1+1·2+1·2+1 = 11
    wanted = 1 - 2 / (2 * 11 / 5)
    assert value(scores, "alpha_overlap").value == pytest.approx(wanted)
    masi, jaccard = value(scores, "alpha_masi").value, value(scores, "alpha_jaccard").value
    assert masi is not None and jaccard is not None and masi < jaccard < wanted


def test_numbers_have_weighted_kappa_and_differences() -> None:
    first, second = [1.0, 2, 3, 5], [1.0, 3, 3, 1]
    scores = annotation_scores("x", said("q", A=[*first], B=[*second]))
    for weights in ("linear", "quadratic"):
        expected = cohen_kappa_score(first, second, labels=range(1, 6), weights=weights)
        assert value(scores, f"cohen_kappa_{weights}").value == pytest.approx(expected)
    assert value(scores, "difference_mean").value == 1.25
    assert value(scores, "alpha_ordinal").value is not None


def test_words_in_two_languages_are_compared_by_their_own_tokens() -> None:
    english = ("He mocks the boss for being late.", "He mocks his boss for being late.")
    chinese = ("他在讽刺老板总是迟到。", "他讽刺老板总是迟到。")
    given = said("why", A=[english[0], chinese[0]], B=[english[1], chinese[1]])
    scores = annotation_scores("x", given)
    by_language = []
    for (one, other), name, group in ((english, "13a", "en"), (chinese, "zh", "zh")):
        metric = sacrebleu.BLEU(tokenize=name)
        both = [metric.corpus_score([a], [[b]]).score for a, b in ((one, other), (other, one))]
        by_language.append(sum(both) / 200)
        found = value(scores, "agreement_bleu4", f"language={group}")
        assert found.value == pytest.approx(by_language[-1]) and f"{group}=" in found.signature
    assert value(scores, "agreement_bleu4").value == pytest.approx(sum(by_language) / 2)
    assert value(scores, "agreement_exact").value == 0


def test_what_is_undefined_is_no_number() -> None:
    scores = annotation_scores("x", said("q", A=labels("a a"), B=labels("a a")))
    assert value(scores, "agreement_exact").value == 1
    for metric in ("cohen_kappa", "fleiss_kappa", "alpha_nominal"):
        assert (value(scores, metric).value, value(scores, metric).n) == (None, 0)
    alone = annotation_scores("x", said("q", A=labels("a b")))
    assert {one.value for one in alone} == {None}


def test_every_metric_is_declared() -> None:
    known = {metric.name for metric in AGREEMENT_METRICS}
    given = [
        *said("l", A=labels("a a+b"), B=labels("a b")),
        *said("n", A=[1.0, 2], B=[1.0, 3]),
        *said("t", A=["x y", "他笑了"], B=["x z", "他哭了"]),
        *said("o", A=[Order(("1", "2"))], B=[Order(("2", "1"))]),
        *said("b", A=[Boxes(((0, 0, 1, 1),))], B=[Boxes(())]),
    ]
    scores = annotation_scores("x", given, encoders={"zh": "minilm"})
    assert {one.metric for one in scores} == known
