"""Agreement by rater, pair and batch; of ranks, orders, boxes, and words in two languages."""

from collections.abc import Sequence
from itertools import combinations

import krippendorff
import numpy as np
import pytest
from nltk.metrics.agreement import AnnotationTask
from sklearn.metrics import cohen_kappa_score

from deadpan.core.annotation_values import Boxes, Order, Value
from deadpan.core.annotations import Annotation, AnnotationQuestion
from deadpan.core.questions import Language
from deadpan.core.score import Score, select, unavailable
from deadpan.metrics import annotation_words
from deadpan.metrics.annotation_scores import annotation_scores
from deadpan.metrics.encoders import Vectors, lexical_encoder
from deadpan.metrics.statistics.agreement import mean_bleu

SIZES = ("small", "medium", "large")
CHANCE = np.random.default_rng(14)


def said(
    question: str, values: dict[str, Sequence[Value | None]], language: Language | None = None
) -> list[Annotation]:
    """What annotators say about items 0, 1, …; None for nothing."""
    return [
        Annotation(f"{language or ''}{item}", annotator, question, value, language)
        for annotator, given in values.items()
        for item, value in enumerate(given)
        if value is not None
    ]


def of_labels(text: str) -> list[Value | None]:
    return [None if word == "-" else frozenset({word}) for word in text.split()]


def score(scores: list[Score], metric: str, group: str = "all", task: str = "q") -> Score:
    (found,) = select(scores, task=task, metric=metric, group=group)
    return found


RATED = {"A": "a a b b c a b", "B": "a b b b c - a", "C": "a a b c - - b", "D": "- - - - - c c"}


def test_a_rater_is_held_against_each_of_the_others() -> None:
    scores = annotation_scores("x", said("q", {who: of_labels(RATED[who]) for who in RATED}))
    given = {who: RATED[who].split() for who in RATED}
    for who in RATED:
        pairs = [
            (item, given[who][item], given[other][item])
            for other in RATED
            for item in range(7)
            if other != who and "-" not in (given[who][item], given[other][item])
        ]
        codes = [["abc".index(pair[side]) for pair in pairs] for side in (1, 2)]
        alpha = score(scores, "alpha_nominal", f"annotator={who}")
        expected = krippendorff.alpha(np.array(codes), level_of_measurement="nominal")
        assert alpha.value == pytest.approx(expected)
        assert alpha.n == len({item for item, _, _ in pairs})
        assert alpha.unscored == sum(one != "-" for one in given[who]) - alpha.n
        exact = score(scores, "agreement_exact", f"annotator={who}").value
        assert exact == pytest.approx(np.mean([a == b for _, a, b in pairs]))
        kappas = []
        for other in RATED:
            both = [(a, b) for a, b in zip(given[who], given[other], strict=True) if other != who]
            both = [pair for pair in both if "-" not in pair]
            if len({value for pair in both for value in pair}) > 1:
                kappas.append(cohen_kappa_score(*zip(*both, strict=True)))
        kappa = score(scores, "cohen_kappa", f"annotator={who}").value
        assert kappa == pytest.approx(np.mean(kappas))
    # Fleiss' kappa is of all annotators alike.
    assert not select(scores, metric="fleiss_kappa", group="annotator=A")


def test_of_two_raters_there_is_nothing_more_to_say() -> None:
    scores = annotation_scores("x", said("q", {who: of_labels(RATED[who]) for who in "AB"}))
    assert {one.group for one in scores} == {"all"}


def test_pairs_that_share_no_item_are_not_listed() -> None:
    given = {"A": "a b - -", "B": "a b - -", "C": "- - a b", "D": "- - a a"}
    scores = annotation_scores("x", said("q", {who: of_labels(given[who]) for who in given}))
    pairs = {one.group for one in scores if one.group.startswith("annotators=")}
    assert pairs == {"annotators=A+B", "annotators=C+D"}
    assert score(scores, "agreement_exact", "annotator=C").value == 0.5


