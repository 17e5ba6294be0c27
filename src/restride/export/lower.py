"""One index map as nodes: take, bend, order, repeat, pad.

There is more than one way to write most maps; a :class:`Style` is one, and the caller
keeps the cheapest.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from restride.export.axes import Core, Take, core_of, runs_of, takes_of
from restride.export.bends import TILE, Bend, bends
from restride.export.draft import Draft
from restride.export.nodes import NODE_BYTES, Held, Node, Table
from restride.layout.axis import AxisMap
from restride.layout.index_map import IndexMap

__all__ = ["STYLES", "Style", "lowered"]

Shape = tuple[int, ...]
Range = tuple[int, int, int]
Label = tuple[int, ...]


class Style(NamedTuple):
    """Which of two operators does what either can."""

    bends: bool
    """Bent axes by Pad and Tile, instead of Gather."""
    drops: bool
    """Single positions by Slice and Squeeze, instead of Gather."""
    repeats: bool
    """Repeats by Expand, instead of Gather."""
    has_wrap: bool = True
    """Pad knows the mode wrap, as from opset 19 on."""
    has_steps: bool = True
    """Slice takes steps, as from opset 10 on."""


STYLES = tuple(Style(*flags) for flags in product((True, False), repeat=3))


def lowered(m: IndexMap, shape: Shape, style: Style) -> list[Node]:
    """The nodes that read `m`, which has elements, from a value of `shape`."""
    cores = [core_of(axis.map) for axis in m.axes]
    if m.background is not None:
        ones = (1,) * len(m.axes)
        draft = Draft(ones, Held(ones, (m.fills[m.background],)))
        labels: list[Label] = [()] * len(m.axes)
    else:
        draft = Draft(shape)
        draft.reshape(m.source_shape)
        labels = _take(draft, takes_of(m, cores), style)
    kept = [_extent(core) for core in cores]
    stills = [r for r in range(len(cores)) if not any(r in label for label in labels)]
    target = _target(draft.shape, labels, kept)
    repeated = [r for r in stills if kept[r] > 1]
    lead = _leading(stills) if repeated and style.repeats else 0
    _arrange(draft, labels, target, stills, lead)
    _repeat(draft, repeated, kept, style)
    _fill(draft, m, cores)
    if draft.start is not None and not draft.nodes:
        draft.add("Constant", (), draft.shape, value=draft.start)
    return draft.nodes


def _target(shape: Shape, labels: list[Label], kept: list[int]) -> list[int]:
    """Extents of the result's axes before any is repeated or padded."""
    target = [1] * len(kept)
    for label, n in zip(labels, shape, strict=True):
        for r in label:
            target[r] = kept[r] if len(label) > 1 else n
    return target


def _extent(core: Core) -> int:
    """Of a core that repeats; 1 where positions are chosen at the end."""
    return 1 if core.map is None else core.map.extent


# ------------------------------------------------------------------------------ take


def _take(draft: Draft, takes: list[Take], style: Style) -> list[Label]:
    """Slice, bend and gather the source's axes; what axes there are now."""
    chosen = _bent(takes, style)
    draft.slice(
        [
            _range(take, chosen.get(s), n, style)
            for s, (take, n) in enumerate(zip(takes, draft.shape, strict=True))
        ]
    )
    _pad_bent(draft, chosen)
    labels: list[Label] = [take.labels for take in takes]
    for s in reversed(range(len(takes))):
        labels[s : s + 1] = _gather(draft, s, takes[s], s in chosen, style)
    return labels


def _bent(takes: list[Take], style: Style) -> dict[int, Bend]:
    """The bends of source axes, each by the mode that serves most of them."""
    ways = {
        s: {
            mode: bend
            for mode, bend in bends(take.map, style.has_wrap).items()
            if style.has_steps or bend.range[1] == 1
        }
        for s, take in enumerate(takes)
        if take.map is not None and not take.map.is_affine and style.bends
    }
    chosen: dict[int, Bend] = {}
    while True:
        modes = [mode for way in ways.values() for mode in way]
        if not modes:
            return chosen
        best = max(dict.fromkeys(modes), key=modes.count)
        for s in [s for s, way in ways.items() if best in way]:
            chosen[s] = ways.pop(s)[best]


def _range(take: Take, bend: Bend | None, n: int, style: Style) -> Range:
    """What Slice takes of a source axis; all of it where Gather chooses later."""
    if bend is not None:
        return bend.range
    if take.map is None or _dropped(take, n, style) or not _is_range(take.map, style):
        return 0, 1, n
    first = take.map.pieces[0]
    return first.begin, first.step or 1, first.count


def _is_range(axis: AxisMap, style: Style) -> bool:
    """True for positions that Slice takes."""
    return axis.is_affine and (style.has_steps or axis.step in (0, 1))


def _dropped(take: Take, n: int, style: Style) -> bool:
    """True where Gather takes one position of an axis and drops it."""
    return not take.labels and n > 1 and not style.drops


