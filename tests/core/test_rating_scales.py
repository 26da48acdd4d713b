"""Files of ratings that tell their own scales."""

from __future__ import annotations

from pathlib import Path

import pytest

from deadpan.base.errors import InputError
from deadpan.core.rating_scales import (
    scale_of_text,
    scale_text,
    scales_told,
    tells_only_other_scales,
)

TEXTS = ["integers 1 to 7", "numbers 0 to 0.5", "numbers -1 to 1", "yes or no", "choice"]


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_written_is_read(text: str) -> None:
    assert scale_text(scale_of_text("q", text)) == text


@pytest.mark.parametrize("text", ["1-7", "integers 7 to 1", "integers 1 to", "Choice"])
def test_what_is_no_scale_raises(text: str) -> None:
    with pytest.raises(ValueError, match="expected integers 1 to 7"):
        scale_of_text("q", text)


def test_known_ones_are_left_out_and_two_of_one_raise(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    heading = "item,model,metric,rater,rating,scale\n"
    path.write_text(f"{heading}i,m,a,R,1,choice\ni,m,b,R,1,yes or no\n", "utf-8")
    assert [one.name for one in scales_told([path], ["a"])] == ["b"]
    assert tells_only_other_scales([path], ["c"]) and not tells_only_other_scales([path], ["a"])
    path.write_text(f"{heading}i,m,a,R,1,choice\ni,m,a,Q,1,yes or no\n", "utf-8")
    with pytest.raises(InputError, match='a is "choice" elsewhere'):
        scales_told([path])
