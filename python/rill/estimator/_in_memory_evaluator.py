"""Evaluations in the middle of a training."""

import itertools

from rill import train
from rill.estimator._estimator import Estimator

_NUMBERS = itertools.count()


class InMemoryEvaluatorHook(train.SessionRunHook):
    """Evaluates the model every so many steps with the values that it has then, without files."""

    def __init__(self, estimator, input_fn, steps=None, hooks=None, name=None, every_n_iter=100):
        if every_n_iter is None or every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        config = estimator.config
        if config.num_ps_replicas > 0 or config.num_worker_replicas > 1:
            raise ValueError("InMemoryEvaluator supports only single machine (aka Local) setting.")
        self._estimator, self._input_fn, self._steps, self._name = estimator, input_fn, steps, name
        self._hooks = list(hooks or [])
        self._timer = train.SecondOrStepTimer(every_steps=every_n_iter)
        self._iter_count, self._saver = 0, None
        self._path = f"ram://in_memory_evaluator_{next(_NUMBERS)}/values"

    def begin(self):
        self._timer.reset()
        self._iter_count = 0
        self._saver = train.Saver(name="in_memory_evaluator", max_to_keep=1)

    def after_create_session(self, session, coord):
        self._evaluate(session)

    def after_run(self, run_context, run_values):
        self._iter_count += 1
        if self._timer.should_trigger_for_step(self._iter_count):
            self._evaluate(run_context.session)

    def end(self, session):
        self._evaluate(session)

    def _evaluate(self, session):
        self._saver.save(session, self._path, write_meta_graph=False, write_state=False)
        Estimator.evaluate(self._estimator, self._input_fn, self._steps, self._hooks, self._path, self._name)
        self._timer.update_last_triggered_step(self._iter_count)
