"""Outcomes, signatures, replies, scores and files: what every score stands on."""

import errno
import json
import os
from pathlib import Path

import pytest

from deadpan.base.errors import InputError, MixedSignatures
from deadpan.base.files import read_text, write_text
from deadpan.core.outcomes import OUTCOMES, Coverage
from deadpan.core.questions import Reply
from deadpan.core.score import Score
from deadpan.core.score_documents import scores_json
from deadpan.core.signature import (
    Signature,
    combine_signatures,
    join_signatures,
    parse_signature,
    require_equal,
)
from deadpan.parsing.replies import LONGEST_REPLY, Unparseable, grade_reply, is_refusal


def signature(task: str = "style", **changes: object) -> Signature:
    fields = {
        "benchmark": "toy",
        "task": task,
        "version": "1",
        "n": 3,
        "data": "ab",
        "prompts": "cd",
        "settings": {"temperature": "0"},
        **changes,
    }
    return Signature(**fields)  # type: ignore[arg-type]


class TestCoverage:
    def test_counts_add_up(self) -> None:
        outcomes = [*OUTCOMES, "answered"]
        coverage = Coverage.of(outcomes)
        assert coverage.total == len(outcomes)
        assert (coverage.scored, coverage.unscored, coverage.not_given) == (5, 2, 1)
        assert coverage.wrong_counts == {"invalid": 1, "truncated": 1, "refused": 1}
        answered = "3/8 answered (1 judge failed)"
        expected = f"{answered}, 1 invalid, 1 truncated, 1 refused, 1 failed, 1 not given"
        assert str(coverage) == expected

    def test_what_no_judge_was_asked_about_did_not_fail(self) -> None:
        coverage = Coverage.of(["answered", "judge_failed", "judge_failed", "judge_failed"])
        assert coverage.read == 4
        assert coverage.describe(unjudged=3) == "4/4 answered (3 not judged)"
        assert coverage.describe(1) == "4/4 answered (2 judge failed, 1 not judged)"

    def test_an_unknown_outcome_raises(self) -> None:
        with pytest.raises(ValueError, match="lost"):
            Coverage.of(["lost"])


