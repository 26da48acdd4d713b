"""Sound of a video → where there is speech, and its words: given, recognised or none.

Speech is found by Silero VAD: faster-whisper carries that very model and runs it with onnxruntime,
where the silero-vad package needs torch.
"""

from __future__ import annotations

import hashlib
import importlib
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import httpx
import numpy as np
import numpy.typing as npt
from pydantic import TypeAdapter, ValidationError

from deadpan.base.caches import cache_folder
from deadpan.base.errors import InputError, MissingExtra
from deadpan.base.files import write_bytes
from deadpan.media.containers import check_decoder, opened
from deadpan.media.media_files import FETCH

if TYPE_CHECKING:
    from av.audio.frame import AudioFrame
    from av.audio.stream import AudioStream
    from av.container import InputContainer

RATE = 16_000
LONGEST = 3600
"""Seconds of sound that are decoded into memory; more is refused."""
RECOGNITION = "1"
"""Raised whenever the same sound and model would be recognised with other settings."""

_MODEL_FILES = ("model.bin", "config.json", "tokenizer.json")

_one_at_a_time = threading.Lock()
"""One model is loaded, and hears one video at a time: it uses all cores by itself."""

Source = Literal["dataset", "recognised", "none"]


@dataclass(frozen=True, eq=False)
class Sound:
    """Mono samples between -1 and 1."""

    samples: npt.NDArray[np.float32]
    rate: int = RATE

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return len(self.samples) / self.rate


@dataclass(frozen=True)
class Span:
    """A stretch of time, in seconds."""

    start: float
    end: float


@dataclass(frozen=True)
class Transcript:
    """What is said, where that comes from, and what should be known about it."""

    text: str
    source: Source
    notes: tuple[str, ...] = ()


_Transcript = TypeAdapter(Transcript)


def sound_track(path: Path) -> Sound | None:
    """The first sound track as 16 kHz mono; None where there is none; damaged sound raises.

    More than an hour is refused, by the file's own word before anything is decoded.
    """
    with opened(path) as container:
        if not container.streams.audio:
            return None
        stream = container.streams.audio[0]
        check_decoder(path, stream)
        if stream.duration and stream.time_base and stream.duration * stream.time_base > LONGEST:
            raise _too_long(path)
        samples = bytearray()
        for frame in _resampled(path, container, stream):
            samples += frame.to_ndarray().tobytes()
            if len(samples) > 2 * RATE * LONGEST:
                raise _too_long(path)
    return Sound(np.frombuffer(samples, dtype=np.int16).astype(np.float32) / np.float32(32768))


def _too_long(path: Path) -> InputError:
    return InputError(
        path,
        f"the sound lasts more than {LONGEST // 60} minutes",
        "Cut the video, or give its transcript with the data.",
    )


def _resampled(path: Path, container: InputContainer, stream: AudioStream) -> Iterator[AudioFrame]:
    # Whole numbers, as mixing channels down in floating point makes them louder than full scale.
    import av

    resampler, kind = None, None
    try:
        for frame in container.decode(stream):
            if resampler is None or kind != (frame.format.name, frame.layout.name, frame.rate):
                yield from [] if resampler is None else resampler.resample(None)
                resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
                kind = (frame.format.name, frame.layout.name, frame.rate)
            yield from resampler.resample(frame)
        yield from [] if resampler is None else resampler.resample(None)
    except (av.FFmpegError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(path, f"the sound track is damaged ({reason})", FETCH) from None


def speech_spans(sound: Sound) -> tuple[Span, ...]:
    """Where Silero VAD hears speech; empty where it hears none."""
    if not len(sound.samples):
        return ()
    vad = _faster_whisper("faster_whisper.vad")
    options = vad.VadOptions(
        threshold=0.5, min_speech_duration_ms=250, min_silence_duration_ms=500, speech_pad_ms=200
    )
    found = vad.get_speech_timestamps(sound.samples, options, sampling_rate=sound.rate)
    return tuple(Span(one["start"] / sound.rate, one["end"] / sound.rate) for one in found)


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
    length = f"{sum(span.end - span.start for span in spans):.1f} s of speech"
    if recogniser is None:
        note = (
            f"{length} found but not transcribed; name a recogniser to have it: "
            "--transcriber MODEL (a faster-whisper model name or a local folder)"
        )
        return Transcript("", "none", (note,))
    text = _recognised(_speech(sound, spans), recogniser, language)
    return Transcript(text, "recognised", () if text else (f"no words recognised in {length}",))


def _speech(sound: Sound, spans: tuple[Span, ...]) -> npt.NDArray[np.float32]:
    """The spans one after another, so that no silence is left to be misheard."""
    ends = [(round(span.start * sound.rate), round(span.end * sound.rate)) for span in spans]
    return np.concatenate([sound.samples[start:end] for start, end in ends])


def _recognised(speech: npt.NDArray[np.float32], name: str, language: str | None) -> str:
    """What the model hears, without sampling; from the cache when it heard the same before."""
    version = metadata.version("faster-whisper")
    recipe = "|".join([RECOGNITION, version, _identity(name), language or ""])
    key = hashlib.sha256(hashlib.sha256(speech.tobytes()).digest() + recipe.encode()).hexdigest()
    entry = cache_folder("transcripts") / f"{key}.json"
    with suppress(OSError, ValidationError):
        return _Transcript.validate_json(entry.read_bytes()).text
    try:
        with _one_at_a_time:
            segments, _ = _model(name).transcribe(
                speech,
                language=language,
                beam_size=5,
                temperature=0.0,
                condition_on_previous_text=False,
            )
            text = "".join(segment.text for segment in segments).strip()
    except ValueError as error:
        raise InputError(name, str(error), "Choose another language or recogniser.") from error
    # A full or read-only cache only costs time: the words are still returned.
    with suppress(InputError):
        write_bytes(entry, _Transcript.dump_json(Transcript(text, "recognised")))
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
        raise InputError(
            folder,
            f"no faster-whisper model lies there (without {', '.join(absent)})",
            "Name the folder of a Whisper model converted to CTranslate2.",
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
        raise InputError(
            name,
            f"the recogniser cannot be loaded ({str(error).splitlines()[0]})",
            "Check the name and the network, or name the folder of a model on this machine.",
        ) from error


def _faster_whisper(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise MissingExtra("Finding and transcribing speech", "video") from None
