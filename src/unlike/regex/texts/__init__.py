"""Texts put together: for a tree, for a label, and as many as asked for."""
