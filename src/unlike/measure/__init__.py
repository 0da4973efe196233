"""How good tests are: small changes of the code, which suites notice them, and what is known of the others."""