def _pad_bent(draft: Draft, chosen: dict[int, Bend]) -> None:
    for mode in dict.fromkeys(bend.mode for bend in chosen.values()):
        here = {s: bend for s, bend in chosen.items() if bend.mode == mode}
        rank = range(len(draft.shape))
        if mode == TILE:
            times = [here[s].before if s in here else 1 for s in rank]
            shape = [n * k for n, k in zip(draft.shape, times, strict=True)]
            draft.read("Tile", shape, Table.of(times))
        else:
            draft.pad(
                [
                    (here[s].before, here[s].after) if s in here else (0, 0)
                    for s in rank
                ],
                mode,
            )


def _gather(
    draft: Draft, s: int, take: Take, is_bent: bool, style: Style
) -> list[Label]:
    """Positions that are no range, by a table; the labels of what stands there."""
    if take.map is None:
        draft.gather(s, take.table, take.extents)
        return [(r,) for r in take.labels]
    if _dropped(take, draft.shape[s], style):
        draft.gather(s, Table((), ((take.map.pieces[0].begin, 0, 1),)), ())
        return []
    if not is_bent and not _is_range(take.map, style):
        _choose(draft, s, take.map, style)
    return [take.labels]


def _choose(draft: Draft, s: int, axis: AxisMap, style: Style) -> None:
    """The positions of a bent axis: by a table, or piece by piece where it is long."""
    table = runs_of(axis, {})
    pieces = axis.pieces
    straight = style.has_steps and all(p.step or p.count == 1 for p in pieces)
    if straight and table.size_bytes > NODE_BYTES * len(pieces):
        draft.join(s, [(p.begin, p.step or 1, p.count) for p in pieces])
    else:
        draft.gather(s, table, (axis.extent,))


# --------------------------------------------------------------------------- arrange


def _leading(stills: Sequence[int]) -> int:
    """How many axes in front Expand adds by itself."""
    return next((k for k, r in enumerate(stills) if r != k), len(stills))


def _arrange(
    draft: Draft,
    labels: list[Label],
    target: list[int],
    stills: list[int],
    lead: int,
) -> None:
    """Split, drop, add and order axes, so that axis r is result axis r."""
    found = [r for label in labels for r in label]
    if found == sorted(found):
        shapes = [tuple(target[j:]) for j in range(lead + 1)]
        if draft.shape not in shapes:
            draft.reshape(shapes[0])
        return
    spare = labels.count(())
    splits = any(len(label) > 1 for label in labels)
    absent = min(max(len(stills) - spare, 0), lead)
    wanted = len(stills) - absent
    if splits or spare != wanted:
        labels = _with_spares(draft, labels, target, wanted, splits)
    draft.transpose(_order(labels, range(absent, len(target)), stills))


def _with_spares(
    draft: Draft, labels: list[Label], target: list[int], wanted: int, splits: bool
) -> list[Label]:
    """Split axes, and have as many spare ones as the result needs."""
    axes: list[tuple[Label, int]] = []
    spare = 0
    for label, n in zip(labels, draft.shape, strict=True):
        if label:
            axes += (
                [((r,), target[r]) for r in label] if len(label) > 1 else [(label, n)]
            )
        elif spare < wanted:
            axes.append((label, n))
            spare += 1
    axes = [((), 1)] * (wanted - spare) + axes
    draft.reshape(tuple(n for _, n in axes))
    return [label for label, _ in axes]


def _order(labels: list[Label], wanted: range, stills: list[int]) -> list[int]:
    spare = [axis for axis, label in enumerate(labels) if not label]
    place = {label[0]: axis for axis, label in enumerate(labels) if label}
    return [spare.pop(0) if r in stills else place[r] for r in wanted]


# -------------------------------------------------------------------- repeat and fill


def _repeat(draft: Draft, repeated: list[int], kept: list[int], style: Style) -> None:
    if not repeated:
        return
    if style.repeats:
        counts = [n if r in repeated else 1 for r, n in enumerate(kept)]
        rank = len(draft.shape)
        lead = len(kept) - rank
        ends = zip(counts[lead:], draft.shape, strict=True)
        shape = [*counts[:lead], *(max(c, n) for c, n in ends)]
        draft.read("Expand", shape, Table.of(counts))
        return
    for r in repeated:
        draft.gather(r, Table((kept[r],), ((0, 0, kept[r]),)), (kept[r],))


def _fill(draft: Draft, m: IndexMap, cores: list[Core]) -> None:
    """Pad by each constant, weakest first; then choose where they stand between."""
    slots: list[dict[int, int]] = [{} for _ in cores]
    for fill, constant in enumerate(m.fills):
        if not any(fill in axis.map.fills for axis in m.axes):
            continue
        pairs = []
        for r, core in enumerate(cores):
            before, after = (dict(side).get(fill, 0) for side in core.sides)
            if core.map is None and fill in m.axes[r].map.fills:
                slots[r][fill] = draft.shape[r]
                after = 1
            pairs.append((before, after))
        draft.pad(pairs, "constant", constant)
    for r, core in enumerate(cores):
        if core.map is None:
            draft.gather(r, runs_of(m.axes[r].map, slots[r]), (m.axes[r].map.extent,))
