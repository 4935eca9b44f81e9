"""Endings: their shapes, their states, and how many there are."""
