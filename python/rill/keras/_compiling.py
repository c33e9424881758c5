"""What Model.compile asks for, as C++ takes it."""

import collections

from rill import _rill, _surface, _v2_behavior
from rill.keras import losses as all_losses, metrics as all_metrics

Request = collections.namedtuple("Request", ["loss", "metrics", "loss_weights", "sample_weight_mode",
                                             "weighted_metrics", "target_tensors"])


class RunOptions:
    """What a model's runs are given besides its data."""

    def __init__(self, options=None, run_metadata=None, feed_dict=None, fetches=None, **others):
        if others:
            raise ValueError(f"Some keys in session_kwargs are not supported at this time: {others.keys()}")
        self._options, self._run_metadata = options, run_metadata
        self._feed_dict, self._fetches = feed_dict or {}, fetches or []

    def runner(self, session):
        """What C++ runs steps with in place of the session."""
        return _Runner(session, self)

    def run(self, session, fetches, feed_dict):
        """The values of `fetches`, a pair of lists."""
        made = session.run([fetches, self._fetches], {**self._feed_dict, **feed_dict}, self._options,
                           self._run_metadata)
        return made[0]


class _Runner:
    _is_runner = True

    def __init__(self, session, options):
        self._session, self._all = session, options

    def run(self, fetches, feed_dict):
        return self._all.run(self._session, fetches, feed_dict)


class Training:
    """A compiled model: C++'s part and what Python asks it for."""

    def __init__(self, native, metrics, trained, target_shapes):
        self.native, self.metrics = native, metrics
        self.trained, self.target_shapes = trained, target_shapes


def _per_output(given, names, what):
    """One item for each output, from a single one, a list or a dict."""
    if isinstance(given, dict):
        for name in given:
            if name not in names:
                raise ValueError(f'Unknown entry in {what} dictionary: "{name}". Only expected following keys: {names}')
        return [given.get(name) for name in names]
    if isinstance(given, (list, tuple)):
        if len(given) != len(names):
            raise ValueError(f"When passing a list as {what}, it should have one entry per model output. The model has "
                             f"{len(names)} outputs, but you passed {what}={given}")
        return list(given)
    return [given] * len(names)


def _metrics_per_output(given, names):
    if not given:
        return [[] for _ in names]
    if isinstance(given, dict):
        return [_as_list(item) for item in _per_output(given, names, "metrics")]
    if any(isinstance(item, (list, tuple)) for item in given) or (
            len(names) > 1 and len(given) == len(names) and any(item is None for item in given)):
        if len(given) != len(names):
            raise ValueError("When passing a list of lists as `metrics`, it should have one entry per model output. "
                             f"The model has {len(names)} outputs, but you passed metrics={given}")
        return [_as_list(item) for item in given]
    return [list(given) for _ in names]


def _as_list(item):
    return [] if item is None else list(item) if isinstance(item, (list, tuple)) else [item]


def _loss_of(given):
    """A function of truth and prediction, its name and its reduction; None: none."""
    if given is None:
        return None
    loss = all_losses.get(given)
    if isinstance(loss, all_losses.Loss):
        return loss.call, getattr(getattr(loss, "fn", None), "__name__", loss.name), loss.reduction
    return loss, getattr(loss, "__name__", "loss"), "auto"


_ACCURACIES, _ENTROPIES = ("accuracy", "acc"), ("crossentropy", "ce")


def _fitting(metric, output, loss_name):
    """The function that "acc" or "ce" means for an output."""
    shape = output.shape.as_list() if output.shape.ndims else [None]
    kind = "accuracy" if metric in _ACCURACIES else "crossentropy"
    if shape[-1] == 1 or loss_name == "binary_crossentropy":
        return getattr(all_metrics, f"binary_{kind}")
    if loss_name == "sparse_categorical_crossentropy":
        return getattr(all_metrics, f"sparse_categorical_{kind}")
    return getattr(all_metrics, f"categorical_{kind}")


def _metric_of(given, weighted, output, loss_name):
    """A Metric and its name."""
    if isinstance(given, all_metrics.Metric):
        return given, given.name
    prefix = "weighted_" if weighted else ""
    as_given = _v2_behavior.enabled and isinstance(given, str)
    if given in _ACCURACIES + _ENTROPIES:
        function = _fitting(given, output, loss_name)
        name = given if as_given else prefix + ("acc" if given in _ACCURACIES else "ce")
    else:
        function = all_metrics.get(given)
        if isinstance(function, all_metrics.Metric):
            return function, function.name
        name = given if as_given else prefix + getattr(function, "name", getattr(function, "__name__", "metric"))
    return all_metrics.MeanMetricWrapper(function, name=name), name


