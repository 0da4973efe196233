"""Primitives for a program."""

from unlike import Int, distance

Price = Int(1, 500)


def is_round(x):
    return x % 100 == 0


def far_apart(x, least=50):
    return distance(x, least)
