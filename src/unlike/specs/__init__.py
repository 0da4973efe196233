"""A spec taken apart, counted, listed or asked of a solver: from what the user says to a suite."""
