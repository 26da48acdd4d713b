"""Which answers name self-deprecation, in English and Chinese, with negation."""

import pytest

from deadpan.benchmarks.janusmm.equivalents import equivalents, naming

NAMED_EN = """
The poster is joking about how badly he failed, in a self-deprecating way, not attacking anyone.
The poster is not complaining about work so much as making fun of himself.
It's a humorous, self-deprecating confession.
Nobody is being attacked: it is self-mockery.
The meme isn't about the cat; the poster is poking fun at her own laziness.
An expression of relatable self-deprecating frustration
He never learns, and he jokes about it at his own expense.
This is a form of lighthearted self-ridicule rather than genuine despair.
It is not a serious complaint, but rather self-deprecating humor.
No, it's self-deprecating.
The poster playfully admits he doesn't exercise, mocking his own habits.
Not a complaint - self-deprecation.
Self-deprecating, with no malice.
a not-so-subtle self-own
a not very subtle self-own
An attempt at self-deprecating humour that does not land
No one is mocked except himself: self-mockery
not a brag; a self-burn
without malice, she mocks herself
This is less a complaint than self-mockery.
self-deprecation
Self-deprecating humor.
SELF-DEPRECATING HUMOUR
This is self-mockery.
A self-mocking joke about being late.
The poster is mocking himself.
She is making fun of herself.
They're making fun of themselves.
I am making fun of myself here.
He pokes a bit of fun at himself.
Making gentle fun of oneself.
The person is laughing at herself.
It invites you to laugh at yourself.
He laughs, and laughs at his own failure.
A self-own.
Classic self-roast.
He roasts himself for being lazy.
joking at her own expense
Humour at one's own expense
The sender jokes about himself.
The sender mocks the sender's own laziness.
He's mocking his own cooking skills.
She teases herself about the diet.
putting himself down for laughs
He turns himself into a joke.
She makes herself the butt of the joke.
the butt of his own joke
Sarcasm aimed at himself
Humor directed at one's own failures
mockery of oneself
A self-deprecatory remark.
Speaking self-deprecatingly.
self-ridicule
Self-disparaging humour
self-directed humor
humour that is self-directed
self‑deprecating (with a non-breaking hyphen)
selfdeprecating
self deprecating
**self**-deprecating
“self-deprecating”
not only self-deprecating but also sad
It is not just self-mockery.
This isn't merely self-deprecation, it is a cry for help.
not sarcasm but self-mockery
It is not mean, just self-deprecating.
It isn't hostile, it's self-deprecating.
not so much sarcasm as self-mockery
He can't cook and makes fun of himself.
He doesn't take himself too seriously and laughs at himself.
can't help laughing at himself
never stops making fun of himself
not afraid to laugh at himself
no doubt self-deprecating
without a doubt self-deprecation
not without self-mockery
nothing but self-mockery
none other than self-deprecation
sarcasm or self-mockery
Perhaps self-deprecating, perhaps ironic.
It could be self-deprecating humour.
Self-deprecating? Yes.
self-deprecating - not sarcastic
Self-deprecating humour isn't aggressive.
He has no money and no plan: self-deprecating humour.
self-depreciating humor
This is 自嘲.
<i>Self-Deprecation</i>
Rather than complain, he makes fun of himself.
""".strip().splitlines()

