"""Restride beside torch, TensorFlow and JAX: ``make bench`` writes docs/benchmarks.md.

The cases, and how they are measured, live in `restride.bench`; here stand the other
libraries' calls (`peers`) and the page (`page`).
"""