class TestSignature:
    def test_prints_and_parses(self) -> None:
        original = signature().with_settings(gate="na")
        text = "toy/style|v1|n:3|data:ab|prompts:cd|judge:none|gate:na|temperature:0|deadpan:"
        assert str(original).startswith(text)
        assert parse_signature(str(original)) == original

    def test_nonsense_does_not_parse(self) -> None:
        with pytest.raises(ValueError, match="not a Deadpan signature"):
            parse_signature("toy/style|v1")

    def test_unequal_signatures_of_one_task_do_not_mix(self) -> None:
        pair = [("a", str(signature())), ("b", str(signature(data="ef")))]
        with pytest.raises(MixedSignatures, match="--mix"):
            require_equal(pair, mix=False)
        require_equal(pair, mix=True)
        require_equal([pair[0], ("b", str(signature("panel", data="ef")))], mix=False)

    def test_weights_are_compared_within_a_models_name(self) -> None:
        base, tuned = (str(signature().with_settings(weights=name)) for name in ("x", "y"))
        require_equal([("base", base), ("tuned", tuned), ("other", str(signature()))], mix=False)
        with pytest.raises(MixedSignatures, match="weights:x"):
            require_equal([("base", base), ("base", tuned)], mix=False)

    def test_how_tokens_are_drawn_is_nothing_to_a_baseline(self) -> None:
        less, more = (str(signature().with_settings(max_tokens=most)) for most in ("8", "32"))
        baseline = [("baseline/majority", less), ("baseline/random", more)]
        require_equal([*baseline, ("a", more), ("b", more)], mix=False)
        with pytest.raises(MixedSignatures, match=r"a: .*8\|.*\n +b: .*32\|.*\nRun all of them"):
            require_equal([*baseline, ("a", less), ("b", more)], mix=False)
        with pytest.raises(MixedSignatures, match="last of each model with --latest"):
            require_equal([*baseline, ("a", less), ("a", more)], mix=False)
        with pytest.raises(MixedSignatures, match="baseline/random: "):
            other = str(signature(data="ef").with_settings(max_tokens="32"))
            require_equal([("baseline/random", less), ("a", other)], mix=False)

    def test_joined_hides_nothing_that_differs(self) -> None:
        sides = {
            name: [str(signature().with_settings(**one)) for one in pair]
            for name, pair in {
                "equal": ({"shown": "4x768"}, {"shown": "4x768"}),
                "one_sided": ({"shown": "4x768"}, {}),
                "unequal": ({"shown": "4x768"}, {"shown": "8x768"}),
                "turned": ({"shown": "8x768"}, {"shown": "4x768"}),
            }.items()
        }
        made = {
            name: parse_signature(join_signatures("both", pair)) for name, pair in sides.items()
        }
        assert len(set(map(str, made.values()))) == 4
        assert made["equal"] == signature("both").with_settings(shown="4x768")
        assert len(made["one_sided"].settings["shown"]) == 8

    def test_joined_takes_the_fewest_and_the_judge_of_the_judged(self) -> None:
        few, graded_one = str(signature(n=2)), str(signature("panel", judge="someone@x.1"))
        whole = parse_signature(join_signatures("both", [few, graded_one]))
        assert (whole.n, whole.judge, whole.version) == (2, "someone@x.1", "1")

    def test_combined_names_what_differs(self) -> None:
        parts = [str(signature(prompts="aa")), str(signature("panel", prompts="bb"))]
        assert combine_signatures(parts).startswith(
            "toy/panel+style|v1|n:3|data:ab|prompts:panel=bb,style=aa|judge:none|temperature:0"
        )
        with pytest.raises(ValueError):
            combine_signatures([])

    def test_combined_shows_what_was_mixed(self) -> None:
        mixed = [str(signature()), str(signature(data="ef"))]
        assert "data:style=ab,style=ef" in combine_signatures(mixed)


class TestReplies:
    @staticmethod
    def parse(text: str) -> str:
        if text != "ok":
            raise Unparseable("expected ok")
        return text

    @pytest.mark.parametrize(
        ("reply", "outcome"),
        [
            (Reply(text="ok"), "answered"),
            (Reply(text="hm"), "invalid"),
            (Reply(text=""), "invalid"),
            (Reply(text=None), "invalid"),
            (Reply(text="ok", stop="content_filter"), "refused"),
            (Reply(text="I'm sorry, but I can't assist with that."), "refused"),
            (Reply(text="ok", error="timeout"), "failed"),
            (Reply(text="ok", stop="max_tokens"), "truncated"),
            (Reply(text="ok", stop="model_length"), "truncated"),
            (Reply(text="", reasoning="it is", stop="max_tokens"), "truncated"),
            (Reply(text="<think>it is", stop="max_tokens"), "truncated"),
            (Reply(text="I'm sorry, but I can't assist", stop="max_tokens"), "truncated"),
            (Reply(text="<think>it is", stop="stop"), "invalid"),
            (Reply(text="<think>I can't help with that.</think>ok"), "answered"),
            (Reply(text="<think>ok</think>I can't help with that."), "refused"),
            (Reply(text="<think>ok</think>"), "invalid"),
            (Reply(text="", reasoning="ok"), "invalid"),
            (Reply(text="ok" + " " * LONGEST_REPLY), "invalid"),
            (Reply(text="<think>" + " " * LONGEST_REPLY + "</think>ok"), "answered"),
        ],
    )
    def test_each_reply_has_its_outcome(self, reply: Reply, outcome: str) -> None:
        grade = grade_reply(reply, self.parse)
        assert grade.outcome == outcome
        assert (grade.reason is None) == (outcome == "answered")

    @pytest.mark.parametrize(
        "text",
        [
            "I’m sorry, I cannot help with that.",
            "I can't help with identifying people.",
            "I am unable to view images.",
            "As an AI, I cannot laugh at this.",
            "抱歉，我无法回答这个问题。",
            "对不起，我不能协助处理。",
            "我无法描述这张图片。",
            "很抱歉，但作为AI我没办法。",
            "I can't analyse this image.",
            "I can't identify people in images.",
            "I'm sorry, but I cannot identify the person in this photo.",
            "I can't describe what is in the picture.",
            "I can't describe this.",
            "抱歉，我无法协助。",
            "我无法分析这张图片。",
            "抱歉，我無法協助。",
        ],
    )
    def test_refusals_in_both_languages(self, text: str) -> None:
        assert is_refusal(text)

    @pytest.mark.parametrize(
        "text",
        [
            "1: I'm sorry, I can't help you",
            "I cannot believe it is funny: Yes",
            "I can't help laughing: the cat wins.",
            "I can't help it. Yes.",
            "Sorry, I cannot stop laughing.",
            "I'm sorry for the dog; the joke is that it can't bark.",
            "他说抱歉，我无法来。",
            "I can't identify any sarcasm in this image.",
            "I cannot describe this post as sarcastic.",
            "I can't view this as a joke.",
            "I can't identify a specific person; the post mocks overtime culture.",
            "I'm sorry, but I can't identify any humour in this comic.",
            "抱歉，这个不能算讽刺。否",
            "抱歉，我无法看出讽刺。",
            "我无法分析出任何讽刺。",
            "Yes",
            "",
        ],
    )
    def test_answers_are_not_refusals(self, text: str) -> None:
        assert not is_refusal(text)


