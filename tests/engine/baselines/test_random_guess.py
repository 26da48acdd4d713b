"""The random baseline: fair, reproducible, and independent of the order of questions."""

import subprocess
import sys
from collections import Counter

import pytest

from deadpan.base.errors import DeadpanError
from deadpan.engine.baselines import random_guess as answer

OPTIONS = ("Text", "Visual", "Both", "NA")


def chi_square(counts: Counter[str], cells: int) -> float:
    expected = counts.total() / cells
    return sum((counts[cell] - expected) ** 2 / expected for cell in counts) + expected * (
        cells - len(counts)
    )


def test_choice_is_uniform_over_items(card):
    counts = Counter(answer(card("choice", item=str(i), options=OPTIONS), 1) for i in range(2000))
    assert set(counts) == set(OPTIONS)
    assert chi_square(counts, 4) < 16.3  # 3 degrees of freedom, p = 0.001


def test_number_is_uniform_over_panels(card):
    counts = Counter(answer(card("number", item=str(i), panels=6)) for i in range(3000))
    assert set(counts) == set("123456")
    assert chi_square(counts, 6) < 20.5  # 5 degrees of freedom, p = 0.001


def test_labels_keep_each_option_half_the_time_and_never_none(card):
    drawn = [answer(card("labels", item=str(i), options=OPTIONS)) for i in range(3000)]
    subsets = Counter(drawn)
    assert "" not in subsets
    assert chi_square(subsets, 15) < 36.2  # uniform over the 15 non-empty subsets


def test_order_is_a_fair_permutation(card):
    counts = Counter(answer(card("order", item=str(i), panels=3)) for i in range(1800))
    assert set(counts) == {"1,2,3", "1,3,2", "2,1,3", "2,3,1", "3,1,2", "3,2,1"}
    assert chi_square(counts, 6) < 20.5


def test_panel_text_names_every_panel_and_nothing_else(card):
    lines = answer(card("panel_text", panels=5)).split("\n")
    assert sorted(lines) == ["1:", "2:", "3:", "4:", "5:"]


def test_free_text_says_that_it_guesses_in_the_language(card):
    assert "guess" in answer(card("free"))
    assert "猜测" in answer(card("free", language="zh"))


def test_draws_depend_on_the_question_alone(card):
    one = card("order", item="a", panels=9)
    before = answer(one, 3)
    answer(card("order", item="b", panels=9), 3)
    assert answer(one, 3) == before
    others = {
        answer(one, 4),
        answer(card("order", item="b", panels=9), 3),
        answer(card("order", item="a", task="other", panels=9), 3),
    }
    assert before not in others and len(others) == 3


def test_another_process_draws_the_same(card):
    program = (
        "from deadpan.core.questions import Card;"
        "from deadpan.engine.baselines import random_guess as answer;"
        "print(answer(Card(benchmark='bench', task='task', item='漫画', language='zh',"
        " form='order', panels=9), 7))"
    )
    told = subprocess.check_output([sys.executable, "-c", program], text=True)
    assert told.strip() == answer(card("order", item="漫画", language="zh", panels=9), 7)


@pytest.mark.parametrize("form", ["choice", "labels", "number", "order", "panel_text"])
def test_nothing_to_draw_from_raises(card, form):
    with pytest.raises(DeadpanError, match="bench task item gives no"):
        answer(card(form))
