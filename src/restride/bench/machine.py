"""Where and when a run was made: figures mean nothing without it."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

__all__ = ["available_bytes", "machine", "now", "versions"]


def machine() -> dict[str, Any]:
    """The processor, its caches, memory and system."""
    return {
        "processor": _processor(),
        "processors_allowed": len(os.sched_getaffinity(0)),
        "caches": _caches(),
        "memory_bytes": _meminfo("MemTotal"),
        "huge_pages": _text("/sys/kernel/mm/transparent_hugepage/enabled"),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
    }


def versions(packages: tuple[str, ...]) -> dict[str, str]:
    """Of Python and of each package that is installed.

    Examples
    --------
    >>> sorted(versions(("numpy", "no such package")))
    ['numpy', 'python']
    """
    found = {"python": platform.python_version()}
    for name in packages:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def now() -> str:
    """The date and minute, in UTC."""
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")


def available_bytes() -> int:
    """Memory that can be had without swapping; 1 GiB where nobody says."""
    return _meminfo("MemAvailable") or 1 << 30


def _processor() -> str:
    for line in _text("/proc/cpuinfo").splitlines():
        if line.startswith(("model name", "CPU part")):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _caches() -> dict[str, str]:
    """Size of each data cache as one processor sees it, by level."""
    found = {}
    for folder in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        if _text(folder / "type") != "Instruction":
            found[f"L{_text(folder / 'level')}"] = _text(folder / "size")
    return found


def _meminfo(name: str) -> int:
    for line in _text("/proc/meminfo").splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) << 10
    return 0


def _text(path: str | Path) -> str:
    try:
        return Path(path).read_text().strip()
    except OSError:
        return ""
