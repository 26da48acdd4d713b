"""Traditional characters → simplified ones, for the words by which answers are read."""

from __future__ import annotations

_PAIRS = (
    "諷讽 譏讥 對对 釋释 隱隐 無无 沒没 與与 為为 這这 圖图 認认 說说 題题 標标 斷断 結结 "
    "論论 緒绪 應应 該该 當当 個个 從从 實实 際际 覺觉 嗎吗 並并 屬属 於于 帶带 種种 會会 "
    "來来 樣样 現现 達达 體体 運运 構构 確确 義义 見见 開开 給给 則则 貼贴 顯显 點点 處处 "
    "話话 們们 過过 還还 僅仅 單单 純纯 誠诚 懇恳 讚赞 誇夸 獎奖 別别 難难 視视 檢检 測测 "
    "識识 員员 針针 麼么 誰谁 態态 歸归 類类 據据 適适 協协 幫帮 內内 滿满 畫画 請请 問问 "
    "討讨 願愿 辦办 終终 後后 決决 選选 擇择 陳陈 肅肃 謊谎 調调 場场 覆复 復复 複复 "
)
_TABLE = str.maketrans({pair[0]: pair[1] for pair in _PAIRS.split()})


def simplified(text: str) -> str:
    """The text with those characters made simplified, each in its place."""
    return text.translate(_TABLE)
