"""Model files of any kind: told by their content, and read safely."""
