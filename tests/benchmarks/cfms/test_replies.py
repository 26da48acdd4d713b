"""Whole replies as models write them → the grade: what is clear is read, nothing is guessed."""

import pytest

from deadpan.benchmarks.cfms.answers import PARSERS
from deadpan.core.questions import Reply
from deadpan.parsing.replies import grade_reply

SARCASTIC = [
    "\\boxed{yes}",
    "$\\boxed{\\text{Yes}}$",
    "Yes ✅",
    "Based on the image and text, yes.",
    "Definitely yes",
    "我选择：是",
    "Sarcasm detected.",
    "Yes. The caption might look kind, but it mocks the boss.",
    "Yes. The praise may seem sincere, but the picture shows the opposite.",
    "**Answer:** Yes",
    "**答案**：是",
    '```json\n{"sarcastic": true}\n```',
    '{"isSarcastic": true, "metaphor": false}',
    '{"answer": "yes", "reasoning": "There is no joy in the picture."}',
    "<think>It might be sincere. No, it isn't.</think>\n\nYes",
    "是。图片里的员工累倒在地，文字却说“快乐工作”。",
    "是的，這則貼文有諷刺意味。",
    "是否諷刺：是",
    "【判断】是",
    "- Sarcastic: yes\n- Reason: the clock shows midnight",
    "The text praises the boss, but it is sarcastic.",
    "看似夸奖，其实是讽刺。",
    "表面上是夸奖，实际上是讽刺。",
    "与其说是夸奖，不如说是讽刺。",
    "It is more sarcastic than sincere.",
    "It's probably sarcastic.",
    "很可能是讽刺。",
    'Yes. The sign reads: "No, I love Mondays."',
    "Let me look. The words say one thing, the picture another.\n\nFinal answer: yes",
    "No.\n\nOn reflection, the picture clashes with the words. Final answer: yes.",
    "初步判断：否\n\n最终答案：是",
    "Sarcastic → yes",
    "<answer>yes</answer>",
    "Sarcastic: yes\n\nThe words alone are not sarcastic.",
    "A: 是",
    "有讽刺。",
    "Metaphor: no\nSarcastic: yes",
    "否……不对，是。",
    "No - actually, yes.",
    "The post mocks the boss.",
    "该帖讽刺老板。",
]
SINCERE = [
    "Yes.\n\nWait, the picture matches the words, so it's sincere. No.",
    "Sarcastic: yes\n\nOn second thought, this is not sarcastic.",
    "是\n\n重新考虑后：否",
    "乍看像是讽刺，其实是真心夸奖。",
    "The post seems sarcastic at first, but is actually sincere.",
    "表面上是讽刺，实际上是真心夸奖",
    "The man in the picture has a sarcastic smile, but the post is sincere.",
    "虽然有讽刺的表情，但整体是真诚的。",
    "The post is sincere.",
    "No. Without the cat it would be sarcastic, but it is not.",
    "Metaphor: yes\nSarcastic: no",
    "I can't identify any sarcasm here, so the answer is no.",
    "I can't identify any sarcasm.\n\nSarcastic: no\nTarget: none\nExplanation: none",
    "I cannot describe this as sarcastic.",
    "抱歉，这个不能算讽刺。否",
    "我的判断：否",
    "是否有讽刺意味：否",
    "Sarcasm: None",
    "Sarcasm: not detected",
    "No sarcasm detected.",
    "It's more playful than sarcastic.",
    "It's not sarcastic but sincere.",
    "与其说是讽刺，不如说是夸奖。",
    "Answer: yes\n\nOn reflection, final answer: no",
    "Definitely not.",
    "Probably not sarcastic.",
    "沒有諷刺",
    "這不是諷刺，而是真心的祝福。",
    "**否**。图文一致，是真心的祝福。",
    "１．否",
    "Final answer: **No**",
    "\\boxed{No}",
    '```json\n{"sarcastic": "no", "explanation": "It might look sarcastic, but is not."}\n```',
    "No 🙂",
    "Is this post sarcastic? No, it means what it says.",
    "I'm sorry, but I can't identify any sarcasm in this image.",
]
UNCLEAR = [
    "Sarcastic: yes\nSarcastic: no",
    "**Sarcastic:** yes\n\n**Sarcastic:** no",
    "讽刺：是\n讽刺：否",
    "Answer: yes\nSarcastic: no",
    "Yes.\n\nSarcastic: no",
    '{"sarcastic": true, "sarcastic": false}',
    '{"sarcastic": true}\n{"sarcastic": false}',
    "Some might see it as sarcastic, but I don't.",
    "这可以理解为讽刺，也可以理解为真诚。",
    "It might be sarcastic, but it's hard to tell.",
    "It is sarcastic, but it's hard to tell.",
    "It could be sarcastic.",
    "It may not be sarcastic.",
    "Perhaps, it is sarcastic.",
    "It is sarcastic, perhaps.",
    "可能有讽刺意味。",
    "也许是讽刺.",
    "可能有諷刺意味。",
    "没有人会认为这不是讽刺。",
    "I can't say that it isn't sarcastic.",
    "Nobody would say this isn't sarcastic.",
    "Maybe yes.",
    "可能是。",
    "是否讽刺：不确定",
    "It couldn't be more sarcastic.",
    "It would be sarcastic if the boss had said so.",
    "I'm not sure.",
    "Yes/No",
    "The man has a sarcastic smile.",
]


