"""Vendors' tables of test cases, run without their hardware or framework.

>>> from restride.conform import Report
>>> Report(()).summary()
'0 passed, 0 failed, 0 skipped'
"""

from restride.conform.errors import CaseError, NotRunError, TableError
from restride.conform.report import Report, Result
from restride.conform.running import run

__all__ = ["CaseError", "NotRunError", "Report", "Result", "TableError", "run"]
