"""tf.estimator.train_and_evaluate and what it is told."""

import collections
import os
import time

from rill import _rill, train
from rill._hooks import CoreHook
from rill.estimator._exporters import Exporter


def _check_input_fn(input_fn):
    if not callable(input_fn):
        raise TypeError(f"`input_fn` must be callable, given: {input_fn}")


def _instances(values, kind, what):
    values = tuple(values or ())
    for value in values:
        if not isinstance(value, kind):
            raise TypeError(f"All {what} must be `{kind.__name__}` instances, given: {value}")
    return values


def _checked_exporters(exporters):
    if not exporters:
        return ()
    given = [exporters] if isinstance(exporters, Exporter) else exporters
    problem = TypeError(f"`exporters` must be an Exporter, an iterable of Exporter, or `None`, found {exporters}.")
    try:
        given = tuple(given)
    except TypeError:
        raise problem from None
    names = []
    for exporter in given:
        if not isinstance(exporter, Exporter):
            raise problem
        names.append(exporter.name)
        if not exporter.name:
            raise ValueError("An Exporter cannot have a name that is `None` or empty. All exporter names: "
                             f"{[e.name for e in given]}")
        if not isinstance(exporter.name, str):
            raise ValueError(f"An Exporter must have a string name. Given: {type(exporter.name)}")
        if names.count(exporter.name) > 1:
            raise ValueError("`exporters` must have unique names. Such a name cannot be `None`. All exporter "
                             f"names: {[e.name for e in given]}")
    return given


class TrainSpec(collections.namedtuple("TrainSpec", ["input_fn", "max_steps", "hooks", "saving_listeners"])):
    """What train_and_evaluate trains on, and how long."""

    def __new__(cls, input_fn, max_steps=None, hooks=None, saving_listeners=None):
        _check_input_fn(input_fn)
        if max_steps is not None and max_steps <= 0:
            raise ValueError(f"Must specify max_steps > 0, given: {max_steps}")
        return super().__new__(cls, input_fn, max_steps, _instances(hooks, train.SessionRunHook, "hooks"),
                               _instances(saving_listeners, train.CheckpointSaverListener, "saving_listeners"))


class EvalSpec(collections.namedtuple("EvalSpec", [
        "input_fn", "steps", "name", "hooks", "exporters", "start_delay_secs", "throttle_secs"])):
    """What train_and_evaluate evaluates on, when, and what it exports."""

    def __new__(cls, input_fn, steps=100, name=None, hooks=None, exporters=None, start_delay_secs=120,
                throttle_secs=600):
        _check_input_fn(input_fn)
        if steps is not None and steps <= 0:
            raise ValueError(f"Must specify steps > 0, given: {steps}")
        if name is not None and not isinstance(name, str):
            raise TypeError(f"`name` must be string, given: {name}")
        hooks, exporters = _instances(hooks, train.SessionRunHook, "hooks"), _checked_exporters(exporters)
        for what, value in (("start_delay_secs", start_delay_secs), ("throttle_secs", throttle_secs)):
            if value < 0:
                raise ValueError(f"Must specify {what} >= 0, given: {value}")
        return super().__new__(cls, input_fn, steps, name, hooks, exporters, start_delay_secs, throttle_secs)


class _Evaluation:
    """What the evaluator of C++ is told of a program's estimator."""

    def __init__(self, estimator, eval_spec, max_steps, unfinished=None):
        self._estimator, self._spec = estimator, eval_spec
        self.metrics = self.exports = None
        self.evaluator = _rill.Evaluator(estimator.latest_checkpoint, self._evaluate, self._export, max_steps,
                                         estimator.eval_dir(eval_spec.name), unfinished)

    def _evaluate(self, checkpoint):
        spec = self._spec
        metrics = self._estimator.evaluate(input_fn=spec.input_fn, steps=spec.steps, name=spec.name,
                                           checkpoint_path=checkpoint, hooks=spec.hooks)
        if not isinstance(metrics, dict):
            raise TypeError(f"`Estimator.evaluate` should return dict. Given {type(metrics)}.")
        if "global_step" not in metrics:
            raise ValueError("Internal error: `Estimator.evaluate` result should have `global_step` in result. "
                             f"Given {metrics}")
        self.metrics = metrics
        return int(metrics["global_step"])

    def _export(self, checkpoint, is_final):
        base = os.path.join(self._estimator.model_dir, "export")
        self.exports = [exporter.export(estimator=self._estimator, export_path=os.path.join(base, exporter.name),
                                        checkpoint_path=checkpoint, eval_result=self.metrics,
                                        is_the_final_export=is_final)
                        for exporter in self._spec.exporters]


