"""tf.contrib.tensorboard.plugins: the projector."""

from rill.contrib.tensorboard.plugins import projector  # noqa: F401
