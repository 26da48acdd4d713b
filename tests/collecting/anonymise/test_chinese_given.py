"""Chinese names by how much better a text reads with one; measures, idioms and words stay."""

import pytest

pytest.importorskip("jieba", reason="names in Chinese need the [text] extra")

from deadpan.collecting.anonymise.chinese_given import (
    full_names,
    looks_given,
    surname_of,
)


def likely(run: str) -> list[str]:
    return [run[one.start : one.end] for one in sorted(full_names(run)) if one.likely]


@pytest.mark.parametrize(
    ("run", "names"),
    [
        ("梁思远你是真的狗", ["梁思远"]),
        ("潘建国是我爸", ["潘建国"]),
        ("欧阳娜和司徒健在一起了", ["欧阳娜", "司徒健"]),
        ("陆哲明说他也不会", ["陆哲明"]),
        ("跟段弘毅合租", ["段弘毅"]),
        ("马马虎虎的一生", []),
        ("这张图笑死我了", []),
        ("周末又没了", []),
        ("王者荣耀又掉段了", []),
        ("高兴得像个傻子", []),
        ("哈", []),
    ],
)
def test_full_names(run: str, names: list[str]) -> None:
    assert likely(run) == names


def test_parts_of_names() -> None:
    assert looks_given("若曦") and not looks_given("阳光") and not looks_given("的了")
    assert surname_of("欧阳娜") == "欧阳" and surname_of("王") == "王"
    assert surname_of("的") is None and surname_of("") is None
