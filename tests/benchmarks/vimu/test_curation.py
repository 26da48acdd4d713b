"""ViMU built from posts: the hint-free loop on scripted models, leaks, candidates and files."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from deadpan.base.errors import InputError, MissingExtra
from deadpan.benchmarks.vimu import VIMU
from deadpan.benchmarks.vimu.curation import BUILDING, leaks
from deadpan.benchmarks.vimu.curation.drafting import STEPS
from deadpan.benchmarks.vimu.curation.forms import Annotation
from deadpan.benchmarks.vimu.records import MINI_SET, read_videos
from deadpan.core.curation import Drafted, Post, PostMedia, Unusable
from deadpan.core.questions import Language
from deadpan.core.study.templates import StudySource
from tests.curate.interviews import ScriptedInterview, drafted

PROMPTS = VIMU.folder / "curation" / "prompts"
ANNOTATION: dict[str, Any] = {
    "literal_summary": "A man sleeps in bed while a clock runs from five to noon.",
    "intended_meaning": "Those who preach discipline often lack it.",
    "rhetoric_mechanisms": ["irony", "parody"],
    "social_value_signals": ["norm_violation"],
    "target_subjects": ["productivity gurus"],
    "evidence": {"frames": "He never gets up.", "transcript": "The voice boasts."},
    "self_contained": True,
}
CHINESE = ANNOTATION | {
    "literal_summary": "老板在台上讲话，深夜的办公室大门上了锁。",
    "intended_meaning": "所谓自愿加班其实是强迫。",
    "target_subjects": ["老板"],
    "evidence": {"frames": "大门上锁", "transcript": "老板说全凭自愿"},
}
ANSWER = "The boasting voice claims an early start, but the speaker stays in bed: gurus pretend."
GOOD = {"good": True, "note": ""}
PASS = {"implicitness": GOOD, "difficulty": GOOD, "alignment": GOOD, "verdict": "pass"}


def written(question: str, answer: str = ANSWER) -> dict[str, Any]:
    rubric = ["Names the gap", "Does not claim that he rises"]
    return {"question": question, "answer": answer, "difficulty": "medium", "rubric": rubric}


CLEAN = written("What is this video really saying about the person it shows?")
BY_LABEL = written("Why is this video so sarcastic about the person?")
BY_WORDS = written("What do gurus in this video do?")


def post(language: Language = "en", transcript: str = "I rise at five.", **more: Any) -> Post:
    film = PostMedia(kind="video", given="a.mp4", file="aa.mp4")
    return Post(
        id="clips-7",
        source="clips",
        where="clips.jsonl:7",
        language=language,
        media=(film,),
        transcript=transcript,
        **more,
    )


def interview(language: Language = "en", **replies: Any) -> ScriptedInterview:
    usual = {
        "annotate": ANNOTATION if language == "en" else CHINESE,
        "question": CLEAN,
        "blind": {"answer": "That somebody is lazy."},
        "compare": {"same": False, "note": "too general"},
        "validate": PASS,
    }
    return ScriptedInterview(usual | replies, PROMPTS, language)


def test_leaking_questions_are_caught_by_label_and_by_answer_words_and_all_rounds_kept() -> None:
    ask = interview(question=[BY_LABEL, BY_WORDS, CLEAN])
    made = drafted(BUILDING, post(), ask, Path("media"))
    assert made.rejected == "" and made.steps == STEPS
    assert [(one.number, one.verdict) for one in made.rounds] == [
        (1, "leaks"),
        (2, "leaks"),
        (3, "pass"),
    ]
    assert made.rounds[0].feedback == {"leaks": ['it names the tested dimension: "sarcastic"']}
    assert made.rounds[1].feedback == {"leaks": ['it shares words with its answer: "gurus"']}
    assert made.draft["qa"] == CLEAN
    # Only the clean one is paid for, and whoever writes is told of every question before.
    assert [one.step for one in ask.asked] == [
        "annotate",
        *["question"] * 3,
        *("blind", "compare", "validate"),
    ]
    _, second, third = ask.of("question")
    assert BY_LABEL["question"] in second.prompt and "tested dimension" in second.prompt
    assert BY_LABEL["question"] in third.prompt and BY_WORDS["question"] in third.prompt
    assert [one.attempt for one in ask.of("question")] == [1, 2, 3]
    # A blind model sees the question and nothing else.
    (blind,) = ask.of("blind")
    assert blind.media == () and set(blind.values) == {"question"} and blind.role == "validator"
    assert "I rise at five" not in blind.prompt
    assert ask.of("validate")[0].media == (Path("media/aa.mp4"),)
    assert "clips-7" not in "".join(one.prompt for one in ask.asked)


def test_one_that_never_gets_clean_is_rejected_after_its_rounds() -> None:
    made = drafted(BUILDING, post(), interview(question=[BY_LABEL, BY_WORDS, BY_LABEL]), Path())
    assert (made.rejected, made.draft, made.steps) == ("rounds used up", {}, ("annotate",))
    assert len(made.rounds) == 4 and "sarcastic" in made.what  # the first, and three anew
    once = drafted(
        BUILDING, post(), interview(question=[BY_LABEL, BY_WORDS, CLEAN]), Path(), rounds=1
    )
    assert (once.rejected, len(once.rounds)) == ("rounds used up", 2)


def test_one_that_is_answered_blind_is_written_again_with_what_was_guessed() -> None:
    ask = interview(
        question=[written("What does this person do all day?"), CLEAN],
        blind=[{"answer": "It boasts of an early start."}, {"answer": "No idea."}],
        compare=[{"same": True, "note": "the core"}, {"same": False}],
    )
    made = drafted(BUILDING, post(), ask, Path())
    assert [one.verdict for one in made.rounds] == ["blind", "pass"]
    assert "without the video" in str(made.rounds[0].feedback["leaks"])
    assert "It boasts of an early start." in ask.of("question")[1].prompt
    assert "It boasts of an early start." in ask.of("compare")[0].prompt
    always = interview(compare={"same": True})
    made = drafted(BUILDING, post(), always, Path())
    assert made.rejected == "rounds used up" and made.steps == ("annotate", "question", "blind")


@pytest.mark.parametrize(
    ("verdicts", "rejected", "rounds"),
    [
        (["minor"], "", 1),
        (["major", "pass"], "", 2),
        (["major", "reject"], "rejected", 2),
        (["major", "major", "major", "minor"], "", 4),
        (["major", "major", "major", "major"], "rounds used up", 4),
    ],
)
def test_verdicts_keep_send_back_or_drop(verdicts: list[str], rejected: str, rounds: int) -> None:
    bad = {"good": False, "note": "too plain"}
    said = [PASS | {"difficulty": bad, "verdict": one, "feedback": "deeper"} for one in verdicts]
    said = [PASS if one["verdict"] == "pass" else one for one in said]
    ask = interview(validate=said)
    made = drafted(BUILDING, post(), ask, Path())
    assert (made.rejected, len(made.rounds)) == (rejected, rounds)
    assert bool(made.draft) == (not rejected)
    if rounds > 1:
        assert "difficulty: too plain; deeper" in ask.of("question")[1].prompt


def test_replies_that_contradict_themselves_are_asked_for_again() -> None:
    wrong = [
        ANNOTATION | {"rhetoric_mechanisms": ["irony", "sarcasmo"]},
        ANNOTATION | {"rhetoric_mechanisms": ["literal_only", "irony"]},
        ANNOTATION,
    ]
    ask = interview(annotate=wrong, validate=[PASS | {"verdict": "major"}, PASS])
    made = drafted(BUILDING, post(), ask, Path())
    assert made.draft and len(made.rounds) == 1
    assert "sarcasmo" in ask.refusals[0] and "stands alone" in ask.refusals[1]
    assert "needs what is wrong" in ask.refusals[2]
    silent = interview()
    with pytest.raises(Unusable, match="nothing is said"):
        drafted(BUILDING, post(transcript=" "), silent, Path())
    unsupported = interview(annotate=ANNOTATION | {"evidence": {"text": " "}})
    with pytest.raises(Unusable, match="no source supports"):
        drafted(BUILDING, post(), unsupported, Path())


def test_what_needs_more_than_the_video_and_what_has_none_is_dropped() -> None:
    ask = interview(annotate=ANNOTATION | {"self_contained": False})
    assert drafted(BUILDING, post(), ask, Path()).rejected == "not self-contained"
    assert len(ask.asked) == 1
    bare = post().changed(media=(PostMedia(given="a.png", file="a.png"),))
    assert drafted(BUILDING, bare, interview(), Path()) == Drafted(rejected="no video")


def test_the_loop_runs_in_chinese() -> None:
    answer = "它讽刺所谓自愿：镜头一切，员工被强迫留下。"
    questions = [
        written("这段视频讽刺了什么？", answer),
        written("员工为什么留下？", answer),
        written("这段视频想说什么？", answer),
    ]
    ask = interview("zh", question=questions)
    made = drafted(BUILDING, post("zh", "加班全凭自愿。"), ask, Path())
    assert [one.verdict for one in made.rounds] == ["leaks", "leaks", "pass"]
    assert made.rounds[0].feedback == {
        "leaks": ["它点明了所考的维度：“讽刺”", "它与参考答案有相同的词：“讽刺”"]
    }
    assert "员工" in str(made.rounds[1].feedback)
    assert "问题所在：它点明了所考的维度" in ask.of("question")[1].prompt
    assert "反语与反讽" in ask.of("annotate")[0].prompt


def told(question: str, answer: str, summary: str, language: Language = "en") -> list[str]:
    annotation = Annotation.model_validate(ANNOTATION | {"literal_summary": summary})
    return leaks.leaks(question, answer, annotation, language)


def test_words_that_any_viewer_sees_or_that_say_nothing_do_not_leak() -> None:
    assert (
        told("What is the man with the cake doing?", "He stole the cake.", "A man, a cake.") == []
    )
    assert told("What do they want?", "They want it so much, and the people show it.", "x") == []
    # Inflection, compounds, traditional characters, the other language, everyday words of labels.
    assert "reversals" in told("Which role reversals are there?", "x", "y")[0]
    assert "ironies" in told("Which ironies are shown?", "x", "y")[0]
    assert "諷刺" not in told("諷刺了誰？", "无", "无", "zh")[0]  # told as simplified
    assert "讽刺" in told("What is 讽刺 about it?", "x", "y")[0]
    assert told("What is the dog's role, and what does it value?", "x", "y") == []
    assert told("What does he mean?", "", "x") == []
    assert told("Who is pretending?", "He pretends to sleep.", "A window.") != []
    assert told("他们在摸鱼吗？", "他们上班摸鱼。", "三人坐着。", "zh") != []


@pytest.mark.parametrize(
    "question",
    [
        "What is being made fun of here?",
        "Who is the butt of the joke in the last scene?",
        "What deeper message does the ending carry?",
        "Reading between the lines, what does she think of offices?",
        "What does the broken umbrella symbolise?",
        "What is the creator criticising?",
        "What is implied by the final shot?",
        "视频在取笑谁？",
        "结尾有什么深意？",
        "這把傘象徵著什麼？",
        "作者在阴阳怪气什么？",
    ],
)
def test_a_dimension_in_other_words_leaks_too(question: str) -> None:
    assert told(question, "x", "y")


@pytest.mark.parametrize(
    "question",
    [
        "Why does the man put the phone down at the end?",
        "What should one understand about the meeting?",
        "What changes for the woman between the first and the last shot?",
        "为什么结尾的人放下了手机？",
        "拍摄者想借这顿饭说什么？",
    ],
)
def test_a_plain_question_does_not_leak(question: str) -> None:
    assert told(question, "x", "y") == []


def test_without_jieba_pairs_of_characters_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(text: str) -> list[str]:
        raise MissingExtra("words", "text")

    monkeypatch.setattr(leaks, "chinese_tokens", missing)
    assert "借钱" in told("他为什么想借钱？", "他其实是来借钱的。", "两人聊天。", "zh")[0]
    assert told("这段视频想说什么？", "他其实是来借钱的。", "两人聊天。", "zh") == []


def test_of_the_mini_sets_questions_few_leak() -> None:
    found = [
        video.video_id
        for video in read_videos(None).records
        if video.reading
        and told(
            video.reading.question,
            video.reading.reference,
            video.reading.literal_summary,
            video.language,
        )
    ]
    # Two ask for an attitude, which is a label's word; two use a word of their answer.
    assert found == ["vimu_900008", "vimu_900014", "vimu_900102", "vimu_900105"]


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Post]]:
    """A work folder's media, and posts with drafts in both languages and one without any."""
    media = tmp_path_factory.mktemp("media")
    shutil.copy(MINI_SET / "videos" / "vimu_900001.mp4", media / "aa.mp4")
    english = post().changed(draft=drafted(BUILDING, post(), interview(), media).draft)
    answer = "所谓自愿其实没有选择。"
    ask = interview("zh", question=written("这段视频想说什么？", answer))
    chinese = post("zh").changed(
        id="clips-8", draft=drafted(BUILDING, post("zh"), ask, media).draft
    )
    return media, [english, chinese, post().changed(id="clips-9")]


