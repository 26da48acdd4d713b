"""Which settings of a run are not those of MER-Bench's paper."""

from __future__ import annotations

from collections.abc import Iterator

from deadpan.benchmarks.merbench.sampling import Views
from deadpan.core.signature import Signature

_JUDGE = "gemini-3-pro-preview"


def deviations(signature: Signature) -> Iterator[str]:
    """Another judge, or an unknown one; and samples of another number or size, where there is
    enough to draw from. The other views keep their proportion, the seed is nobody's."""
    if signature.judge == "external":
        yield "judged elsewhere: by whom, and with what in view, is not known"
    judge, _, _ = signature.judge.rpartition("@")
    if judge and judge.rpartition("/")[2].casefold() != _JUDGE:
        yield f"judged by {judge}; the paper's judge is {_JUDGE}"
    usual, drawn = Views().model, signature.settings.get("sample", "").partition("@")[0]
    runs, _, size = drawn.partition("x")
    is_usual = size in (str(usual.size), signature.settings.get("comparable"))
    if drawn and (runs != str(usual.runs) or not is_usual):
        yield f"{runs} samples of {size} memes; the paper's are {usual.runs} of {usual.size}"
