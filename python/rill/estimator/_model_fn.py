"""What model functions are called for, and what they return."""

import collections

from rill import _rill

_FIELDS = ["mode", "predictions", "loss", "train_op", "eval_metric_ops", "export_outputs", "training_chief_hooks",
           "training_hooks", "scaffold", "evaluation_hooks", "prediction_hooks"]


class ModeKeys:
    """What a model is built for."""

    TRAIN = "train"
    EVAL = "eval"
    PREDICT = "infer"


class EstimatorSpec(collections.namedtuple("EstimatorSpec", _FIELDS)):
    """A model for one mode."""

    def __new__(cls, mode, predictions=None, loss=None, train_op=None, eval_metric_ops=None, export_outputs=None,
                training_chief_hooks=None, training_hooks=None, scaffold=None, evaluation_hooks=None,
                prediction_hooks=None):
        train_op = _checked_train_op(train_op, mode)
        loss = _checked_loss(loss, mode)
        predictions = _checked_predictions(predictions, mode)
        if mode == ModeKeys.PREDICT:
            export_outputs = _complete_export_outputs(export_outputs, predictions)
        training_hooks, evaluation_hooks, prediction_hooks, training_chief_hooks = (
            _checked_hooks(hooks) for hooks in (training_hooks, evaluation_hooks, prediction_hooks,
                                                training_chief_hooks))
        return super().__new__(cls, mode, predictions, loss, train_op, _checked_metrics(eval_metric_ops),
                               export_outputs, training_chief_hooks, training_hooks, _checked_scaffold(scaffold),
                               evaluation_hooks, prediction_hooks)

    def _replace(self, **kwds):
        """The same with other fields; the mode stays."""
        if kwds.get("mode", self.mode) != self.mode:
            raise ValueError("mode of EstimatorSpec cannot be changed.")
        return EstimatorSpec(*map(kwds.pop, self._fields, list(self)))


def _check_graph(value, what, name):
    if value.graph is not _rill.get_default_graph():
        raise ValueError(f'{what} with "{name}" must be from the default graph. Possible causes of this error include: '
                         f"\n\n1) {what} was created outside the context of the default graph.\n\n2) The object passed "
                         'through to EstimatorSpec was not created in the most recent call to "model_fn".')


def _checked_tensor(value, name):
    if not isinstance(value, _rill.Tensor):
        raise TypeError(f"{name} must be Tensor, given: {value}")
    return value


def _checked_train_op(train_op, mode):
    if train_op is None:
        if mode == ModeKeys.TRAIN:
            raise ValueError("Missing train_op.")
        return None
    if hasattr(train_op, "initializer") and not isinstance(train_op, (_rill.Operation, _rill.Tensor)):
        train_op = train_op.op  # a variable
    if not isinstance(train_op, (_rill.Operation, _rill.Tensor)):
        raise TypeError(f"train_op must be Operation or Tensor, given: {train_op}")
    _check_graph(train_op, "train_op", train_op.name)
    return train_op


def _checked_loss(loss, mode):
    if loss is None:
        if mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
            raise ValueError("Missing loss.")
        return None
    return _rill.estimator_checked_loss(_checked_tensor(loss, "loss"), mode)


def _checked_predictions(predictions, mode):
    if predictions is None:
        if mode == ModeKeys.PREDICT:
            raise ValueError("Missing predictions.")
        return {}
    if not isinstance(predictions, dict):
        _check_graph(_checked_tensor(predictions, "predictions"), "prediction values", predictions.name)
        return predictions
    checked = {key: _checked_tensor(value, f"predictions[{key}]") for key, value in predictions.items()}
    for key, value in checked.items():
        _check_graph(value, "prediction values", f"{key}: {value.name}")
    return checked


def _complete_export_outputs(export_outputs, predictions):
    from rill.estimator import export
    if export_outputs is None:
        return {"serving_default": export.PredictOutput(predictions)}
    if not isinstance(export_outputs, dict):
        raise TypeError(f"export_outputs must be dict, given: {export_outputs}")
    for value in export_outputs.values():
        if not isinstance(value, export.ExportOutput):
            raise TypeError("Values in export_outputs must be ExportOutput objects. "
                            f"Given: {export_outputs}")
    if len(export_outputs) == 1:
        return {**export_outputs, "serving_default": next(iter(export_outputs.values()))}
    if len(export_outputs) > 1 and "serving_default" not in export_outputs:
        raise ValueError("Multiple export_outputs were provided, but none of them is specified as the default.  Do "
                         "this by naming one of them with signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY.")
    return export_outputs


def _checked_hooks(hooks):
    from rill._session_run_hook import SessionRunHook
    hooks = tuple(hooks or [])
    for hook in hooks:
        if not isinstance(hook, SessionRunHook):
            raise TypeError(f"All hooks must be SessionRunHook instances, given: {hook}")
    return hooks


def _is_keras_metric(value):
    return not isinstance(value, tuple) and hasattr(value, "update_state") and hasattr(value, "result")


def _metric_pair(key, value):
    if _is_keras_metric(value):
        if not value.updates:
            raise ValueError(f'Please call update_state(...) on the "{value.name}" metric')
        return value.result(), value.updates[0]
    if not isinstance(value, tuple) or len(value) != 2:
        raise TypeError("Values of eval_metric_ops must be (metric_value, update_op) tuples, "
                        f"given: {value} for key: {key}")
    return value


def _checked_metrics(metrics):
    if metrics is None:
        return {}
    if not isinstance(metrics, dict):
        raise TypeError(f"eval_metric_ops must be a dict, given: {metrics}")
    pairs = {key: _metric_pair(key, value) for key, value in metrics.items()}
    for key, pair in pairs.items():
        for value in pair:
            _check_graph(value, "eval_metric_ops", f"{key}: {value.name}")
    for value in metrics.values():
        if _is_keras_metric(value):
            _collect_variables(value.variables)
    return pairs


def _collect_variables(variables):
    """Those of metrics of Keras are in no collection: sessions would not initialise them."""
    graph = _rill.get_default_graph()
    for collection in ("local_variables", "metric_variables"):
        known = {id(variable) for variable in graph.get_collection(collection)}
        for variable in variables:
            if id(variable) not in known:
                graph.add_to_collection(collection, variable)


def _checked_scaffold(scaffold):
    from rill.train import Scaffold
    scaffold = scaffold or Scaffold()
    if not isinstance(scaffold, Scaffold):
        raise TypeError(f"scaffold must be tf.train.Scaffold. Given: {scaffold}")
    return scaffold
