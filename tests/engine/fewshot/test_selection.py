"""The pool, what is never shown, and who chooses what."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from deadpan.base.errors import DeadpanError, InputError
from deadpan.core.questions import Picture, Question
from deadpan.engine.fewshot.demonstration import Pool, pool_of
from deadpan.engine.fewshot.policy import Policy, SavedPolicy, read_policy, write_policy
from deadpan.engine.fewshot.selection import PolicySelector, RetrievalSelector, selector
from deadpan.engine.fewshot.specification import fewshot_of
from deadpan.engine.registry import inspect_task
from tests.engine.fewshot.cards import a_card
from tests.engine.judged_toy import PROVERBS
from tests.learning.fewshot.toy import COUNTS, Moods

PLAIN = ",image=plain"


@pytest.fixture
def pool(moods: Moods) -> Pool:
    return pool_of(moods, "joint", None, moods.prompts("joint"))


@pytest.fixture
def asked(moods: Moods) -> list[Question]:
    return moods.questions(moods.read(None), "joint", moods.prompts("joint"))


def test_the_pool_is_the_training_split_with_worded_answers(pool: Pool) -> None:
    assert [one.item for one in pool.demonstrations] == [
        f"train_{number}" for number in range(COUNTS["train"])
    ]
    assert pool.demonstrations[0].answer == (
        '{"sarcastic": true, "target": "rain", "explanation": "nobody likes rain"}'
    )


def test_a_benchmark_without_a_training_split_says_so() -> None:
    with pytest.raises(DeadpanError, match="proverbs has no training split"):
        pool_of(PROVERBS, "meaning", None, PROVERBS.prompts("meaning"))


def test_words_are_the_question_without_the_wording_of_all(
    pool: Pool, asked: list[Question]
) -> None:
    assert pool.words(asked[0]) == "rain again, lovely test 0"
    assert pool.words(asked[2]).startswith("老板 真好 test 2"[0])
    assert pool.words(asked[0].model_copy(update={"text": "Otherwise put"})) == "Otherwise put"


def test_the_item_itself_is_never_shown(pool: Pool) -> None:
    question = pool.demonstrations[0].question
    assert pool.exclusions(question) == {"train_0": "is the question itself"}
    assert 0 not in pool.usable(question)


def test_the_same_picture_or_the_same_words_are_never_shown(
    pool: Pool, asked: list[Question], tmp_path: Path
) -> None:
    shutil.copy(tmp_path / "train_4.png", tmp_path / "copy.png")
    pictured = asked[0].model_copy(update={"pictures": (Picture(path=str(tmp_path / "copy.png")),)})
    assert pool.exclusions(pictured) == {"train_4": "has the same picture as the question"}
    louder = pool.demonstrations[1].question.text.replace("again, ", "AGAIN,  ")
    said = asked[0].model_copy(update={"text": louder})
    assert pool.exclusions(said) == {"train_1": "has the same text as the question"}
    assert pool.exclusions(asked[0]) == {}


def told(question: Question, words: str) -> Question:
    """The question with its record's words in its gold."""
    return question.model_copy(update={"gold": {"question": words}})


def test_words_are_the_same_whatever_their_case_width_spaces_and_punctuation(
    pool: Pool, asked: list[Question]
) -> None:
    text = pool.demonstrations[1].question.text
    for same in (
        text.replace("again, ", "ＡＧＡＩＮ ") + "!",
        text.upper(),
        text.replace("b", "B"),
    ):
        said = asked[0].model_copy(update={"text": same})
        assert pool.exclusions(said) == {"train_1": "has the same text as the question"}, same


def test_words_are_compared_where_a_language_has_one_example_alone(
    pool: Pool, asked: list[Question]
) -> None:
    alone = replace(pool, demonstrations=pool.demonstrations[:1])
    said = asked[0].model_copy(update={"text": alone.demonstrations[0].question.text + " "})
    assert alone.exclusions(said) == {"train_0": "has the same text as the question"}
    assert alone.exclusions(asked[0]) == {}


