"""One step of every cell: values, variables, names and collections."""
import numpy as np
import tensorflow as tf
from program import feeds

cells = tf.nn.rnn_cell
X = np.linspace(-1, 1, 6).reshape(2, 3).astype(np.float32)
H = np.linspace(-0.5, 0.5, 8).reshape(2, 4).astype(np.float32)
C = np.linspace(0.8, -0.8, 8).reshape(2, 4).astype(np.float32)


def uniform(seed=3):
    return tf.random_uniform_initializer(-0.5, 0.5, seed=seed)


def names(variables):
    return [v.name for v in variables]


def step(cell, state, x=X):
    output, new_state = cell(tf.constant(x), state)
    return {"output": output, "state": new_state, "shape": str(output.shape),
            "variables": names(tf.global_variables()), "trainable": names(tf.trainable_variables())}


def program_basic_rnn():
    with tf.variable_scope("net", initializer=uniform()):
        return step(cells.BasicRNNCell(4), tf.constant(H))


def program_basic_rnn_activation():
    with tf.variable_scope("net", initializer=uniform()):
        return step(cells.BasicRNNCell(4, activation=tf.nn.relu), tf.constant(H))


def program_basic_rnn_named():
    with tf.variable_scope("net", initializer=uniform()):
        cell = cells.BasicRNNCell(4, name="mine")
        result = step(cell, tf.constant(H))
        return {**result, "name": cell.name, "scope": cell.scope_name, "size": [cell.state_size, cell.output_size]}


def program_basic_rnn_called_twice():
    with tf.variable_scope("net", initializer=uniform()):
        cell = cells.BasicRNNCell(4)
        first, state = cell(tf.constant(X), tf.constant(H))
        second, state = cell(tf.constant(X), state)
        return {"outputs": [first, second], "state": state, "weights": names(cell.weights),
                "names": [first.name, second.name]}


def program_basic_rnn_scope_argument():
    with tf.variable_scope("net", initializer=uniform()):
        output, _ = cells.BasicRNNCell(4)(tf.constant(X), tf.constant(H), scope="other")
        return {"output": output, "variables": names(tf.global_variables())}


def program_basic_rnn_two_cells():
    with tf.variable_scope("net", initializer=uniform()):
        a, b = cells.BasicRNNCell(4), cells.BasicRNNCell(4)
        first, state = a(tf.constant(X), tf.constant(H))
        second, _ = b(first, state)
        return {"second": second, "variables": names(tf.global_variables()), "names": [a.name, b.name]}


def program_basic_rnn_reuse():
    with tf.variable_scope("net", initializer=uniform()):
        a, _ = cells.BasicRNNCell(4, name="cell")(tf.constant(X), tf.constant(H))
        b, _ = cells.BasicRNNCell(4, name="cell", reuse=True)(tf.constant(X), tf.constant(H))
        return {"a": a, "b": b, "variables": names(tf.global_variables())}


def program_basic_rnn_scope_reuse():
    with tf.variable_scope("net", initializer=uniform()):
        a, _ = cells.BasicRNNCell(4)(tf.constant(X), tf.constant(H))
    with tf.variable_scope("net", reuse=True):
        b, _ = cells.BasicRNNCell(4)(tf.constant(X), tf.constant(H))
    return {"a": a, "b": b, "variables": names(tf.global_variables())}


def program_basic_rnn_double():
    with tf.variable_scope("net", initializer=uniform(), dtype=tf.float64):
        return step(cells.BasicRNNCell(4, dtype=tf.float64), tf.constant(H.astype(np.float64)), X.astype(np.float64))


def program_basic_rnn_not_trainable():
    with tf.variable_scope("net", initializer=uniform()):
        cell = cells.BasicRNNCell(4, trainable=False)
        result = step(cell, tf.constant(H))
        return {**result, "own": [len(cell.trainable_weights), len(cell.non_trainable_weights)]}


def program_basic_rnn_unknown_batch():
    x, h = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [None, 4])
    with tf.variable_scope("net", initializer=uniform()):
        output, _ = cells.BasicRNNCell(4)(x, h)
    return feeds({x: X, h: H}, output=output, shape=str(output.shape))


def program_basic_rnn_getter():
    def untrained(getter, *args, **kwargs):
        return getter(*args, **{**kwargs, "trainable": False})

    with tf.variable_scope("net", initializer=uniform(), custom_getter=untrained):
        cell = cells.BasicRNNCell(4)
        return {**step(cell, tf.constant(H)), "own": names(cell.trainable_weights)}


