"""Raw annotator votes that consolidate to the gold: a pair, and an adjudicator if it disagrees."""

import random

from minisets.pixelhumor.gold import EXTRA, HELPS, NONE, STYLES, Gold

PAIRS = ((1, 2), (3, 4), (5, 6), (7, 8))
ADJUDICATORS = (9, 10, 11, 12)
Answers = list[list[str]]


def gold_answers(gold: Gold, numbers: list[int]) -> Answers:
    """Q1 to Q5 as label lists; `numbers` are the panel numbers in reading order."""
    panel = str(numbers[gold.punch - 1]) if gold.punch else "NA"
    styles = [str(style) for style in gold.styles]
    return [[gold.presence], [gold.sound], [panel], [gold.modality], styles]


def annotator_votes(comic_id: str, gold: Gold, numbers: list[int]) -> dict[int, Answers]:
    """Each annotator's answers; the same for every run."""
    chance = random.Random(f"votes of {comic_id}")
    first, second = chance.choice(PAIRS)
    right = gold_answers(gold, numbers)
    if right[3] == ["Both"]:
        right[3] = ["Text", "Visual"]
    votes = {first: [list(a) for a in right], second: [list(a) for a in right]}
    if gold.presence == "No":
        return votes
    _blur(votes[second], right, chance)
    disputed = chance.random() < 0.45
    if disputed:
        _disagree(votes[first], votes[second], right, numbers, chance)
        votes[chance.choice(ADJUDICATORS)] = right
    return votes


def _blur(votes: Answers, right: Answers, chance: random.Random) -> None:
    """Adds single votes that do not change the outcome."""
    if len(right[3]) == 1 and chance.random() < 0.4:
        votes[3] = ["Text", "Visual"]
    if chance.random() < 0.5:
        votes[4].append(chance.choice([style for style in STYLES if style not in right[4]]))


def _disagree(
    one: Answers, two: Answers, right: Answers, numbers: list[int], chance: random.Random
) -> None:
    """Makes the pair differ on one question, so that no label of it has two votes."""
    question = chance.choice([0, 1, 2, 3, 4, 4])
    if question == 0:
        two[0] = ["No"]
        two[2:] = [["NA"], ["NA"], ["NA"]]
    elif question == 1:
        two[1] = [chance.choice([label for label in (NONE, HELPS, EXTRA) if [label] != right[1]])]
    elif question == 2:
        two[2] = [str(chance.choice([n for n in numbers if [str(n)] != right[2]]))]
    elif question == 3:
        one[3], two[3] = ["Text"], ["Visual"]
    elif len(right[4]) == 2:
        one[4], two[4] = right[4][:1], right[4][1:]
    else:
        two[4] = [chance.choice([style for style in STYLES if style not in right[4]])]
