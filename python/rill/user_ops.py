"""tf.user_ops: where TensorFlow shows what an op of one's own looks like."""

from rill import _surface, raw_ops


def my_fact():
    """A text that says something true."""
    return raw_ops.Fact()


__getattr__, __dir__ = _surface.members_of(__name__)
