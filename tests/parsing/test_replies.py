"""Replies written by people who did not know the parser are read as a person reads them."""

from __future__ import annotations

from collections import Counter

import pytest

from bench.replies import FOLDER, described, rows

READ, MISREAD = 0.95, 0.01


@pytest.mark.skipif(not any(FOLDER.glob("*.jsonl")), reason="no corpus of replies is there")
def test_most_replies_are_read_and_hardly_any_misread() -> None:
    found = list(rows())
    counts = Counter(one.verdict for one in found)
    failing = "\n".join(described(one) for one in found if one.verdict != "read")
    assert counts["read"] >= READ * len(found), failing
    assert counts["misread"] <= MISREAD * len(found), failing
