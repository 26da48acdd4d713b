"""Who skipped what others answered is told in one line."""

from deadpan.core.study_rows import skip_notes


def test_skipped_answers_are_counted() -> None:
    said = {"A": ["1", "2", "3"], "B": ["1"], "C": ["2", "3", "1"]}
    assert skip_notes("target", said) == ["target: B did not answer 2, of 3 that somebody answered"]
    assert skip_notes("target", {"A": ["1"], "B": ["1"]}) == []
    assert skip_notes("target", {}) == []


def test_of_many_people_the_first_are_named() -> None:
    said = {f"p{number}": [number] for number in range(10)}
    (line,) = skip_notes("met", said)
    assert line.startswith("met: p0 did not answer 9, ") and "and 2 more people, of 10" in line


def test_what_was_dealt_to_others_is_not_passed_over() -> None:
    said = {"A": [1, 2], "B": [1, 2], "C": [3, 4], "D": [3]}
    dealt = {1: "zh", 2: "zh", 3: "en", 4: "en"}
    assert skip_notes("MG", said, dealt) == ["MG: D did not answer 1, of 4 that somebody answered"]
