"""tf.estimator.export: where exported models are fed, and what they offer."""

import abc
import collections

from rill import _rill, _surface
from rill._ragged_tensor import RaggedTensor as _RaggedTensor
from rill._sparse_tensor import SparseTensor as _SparseTensor

_LONE_NAMES = {"feature": "feature", "label": "label", "receiver_tensor": "input",
               "receiver_tensors_alternative": "input"}


# --- where models are fed ----------------------------------------------------------------------


def _check_tensor(tensor, name, label):
    if isinstance(tensor, (_rill.Tensor, _SparseTensor, _RaggedTensor)):
        return
    error = ValueError(f"{label}{' ' + str(name) if name else ''} must be a Tensor, SparseTensor, or RaggedTensor.")
    if not hasattr(tensor, "tensor"):
        raise error
    try:
        _rill.convert_to_tensor(tensor)
    except TypeError:
        raise error from None


def _named(tensors, label, int_keys=False):
    """A dict of tensors, checked; a lone tensor gets a name."""
    if tensors is None:
        raise ValueError(f"{label}s must be defined.")
    if not isinstance(tensors, dict):
        tensors = {_LONE_NAMES[label]: tensors}
    for name, tensor in tensors.items():
        if not isinstance(name, (str, int) if int_keys else str):
            raise ValueError(f"{label} keys must be strings{' or ints' if int_keys else ''}: {name}.")
        _check_tensor(tensor, name, label)
    return tensors


class ServingInputReceiver(collections.namedtuple("ServingInputReceiver", [
        "features", "receiver_tensors", "receiver_tensors_alternatives"])):
    """Where a served model is fed, and the features that it is built with."""

    def __new__(cls, features, receiver_tensors, receiver_tensors_alternatives=None):
        features = _named(features, "feature", int_keys=True)
        receiver_tensors = _named(receiver_tensors, "receiver_tensor")
        if receiver_tensors_alternatives is not None:
            if not isinstance(receiver_tensors_alternatives, dict):
                raise ValueError(f"receiver_tensors_alternatives must be a dict: {receiver_tensors_alternatives}.")
            for name, tensors in receiver_tensors_alternatives.items():
                receiver_tensors_alternatives[name] = _named(tensors, "receiver_tensors_alternative")
        return super().__new__(cls, features, receiver_tensors, receiver_tensors_alternatives)


class TensorServingInputReceiver(collections.namedtuple("TensorServingInputReceiver", [
        "features", "receiver_tensors", "receiver_tensors_alternatives"])):
    """The same for a model that takes one feature as it is."""

    def __new__(cls, features, receiver_tensors, receiver_tensors_alternatives=None):
        if features is None:
            raise ValueError("features must be defined.")
        _check_tensor(features, None, "feature")
        named = ServingInputReceiver(features, receiver_tensors, receiver_tensors_alternatives)
        return super().__new__(cls, named.features["feature"], *named[1:])


class UnsupervisedInputReceiver(ServingInputReceiver):
    """For a model that trains or is evaluated without labels."""

    def __new__(cls, features, receiver_tensors):
        return super().__new__(cls, features, receiver_tensors, None)


class SupervisedInputReceiver(collections.namedtuple("SupervisedInputReceiver", [
        "features", "labels", "receiver_tensors"])):
    """Where a model that trains or is evaluated is fed, its features and labels."""

    def __new__(cls, features, labels, receiver_tensors):
        _named(features, "feature", int_keys=True)
        _named(labels, "label", int_keys=True)
        return super().__new__(cls, features, labels, _named(receiver_tensors, "receiver_tensor"))


def build_parsing_serving_input_receiver_fn(feature_spec, default_batch_size=None):
    """Feeds a model with serialized examples."""
    def serving_input_receiver_fn():
        examples = _rill.placeholder("string", [default_batch_size], "input_example_tensor")
        features = _rill.functions.io.parse_example(examples, feature_spec)
        return ServingInputReceiver(features, {"examples": examples})

    return serving_input_receiver_fn


