"""tf.contrib.seq2seq: decoders, their helpers and the loss; takes structures apart and packs them."""

import abc
import collections

from rill import _nest, _rill
from rill._control_flow import _leaves, _packed
from rill._rnn import _FlatCell
from rill._rnn_cells import assert_like_rnncell
from rill._scopes import name_scope
from rill._tensor_array import TensorArray
from rill.dtypes import float32, int32


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


# --- helpers -------------------------------------------------------------------------------------

class Helper(abc.ABC):
    """Chooses what a decoder gets as input."""

    @property
    def batch_size(self):
        raise NotImplementedError("batch_size has not been implemented")

    @property
    def sample_ids_shape(self):
        raise NotImplementedError("sample_ids_shape has not been implemented")

    @property
    def sample_ids_dtype(self):
        raise NotImplementedError("sample_ids_dtype has not been implemented")

    @abc.abstractmethod
    def initialize(self, name=None):
        """(finished, first inputs)."""

    @abc.abstractmethod
    def sample(self, time, outputs, state, name=None):
        """The words that outputs stand for."""

    @abc.abstractmethod
    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        """(finished, next inputs, next state)."""


class CustomHelper(Helper):
    """A helper of three functions."""

    def __init__(self, initialize_fn, sample_fn, next_inputs_fn, sample_ids_shape=None,
                 sample_ids_dtype=None):
        self._functions = initialize_fn, sample_fn, next_inputs_fn
        self._shape = _rill.TensorShape(sample_ids_shape or [])
        self._dtype = sample_ids_dtype or int32
        self._batch_size = None

    @property
    def batch_size(self):
        if self._batch_size is None:
            raise ValueError("batch_size accessed before initialize was called")
        return self._batch_size

    sample_ids_shape = property(lambda self: self._shape)
    sample_ids_dtype = property(lambda self: self._dtype)

    def initialize(self, name=None):
        with name_scope(name, "CustomHelperInitialize"):
            finished, inputs = self._functions[0]()
            if self._batch_size is None:
                self._batch_size = _rill.function("size")(finished)
        return finished, inputs

    def sample(self, time, outputs, state, name=None):
        with name_scope(name, "CustomHelperSample"):
            return self._functions[1](time=time, outputs=outputs, state=state)

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        with name_scope(name, "CustomHelperNextInputs"):
            return self._functions[2](time=time, outputs=outputs, state=state, sample_ids=sample_ids)


class _NativeHelper(Helper):
    """A helper of C++."""

    def _begin(self, core, inputs):
        self._core, self._input_model = core, inputs

    @property
    def batch_size(self):
        return self._core.batch_size()

    sample_ids_shape = property(lambda self: _rill.TensorShape([]))
    sample_ids_dtype = property(lambda self: int32)

    def _pack(self, start):
        finished, inputs = start
        return finished, _nest.pack_sequence_as(self._input_model, inputs)

    def initialize(self, name=None):
        return self._pack(self._core.initialize())

    def sample(self, time, outputs, state=None, name=None):
        return self._core.sample(time, _nest.flatten(outputs))

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        return (*self._pack(self._core.next_inputs(time, sample_ids)), state)


class TrainingHelper(_NativeHelper):
    """Reads inputs that are known."""

    def __init__(self, inputs, sequence_length, time_major=False, name=None):
        self._inputs, self._sequence_length = inputs, sequence_length
        self._begin(_rill.training_helper(_nest.flatten(inputs), sequence_length, time_major), inputs)

    inputs = property(lambda self: self._inputs)
    sequence_length = property(lambda self: self._sequence_length)


def _embedding(table):
    if callable(table):
        return table
    return lambda ids: _rill.function("nn.embedding_lookup")(table, ids)


class GreedyEmbeddingHelper(_NativeHelper):
    """Takes the most likely word as next input."""

    _samples = False

    def __init__(self, embedding, start_tokens, end_token, _temperature=None, _seed=None):
        self._begin(_rill.embedding_helper(_embedding(embedding), start_tokens, end_token, self._samples,
                                           _temperature, _seed), 0)


class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """Takes a word by chance, as likely as the outputs say, as next input."""

    _samples = True

    def __init__(self, embedding, start_tokens, end_token, softmax_temperature=None, seed=None):
        super().__init__(embedding, start_tokens, end_token, softmax_temperature, seed)


class ScheduledEmbeddingTrainingHelper(TrainingHelper):
    """Now and then replaces a known input by the row of a word that the decoder chose."""

    def __init__(self, inputs, sequence_length, embedding, sampling_probability, time_major=False, seed=None,
                 scheduling_seed=None, name=None):
        self._inputs, self._sequence_length = inputs, sequence_length
        self._begin(_rill.scheduled_helper(inputs, sequence_length, _embedding(embedding),
                                           sampling_probability, time_major, seed, scheduling_seed), 0)


