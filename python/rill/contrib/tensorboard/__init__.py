"""tf.contrib.tensorboard: what TensorBoard's plugins need to be told."""

from rill.contrib.tensorboard import plugins  # noqa: F401
