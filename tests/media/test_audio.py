"""The sound of a video: speech found, words given or recognised, nothing ever made up."""

import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from deadpan.base.errors import InputError, MissingExtra
from deadpan.media import audio
from deadpan.media.audio import Transcript, sound_track, speech_spans, transcript
from tests.media.drawn_videos import numbered, write_sound, write_video

av = pytest.importorskip("av", reason="the [video] extra is not installed")
faster_whisper = pytest.importorskip("faster_whisper", reason="the [video] extra is not installed")

RATE = 16_000


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache and no loaded model for each test."""
    monkeypatch.setenv("DEADPAN_CACHE", str(tmp_path / "cache"))
    audio._model.cache_clear()
    yield tmp_path / "cache"
    audio._model.cache_clear()


def voice(seconds: float) -> np.ndarray:
    """A voice that babbles vowels: harmonics of a gliding pitch, loud near the formants."""
    time = np.arange(int(seconds * RATE)) / RATE
    pitch = 120 + 25 * np.sin(2 * np.pi * 0.7 * time) + 8 * np.sin(2 * np.pi * 2.3 * time)
    vowels = [(730, 1090, 2440), (270, 2290, 3010), (300, 870, 2240), (530, 1840, 2480)]
    formants = np.array(vowels, float)[(time / 0.22).astype(int) % len(vowels)].T
    glide = np.ones(800) / 800
    smooth = [np.convolve(np.pad(one, 400, mode="edge"), glide, "valid")[:-1] for one in formants]
    sound = np.zeros_like(time)
    for harmonic in range(1, 40):
        loudness = sum(
            gain / (1 + ((harmonic * pitch - formant) / width) ** 2)
            for formant, gain, width in zip(smooth, (1, 0.6, 0.3), (80, 100, 140), strict=True)
        )
        sound += loudness * np.sin(2 * np.pi * harmonic * np.cumsum(pitch) / RATE)
    sound *= np.clip(1.4 * np.sin(np.pi * (time % 0.22) / 0.22), 0, 1)
    return (0.4 * sound / np.abs(sound).max()).astype(np.float32)


def silence(seconds: float) -> np.ndarray:
    return np.zeros(int(seconds * RATE), np.float32)


def heard(path: Path, samples: np.ndarray) -> Path:
    """A file with the samples as its only track."""
    with av.open(str(path), "w") as container:
        codec = "pcm_s16le" if path.suffix == ".wav" else "aac"
        write_sound(container, container.add_stream(codec, rate=RATE, layout="mono"), samples)
    return path


@pytest.fixture
def speech(tmp_path: Path) -> Path:
    """A file with two seconds of speech."""
    return heard(tmp_path / "speech.mp4", np.concatenate([silence(1), voice(2), silence(1)]))


@pytest.fixture
def silent(tmp_path: Path) -> Path:
    """A video with no sound track."""
    return write_video(tmp_path / "silent.mp4", [numbered(1)] * 10)


class FakeWhisper:
    """Stands for `WhisperModel`: keeps how it was called and says what it is told to."""

    made: list["FakeWhisper"]
    words = (" So funny,", " I forgot to laugh. ")

    def __init__(self, name: str, **options: object) -> None:
        self.name, self.options = name, options
        type(self).made.append(self)

    def transcribe(self, samples: np.ndarray, **options: object) -> tuple[Iterator[object], None]:
        self.samples, self.asked = samples, options
        return (SimpleNamespace(text=text) for text in self.words), None


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> type[FakeWhisper]:
    """A fake recogniser in the place of the real one."""
    FakeWhisper.made = []
    monkeypatch.setattr(faster_whisper, "WhisperModel", FakeWhisper)
    return FakeWhisper


def test_sound_comes_as_16_khz_mono(tmp_path):
    path = tmp_path / "tone.wav"
    time = np.arange(44_100 * 2) / 44_100
    tone = np.repeat(0.5 * np.sin(2 * np.pi * 440 * time)[:, None], 2, 1).reshape(1, -1)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("pcm_s16le", rate=44_100, layout="stereo")
        frame = av.AudioFrame.from_ndarray((tone * 32767).astype(np.int16), "s16", "stereo")
        frame.sample_rate, frame.pts, frame.time_base = 44_100, 0, Fraction(1, 44_100)
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    sound = sound_track(path)
    assert sound is not None and audio.RATE == 16_000 and sound.dtype == np.float32
    assert len(sound) / RATE == pytest.approx(2.0, abs=0.01)
    loudest = np.argmax(np.abs(np.fft.rfft(sound))) * RATE / len(sound)
    assert loudest == pytest.approx(440, abs=1)
    assert np.abs(sound).max() == pytest.approx(0.5, abs=0.05)


def test_a_video_without_sound_has_no_sound_track(silent):
    assert sound_track(silent) is None


def test_a_missing_file_and_a_file_of_text_raise(tmp_path):
    (tmp_path / "text.mp4").write_text("la la la")
    with pytest.raises(InputError, match="fetch it"):
        sound_track(tmp_path / "none.mp4")
    with pytest.raises(InputError, match="not a video or sound file"):
        sound_track(tmp_path / "text.mp4")


def test_an_unknown_codec_raises(tmp_path):
    path = heard(tmp_path / "odd.mkv", silence(1))
    path.write_bytes(path.read_bytes().replace(b"A_AAC", b"A_ZZZ"))
    with pytest.raises(InputError, match="audio track is in a format that cannot be decoded"):
        sound_track(path)


def test_damaged_sound_raises(speech):
    data = bytearray(speech.read_bytes())
    start, end = data.index(b"mdat") + 4, data.index(b"moov") - 4
    data[start:end] = np.random.default_rng(0).bytes(end - start)
    speech.write_bytes(data)
    with pytest.raises(InputError, match="the sound track is damaged"):
        sound_track(speech)


@pytest.mark.parametrize("suffix", [".mp4", ".mkv"])
def test_sound_that_is_too_long_is_refused(tmp_path, monkeypatch, suffix):
    path = heard(tmp_path / f"long{suffix}", silence(4))
    monkeypatch.setattr(audio, "LONGEST", 3)
    with pytest.raises(InputError, match="lasts more than"):
        sound_track(path)
    monkeypatch.setattr(audio, "LONGEST", 5)
    assert len(sound_track(path)) / RATE == pytest.approx(4, abs=0.2)


def test_speech_is_found_where_it_is():
    sound = np.concatenate([silence(2), voice(2), silence(3), voice(1.5), silence(1)])
    for (start, end), (first, last) in zip(speech_spans(sound), ((2, 4), (7, 8.5)), strict=True):
        assert start == pytest.approx(first, abs=0.3) and end == pytest.approx(last, abs=0.4)


def test_silence_tones_and_noise_are_no_speech():
    tone = 0.5 * np.sin(2 * np.pi * 440 * np.arange(3 * RATE) / RATE)
    noise = np.random.default_rng(0).normal(0, 0.2, 3 * RATE)
    for samples in (silence(3), tone, noise, silence(0), silence(0.01)):
        assert speech_spans(samples.astype(np.float32)) == ()


@pytest.mark.parametrize("words", ["他说：「好极了。」", ""])
def test_a_transcript_from_the_data_wins_even_if_it_is_empty(tmp_path, words):
    path = tmp_path / "never-read.mp4"
    assert transcript(path, words, "tiny") == Transcript(words, "dataset", ())


def test_without_sound_or_speech_there_is_no_transcript(tmp_path, silent, fake):
    quiet = heard(tmp_path / "quiet.mp4", silence(2))
    note = ("the video has no sound track",)
    assert transcript(silent, None, "tiny") == Transcript("", "none", note)
    assert transcript(quiet, None, "tiny") == Transcript("", "none", ("no speech found",))
    assert fake.made == []


def test_speech_without_a_recogniser_is_told_not_invented(speech, monkeypatch):
    monkeypatch.setattr(audio, "speech_spans", lambda _: ((0.5, 1.0), (1.5, 3.5)))
    answer = transcript(speech, None, None)
    assert (answer.text, answer.source) == ("", "none")
    assert answer.notes[0].startswith("2.5 s of speech found")
    assert "--transcriber MODEL" in answer.notes[0]


def test_the_recogniser_hears_only_the_speech_and_never_samples(speech, fake, monkeypatch):
    monkeypatch.setattr("ctranslate2.get_cuda_device_count", lambda: 0)
    monkeypatch.setattr(audio, "speech_spans", lambda _: ((0.5, 1.0), (1.5, 2.5)))
    answer = transcript(speech, None, "small", "en")
    assert answer == Transcript("So funny, I forgot to laugh.", "recognised", ())
    (model,) = fake.made
    assert (model.name, model.options) == ("small", {"device": "cpu", "compute_type": "int8"})
    assert len(model.samples) == 1.5 * RATE
    assert model.asked == {
        "language": "en",
        "beam_size": 5,
        "temperature": 0.0,
        "condition_on_previous_text": False,
    }


def test_words_are_recognised_once_for_each_sound_model_and_language(speech, fake, tmp_path):
    first = transcript(speech, None, "small")
    audio._model.cache_clear()
    assert transcript(speech.rename(tmp_path / "moved.mp4"), None, "small") == first
    assert len(fake.made) == 1
    moved = tmp_path / "moved.mp4"
    transcript(moved, None, "small", "zh")
    transcript(moved, None, "large-v3")
    assert [model.name for model in fake.made] == ["small", "small", "large-v3"]


def test_a_damaged_cache_entry_is_made_again(speech, fake, cache):
    first = transcript(speech, None, "small")
    (entry,) = (cache / "transcripts").iterdir()
    whole = entry.read_bytes()
    entry.write_bytes(whole[:-9])
    assert transcript(speech, None, "small") == first
    assert entry.read_bytes() == whole


def test_a_cache_that_cannot_be_written_is_no_error(speech, fake, tmp_path, monkeypatch):
    (tmp_path / "blocked").write_text("")
    monkeypatch.setenv("DEADPAN_CACHE", str(tmp_path / "blocked"))
    assert transcript(speech, None, "small").source == "recognised"


def test_speech_without_words_is_told(speech, fake, monkeypatch):
    monkeypatch.setattr(fake, "words", (" ",))
    answer = transcript(speech, None, "small")
    assert (answer.text, answer.source) == ("", "recognised")
    assert answer.notes[0].startswith("no words recognised in")


def test_a_real_model_from_a_folder_is_run(speech, tmp_path):
    from tests.media.tiny_whisper import write_tiny_whisper

    folder = write_tiny_whisper(tmp_path / "model")
    assert transcript(speech, None, str(folder)) == Transcript("ha ha ha", "recognised", ())


def test_a_folder_without_a_model_raises(speech, tmp_path):
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "config.json").write_text("{}")
    with pytest.raises(InputError, match=r"without model\.bin, tokenizer\.json"):
        transcript(speech, None, str(tmp_path / "half"))
    with pytest.raises(InputError, match="no faster-whisper model lies there"):
        transcript(speech, None, "./no/such/folder")


def test_weights_that_are_no_model_raise(speech, tmp_path):
    folder = tmp_path / "broken"
    folder.mkdir()
    for name in ("model.bin", "config.json", "tokenizer.json"):
        (folder / name).write_text("{}")
    with pytest.raises(InputError, match="the recogniser cannot be loaded"):
        transcript(speech, None, str(folder))


@pytest.mark.parametrize("error", [OSError, ValueError, RuntimeError])
def test_a_model_that_cannot_be_fetched_raises(speech, monkeypatch, error):
    def unreachable(*_: object, **__: object) -> None:
        raise error("no route to the hub\nand a long story")

    monkeypatch.setattr(faster_whisper, "WhisperModel", unreachable)
    with pytest.raises(InputError, match=r"cannot be loaded \(no route to the hub\)\. Check"):
        transcript(speech, None, "tiny")


def test_a_missing_library_is_named(speech, monkeypatch):
    monkeypatch.setitem(sys.modules, "faster_whisper", None)
    monkeypatch.setitem(sys.modules, "faster_whisper.vad", None)
    with pytest.raises(MissingExtra, match=r"needs the \[video\] extra"):
        transcript(speech, None, None)
