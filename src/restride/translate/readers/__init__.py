"""Dialect words to steps: one file per dialect, one table of operators in each."""
