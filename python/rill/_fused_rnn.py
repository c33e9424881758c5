"""tf.contrib.rnn: networks that are called once for all steps, and networks on top of each other."""

import abc

from rill import _initializers, _nest, _rill
from rill._layers import Layer
from rill._rnn import bidirectional_dynamic_rnn, dynamic_rnn, static_bidirectional_rnn, static_rnn
from rill._rnn_base import LSTMStateTuple
from rill._variable_scope import variable_scope


class FusedRNNCell(abc.ABC):
    """What is called once for all steps: inputs and outputs are [time, batch, ...]."""

    @abc.abstractmethod
    def __call__(self, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
        """The outputs of all steps and the last state."""


class FusedRNNCellAdaptor(FusedRNNCell):
    """Any cell as one that is called once."""

    def __init__(self, cell, use_dynamic_rnn=False):
        self._cell, self._use_dynamic_rnn = cell, use_dynamic_rnn

    def __call__(self, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
        is_list = isinstance(inputs, list)
        if self._use_dynamic_rnn:
            inputs = _rill.functions.stack(inputs) if is_list else inputs
            outputs, state = dynamic_rnn(self._cell, inputs, sequence_length, initial_state, dtype,
                                         time_major=True, scope=scope)
            return (_rill.functions.unstack(outputs) if is_list else outputs), state
        inputs = inputs if is_list else _rill.functions.unstack(inputs)
        outputs, state = static_rnn(self._cell, inputs, initial_state, dtype, sequence_length, scope)
        return (outputs if is_list else _rill.functions.stack(outputs)), state


class TimeReversedFusedRNN(FusedRNNCell):
    """A fused cell that reads its inputs backwards, each sequence from its own end."""

    def __init__(self, cell):
        self._cell = cell

    def _reversed(self, tensor, lengths):
        if isinstance(tensor, list):
            return list(reversed(tensor))
        if lengths is None:
            return _rill.functions.reverse(tensor, [0])
        return _rill.functions.reverse_sequence(tensor, lengths, seq_axis=0, batch_axis=1)

    def __call__(self, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
        outputs, state = self._cell(self._reversed(inputs, sequence_length), initial_state, dtype,
                                    sequence_length, scope)
        return self._reversed(outputs, sequence_length), state


class LSTMBlockFusedCell(Layer):
    """An LSTM over all steps in one node."""

    def __init__(self, num_units, forget_bias=1.0, cell_clip=None, use_peephole=False, reuse=None,
                 dtype=None, name="lstm_fused_cell"):
        super().__init__(_reuse=reuse, dtype=dtype, name=name)
        self._num_units = num_units
        self._form = {"forget_bias": forget_bias, "cell_clip": cell_clip, "use_peephole": use_peephole}
        self._recurrence = _rill.Recurrence("lstm_block", num_units, self._form)

    num_units = property(lambda self: self._num_units)

    def build(self, input_shape):
        """Makes the variables."""
        depth = _rill.TensorShape(input_shape).as_list()[-1]
        if depth is None:
            raise ValueError(f"Expecting inputs_shape[2] to be set: {input_shape}")
        self._cell_weights = [
            self.add_weight(name, shape.as_list(),
                            initializer=_initializers.zeros_initializer() if start else None)
            for name, shape, start, _ in self._recurrence.weights(depth)]
        self.built = True

    def call(self, inputs, initial_state=None, dtype=None, sequence_length=None):
        """The outputs of all steps and the last state."""
        is_list = isinstance(inputs, list)
        if is_list:
            inputs = _rill.functions.stack(inputs)
        state = None if initial_state is None else _nest.flatten(initial_state)
        outputs, state = _rill.fused_lstm(inputs, state, sequence_length, self._num_units,
                                          self._cell_weights, self._form)
        return (_rill.functions.unstack(outputs) if is_list else outputs), LSTMStateTuple(*state)


FusedRNNCell.register(LSTMBlockFusedCell)
LSTMBlockWrapper = LSTMBlockFusedCell


def _check_stack(cells_fw, cells_bw, initial_states_fw, initial_states_bw):
    for what, cells, states in (("fw", cells_fw, initial_states_fw), ("bw", cells_bw, initial_states_bw)):
        if cells is None or not cells:
            raise ValueError(f"Must specify at least one {what} cell for BidirectionalRNN.")
        if not isinstance(cells, list):
            raise ValueError(f"cells_{what} must be a list of RNNCells (one per layer).")
        if states is not None and (not isinstance(states, list) or len(states) != len(cells)):
            raise ValueError(f"initial_states_{what} must be a list of state tensors (one per layer).")
    if len(cells_fw) != len(cells_bw):
        raise ValueError("Forward and Backward cells must have the same depth.")


def _stacked(scope, cells_fw, cells_bw, initial_states_fw, initial_states_bw, inputs, layer):
    """Layers on top of each other; `layer` makes one of cells, states and inputs."""
    _check_stack(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    none = [None] * len(cells_fw)
    states_fw, states_bw = [], []
    with variable_scope(scope or "stack_bidirectional_rnn"):
        for i, (fw, bw, state_fw, state_bw) in enumerate(zip(
                cells_fw, cells_bw, initial_states_fw or none, initial_states_bw or none)):
            with variable_scope(f"cell_{i}"):
                inputs, last_fw, last_bw = layer(fw, bw, state_fw, state_bw, inputs)
                states_fw.append(last_fw)
                states_bw.append(last_bw)
    return inputs, tuple(states_fw), tuple(states_bw)


def stack_bidirectional_rnn(cells_fw, cells_bw, inputs, initial_states_fw=None, initial_states_bw=None,
                            dtype=None, sequence_length=None, scope=None):
    """Networks with nodes for every step that run both ways, on top of each other."""
    return _stacked(scope, cells_fw, cells_bw, initial_states_fw, initial_states_bw, inputs,
                    lambda fw, bw, state_fw, state_bw, x: static_bidirectional_rnn(
                        fw, bw, x, state_fw, state_bw, dtype, sequence_length))


def stack_bidirectional_dynamic_rnn(cells_fw, cells_bw, inputs, initial_states_fw=None,
                                    initial_states_bw=None, dtype=None, sequence_length=None,
                                    parallel_iterations=None, time_major=False, scope=None,
                                    swap_memory=False):
    """Networks that loops run both ways, on top of each other."""
    def layer(fw, bw, state_fw, state_bw, x):
        outputs, states = bidirectional_dynamic_rnn(
            fw, bw, x, sequence_length, state_fw, state_bw, dtype, parallel_iterations, swap_memory,
            time_major)
        return (_rill.functions.concat(outputs, 2), *states)

    return _stacked(scope, cells_fw, cells_bw, initial_states_fw, initial_states_bw, inputs, layer)
