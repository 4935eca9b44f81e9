"""Exact and sampled answers about boards: par, odds, suits."""
