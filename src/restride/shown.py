"""How a view is shown: in words and as pictures.

Kept apart from what a view is: nothing here is loaded until something is shown.
"""

from __future__ import annotations

import sys
from typing import Any

from restride.history import Step
from restride.layout.chain import Chain

__all__ = ["Shown"]


def copy_limit(nbytes: int) -> float:
    """Seconds of a plain copy; what measures it is loaded when it is asked."""
    from restride.limit import copy_seconds

    return copy_seconds(nbytes)


class Shown:
    """What a view is asked for by people: the base of `restride.View`."""

    __slots__ = ()

    chain: Chain
    steps: tuple[Step, ...] | None

    @property
    def dtype(self) -> Any:
        """Dtype of source and result."""
        raise NotImplementedError

    def explain(
        self, colour: bool = False, max_bytes: float | str | None = None
    ) -> str:
        """What will be read and written, in words and small grids, and what it costs.

        From a megabyte on the cost is also told as the time of a plain copy of as many
        bytes, measured on this machine once per process.

        Parameters
        ----------
        colour : bool
            True paints for the terminal that stands behind standard output, to its
            width: a cell of the result has the colour of its cell of the source.
        max_bytes : int, float or str, optional
            Also tells what a run in blocks costs, so many bytes of them in memory at a
            time; refused where not even blocks of one element fit.

        Examples
        --------
        >>> import restride as rs
        >>> print(rs.view([1, 2, 3])[::-1].explain())
        (3,) -> (3,)  one pass, no cut
        ...
        """
        from restride.explain.subject import explain
        from restride.explain.terminal.look import PLAIN, look_on

        look = look_on(sys.stdout, asked=True) if colour else PLAIN
        told = explain(self.chain, None, self.dtype, look, copy_limit)
        if max_bytes is None:
            return told
        from restride.blocks.forecast import forecast

        blocks = forecast(self.chain, self.dtype.itemsize, max_bytes)
        return "\n".join([told, *blocks.lines()])

    def picture(self, path: Any = None) -> str:
        """The view as a picture: source, result, and the walk between them.

        Parameters
        ----------
        path : str or path, optional
            A file to write, whole or not at all: .svg, or .png through Pillow.

        Returns
        -------
        str
            The SVG file's text, whatever was written.

        Raises
        ------
        UnsupportedError
            Another suffix, a file that cannot be written, or no Pillow for a .png.

        Examples
        --------
        >>> import restride as rs
        >>> rs.view([1, 2, 3])[::-1].picture().partition(" ")[0]
        '<svg'
        """
        from restride.explain.picture import compose
        from restride.explain.subject import Reading

        told = [step.text() for step in self.steps or ()]
        made = compose([Reading(self.chain, self.dtype)], told)
        if path is not None:
            made.save(path)
        return made.svg()

    def html(self, path: Any = None) -> str:
        """The view as a web page that needs no other file and no network.

        Its cells answer pointer and keyboard, each step can be looked at and changed,
        and its call copied in the words of any dialect.

        Parameters
        ----------
        path : str or path, optional
            A file to write, whole or not at all; it ends in .html, .htm or .xhtml.

        Returns
        -------
        str
            The page, whatever was written.

        Raises
        ------
        UnsupportedError
            The name ends otherwise, or the file cannot be written.

        Examples
        --------
        >>> import restride as rs
        >>> rs.view([1, 2, 3])[::-1].html().partition(">")[0]
        '<!doctype html'
        """
        from restride.explain.html import page
        from restride.explain.names import PAGE, check_suffix
        from restride.explain.saving import save
        from restride.explain.telling import told

        check_suffix("html", path, PAGE)
        made = page(told(self.steps, self.dtype), self.chain, self.dtype)
        if path is not None:
            save(made, path)
        return made

    def _repr_html_(self) -> str:
        """A small picture without a script, for a notebook."""
        from restride.explain.html import notebook

        return notebook(self.chain, self.dtype, repr(self))
