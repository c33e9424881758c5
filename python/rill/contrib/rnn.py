"""tf.contrib.rnn: what there is of it."""

from rill._contrib_rnn import (  # noqa: F401
    AttentionCellWrapper, Conv1DLSTMCell, Conv2DLSTMCell, Conv3DLSTMCell, ConvLSTMCell,
    CoupledInputForgetGateLSTMCell, EmbeddingWrapper, GRUBlockCell, GRUBlockCellV2,
    InputProjectionWrapper, LayerNormBasicLSTMCell, LSTMBlockCell, NASCell, OutputProjectionWrapper,
    UGRNNCell)
from rill._fused_rnn import (  # noqa: F401
    FusedRNNCell, FusedRNNCellAdaptor, LSTMBlockFusedCell, LSTMBlockWrapper, TimeReversedFusedRNN,
    stack_bidirectional_dynamic_rnn, stack_bidirectional_rnn)
from rill._rnn import static_bidirectional_rnn, static_rnn, static_state_saving_rnn  # noqa: F401
from rill._rnn_base import LayerRNNCell, LSTMStateTuple, RNNCell  # noqa: F401
from rill._rnn_cells import BasicLSTMCell, BasicRNNCell, GRUCell, LSTMCell, MultiRNNCell  # noqa: F401
from rill._rnn_internals import (  # noqa: F401
    _best_effort_input_batch_size as best_effort_input_batch_size, _transpose_batch_time as transpose_batch_time)
from rill._rnn_wrappers import DeviceWrapper, DropoutWrapper, ResidualWrapper  # noqa: F401
