"""What will be moved, fixed by shape and dtype: data only."""

from restride.plans.move import Band, Move
from restride.plans.plan import Plan

__all__ = ["Band", "Move", "Plan"]
