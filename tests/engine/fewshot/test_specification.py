"""`--fewshot`, read and written."""

from pathlib import Path

import pytest

from deadpan.base.errors import DeadpanError
from deadpan.engine.fewshot.specification import Demos, fewshot_of


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("random:1", Demos(kind="random", shots=1)),
        ("random:4,seed=7", Demos(kind="random", shots=4, seed=7)),
        (
            "retrieval:2,text=bge,image=none,layout=interleaved",
            Demos(kind="retrieval", shots=2, text="bge", image="none", layout="interleaved"),
        ),
        (
            "pgds:out/a policy, v2:1",
            Demos(kind="pgds", policy=Path("out/a policy, v2"), shots=1),
        ),
        ("pgds:C:/p:3", Demos(kind="pgds", policy=Path("C:/p"), shots=3)),
    ],
)
def test_what_is_written_is_understood_and_written_back(text: str, meant: Demos) -> None:
    assert fewshot_of(text) == meant
    assert str(meant) == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "expected none, random:K"),
        ("nearest:1", "expected none, random:K"),
        ("random", "expected none, random:K"),
        ("random:0", "greater than or equal to 1"),
        ("retrieval:33", "less than or equal to 32"),
        ("random:one", "expected none, random:K"),
        ("pgds:1", "pgds needs a policy's folder"),
        ("random:there:1", "random takes no policy"),
        ("random:1,seed=1,seed=2", "given twice"),
        ("random:1,colour=red", "colour"),
        ("retrieval:1,seed=3", "only random draws"),
        ("random:1,text=bge", "random needs no encoder"),
        ("retrieval:1,layout=sideways", "layout"),
    ],
)
def test_anything_else_is_told_with_what_was_expected(text: str, why: str) -> None:
    with pytest.raises(DeadpanError, match=why) as caught:
        fewshot_of(text)
    assert f"--fewshot {text}: " in str(caught.value)


def test_none_shows_nothing() -> None:
    assert fewshot_of("none") is None
