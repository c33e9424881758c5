"""dynamic_rnn, bidirectional_dynamic_rnn and raw_rnn."""
import numpy as np
import tensorflow as tf
from program import feeds

cells = tf.nn.rnn_cell
X = np.sin(np.arange(30)).reshape(2, 5, 3).astype(np.float32)


def uniform():
    return tf.random_uniform_initializer(-0.5, 0.5, seed=3)


def run(cell, x=None, **options):
    x = tf.constant(X) if x is None else x
    if "initial_state" not in options:
        options.setdefault("dtype", tf.float32)
    with tf.variable_scope("net", initializer=uniform()):
        outputs, state = tf.nn.dynamic_rnn(cell, x, **options)
    return {"outputs": outputs, "state": state, "shape": str(outputs.shape),
            "variables": [v.name for v in tf.global_variables()]}


def program_basic():
    return run(cells.BasicRNNCell(4))


def program_lstm():
    return run(cells.LSTMCell(4))


def program_basic_lstm_one_state():
    return run(cells.BasicLSTMCell(4, state_is_tuple=False))


def program_gru():
    return run(cells.GRUCell(4))


def program_at_the_top():
    with tf.variable_scope(tf.get_variable_scope(), initializer=uniform()):
        outputs, state = tf.nn.dynamic_rnn(cells.GRUCell(2), tf.constant(X), dtype=tf.float32)
    return {"outputs": outputs, "state": state}


def program_unknown_batch():
    x = tf.placeholder(tf.float32, [None, 5, 3])
    return feeds({x: X}, **run(cells.BasicLSTMCell(4), x))


def program_unknown_time():
    x = tf.placeholder(tf.float32, [2, None, 3])
    return feeds({x: X}, **run(cells.BasicRNNCell(4), x))


def program_unknown_both():
    x, n = tf.placeholder(tf.float32, [None, None, 3]), tf.placeholder(tf.int32, [None])
    return feeds({x: X, n: [3, 0]}, **run(cells.GRUCell(4), x, sequence_length=n))


def program_sequence_length():
    return run(cells.BasicLSTMCell(4), sequence_length=[2, 5])


def program_sequence_length_tensor():
    n = tf.placeholder(tf.int64, [2])
    return feeds({n: [4, 1]}, **run(cells.BasicRNNCell(4), sequence_length=n))


def program_sequence_length_zero():
    return run(cells.BasicRNNCell(4), sequence_length=tf.constant([0, 0]))


def program_time_major():
    x = tf.constant(X.transpose(1, 0, 2).copy())
    return run(cells.LSTMCell(4, num_proj=2), x, time_major=True, sequence_length=[5, 3])


def program_time_major_unknown():
    x = tf.placeholder(tf.float32, [None, None, 3])
    return feeds({x: X.transpose(1, 0, 2)}, **run(cells.BasicLSTMCell(4), x, time_major=True))


def program_initial_state():
    cell = cells.BasicLSTMCell(4)
    state = cells.LSTMStateTuple(tf.ones([2, 4]), tf.zeros([2, 4]))
    return run(cell, initial_state=state)


def program_initial_state_lengths():
    return run(cells.GRUCell(4), initial_state=tf.ones([2, 4]), sequence_length=[1, 2])


def program_parallel():
    return run(cells.BasicRNNCell(4), parallel_iterations=1, swap_memory=True)


def program_scope():
    return run(cells.BasicRNNCell(4), scope="mine")


def program_scope_object():
    with tf.variable_scope("outer", initializer=uniform()) as scope:
        pass
    return run(cells.BasicRNNCell(4), scope=scope)


def program_twice():
    cell = cells.BasicRNNCell(4)
    with tf.variable_scope("net", initializer=uniform()):
        a, _ = tf.nn.dynamic_rnn(cell, tf.constant(X), dtype=tf.float32)
        b, _ = tf.nn.dynamic_rnn(cell, tf.constant(X * 2), dtype=tf.float32)
    return {"a": a, "b": b, "variables": [v.name for v in tf.global_variables()]}


def program_reused_scope():
    with tf.variable_scope("net", initializer=uniform()):
        a, _ = tf.nn.dynamic_rnn(cells.BasicRNNCell(4), tf.constant(X), dtype=tf.float32)
    with tf.variable_scope("net", reuse=True):
        b, _ = tf.nn.dynamic_rnn(cells.BasicRNNCell(4), tf.constant(X * 2), dtype=tf.float32)
    return {"a": a, "b": b, "variables": [v.name for v in tf.global_variables()]}


def program_double():
    with tf.variable_scope("net", initializer=uniform(), dtype=tf.float64):
        outputs, state = tf.nn.dynamic_rnn(cells.LSTMCell(3), tf.constant(X.astype(np.float64)), [2, 4],
                                           dtype=tf.float64)
    return {"outputs": outputs, "state": state}


def program_resource_variables():
    with tf.variable_scope("net", initializer=uniform(), use_resource=True):
        outputs, state = tf.nn.dynamic_rnn(cells.GRUCell(4), tf.constant(X), dtype=tf.float32)
    return {"outputs": outputs, "state": state}


def program_multi():
    return run(cells.MultiRNNCell([cells.BasicLSTMCell(4), cells.GRUCell(3)]), sequence_length=[5, 2])


def program_multi_one_state():
    cell = cells.MultiRNNCell([cells.BasicRNNCell(4), cells.GRUCell(3)], state_is_tuple=False)
    return run(cell)


def program_dropout():
    cell = cells.DropoutWrapper(cells.BasicLSTMCell(4), output_keep_prob=0.5, seed=5)
    return run(cell, parallel_iterations=1)


