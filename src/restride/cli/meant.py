"""What people call an operator elsewhere, and what they mean by it here.

>>> meant("crop")
" For 'crop' use slice, or pad with widths below 0."
>>> meant("paste")
''
"""

from __future__ import annotations

__all__ = ["meant"]

HERE = {
    "slice, or pad with widths below 0": "crop trim",
    "slice": "index take select narrow subset isel step downsample",
    "slice '..., None'": "unsqueeze expand_dims expand-dims newaxis",
    "slice with an index in place of ':', or reshape": "squeeze",
    "transpose": "permute swapaxes moveaxis rollaxis movedim",
    "flip": "reverse mirror flipud fliplr",
    "pad --mode wrap, and slice": "tile repeat roll",
    "reshape": "view flatten ravel",
    "broadcast": "expand broadcast_to broadcast-to",
    "windows": "unfold sliding_window_view sliding-window-view im2col patches",
    "as-strided": "as_strided asstrided",
    "set-value": "set_value assign write update",
    "strided-slice": "strided_slice stridedslice",
}


def meant(word: str) -> str:
    """A sentence to put behind an error, or nothing."""
    for here, others in HERE.items():
        if word.lower() in others.split():
            return f" For '{word}' use {here}."
    return ""
