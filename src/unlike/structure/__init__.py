"""Shapes of data: what there is to choose, suites that show the choices, and inputs that break one rule."""
