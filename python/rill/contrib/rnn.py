"""tf.contrib.rnn: what there is of it."""

from rill._contrib_rnn import (  # noqa: F401
    AttentionCellWrapper, Conv1DLSTMCell, Conv2DLSTMCell, Conv3DLSTMCell, ConvLSTMCell,
    CoupledInputForgetGateLSTMCell, EmbeddingWrapper, FusedRNNCell, FusedRNNCellAdaptor, GRUBlockCell,
    GRUBlockCellV2, InputProjectionWrapper, LayerNormBasicLSTMCell, LSTMBlockCell, LSTMBlockFusedCell,
    LSTMBlockWrapper, NASCell, OutputProjectionWrapper, TimeReversedFusedRNN, UGRNNCell,
    stack_bidirectional_dynamic_rnn, stack_bidirectional_rnn)
from rill._rnn import static_bidirectional_rnn, static_rnn, static_state_saving_rnn  # noqa: F401
from rill._rnn_cells import (  # noqa: F401
    BasicLSTMCell, BasicRNNCell, GRUCell, LayerRNNCell, LSTMCell, LSTMStateTuple, MultiRNNCell, RNNCell)
from rill._rnn_internals import (  # noqa: F401
    _best_effort_input_batch_size as best_effort_input_batch_size, _transpose_batch_time as transpose_batch_time)
from rill._rnn_wrappers import DeviceWrapper, DropoutWrapper, ResidualWrapper  # noqa: F401
