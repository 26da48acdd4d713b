"""Errors in the code of a benchmark from outside: named as its own, and found before it is paid."""

import os
import shutil
from pathlib import Path

import pytest

from deadpan.studies.making.creating import open_study
from tests.docs.packages import SITE
from tests.installed_haiku import Haiku, install
from tests.studies.robots import everybody, served, work_together

RUN = ("run", "haiku", "--model", "baseline/random", "--judge", "judge/lexical")


@pytest.fixture
def haiku(tmp_path: Path) -> Haiku:
    return install(tmp_path)


def place_of(haiku: Haiku, words: str) -> str:
    path = haiku.holding(words)
    lines = path.read_text(encoding="utf-8").splitlines()
    line = next(number for number, line in enumerate(lines, 1) if words in line)
    return f"haiku/{path.name}:{line}"


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("fields = {", "fields = 1 / 0 or {", "ZeroDivisionError: division by zero"),
        ("verdicts = answer", "verdicts = {}['no'] or answer", "KeyError: 'no'"),
        ('parts["fits"]', 'parts["fit"]', "KeyError: 'fit'"),
        ("abs((answer.parsed or 0)", "abs(None + (answer.parsed or 0)", "TypeError: "),
        ("return Dataset(", "return Line() or Dataset(", "ValidationError: 5 validation"),
        ('form="number" if', 'form="digits" if', "ValidationError: 1 validation error"),
    ],
    ids=["brief", "judged metric", "judgement", "metric", "data", "question"],
)
def test_the_innermost_line_of_theirs_is_named(haiku: Haiku, old: str, new: str, what: str) -> None:
    haiku.change(old, new)
    done = haiku.deadpan(*RUN)
    place = place_of(haiku, " Question(" if "form" in new else new)
    assert done.returncode == 70
    assert f"error in benchmark haiku ({place}): {what}" in done.stderr
    assert "bug in Deadpan" not in done.stderr and "Traceback" not in done.stderr


def test_prompts_are_asked_for_in_every_language(haiku: Haiku) -> None:
    haiku.change('languages = ("en",)', 'languages = ("en", "zh")')
    done = haiku.deadpan(*RUN)
    assert done.returncode == 2 and not Path(os.environ["DEADPAN_STORE"]).exists()
    assert "ValueError: the judge haiku_mood has no system prompt in zh" in done.stderr
    haiku.change('languages = ("en", "zh")', 'languages = ("en",)')
    haiku.change("    judging = Judging(brief)\n", "")
    done = haiku.deadpan(*RUN)
    assert "the task mood has a judge, and the benchmark no judging" in done.stderr


def test_a_slot_that_nothing_fills_is_told_before_anything_is_asked(haiku: Haiku) -> None:
    haiku.change("Named: {named}", "Named: {name}")
    done = haiku.deadpan(*RUN)
    assert done.returncode == 2 and not Path(os.environ["DEADPAN_STORE"]).exists()
    told = "judge haiku_mood: its en prompt has the slot {name}; its brief fills wanted, named"
    assert told in done.stderr


def test_two_questions_about_one_item_are_told_before_anything_is_asked(haiku: Haiku) -> None:
    haiku.change("item=line.name", 'item="pond"')
    given = '{"item": "pond", "task": "mood", "answer": "calm"}\n'
    (haiku.folder / "a.jsonl").write_text(given, encoding="utf-8")
    score = ("score", "haiku", "--predictions", "a.jsonl")
    for command in (RUN, ("data", "verify", "haiku"), score):
        done = haiku.deadpan(*command)
        assert done.returncode == 2 and not Path(os.environ["DEADPAN_STORE"]).exists()
        task = "mood" if command == RUN else "syllables"  # a judge is tried first
        told = "two questions are about item pond; expected one a task. Give each item an id of "
        assert f"error: haiku/{task}: {told}its own.\n" in done.stderr


def test_questions_may_come_one_by_one(haiku: Haiku) -> None:
    whole = haiku.holding("        return [\n").read_text("utf-8")
    head, rest = whole.split("        return [\n")
    body, tail = rest.split("            for line in dataset.records\n        ]\n")
    one = body.replace("\n", "\n    ").strip().removesuffix(",")
    loop = f"        for line in dataset.records:\n            yield {one}\n"
    haiku.change(whole, head + loop + tail)
    done = haiku.deadpan(*RUN)
    assert done.returncode == 0, done.stderr


