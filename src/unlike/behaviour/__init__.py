"""The n inputs of many that behave most differently: candidates are run, and chosen by what the code did with them."""
