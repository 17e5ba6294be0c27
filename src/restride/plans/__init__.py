"""What will be moved, fixed by shape and dtype: data only."""

from restride.plans.plan import Move, Plan

__all__ = ["Move", "Plan"]