class TestScores:
    def test_json_has_the_design_pages_fields(self) -> None:
        score = Score.over(
            Coverage(answered=2, invalid=3, truncated=2, refused=1, failed=1, not_given=4),
            model="m",
            task="style",
            metric="f1",
            value=0.5,
            signature=str(signature()),
        )
        document = json.loads(scores_json({"toy": [score]}))
        assert document["signature"] == str(signature())
        assert document["rows"] == [
            {
                "model": "m",
                "task": "style",
                "metric": "f1",
                "group": "all",
                "value": 0.5,
                "low": None,
                "high": None,
                "interval": "",
                "n": 8,
                "invalid": 3,
                "truncated": 2,
                "refused": 1,
                "unscored": 1,
                "not_given": 4,
                "read": 0,
                "items": 3,
                "of_items": None,
            }
        ]


class TestFiles:
    def test_reads_utf8_with_and_without_mark(self, tmp_path: Path) -> None:
        path = tmp_path / "a.txt"
        for data in ("笑".encode(), b"\xef\xbb\xbf" + "笑".encode()):
            path.write_bytes(data)
            assert read_text(path) == "笑"

    @pytest.mark.parametrize(
        ("data", "what"),
        [(b"", "empty"), (b" \n", "empty"), ("好\n笑".encode("gb18030"), "not UTF-8")],
    )
    def test_says_what_is_wrong(self, tmp_path: Path, data: bytes, what: str) -> None:
        path = tmp_path / "a.txt"
        path.write_bytes(data)
        with pytest.raises(InputError, match=what) as caught:
            read_text(path)
        assert "a.txt" in str(caught.value)

    def test_a_missing_file_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="no such file"):
            read_text(tmp_path / "gone.csv")

    def test_a_full_disk_leaves_the_old_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "report.html"
        write_text(path, "old")

        def full(_: int) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(InputError, match=r"report\.html.*No space left.*untouched"):
            write_text(path, "new")
        assert path.read_text() == "old"
        assert list(tmp_path.iterdir()) == [path]

    def test_lone_surrogates_are_written(self, tmp_path: Path) -> None:
        write_text(tmp_path / "a.txt", "a\ud800b")
        assert (tmp_path / "a.txt").read_text() == "a?b"
