"""Which lines are the caption."""

from deadpan.editing.choosing import at_the_edge, is_upright, is_watermark, likely_lines, said_lines
from deadpan.media.boxes import Box
from deadpan.media.ocr import TextBox


def line(text: str, x: int = 0, y: int = 0, width: int = 200, height: int = 30) -> TextBox:
    return TextBox(text=text, confidence=0.9, x1=x, y1=y, x2=x + width, y2=y + height)


def test_lines_of_the_old_caption_even_where_misread() -> None:
    lines = [line("WHEN YOU FARt"), line("AND Y0U SMILE"), line("EXIT")]
    assert said_lines(lines, "When you fart\nand you smile") == lines[:2]


def test_a_word_is_used_once_by_the_longer_line() -> None:
    caption, sign = line("open on Sundays"), line("OPEN", y=200)
    assert said_lines([sign, caption], "Open on Sundays") == [caption]


def test_lone_letters_are_said_only_as_words() -> None:
    assert said_lines([line("d")], "we need to talk") == []
    assert said_lines([line("I")], "I need to talk") == [line("I")]


def test_marks_of_sites() -> None:
    assert is_watermark(line("imgflip.com"))
    assert is_watermark(line("@sadmemes"))
    assert not is_watermark(line("my site is imgflip.com and I love it"))
    assert not is_watermark(line("I am fine. Come home"))
    assert said_lines([line("imgflip.com")], "Hello\nimgflip.com") == []


def test_small_print_and_shapes_are_not_likely() -> None:
    lines = [line("A big caption", height=40), line("tiny print", height=12), line("O")]
    assert likely_lines(lines, (600, 600)) == lines[:1]


def test_no_lines_give_none() -> None:
    assert likely_lines([], (600, 600)) == []


def test_captions_stand_at_the_top_and_the_bottom() -> None:
    assert at_the_edge(Box(100, 10, 500, 60), (600, 400))
    assert not at_the_edge(Box(100, 180, 500, 230), (600, 400))
    assert not at_the_edge(Box(0, 380, 60, 395), (600, 400))


def test_tilted_lines_have_boxes_too_tall_for_their_text() -> None:
    assert is_upright(line("A whole line of text", width=300, height=30))
    assert not is_upright(line("A whole line of text", width=200, height=200))
    assert not is_upright(line("从上往下写的字", width=40, height=280))
