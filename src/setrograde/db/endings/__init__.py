"""Endings of bridge: shapes, states, how many there are, and sets of them."""
