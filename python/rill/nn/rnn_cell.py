"""tf.nn.rnn_cell: cells of recurrent networks."""

from rill import _surface
from rill._rnn_base import LSTMStateTuple, RNNCell
from rill._rnn_cells import BasicLSTMCell, BasicRNNCell, GRUCell, LSTMCell, MultiRNNCell
from rill._rnn_wrappers import DeviceWrapper, DropoutWrapper, ResidualWrapper

__getattr__, __dir__ = _surface.members_of(__name__)
