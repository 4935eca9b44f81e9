"""The papers' algorithms, plain and general, for any game."""
