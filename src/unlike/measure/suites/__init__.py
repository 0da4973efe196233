"""From a word like `explore:3` to tries of the code that is measured."""
