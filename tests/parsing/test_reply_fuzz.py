"""Hostile replies: whatever reads them ends soon, raises nothing of its own and guesses nothing.

`DEADPAN_FUZZ=5` makes the texts five times as long, up to the longest that is read at all, and
tries five times as many random ones.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from itertools import islice, product

import pytest

from deadpan.base.compatibility import compatibility_form
from deadpan.base.printable import visible
from deadpan.benchmarks import find, names
from deadpan.benchmarks.cfms.scoring import is_exact
from deadpan.benchmarks.janusmm.emotion_words import Lexicon, bare_text, lexicon_words
from deadpan.benchmarks.janusmm.irc import causal_segments, without_connectives
from deadpan.benchmarks.janusmm.phrases import factual_chunks
from deadpan.benchmarks.janusmm.scoring import GreedyMatch
from deadpan.benchmarks.pixelhumor.panel_scores import text_scores
from deadpan.core.judge import BrokenReply, Judge
from deadpan.core.outcomes import OUTCOMES
from deadpan.core.questions import Reply
from deadpan.failures.criteria import FailureTypes, shipped_criteria
from deadpan.metrics.bleu import bleu_statistics
from deadpan.metrics.encoders import lexical_encoder
from deadpan.metrics.lexical import coverage
from deadpan.metrics.meteor import english_tokens
from deadpan.metrics.porter import stem
from deadpan.parsing.judgements import read_judgement
from deadpan.parsing.replies import LONGEST_REPLY, is_refusal, split_reasoning

MORE = int(os.environ.get("DEADPAN_FUZZ", "1"))
SIZE = min(8_000 * MORE, LONGEST_REPLY)
HUGE = 5_000_000
SECONDS = 10.0
"""Of CPU time, for any text at all."""

SIGNS = (
    *("\n", " ", "\t", "\r\n", "\u3000", '"', "'", "“", "\\", "{", "}", "[", "]", "(", "（", "<"),
    *(
        "`",
        "*",
        "_",
        "#",
        "-",
        "—",
        "=",
        "|",
        "?",
        ".",
        ",",
        ":",
        "，",
        "。",
        "、",
        "：",
        "！",
        "$",
    ),
    *(
        "\u0301\u0323",
        "\uff9e\u0301",
        "🙂",
        "\x00",
        "\ud800",
        "a",
        "a ",
        "1",
        "1 ",
        "A",
        "不",
        "的",
    ),
)
FRAMES = (
    *("<think>", "</think>", "<think></think>", "<reasoning>a", "```\n", "```json\n", "> ", "# "),
    *('{"', '{"a":', '{"a":[', '{"a":"', "[[", '{"selected_options":', "{'selected_options': ["),
    *("{'selected_options': ['A' ", '{"emotion": "a", ', '{"sarcastic": true} ', '{"core_intent":'),
)
WORDS = (
    *("not ", "no ", "not no ", "never ", "yes ", "yes and no ", "is a ", "and ", "but ", "the "),
    *(
        "whether ",
        "if ",
        "might ",
        "perhaps ",
        "nothing ",
        "none ",
        "n't ",
        "more a than ",
        "too a ",
    ),
    *("answer:", "Answer: A\n", "answer is ", "final answer ", "Final answer: ", "the target is "),
    *("Emotion: ", "Reasoning: a\n", "Target: a\n", "Sarcastic: ", "Explanation", "**Emotion** "),
    *(
        "sarcastic ",
        "is sarcastic ",
        "not sarcastic ",
        "sarcastic? ",
        "metaphor ",
        "self-",
        "self ",
    ),
    *("self-deprecating ", "makes fun of ", "humour ", "joke at ", "a's own ", "Pun, ", "Both "),
    *(
        "1:",
        "1: a\n",
        "panel ",
        "Panel 1",
        "3,4,",
        "A. a\n",
        "A, ",
        "- A) a\n",
        "A and ",
        "I can't ",
    ),
    *("I'm sorry ", "as an ai ", "n/a (", "it is ", "because ", "so that "),
    *(
        "不是",
        "没有",
        "不无",
        "讽刺",
        "是否讽刺",
        "不讽刺",
        "可能",
        "自嘲",
        "不是自嘲",
        "对自己",
        "拿自己",
    ),
    *(
        "情绪：",
        "是否讽刺：",
        "讽刺对象：",
        "第一格",
        "抱歉",
        "我无法",
        "答案：",
        "最终答案",
        "双关",
        "因为",
    ),
)
PIECES = (*SIGNS, *FRAMES, *WORDS)
RUNS = (" ", "\n", "a ", "，", "-", "不", '"')

Read = Callable[[str], object]


def judges() -> dict[str, Judge]:
    """Every judge of a task, and the one of failures."""
    found = [spec.judge for name in names() for spec in find(name).tasks if spec.judge]
    return {judge.name: judge for judge in [*found, FailureTypes(shipped_criteria())]}


def grading(name: str, task: str) -> Read:
    """What grades a reply to a task, and checks that the grade is whole."""

    def read(text: str) -> None:
        grade = find(name).parse(task, Reply(text=text), "zh" if "不" in text else "en")
        assert grade.outcome in set(OUTCOMES) - {"judge_failed", "truncated"}
        assert (grade.parsed is not None) == (grade.outcome == "answered")
        assert (grade.reason is None) == (grade.outcome == "answered")
        assert grade.reason is None or len(grade.reason) < 500

    return read


def judging(judge: Judge) -> Read:
    """What reads a judge's reply; what was wrong with it is told in a few words."""

    def read(text: str) -> None:
        try:
            read_judgement(judge, text)
        except BrokenReply as error:
            assert str(error)

    return read


