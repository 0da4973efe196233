"""From explored objects to test files that a person can read.

One test per object: it builds the object by its shortest sequence and asserts what the observers returned when the file
was written, and which calls it refuses. Then it makes calls that change the object, each on a fresh one, and asserts
what they returned and what can be seen afterwards. Where there are more calls than a person reads, objects take turns.
A second file shows the errors that were revealed.
"""
