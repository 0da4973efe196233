"""From the source of a module to its mutants: one small change each, all of them in one module behind a switch."""
