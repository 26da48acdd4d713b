"""The paper's tables as we keep them."""

from statistics import correlation

import pytest

from deadpan.benchmarks.janusmm import JANUSMM
from deadpan.benchmarks.janusmm.records import REASONINGS
from deadpan.core.published import Published, read_published

Printed = dict[tuple[str, str, str, str], dict[str, float]]


@pytest.fixture(scope="module")
def published() -> Published:
    found = read_published(JANUSMM.folder)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def printed(published: Published) -> Printed:
    table: Printed = {}
    for row in published.rows.iter_rows(named=True):
        key = (row["table"], row["task"], row["metric"], row["group"])
        assert row["model"] not in table.setdefault(key, {})
        table[key][row["model"]] = row["value"]
    return table


def test_every_table_is_whole(published: Published) -> None:
    sizes = dict(published.rows["table"].value_counts().iter_rows())
    assert sizes == {"1": 100, "2": 80, "3": 100, "5": 54, "6": 2}
    models = set(published.rows.filter(published.rows["table"].is_in(["1", "2", "3"]))["model"])
    assert len(models) == 10


def test_values_are_as_printed(printed: Printed) -> None:
    assert printed["1", "recognition", "accuracy", "language=zh"]["GPT-4.1"] == 67.00
    assert printed["1", "reasoning", "bertscore", "language=en"]["Claude-Sonnet-4"] == 51.92
    assert printed["2", "initiator", "bartscore", "language=zh"]["Qwen-VL-Plus"] == -4.16
    assert printed["3", "responder", "sr", "language=en"]["GPT-4.1"] == 93.72
    cell = "language=en,source=private_dialogue"
    assert printed["5", "data", "thinking_tokens_mean", cell] == {"gold": 171.2}
    assert printed["6", "recognition", "accuracy", "language=en"] == {"Human": 88.4}


def test_table_5_is_made_of_scores_we_compute(printed: Printed) -> None:
    metrics = {metric for table, _, metric, _ in printed if table == "5"}
    assert metrics == {
        f"{name}_tokens_{end}" for name in REASONINGS for end in ("mean", "max", "min")
    }
    for name in REASONINGS:
        for language in ("en", "zh"):
            for source in ("social_media", "group_chat", "private_dialogue"):
                low, mean, high = (
                    printed["5", "data", f"{name}_tokens_{end}", group]["gold"]
                    for end in ("min", "mean", "max")
                    for group in (f"language={language},source={source}",)
                )
                assert low < mean < high


def test_the_correlations_that_are_noted_as_odd(published: Published, printed: Printed) -> None:
    found = {}
    for language in ("zh", "en"):
        irc, huc = (printed["2", "dual", name, f"language={language}"] for name in ("irc", "huc"))
        found[language] = correlation(list(irc.values()), [huc[model] for model in irc])
    assert found == {"zh": pytest.approx(0.7201, abs=5e-5), "en": pytest.approx(0.7726, abs=5e-5)}
    assert any("0.6946" in oddity and "0.7201" in oddity for oddity in published.oddities)


def test_the_exceptions_that_are_noted_as_odd(published: Published, printed: Printed) -> None:
    pe, ec = (printed["3", task, name, "language=zh"] for task, name in PERSPECTIVES)
    assert [model for model in pe if pe[model] >= ec[model]] == ["Gemini-2.5-Pro"]
    initiator, responder = (
        printed["2", task, "bartscore", "language=zh"] for task in ("initiator", "responder")
    )
    worse = [model for model in initiator if responder[model] < initiator[model]]
    assert worse == ["Qwen-VL-Max", "Qwen-VL-Plus", "Doubao-1.5-Thinking-Pro"]
    assert all(any(model in text for text in published.oddities) for model in worse)
    huc = printed["2", "dual", "huc", "language=zh"]
    assert min(huc.values()) < huc["Claude-Sonnet-4"] < max(huc.values())


PERSPECTIVES = (("initiator", "pe"), ("responder", "ec"))


def test_the_tables_of_a_report_show_what_was_published(published: Published) -> None:
    for layout in JANUSMM.report.tables:
        if not layout.published:
            continue
        shown = {(task, metric, group) for _, task, metric, group in layout.columns}
        rows = published.rows.filter(published.rows["table"] == layout.published)
        assert shown == set(rows.select("task", "metric", "group").unique().rows())
