"""Every reader on files spoilt at random: what is wrong is told, quickly, and nothing else.

`DEADPAN_FUZZ=N` spoils each file N times; the seed is the file's name and the number of the try.
"""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path
from random import Random

import pytest

from deadpan.base.errors import DeadpanError
from tests.benchmarks.reader_samples import Sample, samples
from tests.benchmarks.spoiling import spoilt

TRIES = int(os.environ.get("DEADPAN_FUZZ", "6"))
SLOWEST = 40
"""Processor seconds; the slowest of 40,000 tries took two, libraries loaded for it included."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.name)
def test_only_errors_for_the_user_come_out(sample: Sample, folder: Path) -> None:
    place = folder / sample.name.replace("/", "_")
    sample.write(place)
    sample.read(place)
    for number in range(TRIES):
        seed = f"{sample.name} {number}"
        data = spoilt(sample.files[sample.spoilt], Path(sample.spoilt).suffix, Random(seed))
        (place / sample.spoilt).write_bytes(data)
        began = time.process_time()
        try:
            sample.read(place)
        except DeadpanError:
            pass
        except BaseException as error:
            error.add_note(f"{seed}: {place / sample.spoilt}")
            raise
        assert time.process_time() - began < SLOWEST, seed
    shutil.rmtree(place)
