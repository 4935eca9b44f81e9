"""Endings with something to see in them."""
