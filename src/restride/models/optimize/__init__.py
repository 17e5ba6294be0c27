"""Runs of movement nodes replaced by fewer, each proven equal."""