def test_batches_are_of_what_was_said_in_them() -> None:
    first, second = of_labels("a b a b a"), of_labels("a b b b b")
    rows = [
        Annotation(str(item), who, "q", value, batch="2" if item > 2 else "1")
        for who, given in (("A", first), ("B", second))
        for item, value in enumerate(given)
        if value is not None
    ]
    scores = annotation_scores("x", rows)
    found = {group: score(scores, "agreement_exact", group) for group in ("batch=1", "batch=2")}
    assert [(one.value, one.n) for one in found.values()] == [(pytest.approx(2 / 3), 3), (0.5, 2)]
    assert score(scores, "agreement_exact").value == 0.6
    # A third annotator decides later: the batch's own agreement stays that of its two.
    decided = Annotation("2", "C", "q", frozenset("b"), batch="decided")
    again = annotation_scores("x", [*rows, decided])
    assert score(again, "agreement_exact", "batch=1").value == pytest.approx(2 / 3)
    assert score(again, "agreement_exact", "batch=decided").value is None
    # One batch is all there is, and no group of its own.
    alone = annotation_scores("x", [one for one in rows if one.batch == "1"])
    assert {one.group for one in alone} == {"all"}


@pytest.mark.parametrize("level", ["ordinal", "interval"])
def test_ranked_labels(level: str) -> None:
    asked = AnnotationQuestion("q", "label", (*SIZES, "NA"), level=level, order=SIZES)
    chosen = [list(CHANCE.choice([*SIZES[::2], "NA"], 12, p=[0.4, 0.4, 0.2])) for _ in range(3)]
    chosen[2][:6] = ["medium"] * 6
    given = dict(zip("ABC", chosen, strict=True))
    rows = said("q", {who: of_labels(" ".join(given[who])) for who in given})
    scores = annotation_scores("x", rows, [asked])
    codes = np.array(
        [[SIZES.index(one) if one in SIZES else np.nan for one in given[who]] for who in given]
    )
    levels = ["ordinal", *(["interval"] if level == "interval" else [])]
    for name in levels:
        expected = krippendorff.alpha(codes, level_of_measurement=name, value_domain=[0, 1, 2])
        assert score(scores, f"alpha_{name}").value == pytest.approx(expected)
    for weights in ("linear", "quadratic"):
        kappas = []
        for first, second in combinations(given, 2):
            both = zip(given[first], given[second], strict=True)
            ranked = list(zip(*(pair for pair in both if "NA" not in pair), strict=True))
            kappas.append(cohen_kappa_score(*ranked, labels=list(SIZES), weights=weights))
            pair = score(scores, f"cohen_kappa_{weights}", f"annotators={first}+{second}")
            assert pair.value == pytest.approx(kappas[-1]) and pair.n == len(ranked[0])
        found = score(scores, f"cohen_kappa_{weights}")
        assert found.value == pytest.approx(np.mean(kappas)) and "|order:small<medium<large|" in (
            found.signature
        )
    # What is no rank still counts as a label.
    nominal = score(scores, "alpha_nominal")
    names = np.array([[(*SIZES, "NA").index(one) for one in given[who]] for who in given])
    expected = krippendorff.alpha(names, level_of_measurement="nominal")
    assert nominal.value == pytest.approx(expected) and "order:" not in nominal.signature
    assert bool(select(scores, metric="difference_mean")) == (level == "interval")


def test_labels_are_ranked_by_their_order_and_not_by_the_alphabet() -> None:
    rows = said("q", {"A": of_labels("small large small"), "B": of_labels("small large medium")})
    asked = AnnotationQuestion("q", "label", level="ordinal", order=SIZES)
    found = score(annotation_scores("x", rows, [asked]), "cohen_kappa_linear").value
    # apart 1 of 3; by chance (2·(0 + 1 + 2) + 1·(2 + 1 + 0)) / 3 = 3
    assert found == pytest.approx(1 - 1 / 3)
    unranked = annotation_scores("x", rows)
    assert not select(unranked, metric="cohen_kappa_linear")


