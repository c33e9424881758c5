"""Recurrent layers of tf.keras: cells, and the layers that step through time with them."""

import inspect

import numpy as np

import rill as tf
from rill import _nest, _rill
from rill._layer_call import native
from rill._layers import KerasLayer
from rill.errors import UnimplementedError
from rill.keras import backend
from rill.keras._layer_base import Configured

__all__ = ["AbstractRNNCell", "RNN", "SimpleRNN", "SimpleRNNCell", "GRU", "GRUCell", "LSTM", "LSTMCell",
           "StackedRNNCells", "ConvLSTM2D", "CuDNNGRU", "CuDNNLSTM"]


def _zeros(batch_size, size, dtype):
    sizes = [size] if isinstance(size, int) else tf.TensorShape(size).as_list()
    return tf.zeros(tf.stack([batch_size] + sizes), dtype=dtype or backend.floatx())


def _initial_state(cell, inputs, batch_size, dtype):
    if inputs is not None:
        batch_size, dtype = tf.shape(inputs)[0], inputs.dtype.base_dtype
    return _nest.map_structure(lambda size: _zeros(batch_size, size, dtype), cell.state_size)


class AbstractRNNCell(KerasLayer):
    """The base class of cells that programs define: one step of a recurrent layer."""

    def call(self, inputs, states):
        """The output and the new states."""
        raise NotImplementedError("Abstract method")

    @property
    def state_size(self):
        """The sizes of the states."""
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self):
        """The size of the output."""
        raise NotImplementedError("Abstract method")

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        """States full of zeros."""
        return _initial_state(self, inputs, batch_size, dtype)


class _Cell(Configured):
    _calls_quickly = False
    _weight_names = ("kernel", "recurrent_kernel", "bias")

    def _set_up(self, given):
        super()._set_up(given)
        self.dropout = min(1.0, max(0.0, self.dropout))
        self.recurrent_dropout = min(1.0, max(0.0, self.recurrent_dropout))
        self.state_size = [self.units, self.units] if self._kind == "LSTMCell" else self.units
        self.output_size = self.units

    @native
    def call(self, inputs, states, training=None):
        """The output and the new states."""
        made = self._core.own_call([inputs] + _nest.flatten(states), training, None, [])
        return made[0], list(made[1:])

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        """States full of zeros."""
        return list(_nest.flatten(_initial_state(self, inputs, batch_size, dtype)))

    def reset_dropout_mask(self):
        """The next call drops other inputs."""
        _rill.keras_reset_masks(self)

    reset_recurrent_dropout_mask = reset_dropout_mask


class SimpleRNNCell(_Cell):
    """One step of SimpleRNN."""

    _kind = "SimpleRNNCell"

    def __init__(self, units, activation="tanh", use_bias=True, kernel_initializer="glorot_uniform",
                 recurrent_initializer="orthogonal", bias_initializer="zeros", kernel_regularizer=None,
                 recurrent_regularizer=None, bias_regularizer=None, kernel_constraint=None,
                 recurrent_constraint=None, bias_constraint=None, dropout=0.0, recurrent_dropout=0.0,
                 **kwargs):
        self._set_up(locals())


class GRUCell(_Cell):
    """One step of GRU."""

    _kind = "GRUCell"

    def __init__(self, units, activation="tanh", recurrent_activation="hard_sigmoid", use_bias=True,
                 kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal",
                 bias_initializer="zeros", kernel_regularizer=None, recurrent_regularizer=None,
                 bias_regularizer=None, kernel_constraint=None, recurrent_constraint=None,
                 bias_constraint=None, dropout=0.0, recurrent_dropout=0.0, implementation=1,
                 reset_after=False, **kwargs):
        self._set_up(locals())


