"""The texts of a pattern in an order of which every beginning is worth its place."""

from unlike.regex.order.misses import ordered_misses
from unlike.regex.order.mix import ALL_FAIL, Mix
from unlike.regex.order.texts import OrderedTexts

__all__ = ["ALL_FAIL", "Mix", "OrderedTexts", "ordered_misses"]
