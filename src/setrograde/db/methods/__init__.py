"""Ways to find the values of all endings of a size."""