def program_basic_rnn_resource():
    with tf.variable_scope("net", initializer=uniform(), use_resource=True):
        return step(cells.BasicRNNCell(4), tf.constant(H))


def program_gru():
    with tf.variable_scope("net", initializer=uniform()):
        return step(cells.GRUCell(4), tf.constant(H))


def program_gru_initializers():
    cell = cells.GRUCell(4, kernel_initializer=uniform(5), bias_initializer=tf.constant_initializer(0.5), name="g")
    return step(cell, tf.constant(H))


def program_gru_activation():
    with tf.variable_scope("net", initializer=uniform()):
        return step(cells.GRUCell(4, tf.nn.relu), tf.constant(H))


def program_gru_half():
    with tf.variable_scope("net", initializer=tf.constant_initializer(0.25)):
        return step(cells.GRUCell(4), tf.constant(H.astype(np.float16)), X.astype(np.float16))


def program_basic_lstm():
    with tf.variable_scope("net", initializer=uniform()):
        return step(cells.BasicLSTMCell(4), cells.LSTMStateTuple(tf.constant(C), tf.constant(H)))


def program_basic_lstm_forget_bias():
    with tf.variable_scope("net", initializer=uniform()):
        return step(cells.BasicLSTMCell(4, forget_bias=0.0, activation=tf.sigmoid), (tf.constant(C), tf.constant(H)))


def program_basic_lstm_one_state():
    with tf.variable_scope("net", initializer=uniform()):
        cell = cells.BasicLSTMCell(4, state_is_tuple=False)
        return {**step(cell, tf.constant(np.concatenate([C, H], 1))), "size": [cell.state_size, cell.output_size]}


def program_basic_lstm_double():
    with tf.variable_scope("net", initializer=uniform(), dtype=tf.float64):
        state = cells.LSTMStateTuple(tf.constant(C.astype(np.float64)), tf.constant(H.astype(np.float64)))
        return step(cells.BasicLSTMCell(4), state, X.astype(np.float64))


def program_lstm():
    with tf.variable_scope("net", initializer=uniform()):
        return step(cells.LSTMCell(4), cells.LSTMStateTuple(tf.constant(C), tf.constant(H)))


def program_lstm_initializer():
    return step(cells.LSTMCell(4, initializer=uniform(7)), cells.LSTMStateTuple(tf.constant(C), tf.constant(H)))


def program_lstm_peepholes():
    with tf.variable_scope("net", initializer=uniform()):
        return step(cells.LSTMCell(4, use_peepholes=True), cells.LSTMStateTuple(tf.constant(C), tf.constant(H)))


def program_lstm_cell_clip():
    with tf.variable_scope("net", initializer=uniform()):
        cell = cells.LSTMCell(4, cell_clip=0.2, use_peepholes=True, forget_bias=0.5)
        return step(cell, cells.LSTMStateTuple(tf.constant(C), tf.constant(H)))


def program_lstm_projection():
    with tf.variable_scope("net", initializer=uniform()):
        cell = cells.LSTMCell(4, num_proj=2)
        return {**step(cell, cells.LSTMStateTuple(tf.constant(C), tf.constant(H[:, :2]))),
                "size": [list(cell.state_size), cell.output_size]}


def program_lstm_projection_clip():
    with tf.variable_scope("net", initializer=uniform()):
        cell = cells.LSTMCell(4, num_proj=2, proj_clip=0.1, cell_clip=1.0)
        return step(cell, cells.LSTMStateTuple(tf.constant(C), tf.constant(H[:, :2])))


def program_lstm_one_state():
    with tf.variable_scope("net", initializer=uniform()):
        return step(cells.LSTMCell(4, state_is_tuple=False), tf.constant(np.concatenate([C, H], 1)))


def program_lstm_one_state_projection():
    with tf.variable_scope("net", initializer=uniform()):
        cell = cells.LSTMCell(4, state_is_tuple=False, num_proj=3)
        return {**step(cell, tf.constant(np.concatenate([C, H[:, :3]], 1))), "size": cell.state_size}


def program_lstm_shards():
    with tf.variable_scope("net", initializer=uniform()):
        cell = cells.LSTMCell(4, num_unit_shards=2, num_proj=2, num_proj_shards=2)
        return step(cell, cells.LSTMStateTuple(tf.constant(C), tf.constant(H[:, :2])))


def program_lstm_partitioner():
    with tf.variable_scope("net", initializer=uniform(), partitioner=tf.fixed_size_partitioner(2)):
        return step(cells.LSTMCell(4), cells.LSTMStateTuple(tf.constant(C), tf.constant(H)))


