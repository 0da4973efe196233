"""Where the calls of a search are made, so that no call takes the run down: in copies of this process, or in pieces."""
