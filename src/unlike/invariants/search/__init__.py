"""Structures from an invariant that is run on open objects: it decides what it looks at, and all ways are gone."""
