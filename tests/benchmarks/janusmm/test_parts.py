"""Structured answers → parts, whatever form a model gives them."""

import json

import pytest

from deadpan.benchmarks.janusmm.answers import PARSERS, PARTS, is_short
from deadpan.parsing.replies import Unparseable

ENGLISH = {"emotion": "sad", "reasoning": "The cat falls off.", "reply": "Hang in there!"}
CHINESE = {"emotion": "难过", "reasoning": "小猫摔下来了。", "reply": "抱抱你"}
ENGLISH_FORMS = [
    "Emotion: {emotion}\nReasoning: {reasoning}\nReply: {reply}",
    "emotion: {emotion}\nREASONING: {reasoning}\nreply: {reply}",
    "**Emotion:** {emotion}\n\n**Reasoning:** {reasoning}\n\n**Reply:** {reply}",
    "**Emotion**: {emotion}\n**Reasoning**: {reasoning}\n**Reply**: {reply}",
    "*Emotion*: {emotion}\n*Reasoning*: {reasoning}\n*Reply*: {reply}",
    "__Emotion__: {emotion}\n__Reasoning__: {reasoning}\n__Reply__: {reply}",
    "## Emotion\n{emotion}\n\n## Reasoning\n{reasoning}\n\n## Reply\n{reply}",
    "### 1. Emotion\n{emotion}\n### 2. Reasoning\n{reasoning}\n### 3. Reply\n{reply}",
    "1. Emotion: {emotion}\n2. Reasoning: {reasoning}\n3. Reply: {reply}",
    "1) **Emotion** - {emotion}\n2) **Reasoning** - {reasoning}\n3) **Reply** - {reply}",
    "(1) Emotion: {emotion}\n(2) Reasoning: {reasoning}\n(3) Reply: {reply}",
    "Emotion - {emotion}\nReasoning - {reasoning}\nReply - {reply}",
    "Emotion — {emotion}\nReasoning — {reasoning}\nReply — {reply}",
    "Emotion：{emotion}\nReasoning：{reasoning}\nReply：{reply}",
    "- **Emotion:** {emotion}\n- **Reasoning:** {reasoning}\n- **Reply:** {reply}",
    "> Emotion: {emotion}\n> Reasoning: {reasoning}\n> Reply: {reply}",
    "| Emotion | {emotion} |\n| Reasoning | {reasoning} |\n| Reply | {reply} |",
    "Emotion: {emotion}. Reasoning: {reasoning} Reply: {reply}",
    "**Emotion** {emotion}\n**Reasoning** {reasoning}\n**Reply** {reply}",
    "Emotion (one word): {emotion}\nReasoning (in short): {reasoning}\nReply: {reply}",
    'Sure!\n\nEmotion: "{emotion}"\nReasoning: {reasoning}\nReply: "{reply}"',
    "Reply: {reply}\nReasoning: {reasoning}\nEmotion: {emotion}",
    "Feeling: {emotion}\nExplanation: {reasoning}\nResponse: {reply}",
    "Part 1: Emotion\n{emotion}\nPart 2: Reasoning\n{reasoning}\nPart 3: Reply\n{reply}",
    "Emotion: {emotion}\r\nReasoning: {reasoning}\r\nReply: {reply}\r\n",
    "---\nEmotion: {emotion}\n---\nReasoning: {reasoning}\n---\nReply: {reply}\n---",
    "```\nEmotion: {emotion}\nReasoning: {reasoning}\nReply: {reply}\n```",
]
CHINESE_FORMS = [
    "情绪：{emotion}\n推理：{reasoning}\n回复：{reply}",
    "情绪:{emotion}\n推理:{reasoning}\n回复:{reply}",
    "【情绪】{emotion}\n【推理】{reasoning}\n【回复】{reply}",
    "【情绪】：{emotion}\n【推理】：{reasoning}\n【回复】：{reply}",
    "**情绪**：{emotion}\n**推理**：{reasoning}\n**回复**：{reply}",
    "**情绪：**{emotion}\n**推理：**{reasoning}\n**回复：**{reply}",
    "一、情绪：{emotion}\n二、推理：{reasoning}\n三、回复：{reply}",
    "1、情绪：{emotion}\n2、推理：{reasoning}\n3、回复：{reply}",
    "① 情绪：{emotion}\n② 推理：{reasoning}\n③ 回复：{reply}",
    "第一部分：情绪\n{emotion}\n第二部分：推理\n{reasoning}\n第三部分：回复\n{reply}",
    "### 情绪\n{emotion}\n### 推理\n{reasoning}\n### 回复\n{reply}",
    "情绪——{emotion}\n推理——{reasoning}\n回复——{reply}",
    "情绪：{emotion}。推理：{reasoning}回复：“{reply}”",
    "心情：{emotion}\n分析：{reasoning}\n回应：{reply}",
    "情绪（一个词）：{emotion}\n推理（约80字）：{reasoning}\n回复：{reply}",
    "Emotion: {emotion}\nReasoning: {reasoning}\nReply: {reply}",
]


@pytest.mark.parametrize("form", ENGLISH_FORMS)
def test_english_forms(form: str) -> None:
    assert PARSERS["responder"](form.format(**ENGLISH)) == ENGLISH


@pytest.mark.parametrize("form", CHINESE_FORMS)
def test_chinese_forms(form: str) -> None:
    assert PARSERS["responder"](form.format(**CHINESE)) == CHINESE


@pytest.mark.parametrize("form", ["{}", "```json\n{}\n```", "Here it is: {} Hope it helps!"])
@pytest.mark.parametrize("parts", [ENGLISH, CHINESE])
def test_json_alone_fenced_and_in_prose(form: str, parts: dict[str, str]) -> None:
    text = form.replace("{}", json.dumps(parts, ensure_ascii=False, indent=1))
    assert PARSERS["responder"](text) == parts


