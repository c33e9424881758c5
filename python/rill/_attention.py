"""tf.contrib.seq2seq: attention; what is computed is C++'s."""

import collections
import math

from rill import _initializers, _nest, _rill
from rill._layers import Layer
from rill._rnn_base import RNNCell, assert_like_rnncell, zero_tensors
from rill._scopes import name_scope
from rill._tensor_array import TensorArray
from rill._variable_scope import get_variable, variable_scope
from rill.dtypes import int32


class _Projection(Layer):
    """Multiplies the last dimension with a kernel."""

    def __init__(self, units, name, dtype=None):
        super().__init__(name=name, dtype=dtype)
        self.units = units

    def build(self, input_shape):
        depth = _rill.TensorShape(input_shape).as_list()[-1]
        if depth is None:
            raise ValueError(f"The last dimension of the memory must be known: {input_shape}")
        self.kernel = self.add_weight("kernel", [depth, self.units])
        self.built = True

    def call(self, inputs):
        if inputs.shape.ndims == 2:
            return _rill.functions.linalg.matmul(inputs, self.kernel)
        return _rill.functions.tensordot(inputs, self.kernel, [[inputs.shape.ndims - 1], [0]])


class AttentionMechanism:
    """Where in a memory to look, for a query."""

    @property
    def alignments_size(self):
        raise NotImplementedError

    @property
    def state_size(self):
        raise NotImplementedError


class _Attention(AttentionMechanism):
    """A memory with a mask, its keys, and probabilities of scores."""

    def __init__(self, num_units, memory, memory_sequence_length, probability_fn, score_mask_value, dtype,
                 name):
        self._num_units, self._lengths, self._name = num_units, memory_sequence_length, name
        mask_value = -math.inf if score_mask_value is None else score_mask_value
        probabilities = probability_fn or _rill.functions.nn.softmax
        # Takes the last alignments too, which subclasses of programs use.
        self._probability_fn = lambda score, _: probabilities(
            _rill.masked_score(score, memory_sequence_length, mask_value))
        with name_scope("BaseAttentionMechanismInit"):
            self._values = _rill.masked_memory(memory, memory_sequence_length)
            self._memory_layer = _Projection(num_units, "memory_layer", dtype)
            self._keys = self._memory_layer(self._values)
        self.dtype = dtype

    memory_layer = property(lambda self: self._memory_layer)
    query_layer = property(lambda self: None)
    values = property(lambda self: self._values)
    keys = property(lambda self: self._keys)

    @property
    def batch_size(self):
        return self._keys.shape.as_list()[0] or _rill.functions.shape(self._keys)[0]

    @property
    def alignments_size(self):
        return self._keys.shape.as_list()[1] or _rill.functions.shape(self._keys)[1]

    @property
    def state_size(self):
        return self.alignments_size

    def initial_alignments(self, batch_size, dtype):
        """Zeros for each place of the memory."""
        return _rill.functions.zeros([batch_size, self.alignments_size], dtype)

    def initial_state(self, batch_size, dtype):
        """The first alignments."""
        return self.initial_alignments(batch_size, dtype)

    def __call__(self, query, state):
        """(alignments, next state)."""
        with variable_scope(None, self._name, [query]):
            score = self._score(query)
        alignments = self._probability_fn(score, state)
        return alignments, alignments


class LuongAttention(_Attention):
    """Scores are products of queries and keys."""

    def __init__(self, num_units, memory, memory_sequence_length=None, scale=False, probability_fn=None,
                 score_mask_value=None, dtype=None, custom_key_value_fn=None, name="LuongAttention"):
        super().__init__(num_units, memory, memory_sequence_length, probability_fn, score_mask_value, dtype,
                         "luong_attention")
        if custom_key_value_fn is not None:
            self._keys, self._values = custom_key_value_fn(self._keys, self._values)
        self._scale = scale

    def _score(self, query):
        g = None
        if self._scale:
            g = get_variable("attention_g", dtype=query.dtype, initializer=_initializers.ones_initializer(),
                             shape=())
        return _rill.luong_score(query, self._keys, g)


class BahdanauAttention(_Attention):
    """Scores are made by a small network of queries and keys."""

    def __init__(self, num_units, memory, memory_sequence_length=None, normalize=False, probability_fn=None,
                 score_mask_value=None, dtype=None, custom_key_value_fn=None, name="BahdanauAttention"):
        super().__init__(num_units, memory, memory_sequence_length, probability_fn, score_mask_value, dtype,
                         "bahdanau_attention")
        if custom_key_value_fn is not None:
            self._keys, self._values = custom_key_value_fn(self._keys, self._values)
        self._normalize = normalize
        self._query_layer = _Projection(num_units, "query_layer", dtype)

    query_layer = property(lambda self: self._query_layer)

    def _score(self, query):
        processed = self._query_layer(query)
        v, g, b = get_variable("attention_v", [self._num_units], dtype=query.dtype), None, None
        if self._normalize:
            g = get_variable("attention_g", dtype=query.dtype, shape=(), initializer=
                             _initializers.constant_initializer(math.sqrt(1.0 / self._num_units)))
            b = get_variable("attention_b", [self._num_units], dtype=query.dtype,
                             initializer=_initializers.zeros_initializer())
        return _rill.bahdanau_score(processed, self._keys, v, g, b)


class AttentionWrapperState(collections.namedtuple("AttentionWrapperState", (
        "cell_state", "attention", "time", "alignments", "alignment_history", "attention_state"))):
    """The state of an AttentionWrapper."""

    __slots__ = ()

    def clone(self, **kwargs):
        """The same with some parts replaced."""
        return self._replace(**kwargs)


