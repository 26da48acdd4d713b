"""Replies to the six questions, in the forms that models give them."""

import json
from typing import Any

import pytest

from deadpan.benchmarks.cfms.answers import PARSERS, JointAnswer
from deadpan.parsing.replies import Unparseable

ALL = {"sarcastic": True, "target": "手机依赖", "explanation": "人被手机牵着走。"}
NONE = {"sarcastic": False, "target": None, "explanation": None}


@pytest.mark.parametrize(
    "text",
    [
        "是否讽刺：是\n讽刺对象：手机依赖\n讽刺解释：人被手机牵着走。",
        "是否讽刺:是; 讽刺对象:手机依赖; 讽刺解释:人被手机牵着走。",
        "**是否讽刺：** 是的\n\n**讽刺对象：** 手机依赖。\n\n**讽刺解释：** 人被手机牵着走。",
        "### 是否讽刺\n有讽刺\n### 讽刺对象\n手机依赖\n### 讽刺解释\n人被手机牵着走。",
        "| 是否讽刺 | 是 |\n| 讽刺对象 | 手机依赖 |\n| 讽刺解释 | 人被手机牵着走。 |",
        "1. 是否讽刺：含有讽刺\n2. 讽刺对象：“手机依赖”\n3. 讽刺解释：人被手机牵着走。",
        "Sarcastic: yes\nTarget: 手机依赖\nExplanation: 人被手机牵着走。",
        json.dumps(ALL, ensure_ascii=False),
        "```json\n" + json.dumps({"result": ALL}, ensure_ascii=False) + "\n```",
        '{"是否讽刺": "是", "讽刺对象": "手机依赖", "讽刺解释": "人被手机牵着走。"}',
    ],
)
def test_a_joint_answer_is_read_in_every_form(text: str) -> None:
    assert PARSERS["joint"](text) == ALL


@pytest.mark.parametrize(
    "text",
    [
        "Sarcastic: no\nTarget: none\nExplanation: none",
        "Sarcastic: Not sarcastic.\nTarget: N/A\nExplanation: not applicable",
        "是否讽刺：否\n讽刺对象：无\n讽刺解释：无",
        '{"sarcastic": false, "target": null, "explanation": null}',
        '{"是否讽刺": "不含讽刺", "讽刺对象": "", "讽刺解释": "无"}',
        "没有讽刺",
        "No, this post is sincere.",
    ],
)
def test_what_is_not_sarcastic_has_no_other_part(text: str) -> None:
    assert PARSERS["joint"](text) == NONE


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Sarcastic", {"sarcastic": True, "target": None, "explanation": None}),
        ("Target: overtime", {"sarcastic": None, "target": "overtime", "explanation": None}),
        (
            "是否讽刺：是\n讽刺对象：加班",
            {"sarcastic": True, "target": "加班", "explanation": None},
        ),
        (
            "Sarcastic: yes\nExplanation: The boss smiles.\nThe staff sleep.",
            {
                "sarcastic": True,
                "target": None,
                "explanation": "The boss smiles.\nThe staff sleep.",
            },
        ),
    ],
)
def test_a_missing_part_is_missing(text: str, parts: dict[str, Any]) -> None:
    assert PARSERS["joint"](text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Sarcastic: yes and no\nTarget: none",
        "是否讽刺：是/否\n讽刺对象：无",
        "A cat sits on a sofa.",
        '{"sarcastic": true, "target": "the bo',
        '{"sarcastic": true, "target": "a"} {"sarcastic": false, "target": "b"}',
    ],
)
def test_an_unclear_joint_answer_is_invalid(text: str) -> None:
    with pytest.raises(Unparseable):
        PARSERS["joint"](text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("yes", True),
        ("否", False),
        ("Answer: yes", True),
        ("答案：否", False),
        ("The answer is no.", False),
        ("Is it sarcastic? No.", False),
        ("Is it sarcastic? Yes.", True),
        ("(B) no", False),
        ("A. yes", True),
        ("是/否：否", False),
        ("是或否：是", True),
        ("It cannot be considered sarcastic.", False),
        ("Sarcastic: not sarcastic", False),
        ("是否讽刺：是", True),
        ("Sarcastic", True),
        ('{"sarcastic": false}', False),
        ("**No.** The post means what it says.", False),
        ("Explanation: the praise is fake, so it is sarcastic.", True),
    ],
)
def test_identification(text: str, says: bool) -> None:
    assert PARSERS["identification"](text) == {"sarcastic": says}
    assert PARSERS["metaphor_sarcasm"](text) == {"sarcastic": says}


@pytest.mark.parametrize(
    ("text", "says"), [("是", True), ("隐喻：没有", False), ("It uses a metaphor.", True)]
)
def test_metaphor(text: str, says: bool) -> None:
    assert PARSERS["metaphor"](text) == {"metaphor": says}


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("unpaid overtime.", "unpaid overtime"),
        ("Answer: unpaid overtime", "unpaid overtime"),
        ("讽刺对象：“加班文化”", "加班文化"),
        ('{"target": "加班文化"}', "加班文化"),
        ("Target: overtime\nExplanation: it is long", "overtime"),
        ("The target is the boss.", "the boss"),
        ("The target of the sarcasm is “the boss”.", "the boss"),
        ("讽刺的对象是老板。", "老板"),
        ("该图文的讽刺对象为“老板”", "老板"),
        ("Target: The target is the boss", "the boss"),
        ("the target audience of ads", "the target audience of ads"),
    ],
)
def test_target(text: str, target: str) -> None:
    assert PARSERS["target"](text) == {"target": target}


@pytest.mark.parametrize(
    "text",
    [
        *("none", "无", "line one\nline two", "x" * 400, "Sarcastic: yes"),
        *(
            "The target is none.",
            "The target is not clear.",
            "讽刺的对象是无",
            "讽刺对象是不明确的",
        ),
    ],
)
def test_no_target_in_a_short_phrase_is_invalid(text: str) -> None:
    with pytest.raises(Unparseable):
        PARSERS["target"](text)


def test_explanation_may_be_bare_or_labelled() -> None:
    parse = PARSERS["explanation"]
    assert parse("The boss smiles.\nNobody else.") == {
        "explanation": "The boss smiles.\nNobody else."
    }
    assert parse("讽刺解释：老板在笑。") == {"explanation": "老板在笑。"}
    with pytest.raises(Unparseable, match="holds no explanation"):
        parse("none")


def test_the_schema_is_what_the_parser_reads() -> None:
    answer = JointAnswer(sarcastic=True, target="手机依赖", explanation="人被手机牵着走。")
    assert PARSERS["joint"](answer.model_dump_json()) == ALL
