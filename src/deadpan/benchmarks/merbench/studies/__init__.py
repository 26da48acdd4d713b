"""The studies of people that MER-Bench's paper describes: how its data was built and verified, and
how people see edits and the judge."""

from __future__ import annotations

from deadpan.benchmarks.merbench.studies.assessments import make_assessments, make_judges
from deadpan.benchmarks.merbench.studies.building import make_construction, make_stages
from deadpan.benchmarks.merbench.studies.edits import make_outputs, make_validation
from deadpan.benchmarks.merbench.studies.gold import write_index
from deadpan.core.study.templates import StudyTemplate, TemplateOption

_RATERS = TemplateOption("people", "3", "how many people for each; 0 for everybody", paper="silent")
_OUTPUTS = TemplateOption("sample", "100", "how many outputs; 0 for all", paper="100")
STUDIES = (
    StudyTemplate(
        "construction",
        {"en": "MER-Bench: labels of memes", "zh": "MER-Bench：梗图标签"},
        "data",
        make_construction,
        (
            TemplateOption(
                "phase",
                "find",
                "find: a pilot, whose ambiguous cases are resolved; label: all others, after "
                "practice on memes of the pilot, by the guidelines that came of it",
                values=("find", "label"),
                paper="find, resolve, label",
            ),
            TemplateOption(
                "pilot",
                "",
                "for `label`: the folder of the pilot's export, whose guidelines, words and "
                "settled labels are taken over, and whose memes are left out; without one, the "
                "labels to practise on are the data's",
                paper="the resolved rules train the annotators",
            ),
            TemplateOption(
                "sample",
                "100",
                "how many memes the pilot has, emotions in proportion; the same in both phases "
                "where no `pilot` is named",
                paper="silent",
            ),
            TemplateOption("people", "3", "how many label each meme", paper="several"),
            TemplateOption(
                "practice", "10", "memes to practise on before `label`; 0 for none", paper="silent"
            ),
        ),
        "People label emotion, visual type, polarity and layout; what they differ on is talked "
        "over and then resolved by an expert.",
    ),
    StudyTemplate(
        "stages",
        {"en": "MER-Bench: three stages verified", "zh": "MER-Bench：三阶段核验"},
        "data",
        make_stages,
        (
            TemplateOption("people", "1", "how many verify each stage", paper="silent"),
            TemplateOption(
                "sample", "0", "how many memes, emotions in proportion; 0 for all", paper="all"
            ),
            TemplateOption(
                "edits",
                "",
                "whose edited pictures in EditedResults/ the third stage verifies; none for no "
                "third stage",
                paper="one model's",
            ),
        ),
        "People accept, revise or remove what was drafted: emotion and description, then target, "
        "caption and edit, then the edited meme.",
        write_index,
    ),
    StudyTemplate(
        "validation",
        {"en": "MER-Bench: edits rated", "zh": "MER-Bench：编辑结果评分"},
        "results",
        make_validation,
        (
            _RATERS,
            _OUTPUTS,
            TemplateOption(
                "checks",
                "0",
                "hidden items whose edit is the source itself",
                paper="none described",
            ),
        ),
        "People rate random edits in the eight dimensions, 1 to 6, blind.",
    ),
    StudyTemplate(
        "outputs",
        {"en": "MER-Bench: the better edit", "zh": "MER-Bench：两个编辑结果二选一"},
        "results",
        make_outputs,
        (_RATERS, TemplateOption("sample", "100", "how many memes; 0 for all", paper="100")),
        "People choose between two models' edits of a meme, blind.",
    ),
    StudyTemplate(
        "assessments",
        {"en": "MER-Bench: the judge's assessments rated", "zh": "MER-Bench：为评审模型的评语评分"},
        "results",
        make_assessments,
        (
            _RATERS,
            _OUTPUTS,
            TemplateOption(
                "variants",
                "main",
                "the judge's main prompt, or all that judged the output",
                values=("main", "all"),
                paper="silent",
            ),
        ),
        "People rate how right the judge's assessment of an edit is, 1 to 6 per dimension, blind.",
    ),
    StudyTemplate(
        "judges",
        {"en": "MER-Bench: the better assessment", "zh": "MER-Bench：两份评语二选一"},
        "results",
        make_judges,
        (
            _RATERS,
            _OUTPUTS,
            TemplateOption(
                "pairs",
                "all",
                "all pairs of prompts on every output, or one, each about as often",
                values=("all", "one"),
                paper="silent",
            ),
        ),
        "People choose between two prompts' assessments of an edit, blind.",
    ),
)
