"""A test that cannot be prepared."""

import unlike
from unlike import Int


@unlike.inputs(4, where=[lambda x: x > 5, lambda x: x < 5])
def test_of_nothing(x: Int(0, 9)):
    assert x
