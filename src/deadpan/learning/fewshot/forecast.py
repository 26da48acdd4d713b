"""How many calls a training takes, before the first one."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from pathlib import Path

from deadpan.learning.fewshot.checkpoints import updates_done
from deadpan.learning.fewshot.learning import DRAWS, Course, has_tuned_weights
from deadpan.learning.fewshot.reply_parts import compared_texts
from deadpan.learning.fewshot.rewards import ModelEnvironment
from deadpan.learning.fewshot.training import Settings


@dataclass(frozen=True)
class Forecast:
    """Calls of the model at the most: to tune the reward's weights, for each of the updates, for
    each validation. Draws that come up twice, answers in the store and an early stop make fewer,
    calls that fail and are made again more."""

    tuning: int
    updates: int
    update: int
    validations: int
    validation: int
    epoch: int
    """Updates in which as many training questions are drawn as there are."""
    texts: float
    """Texts of an answer that are compared with gold's for its reward, on average."""

    @property
    def total(self) -> int:
        """All calls."""
        return self.tuning + self.updates * self.update + self.validations * self.validation

    @property
    def epoch_calls(self) -> int:
        """The calls of an epoch, without its validations."""
        return self.epoch * self.update

    def lines(self, model: str, likeness: str, limit: int | None = None) -> list[str]:
        """The forecast in words, and where a limit will stop it."""
        parts = [
            *([f"{self.tuning:,} to tune the reward's weights"] if self.tuning else []),
            f"{self.updates:,} updates of {self.update:,}",
            f"{self.validations:,} validations of {self.validation:,}",
        ]
        rewards, each = ceil(self.total * self.texts), ceil(self.epoch_calls * self.texts)
        epoch = f"{self.epoch:,} updates with {self.epoch_calls:,} calls"
        found = [
            f"at most {self.total:,} calls of {model}: {', '.join(parts)}",
            f"for rewards at most {rewards:,} texts compared by {likeness}, on this machine",
            f"an epoch is {epoch} and {each:,} texts compared",
        ]
        if limit is not None and limit < self.total:
            found.append(f"--max-calls stops it after {limit:,}; the same command goes on then")
        return found


def forecast(
    course: Course, environment: ModelEnvironment, settings: Settings, folder: Path, tunes: bool
) -> Forecast:
    """The calls of what is left to do in a policy's folder."""
    train, check = (len(course.questions[split]) for split in ("train", "validation"))
    batch = min(settings.batch, train)
    done = min(updates_done(folder), settings.updates)
    left = range(done + 1, settings.updates + 1)
    due = [at for at in left if at % settings.validate_every == 0 or at == settings.updates]
    tuning = DRAWS * check if tunes and not has_tuned_weights(folder) else 0
    return Forecast(
        tuning=tuning,
        updates=len(left),
        update=batch * settings.rollouts,
        validations=len(due) + (done == 0),
        validation=check,
        epoch=ceil(train / batch),
        texts=compared_texts(course.benchmark, course.task, course.questions["train"]),
    )
