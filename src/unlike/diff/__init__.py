"""Two versions of code compared: what a change does, by the shortest calls that show it, or that it does nothing."""
