"""How the answers of several people become one."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from deadpan.core.study.choice_questions import Multiple, Single
from deadpan.core.study.stages import Settling, Stage
from deadpan.studies.work.settling import Answers, Decision, Heard, differing, settle

YES, NO = {"q": "yes"}, {"q": "no"}


def stage(**settling: Any) -> Stage:
    return Stage.model_validate(
        {
            "name": "s",
            "title": "S",
            "questions": [
                {"kind": "single", "name": "q", "title": "Q", "options": ["yes", "no", "maybe"]},
                {
                    "kind": "multiple",
                    "name": "styles",
                    "title": "Styles",
                    "options": ["pun", "irony", "dark"],
                    "required": False,
                },
                {"kind": "text", "name": "reason", "title": "Why", "compared": False},
            ],
            "settling": settling,
        }
    )


def state(rule: Stage, *own: Answers, **heard: Any) -> tuple[str, Answers, str]:
    found = settle(rule, Heard(own, **heard))
    return found.state, found.result, found.reason


def test_equal_answers_settle_and_words_need_not_be_equal() -> None:
    first, second = {**YES, "reason": "a"}, {**YES, "reason": "b"}
    assert state(stage(), first, second) == ("settled", first, "")
    assert differing(stage(), [first, {**NO, "reason": "a"}]) == ["q"]


@pytest.mark.parametrize(
    ("otherwise", "heard", "expected"),
    [
        ((), {}, "disputed"),
        (("discuss", "third"), {}, "discussing"),
        (("discuss", "third"), {"discussed": True}, "third"),
        (("discuss", "discard"), {"discussed": True}, "discarded"),
        (("third",), {}, "third"),
        (("third",), {"thirds": [NO]}, "settled"),
    ],
)
def test_remedies_come_one_after_the_other(
    otherwise: tuple[str, ...], heard: dict[str, Any], expected: str
) -> None:
    assert state(stage(otherwise=otherwise), YES, NO, **heard)[0] == expected


def test_of_a_dispute_remains_what_all_said() -> None:
    first, second = {**YES, "styles": ["pun"]}, {**NO, "styles": ["pun"]}
    assert state(stage(), first, second)[1] == {"styles": ["pun"]}


def test_the_third_decides() -> None:
    assert state(stage(otherwise=["third"]), YES, NO, thirds=[NO])[1] == NO


def test_votes_need_two_and_several_labels_count_each() -> None:
    rule = stage(rule="votes", otherwise=["third"])
    first = {**YES, "styles": ["pun", "irony"]}
    second = {**NO, "styles": ["irony", "dark"]}
    third = {**YES, "styles": ["dark"]}
    assert state(rule, first, second, thirds=[third]) == (
        "settled",
        {"q": "yes", "styles": ["irony"]},
        "",
    )
    # A third person's votes count where the others' decide nothing.
    third_on = {**YES, "styles": ["pun"]}, {**NO, "styles": ["dark"]}
    assert state(rule, *third_on, thirds=[third])[1] == {"q": "yes", "styles": ["dark"]}
    # Three different answers: nothing has two votes.
    assert "q" not in state(rule, YES, NO, thirds=[{"q": "maybe"}])[1]


def test_votes_need_none_on_what_is_not_asked() -> None:
    found = stage(rule="votes", otherwise=["third"])
    asked = {"kind": "single", "name": "at", "title": "At", "options": ["boss", "self"]}
    at = Single.model_validate(asked | {"when": {"question": "q", "values": ["yes"]}})
    rule = found.model_copy(update={"questions": (*found.questions, at)})
    first = {**YES, "at": "boss"}
    assert state(rule, first, NO, thirds=[NO]) == ("settled", NO, "")
    assert state(rule, first, NO, thirds=[{**YES, "at": "self"}])[0] == "disputed"


def test_a_second_third_is_asked_where_the_study_has_two() -> None:
    rule = stage(rule="votes", otherwise=["third", "third"])
    assert state(rule, YES, NO, thirds=[{"q": "maybe"}])[0] == "third"
    assert state(rule, YES, NO, thirds=[{"q": "maybe"}, NO])[1] == NO


def test_labels_that_are_no_options_count_too() -> None:
    rule = stage(rule="votes", otherwise=["third"])
    none = {**NO, "styles": ["NA"]}
    assert state(rule, none, YES, thirds=[none])[1] == {"q": "no", "styles": ["NA"]}


def test_one_objection_discards_with_its_reason() -> None:
    rule = stage(rule="objection", verdict="q", discards=["no"])
    assert state(rule, YES, {**NO, "reason": "a slur"}) == (
        "discarded",
        {**NO, "reason": "a slur"},
        "a slur",
    )
    assert state(rule, YES, YES)[0] == "settled"


def test_only_words_are_a_reason() -> None:
    span = {"text": "My spoon", "part": "text", "start": 0, "end": 8}
    asked: Any = [
        {"kind": "single", "name": "q", "options": ["yes", "no"]},
        {"kind": "text", "name": "note"},
        {"kind": "likert", "name": "sure", "highest": 5},
        {"kind": "span", "name": "at", "of": ["text"]},
    ]
    rule = Stage.model_validate(
        {
            "name": "s",
            "title": "S",
            "people": 2,
            "questions": [{"title": one["name"], **one} for one in asked],
            "settling": {"rule": "objection", "verdict": "q", "discards": ["no"]},
        }
    )
    bare = {"q": "no", "sure": 3, "at": span}
    assert state(rule, YES, bare)[2] == "no"
    assert state(rule, YES, {**bare, "note": "about a spoon"})[2] == "about a spoon"


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        (["yes", "yes", "maybe"], "settled"),
        (["yes", "no", "no"], "discarded"),
        (["maybe", "maybe", "yes"], "returned"),
        (["yes", "no", "maybe"], "disputed"),
    ],
)
def test_the_majority_decides_what_becomes_of_an_item(verdicts: list[str], expected: str) -> None:
    rule = stage(rule="majority", verdict="q", discards=["no"], returns=["maybe"])
    assert state(rule, *({"q": one, "reason": one} for one in verdicts))[0] == expected


def test_one_person_alone_decides_by_the_verdict() -> None:
    rule = stage(verdict="q", discards=["no"], returns=["maybe"])
    assert state(rule, YES)[0] == "settled"
    assert state(rule, {**NO, "reason": "unclear"})[::2] == ("discarded", "unclear")
    assert state(rule, {"q": "maybe"})[0] == "returned"


def test_ratings_are_not_settled_by_rule() -> None:
    assert state(stage(rule="independent"), YES, NO) == ("settled", {}, "")


def test_numbers_that_are_close_enough_settle_on_their_mean() -> None:
    rule = Stage.model_validate(
        {
            "name": "s",
            "title": "S",
            "questions": [
                {"kind": "likert", "name": "taste", "title": "T", "highest": 7, "tolerance": 1},
                {"kind": "likert", "name": "other", "title": "O", "compared": False},
            ],
        }
    )
    first, second = {"taste": 6, "other": 1}, {"taste": 7, "other": 5}
    assert state(rule, first, second)[1] == {"taste": 6.5, "other": 1}
    assert state(rule, first, first)[1] == first
    assert isinstance(state(rule, first, first)[1]["taste"], int)
    assert state(rule, first, {**second, "taste": 4})[0] == "disputed"


class TestSharedLabels:
    """PixelHumor's rule: a third is asked where a question has no label that two gave."""

    STAGE = Stage(
        name="look",
        title={"en": "Look"},
        questions=(
            Single(
                name="how",
                title={"en": "How?"},
                options=["Text", "Visual", "Both"],
                both={"Both": ("Text", "Visual")},
            ),
            Multiple(name="styles", title={"en": "Styles?"}, options=["a", "b", "c"], shared=True),
        ),
        settling=Settling(rule="votes", otherwise=("third", "third")),
    )

    def settle(self, *answers: tuple[str, list[str]], thirds: int = 0) -> Decision:
        said = [{"how": how, "styles": list(styles)} for how, styles in answers]
        own, later = said[: len(said) - thirds], said[len(said) - thirds :]
        return settle(self.STAGE, Heard(own, later))

    def test_what_two_share_is_settled_without_a_third(self) -> None:
        found = self.settle(("Both", ["a", "b"]), ("Text", ["b", "c"]))
        assert (found.state, found.result) == ("settled", {"how": "Text", "styles": ["b"]})
        found = self.settle(("Both", ["a"]), ("Both", ["a"]))
        assert found.result == {"how": "Both", "styles": ["a"]}

    def test_a_third_decides_only_what_two_do_not(self) -> None:
        apart = (("Text", ["a"]), ("Visual", ["a", "b"]))
        assert self.settle(*apart).state == "third"
        found = self.settle(*apart, ("Visual", ["b"]), thirds=1)
        assert (found.state, found.result) == ("settled", {"how": "Visual", "styles": ["a"]})
        found = self.settle(*apart, ("Both", ["b"]), thirds=1)
        assert found.result == {"how": "Both", "styles": ["a"]}

    def test_what_three_do_not_share_goes_to_a_fourth_and_to_the_lead(self) -> None:
        apart = (("Text", ["a"]), ("Text", ["b"]), ("Text", ["c"]))
        assert self.settle(*apart, thirds=1).state == "third"
        found = self.settle(*apart[:2], apart[2], ("Text", ["c"]), thirds=2)
        assert (found.state, found.result["styles"]) == ("settled", ["c"])


