"""What docs/scale.md counts and simulates, against loops and closed forms."""

from __future__ import annotations

from pathlib import Path

import pytest

from restride.blocks import Restriction


@pytest.fixture
def scale(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2]))
    from benchmarks import scale

    return scale


@pytest.mark.parametrize("tiles", [1, 3])
def test_bytes_read_are_those_of_all_boxes(scale, tiles):
    job = scale.Job(2, tiles)
    told = scale.counted(job)
    blocks = list(map(Restriction(job.chain), job.grid))
    assert told["boxes"] == len(blocks) == 4
    assert told["bytes_read"] == 4 * sum(block.elements_read for block in blocks)


@pytest.mark.parametrize("chunk", [100, 1024, 4096])
def test_chunks_touched_are_those_of_every_position(scale, chunk):
    job = scale.Job(3, 2)
    total = 0
    for k in range(3):
        low, high = k * 2048 - scale.RIM, (k + 1) * 2048 + scale.RIM
        inside = range(max(0, low), min(job.cells, high))  # the mirror stays inside
        total += len({position // chunk for position in inside})
    assert scale.chunks_touched(job, chunk) == total


def test_a_run_is_bound_by_its_workers_or_by_its_scheduler(scale):
    usual = 1e9 / scale.BYTES_PER_SECOND + 2 * scale.LATENCY_S
    few = scale.simulated(20_000, 1e9, 100, 10)
    assert few["hours"] * 3600 == pytest.approx(20_000 * usual / 10, rel=0.02)
    assert few["workers_busy"] > 0.98
    many = scale.simulated(20_000, 1e9, 5000, 10_000)
    assert many["hours"] * 3600 == pytest.approx(20_000 * 5000e-6, rel=0.03)
    assert many["scheduler_busy"] > 0.97
