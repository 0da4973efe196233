"""Sets, whose order must not show: which of their members can be told apart."""
