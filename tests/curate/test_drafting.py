"""Posts drafted through the engine: what is kept, what is asked again, and what stops nothing."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks.vimu import VIMU
from deadpan.benchmarks.vimu.records import MINI_SET
from deadpan.core.curation import Building, Drafted, Interview, Post, PostMedia, Round, Unusable
from deadpan.core.usage import Price, Prices
from deadpan.curate.drafting import DraftedPosts, draft_posts
from deadpan.curate.schema import Drafting
from tests.model_server import ModelServer

WRITER = "openai-api/loopback/writer"
OPTIONS = Drafting(model=WRITER, max_retries=0, timeout=20, max_connections=2)
Answer = Callable[[str, str], str]


class Label(BaseModel):
    label: str


async def _draft(post: Post, ask: Interview, media: Path, rounds: int) -> Drafted:
    """Two steps; a label that is not known is asked for again, and one is not wanted."""

    def known(reply: Label) -> None:
        if reply.label not in ("good", "bad"):
            raise ValueError(f"label: got {reply.label}; expected good or bad")

    if post.text == "gone":
        raise InputError(post.where, "is not there", "Fetch it.")
    first = await ask("label", Label, {"text": post.text}, check=known)
    if first.label == "bad":
        return Drafted(rejected="not wanted", what="it is bad", steps=("label",))
    checked = await ask("check", Label, {"text": post.text}, role="validator")
    return Drafted(draft={"label": first.label, "check": checked.label}, steps=("label", "check"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A benchmark's folder with prompts in both languages."""
    words = {"en": ("Label", "Check", "Be brief."), "zh": ("标注", "核对", "请简短。")}
    for language, (label, check, system) in words.items():
        prompts = tmp_path / "tiny" / "curation" / "prompts" / language
        prompts.mkdir(parents=True)
        (prompts / "system.txt").write_text(system, encoding="utf-8")
        (prompts / "label.txt").write_text(f"{label} <<<{{text}}>>>", encoding="utf-8")
        (prompts / "check.txt").write_text(f"{check} <<<{{text}}>>>", encoding="utf-8")
    return tmp_path / "tiny"


def tiny() -> Building:
    def unused(*_: object) -> Any:
        raise AssertionError("drafting needs no more than the protocol")

    return Building("picture", ("label", "check"), _draft, unused, "study", unused, unused)


def post(name: str, text: str = "", **more: Any) -> Post:
    return Post(id=name, source="s", where=f"s:{name}", text=text or name, **more)


def said(label: str) -> str:
    return json.dumps({"label": label})


def run(posts: list[Post], folder: Path, options: Drafting = OPTIONS, **more: Any) -> DraftedPosts:
    store = folder.parent / "answers"
    return draft_posts(posts, tiny(), folder, options, folder, store, **more)


def test_drafts_drops_and_yields_are_told_and_a_second_run_asks_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompts: list[str] = []

    def answer(picture: str, prompt: str) -> str:
        prompts.append(prompt)
        return f"<think>Hm.</think>```json\n{said('bad' if 'ugly' in prompt else 'good')}\n```"

    gone = post("p-3").dropped("purify", "too small")
    posts = [post("p-1", "nice >>> {text}"), post("p-2", "ugly"), gone]
    done = 0

    def progress() -> None:
        nonlocal done
        done += 1

    with ModelServer(answer) as server:
        server.offer(monkeypatch)
        first = run(posts, folder, progress=progress)
        again = run(posts, folder)
    assert (server.total, done) == (3, 2)
    assert again.posts == first.posts and again.yields == first.yields
    assert again.asked == first.asked
    assert [one["step"] for one in first.asked["p-1"]] == ["label", "check"]
    kept, dropped, before = first.posts
    assert kept.draft == {"label": "good", "check": "good"}
    assert dropped.drop and (dropped.drop.stage, dropped.drop.reason) == ("draft", "not wanted")
    assert before == gone
    assert list(first.yields.items()) == [
        *(("posts", 2), ("label", 2), ("check", 1), ("drafted", 1)),
    ]
    # What a post says cannot end the frame that it stands in, nor fill a slot.
    assert "Label <<<nice ››› {text}>>>" in prompts
    usage = {(one.name, one.task): (one.calls, one.input_tokens, one.cost) for one in again.usage}
    assert usage == {(WRITER, "check"): (1, 100, None), (WRITER, "label"): (2, 200, None)}