class _EvaluatingListener(train.CheckpointSaverListener):
    """Evaluates after checkpoints were saved."""

    def __init__(self, evaluator, throttle_secs):
        self._core = _rill.NewCheckpointListener(evaluator, throttle_secs)

    def begin(self):
        """Before training."""
        self._core.begin()

    def after_save(self, session, global_step_value):
        """A checkpoint was saved."""
        return self._core.after_save(global_step_value)

    def end(self, session, global_step_value):
        """After training."""
        self._core.end(global_step_value)


class _PositionHook(CoreHook):
    """Takes the input to where it was at the checkpoint."""

    def __init__(self, core):
        self._core = core


class _PositionListener(train.CheckpointSaverListener):
    """Saves where the input is beside checkpoints."""

    def __init__(self, core):
        self._core = core

    def before_save(self, session, global_step_value):
        """A checkpoint is to be saved."""
        self._core.before_save(session, global_step_value)

    def after_save(self, session, global_step_value):
        """A checkpoint was saved."""
        return self._core.after_save(session, global_step_value)


def _check_specs(estimator, train_spec, eval_spec):
    from rill.estimator import Estimator
    if not isinstance(eval_spec, EvalSpec):
        raise TypeError(f"`eval_spec` must have type `tf.estimator.EvalSpec`. Got: {type(eval_spec)}")
    if not isinstance(estimator, Estimator):
        raise TypeError(f"`estimator` must have type `tf.estimator.Estimator`. Got: {type(estimator)}")
    if not isinstance(train_spec, TrainSpec):
        raise TypeError(f"`train_spec` must have type `tf.estimator.TrainSpec`. Got: {type(train_spec)}")


def _worker_delay(config):
    """Workers begin one after the other."""
    if config.task_type != "worker":
        return 0
    most = config.experimental_max_worker_delay_secs
    return min(60 if most is None else int(most), (config.task_id + 1) * 5)


def _train_alone(estimator, train_spec, eval_spec):
    """Trains and evaluates in this process, going on where an earlier one was killed."""
    unfinished = _rill.InterruptedTraining(estimator.model_dir)
    hook, listener = _rill.save_input_position(unfinished)
    evaluation = _Evaluation(estimator, eval_spec, train_spec.max_steps, unfinished)
    listeners = (_PositionListener(listener), _EvaluatingListener(evaluation.evaluator, eval_spec.throttle_secs))
    estimator.train(input_fn=train_spec.input_fn, max_steps=train_spec.max_steps,
                    hooks=[*train_spec.hooks, _PositionHook(hook)],
                    saving_listeners=train_spec.saving_listeners + listeners)
    evaluation.evaluator.make_up_for_latest()
    unfinished.finish()
    return evaluation.metrics, evaluation.exports


def train_and_evaluate(estimator, train_spec, eval_spec):
    """Trains, evaluates after every checkpoint, and exports; in a cluster, the part that TF_CONFIG names."""
    _check_specs(estimator, train_spec, eval_spec)
    config = estimator.config
    task = (config.cluster_spec.as_dict(), config.task_type or "", config.task_id or 0)
    role = _rill.role_of(*task)
    if role == "local":
        return _train_alone(estimator, train_spec, eval_spec)
    evaluation = _Evaluation(estimator, eval_spec, train_spec.max_steps)
    if role == "evaluator":
        _rill.evaluate_continuously(evaluation.evaluator, eval_spec.start_delay_secs, eval_spec.throttle_secs,
                                    time.sleep)
        return None
    _rill.start_server(*task)
    time.sleep(_worker_delay(config))
    listeners = () if role == "worker" else train_spec.saving_listeners
    if role == "master":
        listeners += (_EvaluatingListener(evaluation.evaluator, eval_spec.throttle_secs),)
    estimator.train(input_fn=train_spec.input_fn, max_steps=train_spec.max_steps, hooks=list(train_spec.hooks),
                    saving_listeners=listeners)
    return None
