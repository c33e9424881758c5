"""tf.estimator.experimental.InMemoryEvaluatorHook: evaluations in the middle of a training; C++ does the work."""

from rill import _rill
from rill._hooks import CoreHook


class InMemoryEvaluatorHook(CoreHook):
    """Evaluates the model before the first step, every so many steps and at the end, without checkpoints."""

    def __init__(self, estimator, input_fn, steps=None, hooks=None, name=None, every_n_iter=100):
        if every_n_iter is None or every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        self._estimator = estimator
        self._core = _rill.InMemoryEvaluatorHookCore(estimator._core, estimator._input_of(input_fn), steps,
                                                     list(hooks or []), name or "", every_n_iter)