def program_lstm_activation():
    with tf.variable_scope("net", initializer=uniform()):
        cell = cells.LSTMCell(4, activation=tf.nn.relu, name="lstm")
        return step(cell, cells.LSTMStateTuple(tf.constant(C), tf.constant(H)))


def program_zero_states():
    n = tf.placeholder_with_default(2, [])
    cell = cells.BasicLSTMCell(4)
    known, unknown = cell.zero_state(2, tf.float32), cells.GRUCell(3).zero_state(n, tf.float64)
    return {"known": known, "unknown": unknown, "shapes": [str(known.c.shape), str(unknown.shape)]}


def program_zero_state_of_constant():
    state = cells.BasicRNNCell(4).zero_state(tf.constant(3), tf.float32)
    return {"state": state, "shape": str(state.shape)}


def program_initial_state_of_inputs():
    x = tf.placeholder(tf.float32, [None, 3])
    a = cells.BasicRNNCell(4).get_initial_state(x)
    b = cells.LSTMCell(4, num_proj=2).get_initial_state(inputs=tf.constant(X))
    c = cells.GRUCell(4).get_initial_state(batch_size=3, dtype=tf.float32)
    return feeds({x: X}, a=a, b=b, c=c)


def program_multi():
    with tf.variable_scope("net", initializer=uniform()):
        cell = cells.MultiRNNCell([cells.BasicRNNCell(4), cells.GRUCell(4)])
        result = step(cell, (tf.constant(H), tf.constant(C)))
        return {**result, "own": names(cell.trainable_weights), "size": [list(cell.state_size), cell.output_size]}


def program_multi_lstm():
    with tf.variable_scope("net", initializer=uniform()):
        cell = cells.MultiRNNCell([cells.BasicLSTMCell(4) for _ in range(2)])
        return step(cell, cell.zero_state(2, tf.float32))


def program_multi_one_state():
    with tf.variable_scope("net", initializer=uniform()):
        cell = cells.MultiRNNCell([cells.BasicLSTMCell(4, state_is_tuple=False), cells.BasicRNNCell(2)],
                                  state_is_tuple=False)
        return {**step(cell, cell.zero_state(2, tf.float32)), "size": cell.state_size}


def program_multi_same_cell():
    with tf.variable_scope("net", initializer=uniform()):
        one = cells.BasicRNNCell(3)
        cell = cells.MultiRNNCell([one, one])
        return step(cell, cell.zero_state(2, tf.float32))


def program_multi_nested():
    with tf.variable_scope("net", initializer=uniform()):
        inner = cells.MultiRNNCell([cells.BasicRNNCell(4), cells.BasicRNNCell(4)])
        cell = cells.MultiRNNCell([inner, cells.BasicLSTMCell(2)])
        return step(cell, cell.zero_state(2, tf.float32))


def program_state_tuple():
    state = cells.LSTMStateTuple(c=tf.constant(C), h=tf.constant(H))
    return {"c": state.c, "h": state.h, "dtype": state.dtype.name}


def program_own_cell():
    class Adding(cells.RNNCell):
        @property
        def state_size(self):
            return 4

        @property
        def output_size(self):
            return 3

        def call(self, inputs, state):
            w = tf.get_variable("w", [3, 4])
            new_state = state + tf.matmul(inputs, w)
            return inputs * 2.0, new_state

    with tf.variable_scope("net", initializer=uniform()):
        cell = Adding()
        first, state = cell(tf.constant(X), tf.constant(H))
        second, state = cell(first, state)
        return {"output": second, "state": state, "own": names(cell.trainable_weights), "name": cell.name,
                "variables": names(tf.global_variables())}


def program_own_cell_built():
    class Scaling(cells.RNNCell):
        state_size = property(lambda self: (4, 2))
        output_size = property(lambda self: 4)

        def build(self, inputs_shape):
            self.scale = self.add_variable("scale", [4])
            self.built = True

        def call(self, inputs, state):
            a, b = state
            return a * self.scale, (a + 1.0, b * 2.0)

    with tf.variable_scope("net", initializer=uniform()):
        cell = Scaling(name="scaling")
        return {**step(cell, cell.zero_state(2, tf.float32)), "own": names(cell.weights)}


def program_own_lstm():
    class Louder(cells.BasicLSTMCell):
        def call(self, inputs, state):
            output, state = super().call(inputs, state)
            return output * 2.0, state

    with tf.variable_scope("net", initializer=uniform()):
        return step(Louder(4), cells.LSTMStateTuple(tf.constant(C), tf.constant(H)))
