"""Which field values existing objects show, and the few of them that show all."""