class LSTMCell(_Cell):
    """One step of LSTM."""

    _kind = "LSTMCell"

    def __init__(self, units, activation="tanh", recurrent_activation="hard_sigmoid", use_bias=True,
                 kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal",
                 bias_initializer="zeros", unit_forget_bias=True, kernel_regularizer=None,
                 recurrent_regularizer=None, bias_regularizer=None, kernel_constraint=None,
                 recurrent_constraint=None, bias_constraint=None, dropout=0.0, recurrent_dropout=0.0,
                 implementation=1, **kwargs):
        self._set_up(locals())


class PeepholeLSTMCell(LSTMCell):
    """Not there yet."""

    def __init__(self, units, activation="tanh", recurrent_activation="hard_sigmoid", use_bias=True,
                 kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal",
                 bias_initializer="zeros", unit_forget_bias=True, kernel_regularizer=None,
                 recurrent_regularizer=None, bias_regularizer=None, kernel_constraint=None,
                 recurrent_constraint=None, bias_constraint=None, dropout=0.0, recurrent_dropout=0.0,
                 implementation=1, **kwargs):
        raise UnimplementedError(None, None, "PeepholeLSTMCell")


class StackedRNNCells(KerasLayer):
    """Cells one upon the other, as one cell."""

    def __init__(self, cells, **kwargs):
        for cell in cells:
            if not hasattr(cell, "call") or not hasattr(cell, "state_size"):
                raise ValueError(f"All cells must have a `call` method and a `state_size`, received cells: {cells}")
        super().__init__(**kwargs)
        self.cells = list(cells)

    @property
    def state_size(self):
        """The sizes of the states of all cells."""
        return tuple(cell.state_size for cell in self.cells)

    @property
    def output_size(self):
        """The size of the last cell's output."""
        last = self.cells[-1]
        return getattr(last, "output_size", None) or _nest.flatten(last.state_size)[0]

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        """States full of zeros."""
        return tuple(_start(cell, inputs, batch_size, dtype) for cell in self.cells)

    def build(self, input_shape):
        """Builds each cell for what the one before makes."""
        shape = tuple(tf.TensorShape(input_shape).as_list())
        for i, cell in enumerate(self.cells):
            if isinstance(cell, KerasLayer) and not cell.built:
                with tf.name_scope(f"cell_{i}"):
                    cell.build(shape)
                cell.built = True
            size = getattr(cell, "output_size", None) or _nest.flatten(cell.state_size)[0]
            shape = (shape[0], size)
        self.built = True

    def call(self, inputs, states, training=None):
        """The last cell's output and all new states."""
        nested = _nest.pack_sequence_as(self.state_size, _nest.flatten(states))
        new_states = []
        for cell, state in zip(self.cells, nested):
            state = list(state) if isinstance(state, (list, tuple)) else [state]
            inputs, state = _stepped(cell, inputs, state, training)
            new_states += _nest.flatten(state)
        return inputs, new_states

    def reset_dropout_mask(self):
        """The next call drops other inputs."""
        for cell in self.cells:
            if hasattr(cell, "reset_dropout_mask"):
                cell.reset_dropout_mask()

    def get_config(self):
        """The cells as dicts."""
        from rill.keras import layers
        return {**super().get_config(), "cells": [layers.serialize(cell) for cell in self.cells]}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """The cells that `get_config` describes."""
        from rill.keras import layers
        config = dict(config)
        return cls([layers.deserialize(cell, custom_objects) for cell in config.pop("cells")], **config)


def _start(cell, inputs, batch_size, dtype):
    if hasattr(cell, "get_initial_state"):
        return cell.get_initial_state(inputs=inputs, batch_size=batch_size, dtype=dtype)
    return _initial_state(cell, inputs, batch_size, dtype)


def _stepped(cell, inputs, states, training, constants=None):
    from rill._layer_call import call_arguments_of
    known, more = call_arguments_of(cell.call), {}
    if known.has("training"):
        more["training"] = training
    if constants:
        more["constants"] = constants
    return cell.call(inputs, states, **more)


