"""The paper's tables as we keep them."""

import pytest

from deadpan.benchmarks.cfms import CFMS
from deadpan.core.published import Published, read_published

Printed = dict[tuple[str, str, str, str, str], float]


@pytest.fixture(scope="module")
def published() -> Published:
    found = read_published(CFMS.folder)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def printed(published: Published) -> Printed:
    names = ("table", "model", "task", "metric", "group")
    table: Printed = {}
    for row in published.rows.iter_rows(named=True):
        key = (row["table"], row["model"], row["task"], row["metric"], row["group"])
        assert key not in table, dict(zip(names, key, strict=True))
        table[key] = row["value"]
    return table


def test_every_table_is_whole(published: Published) -> None:
    sizes = dict(published.rows["table"].value_counts().iter_rows())
    assert sizes == {
        "1": 3,
        "2": 12,
        "3.2": 3,
        "3.3": 1,
        "5": 8,
        "6": 6,
        "7": 14 * 7,
        "8": 3 * 7,
        "9": 5 * 10,
    }
    assert set(published.tables) == set(sizes)


def test_every_metric_is_declared(published: Published) -> None:
    """Those of the paper's tables, which hold generated pictures too, and those of the data."""
    names = {
        *published.rows["metric"],
        *(one.metric for one in CFMS.analyses.stats(CFMS.read(None))),
    }
    declared = {metric.name for spec in CFMS.tasks for metric in spec.metrics}
    assert names <= declared | {metric.name for metric in CFMS.metrics}
    assert {"met", "met_share", "gap", "bleu4"} <= names


def test_values_are_as_printed(printed: Printed) -> None:
    zh = "language=zh"
    assert printed["1", "gold", "data", "target_characters_mean", zh] == 5.44
    assert printed["2", "gold", "data", "pairs", "split=train,sarcastic=no"] == 1084
    assert printed["5", "gold", "data", "metaphor_pairs", f"{zh},metaphor=yes"] == 73
    assert printed["6", "gemini-3-pro-image-preview", "generation", "met_share", "judge=B"] == 82.0
    assert printed["7", "GPT-4o, zero-shot", "joint", "recall", zh] == 96.30
    assert printed["7", "Gemini-2.5-Flash, RAG 1-shot", "joint", "target_accuracy", zh] == 80.42
    assert printed["7", "Qwen2.5-VL-7B-Instruct, PGDS", "joint", "accuracy", zh] == 78.01
    assert printed["7", "InternVL2.5-8B, random 1-shot", "joint", "bleu4", zh] == 8.33
    assert printed["8", "LLaVA-1.5-7B, LoRA", "joint", "bertscore", zh] == 69.32
    assert printed["9", "LLaVA-1.5-7B", "metaphor", "gap", zh] == 1.08
    assert printed["9", "GPT-4o", "metaphor_sarcasm", "accuracy", "language=en"] == 79.00


def test_table_2_adds_up(printed: Printed) -> None:
    def pairs(group: str) -> float:
        return printed["2", "gold", "data", "pairs", group]

    splits = ("train", "validation", "test")
    for split in splits:
        both = [pairs(f"split={split},sarcastic={label}") for label in ("yes", "no")]
        assert sum(both) == pairs(f"split={split}")
    assert sum(pairs(f"split={split}") for split in splits) == pairs("all") == 2796
    assert pairs("sarcastic=yes") + pairs("sarcastic=no") == 2796


def test_gaps_of_table_9_are_differences_of_f1(printed: Printed) -> None:
    gaps = {key: value for key, value in printed.items() if key[3] == "gap"}
    assert len(gaps) == 10
    for (table, model, _, _, group), gap in gaps.items():
        metaphor = printed[table, model, "metaphor", "f1", group]
        sarcasm = printed[table, model, "metaphor_sarcasm", "f1", group]
        assert gap == pytest.approx(metaphor - sarcasm, abs=0.011)


def test_f1_of_tables_7_and_8_is_that_of_precision_and_recall_but_for_the_noted_rows(
    printed: Printed, published: Published
) -> None:
    odd = []
    for table, model, task, metric, group in printed:
        if table in ("7", "8") and metric == "f1":
            p, r = (printed[table, model, task, name, group] for name in ("precision", "recall"))
            if abs(2 * p * r / (p + r) - printed[table, model, task, metric, group]) > 0.02:
                odd.append(model)
    assert odd == ["Gemini-2.5-Flash, zero-shot", "Qwen2.5-VL-7B-Instruct, zero-shot"]
    assert any("Gemini-2.5-Flash zero-shot (74.84" in note for note in published.oddities)


def test_columns_of_published_tables_are_published(printed: Printed) -> None:
    for layout in CFMS.report.tables:
        for _, task, metric, group in layout.columns if layout.published else ():
            assert any(
                key[0] == layout.published and key[2:] == (task, metric, group) for key in printed
            )
