"""What the product answers today, as text: a rebuild that changes an answer changes a file here.

`commands` is the table of what is run, `running` runs it, `pinned` compares with the files under `expected/`.
A meant change is accepted by `python -m tests.golden --write NAME…`, and seen in the diff of the commit.
"""