class RNN(KerasLayer):
    """A cell stepping through time."""

    def __init__(self, cell, return_sequences=False, return_state=False, go_backwards=False, stateful=False,
                 unroll=False, time_major=False, **kwargs):
        if isinstance(cell, (list, tuple)):
            cell = StackedRNNCells(cell)
        if not hasattr(cell, "call"):
            raise ValueError(f"`cell` should have a `call` method. The RNN was passed: {cell}")
        if not hasattr(cell, "state_size"):
            raise ValueError("The RNN cell should have an attribute `state_size` (tuple of integers, one integer per "
                             "RNN state).")
        kwargs.pop("implementation", None)
        kwargs.pop("zero_output_for_mask", None)
        input_dim, input_length = kwargs.pop("input_dim", None), kwargs.pop("input_length", None)
        if input_dim is not None and "input_shape" not in kwargs:
            kwargs["input_shape"] = (input_length, input_dim)
        super().__init__(**kwargs)
        self.cell = cell
        self.return_sequences, self.return_state = return_sequences, return_state
        self.go_backwards, self.unroll, self.time_major = go_backwards, unroll, time_major
        self.stateful, self.supports_masking = stateful, True
        object.__setattr__(self, "_states", None)
        object.__setattr__(self, "_constants_count", 0)

    @property
    def states(self):
        """The states that are kept between batches."""
        if self._states is None:
            return [None] * len(_nest.flatten(self.cell.state_size))
        return self._states

    @states.setter
    def states(self, states):
        object.__setattr__(self, "_states", states)

    def build(self, input_shape):
        """Builds the cell for one step."""
        first = input_shape[0] if isinstance(input_shape, list) else input_shape
        shape = tuple(tf.TensorShape(first).as_list())
        step = (shape[1] if self.time_major else shape[0],) + shape[2:]
        if isinstance(self.cell, KerasLayer) and not self.cell.built:
            self.cell.build(step)
            self.cell.built = True
        if self.stateful:
            self._make_states(shape[1] if self.time_major else shape[0])
        self.built = True

    def _make_states(self, batch_size):
        if batch_size is None:
            raise ValueError("If a RNN is stateful, it needs to know its batch size. Specify the batch size of your "
                             "input tensors: \n- If using a Sequential model, specify the batch size by passing a "
                             "`batch_input_shape` argument to your first layer.\n- If using the functional API, "
                             "specify the batch size by passing a `batch_shape` argument to your Input layer.")
        sizes = [[size] if isinstance(size, int) else tf.TensorShape(size).as_list()
                 for size in _nest.flatten(self.cell.state_size)]
        states = [backend.zeros([batch_size] + size) for size in sizes]
        object.__setattr__(self, "_states", states)

    def get_initial_state(self, inputs):
        """States full of zeros."""
        rows = tf.transpose(inputs, [1, 0] + list(range(2, inputs.shape.ndims))) if self.time_major else inputs
        return list(_nest.flatten(_start(self.cell, rows, None, inputs.dtype.base_dtype)))

    def __call__(self, inputs, initial_state=None, constants=None, **kwargs):
        """The outputs for inputs; states and constants that are tensors of layers count as inputs, too."""
        more = _nest.flatten(initial_state) if initial_state is not None else []
        fixed = _nest.flatten(constants) if constants is not None else []
        if not more and not fixed:
            return super().__call__(inputs, **kwargs)
        object.__setattr__(self, "_constants_count", len(fixed))
        return super().__call__([inputs] + more + fixed, **kwargs)

    def _split(self, inputs):
        if not isinstance(inputs, (list, tuple)):
            return inputs, None, None
        count = self._constants_count
        rest = list(inputs[1:])
        constants = rest[len(rest) - count:] if count else None
        states = rest[:len(rest) - count] if count else rest
        return inputs[0], states or None, constants

    def call(self, inputs, mask=None, training=None, initial_state=None, constants=None):
        """What stepping through the inputs makes."""
        inputs, given, fixed = self._split(inputs)
        initial_state = given if given is not None else initial_state
        constants = fixed if fixed is not None else constants
        mask = mask[0] if isinstance(mask, (list, tuple)) else mask
        if initial_state is None:
            initial_state = [s.read_value() for s in self._states] if self.stateful else self.get_initial_state(inputs)
        initial_state = _nest.flatten(initial_state)
        sizes = _nest.flatten(self.cell.state_size)
        if len(initial_state) != len(sizes):
            raise ValueError(f"Layer has {len(sizes)} states but was passed {len(initial_state)} initial states.")
        if hasattr(self.cell, "reset_dropout_mask"):
            self.cell.reset_dropout_mask()

        def step(x, states):
            count = len(constants or [])
            states = list(states)
            fixed_now, states = (states[-count:], states[:-count]) if count else (None, states)
            output, new_states = _stepped(self.cell, x, self._nested(states), training, fixed_now)
            return output, _nest.flatten(new_states)
        last, outputs, states = backend.rnn(step, inputs, initial_state, go_backwards=self.go_backwards,
                                            mask=mask, constants=constants, unroll=self.unroll,
                                            time_major=self.time_major)
        if self.stateful:
            self.add_update([tf.assign(kept, new) for kept, new in zip(self._states, states)])
        output = outputs if self.return_sequences else last
        return [output] + list(states) if self.return_state else output

    def _nested(self, states):
        size = self.cell.state_size
        if isinstance(size, (list, tuple)) and any(isinstance(part, (list, tuple)) for part in size):
            return _nest.pack_sequence_as(size, states)
        return states

    def compute_mask(self, inputs, mask):
        """The mask of the inputs, for sequences."""
        mask = mask[0] if isinstance(mask, (list, tuple)) else mask
        mask = mask if self.return_sequences else None
        if self.return_state:
            return [mask] + [None for _ in _nest.flatten(self.cell.state_size)]
        return mask

    def compute_output_shape(self, input_shape):
        """The shape of the outputs."""
        first = input_shape[0] if isinstance(input_shape, list) else input_shape
        shape = tuple(tf.TensorShape(first).as_list())
        batch, time = (shape[1], shape[0]) if self.time_major else shape[:2]
        size = getattr(self.cell, "output_size", None) or _nest.flatten(self.cell.state_size)[0]
        size = tuple(tf.TensorShape(size).as_list())
        made = ((time, batch) if self.time_major else (batch, time)) + size if self.return_sequences else (batch,) + size
        if not self.return_state:
            return tf.TensorShape(made)
        states = [tf.TensorShape((batch,) + tuple(tf.TensorShape(s).as_list()))
                  for s in _nest.flatten(self.cell.state_size)]
        return [tf.TensorShape(made)] + states

    def reset_states(self, states=None):
        """Forgets what was kept between batches, or sets it."""
        if not self.stateful:
            raise AttributeError("Layer must be stateful.")
        values = [np.zeros(v.shape.as_list()) for v in self._states] if states is None else list(
            states if isinstance(states, (list, tuple)) else [states])
        backend.batch_set_value(list(zip(self._states, values)))

    def get_config(self):
        """The arguments that make the same layer."""
        from rill.keras import layers
        return {**super().get_config(), "return_sequences": self.return_sequences,
                "return_state": self.return_state, "go_backwards": self.go_backwards,
                "stateful": self.stateful, "unroll": self.unroll, "time_major": self.time_major,
                "cell": layers.serialize(self.cell)}

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """The layer that `get_config` describes."""
        from rill.keras import layers
        config = dict(config)
        return cls(layers.deserialize(config.pop("cell"), custom_objects), **config)