class InferenceHelper(Helper):
    """A helper of functions that know the words that a decoder samples."""

    def __init__(self, sample_fn, sample_shape, sample_dtype, start_inputs, end_fn, next_inputs_fn=None):
        self._functions = sample_fn, end_fn, next_inputs_fn or (lambda ids: ids)
        self._shape, self._dtype = _rill.TensorShape(sample_shape), sample_dtype
        self._start_inputs = _rill.convert_to_tensor(start_inputs, name="start_inputs")

    @property
    def batch_size(self):
        return self._start_inputs.shape.as_list()[0] or _rill.function("shape")(self._start_inputs)[0]

    sample_ids_shape = property(lambda self: self._shape)
    sample_ids_dtype = property(lambda self: self._dtype)

    def initialize(self, name=None):
        return _rill.function("fill")([self.batch_size], False), self._start_inputs

    def sample(self, time, outputs, state, name=None):
        return self._functions[0](outputs)

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        return self._functions[1](sample_ids), self._functions[2](sample_ids), state


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


# --- beams ---------------------------------------------------------------------------------------

class BeamSearchDecoderState(collections.namedtuple("BeamSearchDecoderState", (
        "cell_state", "log_probs", "finished", "lengths", "accumulated_attention_probs"))):
    """The state of a BeamSearchDecoder."""

    __slots__ = ()


class BeamSearchDecoderOutput(collections.namedtuple("BeamSearchDecoderOutput", (
        "scores", "predicted_ids", "parent_ids"))):
    """What a step of a BeamSearchDecoder gives."""

    __slots__ = ()


class FinalBeamSearchDecoderOutput(collections.namedtuple("FinalBeamDecoderOutput", (
        "predicted_ids", "beam_search_decoder_output"))):
    """Whole sequences, the best beam first, and what the steps gave."""

    __slots__ = ()


class BeamSearchDecoder(Decoder):
    """Keeps the most likely beginnings of sequences."""

    def __init__(self, cell, embedding, start_tokens, end_token, initial_state, beam_width,
                 output_layer=None, length_penalty_weight=0.0, coverage_penalty_weight=0.0,
                 reorder_tensor_arrays=True):
        assert_like_rnncell("cell", cell)
        if output_layer is not None and not callable(output_layer):
            raise TypeError(f"output_layer must be a Layer, received: {type(output_layer)}")
        if coverage_penalty_weight:
            raise NotImplementedError(f"BeamSearchDecoder: coverage_penalty_weight={coverage_penalty_weight}")
        if reorder_tensor_arrays and any(isinstance(leaf, TensorArray) for leaf in _nest.flatten(initial_state)):
            raise NotImplementedError("BeamSearchDecoder: reorder_tensor_arrays=True with a TensorArray in the "
                                      "state (alignment_history)")
        self._state, self._beam_width = initial_state, beam_width
        flat = _FlatCell(cell, 0, initial_state)
        self._core = _rill.beam_search(flat, _embedding(embedding), start_tokens, end_token,
                                       _leaves(initial_state), beam_width, output_layer,
                                       length_penalty_weight)

    @property
    def batch_size(self):
        return self._core.batch_size()

    @property
    def output_size(self):
        return BeamSearchDecoderOutput(*[_rill.TensorShape([self._beam_width])] * 3)

    @property
    def output_dtype(self):
        return BeamSearchDecoderOutput(float32, int32, int32)

    @property
    def tracks_own_finished(self):
        return True

    def _pack_state(self, flat):
        return BeamSearchDecoderState(_packed(self._state, flat[:-3]), *flat[-3:], ())

    def initialize(self, name=None):
        finished, (inputs,), state = self._core.initialize()
        return finished, inputs, self._pack_state(state)

    def step(self, time, inputs, state, name=None):
        outputs, state, (inputs,), finished = self._core.step(time, [inputs], _leaves(state))
        return BeamSearchDecoderOutput(*outputs), self._pack_state(state), inputs, finished

    def finalize(self, outputs, final_state, sequence_lengths):
        ids, *rest = self._core.finalize(list(outputs), _leaves(final_state), sequence_lengths)
        return FinalBeamSearchDecoderOutput(ids, BeamSearchDecoderOutput(*rest)), final_state


def gather_tree(step_ids, parent_ids, max_sequence_lengths, end_token, name=None):
    """The sequences that end in each beam."""
    return _rill.gather_tree(step_ids, parent_ids, max_sequence_lengths, end_token)
