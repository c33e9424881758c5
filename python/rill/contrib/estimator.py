"""tf.contrib.estimator: heads, logit functions, recurrent estimators and wrappers of estimators."""

from rill import _surface
from rill.estimator._canned import (  # noqa: F401
    BaselineEstimator, DNNEstimator, DNNLinearCombinedEstimator, LinearEstimator)
from rill.estimator._wrappers import clip_gradients_by_norm, forward_features  # noqa: F401
from rill.estimator._more_metrics import add_metrics, call_logit_fn  # noqa: F401
from rill.estimator._head_parts import (  # noqa: F401
    binary_classification_head, logistic_regression_head, multi_class_head, multi_head, multi_label_head,
    poisson_regression_head, regression_head)
from rill.estimator._models import dnn_logit_fn_builder, linear_logit_fn_builder  # noqa: F401
from rill.estimator._rnn import RNNClassifier, RNNEstimator  # noqa: F401

# What tf.estimator has under the same names.
_SHARED = ("InMemoryEvaluatorHook", "make_early_stopping_hook", "make_stop_at_checkpoint_step_hook",
           "stop_if_higher_hook", "stop_if_lower_hook", "stop_if_no_decrease_hook", "stop_if_no_increase_hook",
           "build_raw_supervised_input_receiver_fn")


def __getattr__(name):
    if name in _SHARED:
        for path in ("estimator.experimental", "estimator"):
            try:
                return getattr(_surface._module_at(path), name)
            except AttributeError:
                continue
    raise AttributeError(f"module 'tensorflow.contrib.estimator' has no attribute '{name}'")
