"""Squares in HELM: a scenario for each size, and what is run of it."""

import json
import os
from pathlib import Path

from helm.benchmark.adaptation.adapter_spec import ADAPT_GENERATION_MULTIMODAL, AdapterSpec
from helm.benchmark.metrics.common_metric_specs import get_exact_match_metric_specs
from helm.benchmark.run_spec import RunSpec, run_spec_function
from helm.benchmark.scenarios.scenario import (
    CORRECT_TAG,
    TEST_SPLIT,
    Input,
    Instance,
    Output,
    Reference,
    Scenario,
    ScenarioSpec,
)
from helm.common.media_object import MediaObject, MultimediaObject


class SquaresScenario(Scenario):
    name = "squares"
    description = "Which colour is the square in the picture?"
    tags = ("vision-language",)

    def __init__(self, size):
        super().__init__()
        self.size = size

    def get_instances(self, output_path):
        folder = Path(os.environ["PEERS_DATA"])
        rows = [json.loads(line) for line in (folder / "items.jsonl").read_text().splitlines()]
        return [
            Instance(
                Input(multimedia_content=MultimediaObject(_shown(folder, row))),
                references=[Reference(Output(text=row["answer"]), tags=[CORRECT_TAG])],
                split=TEST_SPLIT,
                id=row["id"],
            )
            for row in rows
            if self.size in ("all", row["size"])
        ]


def _shown(folder, row):
    return [
        MediaObject(location=str(folder / row["image"]), content_type="image/png"),
        MediaObject(text=row["question"], content_type="text/plain"),
    ]


@run_spec_function("squares")
def squares(size="all"):
    return RunSpec(
        name=f"squares:size={size}",
        scenario_spec=ScenarioSpec("squares_helm.SquaresScenario", args={"size": size}),
        adapter_spec=AdapterSpec(
            method=ADAPT_GENERATION_MULTIMODAL,
            input_prefix="",
            input_suffix="",
            output_prefix="",
            output_suffix="",
            max_train_instances=0,
            num_outputs=1,
            max_tokens=64,
            temperature=0.0,
            stop_sequences=[],
        ),
        metric_specs=get_exact_match_metric_specs(),
        groups=["squares"],
    )
