"""tf.contrib.seq2seq: decoders and the loss; takes structures apart and packs them."""

import abc
import collections

from rill import _nest, _rill
from rill._control_flow import _leaves, _packed
from rill._rnn_base import assert_like_rnncell
from rill._scopes import name_scope
from rill._seq2seq_helpers import Helper


class Decoder(abc.ABC):
    """Makes one element of a sequence after the other."""

    @property
    def batch_size(self):
        raise NotImplementedError

    @property
    def output_size(self):
        raise NotImplementedError

    @property
    def output_dtype(self):
        raise NotImplementedError

    @abc.abstractmethod
    def initialize(self, name=None):
        """(finished, first inputs, first state)."""

    @abc.abstractmethod
    def step(self, time, inputs, state, name=None):
        """(outputs, next state, next inputs, finished)."""

    def finalize(self, outputs, final_state, sequence_lengths):
        """May change what the loop gave."""
        raise NotImplementedError

    @property
    def tracks_own_finished(self):
        """Whether `finished` of a step says it of the whole sequence, as where beams change places."""
        return False


class _FlatDecoder:
    """A decoder as C++ sees it: inputs, outputs and states are lists."""

    def __init__(self, decoder):
        self._decoder = decoder
        self._inputs = self.state = None
        self.finalized = None  # the structures that finalize gave

    def batch_size(self):
        return self._decoder.batch_size

    def output_sizes(self):
        return _nest.flatten(self._decoder.output_size)

    def output_dtypes(self):
        return _nest.flatten(self._decoder.output_dtype)

    def initialize(self):
        finished, self._inputs, self.state = self._decoder.initialize()
        return finished, _leaves(self._inputs), _leaves(self.state)

    def step(self, time, inputs, state):
        outputs, new_state, next_inputs, finished = self._decoder.step(
            time, _packed(self._inputs, inputs), _packed(self.state, state))
        _nest.assert_same_structure(self.state, new_state)
        _nest.assert_same_structure(self._decoder.output_size, outputs)
        _nest.assert_same_structure(self._inputs, next_inputs)
        return _leaves(outputs), _leaves(new_state), _leaves(next_inputs), finished

    def tracks_own_finished(self):
        return self._decoder.tracks_own_finished

    def lengths_of(self, state):
        return getattr(_packed(self.state, state), "lengths", None)

    def pack_outputs(self, outputs):
        model = self._decoder.output_size if self.finalized is None else self.finalized[0]
        return _nest.pack_sequence_as(model, outputs)

    def pack_state(self, state):
        return _packed(self.state if self.finalized is None else self.finalized[1], state)

    def finalize(self, outputs, state, lengths):
        try:
            self.finalized = self._decoder.finalize(
                _nest.pack_sequence_as(self._decoder.output_size, outputs), _packed(self.state, state), lengths)
        except NotImplementedError:
            return None
        return _leaves(self.finalized[0]), _leaves(self.finalized[1])


def dynamic_decode(decoder, output_time_major=False, impute_finished=False, maximum_iterations=None,
                   parallel_iterations=32, swap_memory=False, scope=None, **kwargs):
    """The outputs, the last state and the lengths of what a decoder makes."""
    if not isinstance(decoder, Decoder):
        raise TypeError(f"Expected decoder to be type Decoder, but saw: {type(decoder)}")
    flat = _FlatDecoder(decoder)
    outputs, state, lengths = _rill.dynamic_decode(flat, {
        "output_time_major": output_time_major, "impute_finished": impute_finished,
        "maximum_iterations": maximum_iterations, "parallel_iterations": parallel_iterations,
        "swap_memory": swap_memory, "scope": scope})
    return flat.pack_outputs(outputs), flat.pack_state(state), lengths


class BasicDecoderOutput(collections.namedtuple("BasicDecoderOutput", ("rnn_output", "sample_id"))):
    """What a step of BasicDecoder gives."""

    __slots__ = ()


class BasicDecoder(Decoder):
    """A cell whose inputs a helper chooses."""

    def __init__(self, cell, helper, initial_state, output_layer=None):
        assert_like_rnncell("cell", cell)
        if not isinstance(helper, Helper):
            raise TypeError(f"helper must be a Helper, received: {type(helper)}")
        if output_layer is not None and not callable(output_layer):
            raise TypeError(f"output_layer must be a Layer, received: {type(output_layer)}")
        self._cell, self._helper, self._initial_state = cell, helper, initial_state
        self._output_layer = output_layer

    @property
    def batch_size(self):
        return self._helper.batch_size

    def _rnn_output_size(self):
        size = self._cell.output_size
        if self._output_layer is None:
            return size
        return _nest.map_structure(self._layer_size, size)

    def _layer_size(self, size):
        with_batch = _rill.TensorShape([None]).concatenate(_rill.TensorShape(size))
        return self._output_layer.compute_output_shape(with_batch)[1:]

    @property
    def output_size(self):
        return BasicDecoderOutput(self._rnn_output_size(), self._helper.sample_ids_shape)

    @property
    def output_dtype(self):
        dtype = _nest.flatten(self._initial_state)[0].dtype
        return BasicDecoderOutput(_nest.map_structure(lambda _: dtype, self._rnn_output_size()),
                                  self._helper.sample_ids_dtype)

    def initialize(self, name=None):
        return (*self._helper.initialize(), self._initial_state)

    def step(self, time, inputs, state, name=None):
        with name_scope(name, "BasicDecoderStep"):
            outputs, state = self._cell(inputs, state)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            ids = self._helper.sample(time=time, outputs=outputs, state=state)
            finished, next_inputs, state = self._helper.next_inputs(
                time=time, outputs=outputs, state=state, sample_ids=ids)
        return BasicDecoderOutput(outputs, ids), state, next_inputs, finished


# --- functions -----------------------------------------------------------------------------------

def sequence_loss(logits, targets, weights, average_across_timesteps=True, average_across_batch=True,
                  sum_over_timesteps=False, sum_over_batch=False, softmax_loss_function=None, name=None):
    """The weighted cross entropy of sequences of logits."""
    return _rill.sequence_loss(logits, targets, weights, {
        "average_across_timesteps": average_across_timesteps, "average_across_batch": average_across_batch,
        "sum_over_timesteps": sum_over_timesteps, "sum_over_batch": sum_over_batch,
        "softmax_loss_function": softmax_loss_function, "name": name})


def tile_batch(t, multiplier, name=None):
    """Each example of all tensors of a structure `multiplier` times, one after the other."""
    return _nest.map_structure(lambda x: _rill.tile_batch(x, multiplier, name or ""), t)
