"""Questions that are answered with labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, JsonValue, model_validator

from deadpan.base.counting import count_noun
from deadpan.core.annotation_values import Value
from deadpan.core.annotations import AnnotationQuestion
from deadpan.core.questions import Language
from deadpan.core.ratings import Scale
from deadpan.core.study.cells import cell_of
from deadpan.core.study.items import Part, StudyItem
from deadpan.core.study.options import (
    AnyOption,
    Option,
    require_choice,
    require_known,
    require_once,
    titles_of,
)
from deadpan.core.study.question_base import (
    Control,
    Level,
    QuestionBase,
)
from deadpan.core.study.words import (
    Label,
    Words,
    WrongAnswer,
    answer_words,
    quoted,
)

_YES_NO: Mapping[str, float] = {"yes": 1, "no": 0}


class _Labelled(QuestionBase):
    """What questions have that are answered with labels."""

    can_draft: ClassVar[bool] = True
    options: tuple[AnyOption, ...] = ()
    """The labels to choose from."""

    @property
    def fixed_options(self) -> tuple[Option, ...]:
        return self.options

    @property
    def control(self) -> Control:
        return "choices"

    def worded(self, value: JsonValue, language: Language, shown: Sequence[int]) -> str:
        titles = titles_of(self.options, language)
        labels = value if isinstance(value, list) else [value]
        return ", ".join(titles.get(str(one), str(one)) for one in labels)


class Single(_Labelled):
    """One label; with `panels`, the number of one of the comic's panels or one of the options."""

    kind: Literal["single"] = "single"
    panels: bool = False
    """Whether the comic's panels can be chosen too, by their numbers."""
    ranked: bool = False
    """Whether the options are in order, from least to most."""
    both: Mapping[Label, Annotated[tuple[Label, ...], Field(min_length=2)]] = Field(
        default_factory=dict
    )
    """Labels that say several of the others at once: two people agree who share one of them."""

    @model_validator(mode="after")
    def _has_options(self) -> Self:
        if self.panels:
            require_once(self.name, self.options)
            return self
        require_choice(self.name, self.options)
        said = (label for whole, parts in self.both.items() for label in (whole, *parts))
        require_known(self.name, "both", said, self.fixed_labels)
        return self

    @property
    def level(self) -> Level:
        return "ordinal" if self.ranked else "nominal"

    @property
    def labels_known(self) -> list[str] | None:
        return None if self.panels else self.fixed_labels

    @property
    def annotation(self) -> AnnotationQuestion:
        if self.both:
            return AnnotationQuestion(self.name, "labels")
        if not self.ranked:
            return super().annotation
        order = tuple(self.fixed_labels)
        return AnnotationQuestion(self.name, "label", level="ordinal", order=order)

    @property
    def scale(self) -> Scale | None:
        if self.panels:
            return None
        return replace(Scale.yes_no(self.name, self.title), group=self.name)

    def rating(self, value: JsonValue) -> float | None:
        return _YES_NO.get(str(value).casefold())

    def said(self, value: JsonValue) -> tuple[str, ...]:
        """The labels that an answer says: several where it stands for them."""
        return self.both.get(str(value), (str(value),))

    def annotated(self, value: JsonValue, item: StudyItem) -> Value | None:
        return frozenset(self.said(value))

    def annotation_cell(self, value: JsonValue, item: StudyItem) -> object:
        return cell_of(frozenset(), self.said(value), several=bool(self.both))

    def agree(self, first: JsonValue, second: JsonValue) -> bool:
        return bool(set(self.said(first)) & set(self.said(second)))

    def voted(self, given: Sequence[JsonValue], least: int) -> JsonValue:
        """Of labels that say several, the one that most answers say, or that says all of those."""
        if not self.both:
            return super().voted(given, least)
        counts = Counter(label for value in given for label in self.said(value))
        most = max(counts.values(), default=0)
        labels = {label for label, many in counts.items() if many == most}
        if most < least:
            return None
        if len(labels) == 1:
            return labels.pop()
        return next((label for label, parts in self.both.items() if set(parts) == labels), None)

    @property
    def names_panels(self) -> bool:
        return self.panels

    def offered(self, item: StudyItem) -> list[Option]:
        panels = item.panel_numbers if self.panels else []
        return [*(Option(value=str(number)) for number in panels), *self.options]

    def lacks(self, item: StudyItem, shown: Sequence[Part]) -> str:
        if self.choices(item) or not self.is_always_asked:
            return ""
        return f"chooses among panels, and {item.key} has none; expected panels, or options"

    def choices(self, item: StudyItem) -> list[str]:
        """The values to choose from about an item."""
        return [option.value for option in self.offered(item)]

    def expected(self, item: StudyItem, wrong: WrongAnswer) -> str:
        return f"expected one of {quoted(self.choices(item))}"

    def reply_form(self, item: StudyItem) -> list[Words]:
        if not self.panels:
            return [answer_words("form_single")]
        return [answer_words("form_panel", panels=", ".join(map(str, item.panel_numbers)))]

    def from_reply(self, value: JsonValue, item: StudyItem) -> JsonValue:
        return str(value) if type(value) is int else value

    def read(self, value: JsonValue, item: StudyItem) -> JsonValue:
        if value is None or value == "":
            return None
        if not isinstance(value, str) or value not in self.choices(item):
            raise WrongAnswer("choose_option")
        return value


