"""Steps to dialect words: one file per dialect, two tables in each.

`OWN` says a step by the dialect's one operator for it, parameter by parameter, and is
absent where there is none; `WRITE` keeps the elements whatever it takes.
"""
