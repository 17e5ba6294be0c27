"""What a chain of steps does, in words: formula, pieces, cuts and a small grid."""

from restride.explain.scene import scene
from restride.explain.text import explain

__all__ = ["explain", "scene"]
