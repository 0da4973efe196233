"""Calls, run on all structures at once."""
