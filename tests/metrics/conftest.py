"""WordNet 3.0 as nltk reads it, and real texts, where they are on the machine."""

from __future__ import annotations

import csv
import json
import tarfile
import warnings
from pathlib import Path

import nltk
import pytest
from nltk.corpus.reader.wordnet import WordNetCorpusReader

SHARED = Path(__file__).resolve().parents[2].parent / "shared"


@pytest.fixture(scope="session")
def wordnet_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The WordNet 3.0 files, unpacked; skips where the archive is not on this machine."""
    archive = SHARED / "resources" / "wordnet-3.0-nltk.tar.xz"
    if not archive.is_file():
        pytest.skip("the WordNet 3.0 files are not on this machine")
    folder = tmp_path_factory.mktemp("nltk_data")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return folder / "corpora" / "wordnet"


@pytest.fixture(scope="session")
def nltk_wordnet(wordnet_folder: Path) -> WordNetCorpusReader:
    """nltk's reader of these files; nltk reads only below its own data paths."""
    nltk.data.path.insert(0, str(wordnet_folder.parents[1]))
    with warnings.catch_warnings(action="ignore"):
        return WordNetCorpusReader(str(wordnet_folder), None)


@pytest.fixture(scope="session")
def real_texts(released: Path) -> list[str]:
    """Human explanations and captions; skips where either is not on this machine."""
    captions = SHARED / "data" / "merbench" / "index_final.json"
    if not captions.is_file():
        pytest.skip("the MER-Bench captions are not on this machine")
    with (released / "human_explanation.csv").open(encoding="utf-8", newline="") as rows:
        texts = [row["explanation"] for row in csv.DictReader(rows)]
    for item in json.loads(captions.read_text(encoding="utf-8")):
        texts += [item[field] for field in ("text", "pos_txt", "img_desc", "spec")]
    return [text for text in texts if isinstance(text, str) and text.strip()]
