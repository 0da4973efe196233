"""Telephone numbers as people type them, for the function that brings them into one form.

A number begins with +49, 0049 or 0, then comes the area with or without brackets, then the number itself in one piece
or in groups, and sometimes an extension. With 7 to 15 digits in all it is one that exists.

Two numbers differ in the branch that they take: how they begin, whether there are brackets, which separator stands
between, whether there is an extension.

What it guarantees: every way to write a number, in every combination, as far as that many are asked for.
"""

import re

from unlike import Spec, Str, cover, predicate

PHONE = r"(\+49 ?|0049 ?|0)(\([1-9]\d{1,3}\)|[1-9]\d{1,3})[ /-]?\d{3,8}( \d{2}){0,2}(-\d{1,3})?"

phones = Spec(
    {"phone": Str(PHONE)},
    where=predicate(lambda phone: 7 <= len(re.sub(r"\D", "", phone)) <= 15),
    different=cover.regex("phone", PHONE),
    name="phones",
    n=20,
)
