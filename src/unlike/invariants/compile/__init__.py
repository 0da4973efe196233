"""From an invariant and a scope to clauses whose models are the valid structures, each once."""
