"""Texts recited from their first half: runs, similarity, and what chance gives."""

import random

import pytest

from deadpan.metrics.recitation import (
    Completion,
    halves,
    longest_run,
    recited,
    rouge_l,
    similarity,
    tokens,
)

TEXT = (
    "a cat sat on the roof and saw a dog run by with one red shoe while rain fell over old towns "
    "where nobody sang but every lamp was lit for some lost king who had gone to buy bread"
)
WORDS = TEXT.split(" ")


def test_tokens_are_words_and_chinese_characters() -> None:
    assert tokens("Don’t PANIC, it’s ＡＢＣ!") == ["don’t", "panic", "it’s", "abc"]
    assert tokens("我再也不吃3块蛋糕了 ok") == [*"我再也不吃", "3", *"块蛋糕了", "ok"]
    assert tokens(" – ,. ") == []


def test_a_text_is_cut_between_words_and_between_characters() -> None:
    first, second = halves("One two three four five six, seven eight nine ten eleven twelve.") or (
        "",
        "",
    )
    assert first == "One two three four five six" and second.startswith(", seven")
    chinese = halves("从今天起我再也不在半夜吃夜宵了，真的不吃了")
    assert chinese == ("从今天起我再也不在半", "夜吃夜宵了，真的不吃了")
    assert halves("从今天起我再也不吃夜宵了，真的") is None
    assert halves("too short to be cut in half") is None
    assert halves("") is None and halves("。。。") is None


def test_runs_and_similarity_by_hand() -> None:
    one, other = list("abcdef"), list("xbcdyef")
    assert longest_run(one, other) == 3
    assert longest_run(one, []) == 0 and longest_run([], one) == 0
    assert rouge_l(one, other) == pytest.approx(2 * 5 / 13)
    assert rouge_l(one, []) == 0.0
    assert similarity(one, other) == pytest.approx(1 - 2 / 7)
    assert similarity([], []) == 1.0 and similarity(one, one) == 1.0


def test_a_reply_that_repeats_the_beginning_is_read_after_it() -> None:
    one = Completion("a b c", "d e f g h i", "A B C d e f g h i")
    assert one.said == list("defghi") and one.run == 6


def texts(count: int, seed: int = 0) -> list[tuple[str, str]]:
    """So many random texts in halves."""
    rng = random.Random(seed)
    made = [" ".join(rng.choices(WORDS, k=24)) for _ in range(count)]
    return [(one, other) for text in made if (cut := halves(text)) for one, other in [cut]]


def test_what_is_recited_is_flagged_and_guesses_are_not() -> None:
    rng = random.Random(1)
    cut = texts(60)
    replies = [
        second if at < 12 else " ".join(rng.choices(WORDS, k=12))
        for at, (_, second) in enumerate(cut)
    ]
    made = [Completion(*halved, reply) for halved, reply in zip(cut, replies, strict=True)]
    found = recited(made)
    assert list(found.recited) == [True] * 12 + [False] * 48
    assert found.pairs == 20 * 60 and found.false_flags < 0.01
    assert 1 <= found.threshold <= 6


def test_a_model_that_only_guesses_is_seldom_flagged() -> None:
    """Over worlds of guesses no more items are flagged than one in as many as there are pairs."""
    flags = 0
    for seed in range(20):
        rng = random.Random(seed)
        made = [
            Completion(*cut, " ".join(rng.choices(WORDS, k=12))) for cut in texts(40, seed + 100)
        ]
        flags += sum(recited(made).recited)
    assert flags / (20 * 40) < 0.01


def test_generic_endings_are_chance() -> None:
    """A phrase that ends every text is known without having read any of them."""
    ending = "and that is why this meme is funny to people online"
    made = [Completion(first, f"{first.split()[0]} {ending}", ending) for first, _ in texts(30)]
    assert not any(recited(made).recited)


def test_a_short_run_is_a_guess_however_rare() -> None:
    """Five words that chance never gave may still be what anybody would say."""
    cut = texts(12)
    made = [
        Completion(first, second, " ".join(["xyz", *second.split()[:5]])) for first, second in cut
    ]
    assert not any(recited(made).recited)
    more = [
        Completion(first, second, " ".join(["xyz", *second.split()[:9]])) for first, second in cut
    ]
    assert all(recited(more).recited)


def test_copying_the_beginning_is_no_reciting() -> None:
    made = [
        Completion(first, f"{first} again", f"well {first} and so on") for first, _ in texts(12)
    ]
    assert not any(recited(made).recited)


def test_one_text_under_many_names_is_no_chance() -> None:
    """Equal texts are left out of chance, so that whoever recites them is still found out."""
    cut = texts(12)
    both = [cut[0], cut[0], *cut[1:]]
    made = [Completion(first, second, second) for first, second in both]
    assert all(recited(made).recited)
    with pytest.raises(ValueError, match="alike"):
        recited([Completion(*cut[0], "x"), Completion(*cut[0], "y")])
    with pytest.raises(ValueError, match="fewer than two"):
        recited(made[:1])
