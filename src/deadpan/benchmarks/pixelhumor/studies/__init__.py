"""The studies of people that PixelHumor's paper describes."""

from __future__ import annotations

from deadpan.benchmarks.pixelhumor.studies.annotating import make_annotation, make_panels
from deadpan.benchmarks.pixelhumor.studies.comics import MINI
from deadpan.benchmarks.pixelhumor.studies.explanations import make_preference, make_rating
from deadpan.benchmarks.pixelhumor.studies.gold import write_annotation, write_panels
from deadpan.core.study.templates import StudyTemplate, TemplateOption

_COMICS = TemplateOption("comics", "0", "how many comics, by lot; 0 for all", paper="2,800")
ANNOTATION = StudyTemplate(
    "annotation",
    {"en": "Annotation of humour", "zh": "幽默标注"},
    "data",
    make_annotation,
    (
        _COMICS,
        TemplateOption("people", "2", "who annotate each comic", paper="2"),
        TemplateOption(
            "teams", "4", "fixed groups of people, among which comics are dealt", paper="4"
        ),
        TemplateOption("batch", "100", "comics in a batch; 0 for no batches", paper="100"),
        TemplateOption("checked", "10", "comics of a batch that the lead checks", paper="10"),
        TemplateOption(
            "practice",
            "5",
            "comics in a practice session; 0 for no practice",
            paper="5 trial comics; silent on the sessions after them",
        ),
        TemplateOption(
            "sessions", "4", "practice sessions, trial included", paper="a trial and 3 sessions"
        ),
        TemplateOption(
            "pass_mark", "0.6", "share of right answers that passes a session", paper="silent"
        ),
        TemplateOption(
            "practice_from",
            MINI,
            "where practice comics come from: the embedded mini-set, or set aside from the data",
            (MINI, "data"),
            "silent",
        ),
        TemplateOption(
            "checks", "0", "comics with gold that are set aside as hidden checks", paper="none"
        ),
        TemplateOption(
            "checks_every", "20", "after how many comics a hidden check comes", paper="none"
        ),
    ),
    "Pairs of annotators answer five questions about each comic; a third resolves.",
    write_annotation,
)
PANELS = StudyTemplate(
    "panels",
    {"en": "Panels, reading order, text and harm", "zh": "分格、阅读顺序、文字与有害性"},
    "data",
    make_panels,
    (
        _COMICS,
        TemplateOption("people", "1", "who draw, order and transcribe each comic", paper="silent"),
        TemplateOption("harm_people", "2", "who say whether a comic may do harm", paper="silent"),
        TemplateOption(
            "blur",
            "no",
            "whether comics that the data flags are blurred, which gives the flag away",
            ("no", "yes"),
            "silent",
        ),
    ),
    "People draw the panels of each comic, order and transcribe them, and flag harm.",
    write_panels,
)
RATING = StudyTemplate(
    "rating",
    {"en": "Rating of explanations", "zh": "解释评分"},
    "results",
    make_rating,
    (
        TemplateOption("comics", "350", "how many comics", paper="350"),
        TemplateOption(
            "choose",
            "agreement",
            "those on which annotators agree most, or any",
            ("agreement", "random"),
            "high agreement; silent on its measure",
        ),
        TemplateOption("people", "2", "who rate each explanation", paper="2"),
    ),
    "Raters give each model's explanation 1 to 7 and justify it; a reviewer accepts the words.",
)
PREFERENCE = StudyTemplate(
    "preference",
    {"en": "Choice of the best explanation", "zh": "选出最好的解释"},
    "results",
    make_preference,
    (
        TemplateOption("per_source", "10", "comics of each source of comics, by lot", paper="10"),
        TemplateOption("people", "2", "who choose for each comic before a third does", paper="2"),
    ),
    "Choosers pick the best of the models' explanations and a person's; a third resolves.",
)
STUDIES = (ANNOTATION, PANELS, RATING, PREFERENCE)
