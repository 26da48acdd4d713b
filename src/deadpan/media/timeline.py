"""Which frames of a video are on screen at given times, found without decoding any."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.packet import Packet
    from av.video.stream import VideoStream

# Reading on over this many seconds costs less than a seek that lands behind the reader.
_NEAR = 10


class NoTimes(Exception):
    """The container does not say when its frames are shown."""


@dataclass(frozen=True)
class Wanted:
    """A frame by its time stamp, and that of the key frame from which it can be decoded."""

    pts: int
    key: int


class Reader:
    """The packets of a video in file order, from wherever the reader was last sent."""

    def __init__(self, container: InputContainer, stream: VideoStream) -> None:
        if not stream.time_base:
            raise NoTimes
        self.stream, self._container, self._unit = stream, container, stream.time_base
        self._packets = self._demuxed()
        self.start = stream.start_time or 0
        self.near = int(_NEAR / self._unit)
        self.position = self.start
        """The decoding time of the packet read last: no later packet is shown before it."""

    def ticks(self, seconds: float) -> int:
        """Seconds from the stream's start as a time stamp."""
        return self.start + int(seconds / self._unit)

    def seconds(self, pts: int) -> float:
        """A time stamp as seconds from the stream's start."""
        return float((pts - self.start) * self._unit)

    def packets(self) -> Iterator[Packet[VideoStream]]:
        """The packets that follow; a file that breaks off ends there."""
        for packet in self._packets:
            if packet.size:
                self.position = self.position if packet.dts is None else packet.dts
                yield packet

    def _demuxed(self) -> Iterator[Packet[VideoStream]]:
        import av

        packets = self._container.demux(self.stream)
        while True:
            try:
                yield next(packets)
            except (StopIteration, av.FFmpegError):
                return

    def seek(self, pts: int | None) -> None:
        """Goes to a key frame at or before a time stamp; to the start where that fails. A file in
        which nothing can be sought is taken like one without times."""
        import av

        # A place before the start, as some containers look for the next frame, not the last.
        before = self.start - self.near
        for place in (before if pts is None else pts, before, self.start, 0):
            with suppress(av.FFmpegError, OverflowError):
                self._container.seek(place, stream=self.stream)
                self._packets, self.position = self._demuxed(), self.start
                return
        raise NoTimes

    def places_before(self, pts: int) -> tuple[int | None, ...]:
        """Where to seek in turn to come before a time stamp: ever further back."""
        return pts, pts - self.near, pts - 16 * self.near, None

    def from_key(self, key: int) -> Iterator[Packet[VideoStream]]:
        """The packets from a key frame on; none where it cannot be found again."""
        for _ in self._approaches(key):
            for packet in self.packets():
                if packet.is_keyframe and packet.pts == key:
                    yield packet
                    yield from self.packets()
                    return
                if self.position > key:
                    break

    def _approaches(self, key: int) -> Iterator[None]:
        """Each way to come before a key frame in turn: reading on, then seeks ever further back."""
        if 0 <= key - self.position <= self.near:
            yield
        for place in self.places_before(key):
            self.seek(place)
            yield

    def from_earlier_key(self, key: int) -> Iterator[Packet[VideoStream]]:
        """The packets from a key frame well before a key frame on."""
        self.seek(key - self.near)
        for packet in self.packets():
            if packet.is_keyframe:
                yield packet
                yield from self.packets()


def display_time(packet: Packet[VideoStream]) -> int:
    """When the packet's frame is shown; raises where the container does not say."""
    if packet.pts is None:
        raise NoTimes
    return packet.pts


def measure_seconds(reader: Reader, container: InputContainer) -> float:
    """How long the pictures last: as their stream says, else as its last packets show."""
    if reader.stream.duration is not None and reader.stream.duration > 0:
        return reader.seconds(reader.start + reader.stream.duration)
    if container.duration is not None and container.duration > 0:
        reader.seek(reader.ticks(container.duration / 1_000_000))
    # Where nothing lies at the end of the container's duration, everything is read.
    for _ in range(2):
        ends = ((display_time(packet), packet.duration or 0) for packet in reader.packets())
        last = max(ends, default=None)
        reader.seek(None)
        if last is not None:
            return reader.seconds(sum(last))
    raise NoTimes


def wanted_frames(reader: Reader, times: Sequence[int]) -> list[Wanted]:
    """The frames on screen at the ascending times, each once; none for a time before the first."""
    walk = _Walk(reader)
    found = [walk.on_screen(time) for time in times]
    return list(dict.fromkeys(wanted for wanted in found if wanted is not None))


class _Walk:
    """One way through a video from time to time, always forwards."""

    def __init__(self, reader: Reader) -> None:
        self._reader, self._jumps, self._ended = reader, True, False
        self._best: int | None = None
        self._key: int | None = None
        self._ahead: list[Packet[VideoStream]] = []

    def on_screen(self, time: int) -> Wanted | None:
        """The last frame shown at or before the time; packets are read until it is certain."""
        if self._jumps and time - self._reader.position > self._reader.near:
            self._jump(time)
        ahead, self._ahead = self._ahead, []
        for packet in ahead:
            self._note(packet, time)
        while not self._ended and self._reader.position <= time:
            following = next(self._reader.packets(), None)
            if following is None:
                self._ended = True
            else:
                self._note(following, time)
        if self._best is None or self._key is None:
            return None
        return Wanted(self._best, self._key)

    def _note(self, packet: Packet[VideoStream], time: int) -> None:
        pts = display_time(packet)
        if pts > time:
            self._ahead.append(packet)
            return
        if packet.is_keyframe:
            self._key = pts
        if not packet.is_discard and (self._best is None or pts > self._best):
            self._best = pts

    def _jump(self, time: int) -> None:
        """Goes to the key frame before the time; a jump that wins nothing is the last one."""
        before = self._reader.position
        self._best, self._key, self._ahead, self._ended = None, None, [], False
        for place in self._reader.places_before(time):
            self._reader.seek(place)
            first = next((p for p in self._reader.packets() if p.is_keyframe), None)
            if first is not None and display_time(first) <= time:
                self._jumps = self._reader.position > before
                self._note(first, time)
                return
        self._reader.seek(None)
        self._jumps = False
