"""Calls as code: one file per language, one table of operators in each."""

from __future__ import annotations

from restride.translate.texts.code import plain, text_of

__all__ = ["plain", "text_of"]
