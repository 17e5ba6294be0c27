"""What each dialect can say: its pad modes, their widths, its limits, and the source.

>>> ABILITIES["pytorch"].modes["edge"], ABILITIES["onnx"].most("reflect", 5)
('replicate', 4)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

__all__ = ["ABILITIES", "ALIASES", "SOURCES", "Ability"]

Crop = Literal["no", "first", "last"]
"""Negative pads: refused, cut before the rest grows, or cut from what has grown."""


@dataclass(frozen=True, slots=True)
class Ability:
    """The limits of one dialect's pads and slices."""

    modes: Mapping[str, str]
    """Its word for each of our pad modes that it has."""
    widths: Mapping[str, int] = field(default_factory=dict)
    """Widest pad of a mode, counted from the extent n: -1 is n-1.  Absent: any."""
    crop: Crop = "no"
    """What a negative pad does."""
    crop_modes: Mapping[str, Crop] = field(default_factory=dict)
    """The same for single modes."""
    many_fills: bool = False
    """True where each side has a constant of its own."""
    pad_rank: int = 64
    """Most axes of a padded array."""
    pad_rank_of: Mapping[str, int] = field(default_factory=dict)
    """The same for single modes."""
    slice_rank: int = 64
    """Most axes of a sliced array, and of its result."""
    entries: int = 129
    """Most entries of an index."""

    def most(self, mode: str, n: int) -> int | None:
        """Widest pad of `mode` on an axis of extent `n`; None: any."""
        past = self.widths.get(mode)
        return None if past is None else n + past

    def crop_of(self, mode: str) -> Crop:
        """What a negative pad of `mode` does."""
        return self.crop_modes.get(mode, self.crop)

    def rank_of(self, mode: str) -> int:
        """Most axes of an array padded in `mode`."""
        return self.pad_rank_of.get(mode, self.pad_rank)


MIRRORS = {"reflect": -1, "symmetric": 0}

ONNX_RUNTIME = Ability(
    {"constant": "constant", "edge": "edge", "reflect": "reflect", "wrap": "wrap"},
    widths={"reflect": -1},
    crop="first",
)

ABILITIES: Mapping[str, Ability] = {
    # restride's own operators: docs/semantics.md.
    "restride": Ability(
        {m: m for m in ("constant", "edge", "reflect", "symmetric", "wrap")},
        crop="last",
        many_fills=True,
    ),
    # numpy.pad of NumPy 2.4: any width; "index can't contain negative values".
    "numpy": Ability(
        {m: m for m in ("constant", "edge", "reflect", "symmetric", "wrap")},
        many_fills=True,
    ),
    # torch.nn.functional.pad of PyTorch 2.13: "Padding size should be less than the
    # corresponding input dimension" (reflect), "... more than once" (circular, n).
    "pytorch": Ability(
        {
            "constant": "constant",
            "edge": "replicate",
            "reflect": "reflect",
            "wrap": "circular",
        },
        widths={"reflect": -1, "wrap": 0},
        crop="first",
        # Reflect and replicate crop too, but refuse a result without elements.
        crop_modes={"reflect": "no", "edge": "no"},
    ),
    # tf.raw_ops of TensorFlow 2.21: Pad and PadV2 take up to 8 axes, MirrorPad 5;
    # "Paddings must be non-negative".  StridedSlice handles 8 axes, and its masks are
    # kept in an int32.
    "tensorflow": Ability(
        {"constant": "CONSTANT", "reflect": "REFLECT", "symmetric": "SYMMETRIC"},
        widths=MIRRORS,
        pad_rank=8,
        pad_rank_of={"reflect": 5, "symmetric": 5},
        slice_rank=8,
        entries=31,
    ),
    # What ONNX's text and ONNX Runtime 1.32 both take: Pad-25 reflects any width, the
    # runtime what is left after cropping, less 1.
    "onnx": ONNX_RUNTIME,
    "onnxruntime": ONNX_RUNTIME,
    # CANN PadV3, "参数说明" and "约束说明"; negative paddings as in pad_v3's golden.py;
    # circular in op_host/arch35/pad_v3_tiling_arch35.cpp only.  StridedSlice's masks
    # are 64 bits there; tensors have up to 8 axes.
    "cann": Ability(
        {
            "constant": "constant",
            "edge": "edge",
            "reflect": "REFLECT",
            "symmetric": "SYMMETRIC",
            "wrap": "circular",
        },
        widths={**MIRRORS, "wrap": 0},
        crop="last",
        pad_rank=8,
        slice_rank=8,
        entries=63,
    ),
    # aclnnConstantPadNd, aclnnReplicationPad1d to 3d, aclnnReflectionPad1d to 3d.
    "aclnn": Ability(
        {
            "constant": "aclnn_constant_pad_nd",
            "edge": "aclnn_replication_pad",
            "reflect": "aclnn_reflection_pad",
        },
        widths={"reflect": -1},
        crop="last",
        pad_rank=8,
        slice_rank=8,
        entries=63,
    ),
    # Ascend ATB holds AsStridedOperation and SetValueOperation; its PadOperation and
    # SliceOperation are other things.
    "atb": Ability({}, pad_rank=8, slice_rank=8),
}

ALIASES = {"torch": "pytorch", "tf": "tensorflow", "np": "numpy", "ort": "onnxruntime"}
"""Short names of dialects."""

SOURCES: Mapping[str, Ability] = {
    **ABILITIES,
    # ONNX's text: its own example mirrors twice its axis, and nothing crops first.
    "onnx": Ability(ONNX_RUNTIME.modes, crop="last"),
    # To a constant the order makes no odds, and the runtime takes any crop.
    "onnxruntime": replace(ONNX_RUNTIME, crop_modes={"constant": "last"}),
    # PyTorch narrows first where it is constant or circular; the kernels of the others
    # use the closed form.
    "pytorch": replace(
        ABILITIES["pytorch"], crop_modes={"reflect": "last", "edge": "last"}
    ),
}
"""How each dialect's own words are read, which is wider than what is safe to write."""
