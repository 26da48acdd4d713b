"""What getting it takes: the abilities that benchmarks measure, and which score measures which."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Ability:
    """One ability: its name in a benchmark's folder, its title, and what it means in one line."""

    name: str
    title: str
    meaning: str


ABILITIES = (
    Ability("recognise", "Recognise", "tell that something is a joke, sarcastic or self-mocking"),
    Ability("ground", "Ground", "point at what carries it: a panel, words, a picture, a sound"),
    Ability("explain", "Explain", "say why it is funny or what it means"),
    Ability("order", "Order", "follow the telling: which panel and which words come when"),
    Ability("rhetoric", "Rhetoric", "name the device: irony, exaggeration, metaphor, pun"),
    Ability("stance", "Stance", "see at whom it is aimed, and which attitude it takes"),
    Ability("empathise", "Empathise", "feel with the one who speaks and the one who is spoken to"),
    Ability("consistent", "Stay consistent", "tell one story from both sides"),
    Ability("transform", "Transform", "make something kind of something bitter, and break nothing"),
)
"""In the order in which a profile shows them."""


@dataclass(frozen=True)
class AbilityScore:
    """A score that measures an ability, by its task and metric."""

    ability: str
    task: str
    metric: str

    def __post_init__(self) -> None:
        known = [one.name for one in ABILITIES]
        if self.ability not in known:
            expected = ", ".join(known)
            raise ValueError(f"no ability is called {self.ability!r}; expected one of {expected}")
