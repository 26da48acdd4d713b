"""Which option stands under which letter: dealt in turn, so that no letter is right more often."""

from collections.abc import Iterable, Mapping, Sequence

from deadpan.benchmarks.vimu.taxonomy import LETTERS, Category, Letter, Taxonomy, macro_letters

Offered = dict[Letter, Category]


def dealt(taxonomy: Taxonomy, right: Mapping[str, Iterable[str]]) -> dict[str, Offered]:
    """By film, the options under their letters, given the fine labels that are right for it.

    Films with equal gold follow one another, and the right options take the next letters: in steps
    of one or of two, in turn every five films, so that they are neighbours no more often than not.
    """
    gold = {film: macro_letters(taxonomy, labels) for film, labels in right.items()}
    found: dict[str, Offered] = {}
    first = 0
    for turn, film in enumerate(sorted(gold, key=lambda film: (len(gold[film]), gold[film], film))):
        lap = turn // 5
        letters = [LETTERS[(first + (1 + lap % 2) * place) % 5] for place in range(5)]
        chosen = [category for category in taxonomy if category.letter in gold[film]]
        others = [category for category in taxonomy if category.letter not in gold[film]]
        options = [*_turned(chosen, lap), *_turned(others, lap)]
        found[film] = dict(sorted(zip(letters, options, strict=True)))
        first += len(chosen)
    return found


def _turned(categories: Sequence[Category], by: int) -> Sequence[Category]:
    if not categories:
        return categories
    first = by % len(categories)
    return [*categories[first:], *categories[:first]]
