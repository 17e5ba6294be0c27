"""``optimize``: chains of movement nodes replaced by fewer."""

from __future__ import annotations

from pathlib import Path

from restride.blocks.beside import check_target
from restride.checks import printable
from restride.cli.show import emit, emit_json, progress
from restride.explain.names import check_suffix
from restride.models import optimize_model

__all__ = ["run"]


def run(model: str, output: str | None, seed: int, as_json: bool) -> None:
    """Optimise the model, write it where asked, and print what was saved."""
    if output is not None:
        same = Path(model).suffix.lower()
        check_suffix("-o", output, tuple(dict.fromkeys((".onnx", same or ".onnx"))))
        check_target(Path(output))
    with progress(f"optimizing {model}"):
        told = optimize_model(model, output, seed=seed)
    if as_json:
        emit_json(told.to_dict() | {"output": output})
        return
    lines = told.text().splitlines()
    if output is not None:
        lines.append(f"Written to {output}.")
    emit("\n".join(map(printable, lines)))
