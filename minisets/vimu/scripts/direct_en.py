"""An English film that says what it wants: an appeal to vote."""

from minisets.drawing.cast import cloud
from minisets.vimu.film import Film, Line, Shot, nothing
from minisets.vimu.gold import Gold
from minisets.vimu.sound import Track, melody
from minisets.vimu.stage import Stage


def _clouds(stage: Stage) -> None:
    for x, y, scale in ((90, 110, 1.3), (350, 220, 1.0), (540, 90, 0.8)):
        cloud(stage.pen.at(x, y, scale))


def _vote_score(track: Track) -> None:
    track.add(0, melody([("C4+E4+G4", 4), ("F4+A4+C5", 4), ("C4+E4+G4", 4)], 0.4, "organ"), 0.12)


VOTE = Film(
    "vimu_900018",
    "en",
    (Shot(5.2, nothing, _clouds, "#9fd0ea"),),
    _vote_score,
    Gold(
        question="What does this video want from its viewers?",
        answer="That they vote for the Tree Party on Sunday. It asks for it openly and means "
        "nothing else.",
        difficulty="easy",
        rubric=(
            "Says that it asks for votes for the Tree Party",
            "Says that nothing is meant beyond that",
            "Does not read mockery of parties into it",
        ),
        literal_summary="White clouds in a blue sky while a voice asks for votes for a party.",
        intended_meaning="Vote for the Tree Party.",
        evidence={"transcript": "The voice asks for a vote for the Tree Party on Sunday."},
        rhetoric=("literal_only",),
        social=("political_or_identity_signal",),
        targets=("voters",),
    ),
    lines=(
        Line("On Sunday, vote for the Tree Party.", 0.4, 3.2, "en-us+f3", 155, 55),
        Line("We plant trees.", 3.4, 5.0, "en-us+f3", 150, 55),
    ),
)

FILMS = (VOTE,)
