"""Questions that are not asked: excluded items, and those that cannot be shown."""

import pytest

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks.pixelhumor import PIXELHUMOR
from deadpan.core.questions import Question
from deadpan.core.selection import exclusions, select_questions


def question(item: str, harm: str = "non-harm", unshown: str | None = None) -> Question:
    return Question(
        item=item,
        language="en",
        system="s",
        text="t",
        form="free",
        gold=None,
        attributes={"harm": harm},
        unshown=unshown,
    )


ASKED = [question("a_1"), question("a_2", "harm"), question("a_3", unshown="too small")]


def test_nothing_is_left_out_unasked() -> None:
    assert select_questions(PIXELHUMOR, ASKED).questions == ASKED


def test_harmful_items_are_left_out_and_signed() -> None:
    chosen = select_questions(PIXELHUMOR, ASKED, ("harmful",))
    assert [one.item for one in chosen.questions] == ["a_1", "a_3"]
    assert (chosen.excluded, chosen.settings) == (("a_2",), {"exclude": "harmful"})


def test_what_cannot_be_shown_is_left_out_where_pictures_are_shown() -> None:
    chosen = select_questions(PIXELHUMOR, ASKED, shown=True)
    assert [one.item for one in chosen.questions] == ["a_1", "a_2"]
    assert (dict(chosen.unshown), chosen.settings) == ({"a_3": "too small"}, {"left_out": "1"})


def test_nothing_marked_changes_no_signature() -> None:
    assert select_questions(PIXELHUMOR, ASKED[:1], ("harmful",)).settings == {}


def test_any_benchmark_may_mark_an_item() -> None:
    assert PIXELHUMOR.is_harmful({"harm": "harm"})
    assert not PIXELHUMOR.is_harmful({"harm": "non-harm"})
    assert not PIXELHUMOR.is_harmful({})


def test_names() -> None:
    assert exclusions("harmful") == exclusions(["harmful", "harmful"]) == ("harmful",)
    assert exclusions(()) == ()
    with pytest.raises(DeadpanError, match="exclude harm: expected harmful; did you mean harmful"):
        exclusions("harm")
