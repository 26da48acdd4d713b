"""People take named gestures and expressions, or ones put together for a film."""

from PIL import Image, ImageChops

from minisets.drawing.cast import BOY
from minisets.drawing.faces import MOODS, Expression, Face, mood_face
from minisets.drawing.pen import SUPERSAMPLE, Pen
from minisets.drawing.people import Arms, Hands


def drawn(mood: Expression = "calm", arms: Arms | Hands = "down") -> Image.Image:
    image = Image.new("RGB", (120 * SUPERSAMPLE, 170 * SUPERSAMPLE), "white")
    BOY.draw(Pen(image).at(60, 165), mood, arms)
    return image


def changed_part(one: Image.Image, two: Image.Image) -> tuple[float, ...]:
    box = ImageChops.difference(one, two).getbbox()
    assert box
    return tuple(side / SUPERSAMPLE for side in box)


def test_a_face_may_be_named_or_put_together() -> None:
    assert mood_face("calm", (1, 0)).look == (1, 0)
    assert mood_face(Face("shut", "o"), (0, 1)) == Face("shut", "o", look=(0, 1))
    assert drawn("calm").tobytes() == drawn(MOODS["calm"]).tobytes()


def test_only_the_mouth_changes_when_only_the_mouth_moves() -> None:
    _, top, _, low = changed_part(drawn("calm"), drawn(Face("dot", "o")))
    assert 52 < top < low < 72


def test_hands_go_where_they_are_told() -> None:
    hands: Hands = ((-50.0, -60.0), (50.0, -60.0))
    left, _, right, _ = changed_part(drawn(arms="down"), drawn(arms=hands))
    assert left < 60 - 50 and right > 60 + 50
