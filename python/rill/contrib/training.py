"""tf.contrib.training: hyperparameters and training operations."""

from rill.contrib._hparams import HParams, parse_values
from rill.contrib._slim_learning import (add_gradients_summaries, clip_gradient_norms, create_train_op,
                                         multiply_gradients)

__all__ = ["HParams", "add_gradients_summaries", "clip_gradient_norms", "create_train_op",
           "multiply_gradients", "parse_values"]