def test_a_slot_of_a_question_that_nothing_fills_is_told(haiku: Haiku) -> None:
    haiku.change('.replace("{line}", line.text)', '.replace("{lines}", line.text)')
    done = haiku.deadpan(*RUN)
    assert done.returncode == 2 and not Path(os.environ["DEADPAN_STORE"]).exists()
    told = "haiku/mood: its en prompt has the slot {line}, which the question about pond does not"
    assert told in done.stderr


def test_files_of_media_that_are_not_there_are_named(haiku: Haiku) -> None:
    haiku.change('"three lines", checksum(', '"three lines", media=("a.png", "b.png"), checksum=(')
    (haiku.folder / "a.png").write_bytes(b"")
    told = "b.png: missing file: not there\n3 records, 1 anomaly\n"
    assert told in haiku("data", "verify", "haiku")
    (haiku.folder / "a.png").unlink()
    told = "three lines: no media: not one of 2 is there; the first is a.png\n"
    assert told in haiku("data", "verify", "haiku")
    haiku.change("form=", 'pictures=[{"path": "a.png"}], form=')
    done = haiku.deadpan(*RUN)
    assert done.returncode == 2
    told = "three lines: has none of the pictures. Put them where the data says: a.png."
    assert told in done.stderr


def test_a_brief_that_takes_only_a_model_s_answer_is_no_obstacle(haiku: Haiku) -> None:
    haiku.change("fields = {", 'assert answer not in ("calm", "cold")\n    fields = {')
    done = haiku.deadpan(*RUN)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("return scored(abs(", "return 2.0 or scored(abs(", "_off_by gave 2.0 (float)"),
        ("return grade_reply(", "return 'five' or grade_reply(", "Haiku.parse gave 'five' (str)"),
        ("return Judgement(", "return reply or Judgement(", "MoodJudge.check gave Fits(fits="),
        ("gold = ", "return 3\n        gold = ", "Haiku.questions gave 3 (int)"),
        ("return [\n", "return ['rain'] + [\n", "Haiku.questions gave 'rain' (str) among its"),
    ],
    ids=["statistics", "parse", "check", "questions", "question"],
)
def test_what_their_functions_must_not_give_is_named_as_theirs(
    haiku: Haiku, old: str, new: str, what: str
) -> None:
    haiku.change(old, new)
    done = haiku.deadpan(*RUN)
    assert done.returncode == 70
    assert f"WrongReturn: {what}" in done.stderr and "; expected a" in done.stderr
    assert "error in benchmark haiku (haiku/" in done.stderr
    assert "bug in Deadpan" not in done.stderr and "Traceback" not in done.stderr


def test_a_template_that_makes_no_study_is_named_as_theirs(haiku: Haiku) -> None:
    haiku.change("return MadeStudy(with_people(", "return items or MadeStudy(with_people(")
    done = haiku.deadpan("study", "create", "haiku/mood", "--set", "people=2", "--out", "lines")
    place = place_of(haiku, "def _make(source):")
    assert done.returncode == 70
    assert f"error in benchmark haiku ({place}): WrongReturn: _make gave [" in done.stderr
    assert "(list); expected a MadeStudy(study, items)" in done.stderr


def test_a_value_without_an_axis_is_named_as_theirs(haiku: Haiku) -> None:
    whole = 'value=lambda sums: (sums["sum"] / sums["n"]).mean(),'
    haiku.change("    value=mean,", f"    {whole}")
    done = haiku.deadpan(*RUN)
    assert done.returncode == 70
    assert f"error in benchmark haiku ({place_of(haiku, whole)}): WrongReturn: <la" in done.stderr
    assert "of shape (); expected shape (" in done.stderr


def test_a_value_of_statistics_that_no_answer_gives_is_warned_of(haiku: Haiku) -> None:
    haiku.change("return scored(abs(", 'return {"total": 1.0, "count": 1.0} or scored(abs(')
    done = haiku.deadpan(*RUN)
    assert done.returncode == 0, done.stderr
    (line,) = [one for one in done.stderr.splitlines() if one.startswith("warning:")]
    assert line == (
        "warning: metric off_by of haiku/syllables: no answer gave it n, sum, which its value is "
        "made of; its statistics give count, total, which are not used"
    )


