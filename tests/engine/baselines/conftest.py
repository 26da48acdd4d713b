"""Cards to answer."""

from collections.abc import Callable

import pytest

from deadpan.core.questions import Card, Form, Language

MakeCard = Callable[..., Card]


@pytest.fixture
def card() -> MakeCard:
    """Makes a card for a form, with whatever else the test cares about."""

    def make(
        form: Form,
        task: str = "task",
        item: str = "item",
        language: Language = "en",
        options: tuple[str, ...] = (),
        panels: int | None = None,
        reference: str | None = None,
    ) -> Card:
        return Card(
            benchmark="bench",
            task=task,
            item=item,
            language=language,
            form=form,
            options=options,
            panels=panels,
            reference=reference,
        )

    return make
