"""tf.contrib.tensorboard.plugins: the projector."""

from rill.contrib import _projector as projector  # noqa: F401
