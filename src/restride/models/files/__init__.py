"""Model files: told by content, read safely, written whole."""
