"""tf.nn: functions of neural networks; those that are not here are C++'s."""

from rill import _surface
from rill._rnn import (bidirectional_dynamic_rnn, dynamic_rnn, raw_rnn, static_bidirectional_rnn,
                       static_rnn, static_state_saving_rnn)

__getattr__, __dir__ = _surface.members_of(__name__)
