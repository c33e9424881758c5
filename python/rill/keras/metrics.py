"""tf.keras.metrics: numbers that are gathered over many batches."""

import inspect
import sys

import numpy as np

from rill import _rill, _surface
from rill._layer_call import graph_of
from rill._layers import KerasLayer
from rill._scopes import control_dependencies, name_scope
from rill._variables import VariableAggregation, VariableSynchronization
from rill.keras import _objects, backend, initializers


class Metric(KerasLayer):
    """Variables that `update_state` takes batches into, and `result` makes a number of."""

    def __init__(self, name=None, dtype=None, **kwargs):
        super().__init__(name=name, dtype=dtype, **kwargs)
        self.stateful = True
        self.built = True
        object.__setattr__(self, "_update_ops", [])
        if self.dtype is None:
            self._dtype = backend.floatx()

    def __new__(cls, *args, **kwargs):
        made = super().__new__(cls)
        if cls.update_state is not Metric.update_state and "update_state" in cls.__dict__ \
                and not issubclass(cls, _Native):
            _wrap_update(made, cls)
        return made

    def __call__(self, *args, **kwargs):
        """Takes a batch into account; the result after that."""
        graph = graph_of((args, kwargs)) if _rill.executing_eagerly() else None
        if graph is not None:  # a tensor of a model, while ops compute at once
            with graph.as_default():
                return self(*args, **kwargs)
        with name_scope(self.name):
            update = self.update_state(*args, **kwargs)
            with control_dependencies([update] if update is not None else []):
                result = self.result()
                result = _surface._find("identity")(result)
            if not _rill.executing_eagerly():
                result._metric_obj = self
            return result

    def update_state(self, *args, **kwargs):
        """Takes a batch into account."""
        raise NotImplementedError("Must be implemented in subclasses.")

    def result(self):
        """The number of all batches so far."""
        raise NotImplementedError("Must be implemented in subclasses.")

    @property
    def updates(self):
        """The operations that update_state made."""
        return self._update_ops

    def reset_states(self):
        """Forgets all batches."""
        backend.batch_set_value([(variable, np.zeros(variable.shape.as_list())) for variable in self.variables])

    reset_state = reset_states

    def add_weight(self, name, shape=(), aggregation=VariableAggregation.SUM,
                   synchronization=VariableSynchronization.ON_READ, initializer=None, dtype=None):
        """A variable of the metric."""
        made = super().add_weight(name=name, shape=shape, dtype=self.dtype if dtype is None else dtype,
                                  trainable=False, initializer=initializers.get(initializer or "zeros"),
                                  collections=[], synchronization=synchronization, aggregation=aggregation)
        _rill.keras_track(made)
        return made

    def get_config(self):
        """The arguments that make the same metric."""
        return {"name": self.name, "dtype": self.dtype}


def _wrap_update(metric, cls):
    """update_state of programs may assign to variables without returning anything: all that it makes is one operation."""
    function = cls.update_state

    def update_state(*args, **kwargs):
        if _rill.executing_eagerly():
            return function(metric, *args, **kwargs)
        graph = _rill.get_default_graph()
        before = len(graph.get_operations())
        made = function(metric, *args, **kwargs)
        if made is None:
            writes = [op for op in graph.get_operations()[before:] if op.type.startswith("Assign")]
            made = _surface._find("group")(*writes)
        metric._update_ops.append(getattr(made, "op", made))
        return metric._update_ops[-1]
    object.__setattr__(metric, "update_state", update_state)


class _Native(Metric):
    """A metric that C++ computes."""

    def _set_up(self, settings):
        settings = {key: value for key, value in settings.items() if key not in ("self", "__class__")}
        name, dtype = settings.pop("name", None), settings.pop("dtype", None)
        name = name or _rill.unique_layer_name(type(self).__name__, True)
        super().__init__(name=name, dtype=dtype)
        for key, value in settings.items():
            object.__setattr__(self, key, value)
        self._settings = settings
        self._native = _rill.KerasMetric(self._metric_kind, {**settings, "name": name, "dtype": self.dtype})
        self._track_native()
        self._take_thresholds(settings)

    def _track_native(self):
        for variable, name in zip(self._native.variables, self._native.variable_names):
            self._core.track(variable, False)
            object.__setattr__(self, {"total_confusion_matrix": "total_cm"}.get(name, name), variable)

    def _take_thresholds(self, settings):
        """Those that are used, where they are given as a list, a number of them, or not at all."""
        if "thresholds" not in settings and "num_thresholds" not in settings:
            return
        object.__setattr__(self, "init_thresholds", settings.get("thresholds"))
        object.__setattr__(self, "thresholds", self._native.thresholds)
        if "num_thresholds" in settings:
            object.__setattr__(self, "num_thresholds", len(self.thresholds))
        if "thresholds" in settings and "num_thresholds" in settings:  # the ends come by themselves
            settings.update(num_thresholds=self.num_thresholds, thresholds=self.thresholds[1:-1])

    def update_state(self, y_true, y_pred, sample_weight=None):
        """Takes a batch into account."""
        return self._updated([y_true, y_pred], sample_weight)

    def _updated(self, values, sample_weight):
        made = self._native.update_state(values, sample_weight)
        self._track_native()
        if _rill.executing_eagerly():
            return None
        self._update_ops.append(made)
        return made

    def result(self):
        """The number of all batches so far."""
        return self._native.result()

    def get_config(self):
        """The arguments that make the same metric."""
        return {**super().get_config(), **self._settings}


