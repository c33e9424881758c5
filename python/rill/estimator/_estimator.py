"""tf.estimator.Estimator: models together with how they are trained, evaluated and used."""

import collections
import copy
import functools
import os
import weakref

from rill import _program_utils, _rill, logging
from rill.estimator import _model_fn, _run_config, _structures
from rill.estimator._export import ExportMixin
from rill.estimator._run_config import RunConfig

_MODEL_FN_ARGUMENTS = {"features", "labels", "mode", "params", "self", "config"}
_MAY_BE_OVERRIDDEN = {"model_fn", "_create_and_assert_global_step", "_export_all_saved_models", "_tf_api_names",
                      "_tf_api_names_v1", "_estimator_api_names", "_estimator_api_names_v1",
                      "_estimator_api_constants", "_estimator_api_constants_v1", "latest_checkpoint"}


class WarmStartSettings(collections.namedtuple("WarmStartSettings", [
        "ckpt_to_initialize_from", "vars_to_warm_start", "var_name_to_vocab_info", "var_name_to_prev_var_name"])):
    """Which values of an earlier model a new one begins with."""

    def __new__(cls, ckpt_to_initialize_from, vars_to_warm_start=".*", var_name_to_vocab_info=None,
                var_name_to_prev_var_name=None):
        if not ckpt_to_initialize_from:
            raise ValueError("`ckpt_to_initialize_from` MUST be set in WarmStartSettings")
        return super().__new__(cls, ckpt_to_initialize_from, vars_to_warm_start, var_name_to_vocab_info or {},
                               var_name_to_prev_var_name or {})


def _warm_start_settings(warm_start_from):
    if warm_start_from is None or isinstance(warm_start_from, WarmStartSettings):
        return warm_start_from
    if not isinstance(warm_start_from, (str, bytes)):
        raise ValueError("warm_start_from must be a string or a WarmStartSettings, instead got "
                         f"{type(warm_start_from)}")
    path = os.fsdecode(warm_start_from)
    variables = os.path.join(path, "variables", "variables")
    if os.path.exists(variables + ".index"):
        logging.info("Warm-starting from a SavedModel")
        return WarmStartSettings(variables)
    return WarmStartSettings(path)


def verify_model_fn_args(model_fn, params):
    """Refuses model functions with other arguments than estimators give."""
    args = set(_program_utils.fn_args(model_fn))
    if "features" not in args:
        raise ValueError(f"model_fn ({model_fn}) must include features argument.")
    if params is not None and "params" not in args:
        raise ValueError(f"model_fn ({model_fn}) does not include params argument, but params ({params}) is passed to "
                         "Estimator.")
    if params is None and "params" in args:
        logging.warning("Estimator's model_fn (%s) includes params argument, but params are not passed to Estimator.",
                        model_fn)
    others = list(args - _MODEL_FN_ARGUMENTS)
    if others:
        raise ValueError(f"model_fn ({model_fn}) has following not expected args: {others}")


def _complete_config(config, model_dir):
    if config is None:
        config = RunConfig()
        logging.info("Using default config.")
    if not isinstance(config, RunConfig):
        raise ValueError(f"config must be an instance of `RunConfig`, but provided {config}.")
    if config.session_config is None:
        config = RunConfig.replace(config, session_config=_rill.estimator_task("")["session_config"])
    model_dir = _rill.estimator_model_dir(config, _run_config.path_to_str(model_dir) or "")
    return config if config.model_dir == model_dir else RunConfig.replace(config, model_dir=model_dir)


def _checked_hooks(hooks):
    from rill._session_run_hook import SessionRunHook
    hooks = list(hooks or [])
    for hook in hooks:
        if not isinstance(hook, SessionRunHook):
            raise TypeError(f"Hooks must be a SessionRunHook, given: {hook}")
    return hooks


def _checked_listeners(listeners):
    listeners = list(listeners or [])
    if not listeners:
        return []
    from rill.train import CheckpointSaverListener
    for listener in listeners:
        if not isinstance(listener, CheckpointSaverListener):
            raise TypeError(f"saving_listeners must be a list of CheckpointSaverListener, given: {listener}")
    return listeners


def _count(number):
    return None if number is None else int(number)


