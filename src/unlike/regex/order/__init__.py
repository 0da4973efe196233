"""The texts of a pattern in an order of which every beginning is worth its place."""

from unlike.regex.order.misses import ordered_misses
from unlike.regex.order.mix import ALL_FAIL, Mix
from unlike.regex.order.texts import OrderedTexts, draw_texts

__all__ = ["ALL_FAIL", "Mix", "OrderedTexts", "draw_texts", "ordered_misses"]
