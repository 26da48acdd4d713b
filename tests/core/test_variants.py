"""Questions asked otherwise: who is shown what, in what order, and how signatures tell it."""

from collections.abc import Sequence

import pytest

from deadpan.base.errors import DeadpanError, MixedSignatures
from deadpan.benchmarks import find
from deadpan.core.question_variants import (
    PICTURE_OF,
    Variants,
    other_order,
    reorder_text,
    require_variant,
    vary_questions,
)
from deadpan.core.questions import Clip, MediaOptions, Picture, Question
from deadpan.core.signature import Signature, require_equal
from deadpan.core.variants import Variant, variant_shown


class Toy:
    name = "toy"
    variants = Variants()


def asked(item: str, language: str = "en", panels: int | None = None, **more: object) -> Question:
    about = {"pictures": (Picture(path=f"{item}.png"),), **more}
    fixed = {"system": "", "text": "Yes or No?", "form": "choice", "options": ("Yes", "No")}
    return Question.model_validate(
        {
            "item": item,
            "language": language,
            "panels": panels,
            "gold": ["Yes"],
            "attributes": {},
            **fixed,
            **about,
        }
    )


def vary(questions: Sequence[Question], variant: Variant, seed: int = 0) -> list[Question]:
    made, lost = vary_questions(Toy(), "t", questions, variant, seed)  # type: ignore[arg-type]
    assert not lost
    return made


@pytest.mark.parametrize(
    ("text", "options", "order", "wanted"),
    [
        ("Reply: Yes or No.", ("Yes", "No"), [1, 0], "Reply: No or Yes."),
        ("只回答：是 或 否。", ("是", "否"), [1, 0], "只回答：否 或 是。"),
        ("是否讽刺：是或否", ("是", "否"), [1, 0], "是否讽刺：否或是"),
        (
            "One word: Text, Visual or Both.",
            ("Text", "Visual", "Both"),
            [2, 0, 1],
            "One word: Both, Text or Visual.",
        ),
        ("A\nPresent, yes\nB", ("A", "Present, yes", "B"), [1, 2, 0], "Present, yes\nB\nA"),
        ("Pun: words.\nDark: grim.\n\nReply.", ("Pun", "Dark"), [1, 0], "Dark: grim.\nPun: words."),
        ("双关：字。\n夸张：大。", ("双关", "夸张"), [1, 0], "夸张：大。\n双关：字。"),
    ],
)
def test_options_in_a_row_or_in_lines_change_places(
    text: str, options: tuple[str, ...], order: list[int], wanted: str
) -> None:
    assert (reorder_text(text, options, order) or "").startswith(wanted)


def test_what_an_item_says_keeps_its_order() -> None:
    text = "<<<\nyes or no, who knows\n>>>\n\nAnswer: yes or no."
    assert reorder_text(text, ("yes", "no"), [1, 0]) == text.replace(": yes or no", ": no or yes")


@pytest.mark.parametrize("text", ["nothing here", "yes, it does. no", "noyes or nono", "Yes: a"])
def test_options_that_stand_nowhere_are_not_made_up(text: str) -> None:
    assert reorder_text(text, ("yes", "no"), [1, 0]) is None


def test_another_order_is_never_the_usual_one() -> None:
    import random

    orders = [other_order(2, random.Random(seed)) for seed in range(9)]
    assert orders == [[1, 0]] * 9
    assert all(other_order(4, random.Random(seed)) != [0, 1, 2, 3] for seed in range(200))
    with pytest.raises(ValueError, match="no other order"):
        other_order(1, random.Random(0))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_swapped_pictures_are_a_derangement_of_language_and_panels(seed: int) -> None:
    questions = [
        asked(f"{language}{panels}{number}", language, panels)
        for language in ("en", "zh")
        for panels in (3, 4)
        for number in range(7)
    ]
    made = vary(questions, Variant.SWAPPED, seed)
    by_item = {one.item: one for one in questions}
    shown = [str(one.attributes[PICTURE_OF]) for one in made]
    assert sorted(shown) == sorted(by_item)  # every picture once
    for one, other in zip(made, shown, strict=True):
        assert other != one.item
        assert one.pictures == by_item[other].pictures
        assert (one.language, one.panels) == (by_item[other].language, by_item[other].panels)
        assert one.gold == by_item[one.item].gold and one.text == by_item[one.item].text


def test_another_seed_swaps_otherwise_and_the_same_alike() -> None:
    questions = [asked(f"i{number}") for number in range(20)]
    first, again, other = (
        [one.attributes[PICTURE_OF] for one in vary(questions, Variant.SWAPPED, seed)]
        for seed in (0, 0, 1)
    )
    assert first == again != other


