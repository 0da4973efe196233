"""What keywords leave open: the ways in which a schema can hold, and those in which it does not."""
