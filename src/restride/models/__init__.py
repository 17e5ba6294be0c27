"""Checks of models: will their data movement run on a product."""
