"""Yes, no, or nothing clear, in both languages."""

import time

import pytest

from deadpan.benchmarks.cfms.stances import METAPHOR, SARCASM
from deadpan.replies import Unparseable

YES = """Yes|yes.|Yes, it is sarcastic.|是|是的|是的，有讽刺。|有讽刺|讽刺|含有讽刺|Sarcastic
sarcasm|This post is sarcastic.|The caption is clearly sarcastic|There is sarcasm here|true|True
1|**Yes**|该图文对含有讽刺意味。|这是一种反讽|图文运用了反讽手法
Not only funny but it is sarcastic|非常讽刺|不仅是讽刺，更是批判|无疑是讽刺|不得不说这很讽刺
存在讽刺|Yes - the praise is fake.|不无讽刺|是讽刺|It might be sarcastic
这组图文讽刺了加班文化。|Yes. No one would praise this.|Yes, no doubt.|属于讽刺|对
The post uses heavy sarcasm to mock overtime.|何尝不是讽刺"""
NO = """No|no.|否|不是|没有讽刺|不含讽刺|非讽刺|无讽刺|不讽刺|不是讽刺|并非讽刺|不存在讽刺|False
false|没有明显的讽刺意味|Not sarcastic|not sarcastic.|Non-sarcastic|nonsarcastic
This isn't sarcastic|No, it is not sarcastic.|It does not contain any sarcasm
There is no sarcasm|no sarcasm|不带讽刺|该图文对不含有讽刺。|未体现讽刺|不包含讽刺|没有|无
否，这是真诚的祝福。|No. The post is sincere.|the post is not a sarcastic one
It isn't meant to be sarcastic.|这不属于讽刺|不构成讽刺|看不出讽刺|毫无讽刺之意
No, sarcasm would need a contrast.|It is sincere rather than sarcastic"""
NEITHER = """Yes and no|yes or no|yes/no|是/否|是或否|是，也不是|maybe
可能是讽刺，也可能不是讽刺|It could be sarcastic or not sarcastic|It may or may not be sarcastic
unclear whether it is sarcastic|是否讽刺|A cat sits on a sofa.|一只猫坐在沙发上|有没有讽刺很难说
Yes, but it is not sarcastic.|有讽刺，但也可以说没有讽刺|sarcastic / not sarcastic|讽刺/非讽刺
有/无|yes, or maybe no|Hard to tell if this is sarcastic.|可能是，也可能不是"""


def listed(texts: str) -> list[str]:
    return texts.replace("\n", "|").split("|")


@pytest.mark.parametrize("text", listed(YES))
def test_yes(text: str) -> None:
    assert SARCASM.says(text) is True


@pytest.mark.parametrize("text", listed(NO))
def test_no(text: str) -> None:
    assert SARCASM.says(text) is False


@pytest.mark.parametrize("text", ["", " \n", "…", *listed(NEITHER)])
def test_both_or_nothing_clear_is_never_guessed(text: str) -> None:
    with pytest.raises(Unparseable):
        SARCASM.says(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("有隐喻", True),
        ("It uses a metaphor.", True),
        ("metaphorical", True),
        ("没有使用隐喻", False),
        ("No metaphor", False),
        ("不是比喻", False),
    ],
)
def test_metaphor_is_asked_the_same_way(text: str, says: bool) -> None:
    assert METAPHOR.says(text) is says


def test_hostile_text_takes_no_time() -> None:
    began = time.perf_counter()
    for text in (
        "not " * 50_000,
        "不是有" * 50_000,
        "is a " * 50_000 + "sarcastic",
        "可能是" * 9999,
    ):
        try:
            SARCASM.says(text)
        except Unparseable:
            continue
    assert time.perf_counter() - began < 2