@pytest.mark.parametrize(
    "value",
    [
        {"情绪": "难过", "推理": "小猫摔下来了。", "回复": "抱抱你"},
        {"Emotion": "难过", "Reasoning": "小猫摔下来了。", "Reply": "抱抱你", "score": 3},
        {"answer": {"emotion": "难过", "reasoning": "小猫摔下来了。", "reply": "抱抱你"}},
        {"emotion": ["难过"], "reasoning": {"step": "小猫摔下来了。"}, "my_reply": "抱抱你"},
    ],
)
def test_json_with_other_names_nested_or_in_lists(value: dict[str, object]) -> None:
    assert PARSERS["responder"](json.dumps(value)) == CHINESE


def test_what_is_missing_is_none() -> None:
    assert PARSERS["responder"]("Reasoning: a cat") == {
        "emotion": None,
        "reasoning": "a cat",
        "reply": None,
    }
    assert PARSERS["responder"]("Emotion:\nReasoning: a cat\nReply: …") == {
        "emotion": None,
        "reasoning": "a cat",
        "reply": None,
    }
    assert PARSERS["initiator"]('{"emotion": null, "reasoning": "a cat", "reply": "x"}') == {
        "emotion": None,
        "reasoning": "a cat",
    }


@pytest.mark.parametrize("task", ["initiator", "responder"])
@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "...",
        "Emotion: sad",
        "Emotion: sad\nReasoning:\nReply: ok",
        "A paragraph about the cat, without labels.",
        "Emotion: sad\n\nThe picture shows a cat.",
        '{"emotion": "sad"}',
        '{"emotion": "sad", "reasoning": "it was cut o',
        '{"emotion": "sad", "reasoning": "a"} {"emotion": "sad", "reasoning": "b"}',
        '{"emotion": "sad", "reasoning": "a", "reasoning": "b"}',
    ],
)
def test_without_a_reasoning_there_is_no_answer(task: str, text: str) -> None:
    with pytest.raises(Unparseable):
        PARSERS[task](text)


def test_a_bare_paragraph_is_reasoning_in_the_reasoning_task_only() -> None:
    said = "The cat falls.\n\nIt stands for the poster."
    assert PARSERS["reasoning"](said) == {"emotion": None, "reasoning": said}
    below = PARSERS["reasoning"]("Emotion: sad\n\nThe picture shows a cat.")
    assert below == {"emotion": "sad", "reasoning": "The picture shows a cat."}
    with pytest.raises(Unparseable, match="JSON object"):
        PARSERS["reasoning"]('{"emotion": "sad", "reasoning": "it was cut o')
    with pytest.raises(Unparseable):
        PARSERS["reasoning"]("Emotion: sad")


def test_the_first_label_of_a_part_opens_it() -> None:
    text = "Emotion: sad\nReasoning: The cat falls.\n- Emotion: it looks scared\nReply: Hi"
    found = PARTS.parts(text).found
    assert found["emotion"] == "sad" and "it looks scared" in found["reasoning"]


@pytest.mark.parametrize(
    "text",
    [
        "Analysis: Let me see.\nEmotion: sad\nReasoning: The cat falls off.\nReply: Hang in there!",
        "Emotion: sad\nReasoning:\n\nReasoning: The cat falls off.\nReply: Hang in there!",
        json.dumps({"analysis": "Let me see.", "answer": ENGLISH}),
        json.dumps({"explanation": "Let me see.", **ENGLISH}),
    ],
)
def test_a_label_that_was_asked_for_beats_other_names_and_empty_ones(text: str) -> None:
    assert PARSERS["responder"](text) == ENGLISH


def test_traditional_labels_are_read() -> None:
    text = "情緒：难过\n推理：小猫摔下来了。\n回覆：抱抱你"
    assert PARSERS["responder"](text) == CHINESE


def test_words_that_only_begin_like_a_label_are_text() -> None:
    text = "Reasoning: He says\nReply speed matters to him.\nEmotional people share cats."
    assert set(PARTS.parts(text).found) == {"reasoning"}
    assert PARTS.parts("Reasons are hard to find\nAnalysis\nof the cat").found == {}


def test_markdown_marks_are_taken_out_of_a_part() -> None:
    found = PARTS.parts("Reasoning: The **cat** `falls`\n> off the __bed__.").found
    assert found["reasoning"] == "The cat falls\noff the bed."


@pytest.mark.parametrize(
    "text",
    [
        *("(" * 100_000, "\n" * 100_000, "<think>" * 14_000, "{" * 100_000, "Emotion: " * 11_000),
        *("1. " * 33_000, "\n- " * 33_000, "# " * 50_000, "*" * 100_000, "情绪 " * 33_000),
        *("|" * 100_000, '{"a":' * 20_000, " " * 100_000 + "Emotion:", "\ud800🙂\u0000" * 30_000),
    ],
)
def test_a_hundred_thousand_odd_characters_are_read_or_refused(text: str) -> None:
    for parse in PARSERS.values():
        try:
            assert isinstance(parse(text), dict)
        except Unparseable as error:
            assert len(str(error)) < 200


def test_recognition_says_by_which_words() -> None:
    read = PARSERS["recognition"]
    assert read("It is **self-mockery**.") == {"named": True, "words": "self-mockery"}
    assert read("Sarcasm about work.") == {"named": False, "words": None}
    for blank in ("", " \n", "…", "🙂"):
        with pytest.raises(Unparseable, match="answer in words"):
            read(blank)


def test_very_short_reasonings_are_flagged() -> None:
    assert is_short("word " * 14, "en") and not is_short("word " * 15, "en")
    assert is_short("字" * 19, "zh") and not is_short("字" * 20, "zh")
