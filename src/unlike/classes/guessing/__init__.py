"""Values for parameters of which nothing is said: ranked by what hints there are, tried in a copy, and named."""