def test_the_only_comic_with_so_many_panels_is_shown_another_of_its_language() -> None:
    made = vary([asked("a", panels=2), asked("b", panels=9), asked("c", panels=2)], Variant.SWAPPED)
    assert made[1].attributes[PICTURE_OF] in ("a", "c")


def test_items_that_share_a_picture_are_not_shown_it() -> None:
    same = (Picture(path="same.png"),)
    made = vary([asked("a", pictures=same), asked("b", pictures=same), asked("c")], Variant.SWAPPED)
    assert [one.attributes[PICTURE_OF] for one in made[:2]] == ["c", "c"]


def test_who_has_no_other_picture_in_its_language_is_left_out() -> None:
    questions = [asked("en", "en"), asked("zh", "zh")]
    made, lost = vary_questions(Toy(), "t", questions, Variant.SWAPPED, 0)  # type: ignore[arg-type]
    assert made == []
    assert set(lost) == {"en", "zh"} and "no other item" in lost["en"]


def test_a_swapped_film_keeps_its_own_words() -> None:
    clips = {
        "a": Clip(path="a.mp4", transcript="hello"),
        "b": Clip(path="b.mp4"),
    }
    questions = [asked(name, pictures=(), clip=clip) for name, clip in clips.items()]
    first, second = vary(questions, Variant.SWAPPED)
    assert first.clip == Clip(path="b.mp4", transcript="hello")
    assert second.clip == Clip(path="a.mp4", transcript=None, sound="b.mp4")


def test_a_blank_picture_keeps_its_file_and_says_so() -> None:
    (made,) = vary([asked("a", clip=Clip(path="a.mp4"))], Variant.BLANK)
    assert made.pictures[0].blank and made.clip is not None and made.clip.blank
    assert made.pictures[0].path == "a.png"


@pytest.mark.parametrize(
    ("showing", "of_clips", "wanted"),
    [
        (MediaOptions(), False, {}),
        (MediaOptions(), True, {"shown": "8x768"}),
        (MediaOptions(variant=Variant.TEXT_ONLY), True, {"shown": "text"}),
        (MediaOptions(variant=Variant.BLANK), False, {"shown": "blank"}),
        (MediaOptions(variant=Variant.BLANK), True, {"shown": "blank", "frames": "8x768"}),
        (
            MediaOptions(variant=Variant.SWAPPED, variant_seed=3),
            False,
            {"shown": "swapped", "variant_seed": "3"},
        ),
        (MediaOptions(variant=Variant.QUESTION_ONLY), True, {"shown": "question-only"}),
    ],
)
def test_the_signature_tells_how_items_were_shown(
    showing: MediaOptions, of_clips: bool, wanted: dict[str, str]
) -> None:
    assert showing.settings(of_clips) == wanted


def test_a_variant_is_known_again_from_a_signature() -> None:
    assert [variant_shown(one.shown) for one in Variant] == list(Variant)
    assert variant_shown("8x768") is variant_shown("") is Variant.FULL


def signature(**settings: str) -> str:
    return str(Signature("toy", "t", "1", 3, "d", "p", settings=settings))


def test_ways_of_asking_are_told_in_words() -> None:
    def way(**settings: str) -> str:
        return Signature("toy", "t", "1", 3, "d", "p", settings=settings).way

    assert way() == way(shown="8x768") == ""
    assert way(shown="blank") == "blank picture"
    assert way(shown="shuffled-options", variant_seed="2") == "options shuffled, seed 2"
    assert way(paraphrase="1") == "paraphrase 1"


def test_variants_share_a_table_and_other_settings_do_not() -> None:
    made = [signature(), signature(shown="blank"), signature(paraphrase="1")]
    require_equal([("m", text) for text in made], mix=False)
    unlike = [signature(shown="blank"), signature(shown="blank", temperature="1")]
    with pytest.raises(MixedSignatures):
        require_equal([("m", text) for text in unlike], mix=False)


def test_a_variant_that_does_not_apply_says_what_does() -> None:
    with pytest.raises(
        DeadpanError, match="picture-only does not apply; expected one of text-only"
    ):
        require_variant(find("pixelhumor"), "style", Variant.PICTURE_ONLY)
    with pytest.raises(DeadpanError, match=r"merbench/reappraisal: --variant blank does not apply"):
        require_variant(find("merbench"), "reappraisal", Variant.BLANK)


def test_a_blank_video_is_shown_as_frames() -> None:
    with pytest.raises(ValueError, match="leave out native"):
        MediaOptions(native=True, variant=Variant.BLANK)
