"""A small benchmark with splits: posts with pictures, asked in one structured answer."""

import json
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw
from pydantic import BaseModel, JsonValue

from deadpan.core.answers import Answer
from deadpan.core.benchmark import Benchmark, Task
from deadpan.core.capabilities import Training
from deadpan.core.dataset import Dataset, Split
from deadpan.core.metric import Metric, Statistics, percent, scored
from deadpan.core.questions import Grade, Language, Picture, Prompts, Question, Reply
from deadpan.parsing.replies import Unparseable, grade_reply

COUNTS = {"train": 14, "validation": 6, "test": 8}
MODEL = "openai-api/loopback/pupil"
"""The model that the server of the tests is."""
YES = '{"sarcastic": true, "target": "rain", "explanation": "nobody likes rain"}'
TRAIN = [
    "fewshot", "train", "moods/joint", "--model", MODEL, "--updates", "6", "--batch", "4",
    "--rollouts", "2", "--validate-every", "3", "--hidden", "8", "--image", "plain",
]  # fmt: skip
WEIGHTS = ["--weights", "format=0.2,classification=0.8"]
"""A short training run, and weights that need no tuning."""
TOPICS = ("rain", "bus", "boss", "diet")
TOPICS_ZH = ("下雨", "公交", "老板", "减肥")


class Post(BaseModel):
    name: str
    split: str
    text: str
    language: Language
    sarcastic: bool
    picture: str


def posts(folder: Path) -> list[Post]:
    """The posts of all splits; every third is Chinese, every second sarcastic."""
    made = []
    for split, count in COUNTS.items():
        for number in range(count):
            chinese = number % 3 == 2
            topic = (TOPICS_ZH if chinese else TOPICS)[number % 4]
            text = f"{topic} {'真好' if chinese else 'again, lovely'} {split} {number}"
            made.append(
                Post(
                    name=f"{split}_{number}",
                    split=split,
                    text=text,
                    language="zh" if chinese else "en",
                    sarcastic=number % 2 == 0,
                    picture=str(folder / f"{split}_{number}.png"),
                )
            )
    return made


def draw(folder: Path) -> None:
    """Each post's picture: a bar whose place and colour are its own."""
    for place, post in enumerate(posts(folder)):
        image = Image.new("RGB", (48, 48), (255 - 7 * place, 8 * place, 120))
        ImageDraw.Draw(image).rectangle((place, 4, place + 9, 44), fill="white")
        image.save(post.picture)


def _read(text: str) -> JsonValue:
    try:
        found = json.loads(text)
        return {name: found[name] for name in ("sarcastic", "target", "explanation")}
    except (ValueError, KeyError, TypeError):
        raise Unparseable("no such object") from None


def _is_right(answer: Answer) -> Statistics:
    said = answer.parsed
    return scored(said is not None and said["sarcastic"] == answer.gold["sarcastic"])


ACCURACY = Metric(
    "accuracy",
    unit="percent",
    decimals=1,
    range=(0, 100),
    statistics=_is_right,
    value=percent,
)


class Moods(Benchmark[Post]):
    name = "moods"
    title = "Moods"
    citation = "none"
    languages: tuple[Language, ...] = ("en", "zh")
    tasks = (Task("joint", "Is it meant?", 1, (ACCURACY,)),)
    folder = Path(__file__).parent
    pictures = Path(__file__).parent

    def read(self, data: Path | None) -> Dataset[Post]:
        where = data or self.pictures
        test = tuple(post for post in posts(where) if post.split == "test")
        return Dataset(test, str(where), "0")

    def prompts(self, task: str, override: Path | None = None) -> Prompts:
        return Prompts(
            {"en": "Read posts.", "zh": "请读帖子。"},
            {"en": "Post: <<<{text}>>>\nIs it meant?", "zh": "帖子：<<<{text}>>>\n是认真的吗？"},
        )

    def questions(self, dataset: Any, task: str, prompts: Prompts) -> list[Question]:
        return [self._question(post, prompts) for post in dataset.records]

    @property
    def training(self) -> Training:
        return Training(self.examples, self.worded_gold)

    def examples(
        self, data: Path | None, task: str, prompts: Prompts, split: Split
    ) -> list[Question]:
        found = [post for post in posts(data or self.pictures) if post.split == split]
        return [self._question(post, prompts) for post in found]

    def _question(self, post: Post, prompts: Prompts) -> Question:
        words = post.text.partition(" ")[0]
        gold: JsonValue = {
            "sarcastic": post.sarcastic,
            "target": words if post.sarcastic else None,
            "explanation": f"nobody likes {words}" if post.sarcastic else None,
        }
        return Question(
            item=post.name,
            language=post.language,
            system=prompts.system[post.language],
            text=prompts.user[post.language].replace("{text}", post.text),
            pictures=(Picture(path=post.picture),),
            form="free",
            gold=gold,
            attributes={},
        )

    def worded_gold(self, task: str, question: Question) -> str:
        return json.dumps(question.gold, ensure_ascii=False)

    def parse(self, task: str, reply: Reply, language: Language) -> Grade:
        return grade_reply(reply, _read)


MOODS = Moods()
WHERE = "tests.learning.fewshot.toy:MOODS"
