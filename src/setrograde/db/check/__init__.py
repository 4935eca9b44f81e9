"""Checks of a level of endings, and what follows from them."""
