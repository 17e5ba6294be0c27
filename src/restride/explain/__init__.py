"""What a chain of steps does, in words and pictures.

A scene says what there is to show, as plain data; text, colours and pictures say how
it looks.
"""

from restride.explain.masks import mask_lines, mask_scene
from restride.explain.scene import scene
from restride.explain.subject import Reading, Writing, explain

__all__ = ["Reading", "Writing", "explain", "mask_lines", "mask_scene", "scene"]
