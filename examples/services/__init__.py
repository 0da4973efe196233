"""Small in-memory services to write tests for; all but one have a planted bug, named in the module's docstring."""
