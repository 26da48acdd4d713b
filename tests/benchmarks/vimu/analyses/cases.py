"""Selections written as letters, and random ones for laws that hold for all."""

from hypothesis import strategies as st

from deadpan.benchmarks.vimu.analyses.selections import Selection

OPTIONS = ("A", "B", "C", "D", "E")
SETS = st.frozensets(st.sampled_from(OPTIONS))
SELECTIONS = st.lists(st.builds(Selection, predicted=SETS, gold=SETS), min_size=1, max_size=20)


def chosen(predicted: str, gold: str) -> Selection:
    """`chosen("AB", "A")`: A and B were chosen, A is right."""
    return Selection(frozenset(predicted), frozenset(gold))


# Four items used throughout; 7 chosen options, 8 gold ones, 5 of them in common.
FOUR = [
    chosen("AB", "AB"),  # exact
    chosen("A", "ABC"),  # misses B and C
    chosen("ABD", "AB"),  # D is extra
    chosen("E", "A"),  # misses A, E is extra
]
