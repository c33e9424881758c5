"""tf.estimator.experimental: hooks that evaluate or end trainings, parts of models."""

from rill import _surface
from rill._early_stopping import (make_early_stopping_hook, make_stop_at_checkpoint_step_hook,
                                  stop_if_higher_hook, stop_if_lower_hook, stop_if_no_decrease_hook,
                                  stop_if_no_increase_hook)
from rill.estimator._more_metrics import call_logit_fn
from rill.estimator._in_memory_evaluator import InMemoryEvaluatorHook
from rill.estimator._kmeans import KMeans
from rill.estimator._models import LinearSDCA, dnn_logit_fn_builder, linear_logit_fn_builder
from rill.estimator.export import build_raw_supervised_input_receiver_fn

__getattr__, __dir__ = _surface.members_of(__name__)
