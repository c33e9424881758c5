import signal

import pytest

import rill as tf

# A job in the background of a shell ignores interrupts, which some tests send to themselves.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def graph():
    """Every test builds in a graph of its own."""
    with tf.Graph().as_default() as fresh:
        yield fresh
