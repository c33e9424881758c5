"""tf.contrib.rnn: cells beyond tf.nn's; what they compute is done in C++."""

import math

from rill import _initializers, _nest, _rill
from rill._rnn_base import LayerRNNCell, RNNCell, assert_like_rnncell
from rill._scopes import device as device_scope, name_scope
from rill._variable_scope import get_variable, get_variable_scope, variable_scope


class LSTMBlockCell(LayerRNNCell):
    """An LSTM whose step is one node."""

    def __init__(self, num_units, forget_bias=1.0, cell_clip=None, use_peephole=False, dtype=None,
                 reuse=None, name="lstm_cell"):
        self._begin("lstm_block", num_units, reuse, name, dtype, {}, forget_bias=forget_bias,
                    cell_clip=cell_clip, use_peephole=use_peephole)


class GRUBlockCell(LayerRNNCell):
    """A GRU whose step is one node."""

    _second_names = False

    def __init__(self, num_units=None, cell_size=None, reuse=None, name="gru_cell"):
        if (cell_size is None) == (num_units is None):
            raise ValueError("Exactly one of num_units or cell_size must be provided.")
        units = cell_size if num_units is None else num_units
        self._begin("gru_block", units, reuse, name, None, {}, second_names=self._second_names)


class GRUBlockCellV2(GRUBlockCell):
    """A GRU whose step is one node, with variables that are called as GRUCell's."""

    _second_names = True


class LayerNormBasicLSTMCell(LayerRNNCell):
    """An LSTM whose gates and state are normalised over the units."""

    def __init__(self, num_units, forget_bias=1.0, input_size=None, activation=None, layer_norm=True,
                 norm_gain=1.0, norm_shift=0.0, dropout_keep_prob=1.0, dropout_prob_seed=None, reuse=None):
        self._begin("layer_norm_lstm", num_units, reuse, None, None, {}, forget_bias=forget_bias,
                    activation=activation, layer_norm=layer_norm, dropout_keep_prob=dropout_keep_prob,
                    dropout_prob_seed=dropout_prob_seed)
        self._norm = {3: norm_gain, 4: norm_shift}

    def _start_of(self, start):
        if start in self._norm:
            return _initializers.constant_initializer(self._norm[start])
        return super()._start_of(start)


class UGRNNCell(LayerRNNCell):
    """Keeps or takes, by one gate."""

    def __init__(self, num_units, initializer=None, forget_bias=1.0, activation=None, reuse=None):
        self._begin("ugrnn", num_units, reuse, None, None, {}, forget_bias=forget_bias,
                    activation=activation)
        self._initializer = initializer


class CoupledInputForgetGateLSTMCell(LayerRNNCell):
    """An LSTM that takes in as much as it forgets."""

    def __init__(self, num_units, use_peepholes=False, initializer=None, num_proj=None, proj_clip=None,
                 num_unit_shards=1, num_proj_shards=1, forget_bias=1.0, state_is_tuple=True,
                 activation=None, reuse=None, layer_norm=False, norm_gain=1.0, norm_shift=0.0):
        for argument, given, plain in (("num_unit_shards", num_unit_shards, 1),
                                       ("num_proj_shards", num_proj_shards, 1),
                                       ("layer_norm", layer_norm, False)):
            if given != plain:
                raise NotImplementedError(f"CoupledInputForgetGateLSTMCell: {argument}={given}")
        self._begin("coupled_lstm", num_units, reuse, None, None, {}, use_peepholes=use_peepholes,
                    num_proj=num_proj, proj_clip=proj_clip, forget_bias=forget_bias,
                    state_is_tuple=state_is_tuple, activation=activation)
        self._initializer = initializer


class ConvLSTMCell(LayerRNNCell):
    """An LSTM of lines, pictures or volumes, whose gates are convolutions."""

    def __init__(self, conv_ndims, input_shape, output_channels, kernel_shape, use_bias=True,
                 skip_connection=False, forget_bias=1.0, initializers=None, name="conv_lstm_cell"):
        if conv_ndims != len(input_shape) - 1:
            raise ValueError(f"Invalid input_shape {input_shape} for conv_ndims={conv_ndims}.")
        if isinstance(kernel_shape, int):
            kernel_shape = [kernel_shape] * conv_ndims
        self._begin("conv_lstm", output_channels, None, name, None, {}, input_shape=list(input_shape),
                    kernel_shape=list(kernel_shape), use_bias=use_bias, skip_connection=skip_connection,
                    forget_bias=forget_bias)
        self.input_spec = None


class Conv1DLSTMCell(ConvLSTMCell):
    """An LSTM of lines."""

    def __init__(self, name="conv_1d_lstm_cell", **kwargs):
        super().__init__(conv_ndims=1, name=name, **kwargs)


class Conv2DLSTMCell(ConvLSTMCell):
    """An LSTM of pictures."""

    def __init__(self, name="conv_2d_lstm_cell", **kwargs):
        super().__init__(conv_ndims=2, name=name, **kwargs)


