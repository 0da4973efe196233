"""From a spec to cases: split it into independent parts, count what can be counted, ask a solver for the rest."""
