"""The reader: what it makes of a released folder, and what it says of a broken one."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deadpan.base.errors import InputError
from deadpan.benchmarks.vimu import VIMU
from deadpan.benchmarks.vimu.records import read_videos, readable
from tests.benchmarks.vimu.data_folder import RHETORIC, Rows, changed, options, rows, write


def ss(made: Rows, task: str = "rhetoric_mechanisms") -> dict[str, Any]:
    found: dict[str, Any] = made["vimu_ss"][0]["mcq_tasks"][task]
    return found


def kinds(folder: Path) -> dict[str, str]:
    return {anomaly.kind: anomaly.where for anomaly in read_videos(folder).anomalies}


class TestReading:
    def test_a_sound_folder_has_no_anomaly(self, tmp_path: Path) -> None:
        dataset = read_videos(write(tmp_path))
        first, second = dataset.records
        assert dataset.anomalies == ()
        assert (first.language, second.language) == ("en", "zh")
        assert first.reading is not None and first.rm is not None and first.eg is not None
        assert first.reading.rubric == "- names the target\n- names the tone"
        assert first.reading.evidence == "frames: he is in bed"
        assert first.rm.gold == ("B", "C")
        assert [option.category for option in first.eg.options] == list("ABCDE")
        assert first.path == str(tmp_path / "videos" / "v1.mp4")
        assert (first.transcript, second.transcript) == ("I rise at five.", "")

    def test_the_checksum_is_of_the_content_alone(self, tmp_path: Path) -> None:
        one = read_videos(write(tmp_path / "one"))
        two_folder = write(tmp_path / "two")
        (two_folder / "videos").mkdir()
        (two_folder / "videos" / "v1.webm").write_bytes(b"x")
        two = read_videos(two_folder)
        assert one.checksum == two.checksum
        assert two.records[0].path.endswith("v1.webm")
        other = write(tmp_path / "3", changed(lambda r: ss(r).update(ground_truth=["B"])))
        assert read_videos(other).checksum != one.checksum

    def test_a_byte_order_mark_blank_lines_and_crlf_are_fine(self, tmp_path: Path) -> None:
        folder = write(tmp_path)
        path = folder / "metadata" / "vimu_eg.jsonl"
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n\r\n"))
        assert read_videos(folder).anomalies == ()

    @pytest.mark.parametrize("name", ["ground_truth", "correct_options", "answer"])
    def test_gold_goes_by_three_names(self, tmp_path: Path, name: str) -> None:
        def rename(made: Rows) -> None:
            gold = made["vimu_eg"][0].pop("ground_truth")
            made["vimu_eg"][0][name] = gold[::-1] * 2

        eg = read_videos(write(tmp_path, changed(rename))).records[0].eg
        assert eg is not None and eg.gold == ("A", "B")

    def test_options_in_another_order_are_known_by_their_labels(self, tmp_path: Path) -> None:
        offered = options((*RHETORIC[1:], RHETORIC[0]))

        def reorder(made: Rows) -> None:
            labels = [offered[letter]["label"] for letter in "AE"]
            ss(made).update(options=offered, ground_truth=["A", "E"], ground_truth_labels=labels)

        dataset = read_videos(write(tmp_path, changed(reorder)))
        rm = dataset.records[0].rm
        assert rm is not None and dataset.anomalies == ()
        assert [option.category for option in rm.options] == list("BCDEA")
        assert (rm.gold, rm.gold_categories) == (("A", "E"), ("A", "B"))

    def test_options_of_unknown_words_keep_their_letters(self, tmp_path: Path) -> None:
        plain = {"A": "one", "B": "two", "C": "three"}
        made = changed(
            lambda r: ss(r).update(options=plain, ground_truth=["B"], ground_truth_labels=["two"])
        )
        dataset = read_videos(write(tmp_path, made))
        rm = dataset.records[0].rm
        assert rm is not None and [option.category for option in rm.options] == list("ABC")
        assert {one.kind for one in dataset.anomalies} == {"unknown option"}

    @pytest.mark.parametrize(
        ("given", "question", "language"),
        [
            ("zh", "What?", "zh"),
            ("zh-CN", "What?", "zh"),
            ("English", "什么？", "en"),
            (None, "这段 video 想说什么意思呢？", "zh"),
            (None, "What does 你好 mean in this video?", "en"),
            (None, "?!", "en"),
        ],
    )
    def test_the_language(
        self, tmp_path: Path, given: str | None, question: str, language: str
    ) -> None:
        def change(made: Rows) -> None:
            made["vimu_oe"][0]["qa"]["question"] = question
            made["vimu_oe"][0]["taxonomy"]["language"] = given

        dataset = read_videos(write(tmp_path, changed(change)))
        assert dataset.records[0].language == language and dataset.anomalies == ()

    def test_nested_values_are_readable(self) -> None:
        value = {"points": ["a", {"b": 1}], "empty": [], "none": None}
        assert readable(value) == "points:\n  - a\n  -\n    b: 1\nempty:\nnone:"


ODD: list[tuple[Callable[[Rows], object], str, str]] = [
    (lambda r: r["vimu_eg"].pop(), "missing question", "vimu_oe.jsonl:2"),
    (
        lambda r: r["video_evidence"].append({"video_id": "v9"}),
        "unknown video",
        "video_evidence.jsonl:3 video_id",
    ),
    (
        lambda r: r["vimu_ss"][0]["mcq_tasks"].update(humour=ss(r)),
        "unknown task",
        "vimu_ss.jsonl:1 mcq_tasks.humour",
    ),
    (
        lambda r: ss(r).update(ground_truth_labels=["Literal / Direct"]),
        "labels disagree with letters",
        "vimu_ss.jsonl:1 mcq_tasks.rhetoric_mechanisms ground_truth_labels",
    ),
    (lambda r: r["vimu_oe"][0].update(note=1), "unknown field", "vimu_oe.jsonl:1 note"),
    (lambda r: r["vimu_oe"][0]["qa"].update(note=1), "unknown field", "vimu_oe.jsonl:1 qa note"),
    (lambda r: r["vimu_eg"][0].update(note=1), "unknown field", "vimu_eg.jsonl:1 note"),
    (
        lambda r: r["vimu_oe"][0]["taxonomy"].update(language="fr"),
        "unknown language",
        "vimu_oe.jsonl:1 taxonomy.language",
    ),
    (
        lambda r: r["vimu_oe"][0]["taxonomy"].update(rhetoric_mechanisms=["pun"]),
        "unknown label",
        "vimu_oe.jsonl:1 taxonomy.rhetoric_mechanisms",
    ),
    (
        lambda r: r["vimu_oe"][0]["taxonomy"].update(social_value_signals=["none"]),
        "labels disagree with gold",
        "vimu_oe.jsonl:1 taxonomy.social_value_signals",
    ),
]


@pytest.mark.parametrize(("change", "kind", "where"), ODD)
def test_what_is_odd_and_not_fatal_is_reported(
    tmp_path: Path, change: Callable[[Rows], object], kind: str, where: str
) -> None:
    assert kinds(write(tmp_path, changed(change))) == {kind: where}


def test_unknown_annotations_are_kept_out(tmp_path: Path) -> None:
    made = changed(lambda r: r["vimu_oe"][0]["taxonomy"].update(anything=[1, {"a": None}]))
    assert read_videos(write(tmp_path, made)).anomalies == ()


def test_a_task_that_a_video_lacks_is_not_asked(tmp_path: Path) -> None:
    made = changed(lambda r: r["vimu_ss"][0]["mcq_tasks"].pop("social_value_signals"))
    dataset = read_videos(write(tmp_path, made))
    asked = {
        spec.name: [q.item for q in VIMU.questions(dataset, spec.name, VIMU.prompts(spec.name))]
        for spec in VIMU.tasks
    }
    both = ["v1", "v2"]
    assert asked == {
        **{"oe": both, "eg": both, "rm": both, "rm_guided": both},
        **{"sv": ["v2"], "sv_guided": ["v2"]},
    }


BROKEN: list[tuple[Callable[[Rows], object], str]] = [
    (lambda r: r["vimu_oe"].append(r["vimu_oe"][0]), r"vimu_oe\.jsonl:3 video_id: got v1 a second"),
    (lambda r: r["vimu_oe"][1].pop("qa"), r"vimu_oe\.jsonl:2 qa: is missing"),
    (lambda r: r["vimu_oe"][0]["qa"].pop("rubric"), r"vimu_oe\.jsonl:1 qa\.rubric: is missing"),
    (
        lambda r: r["vimu_oe"][0]["qa"].update(question=5),
        r"vimu_oe\.jsonl:1 qa\.question: got 5; expected a valid string",
    ),
    (lambda r: r["vimu_oe"][0]["qa"].update(answer=" "), r"qa\.answer: is blank"),
    (lambda r: r["vimu_oe"][0]["qa"].update(rubric=None), r"qa\.rubric: is blank"),
    (lambda r: r["vimu_oe"][0].update(taxonomy=[]), r"taxonomy: got \[\]"),
    (
        lambda r: r["vimu_oe"][0]["taxonomy"].update(target_subjects="men"),
        r'taxonomy\.target_subjects: got "men"',
    ),
    (lambda r: r["vimu_oe"][0].update(video_id=7), r"video_id: got 7"),
    (lambda r: r["video_evidence"][0].update(frames="a.jpg"), r'frames: got "a.jpg"'),
    (lambda r: r["video_evidence"][0].update(transcript=3), r"transcript: got 3"),
    (lambda r: r["vimu_eg"][0].pop("ground_truth"), r"ground_truth: is missing"),
    (lambda r: r["vimu_eg"][0].update(ground_truth="A"), r'ground_truth: got "A"'),
    (lambda r: r["vimu_eg"][0].update(ground_truth=["F"]), r'ground_truth\.0: got "F"; expected'),
    (lambda r: r["vimu_eg"][0].update(answer=["C"]), r'answer: got \["C"\]; ground_truth says'),
    (lambda r: r["vimu_eg"][0].update(options=["a"]), r"options: got \[\"a\"\]"),
    (lambda r: r["vimu_eg"][0].update(options={"A": "x"}), r"options: got A; expected letters"),
    (lambda r: r["vimu_eg"][0].update(options={}), r"options: got none; expected letters"),
    (
        lambda r: r["vimu_eg"][0].update(options={"A": "x", "C": "y"}, ground_truth=["A"]),
        r"options: got A, C; expected letters in a row",
    ),
    (lambda r: r["vimu_eg"][0].update(options={"A": "x", "G": "y"}), r'options\.G: got "G"'),
    (lambda r: r["vimu_eg"][0].update(options={"A": "x", "B": 5}), r"options\.B: got 5"),
    (lambda r: r["vimu_eg"][0].update(options={"A": "x", "B": {"label": "l"}}), r"options\.B"),
    (
        lambda r: r["vimu_eg"][0].update(options={"A": "x", "B": "y"}, ground_truth=["E"]),
        r"ground_truth: got E; expected letters of the options",
    ),
    (
        lambda r: r["vimu_eg"][0].update(options={"A": "frames", "B": "frames"}),
        "two options name one category",
    ),
    (
        lambda r: r["vimu_eg"][0].update(options={"A": "text", "B": "who knows"}),
        r'options\.B: got "who knows"; A is not where it usually is',
    ),
    (lambda r: ss(r).update(question=""), r"mcq_tasks\.rhetoric_mechanisms question: is blank"),
    (lambda r: r["vimu_ss"][0]["mcq_tasks"].update(rm=ss(r)), "is there under two names"),
    (lambda r: r["vimu_ss"][0].update(mcq_tasks=[]), r"mcq_tasks: got \[\]"),
    (lambda r: r["vimu_oe"][0].update(video_id="../v1"), r"video_id: got '../v1'; expected a pl"),
    (lambda r: r["vimu_oe"][0].update(video_id=".."), r"video_id: got '..'"),
    (lambda r: r["vimu_oe"][0].update(video_id="C:v1"), "expected a plain name"),
    (lambda r: r["vimu_oe"][0].update(video_id="a\0b"), "expected a plain name"),
    (lambda r: r["vimu_oe"][0].update(video_id="v" * 300), "expected a plain name"),
    (lambda r: r["vimu_oe"][0].update(video_id=""), "expected a plain name"),
]


@pytest.mark.parametrize(("change", "what"), BROKEN)
def test_what_is_wrong_is_named_with_its_place(
    tmp_path: Path, change: Callable[[Rows], object], what: str
) -> None:
    with pytest.raises(InputError, match=what):
        read_videos(write(tmp_path, changed(change)))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (b"", "the file is empty"),
        (b"\n \n", "the file is empty"),
        (b"{", r"vimu_eg\.jsonl:1: is not JSON"),
        (b"[]", r"vimu_eg\.jsonl:1: got \[\]; expected a JSON object"),
        (b'{"video_id": "a", "video_id": "b"}', "video_id is there twice"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"video_id": ' + b"9" * 5000 + b"}", "cannot be read"),
        ('{"video_id": "视频"}'.encode("gb18030"), r"vimu_eg\.jsonl:1: byte 0x.. is not UTF-8"),
        ('{"video_id": "v"}'.encode("utf-16"), "is not UTF-8"),
    ],
)
def test_a_file_that_is_no_jsonl_is_named(tmp_path: Path, text: bytes, what: str) -> None:
    folder = write(tmp_path)
    (folder / "metadata" / "vimu_eg.jsonl").write_bytes(text)
    with pytest.raises(InputError, match=what):
        read_videos(folder)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    folder = write(tmp_path)
    (folder / "metadata" / "vimu_ss.jsonl").unlink()
    with pytest.raises(InputError, match=r"vimu_ss\.jsonl: no such file\. Give --data"):
        read_videos(folder)
    with pytest.raises(InputError, match="no such file"):
        read_videos(tmp_path / "elsewhere")


class TestFrames:
    def framed(self, folder: Path, *frames: str) -> Path:
        made = rows()
        made["video_evidence"][0]["frames"] = list(frames)
        return write(folder, made)

    def test_those_that_are_there_are_shown(self, tmp_path: Path) -> None:
        folder = self.framed(tmp_path, "frames/1.jpg", "frames\\2.jpg", "frames/3.jpg")
        (folder / "frames").mkdir()
        for number in (1, 2):
            (folder / "frames" / f"{number}.jpg").write_bytes(b"x")
        dataset = read_videos(folder)
        clip = VIMU.questions(dataset, "eg", VIMU.prompts("eg"))[0].clip
        assert clip is not None
        assert clip.frames == tuple(str(folder / "frames" / f"{n}.jpg") for n in (1, 2))
        assert len(dataset.records[0].frames) == 3

    @pytest.mark.parametrize(
        "path",
        ["/etc/passwd", "../x.jpg", "frames/../../x.jpg", "C:\\x.jpg", "\\\\host\\x.jpg", ""],
    )
    def test_paths_out_of_the_folder_are_refused(self, tmp_path: Path, path: str) -> None:
        with pytest.raises(InputError, match=r"video_evidence\.jsonl:1 frames"):
            read_videos(self.framed(tmp_path / "data", path))

    def test_links_out_of_the_folder_are_refused(self, tmp_path: Path) -> None:
        folder = self.framed(tmp_path / "data", "frames/1.jpg")
        (tmp_path / "secret.jpg").write_bytes(b"x")
        (folder / "frames").mkdir()
        (folder / "frames" / "1.jpg").symlink_to(tmp_path / "secret.jpg")
        with pytest.raises(InputError, match="leads out of the data folder"):
            read_videos(folder)

    def test_a_name_no_file_system_takes_is_no_file(self, tmp_path: Path) -> None:
        dataset = read_videos(self.framed(tmp_path, "f" * 5000 + ".jpg"))
        assert dataset.records[0].found_frames == ()

    def test_a_linked_video_is_refused_and_a_linked_folder_is_not(self, tmp_path: Path) -> None:
        elsewhere = tmp_path / "disk"
        elsewhere.mkdir()
        (elsewhere / "v1.mp4").write_bytes(b"x")
        folder = write(tmp_path / "data")
        (folder / "videos").symlink_to(elsewhere)
        assert read_videos(folder).records[0].path == str(folder / "videos" / "v1.mp4")
        (folder / "videos").unlink()
        (folder / "videos").mkdir()
        (folder / "videos" / "v1.mp4").symlink_to(elsewhere / "v1.mp4")
        with pytest.raises(InputError, match="leads out of the data folder"):
            read_videos(folder)


def test_attributes(tmp_path: Path) -> None:
    made = rows()
    made["video_evidence"].pop()
    dataset = read_videos(write(tmp_path, made))
    first, second = VIMU.questions(dataset, "rm", VIMU.prompts("rm"))
    assert first.attributes == {
        "difficulty": "easy",
        "rhetoric": ["B", "C"],
        "social": ["C"],
        "speech": "yes",
        "categories": ["A", "B", "C", "D", "E"],
    }
    assert second.attributes["speech"] == "unknown"
    assert second.clip is not None and second.clip.transcript is None
    silent = read_videos(write(tmp_path, rows())).records[1]
    assert silent.transcript == ""
    asked = VIMU.questions(read_videos(tmp_path), "oe", VIMU.prompts("oe"))[1]
    assert asked.attributes["speech"] == "no" and asked.attributes["categories"] == []


def test_the_judge_is_told_every_field_as_text(tmp_path: Path) -> None:
    dataset = read_videos(write(tmp_path))
    question = VIMU.questions(dataset, "oe", VIMU.prompts("oe"))[0]
    brief = VIMU.judging.brief("oe", question.gold, "It mocks him.", "en")
    assert set(brief.fields) == {
        *("question", "reference", "literal_summary", "intended_meaning", "evidence", "rubric"),
    }
    judge = VIMU.task("oe").judge
    assert judge is not None and "It mocks him." in judge.question(brief)
    assert json.loads(json.dumps(question.gold)) == brief.fields