def test_roles_may_have_models_of_their_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = OPTIONS.model_copy(update={"validator": "openai-api/loopback/critic"})
    prices = Prices(({f"{WRITER}*": Price(input=1, output=2)},))
    with ModelServer(lambda *_: said("good")) as server:
        server.offer(monkeypatch)
        done = run([post("p-1")], folder, options, prices=prices)
    assert sorted(one["model"] for one in server.requests) == ["critic", "writer"]
    assert [(one.name.split("/")[-1], one.cost) for one in done.usage] == [
        ("critic", None),
        ("writer", pytest.approx(106 / 1e6)),
    ]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_broken_reply_is_asked_for_again_with_what_was_wrong_with_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, language: Any
) -> None:
    prompts: list[str] = []

    def answer(picture: str, prompt: str) -> str:
        prompts.append(prompt)
        return said("x" if len(prompts) == 1 else "good")

    with ModelServer(answer) as server:
        server.offer(monkeypatch)
        done = run([post("p-1", "字", language=language)], folder)
        run([post("p-1", "字", language=language)], folder)
    assert done.posts[0].draft["label"] == "good" and server.total == 3
    begins = {"en": "That reply cannot be used:", "zh": "这个回复不能用："}[language]
    assert prompts[1].startswith(f"{begins}") and "got x; expected good or bad" in prompts[1]
    assert prompts[0] == {"en": "Label <<<字>>>", "zh": "标注 <<<字>>>"}[language]
    assert server.requests[1]["roles"] == ["system", "user", "assistant", "user"]


