"""tf.contrib.signal: what became tf.signal."""

from rill import signal as _signal


def __getattr__(name):
    return getattr(_signal, name)
