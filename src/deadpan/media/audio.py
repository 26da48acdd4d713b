"""Sound of a video → where there is speech, and its words: given, recognised or none. Silero VAD
finds speech: faster-whisper runs that model with onnxruntime, silero-vad needs torch."""

from __future__ import annotations

import hashlib
import importlib
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from itertools import chain, groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import httpx
import numpy as np
import numpy.typing as npt
from pydantic import TypeAdapter, ValidationError

from deadpan.base.errors import InputError, MissingExtra
from deadpan.base.files import cache_folder
from deadpan.media.media_files import FETCH, check_decoder, keep_in_cache, open_container

if TYPE_CHECKING:
    from av.audio.frame import AudioFrame

RATE = 16_000
LONGEST = 3600  # seconds of sound that are decoded into memory; more is refused
RECOGNITION = "1"  # raised whenever other settings would recognise the same sound and model
_MODEL_FILES = ("model.bin", "config.json", "tokenizer.json")
# One model is loaded, and hears one video at a time: it uses all cores by itself.
_one_at_a_time = threading.Lock()

Source = Literal["dataset", "recognised", "none"]
Samples = npt.NDArray[np.float32]  # mono sound at `RATE`, between -1 and 1
Span = tuple[float, float]  # when a stretch of time starts and ends, in seconds


@dataclass(frozen=True)
class Transcript:
    """What is said, where that comes from, and what should be known about it."""

    text: str
    source: Source
    notes: tuple[str, ...] = ()


_Transcript = TypeAdapter(Transcript)


def sound_track(path: Path) -> Samples | None:
    """The first sound track as 16 kHz mono; None where there is none; damaged sound raises. More
    than an hour is refused, by the file's own word before anything is decoded."""
    with open_container(path) as container:
        if not container.streams.audio:
            return None
        stream = container.streams.audio[0]
        check_decoder(path, stream)
        samples = bytearray()
        if (stream.duration or 0) * (stream.time_base or 0) <= LONGEST:
            for frame in _resample(path, container.decode(stream)):
                samples += frame.to_ndarray().tobytes()
                if len(samples) > 2 * RATE * LONGEST:
                    break
            else:
                whole = np.frombuffer(samples, dtype=np.int16).astype(np.float32)
                return whole / np.float32(32768)
    what = f"the sound lasts more than {LONGEST // 60} minutes"
    raise InputError(path, what, "Cut the video, or give its transcript with the data.")


def _resample(path: Path, frames: Iterator[AudioFrame]) -> Iterator[AudioFrame]:
    # Whole numbers, as mixing channels down in floating point makes them louder than full scale.
    import av

    try:
        for _, alike in groupby(frames, lambda one: (one.format.name, one.layout.name, one.rate)):
            resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
            for frame in chain(alike, [None]):
                yield from resampler.resample(frame)
    except (av.FFmpegError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(path, f"the sound track is damaged ({reason})", FETCH) from None


def speech_spans(samples: Samples) -> tuple[Span, ...]:
    """Where Silero VAD hears speech; empty where it hears none."""
    if not len(samples):
        return ()
    vad = _faster_whisper("faster_whisper.vad")
    options = vad.VadOptions(
        threshold=0.5, min_speech_duration_ms=250, min_silence_duration_ms=500, speech_pad_ms=200
    )
    found = vad.get_speech_timestamps(samples, options, sampling_rate=RATE)
    return tuple((one["start"] / RATE, one["end"] / RATE) for one in found)


def transcript(
    path: Path, given: str | None, recogniser: str | None, language: str | None = None
) -> Transcript:
    """The words of a video: as given, even if empty; else recognised; else none, and why."""
    if given is not None:
        return Transcript(given, "dataset")
    sound = sound_track(path)
    if sound is None:
        return Transcript("", "none", ("the video has no sound track",))
    spans = speech_spans(sound)
    if not spans:
        return Transcript("", "none", ("no speech found",))
    length = f"{sum(end - start for start, end in spans):.1f} s of speech"
    if recogniser is None:
        note = (
            f"{length} found but not transcribed; name a recogniser to have it: "
            "--transcriber MODEL (a faster-whisper model name or a local folder)"
        )
        return Transcript("", "none", (note,))
    # One span after another, so that no silence is left to be misheard.
    speech = [sound[round(start * RATE) : round(end * RATE)] for start, end in spans]
    text = _recognise(np.concatenate(speech), recogniser, language)
    return Transcript(text, "recognised", () if text else (f"no words recognised in {length}",))


def _recognise(speech: Samples, name: str, language: str | None) -> str:
    """What the model hears, without sampling; from the cache when it heard the same before."""
    version = metadata.version("faster-whisper")
    recipe = "|".join([RECOGNITION, version, _identity(name), language or ""])
    key = hashlib.sha256(hashlib.sha256(speech.tobytes()).digest() + recipe.encode()).hexdigest()
    entry = cache_folder("transcripts") / f"{key}.json"
    with suppress(OSError, ValidationError):
        return _Transcript.validate_json(entry.read_bytes()).text
    try:
        with _one_at_a_time:
            settings = {"beam_size": 5, "temperature": 0.0, "condition_on_previous_text": False}
            segments, _ = _model(name).transcribe(speech, language=language, **settings)
            text = "".join(segment.text for segment in segments).strip()
    except ValueError as error:
        raise InputError(name, str(error), "Choose another language or recogniser.") from error
    keep_in_cache(entry, _Transcript.dump_json(Transcript(text, "recognised")))
    return text


def require_recogniser(name: str) -> None:
    """Loads the model that is about to be used; one that cannot be had raises, once."""
    _identity(name)
    with _one_at_a_time:
        _model(name)


def _is_folder(name: str) -> bool:
    return Path(name).expanduser().is_dir() or name.startswith(("/", ".", "~"))


def _identity(name: str) -> str:
    """The model's name; for a folder also the size and time of its weights."""
    if not _is_folder(name):
        return name
    folder = Path(name).expanduser().resolve()
    absent = [one for one in _MODEL_FILES if not (folder / one).is_file()]
    if absent:
        what = f"no faster-whisper model lies there (without {', '.join(absent)})"
        raise InputError(
            folder, what, "Name the folder of a Whisper model converted to CTranslate2."
        )
    weights = (folder / "model.bin").stat()
    return f"{folder}|{weights.st_size}|{weights.st_mtime_ns}"


@lru_cache(maxsize=1)
def _model(name: str) -> Any:
    """The recogniser, on a GPU where there is one; one that cannot be had raises."""
    whisper = _faster_whisper("faster_whisper")
    has_gpu = importlib.import_module("ctranslate2").get_cuda_device_count() > 0
    device, numbers = ("cuda", "default") if has_gpu else ("cpu", "int8")
    place = str(Path(name).expanduser()) if _is_folder(name) else name
    try:
        return whisper.WhisperModel(place, device=device, compute_type=numbers)
    except (OSError, ValueError, RuntimeError, httpx.HTTPError) as error:
        what = f"the recogniser cannot be loaded ({str(error).splitlines()[0]})"
        fix = "Check the name and the network, or name the folder of a model on this machine."
        raise InputError(name, what, fix) from error


def _faster_whisper(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise MissingExtra("Finding and transcribing speech", "video") from None