def test_candidates_are_reviewed_and_what_is_kept_is_read_back(
    work: tuple[Path, list[Post]], tmp_path: Path
) -> None:
    media, posts = work
    gone = posts[0].changed(id="clips-0").dropped("purify", "too small")
    bare = posts[0].changed(id="clips-1", media=())
    dataset = BUILDING.candidates([*posts, gone, bare], media)
    assert [video.video_id for video in dataset.records] == ["clips-7", "clips-8", "clips-9"]
    assert dataset.records[2].reading is None and dataset.records[2].rm is None
    assert [one.kind for one in dataset.anomalies] == ["no video"]
    (template,) = VIMU.studies
    assert template.name == BUILDING.template
    made = template.make(StudySource(dataset, None, 0, template.settings({})))
    assert len(made.items) == 8  # four questions of each video with a draft
    merged: dict[str, dict[str, Any]] = {}
    for item in made.items:
        row = item.attributes["row"]
        assert isinstance(row, dict)
        old = merged.setdefault(str(row["video_id"]), {})
        tasks = {**old.get("mcq_tasks", {}), **(row.get("mcq_tasks") or {})}  # type: ignore[dict-item]
        old |= row | ({"mcq_tasks": tasks} if tasks else {})
    del merged["clips-8"]["qa"], merged["clips-8"]["taxonomy"]  # its open question was rejected
    rows = [BUILDING.rows(one, merged[one.id]) for one in posts[:2]]
    assert rows[1]["oe"] is None and rows[1]["eg"] is not None
    _release(BUILDING.files([row | {"split": "test"} for row in rows]), media, tmp_path)
    read = VIMU.read(tmp_path)
    first, second = read.records
    assert first.reading and first.reading.question == CLEAN["question"]
    assert first.eg == dataset.records[0].eg and second.sv == dataset.records[1].sv
    assert (second.reading, second.language) == (None, "zh")
    assert {one.kind for one in read.anomalies} == {"missing question"}
    with pytest.raises(InputError, match=r"metadata/vimu_oe\.jsonl: no question of its kind"):
        BUILDING.files([rows[1] | {"split": "test"}])


