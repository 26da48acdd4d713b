"""One caption over several regions."""

import pytest

from deadpan.editing.choosing import spread


@pytest.mark.parametrize(
    ("text", "old", "parts"),
    [
        ("All of it", ["x"], ("All of it",)),
        ("one two\n\nthree", ["aaaa", "b"], ("one two", "three")),
        ("first line\nsecond line", ["a", "b"], ("first line", "second line")),
        ("It rains. I sing.", ["x" * 9, "x" * 8], ("It rains.", "I sing.")),
        ("a b. c d. e f.", ["xx", "xxxx"], ("a b.", "c d. e f.")),
        ("When it rains, I sing", ["x" * 12, "x" * 5], ("When it rains,", "I sing")),
        ("今天下雨，我很开心", ["周一早上", "我不想上班"], ("今天下雨，", "我很开心")),
        ("好的。谢谢！再见", ["甲", "乙", "丙"], ("好的。", "谢谢！", "再见")),
        ("yes no", ["aaaaaaaaaaaaa", "b"], ("yes", "no")),
    ],
)
def test_parts(text: str, old: list[str], parts: tuple[str, ...]) -> None:
    assert spread(text, old) == parts


def test_nothing_is_lost_and_nothing_is_added() -> None:
    text = "So many words, and none of them may be lost; however often one cuts. Truly none!"
    for count in range(1, 8):
        parts = spread(text, ["some old text"] * count)
        assert len(parts) == count and " ".join(parts) == text


@pytest.mark.parametrize(("text", "count"), [("Yes", 2), ("a b", 3), ("", 1), ("text", 0)])
def test_what_cannot_be_cut_raises(text: str, count: int) -> None:
    with pytest.raises(ValueError):
        spread(text, ["old"] * count)