def _placeholders(tensors, default_batch_size):
    """A placeholder for each tensor, with another first dimension."""
    def one(tensor):
        shape = tensor.get_shape()
        if shape.ndims is not None:
            shape = [default_batch_size] + shape.as_list()[1:]
        return _rill.placeholder(tensor.dtype.base_dtype, shape, getattr(getattr(tensor, "op", None), "name", None))

    return {name: one(tensor) for name, tensor in tensors.items()} if isinstance(tensors, dict) else one(tensors)


def build_raw_serving_input_receiver_fn(features, default_batch_size=None):
    """Feeds a model with its features."""
    def serving_input_receiver_fn():
        tensors = _placeholders(features, default_batch_size)
        return ServingInputReceiver(tensors, tensors)

    return serving_input_receiver_fn


def build_raw_supervised_input_receiver_fn(features, labels, default_batch_size=None):
    """Feeds a model with its features and labels."""
    def as_dict(tensors, name):
        return tensors if isinstance(tensors, dict) else {name: tensors}

    both = set(as_dict(features, "input")) & set(as_dict(labels, "label"))
    if both:
        raise ValueError(f"Features and labels must have distinct keys. Found overlapping keys: {both}")

    def supervised_input_receiver_fn():
        x = _placeholders(features, default_batch_size)
        y = _placeholders(labels, default_batch_size)
        return SupervisedInputReceiver(x, y, {**as_dict(x, "input"), **as_dict(y, "label")})

    return supervised_input_receiver_fn


def build_supervised_input_receiver_fn_from_input_fn(input_fn, **input_fn_args):
    """Feeds a model with features and labels like those that an input function gives."""
    from rill import data
    with _rill.Graph().as_default():
        result = input_fn(**input_fn_args)
        if isinstance(result, data.Dataset):
            result = result.make_initializable_iterator().get_next()
        if not isinstance(result, (list, tuple)) or len(result) != 2:
            raise ValueError("input_fn should return (features, labels) as a len 2 tuple.")
    return build_raw_supervised_input_receiver_fn(*result)


# --- what they offer ---------------------------------------------------------------------------


class ExportOutput:
    """One of the answers that an exported model can give."""

    __metaclass__ = abc.ABCMeta

    @abc.abstractmethod
    def as_signature_def(self, receiver_tensors):
        """The SignatureDef of a model that is fed through `receiver_tensors`."""


class _CoreOutput(ExportOutput):
    def as_signature_def(self, receiver_tensors):
        """The SignatureDef of a model that is fed through `receiver_tensors`."""
        return self._core.signature(receiver_tensors)


class ClassificationOutput(_CoreOutput):
    """Classes, or scores of all classes, or both."""

    def __init__(self, scores=None, classes=None):
        self._core = _rill.ExportOutputCore.classification(scores, classes)

    scores = property(lambda self: self._core.get("scores"), doc="How likely the classes are.")
    classes = property(lambda self: self._core.get("classes"), doc="Their names.")


class RegressionOutput(_CoreOutput):
    """A number for each example."""

    def __init__(self, value):
        self._core = _rill.ExportOutputCore.regression(value)

    value = property(lambda self: self._core.get("value"), doc="The numbers.")


class PredictOutput(_CoreOutput):
    """Any tensors, by name."""

    def __init__(self, outputs):
        self._core = _rill.ExportOutputCore.prediction(outputs)

    outputs = property(lambda self: self._core.get("outputs"), doc="The tensors by name.")


class _SupervisedOutput(_CoreOutput):
    def __init__(self, loss=None, predictions=None, metrics=None):
        self._core = _rill.ExportOutputCore.supervised(loss, predictions, metrics, self._trains)


class TrainOutput(_SupervisedOutput):
    """Loss, predictions and metrics of a model that trains."""

    _trains = True


class EvalOutput(_SupervisedOutput):
    """Loss, predictions and metrics of a model that is evaluated."""

    _trains = False


_KINDS = (ClassificationOutput, RegressionOutput, PredictOutput)


def _of_core(core):
    output = object.__new__(_KINDS[core.kind] if core.kind < len(_KINDS) else _CoreOutput)
    output._core = core
    return output


__getattr__, __dir__ = _surface.members_of(__name__)
