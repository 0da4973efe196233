"""Classic data structures, one module each, with an executable invariant `rep_ok` and a twin with one planted bug.

A call that breaks a precondition raises ValueError, IndexError or KeyError before anything has changed. A twin is named
`Buggy…`; its docstring says what is wrong and shows the shortest sequence of calls that brings it to light.
"""
