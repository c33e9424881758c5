"""Estimators made of others."""

from rill import _program_utils, _rill
from rill.estimator._estimator import Estimator

_METRIC_FN_ARGUMENTS = ("features", "labels", "predictions", "config")


def add_metrics(estimator, metric_fn):
    """An estimator with the same model that evaluates the metrics of `metric_fn`, too."""
    names = _program_utils.fn_args(metric_fn)
    others = list(set(names) - set(_METRIC_FN_ARGUMENTS))
    if others:
        raise ValueError(f"metric_fn ({metric_fn}) has following not expected args: {others}")

    def new_model_fn(features, labels, mode, config):
        spec = estimator.model_fn(features, labels, mode, config)
        if mode != "eval":
            return spec
        given = dict(features=features, labels=labels, predictions=spec.predictions, config=config)
        more = metric_fn(**{name: given[name] for name in names})
        return spec._replace(eval_metric_ops={**(spec.eval_metric_ops or {}), **more})

    return Estimator(new_model_fn, estimator.model_dir, estimator.config,
                     warm_start_from=estimator._warm_start_settings)


def call_logit_fn(logit_fn, features, mode, params, config):
    """What a function of logits gives, called with those of the arguments that it takes."""
    given = dict(mode=mode, params=params, config=config)
    names = _program_utils.fn_args(logit_fn)
    logits = logit_fn(features=features, **{name: value for name, value in given.items() if name in names})
    named = isinstance(logits, dict) and all(isinstance(key, str) and isinstance(value, _rill.Tensor)
                                             for key, value in logits.items())
    if not named and not isinstance(logits, _rill.Tensor):
        raise ValueError("logit_fn should return a Tensor or a dictionary mapping strings to Tensors.  logit_fn "
                         f"returned: {logits}")
    return logits