def test_wording_that_all_share_is_nobodys_own_words(pool: Pool, asked: list[Question]) -> None:
    same = tuple(
        replace(one, question=one.question.model_copy(update={"text": "Is it?"}))
        for one in pool.demonstrations
    )
    silent = replace(pool, demonstrations=same)
    assert silent.exclusions(asked[0].model_copy(update={"text": "Is it?"})) == {}


def test_a_records_own_words_go_before_the_prompt(pool: Pool, asked: list[Question]) -> None:
    """Two records without words share nothing, though their prompts are the same."""
    first, *rest = pool.demonstrations
    for words, barred in (("Rain, rain!", {"train_0"}), ("", set()), ("…", set())):
        one = replace(first, question=told(first.question, words))
        mixed = replace(pool, demonstrations=(one, *rest))
        question = told(asked[0], words.upper()).model_copy(update={"text": first.question.text})
        assert mixed.exclusions(question).keys() == barred


def test_demonstrations_are_of_the_questions_language_where_there_are_any(
    pool: Pool, asked: list[Question]
) -> None:
    languages = {pool.demonstrations[row].question.language for row in pool.usable(asked[2])}
    assert asked[2].language == "zh" and languages == {"zh"}
    english = replace(
        pool,
        demonstrations=tuple(d for d in pool.demonstrations if d.question.language == "en"),
    )
    assert len(english.usable(asked[2])) == len(english)


def test_an_example_without_its_picture_is_left_out_and_said(
    moods: Moods, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "train_3.png").unlink()
    broken = tmp_path / "train_5.png"
    broken.write_bytes(broken.read_bytes()[:60])
    pool = pool_of(moods, "joint", None, moods.prompts("joint"))
    shown = {one.item for one in pool.demonstrations}
    assert {"train_3", "train_5"}.isdisjoint(shown) and len(shown) == COUNTS["train"] - 2
    assert "split train: 2 of 14 questions are left out, for example: " in caplog.text
    assert "train_3.png is not there" in caplog.text
    near = selector(moods, "joint", None, moods.prompts("joint"), fewshot_of(f"retrieval:1{PLAIN}"))
    assert near.pool.checksum == pool.checksum, "every way to choose has the same pool"


def test_chance_is_the_same_for_an_item_whatever_is_asked_before(
    moods: Moods, asked: list[Question]
) -> None:
    prompts = moods.prompts("joint")
    first, second, other = (
        selector(moods, "joint", None, prompts, fewshot_of(f"random:2,seed={seed}"))
        for seed in (1, 1, 2)
    )
    forth = {q.item: [d.item for d in first.select(q)] for q in asked}
    back = {q.item: [d.item for d in second.select(q)] for q in reversed(asked)}
    assert forth == back != {q.item: [d.item for d in other.select(q)] for q in asked}
    assert first.name == second.name != other.name
    assert all(len(set(items)) == 2 for items in forth.values())


def test_more_demonstrations_than_may_be_shown_are_refused(
    moods: Moods, asked: list[Question]
) -> None:
    wanted = selector(moods, "joint", None, moods.prompts("joint"), fewshot_of("random:9"))
    with pytest.raises(InputError, match="4 demonstrations may be shown with test_2, not 9"):
        wanted.select(asked[2])


def test_more_than_a_language_has_are_refused_before_anything_is_asked(
    moods: Moods, pool: Pool, asked: list[Question], tmp_path: Path
) -> None:
    pool.require_languages(asked, 4)
    pool.require_languages([asked[0]], 10)
    what = "moods/joint: 4 demonstrations may be shown with questions in zh, not 9"
    with pytest.raises(InputError, match=what):
        pool.require_languages(asked, 9)
    with pytest.raises(InputError, match=r"Ask for 4 at the most with --fewshot"):
        inspect_task(moods, "joint", fewshot="random:9")
    chinese = replace(pool, demonstrations=pool.demonstrations[2:3])
    chinese.require_languages([asked[0]], 1)


