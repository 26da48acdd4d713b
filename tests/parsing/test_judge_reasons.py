"""Judges are told in their prompt's language why a reply cannot be used."""

from __future__ import annotations

import json
import re

import pytest

from deadpan.benchmarks.vimu.judge import VIMU_OE
from deadpan.core.judge import BrokenReply
from deadpan.parsing.judge_reasons import reason_in
from deadpan.parsing.judgements import read_judgement
from deadpan.parsing.replies import LONGEST_REPLY

FIELDS = {name: 1 for name, one in VIMU_OE.reply.model_fields.items() if one.annotation is int}


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "抱歉，我不能回答。",
        "好。",
        "{} {}",
        "{" * 400,
        '{"a": 1, "a": 2}',
        "长" * (LONGEST_REPLY + 1),
        "{}",
        "[]",
        json.dumps({**FIELDS, "more": 1, "total": "x", "verdict": 3, "reason": 4}),
    ],
)
def test_our_reasons_are_said_in_chinese(reply: str) -> None:
    with pytest.raises(BrokenReply) as broken:
        read_judgement(VIMU_OE, reply)
    why = str(broken.value)
    assert reason_in("en", why) == why
    parts = reason_in("zh", why).split("；")
    for part in (one for one in parts if "expected '" not in one and "valid integer" not in one):
        assert re.search("[\u4e00-\u9fff]", part) and not re.search(r"\b(it|is|expected)\b", part)


def test_what_others_say_stays() -> None:
    why = "score: expected less than or equal to 5; reason: is missing"
    assert reason_in("zh", why) == "score: expected less than or equal to 5；reason：缺少此项"
