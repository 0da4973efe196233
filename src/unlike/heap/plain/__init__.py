"""The usual case, in code made for each class: objects that have their fields, and values of one byte.

What is not so (a field gone or added, a string, a list, a hundred and more objects) is left to the general code, with
the same answer.
"""
