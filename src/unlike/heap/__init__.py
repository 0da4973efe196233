"""Objects as plain data: canonical form, snapshot, rebuild, store.

`walkers.make_walker` gives the one object that explores an object graph.
"""
