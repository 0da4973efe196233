"""Commands that run an invariant."""
