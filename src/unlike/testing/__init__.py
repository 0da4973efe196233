"""From a test with blanks to saved inputs: what a decorator says, the file beside the test, prepare and replay."""
