"""`data stats`: counts and lengths worked out by hand."""

from pathlib import Path

import pytest

from deadpan.benchmarks.vimu import VIMU
from deadpan.benchmarks.vimu.records import MINI_SET, read_videos
from tests.benchmarks.vimu.data_folder import rows, write


def stats(folder: Path) -> dict[tuple[str, str], float | None]:
    return {(f.metric, f.group): f.value for f in VIMU.analyses.stats(read_videos(folder))}


def test_counts(tmp_path: Path) -> None:
    """A Chinese character is a word, and so is the mark after the last one."""
    made = rows({"v1": ("AB", "BC", "C"), "v2": ("A", "B", "A"), "v3": ("BE", "D", "C")})
    made["vimu_oe"][0]["taxonomy"] |= {
        "rhetoric_mechanisms": ["irony", "contrast", "irony"],
        "social_value_signals": ["contempt"],
        "target_subjects": ["men"],
    }
    made["vimu_oe"][2]["taxonomy"]["target_subjects"] = ["men", "dogs"]
    found = stats(write(tmp_path, made))
    expected = {
        ("videos", "all"): 3,
        ("videos", "language=en"): 2,
        ("videos", "language=zh"): 1,
        ("videos", "difficulty=hard"): 1,
        ("videos", "rhetoric_label=irony"): 1,
        ("videos", "social_label=contempt"): 1,
        ("videos", "target=men"): 2,
        ("videos", "target=dogs"): 1,
        ("videos", "evidence=frames"): 2,
        ("videos", "evidence=text"): 2,
        ("videos", "evidence=audio_tone"): 1,
        ("videos", "evidence=editing"): 0,
        ("videos", "evidence_options=2"): 2,
        ("videos", "rhetoric=B"): 2,
        ("videos", "rhetoric=A"): 0,
        ("videos", "rhetoric_options=1"): 2,
        ("videos", "social=C"): 2,
        ("questions", "task=oe"): 3,
        ("questions", "task=sv"): 3,
        ("speech_share", "all"): pytest.approx(2 / 3),
        ("question_words_max", "all"): 9,
        ("question_words_min", "all"): 4,
        ("answer_words_mean", "all"): pytest.approx((4 + 6 + 4) / 3),
    }
    assert {key: found.get(key) for key in expected} == expected
    assert not [metric for metric, _ in found if metric.startswith("seconds")]


def test_seconds_of_the_videos_that_are_there(tmp_path: Path) -> None:
    pytest.importorskip("av")
    from deadpan.media.video import video_info

    source = next((MINI_SET / "videos").glob("*.mp4"))
    folder = write(tmp_path)
    (folder / "videos").mkdir()
    (folder / "videos" / "v1.mp4").write_bytes(source.read_bytes())
    (folder / "videos" / "v2.mp4").write_bytes(b"not a video")
    found = stats(folder)
    assert found["seconds_mean", "all"] == pytest.approx(video_info(source).seconds)


def test_a_video_counts_for_the_questions_it_has(tmp_path: Path) -> None:
    made = rows()
    made["vimu_oe"] = made["vimu_oe"][:1]
    found = stats(write(tmp_path, made))
    assert found["questions", "task=oe"] == 1 and found["questions", "task=eg"] == 2
