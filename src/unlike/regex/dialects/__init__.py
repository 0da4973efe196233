"""Patterns as other languages read them (ECMA-262, Rust), into the same tree, and that tree as a pattern of `re`."""
