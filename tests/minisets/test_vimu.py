"""The mini-set: what is committed is what the scripts make, and its gold keeps its promises."""

import json
from collections import Counter
from collections.abc import Collection
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deadpan.media.fonts import is_chinese
from minisets.vimu.build import DATA, write_metadata
from minisets.vimu.film import FPS, TALL, Film
from minisets.vimu.scripts import FILMS

NAMES = ("video_evidence", "vimu_oe", "vimu_eg", "vimu_ss")
SOURCES = ("frames", "text", "editing", "transcript", "audio_tone")
RHETORIC = {
    "A": ("literal_only",),
    "B": ("contrast", "bait_and_switch", "role_reversal", "absurdism"),
    "C": ("sarcasm", "irony", "deadpan", "mockery"),
    "D": ("exaggeration", "parody"),
    "E": ("innuendo", "stereotype_invocation", "dog_whistle_or_code", "other"),
}
SOCIAL = {
    "A": ("none",),
    "B": ("negative_affect", "fatalism_or_cynicism"),
    "C": ("contempt", "humiliation", "aggression_or_hostility", "exclusion",
          "discrimination_or_prejudice"),
    "D": ("norm_violation", "anti_mainstream_value"),
    "E": ("political_or_identity_signal", "sexual_implication", "other"),
}  # fmt: skip
NAMES_OF = {
    "rhetoric_mechanisms": {
        "A": "Literal / Direct",
        "B": "Opposition / Incongruity",
        "C": "Attitude / Tone-based Rhetoric",
        "D": "Amplification / Stylization",
        "E": "Implicit / Coded Social Framing",
    },
    "social_value_signals": {
        "A": "Neutral / No Social Signal",
        "B": "Emotional Attitude",
        "C": "Social Evaluation / Devaluation",
        "D": "Norm and Value Framing",
        "E": "Identity / Ideological Signaling",
    },
}
GIVEAWAYS = ("iron", "sarcas", "parod", "exaggerat", "mock", "deadpan", "contrast", "joke", "funny",
             "讽", "反差", "夸张", "戏仿", "调侃", "好笑", "暗语")  # fmt: skip


