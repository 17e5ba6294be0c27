"""What each product takes: products, dtypes and support tables, as data with sources.

>>> support("SetValueOperation", "bf16", "Atlas inference products").ok
False
"""

from restride.targets.dtypes import DType, dtype_named, dtypes, format_named
from restride.targets.names import UnknownNameError
from restride.targets.operators import Operator, operator_named, operators
from restride.targets.products import Product, product, products
from restride.targets.support import Support, support

__all__ = [
    "DType",
    "Operator",
    "Product",
    "Support",
    "UnknownNameError",
    "dtype_named",
    "dtypes",
    "format_named",
    "operator_named",
    "operators",
    "product",
    "products",
    "support",
]
