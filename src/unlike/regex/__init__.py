"""A pattern as data: its tree, the automaton that decides it, and the strings that cover it."""
