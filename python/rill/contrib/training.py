"""tf.contrib.training: hyperparameters, training operations, loops around training and evaluation."""

from rill.contrib._hparams import HParams, parse_values
from rill.contrib._slim_learning import (add_gradients_summaries_below as add_gradients_summaries,
                                         clip_gradient_norms, clip_gradient_norms_fn,
                                         create_transformed_train_op as create_train_op, multiply_gradients)
from rill.contrib._training_loops import (StopAfterNEvalsHook, SummaryAtEndHook, checkpoints_iterator,
                                          evaluate_once, evaluate_repeatedly, get_or_create_eval_step, train,
                                          wait_for_new_checkpoint)

__all__ = ["HParams", "StopAfterNEvalsHook", "SummaryAtEndHook", "add_gradients_summaries",
           "checkpoints_iterator", "clip_gradient_norms", "clip_gradient_norms_fn", "create_train_op",
           "evaluate_once", "evaluate_repeatedly", "get_or_create_eval_step", "multiply_gradients",
           "parse_values", "train", "wait_for_new_checkpoint"]
