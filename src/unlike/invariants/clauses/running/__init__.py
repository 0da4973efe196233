"""Statements and expressions, run on all structures at once."""