_LAYER = ("return_sequences", "return_state", "go_backwards", "stateful", "unroll", "activity_regularizer")


class _OfCell(RNN):
    """A recurrent layer whose settings are those of its cell."""

    _cell = None

    def _set_up(self, given):
        kwargs = given.pop("kwargs")
        given = {key: value for key, value in given.items() if key not in ("self", "__class__")}
        layer = {key: given.pop(key) for key in _LAYER if key in given}
        if layer.get("activity_regularizer") is None:
            layer.pop("activity_regularizer", None)
        dtype = {"dtype": kwargs["dtype"]} if "dtype" in kwargs else {}
        time_major = kwargs.pop("time_major", False)
        RNN.__init__(self, self._cell(**given, **dtype), time_major=time_major, **layer, **kwargs)
        object.__setattr__(self, "_cell_settings", list(given))
        self.input_spec = None

    def get_config(self):
        """The arguments that make the same layer."""
        from rill.keras import regularizers
        config = super().get_config()
        for key in ("cell", "time_major"):
            config.pop(key)
        told = self.cell.get_config()
        config.update({key: told[key] for key in self._cell_settings if key in told})
        config["activity_regularizer"] = regularizers.serialize(self.activity_regularizer)
        return config

    @classmethod
    def from_config(cls, config):
        """The layer that `get_config` describes."""
        return cls(**{key: value for key, value in config.items() if key != "time_major"})