class Multiple(_Labelled):
    """Several labels; those in `alone` stand by themselves."""

    several: ClassVar[bool] = True
    kind: Literal["multiple"] = "multiple"
    options: Annotated[tuple[AnyOption, ...], Field(json_schema_extra={"minItems": 2})]
    """The labels to choose from."""
    least: Annotated[int, Field(ge=0)] = 1
    """How many labels have to be chosen."""
    most: Annotated[int, Field(ge=1)] | None = None
    """How many can be; all where it is left out."""
    alone: tuple[Label, ...] = ()
    """Options that cannot be chosen with others."""
    shared: bool = False
    """Whether people agree already who share a label, and not only those who chose the same."""

    @model_validator(mode="after")
    def _fits_its_options(self) -> Self:
        require_choice(self.name, self.options)
        require_known(self.name, "alone", self.alone, self.fixed_labels)
        together = [one for one in self.fixed_labels if one not in self.alone]
        wants = f"least: {self.name} takes {self.least} labels at least"
        if self.most is not None and self.least > self.most:
            raise ValueError(f"{wants} and {self.most} at most; lower least, or raise most")
        if self.least > max(1, len(together)):
            has = f"has {count_noun(len(together), 'option')} to choose together"
            raise ValueError(f"{wants} and {has}; lower least, or add options")
        return self

    @property
    def level(self) -> Level:
        return "labels"

    @property
    def labels_known(self) -> list[str] | None:
        return self.fixed_labels

    def agree(self, first: JsonValue, second: JsonValue) -> bool:
        if not self.shared or not isinstance(first, list) or not isinstance(second, list):
            return first == second
        return bool({str(one) for one in first} & {str(one) for one in second})

    def voted(self, given: Sequence[JsonValue], least: int) -> JsonValue:
        """All labels that at least so many gave."""
        labels = [value if isinstance(value, list) else [value] for value in given]
        counts = Counter(str(label) for several in labels for label in several)
        kept = [label for label in self._in_order(counts) if counts[label] >= least]
        return list(kept) or None

    def labels_said(self, value: JsonValue, item: StudyItem) -> list[str]:
        return self._in_order(super().labels_said(value, item))

    def _in_order(self, labels: Iterable[str]) -> list[str]:
        """Labels in the order of the options."""
        known = self.fixed_labels
        return sorted(labels, key=lambda one: known.index(one) if one in known else len(known))

    def reply_form(self, item: StudyItem) -> list[Words]:
        most = self.most or len(self.options)
        told = [answer_words("form_multiple", least=self.least, most=most)]
        alone = [answer_words("form_alone", values=", ".join(self.alone))] if self.alone else []
        return told + alone

    def from_reply(self, value: JsonValue, item: StudyItem) -> JsonValue:
        return [value] if isinstance(value, str) else value

    def from_form(self, values: Sequence[str]) -> JsonValue:
        return [value for value in values if value] or None

    def read(self, value: JsonValue, item: StudyItem) -> JsonValue:
        if value is None or value == []:
            return None
        known = [option.value for option in self.options]
        if not isinstance(value, list) or any(one not in known for one in value):
            raise WrongAnswer("choose_options")
        chosen = [one for one in known if one in value]
        if len(chosen) > 1 and any(one in self.alone for one in chosen):
            alone: Words = {"en": self._named("en"), "zh": self._named("zh")}
            raise WrongAnswer("alone", what=alone)
        most = self.most or len(known)
        if not self.least <= len(chosen) <= most:
            raise WrongAnswer("how_many", least=self.least, most=most)
        return list(chosen)

    def _named(self, language: Language) -> str:
        titles = titles_of(self.options, language)
        return ", ".join(titles[one.value] for one in self.options if one.value in self.alone)
