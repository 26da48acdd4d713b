"""Which of MER-Bench's scores stand in which table and plot of a report."""

from __future__ import annotations

from deadpan.benchmarks.merbench.metrics import BASE, COMPOSITE, COUNTS, GATE, PAIRS
from deadpan.benchmarks.merbench.records import TAXONOMY
from deadpan.benchmarks.merbench.scoring import ALL_MODELS
from deadpan.core.capabilities import TableLayout
from deadpan.core.measurement import SPREAD
from deadpan.core.plots import AnyPlot, PlotSpec, RadarPlot

MAIN = "reappraisal"
JUDGE_PROMPTS = {
    MAIN: "RF-VF",
    "reappraisal_rf_vl": "RF-VL",
    "reappraisal_rl_vf": "RL-VF",
    "reappraisal_rl_vl": "RL-VL",
}
CATEGORIES = (
    ("visual_type=Object_Animal_Dominant", "Object/Animal-Centric"),
    ("visual_type=Photo_RealPerson", "Photographic Human"),
    ("visual_type=Cartoon_Anime", "Illustrated/Cartoon"),
    ("visual_type=Template_StylizedMeme", "Template Stylized"),
    ("layout_type=SinglePanel_Meme", "Single-Panel"),
    ("layout_type=MultiPanel_Meme", "Multi-Panel"),
    ("sentiment_polarity=Positive", "Positive Valence"),
    ("sentiment_polarity=Neutral", "Neutral Valence"),
    ("sentiment_polarity=Negative", "Negative Valence"),
)
"""(group, the paper's name), in the order of table 3."""

CHECKS = (
    ("panels kept", "panels_kept"),
    ("regions IoU", "regions_iou"),
    ("legibility", "legibility"),
    ("caption CER", "caption_cer"),
    ("SSIM outside captions", "preserved_ssim"),
    ("edited at all", "edited"),
)


def _columns(task: str = MAIN) -> tuple[tuple[str, str, str, str], ...]:
    return tuple((name, task, name, "all") for name in (*BASE, *COMPOSITE))


TABLES: tuple[TableLayout, ...] = (
    TableLayout("Models", "2", _columns(), SPREAD),
    TableLayout(
        "Categories, all models together",
        "3",
        _columns(),
        SPREAD,
        rows=(*CATEGORIES, ("all", "All memes")),
        model=ALL_MODELS,
    ),
    TableLayout(
        "RFS by category", "", tuple((label, MAIN, "RFS", group) for group, label in CATEGORIES)
    ),
    TableLayout(
        "RFS by emotion and language",
        "",
        tuple(
            (label, MAIN, "RFS", group)
            for label, group in (
                ("sad → happy", "det_emo=sad"),
                ("angry → calm", "det_emo=angry"),
                ("tense → relaxed", "det_emo=tense"),
                ("bored → excited", "det_emo=bored"),
                ("English", "language=en"),
                ("Chinese", "language=zh"),
            )
        ),
    ),
    *(
        TableLayout(f"Models, judged by {name}", "", _columns(task), SPREAD)
        for task, name in JUDGE_PROMPTS.items()
        if task != MAIN
    ),
    TableLayout(
        "Checks that need no judge",
        "",
        tuple((heading, "checks", name, "all") for heading, name in CHECKS),
    ),
    TableLayout(
        "Checks against the judge, over all edits",
        "",
        (("Pearson", "checks", "pearson", "all"), ("Spearman", "checks", "spearman", "all")),
        rows=tuple(
            (f"check={check},metric={metric}", f"{heading} – {metric}")
            for check, metric in PAIRS
            for heading, name in CHECKS
            if name == check
        ),
        model=ALL_MODELS,
    ),
    TableLayout(
        "What was compared",
        "",
        (
            *((metric.title, MAIN, metric.name, "all") for metric in COUNTS),
            ("gate broken", MAIN, GATE, "all"),
        ),
    ),
)

PLOTS: tuple[AnyPlot, ...] = (
    RadarPlot(
        "RFS by category",
        MAIN,
        "RFS",
        TAXONOMY,
        labels=CATEGORIES,
        caption="Each model's RFS on the memes of each category, mean over runs, in per cent.",
    ),
    PlotSpec("RFS by source emotion", MAIN, "RFS", "det_emo"),
)
