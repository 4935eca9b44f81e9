"""Deals to measure with, made here from seeds: nothing to download, the same everywhere."""
