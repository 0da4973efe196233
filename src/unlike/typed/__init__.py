"""Types are specs: a type becomes a suite of inputs, or of data that break its rules."""
