"""Where the inputs of a test come from: a spec, a suite of cases, or one beside the other.

A source generates rows of JSON data, decodes them again, and checks what it decoded by code that shares nothing with
the generator. Everything above it (files, items, reports) knows only this.
"""
