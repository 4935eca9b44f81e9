"""Finesses and strategy trees."""
