"""The studies of people that CFMS's paper describes: annotation with and without drafts, the
metaphor subset, generated pictures."""

from __future__ import annotations

from deadpan.benchmarks.cfms.records import SPLITS
from deadpan.benchmarks.cfms.studies.generation import make_generation
from deadpan.benchmarks.cfms.studies.gold import label_lines, write_labels
from deadpan.benchmarks.cfms.studies.labelling import (
    ALL,
    DRAWN,
    OF_DATA,
    SCHEMES,
    make_annotation,
    make_labels,
    make_metaphor,
)
from deadpan.core.study.templates import StudyTemplate, TemplateOption

_SAMPLE = TemplateOption(
    "sample", "0", "how many posts, languages and labels in proportion; 0 for all", paper="all"
)
_ANNOTATING = (
    TemplateOption("people", "2", "how many of a group annotate each post", paper="silent"),
    TemplateOption("teams", "3", "groups among which posts are dealt", paper="three groups"),
    TemplateOption(
        "passes", "2", "1: annotated; 2: and verified", values=("1", "2"), paper="several stages"
    ),
    TemplateOption(
        "text_agreement",
        "0.7",
        "the part of their pairs of characters that two explanations have to share to count as "
        "the same, 0 to 1; 0 does not compare them",
        paper="silent",
    ),
    TemplateOption(
        "practice", "0", "posts of known label to practise on; 0 for none", paper="silent"
    ),
    TemplateOption("checks", "0", "hidden posts of known label", paper="silent"),
    TemplateOption(
        "splits",
        DRAWN,
        "drawn: train, validation and test of what is settled, in the paper's shares, language "
        "and label in proportion; data: those that the posts are of",
        values=(DRAWN, OF_DATA),
        paper="stratified, 1,956 / 420 / 420",
    ),
    _SAMPLE,
)
STUDIES = (
    StudyTemplate(
        "annotation",
        {"en": "CFMS: a model's drafts corrected", "zh": "CFMS：核对并修改模型草稿"},
        "data or results",
        make_annotation,
        (
            TemplateOption(
                "model", "", "whose answers are the drafts, where there are several models'"
            ),
            *_ANNOTATING,
        ),
        "Groups of people check and correct a model's label, target and explanation of a post, "
        "and verify what came of it. Drafts are a run's answers, or come by `deadpan study draft`.",
        write_labels,
        label_lines,
    ),
    StudyTemplate(
        "labels",
        {"en": "CFMS: labels from scratch", "zh": "CFMS：从零标注"},
        "data",
        make_labels,
        (
            TemplateOption(
                "split", ALL, "which posts", values=(ALL, *SPLITS), paper="all, before the split"
            ),
            *_ANNOTATING,
        ),
        "Groups of people label posts from scratch, without a draft, and verify what came of it.",
        write_labels,
        label_lines,
    ),
    StudyTemplate(
        "metaphor",
        {"en": "CFMS: sarcasm and metaphor", "zh": "CFMS：讽刺与隐喻"},
        "data",
        make_metaphor,
        (
            TemplateOption(
                "language", "zh", "which half of the subset", values=("zh", "en"), paper="both"
            ),
            TemplateOption(
                "scheme",
                "paper",
                "labels: yes or no; levels: three degrees; framework: label, target and "
                "explanation, and metaphor; paper: labels for Chinese, levels for English",
                values=("paper", *SCHEMES),
                paper="English again by its triple-level framework",
            ),
            TemplateOption(
                "people",
                "0",
                "0: everybody answers about every pair; else so many, and pairs on which they "
                "differ are discarded",
                paper="silent",
            ),
            TemplateOption(
                "sample", "0", "how many pairs; 0 for all", paper="200 of each language"
            ),
        ),
        "People say of a post whether it is sarcastic and whether it uses a metaphor.",
    ),
    StudyTemplate(
        "generation",
        {"en": "CFMS: generated pictures judged", "zh": "CFMS：生成图片判断"},
        "data",
        make_generation,
        (
            TemplateOption(
                "pictures", "", "the folder of `deadpan generate cfms`, or one that holds several"
            ),
            TemplateOption("people", "2", "how many judge each picture", paper="2"),
            TemplateOption(
                "sample", "100", "how many posts, each by every generator; 0 for all", paper="100"
            ),
        ),
        "People say whether a generated picture meets the sarcastic effect, blind.",
    ),
)
