"""tf.estimator.experimental's hooks that end a training early; the rules are in C++."""

import collections

from rill import _rill
from rill._hooks import CoreHook, StopAtStepHook


class _StopOnPredicateHook(CoreHook):
    """Asks a function now and then whether to stop."""

    def __init__(self, should_stop_fn, run_every_secs=60, run_every_steps=None):
        if not callable(should_stop_fn):
            raise TypeError("`should_stop_fn` must be callable.")
        self._core = _rill.StopOnPredicateHookCore(should_stop_fn, run_every_secs, run_every_steps)


class _CheckForStoppingHook(CoreHook):
    """Stops when the chief has asked for it."""

    def __init__(self):
        self._core = _rill.CheckForStoppingHookCore()


class _StopAtCheckpointStepHook(CoreHook):
    """Stops when a step is over and its checkpoint is on the disk."""

    def __init__(self, model_dir, last_step, wait_after_file_check_secs=30):
        if last_step is None:
            raise ValueError("last_step must be specified.")
        if model_dir is None:
            raise ValueError("model_dir must be specified.")
        self._core = _rill.StopAtCheckpointStepHookCore(str(model_dir), last_step, wait_after_file_check_secs)


def make_early_stopping_hook(estimator, should_stop_fn, run_every_secs=60, run_every_steps=None):
    """A hook that ends the training when `should_stop_fn()` is True."""
    from rill.estimator import Estimator
    if not isinstance(estimator, Estimator):
        raise TypeError(f"`estimator` must have type `tf.estimator.Estimator`. Got: {type(estimator)}")
    if run_every_secs is not None and run_every_steps is not None:
        raise ValueError("Only one of `run_every_secs` and `run_every_steps` must be set.")
    if estimator.config.is_chief:
        return _StopOnPredicateHook(should_stop_fn, run_every_secs, run_every_steps)
    return _CheckForStoppingHook()


def _metric_hook(rule, higher_is_better, estimator, metric_name, limit, eval_dir, min_steps, run_every_secs,
                 run_every_steps):
    directory = str(estimator.eval_dir() if eval_dir is None else eval_dir)
    return make_early_stopping_hook(
        estimator, lambda: rule(directory, metric_name, higher_is_better, min_steps, limit), run_every_secs,
        run_every_steps)


def stop_if_higher_hook(estimator, metric_name, threshold, eval_dir=None, min_steps=0, run_every_secs=60,
                        run_every_steps=None):
    """Ends the training when an evaluation's metric is above the threshold."""
    return _metric_hook(_rill.is_threshold_crossed, True, estimator, metric_name, threshold, eval_dir, min_steps,
                        run_every_secs, run_every_steps)


def stop_if_lower_hook(estimator, metric_name, threshold, eval_dir=None, min_steps=0, run_every_secs=60,
                       run_every_steps=None):
    """Ends the training when an evaluation's metric is below the threshold."""
    return _metric_hook(_rill.is_threshold_crossed, False, estimator, metric_name, threshold, eval_dir, min_steps,
                        run_every_secs, run_every_steps)


def stop_if_no_increase_hook(estimator, metric_name, max_steps_without_increase, eval_dir=None, min_steps=0,
                             run_every_secs=60, run_every_steps=None):
    """Ends the training when a metric has not become higher for so many steps."""
    return _metric_hook(_rill.is_without_improvement, True, estimator, metric_name, max_steps_without_increase,
                        eval_dir, min_steps, run_every_secs, run_every_steps)


def stop_if_no_decrease_hook(estimator, metric_name, max_steps_without_decrease, eval_dir=None, min_steps=0,
                             run_every_secs=60, run_every_steps=None):
    """Ends the training when a metric has not become lower for so many steps."""
    return _metric_hook(_rill.is_without_improvement, False, estimator, metric_name, max_steps_without_decrease,
                        eval_dir, min_steps, run_every_secs, run_every_steps)


def make_stop_at_checkpoint_step_hook(estimator, last_step, wait_after_file_check_secs=30):
    """Ends the training at a step: the chief at once, others when its checkpoint is there."""
    if estimator.config.is_chief:
        return StopAtStepHook(last_step=last_step)
    return _StopAtCheckpointStepHook(estimator.model_dir, last_step, wait_after_file_check_secs)


def read_eval_metrics(eval_dir):
    """The metrics in the event files of a directory: {step: {name: value}}."""
    return collections.OrderedDict(_rill.read_eval_metrics(str(eval_dir)))