class SimpleRNN(_OfCell):
    """activation(x * kernel + output before * recurrent kernel + bias), step by step."""

    _cell = SimpleRNNCell

    def __init__(self, units, activation="tanh", use_bias=True, kernel_initializer="glorot_uniform",
                 recurrent_initializer="orthogonal", bias_initializer="zeros", kernel_regularizer=None,
                 recurrent_regularizer=None, bias_regularizer=None, activity_regularizer=None,
                 kernel_constraint=None, recurrent_constraint=None, bias_constraint=None, dropout=0.0,
                 recurrent_dropout=0.0, return_sequences=False, return_state=False, go_backwards=False,
                 stateful=False, unroll=False, **kwargs):
        self._set_up(locals())


class GRU(_OfCell):
    """Gated recurrent units."""

    _cell = GRUCell

    def __init__(self, units, activation="tanh", recurrent_activation="hard_sigmoid", use_bias=True,
                 kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal",
                 bias_initializer="zeros", kernel_regularizer=None, recurrent_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                 recurrent_constraint=None, bias_constraint=None, dropout=0.0, recurrent_dropout=0.0,
                 implementation=1, return_sequences=False, return_state=False, go_backwards=False,
                 stateful=False, unroll=False, reset_after=False, **kwargs):
        self._set_up(locals())


class LSTM(_OfCell):
    """Long short-term memory."""

    _cell = LSTMCell

    def __init__(self, units, activation="tanh", recurrent_activation="hard_sigmoid", use_bias=True,
                 kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal",
                 bias_initializer="zeros", unit_forget_bias=True, kernel_regularizer=None,
                 recurrent_regularizer=None, bias_regularizer=None, activity_regularizer=None,
                 kernel_constraint=None, recurrent_constraint=None, bias_constraint=None, dropout=0.0,
                 recurrent_dropout=0.0, implementation=1, return_sequences=False, return_state=False,
                 go_backwards=False, stateful=False, unroll=False, **kwargs):
        self._set_up(locals())


