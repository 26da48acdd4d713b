"""Chinese words without complement, place or plural."""

import pytest

from deadpan.metrics.meteor import chinese_stem


@pytest.mark.parametrize(
    ("words", "stem"),
    [
        ("看 看到 看见 看出来", "看"),
        ("画 画成 画出", "画"),
        ("求 求得", "求"),
        ("图里 图中 图上", "图"),
        ("同事 同事们", "同事"),
        ("说不出 说不出来", "说不出"),
        ("看得见", "看得见"),
        ("难过", "难过"),
        ("来", "来"),
        ("起来", "起"),
        ("emo", "emo"),
        ("", ""),
    ],
)
def test_forms_of_one_word_have_one_stem(words: str, stem: str) -> None:
    assert {chinese_stem(word) for word in words.split() or [""]} == {stem}
