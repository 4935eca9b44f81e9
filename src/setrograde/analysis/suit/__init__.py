"""The play of one suit."""
