"""Signatures: what they say, read back, and what keeps two scores apart."""

import pytest

from deadpan.base.errors import MixedSignatures
from deadpan.core.signature import (
    Signature,
    annotations_of,
    checksum,
    combine_signatures,
    join_signatures,
    parse_signature,
    require_equal,
    signature_differences,
    with_media,
)

WHOLE = Signature("vimu", "eg", "4", 588, "ab", "p", total=588)
PART = Signature("vimu", "eg", "4", 100, "ab", "p", settings={"items": "12cd"}, total=588)


def test_a_part_says_how_much_of_the_data_it_is() -> None:
    assert "|n:588|" in str(WHOLE) and WHOLE.part is None
    assert "|n:100/588|" in str(PART) and "|items:12cd|" in str(PART)
    assert PART.part == (100, 588)
    for one in (WHOLE, PART):
        assert str(parse_signature(str(one))) == str(one)


def test_items_are_counted_once_however_often_they_were_asked() -> None:
    thrice = Signature("vimu", "eg", "4", 300, "ab", "p", settings={"epochs": "3"}, total=1764)
    assert "|n:300/1764|" in str(thrice) and thrice.part == (100, 588)
    odd = Signature("vimu", "eg", "4", 3, "ab", "p", settings={"epochs": "x"}, total=6)
    assert odd.part == (3, 6)


def test_where_the_whole_is_not_known_nothing_is_said_of_it() -> None:
    old = parse_signature("vimu/eg|v3|n:50|data:ab|prompts:p|judge:none|deadpan:0.1")
    assert (old.n, old.total, old.part) == (50, 0, None)
    with pytest.raises(ValueError, match="not a Deadpan signature"):
        parse_signature("vimu/eg|v3|n:5/x|data:ab|prompts:p|judge:none|deadpan:0.1")


def test_annotations_are_known_whatever_media_came_with_them() -> None:
    whole, part = with_media("7afd", "1b2c", 3, 3), with_media("7afd", "1b2c", 2, 3)
    assert (whole, part) == ("7afd+media:1b2c", "7afd+media:1b2c(2/3)")
    assert {annotations_of(one) for one in (whole, part, "7afd")} == {"7afd"}
    signed = Signature("a", "b", "1", 2, part, "p")
    assert parse_signature(str(signed)).data == part


def test_a_score_of_several_tasks_is_as_much_a_part_as_the_smallest() -> None:
    joined = parse_signature(join_signatures("summary", [str(WHOLE), str(PART)]))
    assert (joined.n, joined.total) == (100, 588)
    other = Signature("vimu", "rm", "4", 588, "ab", "p", total=588)
    assert "n:eg=100/588,rm=588|" in combine_signatures([str(PART), str(other)])


def test_a_part_may_stand_beside_the_whole_of_another_model_as_it_is_marked() -> None:
    require_equal([("a", str(WHOLE)), ("b", str(PART))], mix=False)
    with pytest.raises(MixedSignatures, match="n:100/588"):
        require_equal([("a", str(WHOLE)), ("a", str(PART))], mix=False)
    require_equal([("a", str(WHOLE)), ("a", str(PART))], mix=True)


def test_one_rule_says_what_is_a_part_wherever_answers_come_from() -> None:
    """Two items of four, twice each; and of a run that asked three of them before it broke off."""
    about = Signature("vimu", "eg", "4", 0, "ab", "p", settings={"epochs": "2"}, total=8)
    whole = about.over(list("abcd") * 2)
    assert (whole.n, whole.part, whole.settings) == (8, None, {"epochs": "2"})
    part = about.over(list("ab") * 2)
    assert (part.n, part.asked, part.part) == (4, 4, (2, 4))
    assert part.settings == {"epochs": "2", "items": checksum(["a", "b"])}
    broken = about.over(list("ab") * 2, asked=6)
    assert (broken.n, broken.asked, broken.settings["asked"]) == (4, 6, "6")
    assert parse_signature(str(broken)) == broken
    assert broken.over(list("abcd") * 2) == whole
    unknown = Signature("vimu", "eg", "4", 0, "ab", "p").over(["a"], asked=3)
    assert (unknown.n, unknown.total) == (1, 3)


def external(n: int, items: str = "") -> str:
    settings = {"items": items} if items else {}
    return str(Signature("vimu", "eg", "4", n, "ab", "external", settings=settings, total=588))


def test_answers_from_elsewhere_to_a_part_may_stand_beside_others() -> None:
    require_equal([("a", external(588)), ("b", external(100, "12cd"))], mix=False)
    with pytest.raises(MixedSignatures):
        require_equal([("a", external(588)), ("a", external(100, "12cd"))], mix=False)


def test_what_differs_is_said_in_few_words() -> None:
    assert signature_differences([str(WHOLE), str(PART)]) == ["n:588", "n:100/588"]
    assert signature_differences([external(100, "12"), external(100, "34")]) == [
        "items:12",
        "items:34",
    ]