UNNAMED_EN = """
It's a complaint; the poster isn't being self-deprecating.
The humour is directed at the boss and not at the poster himself.
It does not seem to be self-deprecating.
It doesn't look like self-mockery to me.
There is nothing self-deprecating about it.
I wouldn't call it self-deprecating.
It's playful teasing of a friend, with no self-mockery involved.
I see no self-deprecation in it.
This has no element of self-mockery.
It does not contain self-deprecating humor.
It was never intended to be self-deprecating.
Hardly self-deprecating.
not self-deprecating
It is not self-deprecation.
This isn't self-deprecating at all.
It's never self-mocking.
sarcasm rather than self-mockery
complaining instead of making fun of himself
He isn't making fun of himself.
She is not really making fun of herself.
They are not laughing at themselves.
It is sarcasm, not self-deprecation.
It's neither ironic nor self-deprecating.
There is no self-deprecation here.
There's no hint of self-mockery.
no sarcasm, irony or self-mockery
not sarcasm or self-mockery
not sarcasm and self-mockery
without self-deprecation
without any trace of self-mockery
anything but self-deprecating
far from self-deprecating
It lacks self-deprecation.
The absence of self-mockery is striking.
non-self-deprecating
I don't think the meme is self-deprecating.
I do not believe this is meant as self-mockery.
It cannot be called self-deprecating.
more sarcastic than self-deprecating
more of a complaint than self-mockery
too serious to be self-deprecating
not so much self-mockery as despair
It has nothing to do with self-deprecation.
not to be confused with self-mockery
as opposed to self-deprecating humour
unlike self-deprecation, it attacks others
whether it is self-deprecating is unclear
Self-deprecation: no
Self-deprecation: not present
Is it self-deprecating? No.
Self-mockery is absent.
Self-deprecation is not the point.
He is unable to laugh at himself.
He refuses to laugh at himself.
mocking others rather than himself
laughing at others, not at himself
He is making fun of his friends.
mocking his own boss
She makes fun of her own mother.
He travelled at his own expense.
self-criticism
self-pity
self-irritation
self-care
Sarcasm.
Irony about office life
A complaint about Mondays
The poster shows self-confidence.
He enjoys himself.
humble bragging
It mocks the government.
He laughs at the cat itself falling.
jokes not about himself
It is a self-employed joke.
He owns himself a car.
The poster is sad and tired.
Nothing here is funny.
""".strip().splitlines()

NAMED_ZH = """
使用自嘲的方式表达无奈
发图者不是真的难过，只是在自嘲
发图者通过自嘲来化解尴尬，并没有抱怨
不是抱怨而是自嘲
用幽默的方式调侃自己没有钱
他觉得自己不行，所以拿自己开涮
发图者没有直接说，而是用自嘲的方式
没有恶意的自嘲
毫无恶意的自我调侃
不带攻击性的自嘲
非常典型的自嘲
没什么大不了的自嘲
不伤人的自嘲
是一种不好意思的自嘲
无伤大雅的自我调侃
与其抱怨，不如自嘲
自嘲
这是自嘲。
一种自我调侃
自黑
发图者在自我贬低
拿自己开玩笑
拿自己的懒惰开玩笑
她拿自己的身材打趣
开自己的玩笑
开了自己一个玩笑，也就是自嘲
调侃自己
调侃自己的生活
调侃了一下自己
调侃的是自己
调侃的其实是自己的拖延症
嘲笑自己
嘲笑他自己
嘲讽自身处境
吐槽自己起不来
挖苦自己
对自己的调侃
对自己生活的嘲讽
对自身处境进行调侃
以自己为笑料
把自己当成笑话
自己嘲笑自己
自我嘲讽与无奈
自我解嘲
自我吐槽
自谑
自贬式幽默
自损
幽默地自嘲
无奈的自嘲
无奈自嘲
带着无力感的自嘲
不仅是自嘲
不仅仅是自嘲，更是求安慰
不只是自嘲，还有无奈
不单是自嘲
不光自嘲，还讽刺社会
不完全是自嘲
不止是讽刺和自嘲
不得不自嘲
不禁自嘲
不免自嘲
忍不住自嘲
不由得自嘲起来
不无自嘲
并非没有自嘲
不是没有自嘲的意思
没想到他在自嘲
没钱的打工人自嘲
无非是自嘲
无疑是自嘲
何尝不是自嘲
难道不是自嘲吗
不是讽刺，而是自嘲
不是讽刺别人，是自嘲
并非攻击他人，而是自我调侃
与其说是讽刺，不如说是自嘲
是自嘲而不是讽刺
自嘲，没有恶意
讽刺或自嘲
可能是自嘲
自我調侃
嘲諷自己
“自嘲”
自嘲？是的。
是否自嘲：是
self-deprecating（自我贬低）
""".strip().splitlines()

