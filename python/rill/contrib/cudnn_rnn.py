"""tf.contrib.cudnn_rnn: cells that compute on any device what cuDNN's networks compute."""

from rill._contrib_rnn import LSTMBlockCell
from rill._rnn_base import RNNCell


class CudnnCompatibleLSTMCell(LSTMBlockCell):
    """The LSTM of cuDNN: without peepholes, clipping, or a bias that favours remembering."""

    def __init__(self, num_units, reuse=None):
        super().__init__(num_units, forget_bias=0.0, cell_clip=None, use_peephole=False, reuse=reuse,
                         name="cudnn_compatible_lstm_cell")


class CudnnCompatibleGRUCell(RNNCell):
    """The GRU of cuDNN: the reset gate applies to the projection of the state, which has a bias of its own."""

    def __init__(self, num_units, reuse=None, kernel_initializer=None, name=None):
        super().__init__(_reuse=reuse, name=name)
        self._num_units, self._kernel_initializer = num_units, kernel_initializer

    @property
    def state_size(self):
        """The number of units."""
        return self._num_units

    @property
    def output_size(self):
        """The number of units."""
        return self._num_units

    def build(self, inputs_shape):
        """Makes the variables."""
        from rill import constant_initializer, zeros_initializer
        depth, units = int(inputs_shape[-1]), self._num_units

        def kernel(name, rows, columns):
            return self.add_variable(name + "/kernel", [rows, columns], initializer=self._kernel_initializer)

        def bias(name, size, initializer):
            return self.add_variable(name + "/bias", [size], initializer=initializer)

        self._gates = kernel("gates", depth + units, 2 * units), bias("gates", 2 * units, constant_initializer(1.0))
        self._of_inputs = [kernel("candidate/input_projection", depth, units)]
        self._of_state = [kernel("candidate/hidden_projection", units, units)]
        self._of_inputs.append(bias("candidate/input_projection", units, zeros_initializer()))
        self._of_state.append(bias("candidate/hidden_projection", units, zeros_initializer()))
        self.built = True

    def call(self, inputs, state):
        """The next state, which is also the output."""
        from rill import concat, matmul, nn, sigmoid, split, tanh

        def project(values, weights):
            return nn.bias_add(matmul(values, weights[0]), weights[1])

        reset, update = split(sigmoid(project(concat([inputs, state], 1), self._gates)), 2, axis=1)
        candidate = tanh(project(inputs, self._of_inputs) + reset * project(state, self._of_state))
        state = (1 - update) * candidate + update * state
        return state, state
