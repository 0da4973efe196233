"""From schemas to shapes: what holds together at one place is read together."""
