"""The label sets: their mapping, their spellings, their completeness in both languages."""

import re
from pathlib import Path

import pytest

from deadpan.benchmarks.vimu.taxonomy import (
    EVIDENCE,
    LETTERS,
    RHETORIC,
    SOCIAL,
    Taxonomy,
    category_of,
    macro_letters,
)

SEED = Path(__file__).resolve().parents[3].parent / "shared" / "seeds" / "vimu.txt"
MEMBERS = {
    "rhetoric": {
        "A": {"literal_only"},
        "B": {"contrast", "bait_and_switch", "role_reversal", "absurdism"},
        "C": {"sarcasm", "irony", "deadpan", "mockery"},
        "D": {"exaggeration", "parody"},
        "E": {"innuendo", "stereotype_invocation", "dog_whistle_or_code", "other"},
    },
    "social": {
        "A": {"none"},
        "B": {"negative_affect", "fatalism_or_cynicism"},
        "C": {
            "contempt",
            "humiliation",
            "aggression_or_hostility",
            "exclusion",
            "discrimination_or_prejudice",
        },
        "D": {"norm_violation", "anti_mainstream_value"},
        "E": {"political_or_identity_signal", "sexual_implication", "other"},
    },
}


@pytest.mark.parametrize(("taxonomy", "name"), [(RHETORIC, "rhetoric"), (SOCIAL, "social")])
def test_the_mapping_is_the_papers(taxonomy: Taxonomy, name: str) -> None:
    found = {c.letter: {member.name for member in c.members} for c in taxonomy}
    assert found == MEMBERS[name]


@pytest.mark.parametrize("taxonomy", [RHETORIC, SOCIAL, EVIDENCE])
def test_everything_is_said_in_both_languages(taxonomy: Taxonomy) -> None:
    assert tuple(category.letter for category in taxonomy) == LETTERS
    for category in taxonomy:
        for part in (category, *category.members):
            english = part.meaning
            chinese = part.meaning_zh
            assert english and not re.search(r"[\u4e00-\u9fff]", english)
            assert re.search(r"[\u4e00-\u9fff]", chinese)


def test_fine_labels_become_sorted_letters_each_once() -> None:
    assert macro_letters(RHETORIC, ["parody", "irony", "sarcasm"]) == ("C", "D")
    assert macro_letters(SOCIAL, ["other", "none"]) == ("A", "E")
    assert macro_letters(SOCIAL, []) == ()


def test_an_unknown_fine_label_raises() -> None:
    with pytest.raises(ValueError, match="unknown label 'pun'"):
        macro_letters(RHETORIC, ["irony", "pun"])


@pytest.mark.parametrize(
    ("taxonomy", "label", "letter"),
    [
        (RHETORIC, "Literal / Direct", "A"),
        (RHETORIC, "literal_direct", "A"),
        (RHETORIC, "opposition/incongruity", "B"),
        (RHETORIC, "对立／反差", "B"),
        (SOCIAL, "Norm and Value Framing", "D"),
        (SOCIAL, "none", "A"),
        (EVIDENCE, "frames", "A"),
        (EVIDENCE, "Visual frames", "A"),
        (EVIDENCE, "AUDIO_TONE", "E"),
        (EVIDENCE, "声音与语气", "E"),
    ],
)
def test_labels_are_known_in_every_spelling(taxonomy: Taxonomy, label: str, letter: str) -> None:
    found = category_of(taxonomy, label)
    assert found is not None and found.letter == letter


@pytest.mark.parametrize("label", ["", "irony", "Literal", "something"])
def test_other_labels_name_no_category(label: str) -> None:
    assert category_of(RHETORIC, label) is None


@pytest.mark.skipif(not SEED.is_file(), reason="the paper's text is not on this machine")
def test_no_definition_is_copied_from_the_paper() -> None:
    def runs(text: str) -> set[tuple[str, ...]]:
        words = re.findall(r"[a-z]+", text.casefold())
        return {tuple(words[i : i + 6]) for i in range(len(words) - 5)}

    paper = runs(SEED.read_text("utf-8"))
    for taxonomy in (RHETORIC, SOCIAL, EVIDENCE):
        for category in taxonomy:
            for part in (category, *category.members):
                assert not runs(part.meaning) & paper, part.meaning
