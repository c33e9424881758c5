"""What cells have in common: RNNCell, and the cells whose arithmetic is C++'s."""

import collections
import copy
import re

from rill import _initializers, _nest, _rill
from rill._layers import Layer
from rill._static import constant_value
from rill._variable_scope import get_variable_scope, variable_scope


class LSTMStateTuple(collections.namedtuple("LSTMStateTuple", ("c", "h"))):
    """The states of an LSTM, or their sizes."""

    __slots__ = ()

    @property
    def dtype(self):
        c, h = self
        if c.dtype != h.dtype:
            raise TypeError(f"Inconsistent dtypes for internal state: {c.dtype} vs {h.dtype}")
        return c.dtype


def _has(cell, name):
    try:
        getattr(cell, name)
    except AttributeError:
        return False
    return True


def assert_like_rnncell(cell_name, cell):
    """Raises TypeError unless `cell` has what networks need."""
    missing = []
    if not _has(cell, "output_size"):
        missing.append("'output_size' property is missing")
    if not _has(cell, "state_size"):
        missing.append("'state_size' property is missing")
    if not _has(cell, "get_initial_state") and not _has(cell, "zero_state"):
        missing.append("either 'zero_state' or 'get_initial_state' method is required")
    if not callable(cell):
        missing.append("is not callable")
    if missing:
        raise TypeError(f"The argument {cell_name!r} ({cell}) is not an RNNCell: {', '.join(missing)}.")


def _check_dtype(dtype):
    if dtype is None:
        return
    dtype = _rill.as_dtype(dtype)
    if not (dtype.is_floating or dtype.is_complex):
        raise ValueError(f"RNN cell only supports floating point inputs, but saw dtype: {dtype}")


def _static_rows(batch_size):
    """What is known of a batch size before anything runs."""
    if isinstance(batch_size, _rill.Tensor):
        return constant_value(batch_size)
    return batch_size


def zero_tensors(sizes, batch_size, dtype, name):
    """A structure of zeros in a name scope of their own."""
    if batch_size is None:
        raise ValueError(f"Prefix or suffix can't be None. Received prefix = None and suffix = {sizes}")
    flat = _rill.cell_zero_state(_nest.flatten(sizes), batch_size, dtype, name)
    return _nest.pack_sequence_as(sizes, flat)


def zero_state_tensors(state_size, batch_size, dtype):
    """The same in the current name scope."""
    rows = _static_rows(batch_size)
    shapes = [[batch_size] + _rill.as_shape(size).as_list() for size in _nest.flatten(state_size)]
    zeros = [_rill.functions.zeros(_rill.functions.stack(shape) if rows is None else [rows] + shape[1:], dtype)
             for shape in shapes]
    for tensor, shape in zip(zeros, shapes):
        tensor.set_shape([rows] + shape[1:])
    return _nest.pack_sequence_as(state_size, zeros)


def _own_name(cell):
    """The name that a program gave to a cell; None: it is called after its class."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z0-9])", "_", type(cell).__name__)
    return None if re.fullmatch(rf"{words.lower()}(_\d+)?", cell.name) else cell.name


def _copied(value, memo):
    try:
        return copy.deepcopy(value, memo)
    except TypeError:  # tensors, and what C++ holds
        return value


class RNNCell(Layer):
    """A layer that is called for each step with an input and the state that its last call returned."""

    def __init__(self, trainable=True, name=None, dtype=None, **kwargs):
        super().__init__(trainable=trainable, name=name, dtype=dtype, **kwargs)
        self._is_tf_rnn_cell = True

    def __call__(self, inputs, state, scope=None):
        """The output of one step, and the new state."""
        if scope is not None:
            with variable_scope(scope, custom_getter=self._rnn_get_variable) as inner:
                return super().__call__(inputs, state, scope=inner)
        around = getattr(self, "rnncell_scope", None)
        if around is None:
            around = variable_scope(get_variable_scope(), custom_getter=self._rnn_get_variable)
            self.rnncell_scope = around
        with around:
            return super().__call__(inputs, state)

    def _rnn_get_variable(self, getter, *args, **kwargs):
        """Makes variables that a step gets with get_variable the cell's."""
        variable = getter(*args, **kwargs)
        trained = {id(v) for v in _rill.get_default_graph().get_collection("trainable_variables")}
        for part in getattr(variable, "_variable_list", [variable]):
            if isinstance(part, _rill.VariableBase):
                self._core.track(part, id(part) in trained)
        return variable

    @property
    def state_size(self):
        """The sizes of the states: a number, a shape, or a structure of such."""
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self):
        """The size of the output: a number, a shape, or a structure of such."""
        raise NotImplementedError("Abstract method")

    def build(self, _):
        pass

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        """zero_state for as many examples as there are inputs."""
        if inputs is not None:
            inputs = _rill.convert_to_tensor(inputs, name="inputs")
            rows = inputs.shape.as_list()[0]
            if batch_size is not None and rows != _static_rows(batch_size):
                raise ValueError("batch size from input tensor is different from the input param. Input "
                                 f"tensor batch: {rows}, batch_size: {batch_size}")
            if dtype is not None and inputs.dtype != dtype:
                raise ValueError("dtype from input tensor is different from the input param. Input tensor "
                                 f"dtype: {inputs.dtype}, dtype: {dtype}")
            batch_size = rows or _rill.functions.shape(inputs)[0]
            dtype = inputs.dtype
        if batch_size is None or dtype is None:
            raise ValueError("batch_size and dtype cannot be None while constructing initial state: "
                             f"batch_size={batch_size}, dtype={dtype}")
        return self.zero_state(batch_size, dtype)

    def zero_state(self, batch_size, dtype):
        """States of zeros for so many examples."""
        return zero_tensors(self.state_size, batch_size, dtype, type(self).__name__ + "ZeroState")

    def __deepcopy__(self, memo):
        """A cell like this one; variables that are there already are the same."""
        twin = memo[id(self)] = type(self).__new__(type(self))
        twin.__dict__["_keras_style"] = self._keras_style
        twin._start(self.trainable, _own_name(self), self.dtype, False, {}, self._reuse)
        twin.name, twin.built = self.name, self.built
        for key, value in self.__dict__.items():
            if key not in ("_core", "rnncell_scope"):
                twin.__dict__[key] = _copied(value, memo)
        if self.input_spec is not None:
            twin.input_spec = self.input_spec
        return twin