class _OfValues(_Native):
    def update_state(self, values, sample_weight=None):
        """Takes values into account."""
        return self._updated([values], sample_weight)


class Mean(_OfValues):
    """The mean of values."""

    _metric_kind = "Mean"

    def __init__(self, name="mean", dtype=None):
        self._set_up(locals())


class Sum(_OfValues):
    """The sum of values."""

    _metric_kind = "Sum"

    def __init__(self, name="sum", dtype=None):
        self._set_up(locals())


class MeanTensor(_OfValues):
    """The mean of each element of equally shaped tensors."""

    _metric_kind = "MeanTensor"

    def __init__(self, name="mean_tensor", dtype=None):
        self._set_up(locals())


class MeanMetricWrapper(Mean):
    """The mean of what a function says of each example."""

    def __init__(self, fn, name=None, dtype=None, **kwargs):
        self._set_up({"name": name, "dtype": dtype})
        self._fn, self._fn_kwargs = fn, kwargs

    def update_state(self, y_true, y_pred, sample_weight=None):
        """Takes a batch into account."""
        cast = _surface._find("cast")
        return super().update_state(self._fn(cast(y_true, self.dtype), cast(y_pred, self.dtype),
                                             **self._fn_kwargs), sample_weight)

    def get_config(self):
        """The arguments that make the same metric."""
        return {**self._fn_kwargs, "name": self.name, "dtype": self.dtype}


def _plain(class_name, doc, **defaults):
    """A metric that C++ computes, with these arguments and their defaults."""
    order = [key for key in defaults if key != "_required"]
    required = defaults.get("_required", ())

    def __init__(self, *args, **kwargs):
        bound = __init__.__signature__.bind(self, *args, **kwargs)
        bound.apply_defaults()
        self._set_up(dict(bound.arguments))

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter("self", kind)] + [inspect.Parameter(key, kind) for key in required] + [
        inspect.Parameter(key, kind, default=defaults[key]) for key in order]
    __init__.__signature__ = inspect.Signature(parameters)
    return type(class_name, (_Native,), {"__init__": __init__, "__doc__": doc, "__module__": __name__,
                                       "_metric_kind": class_name})


Accuracy = _plain("Accuracy", "How often predictions equal the truth.", name="accuracy", dtype=None)
BinaryAccuracy = _plain("BinaryAccuracy", "How often predictions are on the right side.",
                        name="binary_accuracy", dtype=None, threshold=0.5)
CategoricalAccuracy = _plain("CategoricalAccuracy", "How often the best class is the true one.",
                             name="categorical_accuracy", dtype=None)
SparseCategoricalAccuracy = _plain("SparseCategoricalAccuracy", "The same for numbers of classes.",
                                   name="sparse_categorical_accuracy", dtype=None)
TopKCategoricalAccuracy = _plain("TopKCategoricalAccuracy", "How often the true class is among the k best.",
                                 k=5, name="top_k_categorical_accuracy", dtype=None)
SparseTopKCategoricalAccuracy = _plain("SparseTopKCategoricalAccuracy", "The same for numbers of classes.",
                                       k=5, name="sparse_top_k_categorical_accuracy", dtype=None)
CosineSimilarity = _plain("CosineSimilarity", "The cosine of the angle between truth and prediction.",
                          name="cosine_similarity", dtype=None, axis=-1)
MeanAbsoluteError = _plain("MeanAbsoluteError", "The mean size of differences.",
                           name="mean_absolute_error", dtype=None)
MeanAbsolutePercentageError = _plain("MeanAbsolutePercentageError", "The same in per cent of the truth.",
                                     name="mean_absolute_percentage_error", dtype=None)
