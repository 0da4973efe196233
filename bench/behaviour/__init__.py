"""Inputs chosen by what the code does with them: the mutants they kill, and the faults of releases that they show."""
