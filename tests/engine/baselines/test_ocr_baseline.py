"""The OCR baseline on pictures drawn here: what it reads and what it answers."""

import io

import pytest
from PIL import Image, ImageDraw, ImageFont

from deadpan.engine.baselines.ocr import answer, reading

pytest.importorskip("rapidocr")

STYLES = (
    "Comparison", "Personification", "Exaggeration", "Pun", "Sarcasm", "Silliness", "Surprise",
    "Dark",
)  # fmt: skip
CORNERS = ((8, 8), (404, 8), (8, 404), (404, 404))


def png(image: Image.Image) -> bytes:
    stream = io.BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


def comic(numbers: tuple[int, ...], texts: tuple[str, ...]) -> bytes:
    image = Image.new("RGB", (800, 800), "white")
    draw = ImageDraw.Draw(image)
    digits, letters = ImageFont.load_default(size=40), ImageFont.load_default(size=32)
    for (x, y), number, text in zip(CORNERS, numbers, texts, strict=True):
        draw.rectangle((x, y, x + 388, y + 388), fill="#cfe3f5", outline="black", width=3)
        badge = (x + 5, y + 5, x + 61, y + 61)
        draw.rounded_rectangle(badge, 14, fill="white", outline="#141414", width=4)
        middle = (x + 33, y + 33)
        draw.text(middle, str(number), font=digits, fill="#0a0a0a", anchor="mm", stroke_width=1)
        draw.text((x + 80, y + 110), text, font=letters, fill="black")
    return png(image)


@pytest.fixture(scope="module")
def picture() -> bytes:
    return comic((3, 1, 4, 2), ("Wait for it", "CRASH!", "He is dead\nand buried", "Oh well"))


def test_panel_questions(card, picture):
    assert answer(card("order", task="panel_order", panels=4), [picture]) == "3,1,4,2"
    assert answer(card("number", task="panel", panels=4), [picture]) == "2"
    text = answer(card("panel_text", task="panel_text", panels=4), [picture])
    assert text == "1: CRASH!\n2: Oh well\n3: Wait for it\n4: He is dead and buried"


def test_label_questions_are_answered_with_the_cards_own_options(card, picture):
    yes_no = card("choice", task="presence", language="zh", options=("是", "否"))
    assert answer(yes_no, [picture]) == "是"
    roles = ("Absent", "Present, contribute", "Present, do not contribute")
    sound = card("choice", task="sound_effect", options=roles, panels=4)
    assert answer(sound, [picture]) == "Present, contribute"
    modality = card("choice", task="modality", options=("文字", "画面", "两者"), panels=4)
    assert answer(modality, [picture]) == "两者"
    assert answer(card("labels", task="style", options=STYLES, panels=4), [picture]) == "Dark"


def test_free_text_is_three_sentences_of_words_read(card, picture):
    told = answer(card("free", panels=4), [picture])
    assert told.count(". ") == 2 and told.endswith(".")
    assert '"Wait for it"' in told and '"Oh well"' in told
    chinese = answer(card("free", language="zh", panels=4), [picture])
    assert chinese.count("。") == 3


def test_a_task_without_a_rule_takes_the_option_most_like_the_text(card, picture):
    options = ("a sunny day", "a burial of the dead", "breakfast")
    assert answer(card("choice", task="topic", options=options), [picture]) == options[1]
    assert answer(card("labels", task="style", options=options), [picture]) == options[1]


def test_a_picture_without_words_still_gets_an_answer_in_every_form(card):
    blank = [png(Image.new("RGB", (300, 200), "#88aacc"))]
    assert answer(card("order", panels=3), blank) == "1,2,3"
    assert answer(card("number", panels=3), blank) == "3"
    assert answer(card("panel_text", panels=2), blank) == "1:\n2:"
    assert answer(card("choice", options=("A", "B")), blank) == "A"
    modality = card("choice", task="modality", options=("Text", "Visual", "Both"))
    assert answer(modality, blank) == "Visual"
    assert answer(card("labels", task="style", options=STYLES), blank) in STYLES
    assert "No words" in answer(card("free"), blank)
    assert answer(card("number"), []) == "1"


def test_further_pictures_add_their_words(picture):
    other = Image.new("RGB", (500, 120), "white")
    ImageDraw.Draw(other).text((20, 30), "SECOND FRAME", "black", ImageFont.load_default(size=48))
    assert reading([picture, png(other)], 4).text.endswith("Oh well SECOND FRAME")


def test_answers_do_not_change_from_run_to_run(card, picture):
    question = card("panel_text", panels=4)
    assert answer(question, [picture]) == answer(question, [picture])


def test_numbered_comics_are_read(card):
    from deadpan.core.questions import PanelBox
    from deadpan.media.prepared import draw_numbers

    image = Image.new("RGB", (900, 300), "#f3d9b1")
    panels = [
        PanelBox(x1=5 + 300 * i, y1=5, x2=295 + 300 * i, y2=295, panel_number=number)
        for i, number in enumerate((2, 3, 1))
    ]
    shown = png(draw_numbers(image, panels))
    assert answer(card("order", panels=3), [shown]) == "2,3,1"