class TestVerdicts:
    """Whoever decides about an item, the verdict says what becomes of it."""

    ASKED = ("yes", "minor", "back", "no")
    RULE: ClassVar = {"verdict": "q", "discards": ["no"], "returns": ["back"]}

    def stage(self, **settling: Any) -> Stage:
        asked = {"kind": "single", "name": "q", "title": "Q", "options": list(self.ASKED)}
        why = {"kind": "text", "name": "reason", "title": "Why", "compared": False}
        about = {"name": "s", "title": "S", "questions": [asked, why]}
        return Stage.model_validate(about | {"settling": self.RULE | settling})

    def said(self, verdict: str, reason: str = "") -> Answers:
        return {"q": verdict} | ({"reason": reason} if reason else {})

    @pytest.mark.parametrize(
        ("third", "expected"),
        [("no", ("discarded", "a slur")), ("back", ("returned", "a slur; too long"))]
        + [(one, ("settled", "")) for one in ("yes", "minor")],
    )
    def test_the_third_persons(self, third: str, expected: tuple[str, str]) -> None:
        apart = (*map(self.said, ("yes", "yes")), self.said("back", "too long"))
        for rule in ("majority", "equal"):
            found = settle(
                self.stage(rule=rule, otherwise=["third"]),
                Heard((*apart, self.said("no")), [self.said(third, "a slur")]),
            )
            assert (found.state, found.result["q"]) == (expected[0], third)
            assert found.reason == expected[1]

    def test_where_nobody_objected_before(self) -> None:
        rule = self.stage(rule="objection", otherwise=["discuss", "third"])
        apart = (self.said("yes"), self.said("minor"))
        assert state(rule, *apart)[0] == "discussing"
        heard: dict[str, Any] = {"discussed": True, "thirds": [self.said("no", "a slur")]}
        assert state(rule, *apart, **heard)[::2] == ("discarded", "a slur")

    def test_what_all_say(self) -> None:
        for rule in ("equal", "votes", "majority", "objection"):
            both = (self.said("no", "a slur"), self.said("no", "a slur"))
            assert state(self.stage(rule=rule), *both)[::2] == ("discarded", "a slur"), rule
            both = (self.said("back"), self.said("back"))
            assert state(self.stage(rule=rule), *both)[::2] == ("returned", "back"), rule

    def test_what_two_of_three_say(self) -> None:
        rule = self.stage(rule="votes", otherwise=["third"])
        heard = {"thirds": [self.said("no", "a slur")]}
        found = state(rule, self.said("yes"), self.said("no", "a joke on Ann"), **heard)
        assert found[::2] == ("discarded", "a slur; a joke on Ann")

    def test_ways_to_keep_are_no_objection(self) -> None:
        rule = self.stage(rule="objection")
        kept = [self.said("yes"), *(self.said("minor") for _ in range(4))]
        assert state(rule, *kept)[:2] == ("settled", {"q": "minor"})
        assert state(rule, *kept, self.said("back", "too long"))[::2] == ("returned", "too long")
