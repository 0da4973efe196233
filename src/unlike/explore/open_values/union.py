"""All points of several zones, each once: counted, reached by index, streamed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from unlike.symbolic import Zone, points


class Union:
    """The points of zones with the same slots."""

    def __init__(self, zones: Sequence[Zone]) -> None:
        self._points = sorted({point for zone in zones for point in points(zone.bounds, zone.unequal)})

    def count(self) -> int:
        """Return how many points there are."""
        return len(self._points)

    def at(self, index: int) -> tuple[int, ...]:
        """Return the point at the index."""
        return self._points[index]

    def stream(self) -> Iterator[tuple[int, ...]]:
        """Yield all points in order."""
        return iter(self._points)
