"""The directive ``live``: a picture of a view that answers pointer and keyboard.

Its body is one Python expression that gives a view, with ``np`` and ``rs`` at hand.
All pictures of a page share one style and one script.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import restride as rs
from restride.explain.html import assets, fragment
from restride.explain.telling import told


class Live(SphinxDirective):
    """``{live}`` with an expression as its body."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        view = eval("\n".join(self.content), {"np": np, "rs": rs})
        piece = fragment(told(view.steps), view.chain)
        held = [nodes.raw("", f'<div class="live">{piece}</div>', format="html")]
        if not self.env.current_document.get("restride_live"):
            self.env.current_document["restride_live"] = True
            held.insert(0, nodes.raw("", assets(), format="html"))
        return list(held)


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_directive("live", Live)
    return {"parallel_read_safe": True}