def program_dropout_variational():
    cell = cells.DropoutWrapper(cells.GRUCell(4), 0.5, 0.5, 0.5, variational_recurrent=True, input_size=3,
                                dtype=tf.float32, seed=5)
    return run(cell, sequence_length=[3, 5])


def program_device():
    return run(cells.DeviceWrapper(cells.BasicRNNCell(4), "/cpu:0"))


def program_residual():
    return run(cells.ResidualWrapper(cells.GRUCell(3)))


def program_in_device():
    with tf.device("/cpu:0"):
        return run(cells.BasicLSTMCell(2))


def program_peepholes_lengths():
    return run(cells.LSTMCell(4, use_peepholes=True, cell_clip=0.5), sequence_length=[4, 5])


def program_cell_of_pairs():
    class Pairs(cells.RNNCell):
        state_size = property(lambda self: {"a": 2, "b": tf.TensorShape([3, 2])})
        output_size = property(lambda self: (2, tf.TensorShape([3, 2])))

        def call(self, inputs, state):
            x, y = inputs
            a = state["a"] + x
            b = state["b"] * 0.5 + y
            return (a, b), {"a": a, "b": b}

    x = tf.constant(X[:, :, :2])
    y = tf.constant(np.cos(np.arange(60)).reshape(2, 5, 3, 2).astype(np.float32))
    outputs, state = tf.nn.dynamic_rnn(Pairs(), (x, y), [2, 5], dtype=tf.float32)
    return {"outputs": outputs, "state": state}


def program_counting_cell():
    class Counting(cells.RNNCell):
        state_size = property(lambda self: (tf.TensorShape([]), 3))
        output_size = property(lambda self: 3)

        def zero_state(self, batch_size, dtype):
            return tf.constant(0), tf.zeros([batch_size, 3])

        def call(self, inputs, state):
            count, total = state
            return inputs, (count + 1, total + inputs)

    outputs, state = tf.nn.dynamic_rnn(Counting(), tf.constant(X), [2, 4], dtype=tf.float32)
    return {"outputs": outputs, "state": state}


def bidirectional(x=None, **options):
    x = tf.constant(X) if x is None else x
    with tf.variable_scope("net", initializer=uniform()):
        outputs, states = tf.nn.bidirectional_dynamic_rnn(
            cells.BasicLSTMCell(4), cells.GRUCell(3), x, dtype=tf.float32, **options)
    return {"outputs": outputs, "states": states, "variables": [v.name for v in tf.global_variables()]}


def program_bidirectional():
    return bidirectional()


def program_bidirectional_lengths():
    n = tf.placeholder(tf.int32, [2])
    return feeds({n: [3, 5]}, **bidirectional(sequence_length=n))


def program_bidirectional_time_major():
    x = tf.constant(X.transpose(1, 0, 2).copy())
    return bidirectional(x, time_major=True, sequence_length=tf.constant([2, 4]), scope="both")


def program_bidirectional_states():
    return bidirectional(initial_state_fw=cells.LSTMStateTuple(tf.ones([2, 4]), tf.ones([2, 4])),
                         initial_state_bw=tf.ones([2, 3]), parallel_iterations=4, swap_memory=True)


def raw(x, lengths, cell, emit=None):
    array = tf.TensorArray(tf.float32, 5).unstack(tf.transpose(x, [1, 0, 2]))

    def loop_fn(time, output, state, loop_state):
        if output is None:
            state, emitted = cell.zero_state(2, tf.float32), emit
        else:
            emitted = output if emit is None else (output * 2.0)
        finished = time >= lengths
        next_input = tf.cond(tf.reduce_all(finished), lambda: tf.zeros([2, 3]), lambda: array.read(time))
        return finished, next_input, state, emitted, None

    with tf.variable_scope("net", initializer=uniform()):
        return tf.nn.raw_rnn(cell, loop_fn)


def program_raw():
    array, state, loop_state = raw(tf.constant(X), tf.constant([5, 3]), cells.BasicLSTMCell(4))
    return {"outputs": array.stack(), "state": state, "none": loop_state is None}


def program_raw_emit():
    array, state, _ = raw(tf.constant(X), tf.constant([2, 3]), cells.GRUCell(4), emit=tf.zeros([4]))
    return {"outputs": array.stack(), "state": state}


def program_raw_loop_state():
    x, lengths, cell = tf.constant(X), tf.constant([4, 2]), cells.BasicRNNCell(3)
    array = tf.TensorArray(tf.float32, 5, clear_after_read=False).unstack(tf.transpose(x, [1, 0, 2]))

    def loop_fn(time, output, state, loop_state):
        if output is None:
            state, loop_state = cell.zero_state(2, tf.float32), (tf.constant(0), tf.constant(1.0))
        else:
            loop_state = (loop_state[0] + time, loop_state[1] * 2.0)
        return time >= lengths, array.read(tf.minimum(time, 4)), state, output, loop_state

    with tf.variable_scope("net", initializer=uniform()):
        array, state, loop_state = tf.nn.raw_rnn(cell, loop_fn, parallel_iterations=2, scope="raw")
    return {"outputs": array.stack(), "state": state, "loop_state": loop_state}


def program_raw_unknown_batch():
    x, cell = tf.placeholder(tf.float32, [None, 3]), cells.GRUCell(3)

    def loop_fn(time, output, state, loop_state):
        if output is None:
            return tf.zeros([tf.shape(x)[0]], tf.bool), x, tf.ones_like(x), None, None
        return tf.fill([tf.shape(x)[0]], time >= 3), output, state, output, None

    with tf.variable_scope("net", initializer=uniform()):
        array, state, _ = tf.nn.raw_rnn(cell, loop_fn)
    return feeds({x: X[:, 0]}, outputs=array.stack(), state=state)
