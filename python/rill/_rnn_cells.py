"""tf.nn.rnn_cell: cells as layers of Python; what they compute is done in C++."""

import collections
import copy
import logging
import re

from rill import _initializers, _nest, _rill
from rill._layers import KerasLayer, Layer
from rill._scopes import name_scope
from rill._static import constant_value
from rill._variable_scope import get_variable_scope, variable_scope

_log = logging.getLogger("tensorflow")


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
            batch_size = rows or _rill.function("shape")(inputs)[0]
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
    _initializer = _bias_initializer = None

    def _begin(self, kind, num_units, reuse, name, dtype, kwargs, **form):
        RNNCell.__init__(self, _reuse=reuse, name=name, dtype=dtype, **kwargs)
        _check_dtype(self.dtype)
        from rill import _input_spec
        self.input_spec = _input_spec.InputSpec(ndim=2)
        self._num_units = num_units
        activation = form.get("activation")
        form["activation"] = activation_named(activation) if activation else None
        self._activation = form["activation"] or _rill.function("math.tanh")
        self._recurrence = _rill.Recurrence(kind, num_units, form)

    def __call__(self, inputs, state, scope=None, *args, **kwargs):
        """The output of one step, and the new state."""
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
            partitioner = _rill.function("fixed_size_partitioner")(shards) if shards else None
            weight = self.add_weight(name, shape.as_list(), initializer=self._start_of(start),
                                     partitioner=partitioner)
            self._cell_weights.append(weight)
            setattr(self, self._attributes.get(name, "_" + name), weight)
        self.built = True

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
        return _rill.function("math.exp")
    from rill import nn
    function = getattr(nn, activation, None)
    if function is None:
        raise ValueError(f"Unknown activation function: {activation}")
    return function


class BasicRNNCell(LayerRNNCell):
    """output = state = activation(kernel * [input, state] + bias)."""

    def __init__(self, num_units, activation=None, reuse=None, name=None, dtype=None, **kwargs):
        self._begin("basic_rnn", num_units, reuse, name, dtype, kwargs, activation=activation)

    def get_config(self):
        return self._config()


class GRUCell(LayerRNNCell):
    """A gated recurrent unit."""

    _attributes = {"gates/kernel": "_gate_kernel", "gates/bias": "_gate_bias",
                   "candidate/kernel": "_candidate_kernel", "candidate/bias": "_candidate_bias"}

    def __init__(self, num_units, activation=None, reuse=None, kernel_initializer=None,
                 bias_initializer=None, name=None, dtype=None, **kwargs):
        self._begin("gru", num_units, reuse, name, dtype, kwargs, activation=activation)
        self._initializer = self._kernel_initializer = kernel_initializer
        self._bias_initializer = bias_initializer

    def get_config(self):
        return self._config(kernel_initializer=self._kernel_initializer,
                            bias_initializer=self._bias_initializer)


def _warn_of_one_state(cell, state_is_tuple):
    if not state_is_tuple:
        _log.warning("%s: Using a concatenated state is slower and will soon be deprecated.  "
                     "Use state_is_tuple=True.", cell)


class BasicLSTMCell(LayerRNNCell):
    """A long short-term memory without extras."""

    def __init__(self, num_units, forget_bias=1.0, state_is_tuple=True, activation=None, reuse=None,
                 name=None, dtype=None, **kwargs):
        self._begin("basic_lstm", num_units, reuse, name, dtype, kwargs, forget_bias=forget_bias,
                    state_is_tuple=state_is_tuple, activation=activation)
        _warn_of_one_state(self, state_is_tuple)
        self._forget_bias, self._state_is_tuple = forget_bias, state_is_tuple

    def get_config(self):
        return self._config(forget_bias=self._forget_bias, state_is_tuple=self._state_is_tuple)


