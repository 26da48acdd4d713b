"""Which settings a report names because they are not the paper's."""

import pytest

from deadpan.benchmarks.merbench.deviations import deviations
from deadpan.core.judge import sees_of
from deadpan.core.signature import Signature


def signed(judge: str = "google/gemini-3-pro-preview@merbench_rf_vf.2.ab", **settings: str) -> str:
    made = Signature("merbench", "reappraisal", "3", 9, "d", "p", judge, settings)
    return "; ".join(deviations(made))


@pytest.mark.parametrize(
    ("judge", "settings", "told"),
    [
        ("google/gemini-3-pro-preview@x.2.ab", {"sample": "10x100@0", "comparable": "2711"}, ""),
        ("google/gemini-3-pro-preview@x.2.ab", {"sample": "10x8@7", "comparable": "8"}, ""),
        ("none", {}, ""),
        ("openai/gpt-4o@x.2.ab", {}, "judged by openai/gpt-4o; the paper's judge is gemini-3"),
        ("external", {"runs": "10"}, "judged elsewhere"),
        ("none", {"sample": "3x100@0", "comparable": "2711"}, "3 samples of 100 memes"),
        ("none", {"sample": "10x20@0", "comparable": "2711"}, "the paper's are 10 of 100"),
    ],
)
def test_settings_that_are_not_the_papers_are_named(
    judge: str, settings: dict[str, str], told: str
) -> None:
    found = signed(judge, **settings)
    assert told in found and bool(found) == bool(told)


def test_what_a_judge_sees_stands_in_its_signature() -> None:
    assert sees_of("openai/gpt-4o@merbench_rf_vf.2.ab12cd34") == ()
    assert sees_of("a+b/gpt@merbench_rf_vf.2.ab12cd34+caption+source-emotion") == (
        "caption",
        "source-emotion",
    )
    assert sees_of("local/x@merbench_rf_vf.2.ab12cd34+caption.5e5e5e5e") == ("caption",)
    assert sees_of("none") == sees_of("external") == ()