UNNAMED_ZH = """
发图者并没有自嘲，而是在夸自己的猫
不是自我调侃，是在庆祝
没有调侃自己
并不是在自我贬低
图中没有体现自嘲
不能理解为自嘲
不应该被视为自嘲
这里看不到任何自嘲
与自嘲无关
和自嘲没有关系
这不叫自嘲
不是自嘲
这不是自嘲。
并不是自嘲
并非自黑
没有自嘲的意思
没有任何自嘲的成分
毫无自嘲
并无自嘲之意
不算自嘲
算不上自嘲
谈不上自嘲
称不上是自嘲
不属于自我调侃
不存在自嘲
看不出自嘲
看不出有自嘲的意思
感受不到自嘲
是讽刺而不是自嘲
是讽刺而非自嘲
讽刺社会，而不是在调侃自己
他没有在嘲笑自己
他不是在嘲笑自己
他并不是想拿自己开玩笑
不会自嘲
不带自嘲
不带有任何自嘲
不涉及自我贬低
不是为了自嘲
既不是讽刺也不是自嘲
不是讽刺或自嘲
没有讽刺和自嘲
没有任何讽刺、挖苦或自嘲的意思
与其说是自嘲，不如说是讽刺
绝非自嘲
远非自嘲
缺乏自嘲
是不是自嘲
是否属于自嘲还不清楚
很难说是自嘲
未必是自嘲
不像自嘲
重点不在自嘲
自嘲？不是。
自嘲：否
自嘲：没有
自嘲的成分不存在
嘲笑自己的老板
吐槽自己的公司
调侃自己的朋友
拿自己的同事开玩笑
对自己的老板的嘲讽
讽刺社会
嘲笑别人
调侃他人
对自己没有损失
抱怨工作
自我安慰
自信
自恋
自我反省
自我怀疑
自夸
表达无奈和疲惫
幽默地抱怨天气
他自己很开心
自己做饭
""".strip().splitlines()


@pytest.mark.parametrize("answer", [*NAMED_EN, *NAMED_ZH])
def test_an_answer_that_names_it(answer: str) -> None:
    assert naming(answer) is not None


@pytest.mark.parametrize("answer", [*UNNAMED_EN, *UNNAMED_ZH])
def test_an_answer_that_does_not_name_it(answer: str) -> None:
    assert naming(answer) is None


def test_both_languages_are_tried_hard() -> None:
    assert min(len(NAMED_EN), len(UNNAMED_EN), len(NAMED_ZH), len(UNNAMED_ZH)) >= 60


@pytest.mark.parametrize("word", equivalents().en["self"])
def test_every_english_word_names_it_and_can_be_negated(word: str) -> None:
    assert naming(f"The poster's self-{word} here.") == f"self-{word}"
    assert naming(f"This is not self-{word}.") is None


@pytest.mark.parametrize("verb", equivalents().en["verbs"])
def test_every_english_verb_takes_a_self(verb: str) -> None:
    assert naming(f"It is about how people {verb} themselves in public.") is not None
    assert naming(f"It is about how people {verb} other people.") is None


@pytest.mark.parametrize("term", equivalents().zh["terms"])
def test_every_chinese_term_names_it_and_can_be_negated(term: str) -> None:
    assert naming(f"发图者在{term}。") == term
    assert naming(f"这不是{term}。") is None


@pytest.mark.parametrize("verb", equivalents().zh["verbs"])
def test_every_chinese_verb_takes_a_self(verb: str) -> None:
    assert naming(f"发图者在{verb}自己") is not None
    assert naming(f"发图者在{verb}自己的朋友") is None


def test_one_naming_that_stands_is_enough() -> None:
    assert naming("It is not self-deprecation but self-mockery.") == "self-mockery"
    assert naming("这不是自我贬低，而是自嘲。") == "自嘲"


def test_a_negation_does_not_reach_over_a_list_item() -> None:
    assert naming("- not\n- self-deprecation") is not None
    assert naming("It is not\nself-deprecation.") is None


@pytest.mark.parametrize("text", ["", " ", "…", "🙂", "\u0000", "\ud800", "自", "self", "-" * 50])
def test_text_without_words_names_nothing(text: str) -> None:
    assert naming(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "not really " * 10_000 + "self-deprecating",
        "joke about " * 10_000,
        "make a bit of fun of " * 5_000,
        "对自己" * 30_000,
        "不是" * 50_000 + "自嘲",
        "\u0301" * 100_000,
        "self " * 20_000,
        "jokes a b c d " * 7_000,
        " " * 100_000,
    ],
)
def test_a_hundred_thousand_odd_characters_name_nothing(text: str) -> None:
    assert naming(text) is None
