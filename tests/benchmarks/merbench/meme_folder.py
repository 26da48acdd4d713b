"""Records, folders and judgements for tests: small, and right unless told otherwise."""

import json
from pathlib import Path
from typing import Any

from PIL import Image

RECORD: dict[str, Any] = {
    "id": "0.png",
    "det_emo": "angry",
    "img_desc": "A cat glares at a keyboard.",
    "pos_txt": '"The build takes a while. Tea time."',
    "spec": "The cat holds a cup of tea and looks content.",
    "tgt_emo": "calm",
    "gen_id": "0.png",
    "text": "WHEN THE BUILD\nFAILS AGAIN\n",
    "visual_type": "Cartoon_Anime",
    "sentiment_polarity": "Negative",
    "layout_type": "SinglePanel_Meme",
}


def record(name: str = "0.png", **changes: Any) -> dict[str, Any]:
    """A record whose files are called `name`."""
    return {**RECORD, "id": name, "gen_id": name, **changes}


def picture(path: Path, colour: str = "white") -> None:
    """A small picture at that path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (24, 16), colour).save(path)


def folder(place: Path, records: list[dict[str, Any]], models: tuple[str, ...] = ()) -> Path:
    """A data folder with the sources and, for each model, an edit of every meme."""
    place.mkdir(parents=True, exist_ok=True)
    text = json.dumps(records, ensure_ascii=False, indent=2)
    (place / "index_final.json").write_text(text, "utf-8")
    for entry in records:
        picture(place / "Original" / entry["id"])
        for model in models:
            picture(place / "EditedResults" / model / entry["gen_id"], "pink")
    return place


def judgement(
    label: str = "calm", consistent: bool = True, **ratings: int
) -> dict[str, dict[str, Any]]:
    """A reply of the judge; ratings by metric name, 5 where none is given."""
    rated = {name: ratings.get(name, 5) for name in ("VGQ", "VEA", "TGQ", "TEA", "HGQ", "PES")}
    return {
        "visual_assessment": {
            "rationale": "Clean lines.",
            "generation_quality_1_5": rated["VGQ"],
            "emotion_accuracy_1_5": rated["VEA"],
        },
        "text_assessment": {
            "rationale": "It can be read.",
            "generation_quality_1_5": rated["TGQ"],
            "emotion_accuracy_1_5": rated["TEA"],
        },
        "layout_consistency": {"rationale": "One panel still.", "consistent": consistent},
        "overall_emotion_classification": {
            "rationale": "The cat is at ease.",
            "label": label,
            "other_emotion": "wistful" if label == "other" else None,
        },
        "perceived_emotion_shift": {"rationale": "A long way.", "magnitude_1_5": rated["PES"]},
        "overall_generation_quality": {
            "rationale": "A good meme.",
            "overall_generation_quality_1_5": rated["HGQ"],
        },
    }
