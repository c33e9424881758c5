"""tf.nn.rnn_cell: cells as layers of Python; what they compute is done in C++."""

import logging

from rill import _nest, _rill
from rill._layers import KerasLayer
from rill._rnn_base import LayerRNNCell, RNNCell
from rill._scopes import name_scope
from rill._variable_scope import variable_scope

_log = logging.getLogger("tensorflow")


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
                    own = _rill.functions.slice(state, [0, column], [-1, cell.state_size])
                    column += cell.state_size
                output, new_state = cell(output, own)
                new_states.append(new_state)
        if self._state_is_tuple:
            return output, tuple(new_states)
        return output, _rill.functions.concat(new_states, 1)