def test_numbers_that_are_ranks_or_names() -> None:
    rows = said("q", {"A": [1.0, 2, 3], "B": [1.0, 2, 5]})
    metrics = {
        level: {one.metric for one in annotation_scores("x", rows, [asked])}
        for level in ("nominal", "ordinal", "interval")
        for asked in [AnnotationQuestion("q", "number", level=level)]
    }
    assert metrics["interval"] == {one.metric for one in annotation_scores("x", rows)}
    assert metrics["interval"] - metrics["ordinal"] == {"difference_mean", "alpha_interval"}
    assert metrics["nominal"] == {
        *("agreement_exact", "cohen_kappa", "fleiss_kappa", "alpha_nominal")
    }


def test_orders_by_tau() -> None:
    given = {
        "A": [Order(tuple("123")), Order(tuple("123")), Order(("1",))],
        "B": [Order(tuple("123")), Order(tuple("132")), Order(("1",))],
    }
    scores = annotation_scores("x", said("q", given))
    assert score(scores, "agreement_exact").value == pytest.approx(2 / 3)
    tau = score(scores, "agreement_tau")
    # One panel has no order: it is equal, and has no tau.
    assert (tau.value, tau.n, tau.unscored) == (pytest.approx((1 + 1 / 3) / 2), 2, 1)
    assert score(scores, "alpha_nominal").value is not None


def test_boxes_by_what_they_share() -> None:
    whole, half = (0.0, 0.0, 10.0, 10.0), (0.0, 0.0, 5.0, 10.0)
    far = (50.0, 50.0, 60.0, 60.0)
    given = {
        "A": [Boxes((whole,)), Boxes((whole, far)), Boxes(()), None],
        "B": [Boxes((half,)), Boxes((whole,)), Boxes(()), Boxes((far,))],
    }
    found = score(annotation_scores("x", said("q", given)), "agreement_iou")
    assert (found.value, found.n, found.unscored) == (pytest.approx((0.5 + 0.5 + 1) / 3), 3, 1)


ENGLISH = {
    "A": ["He mocks the boss.", "A cat is tired of work.", "Nobody won the race at all."],
    "B": ["He mocks his boss.", "A cat hates its work.", "Everyone lost that race."],
    "C": ["It is a joke about bosses.", None, "Nobody won that race at all."],
}
CHINESE = {
    "A": ["他在讽刺老板。", "猫不想上班。", "大家都输了比赛。"],
    "B": ["他讽刺自己的老板。", "猫讨厌上班。", "没有人赢得比赛。"],
    "C": [None, "一只累坏的猫。", "大家全都输了。"],
}


def expected_alpha(given: dict[str, list[str | None]]) -> float:
    """By nltk, with the cosine of the lexical encoder's vectors."""
    texts = sorted({text for own in given.values() for text in own if text})
    vectors = dict(zip(texts, lexical_encoder().encode(texts).astype(float), strict=True))
    data = [
        (who, item, text) for who, own in given.items() for item, text in enumerate(own) if text
    ]
    return AnnotationTask(data, distance=lambda a, b: 1 - vectors[a] @ vectors[b]).alpha()


def test_words_in_both_languages_have_alpha_by_spelling() -> None:
    rows = [*said("q", ENGLISH, "en"), *said("q", CHINESE, "zh")]
    scores = annotation_scores("x", rows)
    by_language = {"en": expected_alpha(ENGLISH), "zh": expected_alpha(CHINESE)}
    for name, expected in by_language.items():
        found = score(scores, "alpha_lexical", f"language={name}")
        assert found.value == pytest.approx(expected, abs=1e-5) and found.n == 3
        assert f"|alpha_lexical:{name}=lexical-3grams-4096|" in found.signature
    whole = score(scores, "alpha_lexical")
    assert whole.value == pytest.approx(sum(by_language.values()) / 2, abs=1e-5)
    assert whole.n == 6 and whole.low is not None and whole.high is not None
    assert whole.low < whole.value < whole.high
    assert not select(scores, metric="alpha_embedding")


