"""Suites that show what there is to choose in a shape."""
