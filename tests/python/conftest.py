import pytest

import rill as tf


@pytest.fixture(autouse=True)
def graph():
    """Every test builds in a graph of its own."""
    with tf.Graph().as_default() as fresh:
        yield fresh
