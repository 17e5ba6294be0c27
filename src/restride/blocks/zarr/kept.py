"""What a Zarr array says about itself that stays true of a view of it."""

from __future__ import annotations

from typing import Any

from restride.blocks.zarr.layout import alike
from restride.layout.chain import Chain

__all__ = ["kept_words"]

OLD_NAMES = "_ARRAY_DIMENSIONS"
"""The attribute that xarray keeps dimension names in, in arrays of version 2, which
have none of their own (xarray, "Zarr Encoding Specification")."""


def kept_words(array: Any, chain: Chain) -> dict[str, Any]:
    """Attributes, fill value and dimension names of the result of `chain` over `array`.

    Words for ``zarr.create_array``.  A name is kept along an axis of the result that
    walks the axis of that name alone; where none is left there are no names.
    """
    attributes = dict(array.attrs)
    names = getattr(array.metadata, "dimension_names", None)
    if names is None and array.metadata.zarr_format == 2:
        names = attributes.pop(OLD_NAMES, None)
    words: dict[str, Any] = {"attributes": attributes}
    if array.fill_value is not None:  # version 2 need not have one
        words["fill_value"] = array.fill_value
    if names is not None and _are_names(names, len(chain.source_shape)):
        found = alike(chain, names)
        if any(name is not None for name in found):
            words["dimension_names"] = found
    return words


def _are_names(given: Any, rank: int) -> bool:
    """True for one name, or none, per axis: an attribute may hold anything."""
    is_list = isinstance(given, (list, tuple)) and len(given) == rank
    return is_list and all(name is None or isinstance(name, str) for name in given)
