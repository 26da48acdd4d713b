"""Yes, no, or nothing clear, in both languages."""

import pytest

from deadpan.parsing.replies import Unparseable
from deadpan.parsing.script import simplify
from deadpan.parsing.stances import METAPHOR, SARCASM

YES = """Yes|yes.|Yes, it is sarcastic.|是|是的|是的，有讽刺。|有讽刺|讽刺|含有讽刺|Sarcastic
sarcasm|This post is sarcastic.|The caption is clearly sarcastic|There is sarcasm here|true|True
1|**Yes**|该图文对含有讽刺意味。|这是一种反讽|图文运用了反讽手法
Not only funny but it is sarcastic|非常讽刺|不仅是讽刺，更是批判|无疑是讽刺|不得不说这很讽刺
存在讽刺|Yes - the praise is fake.|不无讽刺|是讽刺|Sarcastic. It mocks the boss.
这组图文讽刺了加班文化。|Yes. No one would praise this.|Yes, no doubt.|属于讽刺|对
The post uses heavy sarcasm to mock overtime.|何尝不是讽刺
The answer is yes.|I would say yes.|A. yes|1. yes|是或否：是|yes/no: yes|答案是肯定的。|答案：是
Is it sarcastic? Yes.|这不是赞美而是讽刺|通过不合理的对比讽刺了公司
Nothing but praise, yet it is sarcastic
The praise is fake, so the answer is yes."""
NO = """No|no.|否|不是|没有讽刺|不含讽刺|非讽刺|无讽刺|不讽刺|不是讽刺|并非讽刺|不存在讽刺|False
false|没有明显的讽刺意味|Not sarcastic|not sarcastic.|Non-sarcastic|nonsarcastic
This isn't sarcastic|No, it is not sarcastic.|It does not contain any sarcasm
There is no sarcasm|no sarcasm|不带讽刺|该图文对不含有讽刺。|未体现讽刺|不包含讽刺|没有|无
否，这是真诚的祝福。|No. The post is sincere.|the post is not a sarcastic one
It isn't meant to be sarcastic.|这不属于讽刺|不构成讽刺|看不出讽刺|毫无讽刺之意
No, sarcasm would need a contrast.|It is sincere rather than sarcastic
It cannot be considered sarcastic.|far from sarcastic|It is far from sarcastic|hardly sarcastic
It is barely sarcastic.|The post fails to be sarcastic|Nothing in this post is sarcastic
sarcasm-free|The post is sarcasm-free.|不能算是讽刺|不能说这是讽刺|不应视为讽刺
没有使用反语来进行讽刺
这算不上讽刺|I don't think it is sarcastic.|It is unlikely to be sarcastic
It is not meant to be in any way sarcastic|too sincere to be sarcastic
The answer is no.|Is it sarcastic? No.|Sarcastic? No.|(B) no|1. no|是/否：否
是讽刺吗？不是。|答案是否定的
It reads as praise; the answer is no.
The tone is the opposite of sarcastic.|It has zero sarcasm|我不认为这是讽刺"""
NEITHER = """Yes and no|yes or no|yes/no|是/否|是或否|是，也不是|maybe|It might be sarcastic
可能是讽刺，也可能不是讽刺|It could be sarcastic or not sarcastic|It may or may not be sarcastic
unclear whether it is sarcastic|是否讽刺|A cat sits on a sofa.|一只猫坐在沙发上|有没有讽刺很难说
Yes, but it is not sarcastic.|有讽刺，但也可以说没有讽刺|sarcastic / not sarcastic|讽刺/非讽刺
有/无|yes, or maybe no|Hard to tell if this is sarcastic.|可能是，也可能不是
很难说是讽刺|A post about sarcasm|Sarcasm? Who knows|讽刺漫画展|The sarcastic cat
不能说没有讽刺|It is not without sarcasm
It is hard to call this sarcastic|I doubt this is sarcastic|不一定是讽刺
Is it sarcastic?|A. yes B. no
Yes. No.|The answer is not yes.|This post is about sarcasm|I am not sure it is sarcastic
如果是讽刺的话|讽刺意味不明显|讽刺效果没有达到|It is wrong to see it as sarcastic|sarcasm: 0"""


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


@pytest.mark.parametrize(
    "text",
    [
        "not " * 50_000,
        "不是有" * 50_000,
        "is a " * 50_000 + "sarca",
        "可能是" * 9999,
        "没有使用" * 5000,
        "nothing is " * 9999,
        "不能说" * 9999 + "?",
    ],
)
def test_hostile_text_says_nothing_clear(text: str) -> None:
    with pytest.raises(Unparseable, match="it says neither clearly"):
        SARCASM.says(text)


def test_traditional_characters_are_read_as_simplified_ones() -> None:
    assert simplify("我的回覆：也許強烈隱喻 a\ud83d乾") == "我的回复：也许强烈隐喻 a\ud83d干"
    assert SARCASM.says("何嘗不是諷刺") is True
    with pytest.raises(Unparseable):
        SARCASM.says("也許是諷刺")
