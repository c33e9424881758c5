"""What programs give to models, as lists of arrays that fit their inputs and outputs."""

import numpy as np

import rill as tf
from rill import _rill
from rill.errors import UnimplementedError


def dtype_for(array):
    """The type of an input for an array."""
    kind = np.asarray(array).dtype
    if kind.kind in "SUO":
        return "string"
    return "float32" if kind.kind == "f" else kind.name if kind.kind in "iub" else "float32"


def refuse_tensors(x, method):
    """Tensors and data sets are not fed."""
    for item in x if isinstance(x, (list, tuple)) else [x]:
        if isinstance(item, _rill.EagerTensor):
            continue
        if isinstance(item, tf.Tensor) or type(item).__name__.endswith(("Dataset", "DatasetV1Adapter", "Iterator")):
            raise UnimplementedError(None, None, f"Model.{method} with tensors or data sets; give it arrays")


def _listed(data, names, what):
    if data is None:
        return []
    if isinstance(data, dict):
        try:
            return [data[name] for name in names]
        except KeyError as error:
            raise ValueError(f'No data provided for {error}. Need data for each key in: {names}') from None
    if isinstance(data, (list, tuple)) and not (len(names) == 1 and data and np.ndim(data[0]) == 0):
        listed = list(data)
        if len(names) == 1 and len(listed) != 1 and not hasattr(listed[0] if listed else None, "shape"):
            listed = [np.asarray(data)]
    else:
        listed = [data]
    if len(listed) != len(names):
        raise ValueError(f"Error when checking model {what}: the list of Numpy arrays that you are passing to your "
                         f"model is not the size the model expected. Expected to see {len(names)} array(s), but "
                         f"instead got the following list of {len(listed)} arrays: {str(listed)[:200]}...")
    return listed


def _fitting(arrays, names, shapes, what):
    """Arrays with a last dimension where one is missing; raises ValueError where they do not fit."""
    made = []
    for array, name, shape in zip(arrays, names, shapes):
        array = np.asarray(array)
        if array.ndim == 1 and (shape is None or len(shape) != 1):
            array = array[:, np.newaxis]
        if shape is not None:
            if array.ndim != len(shape):
                raise ValueError(f"Error when checking {what}: expected {name} to have {len(shape)} dimensions, but "
                                 f"got array with shape {array.shape}")
            for size, wanted in zip(array.shape[1:], shape[1:]):
                if wanted is not None and size != wanted:
                    raise ValueError(f"Error when checking {what}: expected {name} to have shape "
                                     f"{tuple(shape[1:])} but got array with shape {array.shape[1:]}")
        made.append(array)
    return made


def _shape(tensor):
    return None if tensor.shape.ndims is None else tensor.shape.as_list()


def inputs(model, x):
    """One array for each input."""
    return _fitting(_listed(x, model.input_names, "input"), model.input_names,
                    [_shape(t) for t in model.inputs], "input")


def _targets(model, y):
    training = model._training
    names = [name for name, trained in zip(model.output_names, training.trained) if trained]
    shapes = [shape for shape, trained in zip(training.target_shapes, training.trained) if trained]
    return _fitting(_listed(y, names, "target"), names, shapes, "target")


def _class_weights(y, class_weight):
    if y.ndim == 2 and y.shape[1] > 1:
        classes = np.argmax(y, axis=1)
    else:
        classes = y.reshape(y.shape[0]) if y.size == y.shape[0] else y
    missing = set(np.unique(classes).astype(int)) - set(class_weight)
    if missing:
        raise ValueError("`class_weight` must contain all classes in the data. The classes "
                         f"{missing} exist in the data but not in `class_weight`.")
    return np.asarray([class_weight[int(c)] for c in classes], dtype="float32")


def _weights(model, y, sample_weight, class_weight):
    names = [name for name, trained in zip(model.output_names, model._training.trained) if trained]

    def of_outputs(given):
        if given is None:
            return [None] * len(y)
        if isinstance(given, dict) and all(key in names for key in given):
            return [given.get(name) for name in names]
        return list(given) if isinstance(given, list) and len(given) == len(y) and len(y) > 1 else [given] * len(y)
    made = []
    for truth, sample, classes in zip(y, of_outputs(sample_weight), of_outputs(class_weight)):
        weights = None if sample is None else np.asarray(sample, dtype="float32")
        if classes is not None:
            by_class = _class_weights(truth, classes)
            weights = by_class if weights is None else weights * by_class
        made.append(weights)
    return made


def examples(model, x, y, sample_weight, class_weight):
    """Arrays of inputs, of targets, and of weights or None."""
    given = inputs(model, x)
    truth = _targets(model, y)
    weights = _weights(model, truth, sample_weight, class_weight)
    lengths = {len(a) for a in [*given, *truth, *(w for w in weights if w is not None)]}
    if len(lengths) > 1:
        if len({len(a) for a in given}) > 1:
            raise ValueError("All input arrays (x) should have the same number of samples. Got array shapes: "
                             f"{[a.shape for a in given]}")
        if len({len(a) for a in truth}) > 1:
            raise ValueError("All target arrays (y) should have the same number of samples. Got array shapes: "
                             f"{[a.shape for a in truth]}")
        if truth and len(given[0]) != len(truth[0]):
            raise ValueError("Input arrays should have the same number of samples as target arrays. Found "
                             f"{len(given[0])} input samples and {len(truth[0])} target samples.")
        raise ValueError("Sample_weight arrays should have the same number of samples as target arrays. Got "
                         f"{len(truth[0])} input samples and "
                         f"{next(len(w) for w in weights if w is not None)} target samples.")
    return given, truth, weights


def count_of(data):
    """The number of examples."""
    return len(data[0][0]) if data[0] else 0


def validation_of(model, validation_data):
    """The examples of `validation_data`, or None."""
    if validation_data is None:
        return None
    if not isinstance(validation_data, (list, tuple)) or len(validation_data) not in (2, 3):
        raise ValueError("When passing a `validation_data` argument, it must contain either 2 items (x_val, y_val), "
                         f"or 3 items (x_val, y_val, val_sample_weights). Found: {validation_data}")
    x, y, *weights = validation_data
    return examples(model, x, y, weights[0] if weights else None, None)


def split(data, part):
    """The first examples, and the last ones for validation."""
    kept = int(count_of(data) * (1.0 - part))
    cut = lambda begin, end: tuple(  # noqa: E731
        [None if array is None else array[begin:end] for array in arrays] for arrays in data)
    return cut(0, kept), cut(kept, None)


def shuffler(shuffle, batch_size):
    """What brings the numbers of examples into another order, by NumPy's generator; None: nothing does."""
    if not shuffle:
        return None

    def shuffled(order):
        order = np.asarray(order)
        if shuffle == "batch":
            full = len(order) // batch_size * batch_size
            last, order = order[full:], order[:full].reshape((-1, batch_size))
            np.random.shuffle(order)
            return [int(i) for i in np.append(order.flatten(), last)]
        np.random.shuffle(order)
        return [int(i) for i in order]
    return shuffled