READERS: dict[str, Read] = {
    **{f"{n}/{spec.name}": grading(n, spec.name) for n in names() for spec in find(n).tasks},
    **{f"judge {name}": judging(judge) for name, judge in judges().items()},
}


ALIKE = {
    *("janusmm/responder", "cfms/metaphor_sarcasm", "vimu/rm", "vimu/sv", "vimu/rm_guided"),
    *("vimu/sv_guided", "judge cfms_target", "judge failure_types"),
    *(name for name in READERS if "reappraisal_" in name or "judge merbench_" in name),
}
"""What reads by the code of another reader: its time is no other."""
OWN_READERS = [name for name in READERS if name not in ALIKE]


def said(read: Read) -> Read:
    """A metric that is asked about texts that say something only, as parts of answers do."""
    return lambda text: read(text) if any(sign.isalnum() for sign in text) else None


GOLD = "The cat falls off the bed because it is sad."
LEXICON = Lexicon("toy", "zh", {"难过": frozenset({"sadness"}), "不": frozenset({"anger"})})
METRICS: dict[str, Read] = {
    "greedy en": lambda text: GreedyMatch()([GOLD], [text], "en"),
    "greedy zh": lambda text: GreedyMatch()(["猫很难过。"], [text], "zh"),
    "stem": lambda text: [stem(word) for word in english_tokens(text)],
    "bleu": said(lambda text: bleu_statistics([GOLD], [text], "zh")),
    "words and characters": lambda text: text_scores([(1, text)], [1], [(1, GOLD)], [1]),
    "exact": lambda text: is_exact(GOLD, text),
    "n-grams": said(lambda text: lexical_encoder().encode([text])),
    "phrases en": lambda text: factual_chunks(text, "en"),
    "phrases zh": lambda text: factual_chunks(text, "zh"),
    "causes": lambda text: without_connectives(causal_segments(text, "en"), "en"),
    "emotions": lambda text: [*lexicon_words(text, LEXICON), bare_text(text)],
    "coverage": lambda text: coverage(text, GOLD),
}
PLAIN: dict[str, Read] = {
    "reasoning": split_reasoning,
    "refusal": is_refusal,
    "visible": visible,
    "compatibility form": compatibility_form,
}


def is_drawn(text: str, of: int) -> bool:
    """Whether a text is one of those tried in the usual run, about one in so many; which they are
    depends on nothing but the text."""
    return MORE > 1 or sum(map(ord, text)) % of == 0


def runs(size: int) -> Iterator[str]:
    """Pieces said over and over inside a text, and pieces with a long run behind them."""
    for piece in (*SIGNS, *FRAMES, *(word for word in WORDS if is_drawn(word, 2))):
        yield f"a {(piece * (size // len(piece) + 1))[:size]} b"
    for piece, run in product((*FRAMES, *WORDS), RUNS):
        if is_drawn(piece + run, 16):
            yield piece + (run * size)[:size]


def nested(depth: int) -> Iterator[str]:
    """JSON as deep as that, whole and cut off, under names that readers look for."""
    for name, (opens, closes) in product(
        ("reasoning", "target", "selected_options"), (("[", "]"), ('{"answer":', "}"))
    ):
        yield f'{{"{name}": {opens * depth}1{closes * depth}}}'
        yield f'{{"{name}": {opens * depth}'


def mixtures(seed: str, count: int) -> Iterator[str]:
    """Random texts out of the pieces."""
    rng = random.Random(seed)
    for _ in range(count):
        some = rng.sample(PIECES, rng.randint(2, 12))
        yield "".join(rng.choice(some) for _ in range(rng.choice((3, 10, 40, SIZE // 8))))[:SIZE]


def cpu(read: Read, text: str) -> float:
    """How long it takes, in seconds of CPU time."""
    start = time.process_time()
    read(text)
    return time.process_time() - start


def require_linear(read: Read, text: str, longer: str) -> None:
    """Fails where a text that is four times as long takes far more than four times as long. Short
    times are no measure: a clock that ticks in the middle, or a first use, doubles them."""
    taken = cpu(read, longer)
    if taken > 0.05:
        before, again = max(cpu(read, text) for _ in range(2)), cpu(read, longer)
        assert min(taken, again) <= 12 * before + 0.05, (longer[:60], before, taken)


@pytest.mark.parametrize("name", [*OWN_READERS, *METRICS, *PLAIN])
def test_the_time_grows_with_the_length_alone(name: str) -> None:
    read = {**READERS, **METRICS, **PLAIN}[name]
    step = 1 if MORE > 1 else 10
    read("Yes")
    for text, longer in islice(zip(runs(SIZE // 4), runs(SIZE), strict=True), 0, None, step):
        require_linear(read, text, longer)


@pytest.mark.parametrize("name", READERS)
def test_nothing_is_raised_that_was_not_meant(name: str) -> None:
    for depth in (40, 330, 700, 980, LONGEST_REPLY):
        for text in nested(depth):
            READERS[name](text)
    for text in mixtures(name, 15 * MORE):
        READERS[name](text)


@pytest.mark.parametrize("name", OWN_READERS)
def test_no_text_takes_long(name: str) -> None:
    read = READERS[name]
    read_whole = (("不是", LONGEST_REPLY), ("\u0301\u0323", LONGEST_REPLY))
    for piece, size in (("\n", HUGE), ("<think>", HUGE), ('{"a":', HUGE), *read_whole):
        assert cpu(read, piece * (size // len(piece))) < SECONDS, (piece, size)


@pytest.mark.parametrize("name", PLAIN)
def test_what_sees_everything_is_fast(name: str) -> None:
    for piece in ("\n", "<think>a</think>", "</think>", "<", "\u0301\u0323", "I'm sorry ", "不"):
        assert cpu(PLAIN[name], piece * (HUGE // len(piece))) < 2 * SECONDS, piece