class Estimator(ExportMixin):
    """A model together with how it is trained, evaluated and used; what it learns is in checkpoints."""

    def __init__(self, model_fn, model_dir=None, config=None, params=None, warm_start_from=None):
        self.__class__._assert_members_are_not_overridden(self)
        self._config = _complete_config(config, model_dir)
        self._model_dir = self._config.model_dir
        self._session_config = self._config.session_config
        self._train_distribution = self._config.train_distribute
        self._eval_distribution = self._config.eval_distribute
        self._device_fn = self._config.device_fn
        if model_fn is None:
            raise ValueError("model_fn must be provided to Estimator.")
        self._model_fn = model_fn
        self._params = copy.deepcopy(params or {})
        self._core = None
        self._warm_start_settings = _warm_start_settings(warm_start_from)
        self._core = _rill.Estimator(functools.partial(_call_quietly, weakref.ref(self)), self._config,
                                     self._warm_start_settings, str(vars(self._config)))
        verify_model_fn_args(model_fn, params)

    @property
    def model_dir(self):
        """Where checkpoints are."""
        return self._model_dir

    @property
    def config(self):
        """A copy of the configuration."""
        return copy.deepcopy(self._config)

    @property
    def params(self):
        """A copy of the parameters of the model function."""
        return copy.deepcopy(self._params)

    @property
    def model_fn(self):
        """The model function, called with features, labels, mode and config."""
        def public_model_fn(features, labels, mode, config):
            return self._call_model_fn(features, labels, mode, config)
        return public_model_fn

    def get_variable_value(self, name):
        """The value of a variable in the latest checkpoint."""
        return self._core.get_variable_value(name)

    def get_variable_names(self):
        """The names of all variables in the latest checkpoint."""
        return self._core.get_variable_names()

    def latest_checkpoint(self):
        """The path of the latest checkpoint; None where there is none."""
        return self._core.latest_checkpoint()

    def eval_dir(self, name=None):
        """Where the summaries of evaluations of that name go."""
        return self._core.eval_dir(name or "")

    def train(self, input_fn, hooks=None, steps=None, max_steps=None, saving_listeners=None):
        """Trains until the input ends or so many steps were taken."""
        self._core.train(self._input_of(input_fn), _checked_hooks(hooks), _count(steps), _count(max_steps),
                         _checked_listeners(saving_listeners))
        return self

    def evaluate(self, input_fn, steps=None, hooks=None, checkpoint_path=None, name=None):
        """The metrics of the model, also written to eval_dir(name)."""
        return self._core.evaluate(self._input_of(input_fn), _count(steps), _checked_hooks(hooks),
                                   checkpoint_path or "", name or "")

    def predict(self, input_fn, predict_keys=None, hooks=None, checkpoint_path=None, yield_single_examples=True):
        """The predictions, example by example or batch by batch."""
        if isinstance(predict_keys, str):
            predict_keys = [predict_keys]
        found = self._core.predict(self._input_of(input_fn), [str(key) for key in predict_keys or []],
                                   _checked_hooks(hooks), checkpoint_path or "")
        predictions = found.spec.predictions
        try:
            while (values := found.next_batch()) is not None:
                if not isinstance(predictions, dict):
                    batch = values[""]
                    yield from ([batch] if not yield_single_examples else batch)
                    continue
                batch = {key: values[str(key)] for key in predictions if str(key) in values}
                if not yield_single_examples:
                    yield batch
                    continue
                for row in range(_row_count(batch)):
                    yield {key: value[row] for key, value in batch.items()}
        finally:
            found.close()

    def _assert_members_are_not_overridden(self):
        """Refuses subclasses that change what estimators do."""
        members = {name for name in dir(Estimator) if not name.startswith("__")}
        own = self.__class__.__dict__.keys()
        overridden = [name for name in members & own - _MAY_BE_OVERRIDDEN
                      if getattr(Estimator, name) != getattr(self.__class__, name)]
        if overridden:
            raise ValueError("Subclasses of Estimator cannot override members of Estimator. "
                             f"{self.__class__} does override {overridden}")

    def _input_of(self, input_fn):
        return lambda mode: _structures.input_values(self._call_input_fn(input_fn, mode))

    def _call_input_fn(self, input_fn, mode, input_context=None):
        given = {"mode": lambda: mode, "params": lambda: self.params, "config": lambda: self.config}
        names = _program_utils.fn_args(input_fn)
        return input_fn(**{name: value() for name, value in given.items() if name in names})

    def _call_model_fn(self, features, labels, mode, config):
        logging.info("Calling model_fn.")
        results = _call_with(self, features, labels, mode, lambda: config)
        logging.info("Done calling model_fn.")
        return _checked_spec(results)


def _call_quietly(reference, features, labels, mode):
    """Called by C++, which the estimator holds: holding the estimator in turn, it would never go away."""
    estimator = reference()
    labels = None if mode == _model_fn.ModeKeys.PREDICT else labels
    return _checked_spec(_call_with(estimator, features, labels, mode, lambda: estimator.config))


def _call_with(estimator, features, labels, mode, config):
    names = _program_utils.fn_args(estimator._model_fn)
    if "labels" not in names and labels is not None:
        raise ValueError("model_fn does not take labels, but input_fn returns labels.")
    given = {"labels": lambda: labels, "mode": lambda: mode, "params": lambda: estimator.params,
             "config": config}
    return estimator._model_fn(features=features, **{name: value() for name, value in given.items() if name in names})


def _checked_spec(results):
    if not isinstance(results, _model_fn.EstimatorSpec):
        raise ValueError("model_fn should return an EstimatorSpec.")
    return results


def _row_count(batch):
    rows = None
    for key, value in batch.items():
        rows = rows or value.shape[0]
        if value.shape[0] != rows:
            raise ValueError(f"Batch length of predictions should be same. {key} has different batch length than "
                             "others.")
    return rows