class LSTMCell(LayerRNNCell):
    """A long short-term memory with peepholes, clipping and projection."""

    _attributes = {"projection/kernel": "_proj_kernel"}
    _extras = ("use_peepholes", "cell_clip", "num_proj", "proj_clip", "num_unit_shards",
               "num_proj_shards", "forget_bias", "state_is_tuple")

    def __init__(self, num_units, use_peepholes=False, cell_clip=None, initializer=None, num_proj=None,
                 proj_clip=None, num_unit_shards=None, num_proj_shards=None, forget_bias=1.0,
                 state_is_tuple=True, activation=None, reuse=None, name=None, dtype=None, **kwargs):
        form = dict(zip(self._extras, (use_peepholes, cell_clip, num_proj, proj_clip, num_unit_shards,
                                       num_proj_shards, forget_bias, state_is_tuple)))
        self._begin("lstm", num_units, reuse, name, dtype, kwargs, activation=activation, **form)
        _warn_of_one_state(self, state_is_tuple)
        if num_unit_shards is not None or num_proj_shards is not None:
            _log.warning("%s: The num_unit_shards and proj_unit_shards parameters are deprecated and will "
                         "be removed in Jan 2017.  Use a variable scope with a partitioner instead.", self)
        self._initializer = initializer
        for key, value in form.items():
            setattr(self, "_" + key, value)

    def get_config(self):
        return self._config(initializer=self._initializer,
                            **{key: getattr(self, "_" + key) for key in self._extras})


class MultiRNNCell(RNNCell):
    """Cells on top of each other: the output of one is the input of the next."""

    def __init__(self, cells, state_is_tuple=True):
        super().__init__()
        if not cells:
            raise ValueError("Must specify at least one cell for MultiRNNCell.")
        if not _nest.is_nested(cells):
            raise TypeError(f"cells must be a list or tuple, but received: {cells}.")
        if len({id(cell) for cell in cells}) < len(cells):
            _log.warning("At least two cells provided to MultiRNNCell are the same object and will share "
                         "weights.")
        self._cells, self._state_is_tuple = cells, state_is_tuple
        sizes = [cell.state_size for cell in cells]
        if not state_is_tuple and any(_nest.is_nested(size) for size in sizes):
            raise ValueError("Some cells return tuples of states, but the flag state_is_tuple is not set. "
                             f"State sizes are: {sizes}")

    @property
    def state_size(self):
        sizes = tuple(cell.state_size for cell in self._cells)
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self):
        return self._cells[-1].output_size

    def zero_state(self, batch_size, dtype):
        """States of zeros for so many examples."""
        with name_scope(type(self).__name__ + "ZeroState"):
            if self._state_is_tuple:
                return tuple(cell.zero_state(batch_size, dtype) for cell in self._cells)
            return super().zero_state(batch_size, dtype)

    def _weights_of_cells(self, which):
        return [variable for cell in self._cells if isinstance(cell, KerasLayer)
                for variable in getattr(cell, which)]

    @property
    def trainable_weights(self):
        return self._weights_of_cells("trainable_weights") if self.trainable else []

    @property
    def non_trainable_weights(self):
        fixed = self._weights_of_cells("non_trainable_weights")
        return fixed if self.trainable else self._weights_of_cells("trainable_weights") + fixed

    def call(self, inputs, state):
        """One step of each cell."""
        if self._state_is_tuple and not _nest.is_nested(state):
            raise ValueError(f"Expected state to be a tuple of length {len(self.state_size)}, "
                             f"but received: {state}")
        output, new_states, column = inputs, [], 0
        for i, cell in enumerate(self._cells):
            with variable_scope(f"cell_{i}"):
                if self._state_is_tuple:
                    own = state[i]
                else:
                    own = _rill.function("slice")(state, [0, column], [-1, cell.state_size])
                    column += cell.state_size
                output, new_state = cell(output, own)
                new_states.append(new_state)
        if self._state_is_tuple:
            return output, tuple(new_states)
        return output, _rill.function("concat")(new_states, 1)


__all__ = ["BasicLSTMCell", "BasicRNNCell", "GRUCell", "LSTMCell", "LSTMStateTuple", "MultiRNNCell",
           "RNNCell"]
