"""The power study: how many small changes of real code the first n inputs notice, beside other generators."""
