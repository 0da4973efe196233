"""Code under test that does one bad thing: what is seen of it, and what is left behind."""
