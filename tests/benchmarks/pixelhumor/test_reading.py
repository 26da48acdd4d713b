"""Panel texts in reading order and their scores, worked by hand."""

from deadpan.benchmarks.pixelhumor.panel_scores import in_reading_order, text_scores
from deadpan.benchmarks.pixelhumor.records import gold_items

GOLD = "1: YES. \n 2: ARE YOU\nTHERE? \n 3: "
SEQUENCE = (2, 1, 3)


def test_gold_items_keep_lines_of_a_panel_together() -> None:
    items = gold_items(GOLD)
    assert [number for number, _ in items] == [1, 2, 3]
    assert in_reading_order(items, SEQUENCE) == [(1, "are you there?"), (2, "yes.")]


def test_text_before_the_first_item_is_in_no_panel() -> None:
    assert gold_items("TITLE \n 1: A") == [(1, " A")]


def test_panels_left_out_of_the_order_follow() -> None:
    assert in_reading_order([(5, '"A"'), (1, "{B}"), (5, "C")], [1]) == [(1, "b"), (2, "a c")]


def test_right_text_in_the_right_order() -> None:
    answer = [(2, "Are you there?"), (1, "'Yes.'")]
    assert text_scores(answer, [2, 1, 3], gold_items(GOLD), SEQUENCE) == (1.0, 0.0, 0.0)


def test_right_text_in_the_wrong_order() -> None:
    answer = [(1, "yes."), (2, "are you there?")]
    accuracy, wer, _ = text_scores(answer, [1, 2, 3], gold_items(GOLD), SEQUENCE)
    assert accuracy == 0.0
    assert wer == 2 / 4


def test_position_numbers_count_for_accuracy_only() -> None:
    answer = [(1, "are you there?"), (3, "yes.")]
    assert text_scores(answer, [1, 2, 3], gold_items(GOLD), SEQUENCE) == (0.0, 0.0, 0.0)


def test_empty_gold() -> None:
    assert text_scores([], [], gold_items("1: "), [1]) == (1.0, 0.0, 0.0)
    assert text_scores([(1, "two words")], [1], gold_items("1: "), [1]) == (0.0, 2.0, 9.0)


def test_listed_texts_compare_without_positions() -> None:
    items = [(1, "a"), (3, "c")]
    assert text_scores(items, [], [(1, "a"), (2, ""), (3, "c")], [1, 2, 3]) == (1.0, 0.0, 0.0)


def test_unwanted_chinese_is_counted_by_character() -> None:
    assert text_scores([(1, "你好世界")], [1], [], [1]) == (0.0, 4.0, 4.0)
