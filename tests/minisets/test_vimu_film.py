"""The film-maker's tools: timeline, lettering, sound and voices."""

import io
import shutil
import subprocess
import wave

import numpy as np
import pytest
from PIL import Image

from deadpan.base.errors import InputError
from minisets.drawing.faces import MOODS
from minisets.drawing.pen import SUPERSAMPLE
from minisets.vimu import speech
from minisets.vimu.film import (
    Film,
    Line,
    Shot,
    beat,
    between,
    eased,
    talking,
)
from minisets.vimu.scripts import FILMS
from minisets.vimu.sound import RATE, Track, hertz, melody
from minisets.vimu.stage import Stage, View


def film_of(*shots: Shot) -> Film:
    return Film("vimu_000000", "en", shots, lambda track: None, FILMS[0].gold, size=(64, 36))


def middle(film: Film, t: float) -> tuple[int, ...]:
    pixel = film.frame(t).getpixel((32, 18))
    assert isinstance(pixel, tuple)
    return pixel


def blank(width: int = 200, height: int = 100) -> Stage:
    return Stage(width, height, Image.new("RGB", (width * SUPERSAMPLE, height * SUPERSAMPLE)))


def wav_of(seconds: float) -> bytes:
    tone = (12000 * np.sin(np.arange(round(22050 * seconds)) * 0.1)).astype("<i2")
    memory = io.BytesIO()
    with wave.open(memory, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(22050)
        file.writeframes(tone.tobytes())
    return memory.getvalue()


@pytest.fixture
def one_second_voice(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        return subprocess.CompletedProcess(command, 0, wav_of(1.0), b"")

    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(subprocess, "run", answer)


def test_a_cut_falls_on_its_frame() -> None:
    film = film_of(Shot(1.2, ground="#ff0000"), Shot(0.8, ground="#0000ff"))
    assert film.seconds == 2.0
    assert middle(film, 17 / 15) == (255, 0, 0)
    assert middle(film, 18 / 15) == (0, 0, 255)
    assert len(list(film.frames())) == 30


def test_a_fade_starts_and_ends_in_black() -> None:
    film = film_of(Shot(2.0, ground="#ffffff", fade_in=0.5, fade_out=0.5))
    assert middle(film, 0.0) == (0, 0, 0)
    assert middle(film, 1.0) == (255, 255, 255)
    assert 100 < middle(film, 1.75)[0] < 155


def test_the_camera_moves_the_scene_but_not_what_lies_on_top() -> None:
    def corner(stage: Stage) -> None:
        stage.pen.box(0, 0, 32, 18, "#00ff00", ink=None)

    def dot(stage: Stage, t: float) -> None:
        stage.pen.box(60, 32, 4, 4, "#ff0000", ink=None)

    film = film_of(Shot(1, backdrop=corner, camera=lambda t: View(16, 9, 2), overlay=dot))
    assert middle(film, 0.5) == (0, 255, 0)
    assert film.frame(0.5).getpixel((62, 34)) == (255, 0, 0)


@pytest.mark.parametrize("t", [-0.1, 2.0])
def test_a_time_outside_the_film_raises(t: float) -> None:
    with pytest.raises(ValueError, match=r"outside its 2\.0 s"):
        film_of(Shot(2.0)).frame(t)


def test_lettering_that_leaves_the_frame_raises() -> None:
    for x, y in ((10, 50), (190, 50), (100, 4), (100, 97)):
        with pytest.raises(ValueError, match="leaves the frame"):
            blank().sign("HELLO", x, y, 20)


def test_a_character_without_a_glyph_raises() -> None:
    with pytest.raises(ValueError, match="龘"):
        blank().plate("龘", 100, 50)


def test_moves_ease_from_start_to_end() -> None:
    assert [eased(t, 1, 3) for t in (0, 1, 2, 3, 4)] == [0, 0, 0.5, 1, 1]
    assert between(1.5, 1, 3, 10, 20) == pytest.approx(10 + 10 * 0.15625)
    assert [beat(t, 2) for t in (0.1, 0.6, 1.1)] == [True, False, True]


def test_a_mouth_moves_only_while_its_line_is_spoken() -> None:
    mouths = {talking("calm", t / 15, 1, 2).mouth for t in range(15, 30)}
    assert len(mouths) == 3
    assert talking("calm", 0.5, 1, 2) == MOODS["calm"] == talking("calm", 2.0, 1, 2)


def test_notes_have_their_pitch_and_length() -> None:
    assert hertz("A4") == 440
    assert hertz("C4") == pytest.approx(261.63, abs=0.01)
    assert hertz("F#3") == pytest.approx(185.0, abs=0.01)
    assert len(melody([("C4", 1), ("-", 2), ("E4+G4", 1)], 0.25)) == RATE


def test_a_track_holds_no_more_than_its_time_and_does_not_clip() -> None:
    track = Track(1.0)
    track.add(0.5, np.ones(RATE))
    track.add(0.5, np.ones(RATE))
    mixed = track.finished()
    assert len(mixed) == RATE and mixed[0] == 0
    assert mixed.max() == pytest.approx(0.95)
    assert abs(mixed[-1]) < 0.01


def test_a_line_is_spoken_within_its_window(one_second_voice: None) -> None:
    samples = speech.spoken(Line("Hello.", 1.0, 2.1))
    assert len(samples) / RATE == pytest.approx(1.0, abs=0.01)
    assert np.abs(samples).max() == pytest.approx(0.8)


def test_a_line_that_overruns_its_window_raises(one_second_voice: None) -> None:
    with pytest.raises(InputError, match=r"takes 1.00 s, its window is 0.80 s"):
        speech.spoken(Line("Hello.", 1.0, 1.8))


def test_a_missing_voice_program_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(InputError, match="espeak-ng: not found"):
        speech.spoken(Line("Hello.", 0, 2))
