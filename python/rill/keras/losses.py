"""tf.keras.losses: how wrong predictions are."""

import sys

from rill import _rill, _surface
from rill._scopes import name_scope
from rill.keras import _objects

_AUTO = "auto"


class Loss:
    """A loss: `call` says it of each example, the rest is how these become one number."""

    def __init__(self, reduction=_AUTO, name=None):
        if reduction not in (_AUTO, "none", "sum", "sum_over_batch_size"):
            raise ValueError(f"Invalid Reduction Key {reduction}.")
        self.reduction, self.name = reduction, name

    def __call__(self, y_true, y_pred, sample_weight=None):
        """The loss of a batch."""
        scope = "lambda" if self.name == "<lambda>" else self.name
        with name_scope(scope or type(self).__name__):
            return _rill.functions._keras.weighted_loss(self.call(y_true, y_pred), sample_weight,
                                                        self.reduction)

    def call(self, y_true, y_pred):
        """The losses of the examples."""
        raise NotImplementedError("Must be implemented in subclasses.")

    def get_config(self):
        """The arguments that make the same loss."""
        return {"reduction": self.reduction, "name": self.name}

    @classmethod
    def from_config(cls, config):
        """The loss that `get_config` describes."""
        return cls(**config)


class LossFunctionWrapper(Loss):
    """A loss that is a function of a program."""

    def __init__(self, fn, reduction=_AUTO, name=None, **kwargs):
        super().__init__(reduction=reduction, name=name)
        self.fn, self._fn_kwargs = fn, kwargs

    def call(self, y_true, y_pred):
        """The losses of the examples."""
        return self.fn(y_true, y_pred, **self._fn_kwargs)

    def get_config(self):
        """The arguments that make the same loss."""
        return {**super().get_config(), **self._fn_kwargs}


def _loss(name, function, wrapper_name, doc):
    """A class for a function without arguments of its own."""
    def __init__(self, reduction=_AUTO, name=wrapper_name):
        LossFunctionWrapper.__init__(self, getattr(sys.modules[__name__], function), reduction, name)
    return type(name, (LossFunctionWrapper,), {"__init__": __init__, "__doc__": doc, "__module__": __name__})


MeanSquaredError = _loss("MeanSquaredError", "mean_squared_error", "mean_squared_error",
                         "The mean square of the differences.")
MeanAbsoluteError = _loss("MeanAbsoluteError", "mean_absolute_error", "mean_absolute_error",
                          "The mean size of the differences.")
MeanAbsolutePercentageError = _loss("MeanAbsolutePercentageError", "mean_absolute_percentage_error",
                                    "mean_absolute_percentage_error",
                                    "The mean difference in per cent of the truth.")
MeanSquaredLogarithmicError = _loss("MeanSquaredLogarithmicError", "mean_squared_logarithmic_error",
                                    "mean_squared_logarithmic_error",
                                    "The mean square of the differences of logarithms.")
Hinge = _loss("Hinge", "hinge", "hinge", "What is missing to a margin of one.")
SquaredHinge = _loss("SquaredHinge", "squared_hinge", "squared_hinge", "The square of that.")
CategoricalHinge = _loss("CategoricalHinge", "categorical_hinge", "categorical_hinge",
                         "By how much the best wrong class comes too near to the right one.")
Poisson = _loss("Poisson", "poisson", "poisson", "The Poisson loss of predicted rates.")
LogCosh = _loss("LogCosh", "logcosh", "logcosh", "The logarithm of the hyperbolic cosine of differences.")
KLDivergence = _loss("KLDivergence", "kullback_leibler_divergence", "kullback_leibler_divergence",
                     "How far predicted distributions are from the true ones.")


class BinaryCrossentropy(LossFunctionWrapper):
    """The cross entropy of truths and predictions between 0 and 1."""

    def __init__(self, from_logits=False, label_smoothing=0, reduction=_AUTO, name="binary_crossentropy"):
        super().__init__(sys.modules[__name__].binary_crossentropy, reduction, name, from_logits=from_logits,
                         label_smoothing=label_smoothing)
        self.from_logits = from_logits


class CategoricalCrossentropy(LossFunctionWrapper):
    """The cross entropy of one-hot truths and predicted classes."""

    def __init__(self, from_logits=False, label_smoothing=0, reduction=_AUTO,
                 name="categorical_crossentropy"):
        super().__init__(sys.modules[__name__].categorical_crossentropy, reduction, name,
                         from_logits=from_logits, label_smoothing=label_smoothing)


class SparseCategoricalCrossentropy(LossFunctionWrapper):
    """The cross entropy of numbers of classes and predicted classes."""

    def __init__(self, from_logits=False, reduction=_AUTO, name="sparse_categorical_crossentropy"):
        super().__init__(sys.modules[__name__].sparse_categorical_crossentropy, reduction, name,
                         from_logits=from_logits)


class CosineSimilarity(LossFunctionWrapper):
    """The cosine of the angle between truth and prediction."""

    def __init__(self, axis=-1, reduction=_AUTO, name="cosine_similarity"):
        super().__init__(sys.modules[__name__].cosine_similarity, reduction, name, axis=axis)


class Huber(LossFunctionWrapper):
    """Squares of small differences, sizes of large ones."""

    def __init__(self, delta=1.0, reduction=_AUTO, name="huber_loss"):
        super().__init__(_rill.functions._keras.huber_loss, reduction, name, delta=delta)


def serialize(loss):
    """The name of a loss function, or a dict of a loss."""
    return _objects.serialize_keras_object(loss)


def deserialize(name, custom_objects=None):
    """The loss that a name or a dict describes."""
    return _objects.deserialize_keras_object(name, _objects.Names(sys.modules[__name__]), custom_objects,
                                             "loss function")


def get(identifier):
    """A loss by its name, its dict, or as it is."""
    if identifier is None:
        return None
    if isinstance(identifier, (str, dict)):
        return deserialize(str(identifier) if isinstance(identifier, str) else identifier)
    if callable(identifier):
        return identifier
    raise ValueError(f"Could not interpret loss function identifier: {identifier}")


__getattr__, __dir__ = _surface.members_of(__name__)
