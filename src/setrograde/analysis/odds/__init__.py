"""Exact odds of contracts over all layouts of the unseen cards."""
