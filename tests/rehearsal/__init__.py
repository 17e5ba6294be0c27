"""Operators that nobody planned for, written on the public algebra alone."""