@pytest.mark.parametrize("text", SARCASTIC)
def test_a_clear_yes(text: str) -> None:
    grade = grade_reply(Reply(text=text), PARSERS["identification"])
    assert (grade.outcome, grade.parsed) == ("answered", {"sarcastic": True})


@pytest.mark.parametrize("text", SINCERE)
def test_a_clear_no(text: str) -> None:
    grade = grade_reply(Reply(text=text), PARSERS["identification"])
    assert (grade.outcome, grade.parsed) == ("answered", {"sarcastic": False})


@pytest.mark.parametrize("text", UNCLEAR)
def test_what_is_hedged_or_contradicted_is_invalid(text: str) -> None:
    assert grade_reply(Reply(text=text), PARSERS["identification"]).outcome == "invalid"


@pytest.mark.parametrize(
    "text", ["有人觉得是讽刺，但我认为不是。", "It looks sarcastic, but it isn't."]
)
def test_what_is_taken_back_is_no_yes(text: str) -> None:
    grade = grade_reply(Reply(text=text), PARSERS["identification"])
    assert grade.outcome == "invalid" or grade.parsed == {"sarcastic": False}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Sarcasm: yes\nMetaphor: no", False),
        ('{"sarcastic": true, "metaphor": false}', False),
        ("讽刺：是\n隐喻：否", False),
        ("諷刺：否\n隱喻：是", True),
        ("Sarcastic: yes", None),
        ('{"sarcastic": true}', None),
        ("是否讽刺：是", None),
        ("是否使用了隐喻：是", True),
        ("Metaphor: yes", True),
        ("**Metaphor**: no\n**Sarcasm**: yes", False),
        ('{"uses_metaphor": true}', True),
        ("It could be a metaphor.", None),
        ("It's more literal than metaphorical.", False),
        ("Yes, the phone stands for a leash.", True),
        ("This is a metaphor, but the rest is literal.", None),
    ],
)
def test_a_metaphor_is_read_from_its_own_label(text: str, says: bool | None) -> None:
    grade = grade_reply(Reply(text=text), PARSERS["metaphor"])
    assert grade.outcome == ("invalid" if says is None else "answered")
    assert grade.parsed == (None if says is None else {"metaphor": says})


@pytest.mark.parametrize("task", PARSERS)
@pytest.mark.parametrize(
    "text", ["I can't analyse this image.", "抱歉，我无法协助。", "我無法分析這張圖片。"]
)
def test_a_refusal_is_refused_whatever_was_asked(task: str, text: str) -> None:
    assert grade_reply(Reply(text=text), PARSERS[task]).outcome == "refused"
