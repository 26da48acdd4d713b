"""What a campaign's file may not say is said with its line, all of it at once."""

import re
from pathlib import Path

import pytest

from deadpan.base.errors import DeadpanError
from deadpan.base.yaml_documents import read_yaml
from deadpan.campaigns.suite.reading import read_suite
from deadpan.campaigns.suite.running import writing_alone
from deadpan.campaigns.suite.schema import Suite
from deadpan.core.study.schema import editor_schema
from deadpan.engine.segments import Busy

RIGHT = """models:
  - baseline/random
benchmarks:
  - pixelhumor/presence
"""


def _problems(folder: Path, text: str | bytes) -> str:
    path = folder / "paper.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(DeadpanError) as found:
        read_suite(path)
    return str(found.value).replace(str(path), "paper.yaml")


def _suite(folder: Path, text: str | bytes) -> Suite:
    path = folder / "paper.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_suite(path).suite


def test_every_problem_is_told_with_its_line(tmp_path: Path) -> None:
    found = _problems(
        tmp_path,
        """title: 2026
models:
  - name: baseline/random
    title: A
    engine: vlm
  - name: nothing/x
    title: A
    temprature: 0
benchmarks:
  - pixelhumr
  - {name: cfms/join, data: nowhere}
  - {name: merbench, data: nowhere, limit: 2, sample: 2}
  - cfms
audits: {shortcuts: blnk}
""",
    ).splitlines()
    assert found[0] == "4 problems in paper.yaml:"
    assert found[1:] == [
        "paper.yaml:1: title: got the number 2026; expected words: put it in quotes",
        'paper.yaml:5: models[0].engine: got "vlm"; expected auto, vllm or ray; did you mean vllm?',
        "paper.yaml:8: models[1].temprature: unknown field; did you mean temperature?",
        'paper.yaml:14: audits.shortcuts[0]: got "blnk"; expected all, text-only, blank, swapped, '
        "picture-only, question-only, shuffled-options or shuffled-panels; did you mean blank?",
    ]


def test_what_cannot_be_read_hides_nothing_else(tmp_path: Path) -> None:
    found = _problems(
        tmp_path,
        """models:
  - {name: baseline/random, title: A, engine: vlm}
  - {name: nothing/x, title: A, ray_address: here}
  - editor/nope
benchmarks:
  - pixelhumr
  - {name: cfms/join, data: nowhere}
  - {name: merbench, data: nowhere, limit: 2, sample: 2}
  - cfms
metrics: {models: {bertscor: x}, lexicons: {zh: nope}}
""",
    )
    for said in (
        "paper.yaml:2: models[0].engine: got",
        "paper.yaml:3: models[1].name: Model API nothing",
        'paper.yaml:3: models[1].title: "A" is what models[0] is called too',
        "paper.yaml:3: models[1].ray_address: no use without engine: ray",
        'paper.yaml:4: models[2].name: no editor "nope"',
        "paper.yaml:6: benchmarks[0].name: pixelhumr: no such benchmark",
        "did you mean pixelhumor?",
        "paper.yaml:7: benchmarks[1].name: cfms/join: no such task",
        "paper.yaml:8: benchmarks[2].data: nowhere: no such folder",
        "paper.yaml:8: benchmarks[2].sample: limit takes the first items",
        "paper.yaml:9: benchmarks[3]: cfms/joint, cfms/target: graded by a judge; name one",
        "paper.yaml:10: metrics.models.bertscor: expected one of",
        "paper.yaml:10: metrics.lexicons.zh: expected one of",
    ):
        assert said in found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "the file is empty"),
        (b"\xef\xbb\xbf\n", "the file is empty"),
        (RIGHT.encode("utf-16"), "is not UTF-8"),
        ("title: 幽默".encode("gb18030"), "is not UTF-8"),
        ("models:\n\t- baseline/random\n", "no tabs"),
        (f"{RIGHT}models: [baseline/random]\n", "models is there twice"),
        ("models: &a [*a]\n", "are not read: write out"),
        ("- baseline/random\n", "holds no campaign"),
        ("[" * 1500, "is nested too deeply"),
        (f"{RIGHT}# {'x' * 300_000}\n", "characters; expected a campaign"),
        ("models: []\nbenchmarks: []\n", "models: "),
        ("benchmarks: [pixelhumor]\n", "models: is missing"),
        (RIGHT.replace("baseline/random", "12"), "got 12"),
        (RIGHT.replace("pixelhumor/presence", "merbench"), "no model answers merbench"),
        (f"{RIGHT}judge: baseline/random\n", "would grade its own answers"),
        (f"{RIGHT}reader: judge/lexical\n", "only compares words"),
        (f"{RIGHT}languages: [fr]\n", "languages[0]: got"),
        (f"{RIGHT}  - pixelhumor/style\n", "is in benchmarks[0] too"),
    ],
)
def test_files_that_are_no_campaign(tmp_path: Path, text: str | bytes, said: str) -> None:
    assert said in _problems(tmp_path, text)