def test_the_words_of_one_rater_against_the_others() -> None:
    rows = said("q", ENGLISH, "en")
    scores = annotation_scores("x", rows)
    given = {
        who: {item: text for item, text in enumerate(own) if text} for who, own in ENGLISH.items()
    }
    found = score(scores, "agreement_bleu4", "annotator=A").value
    expected = mean_bleu(given, "en", [("A", "B"), ("A", "C")])
    assert found == pytest.approx(expected)
    assert found != pytest.approx(score(scores, "agreement_bleu4").value)
    beside = [
        (own, given[who][item])
        for who in "BC"
        for item, own in given["A"].items()
        if item in given[who]
    ]
    sides = {"own": [one for one, _ in beside], "others": [other for _, other in beside]}
    alpha = score(scores, "alpha_lexical", "annotator=A").value
    assert alpha == pytest.approx(expected_alpha(sides), abs=1e-5)


class Directions:
    """An encoder of texts that begin with the name of a direction."""

    name = "directions@1"

    def encode(self, texts: Sequence[str]) -> Vectors:
        known = {"east": (1.0, 0.0), "west": (-1.0, 0.0), "north": (0.0, 1.0)}
        return np.array([known[text.split()[0]] for text in texts], np.float32)


def test_words_by_the_encoder_that_was_named(monkeypatch: pytest.MonkeyPatch) -> None:
    named = annotation_words.named_encoder
    monkeypatch.setattr(
        annotation_words,
        "named_encoder",
        lambda name: Directions() if name == "directions" else named(name),
    )
    english = {"A": ["east 1", "west 1", "north 1"], "B": ["east 2", "north 2", "north 3"]}
    rows = [*said("q", english, "en"), *said("q", CHINESE, "zh")]
    scores = annotation_scores("x", rows, encoders={"en": "directions"})
    found = score(scores, "alpha_embedding")
    # Observed 2; east 2, west 1, north 3: expected 2 · (2·1 + 2·3 + 1·3) / 5
    assert found.value == pytest.approx(1 - 2 / (2 * 11 / 5)) and (found.n, found.unscored) == (
        3,
        3,
    )
    assert "|alpha_embedding:en=directions@1|" in found.signature
    # The other language has none: by spelling.
    spelled = score(scores, "alpha_lexical")
    assert spelled.value == pytest.approx(expected_alpha(CHINESE), abs=1e-5)
    assert "alpha_lexical:zh=" in spelled.signature and spelled.n == 3


def test_an_encoder_that_is_not_there_gives_no_number() -> None:
    scores = annotation_scores("x", said("q", ENGLISH, "en"), encoders={"en": "minilm"})
    found = score(scores, "alpha_embedding")
    assert (found.value, found.n, found.unscored) == (None, 0, 3)
    assert not select(scores, metric="alpha_lexical")
    (line,) = unavailable(scores)
    assert line.startswith("alpha_embedding (en) unavailable: ") and "minilm" in line


def test_words_that_cannot_be_compared_have_no_alpha() -> None:
    for given in ({"A": ["so true", "so true"], "B": ["so true", "So  True"]}, {"A": ["a"]}):
        found = score(annotation_scores("x", said("q", given, "en")), "alpha_lexical")
        assert (found.value, found.low) == (None, None)
    empty = annotation_scores("x", said("q", {"A": ["", "b"], "B": ["a", "b"]}, "en"))
    assert score(empty, "alpha_lexical").value is None
    assert score(empty, "agreement_bleu4").value is None
    assert score(empty, "agreement_exact").value == 0.5
