"""The studies of people that JanusMM's paper describes: filter, annotation, rating, lay people."""

from __future__ import annotations

from deadpan.benchmarks.janusmm.studies.gold import write_labels
from deadpan.benchmarks.janusmm.studies.labelling import make_annotation, make_filter, make_lay
from deadpan.benchmarks.janusmm.studies.rating import make_rating
from deadpan.core.study.templates import StudyTemplate, TemplateOption

_SAMPLE = TemplateOption(
    "sample", "0", "how many memes, languages in proportion; 0 for all", paper="all"
)
STUDIES = (
    StudyTemplate(
        "filter",
        {"en": "JanusMM: which memes stay", "zh": "JanusMM：筛选自嘲表情包"},
        "data",
        make_filter,
        (
            TemplateOption(
                "people", "2", "how many judge each meme; one may discard it", paper="2"
            ),
            _SAMPLE,
        ),
        "Two researchers keep a meme only if both see self-deprecation and nothing unsafe in it.",
    ),
    StudyTemplate(
        "annotation",
        {"en": "JanusMM: annotation in two stages", "zh": "JanusMM：两阶段标注"},
        "data",
        make_annotation,
        (
            TemplateOption("people", "2", "how many annotate each meme", paper="2"),
            TemplateOption("practice", "10", "memes to practise on; 0 for none", paper="10"),
            TemplateOption(
                "text_agreement",
                "0.7",
                "the part of their pairs of characters that two texts have to share to count as "
                "the same, 0 to 1; 0 compares emotions alone",
                paper="silent",
            ),
            TemplateOption(
                "emotions",
                "words",
                "words: one of our list; classes: the lexicons' own labels; free: any word",
                values=("words", "classes", "free"),
                paper="one word, from the emotions of NRC and NTUSD; the list is not printed",
            ),
            TemplateOption(
                "drafts",
                "shown",
                "whether what a model drafted of new posts is there to be corrected; data has none",
                values=("shown", "hidden"),
                paper="none",
            ),
            _SAMPLE,
        ),
        "Two people write down emotion and thinking, then the sender's and the receiver's side, "
        "and talk over what differs.",
        write_labels,
    ),
    StudyTemplate(
        "rating",
        {"en": "JanusMM: ratings of answers", "zh": "JanusMM：对模型回答的人工评分"},
        "results",
        make_rating,
        (
            TemplateOption(
                "people",
                "0",
                "how many rate each answer; 0 for everybody who reads its language",
                paper="five: three for Chinese, two for English",
            ),
            TemplateOption(
                "sample", "0", "how many memes, the same for all models; 0 for all", paper="silent"
            ),
            TemplateOption(
                "checks",
                "0",
                "hidden items whose answers are about another meme",
                paper="none described",
            ),
            TemplateOption(
                "justification",
                "no",
                "whether raters write what their ratings rest on, which a reviewer accepts or "
                "sends back",
                values=("no", "yes"),
                paper="none described",
            ),
        ),
        "Raters give MG, DU, PE, EC, SR and HUC, 1 to 5, to a model's answers about a meme, blind.",
    ),
    StudyTemplate(
        "lay",
        {"en": "JanusMM: lay people's answers", "zh": "JanusMM：普通人的识别基线"},
        "data",
        make_lay,
        (TemplateOption("people", "5", "how many answer about each meme", paper="5"), _SAMPLE),
        "Lay people answer the question of `recognition` in their own words, without any hint.",
    ),
)
