"""Lexicons in the place of the real ones, made for the pairs that ship with the benchmark."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from deadpan.benchmarks.janusmm import irc
from deadpan.metrics import synonyms
from deadpan.metrics.text_scores import named_encoder

ENGLISH = {
    "sadness": "guilt shame exhaustion embarrassment disappointment loneliness regret",
    "fear": "insecurity worry concerned",
    "anger": "frustration anger",
    "joy": "pride satisfied joy happiness confidence content delight triumph relief",
    "negative": "tiredness",
}
CHINESE = {
    "negative": "无奈 无可奈何 疲惫 疲倦 劳累 疲劳 孤独 孤单 尴尬 窘迫 羞愧 惭愧 沮丧 懊悔 后悔 "
    "焦虑 忧虑 担忧 难为情",
    "positive": "自豪 兴奋 幸福 得意 自信 骄傲 高兴 满足 快乐 开心 甜蜜 轻松 满意 愉快",
}
SYNONYMS = (
    "疲惫 疲倦 疲劳 劳累 累",
    "希望 盼望 盼",
    "羞愧 惭愧",
    "孤独 孤单",
    "尴尬 窘迫",
    "懊悔 后悔",
    "怕 害怕",
    "冷淡 冷漠",
    "遇到 碰到 碰见",
    "魂 灵魂",
    "追 追赶",
    "改 修改",
    "挣 赚",
    "半夜 午夜",
    "陪 陪伴",
    "原谅 谅解",
    "早上 早晨",
    "周一 星期一",
    "没 没有",
    "说 讲",
    "笑 取笑 笑话",
    "穷 贫穷",
    "工作 干活",
    "理解 明白",
)


@contextmanager
def own_lexicons(folder: Path) -> Iterator[None]:
    """Puts these lexicons in the place of NRC, NTUSD and Cilin."""
    words: dict[str, list[str]] = {}
    for label, held in ENGLISH.items():
        for word in held.split():
            words.setdefault(word, []).append(label)
    (folder / "nrc").write_text(json.dumps(words), "utf-8")
    lists = "".join(f"  {label}: [{', '.join(held.split())}]\n" for label, held in CHINESE.items())
    (folder / "ntusd").write_text(f"Dictionary:\n{lists}", "utf-8")
    groups = {f"{number:02}=": group.split() for number, group in enumerate(SYNONYMS)}
    tree: object = groups
    for code in ("A", "01", "a", "A"):
        tree = {code: {"tag": "x", "sub": tree}}
    (folder / "cilin").write_text(json.dumps(tree, ensure_ascii=False), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(irc, "path_of", lambda name: folder / name)
        patch.setattr(synonyms, "_cilin_file", lambda: folder / "cilin")
        forget()
        yield
    forget()


def forget() -> None:
    """Drops the lexicons that were read."""
    irc._lexicon.cache_clear()
    named_encoder.cache_clear()
    synonyms.chinese.cache_clear()