def _size(shape):
    """A number where a shape has one dimension."""
    return shape.as_list()[0] if shape.ndims == 1 else shape


class LayerRNNCell(RNNCell):
    """A cell whose variables are all made before its first step."""

    _recurrence = None  # what C++ knows of the cell
    _is_plain = False  # its steps are all C++'s
    _initializer = _bias_initializer = None

    def _begin(self, kind, num_units, reuse, name, dtype, kwargs, **form):
        RNNCell.__init__(self, _reuse=reuse, name=name, dtype=dtype, **kwargs)
        _check_dtype(self.dtype)
        from rill import _input_spec
        self.input_spec = _input_spec.InputSpec(ndim=2)
        self._num_units = num_units
        activation = form.get("activation")
        form["activation"] = activation_named(activation) if activation else None
        self._activation = form["activation"] or _rill.functions.math.tanh
        self._recurrence = _rill.Recurrence(kind, num_units, form)

    def __call__(self, inputs, state, scope=None, *args, **kwargs):
        """The output of one step, and the new state."""
        if self._is_plain and scope is None and not args and not kwargs:
            made = self._recurrence.step_now(inputs, state, self._cell_weights)
            if made is not None:
                (output,), states = made
                return output, states[0] if len(states) == 1 else LSTMStateTuple(*states)
        return Layer.__call__(self, inputs, state, *args, scope=scope, **kwargs)

    @property
    def state_size(self):
        sizes = [_size(shape) for shape in self._recurrence.state_size()]
        return sizes[0] if len(sizes) == 1 else LSTMStateTuple(*sizes)

    @property
    def output_size(self):
        return _size(self._recurrence.output_size())

    def build(instance, input_shape):  # TensorFlow's names of the arguments
        """Makes the variables."""
        instance._build(input_shape)

    def _build(self, input_shape):
        depth = _rill.TensorShape(input_shape).as_list()[-1]
        if depth is None:
            raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {input_shape}")
        _check_dtype(self.dtype)
        self._cell_weights = []
        for name, shape, start, shards in self._recurrence.weights(depth):
            partitioner = _rill.functions.fixed_size_partitioner(shards) if shards else None
            weight = self.add_weight(name, shape.as_list(), initializer=self._start_of(start),
                                     partitioner=partitioner)
            self._cell_weights.append(weight)
            setattr(self, self._attributes.get(name, "_" + name), weight)
        self.built = True
        self._is_plain = type(self).call is LayerRNNCell.call and self._activity_regularizer is None

    _attributes = {}  # what TensorFlow calls the variables, where it is not the name

    def _start_of(self, start):
        if start == 0:
            return self._initializer
        if self._bias_initializer is not None:
            return self._bias_initializer
        return (_initializers.zeros_initializer(dtype=self.dtype) if start == 1 else
                _initializers.constant_initializer(1.0, dtype=self.dtype))

    def call(self, inputs, state):
        """One step."""
        for tensor in _nest.flatten([inputs, state]):
            _check_dtype(tensor.dtype)
        flat, own = _nest.flatten(state), _nest.flatten(self.state_size)
        if len(flat) != len(own):
            raise (ValueError if _nest.is_nested(state) else TypeError)(f"Expected state to have {len(own)} tensors, but received: {state}")
        (output,), new_state = self._recurrence.step(inputs, flat, self._cell_weights)
        return output, _nest.pack_sequence_as(self.state_size, new_state)

    def _config(self, **own):
        return {**super().get_config(), "num_units": self._num_units, "reuse": self._reuse,
                "activation": getattr(self._activation, "__name__", self._activation), **own}


def activation_named(activation):
    """The function of that name; functions are themselves."""
    if not isinstance(activation, str):
        return activation
    if activation == "linear":
        return lambda x: x
    if activation == "exponential":
        return _rill.functions.math.exp
    from rill import nn
    function = getattr(nn, activation, None)
    if function is None:
        raise ValueError(f"Unknown activation function: {activation}")
    return function
