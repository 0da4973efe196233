"""`unlike measure`: how good suites are, by the mutants that they kill."""
