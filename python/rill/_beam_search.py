"""tf.contrib.seq2seq: search with beams; the work is done in C++."""

import collections

from rill import _nest, _rill
from rill._control_flow import _leaves, _packed
from rill._rnn import _FlatCell
from rill._rnn_base import assert_like_rnncell
from rill._seq2seq import Decoder
from rill._seq2seq_helpers import _embedding
from rill._tensor_array import TensorArray
from rill.dtypes import float32, int32


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