class Conv3DLSTMCell(ConvLSTMCell):
    """An LSTM of volumes."""

    def __init__(self, name="conv_3d_lstm_cell", **kwargs):
        super().__init__(conv_ndims=3, name=name, **kwargs)


class NASCell(LayerRNNCell):
    """The cell that a search over architectures found."""

    def __init__(self, num_units, num_proj=None, use_bias=False, reuse=None, **kwargs):
        self._begin("nas", num_units, reuse, None, None, kwargs, num_proj=num_proj, use_bias=use_bias)


class _OwnScopeWrapper(RNNCell):
    """A cell around another one, with variables of its own."""

    def __init__(self, cell, reuse):
        super().__init__(_reuse=reuse)
        assert_like_rnncell("cell", cell)
        self._cell = cell

    @property
    def state_size(self):
        return self._cell.state_size

    @property
    def output_size(self):
        return self._cell.output_size

    def zero_state(self, batch_size, dtype):
        """The zero state of the cell inside."""
        with name_scope(type(self).__name__ + "ZeroState"):
            return self._cell.zero_state(batch_size, dtype)


class OutputProjectionWrapper(_OwnScopeWrapper):
    """Projects the outputs of a cell."""

    def __init__(self, cell, output_size, activation=None, reuse=None):
        super().__init__(cell, reuse)
        if output_size < 1:
            raise ValueError(f"Parameter output_size must be > 0: {output_size}.")
        self._output_size, self._activation = output_size, activation

    @property
    def output_size(self):
        return self._output_size

    def call(self, inputs, state):
        output, state = self._cell(inputs, state)
        return _rill.rnn_linear([output], self._output_size, self._activation), state


class InputProjectionWrapper(_OwnScopeWrapper):
    """Projects the inputs of a cell."""

    def __init__(self, cell, num_proj, activation=None, input_size=None, reuse=None):
        super().__init__(cell, reuse)
        self._num_proj, self._activation = num_proj, activation

    def call(self, inputs, state):
        return self._cell(_rill.rnn_linear([inputs], self._num_proj, self._activation), state)


class EmbeddingWrapper(_OwnScopeWrapper):
    """Takes numbers of words and gives the cell their rows of a table."""

    def __init__(self, cell, embedding_classes, embedding_size, initializer=None, reuse=None):
        super().__init__(cell, reuse)
        if embedding_classes <= 0 or embedding_size <= 0:
            raise ValueError("Both embedding_classes and embedding_size must be > 0: "
                             f"{embedding_classes}, {embedding_size}.")
        self._shape, self._initializer = [embedding_classes, embedding_size], initializer

    def call(self, inputs, state):
        limit = math.sqrt(3)  # for a variance of 1
        initializer = (self._initializer or get_variable_scope().initializer or
                       _initializers.random_uniform_initializer(-limit, limit))
        with device_scope("/cpu:0"):
            table = get_variable("embedding", self._shape, initializer=initializer,
                                 dtype=_nest.flatten(state)[0].dtype)
            words = _rill.functions.reshape(inputs, [-1])
            return self._cell(_rill.functions.gather(table, words), state)


class AttentionCellWrapper(RNNCell):
    """A cell that looks at what it gave out in its last steps."""

    def __init__(self, cell, attn_length, attn_size=None, attn_vec_size=None, input_size=None,
                 state_is_tuple=True, reuse=None):
        super().__init__(_reuse=reuse)
        assert_like_rnncell("cell", cell)
        if not state_is_tuple and _nest.is_nested(cell.state_size):
            raise ValueError("Cell returns tuple of states, but the flag state_is_tuple is not set. "
                             f"State size is: {cell.state_size}")
        if attn_length <= 0:
            raise ValueError(f"attn_length should be greater than zero, got {attn_length}")
        self._cell, self._attn_length, self._input_size = cell, attn_length, input_size
        self._attn_size = cell.output_size if attn_size is None else attn_size
        self._attn_vec_size = self._attn_size if attn_vec_size is None else attn_vec_size
        self._state_is_tuple = state_is_tuple

    def _sizes(self):
        return self._cell.state_size, self._attn_size, self._attn_size * self._attn_length

    @property
    def state_size(self):
        return self._sizes() if self._state_is_tuple else sum(self._sizes())

    @property
    def output_size(self):
        return self._attn_size

    def call(self, inputs, state):
        if not self._state_is_tuple:
            state = _rill.functions.split(state, list(self._sizes()), 1)
        cell_state, seen, memory = state
        memory = _rill.functions.reshape(memory, [-1, self._attn_length, self._attn_size])
        size = self._input_size or inputs.shape.as_list()[1]
        output, cell_state = self._cell(_rill.rnn_linear([inputs, seen], size, None), cell_state)
        seen = _rill.rnn_look_back(_nest.flatten(cell_state), memory, self._attn_vec_size)
        with variable_scope("attn_output_projection"):
            output = _rill.rnn_linear([output, seen], self._attn_size, None)
        new_state = (cell_state, seen, _rill.rnn_remembered(memory, output))
        if not self._state_is_tuple:
            new_state = _rill.functions.concat(list(new_state), 1)
        return output, new_state
