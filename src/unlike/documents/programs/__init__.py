"""Text programs in the s-expression grammar of the Iorek paper: read into specs, written from specs, laid out."""
