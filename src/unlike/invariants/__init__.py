"""From an executable invariant to every structure it accepts."""
