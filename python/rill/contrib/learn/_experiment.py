"""tf.contrib.learn.Experiment: an estimator with what it is trained and evaluated on."""

from rill import estimator as tf_estimator


class Experiment:
    """Trains and evaluates an estimator of tf.contrib.learn or tf.estimator."""

    def __init__(self, estimator, train_input_fn, eval_input_fn, eval_metrics=None, train_steps=None, eval_steps=100,
                 train_monitors=None, eval_hooks=None, local_eval_frequency=None, eval_delay_secs=120,
                 continuous_eval_throttle_secs=60, min_eval_frequency=None, delay_workers_by_global_step=False,
                 export_strategies=None, train_steps_per_iteration=None, checkpoint_and_export=False,
                 saving_listeners=None, check_interval_secs=5):
        self._estimator = estimator
        self._train_input_fn, self._eval_input_fn = train_input_fn, eval_input_fn
        self._eval_metrics, self._train_steps, self._eval_steps = eval_metrics, train_steps, eval_steps
        self._train_monitors, self._eval_hooks = list(train_monitors or []), list(eval_hooks or [])
        self._export_strategies = export_strategies

    @property
    def estimator(self):
        """The estimator."""
        return self._estimator

    def train(self, delay_secs=None):
        """Trains."""
        if isinstance(self._estimator, tf_estimator.Estimator):
            return self._estimator.train(self._train_input_fn, hooks=self._train_monitors, max_steps=self._train_steps)
        return self._estimator.fit(input_fn=self._train_input_fn, max_steps=self._train_steps,
                                   monitors=self._train_monitors)

    def evaluate(self, delay_secs=None, name=None):
        """The metrics."""
        more = {} if isinstance(self._estimator, tf_estimator.Estimator) else {"metrics": self._eval_metrics}
        return self._estimator.evaluate(input_fn=self._eval_input_fn, steps=self._eval_steps, name=name or "one_pass",
                                        hooks=self._eval_hooks, **more)

    def train_and_evaluate(self):
        """Trains, evaluates, exports: the metrics and what was exported."""
        self.train()
        results = self.evaluate()
        return results, self._export(results)

    local_run = train_and_evaluate

    def test(self):
        """One step of each."""
        steps, self._train_steps, evaluated, self._eval_steps = self._train_steps, 1, self._eval_steps, 1
        try:
            return self.train_and_evaluate()
        finally:
            self._train_steps, self._eval_steps = steps, evaluated

    def _export(self, results):
        import os
        given = self._export_strategies
        strategies = [] if given is None else list(given) if isinstance(given, (list, tuple)) else [given]
        return [strategy.export(self._estimator, os.path.join(self._estimator.model_dir, "export", strategy.name),
                                eval_result=results) for strategy in strategies]
