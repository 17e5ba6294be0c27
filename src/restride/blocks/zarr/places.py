"""Where in a file system a Zarr array is: its store, and its name inside the store."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

from restride.errors import UnsupportedError

__all__ = ["Place", "is_zarr", "place_of"]

SUFFIX = ".zarr"
MOST_METADATA_BYTES = 1 << 26


class Place(NamedTuple):
    """``store.zarr/inside/name``."""

    name: str
    """As the caller wrote it."""
    store: Path
    """The directory that ends in .zarr."""
    inside: str
    """The array's name in the store; empty where the store is the array."""

    @property
    def folder(self) -> Path:
        """The array's own directory."""
        return self.store / self.inside if self.inside else self.store

    @property
    def above(self) -> list[Path]:
        """The groups that hold the array, from the store inwards."""
        parts = Path(self.inside).parts
        return [self.store.joinpath(*parts[:k]) for k in range(len(parts))]


def is_zarr(path: str | os.PathLike[str]) -> bool:
    """True where a directory on the way, or the last one, ends in .zarr.

    Examples
    --------
    >>> is_zarr("a.zarr/x"), is_zarr("a.npy")
    (True, False)
    """
    return any(part.lower().endswith(SUFFIX) for part in Path(path).parts)


def place_of(path: str | os.PathLike[str]) -> Place:
    """The store and the name in it.

    Raises
    ------
    UnsupportedError
        An address on a network; no directory ends in .zarr; or the name leaves the
        store.

    Examples
    --------
    >>> place = place_of("data/a.zarr/x/y")
    >>> place.store.name, place.inside, len(place.above)
    ('a.zarr', 'x/y', 2)
    """
    if "://" in os.fspath(path):
        raise UnsupportedError(
            f"{os.fspath(path)} is an address, and paths are of this machine; as a "
            "source give the array that zarr.open_array opens there."
        )
    parts = Path(path).parts
    stores = [k for k, part in enumerate(parts) if part.lower().endswith(SUFFIX)]
    if not stores:
        raise UnsupportedError(
            f"{os.fspath(path)} has no directory that ends in .zarr; write the path of "
            "a Zarr array as store.zarr, or store.zarr/name for one in a group."
        )
    at = stores[0]
    inside = parts[at + 1 :]
    if ".." in inside:
        raise UnsupportedError(
            f"{os.fspath(path)} leaves its store again; write the path without '..'."
        )
    store = Path(os.path.realpath(Path(*parts[: at + 1])))
    return Place(os.fspath(path), store, "/".join(inside))


def node_of(folder: Path) -> dict[str, Any]:
    """What a directory says it is: "node_type", "zarr_format"; empty for nothing.

    Raises
    ------
    OSError
        It cannot be read.
    """
    for name, kind in (("zarr.json", ""), (".zarray", "array"), (".zgroup", "group")):
        path = folder / name
        if not path.is_file() or path.stat().st_size > MOST_METADATA_BYTES:
            continue
        try:
            found = json.loads(path.read_bytes())
        except ValueError:
            return {"node_type": "damaged"}
        if isinstance(found, dict):
            return {"node_type": kind, **found} if kind else found
    return {}