def test_retrieval_takes_the_nearest_first(moods: Moods, asked: list[Question]) -> None:
    wanted = fewshot_of(f"retrieval:3{PLAIN}")
    chooser = selector(moods, "joint", None, moods.prompts("joint"), wanted)
    assert isinstance(chooser, RetrievalSelector)
    chosen = [one.item for one in chooser.select(asked[0])]
    space = chooser.space
    cosines = space.vectors @ space.encoder.encode([asked[0]], space.pool)[0]
    english = [row for row in np.argsort(-cosines) if row in space.pool.usable(asked[0])]
    assert chosen == [space.pool.demonstrations[row].item for row in english[:3]]
    assert f"pool:{space.pool.checksum}" in chooser.name


def test_a_policy_is_saved_loaded_and_picks_by_its_scores(
    moods: Moods, asked: list[Question], tmp_path: Path
) -> None:
    prompts = moods.prompts("joint")
    near = selector(moods, "joint", None, prompts, fewshot_of(f"retrieval:1{PLAIN}"))
    assert isinstance(near, RetrievalSelector)
    policy = Policy.fresh(256, 8, np.random.default_rng(0))
    policy.parts.prior[:] = -1
    folder = tmp_path / "policy"
    write_policy(folder, SavedPolicy(policy, a_card(policy, near.space.encoder.name)))
    assert read_policy(folder).policy.flat.tobytes() == policy.flat.tobytes()
    chooser = selector(moods, "joint", None, prompts, fewshot_of(f"pgds:{folder}:1"))
    assert isinstance(chooser, PolicySelector)
    assert f"policy:{policy.checksum}" in chooser.name
    farthest = near.space.nearest(asked[0], 50)[0][-1]
    assert chooser.select(asked[0]) == [near.pool.demonstrations[farthest]]


def test_a_policy_of_other_vectors_or_with_changed_weights_is_refused(
    moods: Moods, tmp_path: Path
) -> None:
    policy = Policy.fresh(256, 8, np.random.default_rng(0))
    folder = tmp_path / "policy"
    write_policy(folder, SavedPolicy(policy, a_card(policy, "another encoder")))
    with pytest.raises(InputError, match="trained on vectors of another encoder"):
        selector(moods, "joint", None, moods.prompts("joint"), fewshot_of(f"pgds:{folder}:1"))
    other = Policy.fresh(256, 8, np.random.default_rng(1))
    write_policy(folder, SavedPolicy(other, a_card(policy, "x")))
    with pytest.raises(InputError, match="the weights are not those of the card"):
        read_policy(folder)
    (folder / "policy.npz").write_bytes(b"no weights")
    with pytest.raises(InputError, match="the policy cannot be read"):
        read_policy(folder)
    with pytest.raises(InputError, match="holds no policy"):
        read_policy(tmp_path)


def test_a_policy_of_another_task_is_refused_and_one_of_another_pool_is_said(
    moods: Moods, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    prompts = moods.prompts("joint")
    near = selector(moods, "joint", None, prompts, fewshot_of(f"retrieval:1{PLAIN}"))
    assert isinstance(near, RetrievalSelector)
    policy = Policy.fresh(256, 8, np.random.default_rng(0))
    card = a_card(policy, near.space.encoder.name)
    folder = tmp_path / "policy"

    def chosen(**other: str) -> None:
        caplog.clear()
        write_policy(folder, SavedPolicy(policy, card.model_copy(update=other)))
        selector(moods, "joint", None, prompts, fewshot_of(f"pgds:{folder}:1"))

    for other in ({"task": "target"}, {"benchmark": "cfms"}):
        with pytest.raises(InputError, match=r"trained for \w+/\w+, not for moods/joint"):
            chosen(**other)
    chosen()
    assert "trained on another pool of demonstrations (p) than" in caplog.text
    chosen(pool=near.pool.checksum)
    assert not caplog.text
