"""How tasks are named in data, predictions and file names."""

import pytest

from deadpan.benchmarks.vimu.taxonomy import task_in_file_name, task_named


@pytest.mark.parametrize(
    ("name", "task"),
    [
        ("oe", "oe"),
        ("open_ended", "oe"),
        ("Open-Ended Interpretation", "oe"),
        ("eg", "eg"),
        ("evidence_grounding", "eg"),
        ("rhetoric_mechanisms", "rm"),
        ("rhetoric_mechanism", "rm"),
        ("Rhetoric", "rm"),
        ("RM", "rm"),
        ("rhetoric_mechanisms_macro5", "rm"),
        ("rhetoric_mechanism_macro", "rm"),
        ("RhetoricMechanisms", "rm"),
        ("social_value_signals", "sv"),
        ("social_value_signal_macro_5", "sv"),
        ("social", "sv"),
        ("SV", "sv"),
        ("rm_guided", "rm_guided"),
        ("guided_sv", "sv_guided"),
        ("rhetoric_mechanisms_with_guidance", "rm_guided"),
        ("social_value_signals_without_guidance", "sv"),
        ("sv_unguided", "sv"),
        ("rm_no_guidance", "rm"),
    ],
)
def test_the_obvious_spellings_are_known(name: str, task: str) -> None:
    assert task_named(name) == task


@pytest.mark.parametrize(
    "name", ["", "humour", "rm_sv", "rhetoric_questions_asked", "signals", "oe_guided", "task", "5"]
)
def test_other_names_are_not_guessed(name: str) -> None:
    assert task_named(name) is None


@pytest.mark.parametrize(
    ("stem", "task"),
    [
        ("gpt-4o_rm", "rm"),
        ("results_GPT-5.2_social_value_with_guidance", "sv_guided"),
        ("vimu_eg_predictions", "eg"),
        ("ministral-8b-oe", "oe"),
        ("gpt-4o", None),
        ("rm_and_sv", None),
    ],
)
def test_a_file_name_may_say_the_task(stem: str, task: str | None) -> None:
    assert task_in_file_name(stem) == task
