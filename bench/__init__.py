"""The speed and memory promises, as ratios to a named baseline."""