def _call(metric):
    def call(y_true, y_pred, weights):
        return metric(y_true, y_pred, sample_weight=weights)
    return call


def _losses(model):
    """The losses of layers, without those of other inputs than the model's."""
    return model.get_losses_for(None) + model.get_losses_for(model.inputs)


def _updates(model):
    """The updates of layers, likewise."""
    own = model.get_updates_for(None) + model.get_updates_for(model.inputs)
    return [op for op in own if op not in model.state_updates]


def _optimizer(model):
    weights = model.trainable_weights
    if not weights:
        return None

    def optimize(loss):  # what is frozen later is still trained by this model
        return _as_op(model.optimizer.get_updates(loss=loss, params=weights))
    return optimize


def _as_op(updates):
    made = [getattr(update, "op", update) for update in updates]
    return made[0] if len(made) == 1 else _surface._find("group")(*made)


def training_of(model, request):
    """C++'s training of a model."""
    with model.outputs[0].graph.as_default():
        return _training_of(model, request)


def described(model, request):
    """The outputs as C++ takes them, metrics, means of losses by name, which outputs are trained, shapes of targets."""
    names = model.output_names
    given_losses = [_loss_of(item) for item in _per_output(request.loss, names, "loss")]
    weights = _per_output(request.loss_weights, names, "loss_weights")
    modes = _per_output(request.sample_weight_mode, names, "sample_weight_mode")
    targets = _per_output(request.target_tensors, names, "target_tensors")
    several = len(names) > 1
    metrics, outputs, shapes, used = [], [], [], {}
    for i, (name, output) in enumerate(zip(names, model.outputs)):
        loss = given_losses[i]
        asked = [(item, False) for item in _metrics_per_output(request.metrics, names)[i]]
        asked += [(item, True) for item in _metrics_per_output(request.weighted_metrics, names)[i]]
        told = []
        for item, weighted in asked if loss is not None else []:
            metric, metric_name = _metric_of(item, weighted, output, loss[1])
            metric_name = f"{name}_{metric_name}" if several else metric_name
            count = used.get(metric_name, 0)
            used[metric_name] = count + 1
            metric_name = f"{metric_name}_{count}" if count else metric_name
            metrics.append(metric)
            told.append((metric_name, _call(metric), weighted))
        outputs.append({"prediction": output, "name": name, "loss": loss and loss[0],
                        "reduction": loss[2] if loss else "auto",
                        "loss_weight": 1.0 if weights[i] is None else weights[i],
                        "temporal": modes[i] == "temporal", "target": targets[i], "metrics": told})
        shapes.append(_target_shape(output, loss))

    trained = [name for name, loss in zip(names, given_losses) if loss is not None]
    means = {f"{name}_loss": all_metrics.Mean(name=f"{name}_loss") for name in trained} if len(trained) > 1 else {}
    metrics += means.values()
    return outputs, metrics, means, [loss is not None for loss in given_losses], shapes


def _training_of(model, request):
    outputs, metrics, means, trained, shapes = described(model, request)
    followed, followed_results = model._followed()
    native = _rill.KerasTraining(model.outputs[0].graph, {
        "inputs": model.inputs, "outputs": outputs, "losses": lambda: _losses(model), "mean_of": lambda name, loss: means[name](loss),
        "updates": lambda: _updates(model), "state_updates": lambda: model.state_updates,
        "optimize": _optimizer(model), "more_metrics": followed_results})
    made = Training(native, metrics, trained, shapes)
    native.set_metric_variables([v for m in metrics + followed for v in m.variables])
    return made


_FREE = ("sparse_categorical_crossentropy",)
_STRICT = ("mean_squared_error", "binary_crossentropy", "categorical_crossentropy")


def _target_shape(output, loss):
    """What targets must be like, where the loss says so; None: anything."""
    if loss is None or output.shape.ndims is None:
        return None
    if loss[1] in _FREE:
        return output.shape.as_list()[:-1] + [1]
    if loss[1] in _STRICT:
        return output.shape.as_list()
    return None


