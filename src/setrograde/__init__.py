"""Setrograde: solving games by sets of positions instead of positions."""

__version__ = "0.1.0"