def test_what_may_be_said_briefly(tmp_path: Path) -> None:
    text = RIGHT + "judge: judge/lexical\nmetrics: paper\nlanguages: en\naudits: {published: yes}\n"
    found = _suite(tmp_path, b"\xef\xbb\xbf" + text.encode())
    assert found.models[0].shown == found.models[0].name == "baseline/random"
    assert found.judge is not None and found.judge.name == "judge/lexical"
    assert found.metrics.preset == "paper" and found.languages == ("en",)
    assert found.audits.published and found.audits.shortcuts == ()


def test_titles_are_words_of_any_language(tmp_path: Path) -> None:
    text = RIGHT.replace("  - baseline", "  - title: no\n    name: baseline")
    assert _suite(tmp_path, text).models[0].title == "no"
    assert _suite(tmp_path, text.replace("no\n", "模型甲\n")).models[0].title == "模型甲"


def test_the_example_says_nothing_unknown() -> None:
    path = Path(__file__).parents[2] / "examples" / "campaigns" / "paper.yaml"
    found = Suite.model_validate(read_yaml(path, "campaign", "", "").value)
    assert [one.shown for one in found.models][:3] == ["GPT-4o", "o4-mini", "Qwen2.5-VL"]
    assert found.benchmarks[0].sample == 30 and found.audits.published


def test_the_schema_takes_names_alone() -> None:
    schema = editor_schema(Suite)
    forms = schema["$defs"]["ModelEntry"]["anyOf"]
    assert {"type": "string"} in forms
    assert set(schema["required"]) == {"models", "benchmarks"}


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("baseline/random", "{name: a,zzz, title: c}", r":2: models\[0\].zzz: .* stand in quotes"),
        ("\n  - pixelhumor/presence", " [cfms/joint,target]", ":3: .*target: .* stand in quotes"),
        ("baseline/random", "{name: baseline/random, batch: yes}", r":2: .*batch: .*no batch API"),
        ("\n  - pixelhumor/presence", " []", ":3: benchmarks: got 0; expected at least 1"),
        ("\n  - pixelhumor/presence", " 3", ":3: benchmarks: got 3; expected a list"),
        (
            "baseline/random",
            "{name: baseline/random, engine: ray, ray_address: 'ray://h:1'}",
            ":2: .*ray_address: addresses of Ray Client are not taken",
        ),
    ],
)
def test_what_yaml_parts_and_what_cannot_be_is_said(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    assert re.search(told, _problems(tmp_path, RIGHT.replace(old, new)))


def test_patience_can_be_said(tmp_path: Path) -> None:
    patient = "{name: baseline/random, timeout: 9, max_retries: 0, give_up: 600}"
    calls = _suite(tmp_path, RIGHT.replace("baseline/random", patient)).models[0].calls
    assert (calls.timeout, calls.max_retries, calls.give_up) == (9, 0, 600)


def test_two_campaigns_into_one_folder_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "paper.yaml"
    path.write_text(f"{RIGHT}out: {tmp_path / 'new' / 'out'}\n")
    with (
        writing_alone(read_suite(path)),
        pytest.raises(Busy, match="out is being written by process"),
        writing_alone(read_suite(path)),
    ):
        pass
    assert not list(tmp_path.rglob("*.lock"))
