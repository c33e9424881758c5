"""tf.contrib.crf: linear-chain conditional random fields."""

import numpy as np

from rill import _rill
from rill._rnn_base import RNNCell
from rill._rill.functions.contrib.crf import (  # noqa: F401
    crf_binary_score, crf_decode, crf_log_likelihood, crf_log_norm, crf_multitag_sequence_score, crf_sequence_score,
    crf_unary_score)

_crf = _rill.functions.contrib.crf


def viterbi_decode(score, transition_params):
    """The best sequence of tags for an array of scores [time, tags], as a list, and its score."""
    score = np.asarray(score)
    tags, best = _crf.viterbi_decode_values(np.ascontiguousarray(score, np.float64),
                                            np.ascontiguousarray(transition_params, np.float64))
    return tags, np.result_type(score, transition_params).type(best)


class CrfForwardRnnCell(RNNCell):
    """Sums over all sequences of tags, one step at a time."""

    def __init__(self, transition_params):
        super().__init__()
        self._transition_params = _rill.convert_to_tensor(transition_params)
        self._num_tags = self._transition_params.get_shape()[0].value

    @property
    def state_size(self):
        """The number of tags."""
        return self._num_tags

    @property
    def output_size(self):
        """The number of tags."""
        return self._num_tags

    def __call__(self, inputs, state, scope=None):
        """The new sums, as output and as state."""
        new = _crf.forward_step(inputs, state, self._transition_params)
        return new, new


class CrfDecodeForwardRnnCell(CrfForwardRnnCell):
    """Finds the best sequences of tags that end in each tag, one step at a time."""

    def __call__(self, inputs, state, scope=None):
        """Backpointers and the new scores."""
        return _crf.decode_forward_step(inputs, state, self._transition_params)


class CrfDecodeBackwardRnnCell(RNNCell):
    """Follows backpointers."""

    def __init__(self, num_tags):
        super().__init__()
        self._num_tags = num_tags

    @property
    def state_size(self):
        """One tag."""
        return 1

    @property
    def output_size(self):
        """One tag."""
        return 1

    def __call__(self, inputs, state, scope=None):
        """The tags before those of the state, as output and as state."""
        new = _crf.decode_backward_step(inputs, state)
        return new, new
