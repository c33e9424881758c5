"""tf.contrib.memory_stats: how much memory a device has given out."""

from rill import raw_ops


def BytesInUse():  # noqa: N802
    """The bytes that are allocated on the node's device."""
    return raw_ops.BytesInUse()


def BytesLimit():  # noqa: N802
    """The bytes that may be allocated on the node's device; 0 without a limit."""
    return raw_ops.BytesLimit()


def MaxBytesInUse():  # noqa: N802
    """The most bytes that were allocated at once on the node's device."""
    return raw_ops.MaxBytesInUse()
