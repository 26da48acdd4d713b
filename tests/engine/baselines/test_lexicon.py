"""Cue words, sound words and n-gram similarity."""

import pytest

from deadpan.engine.baselines.ocr import cue_count, has_sound, lexicon, similarity


@pytest.mark.parametrize(
    "line", ["BAM!", "KABOOOOM", "then, thud.", "Knock knock!", "ZZZZZZ", "砰！", "轰轰轰", "咚咚"]
)
def test_sounds_are_heard(line):
    assert has_sound([line])


@pytest.mark.parametrize("line", ["I will ring you", "a knock at the door", "轰动全城", "", "42"])
def test_words_that_are_not_sounds_here(line):
    assert not has_sound([line])


def test_styles_stand_in_the_order_of_the_taxonomy_and_say_what_they_are():
    assert list(lexicon().styles) == [
        "Comparison", "Personification", "Exaggeration", "Pun",
        "Sarcasm", "Silliness", "Surprise", "Dark",
    ]  # fmt: skip
    for style in lexicon().styles.values():
        assert set(style.about) == {"en", "zh"}
        assert all(cue == cue.casefold() for cue in style.cues)


def test_cues_are_whole_words_in_english_and_substrings_in_chinese():
    assert cue_count("He DIED, dead tired", ["died", "dead", "die"]) == 2
    assert cue_count("没想到他居然来了", ["没想到", "居然", "葬礼"]) == 2
    assert cue_count("What?!", ["?!"]) == 1


def test_similarity_is_a_cosine():
    assert similarity("the cat sat", "The cat sat!") == pytest.approx(1)
    assert similarity("", "cat") == 0
    assert similarity("猫在睡觉", "睡觉的猫") > similarity("猫在睡觉", "股票大跌")
    assert similarity("a joke about death", "death") == similarity("death", "a joke about death")