def test_refusals_and_useless_replies_flag_one_post_and_are_not_asked_for_ever(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(picture: str, prompt: str) -> str:
        # Asked again, a model is known here by what was wrong with its reply.
        if "rude" in prompt or "is not JSON" in prompt:
            return "I'm sorry, but I can't assist with that."
        return said("purple") if "odd" in prompt or "got purple" in prompt else said("good")

    posts = [post("p-1", "rude"), post("p-2", "odd"), post("p-3", "fine"), post("p-4", "gone")]
    with ModelServer(answer) as server:
        server.offer(monkeypatch)
        first = run(posts, folder)
        asked = server.total
        again = run(list(first.posts), folder)
    assert asked == 3 + 3 + 2 and server.total == asked
    assert [[flag.kind for flag in one.flags] for one in first.posts] == [
        ["refused"],
        ["invalid"],
        [],
        ["unreadable"],
    ]
    assert [bool(one.draft) for one in first.posts] == [False, False, True, False]
    assert "got purple" in first.posts[1].flags[0].what
    assert all(one.drop is None for one in first.posts) and first.failed == {}
    assert again.posts == first.posts


def test_replies_that_are_cut_off_are_no_invalid_ones(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer(lambda *_: said("good"), dict.fromkeys(range(3), "cut off!")) as server:
        server.offer(monkeypatch)
        done = run([post("p-1")], folder)
    (flag,) = done.posts[0].flags
    assert (flag.kind, done.failed, server.total) == ("truncated", {}, 3)
    assert "raise draft: max_tokens" in flag.what


def test_failed_calls_are_told_and_asked_again_by_the_next_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    posts = [post("p-1"), post("p-2")]
    options = OPTIONS.model_copy(update={"max_connections": 1})
    with ModelServer(lambda *_: said("good"), {0: "500"}) as server:
        server.offer(monkeypatch)
        first = run(posts, folder, options)
        lost = [one.id for one in first.posts if one.flags]
        assert [flag.kind for one in first.posts for flag in one.flags] == ["failed"]
        assert list(first.failed) == lost and "could not be asked" in first.failed[lost[0]]
        assert (first.yields["posts"], first.yields["drafted"]) == (2, 1)
        again = run(list(first.posts), folder, options)
    assert again.failed == {} and all(one.draft and not one.flags for one in again.posts)
    assert server.total == 5 and max(server.finished.values()) == 1


def test_a_killed_run_goes_on_and_asks_nothing_twice(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def killed() -> None:
        raise Killed

    posts = [post(f"p-{number}") for number in range(12)]
    with ModelServer(lambda *_: said("good"), delay=0.01) as server:
        server.offer(monkeypatch)
        with pytest.raises(Killed):
            run(posts, folder, progress=killed)
        before = sum(server.finished.values())
        assert 2 <= before < 24
        done = run(posts, folder)
    assert all(one.draft for one in done.posts)
    # Calls that were in flight may be made again; an answer that came is never asked for again.
    assert sum(server.finished.values()) - 24 <= OPTIONS.max_connections


def test_what_may_be_spent_ends_it_with_what_is_done_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prices = Prices(({f"{WRITER}": Price(input=1000, output=0)},))  # a call costs ten cents
    posts = [post(f"p-{number}") for number in range(5)]
    small = OPTIONS.model_copy(update={"max_cost": 0.65, "max_connections": 1})
    with ModelServer(lambda *_: said("good")) as server:
        server.offer(monkeypatch)
        first = run(posts, folder, small, prices=prices)
        asked = server.total
        assert 0 < asked <= 6 and "--max-cost" in first.stopped
        left = [one for one in first.posts if not one.draft]
        assert left and set(first.failed) == {one.id for one in left}
        stuck = run(posts, folder, small, prices=prices)
        assert (server.total, set(stuck.failed)) == (asked, set(first.failed))
        more = OPTIONS.model_copy(update={"max_cost": 5.0})
        done = run(posts, folder, more, prices=prices)
    assert done.failed == {} and done.stopped == "" and server.total == 10
    with pytest.raises(DeadpanError, match="no price"):
        run(posts, folder, small, prices=Prices())


def test_a_model_that_answers_nothing_any_more_ends_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    posts = [post(f"p-{number}") for number in range(30)]
    faults = dict.fromkeys(range(2, 80), "500!")
    with ModelServer(lambda *_: said("good"), faults) as server:
        server.offer(monkeypatch)
        options = OPTIONS.model_copy(update={"give_up": 1, "max_retries": 3, "max_connections": 1})
        done = run(posts, folder, options)
    assert done.stopped and len(done.failed) + done.yields["drafted"] == 30
    assert any("not asked about" in why for why in done.failed.values())


def test_nothing_to_draft_needs_no_model(folder: Path) -> None:
    gone = post("p-1").dropped("open", "broken")
    done = run([gone], folder, Drafting(model="none/such"))
    assert done.posts == (gone,) and done.yields == {
        **{"posts": 0, "label": 0},
        **{"check": 0, "drafted": 0},
    }
    assert run([], folder, Drafting(model="none/such")).posts == ()


ANNOTATION = {
    "literal_summary": "A man sleeps in bed while a clock runs.",
    "intended_meaning": "Those who preach discipline often lack it.",
    "rhetoric_mechanisms": ["irony"],
    "social_value_signals": ["norm_violation"],
    "target_subjects": ["gurus"],
    "evidence": {"frames": "He never gets up.", "transcript": "The voice boasts."},
    "self_contained": True,
}
REFERENCE = "Gurus boast of rising early and stay under the blanket."
GOOD = {"good": True, "note": ""}
REVIEW = {"implicitness": GOOD, "difficulty": GOOD, "alignment": GOOD, "verdict": "pass"}


def _scripted(picture: str, prompt: str) -> str:
    """Writes for each post as its transcript says, validates everything, and guesses one."""
    if "Rhetoric, by these names" in prompt:
        return json.dumps(ANNOTATION)
    if "Guess what the answer is" in prompt:
        return json.dumps({"answer": "Gurus boast." if "all day" in prompt else "Who knows."})
    if "Does the other answer" in prompt:
        return json.dumps({"same": "Gurus boast.\n" in prompt})
    if "Check the question" in prompt:
        return json.dumps(REVIEW)
    drafts = {
        "learns": ["How ironic is it?", "What do gurus do?", "What is the video saying?"],
        "stubborn": ["How ironic is it?"] * 4,
        "plain": ["What do they do all day?"] * 4,
    }
    script = next(drafts[one] for one in drafts if one in prompt)
    question = script[prompt.count("What is wrong with it")]
    rubric = ["Names the gap", "Claims nothing else"]
    return json.dumps(
        {"question": question, "answer": REFERENCE, "difficulty": "hard", "rubric": rubric}
    )


def test_vimus_hint_free_loop_runs_through_the_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(MINI_SET / "videos" / "vimu_900001.mp4", tmp_path / "aa.mp4")
    film = PostMedia(kind="video", given="a.mp4", file="aa.mp4")
    posts = [
        post(f"c-{words}", transcript=words, media=(film,))
        for words in ("learns", "stubborn", "plain")
    ]
    model, validator, blind = (f"openai-api/loopback/{one}" for one in ("writer", "critic", "mole"))
    options = Drafting(model=model, validator=validator, blind=blind, max_retries=0)
    where = (VIMU.folder, options, tmp_path, tmp_path / "answers")
    assert VIMU.building is not None
    with ModelServer(_scripted) as server:
        server.offer(monkeypatch)
        done = draft_posts(posts, VIMU.building, *where)
        asked = server.total
        again = draft_posts(posts, VIMU.building, *where)
    assert server.total == asked and again.posts == done.posts and again.rounds == done.rounds
    verdicts = {name: [one.verdict for one in own] for name, own in done.rounds.items()}
    assert verdicts == {
        "c-learns": ["leaks", "leaks", "pass"],
        "c-stubborn": ["leaks"] * 4,
        "c-plain": ["blind"] * 4,
    }
    assert [one.drop.reason if one.drop else "" for one in done.posts] == [
        "",
        "rounds used up",
        "rounds used up",
    ]
    assert done.yields == {
        **{"posts": 3, "annotate": 3, "question": 2, "blind": 2},
        **{"compare": 1, "validate": 1, "drafted": 1},
    }
    images = {(one["model"], one["images"]) for one in server.requests}
    frames = max(count for _, count in images)
    assert 2 <= frames <= 8
    assert images == {("writer", frames), ("critic", 0), ("critic", frames), ("mole", 0)}


def test_a_slot_that_nothing_fills_ends_it_before_a_model_is_asked(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompt = folder / "curation" / "prompts" / "en" / "label.txt"
    prompt.write_text("Label <<<{txt}>>>", encoding="utf-8")
    with ModelServer(lambda *_: said("good")) as server:
        server.offer(monkeypatch)
        with pytest.raises(DeadpanError, match=r"label\.txt: nothing fills \{txt\}.*slots: text"):
            run([post("p-1")], folder)
    assert server.total == 0


def test_a_protocol_that_gives_nothing_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(*_: object) -> Any:
        return None

    monkeypatch.setitem(globals(), "_draft", nothing)
    with ModelServer(lambda *_: said("good")) as server:
        server.offer(monkeypatch)
        with pytest.raises(DeadpanError, match="gave NoneType of p-1; expected Drafted"):
            run([post("p-1")], folder)


def test_what_came_before_a_reply_that_cannot_be_used_is_kept_and_counted(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Round(number=1, written={"label": "good"}, verdict="minor")

    async def ends(post: Post, interview: Interview, *_: object) -> Drafted:
        raise Unusable("check: no usable reply").after([kept], ["label"])

    monkeypatch.setitem(globals(), "_draft", ends)
    with ModelServer(lambda *_: said("good")) as server:
        server.offer(monkeypatch)
        done = run([post("p-1")], folder)
    assert done.rounds == {"p-1": (kept,)}
    assert done.yields == {"posts": 1, "label": 1, "check": 0, "drafted": 0}
    assert [flag.kind for flag in done.posts[0].flags] == ["invalid"]


@pytest.mark.parametrize(
    ("behind", "why"),
    [
        ("Actually, wait: I was wrong.", "takes it back"),
        ("其实应该是坏的。", "takes it back"),
        ("Let me know if you need more.", ""),
        ("", ""),
    ],
)
def test_a_reply_that_takes_itself_back_is_asked_for_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, behind: str, why: str
) -> None:
    prompts: list[str] = []

    def answer(picture: str, prompt: str) -> str:
        prompts.append(prompt)
        return f"Here it is:\n{said('good')}\n{behind}" if len(prompts) == 1 else said("good")

    with ModelServer(answer) as server:
        server.offer(monkeypatch)
        done = run([post("p-1")], folder)
    assert done.posts[0].draft["label"] == "good"
    assert any(why in one for one in prompts[1:]) and len(prompts) == (3 if why else 2)


def test_a_refusal_in_a_field_is_no_draft(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelServer(lambda *_: said("I can't help with that.")) as server:
        server.offer(monkeypatch)
        done = run([post("p-1")], folder)
    assert [flag.kind for flag in done.posts[0].flags] == ["invalid"]
    assert "label: it is a refusal" in done.posts[0].flags[0].what