class AttentionWrapper(RNNCell):
    """A cell that looks into a memory after each step, and sees what it found in the next."""

    def __init__(self, cell, attention_mechanism, attention_layer_size=None, alignment_history=False,
                 cell_input_fn=None, output_attention=True, initial_cell_state=None, name=None,
                 attention_layer=None):
        super().__init__(name=name)
        assert_like_rnncell("cell", cell)
        self._is_multi = isinstance(attention_mechanism, (list, tuple))
        self._attention_mechanisms = tuple(attention_mechanism) if self._is_multi else (attention_mechanism,)
        for mechanism in self._attention_mechanisms:
            if not isinstance(mechanism, AttentionMechanism):
                raise TypeError("attention_mechanism must be an AttentionMechanism or list of multiple "
                                f"AttentionMechanism instances, saw type: {type(mechanism).__name__}")
        if cell_input_fn is not None and not callable(cell_input_fn):
            raise TypeError(f"cell_input_fn must be callable, saw type: {type(cell_input_fn).__name__}")
        if attention_layer_size is not None and attention_layer is not None:
            raise ValueError("Only one of attention_layer_size and attention_layer should be set")
        self._attention_layers = self._layers_of(attention_layer_size, attention_layer)
        self._attention_layer_size = sum(self._sizes(attention_layer_size, attention_layer))
        self._cell, self._alignment_history = cell, alignment_history
        self._cell_input_fn = cell_input_fn or (
            lambda inputs, attention: _rill.functions.concat([inputs, attention], -1))
        self._output_attention, self._initial_cell_state = output_attention, initial_cell_state

    def _per_mechanism(self, given, what):
        several = list(given) if isinstance(given, (list, tuple)) else [given]
        if len(several) != len(self._attention_mechanisms):
            raise ValueError(f"If provided, {what} must contain exactly one integer per attention_mechanism, "
                             f"saw: {len(several)} vs {len(self._attention_mechanisms)}")
        return several

    def _layers_of(self, sizes, layers):
        if layers is not None:
            return self._per_mechanism(layers, "attention_layer")
        if sizes is None:
            return None
        return [_Projection(size, "attention_layer", mechanism.dtype) for size, mechanism in zip(
            self._per_mechanism(sizes, "attention_layer_size"), self._attention_mechanisms)]

    def _sizes(self, sizes, layers):
        if sizes is not None:
            return self._per_mechanism(sizes, "attention_layer_size")
        depths = [m.values.shape.as_list()[-1] for m in self._attention_mechanisms]
        if layers is None:
            return depths
        return [layer.compute_output_shape([None, self._cell_depth(depth)]).as_list()[-1]
                for layer, depth in zip(self._attention_layers, depths)]

    def _cell_depth(self, depth):
        return None if depth is None else depth + self._cell.output_size

    def _one_or_all(self, values):
        values = tuple(values)
        return values if self._is_multi else values[0]

    def _each(self, values):
        return tuple(values) if self._is_multi else (values,)

    @property
    def output_size(self):
        return self._attention_layer_size if self._output_attention else self._cell.output_size

    @property
    def state_size(self):
        sizes = [m.alignments_size for m in self._attention_mechanisms]
        return AttentionWrapperState(
            cell_state=self._cell.state_size, time=_rill.TensorShape([]),
            attention=self._attention_layer_size, alignments=self._one_or_all(sizes),
            attention_state=self._one_or_all(m.state_size for m in self._attention_mechanisms),
            alignment_history=self._one_or_all(
                size if self._alignment_history else () for size in sizes))

    def zero_state(self, batch_size, dtype):
        """The state before the first step."""
        with name_scope(type(self).__name__ + "ZeroState"):
            cell_state = self._initial_cell_state
            if cell_state is None:
                cell_state = self._cell.zero_state(batch_size, dtype)
            else:
                cell_state = _nest.map_structure(
                    lambda s: _rill.functions.identity(s, name="checked_cell_state"), cell_state)
            alignments = [m.initial_alignments(batch_size, dtype) for m in self._attention_mechanisms]
            return AttentionWrapperState(
                cell_state=cell_state, time=_rill.functions.zeros([], int32),
                attention=zero_tensors(self._attention_layer_size, batch_size, dtype, "attention"),
                alignments=self._one_or_all(alignments),
                attention_state=self._one_or_all(
                    m.initial_state(batch_size, dtype) for m in self._attention_mechanisms),
                alignment_history=self._one_or_all(
                    TensorArray(dtype, size=0, dynamic_size=True, element_shape=a.shape)
                    if self._alignment_history else () for a in alignments))

    def call(self, inputs, state):
        """One step of the cell, and a look into each memory."""
        if not isinstance(state, AttentionWrapperState):
            raise TypeError("Expected state to be instance of AttentionWrapperState. "
                            f"Received type {type(state)} instead.")
        seen = self._cell_input_fn(inputs, state.attention)
        output, cell_state = self._cell(seen, state.cell_state)
        found, alignments, states, histories = [], [], [], []
        for i, (mechanism, before, history) in enumerate(zip(
                self._attention_mechanisms, self._each(state.attention_state),
                self._each(state.alignment_history))):
            where, after = mechanism(output, before)
            attention = _rill.attended(where, mechanism.values)
            if self._attention_layers:
                attention = self._attention_layers[i](_rill.functions.concat([output, attention], 1))
            found.append(attention)
            alignments.append(where)
            states.append(after)
            histories.append(history.write(state.time, where) if self._alignment_history else ())
        attention = found[0] if len(found) == 1 else _rill.functions.concat(found, 1)
        new_state = AttentionWrapperState(
            cell_state=cell_state, time=state.time + 1, attention=attention,
            alignments=self._one_or_all(alignments), attention_state=self._one_or_all(states),
            alignment_history=self._one_or_all(histories))
        return (attention if self._output_attention else output), new_state
