"""The audit and the distribution, with numbers worked by hand."""

import json
from pathlib import Path
from typing import Any

import pytest

from deadpan.base.errors import InputError
from deadpan.base.rows import write_rows
from deadpan.core.score import Score, select
from deadpan.core.signature import parse_signature
from deadpan.failures.audit import (
    Audited,
    accuracy,
    audit_scores,
    confusion,
    distribution,
    merge_labels,
    to_audit,
)
from deadpan.failures.cases import cases_of, is_unequal
from deadpan.failures.criteria import shipped_criteria
from deadpan.failures.labels import Label, label_of
from deadpan.metrics.statistics.quantiles import wilson
from tests.failures.wrong_answers import a_table

CRITERIA = shipped_criteria()
JUDGE = "openai/sorter@failure_types.1.0.0"
NEW = {"name": "EC", "title": "echo", "definition": "It repeats the question."}


def labels() -> list[Label]:
    """`loud`: 20 AB (en), 8 AF, 1 new and 1 failed (zh), 2 SM refused; `meek`: 3 by people."""
    made = []
    for case in cases_of(a_table(), [is_unequal]):
        if case.outcome == "refused":
            told: dict[str, Any] = {"status": "labelled", "type": "SM", "by": "outcome"}
        elif case.model == "meek":
            told = {"status": "labelled", "type": "TM", "by": "people"}
        else:
            told = {"by": "judge", "judge": JUDGE, "status": "labelled"}
            told["type"] = "AB" if case.language == "en" else "AF"
            if case.item == "zh00":
                told |= {"status": "new", "type": None, "new_type": NEW}
            if case.item == "zh01":
                told |= {"status": "judge_failed", "type": None, "reason": "broken"}
        made.append(label_of(case, **told))
    return made


def audited(folder: Path, wanted: dict[str, str], **changes: Any) -> Path:
    """An audit file that gives `wanted` types to items, with a change to its first row."""
    rows = [
        Audited.model_validate({**label.model_dump(), "correct_type": wanted[label.item]})
        for label in labels()
        if label.model == "loud" and label.item in wanted
    ]
    path = folder / "audit.jsonl"
    write_rows(path, rows)
    text = path.read_text("utf-8").splitlines()
    text[0] = json.dumps({**json.loads(text[0]), **changes}, ensure_ascii=False)
    path.write_text("\n".join(text), "utf-8")
    return path


def value(scores: list[Score], **wanted: str) -> Score:
    (found,) = select(scores, **wanted)
    return found


def test_a_fifth_of_the_models_own_labels_is_audited() -> None:
    found = to_audit(labels(), 0.2, seed=0)
    assert len(found) == 6  # of 28: not the people's, the refused, the new or the failed one
    assert {row.by for row in found} == {"judge"} and {row.status for row in found} == {"labelled"}
    assert [row.language for row in found].count("zh") == 2  # 8 of 28 of 6 is 1.7
    assert {row.correct_type for row in found} == {None}


def test_corrections_are_merged_and_accuracy_is_told_with_the_confusion(tmp_path: Path) -> None:
    wanted = {"en00": "AB", "en01": "AB", "en02": "AB", "en03": "KD", "zh02": "AF"}
    final = merge_labels(labels(), audited(tmp_path, wanted), CRITERIA)
    corrected = next(label for label in final if (label.model, label.item) == ("loud", "en03"))
    assert (corrected.type, corrected.was, corrected.audited) == ("KD", "AB", True)
    assert sum(label.audited for label in final) == 5
    found = accuracy(final)
    assert found == {"all": (4, 5), "AB": (3, 4), "AF": (1, 1)}
    assert confusion(final) == {("AB", "AB"): 3, ("AB", "KD"): 1, ("AF", "AF"): 1}
    scores = audit_scores(final, CRITERIA)
    whole = value(scores, metric="label_accuracy", group="all")
    assert (whole.model, whole.value, whole.n) == ("openai/sorter", 0.8, 5)
    assert (whole.low, whole.high) == pytest.approx((0.3755, 0.9638), abs=5e-5)
    assert whole.interval == "wilson"
    assert value(scores, metric="corrected_to_KD", group="type=AB").value == 1
    assert value(scores, metric="confirmed", group="type=AB").value == 3
    assert not [one for one in scores if one.metric in ("corrected_to_AB", "corrected_to_AF")]
    assert parse_signature(whole.signature).judge == JUDGE


