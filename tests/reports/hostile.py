"""Text that tries to be something else, in every place data can reach a report from."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl

from deadpan.core.score import ScoringOptions
from deadpan.reports import Section
from tests.reports.toy import MODELS, Toy, toy_published, toy_table

ATTACKS = (
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    "<!--<script>alert(3)//",
    "{{7*7}}{% raw %}${7*7}",
    "safe\u202egnp.exe\u2066 end",
    "W" * 3000,
    "'\"><svg/onload=alert(4)>&amp;\u2028\u2029",
    '=HYPERLINK("http://evil.example","x")',
    "@SUM(1)|`code`|[link](javascript:alert(5))",
    "\\input{/etc/passwd}%$#_^~{}",
    "\x00\x07\x1b[31mred",
    "http://evil.example/x.png ![p](http://evil.example/y.png)",
)


def hostile_section(folder: Path) -> Section:
    """The toy with attacks as answers, gold, items, attributes, reasons and model names."""
    table = toy_table(folder)
    number = pl.int_range(pl.len()) % len(ATTACKS)
    attack = number.replace_strict(list(range(len(ATTACKS))), list(ATTACKS))
    names = {model: f"{ATTACKS[i]}{model}" for i, model in enumerate(MODELS)}
    gold = number.replace_strict(
        list(range(len(ATTACKS))), [json.dumps([text, "\ud800"]) for text in ATTACKS]
    )
    table = table.with_columns(
        model=pl.col("model").replace_strict(names),
        answer=attack,
        gold=gold,
        parsed=gold,
        reason=attack,
        item=pl.col("item") + attack,
        **{"attr.source": attack, "attr.<b>key</b>": attack},
    )
    toy = Toy()
    scores = toy.score(table, ScoringOptions())
    return Section(toy, table, scores, toy_published(), picture_folders=(folder,))
