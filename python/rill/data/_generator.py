"""Datasets of what a Python generator yields."""

import threading

import numpy as np

from rill import _rill, script_ops
from rill._framework import convert_n_to_tensor
from rill._type_spec import TensorSpec
from rill.data import _nest, _structure


class _Running:
    """The generators at work, by the numbers that their iterations have."""

    def __init__(self, generator):
        self._generator, self._lock = generator, threading.Lock()
        self._args, self._iterators, self._next_id = {}, {}, 0

    def start(self, *args):
        """A number for a new iteration."""
        with self._lock:
            number = self._next_id
            self._next_id += 1
        self._args[number] = args
        return np.array(number, dtype=np.int64)

    def next(self, number):
        """What the generator of an iteration yields next."""
        if number not in self._iterators:
            self._iterators[number] = iter(self._generator(*self._args.pop(number)))
        return next(self._iterators[number])

    def end(self, number):
        self._args.pop(number, None)
        self._iterators.pop(number, None)


def _as_array(value, dtype):
    try:
        if dtype != _rill.string:
            return np.asarray(value, dtype=dtype.as_numpy_dtype, order="C")
        array = np.asarray(value)
        if array.dtype.kind not in "SUO":
            raise TypeError("not text")
        encoded = [item.encode() if isinstance(item, str) else item for item in array.ravel().tolist()]
        return np.array(encoded, dtype=object).reshape(array.shape)
    except (TypeError, ValueError) as error:
        raise TypeError("`generator` yielded an element that could not be converted to the expected type. The expected "
                        f"type was {dtype.name}, but the yielded element was {value}.") from error


def _checked(values, output_types, output_shapes):
    """What a generator yielded as a flat list of arrays of the right types and shapes."""
    try:
        leaves = _nest.flatten_up_to(output_types, values)
    except (TypeError, ValueError) as error:
        raise TypeError("`generator` yielded an element that did not match the expected structure. The expected "
                        f"structure was {output_types}, but the yielded element was {values}.") from error
    arrays = []
    for leaf, dtype, shape in zip(leaves, _nest.flatten(output_types), _nest.flatten(output_shapes)):
        array = _as_array(leaf, dtype)
        if not shape.is_compatible_with(array.shape):
            raise ValueError(f"`generator` yielded an element of shape {array.shape} where an element of shape "
                             f"{shape} was expected.")
        arrays.append(array)
    return arrays


def from_generator(generator, output_types, output_shapes=None, args=None):
    """The C++ dataset of what `generator(*args)` yields."""
    if not callable(generator):
        raise TypeError("`generator` must be callable.")
    output_types = _nest.map_structure(_rill.as_dtype, output_types)
    if output_shapes is None:
        output_shapes = _nest.map_structure(lambda _: _rill.TensorShape(None), output_types)
    else:
        output_shapes = _nest.map_structure_up_to(output_types, _rill.as_shape, output_shapes)
    args = () if args is None else tuple(convert_n_to_tensor(args, name="args"))
    running = _Running(generator)
    types, shapes = _nest.flatten(output_types), _nest.flatten(output_shapes)

    def init(values):
        (number,) = [script_ops.numpy_function(running.start, list(args), _rill.int64)]
        number.set_shape([])
        return [number], 0

    def next_(values):
        def taken(number):
            return _checked(running.next(int(number)), output_types, output_shapes)

        tensors = script_ops.numpy_function(taken, [values[0]], types)
        for tensor, shape in zip(tensors, shapes):
            tensor.set_shape(shape)
        return tensors, _structure.form_of(output_types)

    def finalize(values):
        def ended(number):
            running.end(int(number))
            return np.array(0, dtype=np.int64)

        number = script_ops.numpy_function(ended, [values[0]], _rill.int64)
        number.set_shape([])
        return [number], 0

    spec = _nest.map_structure(lambda shape, dtype: TensorSpec(shape, dtype), output_shapes, output_types)
    return _rill.data_from_functions([0], init, next_, finalize, _structure.element_of(spec))