def test_nothing_audited_gives_no_accuracy() -> None:
    assert accuracy(labels()) == {}
    assert audit_scores(labels(), CRITERIA) == []


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"correct_type": None}, r"audit\.jsonl:1 correct_type: is empty"),
        ({"correct_type": "XX"}, r'audit\.jsonl:1 correct_type: got "XX"; expected one of AB'),
        ({"correct_type": "new"}, r'audit\.jsonl:1 correct_type: got "new"'),
        ({"type": "AF"}, r"audit\.jsonl:1 type: got AF; the label is AB"),
        ({"item": "nowhere"}, r"audit\.jsonl:1: loud has no failure at meaning nowhere"),
        ({"item": "en01"}, r"audit\.jsonl:2: says the same row again .*audit\.jsonl:1"),
        ({"table": "00000000"}, r"audit\.jsonl:1 table: got 00000000"),
        ({"answer": "other"}, r"audit\.jsonl:1 answer: was changed"),
        ({"colour": "red"}, r"audit\.jsonl:1 colour: "),
        ({"status": "new"}, r"audit\.jsonl:1: .*status new does not go with"),
    ],
)
def test_a_wrong_row_of_the_audit_is_told(
    tmp_path: Path, changes: dict[str, Any], told: str
) -> None:
    path = audited(tmp_path, {"en00": "AB", "en01": "AB"}, **changes)
    with pytest.raises(InputError, match=told):
        merge_labels(labels(), path, CRITERIA)


def test_what_the_model_did_not_label_cannot_be_audited(tmp_path: Path) -> None:
    path = audited(tmp_path, {"ref1": "AB"})
    with pytest.raises(InputError, match="ref1 was not labelled by the model"):
        merge_labels(labels(), path, CRITERIA)


def test_the_distribution_of_each_model_by_hand() -> None:
    scores = distribution(labels(), CRITERIA)
    loud = {"model": "loud", "metric": "share"}
    ab = value(scores, group="type=AB", **loud)
    assert ab.value == pytest.approx(20 / 31)  # 32 failures, of which the judge failed on one
    assert (ab.n, ab.unscored, ab.task) == (31, 1, "failures")
    assert (ab.low, ab.high) == pytest.approx(wilson(20, 31)) and ab.interval == "wilson"
    assert value(scores, group="type=AF", **loud).value == pytest.approx(8 / 31)
    assert value(scores, group="type=SM", **loud).value == pytest.approx(2 / 31)
    assert value(scores, group="type=new", **loud).value == pytest.approx(1 / 31)
    assert value(scores, group="type=KD", **loud).value == 0
    assert value(scores, model="loud", metric="failures").value == 32
    shares = [score.value or 0.0 for score in select(scores, **loud)]
    assert sum(shares) == pytest.approx(1)
    chinese = value(scores, model="loud", metric="share_zh", group="type=AF")
    assert (chinese.value, chinese.n) == (pytest.approx(8 / 9), 9)
    assert value(scores, model="meek", metric="share", group="type=TM").value == 1
    assert not select(scores, model="meek", metric="share_zh")


def test_only_failed_labels_give_no_number() -> None:
    failed = [label for label in labels() if label.status == "judge_failed"]
    scores = distribution(failed, CRITERIA)
    assert {score.value for score in select(scores, metric="share")} == {None}
    assert value(scores, metric="share", group="type=AB").unscored == 1
    with pytest.raises(ValueError, match="no labels"):
        distribution([], CRITERIA)
