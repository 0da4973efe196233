"""Values left open: what is known about them, stand-ins that ask only when looked at, and all paths of a function.

A `Zone` is a set of integer points: bounds on values and differences, and disequalities. `Points` counts them and
reaches each by its index. A `Token` stands for the value of a slot. `PathTrie` runs a function that looks at tokens
along every path, once each.
"""