def table(name: str) -> dict[str, dict[str, Any]]:
    lines = (DATA / "metadata" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert len({row["video_id"] for row in rows}) == len(rows)
    return {row["video_id"]: row for row in rows}


OPEN, EVIDENCE, STRUCTURE = table("vimu_oe"), table("vimu_eg"), table("vimu_ss")


def path_of(film: Film) -> Path:
    return DATA / "videos" / f"{film.video_id}.mp4"


def letters_of(homes: dict[str, tuple[str, ...]], fine_labels: list[str]) -> list[str]:
    return [letter for letter, members in homes.items() if set(members) & set(fine_labels)]


def test_metadata_is_what_the_scripts_say(tmp_path: Path) -> None:
    write_metadata(tmp_path)
    for name in NAMES:
        kept = (DATA / "metadata" / f"{name}.jsonl").read_bytes()
        assert (tmp_path / f"{name}.jsonl").read_bytes() == kept, name


def test_tables_and_videos_name_the_same_films() -> None:
    ids = [film.video_id for film in FILMS]
    assert len(set(ids)) == len(ids)
    for name in NAMES:
        assert list(table(name)) == ids
    assert {path.name for path in (DATA / "videos").iterdir()} == {f"{i}.mp4" for i in ids}


def test_there_are_enough_films_of_both_languages_and_shapes() -> None:
    languages = Counter(row["taxonomy"]["language"] for row in OPEN.values())
    assert languages["en"] >= 9 and languages["zh"] >= 6 and languages.total() >= 16
    assert sum(film.size == TALL for film in FILMS) >= 2


def test_mechanisms_and_signals_are_widely_covered() -> None:
    rhetoric = {label for film in FILMS for label in film.gold.rhetoric}
    social = {label for film in FILMS for label in film.gold.social}
    assert len(rhetoric) >= 10 and "literal_only" in rhetoric
    assert len(social) >= 8 and "none" in social
    for film in FILMS:
        assert ("literal_only" in film.gold.rhetoric) <= (film.gold.rhetoric == ("literal_only",))
        assert ("none" in film.gold.social) <= (film.gold.social == ("none",))


@pytest.mark.parametrize("task", ["rhetoric_mechanisms", "social_value_signals"])
def test_every_option_is_right_for_two_films_and_most_films_have_few(task: str) -> None:
    gold = [row["mcq_tasks"][task]["ground_truth_labels"] for row in STRUCTURE.values()]
    counts = Counter(label for labels in gold for label in labels)
    assert set(counts) == set(NAMES_OF[task].values()) and min(counts.values()) >= 2
    assert all(1 <= len(labels) <= 3 for labels in gold)


def test_option_letters_follow_from_the_fine_labels() -> None:
    homes = {"rhetoric_mechanisms": RHETORIC, "social_value_signals": SOCIAL}
    for video_id, row in STRUCTURE.items():
        for task, members in homes.items():
            choice = row["mcq_tasks"][task]
            right = letters_of(members, OPEN[video_id]["taxonomy"][task])
            labels = {NAMES_OF[task][letter] for letter in right}
            expected = [x for x, option in choice["options"].items() if option["label"] in labels]
            assert choice["ground_truth"] == expected, (video_id, task)
            assert set(choice["ground_truth_labels"]) == labels
            assert list(choice["options"]) == list("ABCDE")
            offered = sorted(option["label"] for option in choice["options"].values())
            assert offered == sorted(NAMES_OF[task].values())


def test_evidence_letters_follow_from_the_evidence_told() -> None:
    for video_id, row in EVIDENCE.items():
        told = OPEN[video_id]["taxonomy"]["evidence"]
        labels = {option["label"]: letter for letter, option in row["options"].items()}
        assert row["ground_truth"] == sorted(labels[source] for source in told), video_id
        assert labels.keys() == set(SOURCES) and list(row["options"]) == list("ABCDE")
        assert row["open_ended_question"] == OPEN[video_id]["qa"]["question"]


def test_every_source_matters_in_some_films_and_not_in_others() -> None:
    counts = Counter(source for film in FILMS for source in film.gold.evidence)
    assert set(counts) == set(SOURCES)
    assert min(counts.values()) >= 4 and max(counts.values()) <= 0.7 * len(FILMS)


def best_constant(sets: list[frozenset[str]], names: Collection[str]) -> float:
    """The benchmark's strict score of the best answer that is the same for every film."""
    answers = (frozenset(a) for n in range(1, 6) for a in combinations(sorted(names), n))
    return max(
        100 * sum(len(a) / len(gold) for gold in sets if a <= gold) / len(sets) for a in answers
    )


def test_the_same_answer_for_every_film_scores_little_more_than_one_option_at_random() -> None:
    closed = {"eg": list(EVIDENCE.values())}
    for task in NAMES_OF:
        closed[task] = [row["mcq_tasks"][task] for row in STRUCTURE.values()]
    for task, rows in closed.items():
        letters = [frozenset(row["ground_truth"]) for row in rows]
        counts = Counter(letter for gold in letters for letter in gold)
        assert max(counts.values()) <= 1.2 * min(counts.values()), task
        places = Counter(
            (letter, option["label"]) for row in rows for letter, option in row["options"].items()
        )
        assert len(places) == 25 and min(places.values()) >= 4 and max(places.values()) <= 11, task
        named = [
            frozenset(row["options"][letter]["label"] for letter in row["ground_truth"])
            for row in rows
        ]
        assert Counter(named).most_common(1)[0][1] <= 0.2 * len(named), task
        # One option at random gets 20 whatever is right, so that the best constant gets no less.
        options = {label for _, label in places}
        assert 20 <= best_constant(letters, "ABCDE") < 23, task
        assert 20 <= best_constant(named, options) < 23, task


def test_transcripts_are_what_is_spoken() -> None:
    transcripts = {i: row["transcript"] for i, row in table("video_evidence").items()}
    assert transcripts["vimu_900002"] == "After nine years, we proudly open this pothole."
    assert transcripts["vimu_900114"] == "乱扔垃圾不文明，违者罚款。"
    for film in FILMS:
        assert bool(transcripts[film.video_id]) == bool(film.lines), film.video_id
        assert ("transcript" in film.gold.evidence) <= bool(film.lines), film.video_id
        for line in film.lines:
            assert 0 <= line.start < line.end <= film.seconds, line.text
    assert sum(not film.lines for film in FILMS) >= 3


def test_gold_is_complete_and_in_the_language_of_its_film() -> None:
    for film in FILMS:
        gold = film.gold
        texts = [gold.question, gold.answer, gold.literal_summary, gold.intended_meaning]
        texts += [*gold.rubric, *gold.evidence.values(), *gold.targets, film.transcript]
        for text in filter(None, texts):
            assert any(map(is_chinese, text)) == (film.language == "zh"), text
        assert 3 <= len(gold.rubric) <= 5, film.video_id


def test_questions_give_nothing_away() -> None:
    for video_id, row in OPEN.items():
        asked = row["qa"]["question"].casefold()
        assert not [word for word in GIVEAWAYS if word in asked], video_id


def test_files_are_small() -> None:
    sizes = [path_of(film).stat().st_size for film in FILMS]
    assert max(sizes) < 400_000 and sum(sizes) < 4_800_000


@pytest.mark.parametrize("film", FILMS, ids=lambda film: film.video_id)
def test_a_film_decodes_to_what_the_script_draws(film: Film) -> None:
    av = pytest.importorskip("av")
    shown = round(film.seconds * FPS * 0.7)
    with av.open(str(path_of(film))) as container:
        frames = list(container.decode(video=0))
    assert 3 <= len(frames) / FPS <= 8
    assert len(frames) == round(film.seconds * FPS)
    decoded = np.asarray(frames[shown].to_ndarray(format="rgb24"), dtype=np.int16)
    drawn = np.asarray(film.frame(shown / FPS), dtype=np.int16)
    assert decoded.shape == drawn.shape == (film.size[1], film.size[0], 3)
    # Compression blurs edges; another drawing differs over whole areas.
    assert (np.abs(decoded - drawn).max(axis=2) > 60).mean() < 0.008


@pytest.mark.parametrize("film", FILMS, ids=lambda film: film.video_id)
def test_a_film_has_sound_as_long_as_its_picture(film: Film) -> None:
    av = pytest.importorskip("av")
    with av.open(str(path_of(film))) as container:
        rate = container.streams.audio[0].rate
        heard = np.concatenate([f.to_ndarray().ravel() for f in container.decode(audio=0)])
    assert len(heard) / rate == pytest.approx(film.seconds, abs=0.15)
    assert np.abs(heard).max() > 0.3 and np.sqrt(np.mean(heard**2)) > 0.02