MeanSquaredError = _plain("MeanSquaredError", "The mean square of differences.",
                          name="mean_squared_error", dtype=None)
MeanSquaredLogarithmicError = _plain("MeanSquaredLogarithmicError",
                                     "The mean square of differences of logarithms.",
                                     name="mean_squared_logarithmic_error", dtype=None)
RootMeanSquaredError = _plain("RootMeanSquaredError", "The root of the mean square of differences.",
                              name="root_mean_squared_error", dtype=None)
Hinge = _plain("Hinge", "The mean of what is missing to a margin of one.", name="hinge", dtype=None)
SquaredHinge = _plain("SquaredHinge", "The mean square of that.", name="squared_hinge", dtype=None)
CategoricalHinge = _plain("CategoricalHinge", "The mean hinge loss of classes.", name="categorical_hinge",
                          dtype=None)
LogCoshError = _plain("LogCoshError", "The mean logarithm of the hyperbolic cosine of differences.",
                      name="logcosh", dtype=None)
Poisson = _plain("Poisson", "The mean Poisson loss.", name="poisson", dtype=None)
KLDivergence = _plain("KLDivergence", "The mean Kullback-Leibler divergence.",
                      name="kullback_leibler_divergence", dtype=None)
BinaryCrossentropy = _plain("BinaryCrossentropy", "The mean cross entropy of truths between 0 and 1.",
                            name="binary_crossentropy", dtype=None, from_logits=False, label_smoothing=0)
CategoricalCrossentropy = _plain("CategoricalCrossentropy", "The mean cross entropy of one-hot truths.",
                                 name="categorical_crossentropy", dtype=None, from_logits=False,
                                 label_smoothing=0)
SparseCategoricalCrossentropy = _plain("SparseCategoricalCrossentropy",
                                       "The mean cross entropy of numbers of classes.",
                                       name="sparse_categorical_crossentropy", dtype=None,
                                       from_logits=False, axis=-1)
MeanRelativeError = _plain("MeanRelativeError", "The mean difference, as a part of other values.",
                           _required=("normalizer",), name=None, dtype=None)
TruePositives = _plain("TruePositives", "How often positive was said, and true.", thresholds=None, name=None,
                       dtype=None)
TrueNegatives = _plain("TrueNegatives", "How often negative was said, and true.", thresholds=None, name=None,
                       dtype=None)
FalsePositives = _plain("FalsePositives", "How often positive was said, and false.", thresholds=None,
                        name=None, dtype=None)
FalseNegatives = _plain("FalseNegatives", "How often negative was said, and false.", thresholds=None,
                        name=None, dtype=None)
Precision = _plain("Precision", "The share of truth in what was said to be positive.", thresholds=None,
                   top_k=None, class_id=None, name=None, dtype=None)
Recall = _plain("Recall", "The share of what is positive that was said to be.", thresholds=None, top_k=None,
                class_id=None, name=None, dtype=None)
AUC = _plain("AUC", "The area under the curve of right answers over wrong ones.", num_thresholds=200,
             curve="ROC", summation_method="interpolation", name=None, dtype=None, thresholds=None)
SensitivityAtSpecificity = _plain("SensitivityAtSpecificity",
                                  "The best sensitivity where the specificity is reached.",
                                  _required=("specificity",), num_thresholds=200, name=None, dtype=None)
SpecificityAtSensitivity = _plain("SpecificityAtSensitivity",
                                  "The best specificity where the sensitivity is reached.",
                                  _required=("sensitivity",), num_thresholds=200, name=None, dtype=None)
MeanIoU = _plain("MeanIoU", "How far predicted classes cover the true ones.", _required=("num_classes",),
                 name=None, dtype=None)


def cosine_similarity(y_true, y_pred, axis=-1):
    """The cosine of the angle between truth and prediction."""
    return _surface._find("keras.metrics.cosine_proximity")(y_true, y_pred, axis)


def serialize(metric):
    """The name of a metric function, or a dict of a metric."""
    return _objects.serialize_keras_object(metric)


def deserialize(config, custom_objects=None):
    """The metric that a name or a dict describes."""
    return _objects.deserialize_keras_object(config, _objects.Names(sys.modules[__name__]), custom_objects,
                                             "metric function")


def get(identifier):
    """A metric by its name, its dict, or as it is."""
    if isinstance(identifier, (str, dict)):
        return deserialize(identifier)
    if callable(identifier):
        return identifier
    raise ValueError(f"Could not interpret metric function identifier: {identifier}")


__getattr__, __dir__ = _surface.members_of(__name__)
