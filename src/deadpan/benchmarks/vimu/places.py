"""Where a video and its frames lie in a data folder; nothing outside it is ever pointed at."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath, PureWindowsPath

from deadpan.base.errors import InputError
from deadpan.base.files import contained
from deadpan.media.media_files import is_media

SUFFIXES = (".mp4", ".webm", ".mkv", ".mov")
_LONGEST_NAME = 200
"""Bytes, so that endings and temporary names fit behind."""
_FIX = "Give a path inside the data folder, such as frames/vimu_000001/0001.jpg."


def video_path(folder: Path, video_id: str, where: str) -> Path:
    """The video's file; the place of the .mp4 where there is none. A path as an id raises."""
    if not video_id or video_id != _plain_name(video_id) or not _is_short(video_id):
        what = f"got {video_id[:60]!r}; expected a plain name"
        raise InputError(f"{where} video_id", what, "Give an id such as vimu_000001.")
    paths = [folder / "videos" / f"{video_id}{suffix}" for suffix in SUFFIXES]
    path = next((path for path in paths if is_media(path)), paths[0])
    # A linked videos/ folder is the user's own doing; a link inside it came with the data.
    if not (contained(path, folder) or contained(path, folder / "videos")):
        what = f"{path.name} leads out of the data folder"
        raise InputError(f"{where} video_id", what, "Put the video itself there.")
    return path


def frame_path(folder: Path, given: str, where: str) -> Path:
    """A frame's file; a path that is absolute or leads out of the folder raises."""
    if not given.strip():
        raise InputError(f"{where} frames", "got an empty path", _FIX)
    if PurePosixPath(given).is_absolute() or PureWindowsPath(given).drive or given[0] == "\\":
        raise InputError(f"{where} frames", f"got the absolute path {given[:60]!r}", _FIX)
    path = folder / PurePosixPath(given.replace("\\", "/"))
    if not contained(path, folder):
        raise InputError(f"{where} frames", f"{given[:60]!r} leads out of the data folder", _FIX)
    return path


def _is_short(video_id: str) -> bool:
    return len(os.fsencode(video_id)) <= _LONGEST_NAME


def _plain_name(video_id: str) -> str:
    return PureWindowsPath(video_id).name.strip(". \t\r\n\0") if video_id.isprintable() else ""