def _release(files: Any, media: Path, to: Path) -> None:
    for name, text in files.texts.items():
        path = to / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for name, source in files.media.items():
        path = to / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(media / source, path)


def test_drafts_alone_give_files_that_ask_every_task(
    work: tuple[Path, list[Post]], tmp_path: Path
) -> None:
    media, posts = work
    rows = [BUILDING.rows(one, one.draft) for one in posts[:2]]
    assert (rows[0]["id"], rows[0]["language"], rows[0]["difficulty"]) == (
        *("clips-7", "en", "medium"),
    )
    files = BUILDING.files([rows[0] | {"split": "test"}, rows[1] | {"split": "train"}])
    assert set(files.media) == {"videos/clips-7.mp4", "splits/train/videos/clips-8.mp4"}
    _release(files, media, tmp_path)
    for folder in (tmp_path, tmp_path / "splits/train"):
        dataset = VIMU.read(folder)
        assert dataset.anomalies == () and VIMU.missing_tasks(dataset) == {}
        for task in VIMU.tasks:
            (asked,) = VIMU.questions(dataset, task.name, VIMU.prompts(task.name))
            assert asked.gold
        (video,) = dataset.records
        assert video.rhetoric == ("irony", "parody")
        assert video.rm and video.rm.gold_categories == ("C", "D")
        assert video.eg and video.eg.gold_categories == ("A", "D")
    assert [one for one in VIMU.verify(tmp_path) if one.where != "videos/"] == []


def test_options_differ_between_items_and_never_between_runs(
    work: tuple[Path, list[Post]],
) -> None:
    _, posts = work
    one = BUILDING.rows(posts[0], posts[0].draft)
    assert one == BUILDING.rows(posts[0], posts[0].draft)
    orders = {
        str(BUILDING.rows(posts[0].changed(id=f"c-{n}"), posts[0].draft)["eg"]["options"])  # type: ignore[call-overload,index]
        for n in range(20)
    }
    assert len(orders) > 10


def test_a_post_that_nobody_has_drafted_or_shown_is_no_row(
    work: tuple[Path, list[Post]],
) -> None:
    _, posts = work
    with pytest.raises(InputError, match="no question"):
        BUILDING.rows(posts[2], {})
    with pytest.raises(InputError, match="no video"):
        BUILDING.rows(posts[0].changed(media=()), posts[0].draft)
    with pytest.raises(InputError, match="oe"):
        BUILDING.rows(posts[0], {"qa": {"question": "What?"}, "taxonomy": {}})


def test_a_video_may_send_no_signal() -> None:
    given = ANNOTATION | {"social_value_signals": ["none"], "rhetoric_mechanisms": ["literal_only"]}
    assert Annotation.model_validate(given).social_value_signals == ["none"]
