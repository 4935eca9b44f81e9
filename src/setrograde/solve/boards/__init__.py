"""Board games solved by sets of boards."""