def test_a_sum_that_is_nearly_called_so_is_warned_of(haiku: Haiku) -> None:
    haiku.change("return scored(abs(", 'return {"squares": 4.0, "n": 1.0} or scored(abs(')
    haiku.change("value=mean,", 'value=lambda sums: sums["sqares"] / sums["n"],')
    done = haiku.deadpan(*RUN)
    assert done.returncode == 0, done.stderr
    (line,) = [one for one in done.stderr.splitlines() if one.startswith("warning:")]
    assert line == (
        "warning: metric off_by of haiku/syllables: no answer gave it sqares, which its value is "
        "made of; did you mean squares, which its statistics give and it does not use?"
    )


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ('{"tn": 1.0}', 'sums["tp"] / (sums["tp"] + sums["fp"])'),
        ('{"false_en": 1.0, "n": 1.0}', 'sums["true_en"] / (sums["true_en"] + sums["wrong_en"])'),
        ('{"fn_zh": 1.0}', 'sums["tp_zh"] / (sums["tp_zh"] + sums["fp_zh"])'),
    ],
    ids=["short", "longer", "a letter"],
)
def test_sums_that_no_answer_happens_to_add_are_not_warned_of(
    haiku: Haiku, given: str, value: str
) -> None:
    haiku.change("return scored(abs(", f"return {given} or scored(abs(")
    haiku.change("value=mean,", f"value=lambda sums: {value},")
    done = haiku.deadpan(*RUN)
    assert done.returncode == 0 and "warning:" not in done.stderr


def test_a_group_that_no_item_of_a_part_is_in_is_not_warned_of(haiku: Haiku) -> None:
    held = '{} if line.name == "pond" else {"weather": "wet"}'
    haiku.change('attributes={"season": line.season},\n', f"attributes={held},\n")
    haiku.change('GroupBy("season"', 'GroupBy("weather"')
    done = haiku.deadpan(*RUN, "--limit", "1")
    assert done.returncode == 0 and "warning:" not in done.stderr, done.stderr


def test_a_metric_that_nothing_is_scored_by_is_warned_of(haiku: Haiku) -> None:
    haiku.change("return scored(abs(", "return None and scored(abs(")
    done = haiku.deadpan(*RUN)
    told = "metric off_by of haiku/syllables: no answer gave it anything to score, though 3 were"
    assert done.returncode == 0 and done.stderr.count(told) == 1


def test_a_group_by_an_attribute_that_no_question_has_is_warned_of(haiku: Haiku) -> None:
    haiku.change('GroupBy("season"', 'GroupBy("seasons"')
    done = haiku.deadpan(*RUN)
    assert done.returncode == 0
    told = "warning: haiku groups by seasons, an attribute that no question has; expected one of "
    assert f"{told}season, language; did you mean season?" in done.stderr


def test_tasks_stand_in_the_benchmark_s_order_whichever_was_asked_first(haiku: Haiku) -> None:
    haiku("run", "haiku/mood", *RUN[2:], "--store", "kept")
    haiku("run", "haiku/syllables", *RUN[2:4], "--store", "kept")
    shown = haiku("score", "kept", *RUN[4:], "--table", "all.jsonl")
    for lines in (shown.splitlines(), haiku("score", "all.jsonl").splitlines()):
        found = [line.split()[1] for line in lines if line.startswith("baseline/random ")]
        assert found == ["syllables", "mood", "syllables:", "mood:"]
    haiku("report", "kept", *RUN[4:], "--out", "report.csv")
    rows = (haiku.folder / "report.csv").read_text("utf-8").splitlines()[1:]
    assert list(dict.fromkeys(row.split(",")[2] for row in rows)) == ["syllables", "mood"]


def test_a_study_of_a_package_that_is_not_installed_says_what_to_install(haiku: Haiku) -> None:
    haiku("study", "create", "haiku/mood", "--set", "people=2", "--out", "lines")
    room = served(open_study(haiku.folder / "lines"))
    with everybody(room.joined("Ann"), room.joined("Bo")) as people:
        work_together(people, lambda question, item, draw: "calm")
    room.study.database.close()
    shutil.rmtree(haiku.folder / SITE)
    for told in (("export", "lines", "--out", "out"), ("agreement", "lines")):
        done = haiku.deadpan("study", *told)
        assert done.returncode == 2
        assert done.stderr.startswith("error: haiku: no such benchmark; expected one of pixelhumor")
        assert "; where a package of its own brings it, install that" in done.stderr
