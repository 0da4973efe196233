"""The only talk with solvers: one model after the other, other encodings, and whom to ask next."""
