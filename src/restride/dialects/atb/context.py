"""Where an operation runs: a product, a stream, and the workspace its kernel asks."""

from __future__ import annotations

from typing import Any

from restride.checks import as_index
from restride.dialects.atb.errors import AtbError, ErrorType, answering
from restride.targets import Product
from restride.targets import product as product_named

__all__ = ["Context"]

HOST = "host"
"""The stream of a fresh context; any object but None does."""


class Context:
    """What Setup and Execute run in.

    Parameters
    ----------
    product : str or Product, optional
        By any name that `restride.targets` knows, for example "Ascend310P3"; what it
        refuses is refused.  None asks no product.
    stream : object, optional
        The execute stream; None stands for a null one, which Execute refuses.
    kernel_workspace : int
        Bytes that the kernel asks for.  Ours need none; a product's kernels may.

    Raises
    ------
    AtbError
        The product is not known, or the workspace no size; at stage "create".

    Examples
    --------
    >>> Context("Atlas A2 training products").product.key
    'A2'
    """

    def __init__(
        self,
        product: str | Product | None = None,
        *,
        stream: Any = HOST,
        kernel_workspace: int = 0,
    ) -> None:
        with answering("create", ErrorType.ERROR_INVALID_PARAM, "product"):
            self._product = None if product is None else product_named(product)
        with answering("create", ErrorType.ERROR_INVALID_PARAM, "workspace"):
            self._kernel_workspace = as_index(kernel_workspace, "kernel_workspace")
        if self._kernel_workspace < 0:
            raise AtbError(
                ErrorType.ERROR_INVALID_PARAM,
                "create",
                "workspace",
                f"kernel_workspace = {self._kernel_workspace}; 0 is the least.",
            )
        self.stream = stream

    @property
    def product(self) -> Product | None:
        """Whose refusals are asked."""
        return self._product

    @property
    def kernel_workspace(self) -> int:
        """Bytes that the kernel asks for."""
        return self._kernel_workspace

    def set_execute_stream(self, stream: Any) -> None:
        """Name the stream that Execute uses."""
        self.stream = stream

    def __repr__(self) -> str:
        return f"Context(product={None if self.product is None else str(self.product)})"
