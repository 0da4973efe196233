"""From a suite to something to read, run or keep: Python source, test files, JSON, pages."""
