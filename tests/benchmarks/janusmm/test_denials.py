"""Which emotions are denied, in both languages, and which only look so."""

import pytest

from deadpan.benchmarks.janusmm.emotion_words import Label, Lexicon, emotion_label, lexicon_words

ENGLISH = Lexicon(
    "toy",
    "en",
    {
        "happiness": frozenset[Label]({"joy"}),
        "sadness": frozenset[Label]({"sadness"}),
        "anger": frozenset[Label]({"anger"}),
        "fear": frozenset[Label]({"fear"}),
        "joy": frozenset[Label]({"joy"}),
        "unhappiness": frozenset[Label]({"sadness"}),
        "lack": frozenset[Label]({"negative"}),
        "absence": frozenset[Label]({"fear"}),
    },
)
_NEGATIVE = [
    "难过",
    "生气",
    "愤怒",
    "无奈",
    "不满",
    "不安",
    "不高兴",
    "没有",
    "毫无",
    "不是",
    "不太",
    "不会",
    "害怕",
]
_POSITIVE = ["开心", "高兴", "快乐", "毫无"]
CHINESE = Lexicon(
    "toy",
    "zh",
    {
        word: frozenset[Label](
            label
            for label, held in (("negative", _NEGATIVE), ("positive", _POSITIVE))
            if word in held
        )
        for word in {*_NEGATIVE, *_POSITIVE}
    },
)


@pytest.mark.parametrize(
    "text",
    [
        "not happy",
        "Not really very happy",
        "isn't sad anymore",
        "He isn’t angry at all",
        "doesn't feel any joy",
        "don't look happy",
        "never sad",
        "no longer happy",
        "hardly happy",
        "without anger",
        "without any trace of anger",
        "no anger, sadness or fear",
        "no sign of joy and no anger",
        "without anger and sadness",
        "neither happy nor angry",
        "not angry or sad",
        "not blue or sad",
        "a lack of joy",
        "an absence of fear",
        "far from happy",
        "anything but happy",
        "not-so-happy",
        "not unhappy",
        "anger: none",
        "sad no more",
        "joy is absent",
    ],
)
def test_denied_in_english(text: str) -> None:
    assert lexicon_words(text, ENGLISH) == []
    assert emotion_label(text, ENGLISH) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("unhappy", ["unhappiness"]),
        ("can't help feeling sad", ["sadness"]),
        ("cannot help but feel sad", ["sadness"]),
        ("can't help feeling angry or sad", ["anger", "sadness"]),
        ("couldn't be more happy", ["happiness"]),
        ("not only sad but angry", ["sadness", "anger"]),
        ("not just sad, but angry", ["sadness", "anger"]),
        ("not merely sad", ["sadness"]),
        ("nothing but sadness", ["sadness"]),
        ("no doubt sad", ["sadness"]),
        ("no, sad", ["sadness"]),
        ("not without anger", ["anger"]),
        ("no lack of joy", ["joy"]),
        ("not angry, just sad", ["sadness"]),
        ("not happy but sad", ["sadness"]),
        ("isn't happy, is sad", ["sadness"]),
        ("sad, not angry", ["sadness"]),
        ("rather than anger, sadness", ["sadness"]),
        ("not angry and sad", ["sadness"]),
        ("knot of anger", ["anger"]),
    ],
)
def test_standing_in_english(text: str, words: list[str]) -> None:
    assert lexicon_words(text, ENGLISH) == words


@pytest.mark.parametrize(
    "text",
    [
        "不开心",
        "没有生气",
        "并不难过",
        "毫无怒意",
        "毫无愤怒",
        "不太开心",
        "没那么开心",
        "一点也不开心",
        "不再难过",
        "从不开心",
        "不会难过",
        "不觉得开心",
        "谈不上开心",
        "感觉不到快乐",
        "没什么好难过的",
        "没有任何快乐",
        "没有生气和难过",
        "没有委屈或难过",
        "并不感到愤怒或难过",
        "没有不高兴",
        "高兴不起来",
        "无愤怒",
        "愤怒：无",
        "不開心",
        "沒有生氣",
        "並不難過",
    ],
)
def test_denied_in_chinese(text: str) -> None:
    """Not counted as negative for 没有 or 毫无 either, which NTUSD lists."""
    assert lexicon_words(text, CHINESE) == []
    assert emotion_label(text, CHINESE) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("无奈", ["无奈"]),
        ("不满", ["不满"]),
        ("不安", ["不安"]),
        ("不高兴", ["不高兴"]),
        ("不满、难过", ["不满", "难过"]),
        ("不禁难过", ["难过"]),
        ("不由得难过", ["难过"]),
        ("忍不住生气", ["生气"]),
        ("不得不难过", ["难过"]),
        ("不仅难过", ["难过"]),
        ("非常开心", ["开心"]),
        ("无比快乐", ["快乐"]),
        ("好不开心", ["开心"]),
        ("前所未有的开心", ["开心"]),
        ("说不出的难过", ["难过"]),
        ("不知为何难过", ["难过"]),
        ("淹没在难过里", ["难过"]),
        ("开不开心", ["开心"]),
        ("是不是难过", ["难过"]),
        ("不是不开心", ["开心"]),
        ("不是难过而是开心", ["开心"]),
        ("没有愤怒，只有难过", ["难过"]),
        ("不开心和难过", ["难过"]),
        ("难过，不愤怒", ["难过"]),
    ],
)
def test_standing_in_chinese(text: str, words: list[str]) -> None:
    assert lexicon_words(text, CHINESE) == words


@pytest.mark.parametrize(
    "text", ["not " * 50_000 + "happy", "不" * 50_000 + "开心", "sad, " * 20_000]
)
def test_long_texts_take_no_time(text: str) -> None:
    """Only what is near a word can deny it; two denials of one another leave it."""
    for lexicon in (ENGLISH, CHINESE):
        emotion_label(text, lexicon)