class ConvLSTM2DCell(Configured):
    """One step of ConvLSTM2D."""

    _calls_quickly = False
    _kind = "ConvLSTM2DCell"
    _rank = 2
    _weight_names = ("kernel", "recurrent_kernel", "bias")

    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid", data_format=None,
                 dilation_rate=(1, 1), activation="tanh", recurrent_activation="hard_sigmoid", use_bias=True,
                 kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal",
                 bias_initializer="zeros", unit_forget_bias=True, kernel_regularizer=None,
                 recurrent_regularizer=None, bias_regularizer=None, kernel_constraint=None,
                 recurrent_constraint=None, bias_constraint=None, dropout=0.0, recurrent_dropout=0.0,
                 **kwargs):
        self._set_up(locals())
        self.state_size = (filters, filters)

    call = _Cell.call
    reset_dropout_mask = _Cell.reset_dropout_mask

    def size_for(self, shape):
        """The shape of the states for images of a shape, with the examples first."""
        first = self.data_format == "channels_first"
        sizes = []
        for length, size, step, dilation in zip(shape[2:4] if first else shape[1:3], self.kernel_size, self.strides,
                                                self.dilation_rate):
            if length is not None and self.padding == "valid":
                length -= (size - 1) * dilation
            sizes.append(None if length is None else -(-length // step))
        return [self.filters] + sizes if first else sizes + [self.filters]


class ConvLSTM2D(_OfCell):
    """LSTM of images: convolutions in place of products."""

    _cell = ConvLSTM2DCell

    def __init__(self, filters, kernel_size, strides=(1, 1), padding="valid", data_format=None,
                 dilation_rate=(1, 1), activation="tanh", recurrent_activation="hard_sigmoid", use_bias=True,
                 kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal",
                 bias_initializer="zeros", unit_forget_bias=True, kernel_regularizer=None,
                 recurrent_regularizer=None, bias_regularizer=None, activity_regularizer=None,
                 kernel_constraint=None, recurrent_constraint=None, bias_constraint=None,
                 return_sequences=False, go_backwards=False, stateful=False, dropout=0.0,
                 recurrent_dropout=0.0, **kwargs):
        if stateful:
            raise UnimplementedError(None, None, "ConvLSTM2D with stateful=True")
        self._set_up(locals())

    def get_initial_state(self, inputs):
        """States full of zeros."""
        known = inputs.shape.as_list()
        sizes = self.cell.size_for([known[0]] + known[2:])
        if None in sizes:
            raise ValueError(f"ConvLSTM2D must know the size of its images, got shape {known}")
        state = tf.zeros(tf.stack([tf.shape(inputs)[0]] + sizes), dtype=inputs.dtype.base_dtype)
        state.set_shape([known[0]] + sizes)
        return [state, state]

    def compute_output_shape(self, input_shape):
        """The shape of the outputs."""
        shape = tf.TensorShape(input_shape).as_list()
        sizes = self.cell.size_for([shape[0]] + shape[2:])
        return tf.TensorShape((shape[:2] if self.return_sequences else shape[:1]) + sizes)


def _of_cell(name):
    return property(lambda self: getattr(self.cell, name), doc=f"The cell's {name}.")


for _class in (SimpleRNN, GRU, LSTM, ConvLSTM2D):
    for _name in inspect.signature(_class._cell.__init__).parameters:
        if _name not in ("self", "kwargs"):
            setattr(_class, _name, _of_cell(_name))


class CuDNNGRU(KerasLayer):
    """GRU of a library for graphics processors, which is not there."""

    def __init__(self, units, kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal",
                 bias_initializer="zeros", kernel_regularizer=None, recurrent_regularizer=None,
                 bias_regularizer=None, activity_regularizer=None, kernel_constraint=None,
                 recurrent_constraint=None, bias_constraint=None, return_sequences=False,
                 return_state=False, go_backwards=False, stateful=False, **kwargs):
        raise UnimplementedError(None, None, "CuDNNGRU needs a graphics processor; use GRU")


class CuDNNLSTM(KerasLayer):
    """LSTM of a library for graphics processors, which is not there."""

    def __init__(self, units, kernel_initializer="glorot_uniform", recurrent_initializer="orthogonal",
                 bias_initializer="zeros", unit_forget_bias=True, kernel_regularizer=None,
                 recurrent_regularizer=None, bias_regularizer=None, activity_regularizer=None,
                 kernel_constraint=None, recurrent_constraint=None, bias_constraint=None,
                 return_sequences=False, return_state=False, go_backwards=False, stateful=False, **kwargs):
        raise UnimplementedError(None, None, "CuDNNLSTM needs a graphics processor; use LSTM")


