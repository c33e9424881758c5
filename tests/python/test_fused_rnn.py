"""Recurrent networks whose cells run as one kernel: the same values as without rewrites, and fewer kernels."""
import collections

import numpy as np
import pytest

import rill as tf

cells = tf.nn.rnn_cell
X = np.sin(np.arange(2 * 5 * 3)).reshape(2, 5, 3).astype(np.float32)


@pytest.fixture(autouse=True)
def own_graph():
    with tf.Graph().as_default():
        tf.set_random_seed(7)
        yield


def ran(fetches, feeds, monkeypatch, off, steps=()):
    """What is fetched, after some steps, and how often each op ran. Weights are the same in every session."""
    monkeypatch.setenv("RILL_REWRITES_OFF", off)
    with tf.Session() as session:
        for k, variable in enumerate(tf.global_variables()):
            count = int(np.prod(variable.shape.as_list()))
            start = np.sin(np.arange(count) * 1.7 + k).reshape(variable.shape.as_list()) / 2
            variable.load(start.astype(variable.dtype.as_numpy_dtype), session)
        for step in steps:
            session.run(step, feeds)
        trace = tf.RunMetadata()
        got = session.run(fetches, feeds, tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), trace)
    ops = collections.Counter(node.timeline_label.split(" = ")[-1].split("(")[0]
                              for device in trace.step_stats.dev_stats for node in device.node_stats)
    return got, ops


def flat(structure):
    return [np.asarray(part) for part in tf.contrib.framework.nest.flatten(structure)]


def compare(fetches, monkeypatch, feeds=None, steps=(), tolerance=2e-6):
    """Runs with rewrites and without any; returns how often ops ran with and without."""
    on, on_ops = ran(fetches, feeds, monkeypatch, "", steps)
    off, off_ops = ran(fetches, feeds, monkeypatch, "all", steps)
    for a, b in zip(flat(on), flat(off)):
        assert a.shape == b.shape and a.dtype == b.dtype
        np.testing.assert_allclose(a, b, rtol=tolerance * 10, atol=tolerance)
    assert not any(op.startswith("_") for op in off_ops)
    return on_ops, off_ops


# How each is made, what its cell becomes, and whether the loop around it becomes one node.
CELLS = {
    "basic_lstm": (lambda: cells.BasicLSTMCell(4), "_LstmCell", True),
    "forget_bias": (lambda: cells.BasicLSTMCell(4, forget_bias=0.3), "_LstmCell", True),
    "lstm": (lambda: cells.LSTMCell(4), "_LstmCell", True),
    "peepholes": (lambda: cells.LSTMCell(4, use_peepholes=True), "_LstmCell", True),
    "projected_peepholes": (lambda: cells.LSTMCell(4, use_peepholes=True, num_proj=3), "_LstmCell", False),
    "projection": (lambda: cells.LSTMCell(4, num_proj=3), "_LstmCell", False),
    "clipped": (lambda: cells.LSTMCell(4, cell_clip=0.2), None, False),
    "relu": (lambda: cells.LSTMCell(4, activation=tf.nn.relu), None, False),
    "joined_state": (lambda: cells.BasicLSTMCell(4, state_is_tuple=False), "_LstmCell", False),
    "gru": (lambda: cells.GRUCell(4), "_GruCell", True),
    "gru_relu": (lambda: cells.GRUCell(4, activation=tf.nn.relu), None, False),
    "basic_rnn": (lambda: cells.BasicRNNCell(4), None, True),
    "relu_rnn": (lambda: cells.BasicRNNCell(4, activation=tf.nn.relu), None, True),
    "sigmoid_rnn": (lambda: cells.BasicRNNCell(4, activation=tf.nn.sigmoid), None, False),
    "stacked": (lambda: cells.MultiRNNCell([cells.LSTMCell(4), cells.LSTMCell(3)]), "_LstmCell", True),
    "mixed": (lambda: cells.MultiRNNCell([cells.BasicRNNCell(5), cells.GRUCell(3), cells.BasicLSTMCell(4),
                                          cells.BasicRNNCell(2, activation=tf.nn.relu)]), None, True),
    "residual": (lambda: cells.MultiRNNCell([cells.LSTMCell(3), cells.ResidualWrapper(cells.GRUCell(3)),
                                             cells.ResidualWrapper(cells.BasicRNNCell(3))]), None, True),
    "residual_first": (lambda: cells.ResidualWrapper(cells.LSTMCell(3)), "_LstmCell", True),
    "on_a_device": (lambda: cells.MultiRNNCell([cells.DeviceWrapper(cells.LSTMCell(3), "/cpu:0"),
                                                cells.DeviceWrapper(cells.LSTMCell(3), "/cpu:0")]), None, True),
    "dropout_of_nothing": (lambda: cells.DropoutWrapper(cells.GRUCell(3), 1.0, 1.0, 1.0), "_GruCell", True),
    "stacked_peepholes": (lambda: cells.MultiRNNCell([cells.GRUCell(3), cells.LSTMCell(4, use_peepholes=True)]), None,
                          True),
}
CELLS_PER_STEP = {"stacked": 2}
GRADS = {"_LstmCell": "_LstmCellGrad", "_GruCell": "_GruCellGrad"}


@pytest.mark.parametrize("lengths", [None, [5, 2], [0, 3], [0, 0]])
@pytest.mark.parametrize("name", CELLS)
def test_dynamic_rnn(name, lengths, monkeypatch):
    make, op, is_layer = CELLS[name]
    x = tf.placeholder(tf.float32, [None, None, 3])
    network = outputs, state = tf.nn.dynamic_rnn(make(), x, sequence_length=lengths, dtype=tf.float32)
    rounds = 5 if lengths is None else max(1, max(lengths))
    for asked in (network, outputs, state):
        on, off = compare(asked, monkeypatch, {x: X})
        assert on["_RnnLayer"] == is_layer and off["_RnnLayer"] == 0
        assert on["TensorArrayReadV3"] == (0 if is_layer else rounds)
    cell_wise, ops = ran(network, {x: X}, monkeypatch, "rnn_layer")
    for a, b in zip(flat(cell_wise), flat(ran(network, {x: X}, monkeypatch, "all")[0])):
        np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-6)
    if op is not None:
        assert ops[op] == rounds * CELLS_PER_STEP.get(name, 1) and ops["Split"] <= rounds
    assert ops["_RnnLayer"] == 0 and ops["TensorArrayReadV3"] == rounds


@pytest.mark.parametrize("steps", [0, 1, 7])
@pytest.mark.parametrize("batch", [None, 3])
def test_sequences_of_all_lengths(steps, batch, monkeypatch):
    x = tf.placeholder(tf.float32, [batch, None, 2])
    network = outputs, state = tf.nn.dynamic_rnn(cells.LSTMCell(4), x, dtype=tf.float32)
    feeds = {x: np.ones([3, steps, 2], np.float32)}
    assert compare(state, monkeypatch, feeds)[0]["_RnnLayer"] == 1
    if steps > 0 or batch is not None:
        assert compare(network, monkeypatch, feeds)[0]["_RnnLayer"] == 1
        return
    for off in ("", "all"):
        with pytest.raises(tf.errors.UnimplementedError, match="TensorArray has size zero, but element shape"):
            ran(network, feeds, monkeypatch, off)


@pytest.mark.parametrize("name", CELLS)
def test_static_rnn(name, monkeypatch):
    make, op, _ = CELLS[name]
    network = tf.nn.static_rnn(make(), tf.unstack(tf.constant(X), axis=1), dtype=tf.float32)
    on, _ = compare(network, monkeypatch)
    if op is not None:
        assert on[op] == 5 * CELLS_PER_STEP.get(name, 1)


@pytest.mark.parametrize("batch", [None, 2])
@pytest.mark.parametrize("lengths", [None, [3, 0]])
@pytest.mark.parametrize("name", CELLS)
def test_gradients_and_a_step(name, lengths, batch, monkeypatch):
    make, op, _ = CELLS[name]
    x = tf.placeholder(tf.float32, [batch, 5, 3])
    outputs, state = tf.nn.dynamic_rnn(make(), x, sequence_length=lengths, dtype=tf.float32)
    loss = tf.reduce_sum(tf.square(outputs)) + sum(map(tf.reduce_sum, tf.contrib.framework.nest.flatten(state)))
    weights = tf.trainable_variables()
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    for wanted in (weights, [x, *weights]):
        on, off = compare([tf.gradients(loss, wanted), loss], monkeypatch, {x: X}, tolerance=1e-5)
        if op is not None:
            made = (5 if lengths is None else 3) * CELLS_PER_STEP.get(name, 1)
            assert (on[op], on[GRADS[op]]) == (made, made)
            assert on["SigmoidGrad"] == 0 and on["StackPushV2"] < off["StackPushV2"]
    compare([loss, *weights], monkeypatch, {x: X}, [train, train], tolerance=1e-5)


@pytest.mark.parametrize("name", CELLS)
def test_gradients_of_unrolled_networks(name, monkeypatch):
    make, op, _ = CELLS[name]
    x = tf.placeholder(tf.float32, [None, 5, 3])
    outputs, _ = tf.nn.static_rnn(make(), tf.unstack(x, axis=1), dtype=tf.float32)
    loss = tf.reduce_sum(tf.square(outputs[-1]))
    for wanted in (tf.trainable_variables(), [x, *tf.trainable_variables()]):
        on, _ = compare([tf.gradients(loss, wanted), loss], monkeypatch, {x: X}, tolerance=1e-5)
        if op is not None:
            made = 5 * CELLS_PER_STEP.get(name, 1)
            assert (on[op], on[GRADS[op]]) == (made, made)
        assert on["_ProductSum"] >= 1


def test_other_ways_to_run_one(monkeypatch):
    x = tf.constant(X)
    state = cells.LSTMStateTuple(tf.constant(X[:, 0, :2]), tf.constant(X[:, 1, :2]))
    by_time = tf.nn.dynamic_rnn(cells.LSTMCell(2, name="a"), tf.transpose(x, [1, 0, 2]), initial_state=state,
                                time_major=True)
    both = tf.nn.bidirectional_dynamic_rnn(cells.GRUCell(3), cells.LSTMCell(3), x, sequence_length=[2, 4],
                                           dtype=tf.float32)
    on, _ = compare([by_time, both], monkeypatch)
    assert on["_RnnLayer"] == 3


def test_dropout_stays_outside(monkeypatch):
    cell = cells.DropoutWrapper(cells.LSTMCell(4), input_keep_prob=0.5, output_keep_prob=0.7, state_keep_prob=0.9, seed=5)
    on, _ = compare(tf.nn.dynamic_rnn(cell, tf.constant(X), dtype=tf.float32), monkeypatch)
    assert on["_LstmCell"] == 5


def test_other_types_are_left_alone(monkeypatch):
    on, _ = compare(tf.nn.dynamic_rnn(cells.LSTMCell(4), tf.constant(X.astype(np.float64)), dtype=tf.float64),
                    monkeypatch)
    assert on["_LstmCell"] + on["_RnnLayer"] == 0


def test_what_is_inside_can_be_fetched(monkeypatch):
    x = tf.placeholder(tf.float32, [None, 3])
    output, state = tf.nn.static_rnn(cells.LSTMCell(4), [x, x], dtype=tf.float32)
    graph = tf.get_default_graph()
    inside = {op.name: op.outputs for op in graph.get_operations()
              if op.type in ("ConcatV2", "MatMul", "BiasAdd", "Split", "Sigmoid", "Tanh", "Mul", "AddV2", "Add")
              and "lstm_cell" in op.name and op.outputs[0].dtype == tf.float32}
    assert len(inside) > 20
    compare([inside, output, state], monkeypatch, {x: X[0]})
    for outputs in inside.values():
        compare([outputs, output, state], monkeypatch, {x: X[0]})


def test_feeding_inside(monkeypatch):
    x = tf.constant(X[0])
    output, _ = tf.nn.static_rnn(cells.LSTMCell(4), [x], dtype=tf.float32)
    product = tf.get_default_graph().get_tensor_by_name("rnn/lstm_cell/MatMul:0")
    on, _ = compare(output, monkeypatch, {product: np.ones([5, 16], np.float32)})
    assert on["_LstmCell"] == 0


def test_a_state_of_one_row_counts_for_all(monkeypatch):
    x, h = tf.constant(X[0]), tf.constant(X[0, :, :2])
    for rows in (1, 5):
        c = tf.placeholder(tf.float32, [None, 2])
        output, state = cells.LSTMCell(2, name=f"cell_{rows}")(x, cells.LSTMStateTuple(c, h))
        grad = tf.gradients(output, [c, x, h])
        on, _ = compare([output, state, grad], monkeypatch, {c: X[1, :rows, :2]})
        assert on["_LstmCell"] == 1


def test_errors_name_the_programs_node(monkeypatch):
    x, h = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [None, 4])
    output, _ = cells.LSTMCell(4)(x, cells.LSTMStateTuple(h, h))
    messages = []
    for off in ("", "all"):
        monkeypatch.setenv("RILL_REWRITES_OFF", off)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            with pytest.raises(tf.errors.InvalidArgumentError) as error:
                session.run(output, {x: X[0], h: np.zeros([3, 4], np.float32)})
            messages.append(error.value.message)
            assert error.value.op.name == "lstm_cell/concat"
    assert messages[0] == messages[1]


@pytest.mark.parametrize("rows", [0, 1, 2, 3, 4, 5, 64])
def test_batches_of_all_sizes(rows, monkeypatch):
    x = tf.placeholder(tf.float32, [None, 4, 11])
    lstm = tf.nn.dynamic_rnn(cells.LSTMCell(37), x, dtype=tf.float32)
    gru = tf.nn.dynamic_rnn(cells.GRUCell(19), x, dtype=tf.float32)
    data = np.random.RandomState(rows).rand(rows, 4, 11).astype(np.float32)
    simple = tf.nn.dynamic_rnn(cells.BasicRNNCell(23), x, sequence_length=[3] * rows, dtype=tf.float32)
    on, _ = compare([lstm, gru, simple], monkeypatch, {x: data}, tolerance=5e-6)
    assert on["_RnnLayer"] == 3
    cell_wise, ops = ran([lstm, gru], {x: data}, monkeypatch, "rnn_layer")
    assert (ops["_LstmCell"], ops["_GruCell"]) == (4, 4)
    for a, b in zip(flat(cell_wise), flat(ran([lstm, gru], {x: data}, monkeypatch, "all")[0])):
        np.testing.assert_allclose(a, b, rtol=5e-5, atol=5e-6)


def test_what_else_is_in_a_loop_keeps_it(monkeypatch):
    class Counted(cells.LSTMCell):
        def call(self, inputs, state):
            return super().call(tf.Print(inputs, [state[1]], "rounds", first_n=0), state)

    on, _ = compare(tf.nn.dynamic_rnn(Counted(4), tf.constant(X), dtype=tf.float32), monkeypatch)
    assert (on["_RnnLayer"], on["_LstmCell"], on["Print"]) == (0, 5, 5)


def test_a_first_state_of_another_size(monkeypatch):
    x = tf.placeholder(tf.float32, [None, None, 3])
    c, h = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.float32, [None, 4])
    network = tf.nn.dynamic_rnn(cells.LSTMCell(4), x, initial_state=cells.LSTMStateTuple(c, h))
    feeds = {x: X, c: np.ones([1, 4], np.float32), h: np.zeros([2, 4], np.float32)}
    assert compare(network, monkeypatch, feeds)[0]["_RnnLayer"] == 1  # one row counts for all
    feeds[h] = np.zeros([3, 4], np.float32)
    found = []
    for off in ("", "rnn_layer", "all"):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Dimension 0 in both shapes must be equal") as error:
            ran(network, feeds, monkeypatch, off)
        found.append(error.value.op.name)
    assert found == ["rnn/while/lstm_cell/concat"] * 3


def test_each_can_be_switched_off(monkeypatch):
    x = tf.placeholder(tf.float32, [None, 5, 3])
    unrolled, _ = tf.nn.static_rnn(cells.LSTMCell(4), tf.unstack(x, axis=1), dtype=tf.float32)
    gru, _ = tf.nn.static_rnn(cells.GRUCell(4), tf.unstack(x, axis=1), dtype=tf.float32)
    looped, _ = tf.nn.dynamic_rnn(cells.GRUCell(4, name="looped"), x, dtype=tf.float32)
    trained, _ = tf.nn.static_rnn(cells.GRUCell(4, name="trained"), tf.unstack(x, axis=1), dtype=tf.float32)
    grads = tf.gradients([unrolled[-1], trained[-1]], tf.trainable_variables()[:2] + tf.trainable_variables()[-2:])
    fetches = [gru, looped, grads, tf.gradients(unrolled[-1], x)]
    made = {"lstm_cell": "_LstmCell", "gru_cell": "_GruCell", "product_sums": "_ProductSum",
            "product_slices": "_MatMulSlice", "lstm_cell_grad": "_LstmCellGrad", "rnn_layer": "_RnnLayer",
            "gru_cell_grad": "_GruCellGrad", "product_columns": "_MatMulColumns"}
    _, everything = ran(fetches, {x: X}, monkeypatch, "")
    for rewrite, op in made.items():
        _, ops = ran(fetches, {x: X}, monkeypatch, rewrite)
        assert everything[op] > 0 and ops[op] == 0


def test_the_same_bits_with_every_number_of_threads(monkeypatch):
    monkeypatch.setenv("RILL_REWRITES_OFF", "")
    x = tf.placeholder(tf.float32, [None, 6, 40])
    outputs, state = tf.nn.dynamic_rnn(cells.LSTMCell(160), x, dtype=tf.float32)
    unrolled, _ = tf.nn.static_rnn(cells.LSTMCell(160, name="u"), tf.unstack(x, axis=1), dtype=tf.float32)
    small, _ = tf.nn.dynamic_rnn(cells.GRUCell(512), x[:3], dtype=tf.float32)
    grads = tf.gradients([outputs, unrolled[-1]], tf.trainable_variables()[:4])
    known = len(tf.trainable_variables())
    peeps = cells.MultiRNNCell([cells.GRUCell(70), cells.LSTMCell(50, use_peepholes=True)])
    stacked, _ = tf.nn.dynamic_rnn(peeps, x, dtype=tf.float32, scope="stacked")
    grads += tf.gradients(stacked, tf.trainable_variables()[known:])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        start = session.run(tf.global_variables())
    found = []
    for threads in (1, 2, 5):
        config = tf.ConfigProto(intra_op_parallelism_threads=threads, inter_op_parallelism_threads=threads)
        with tf.Session(config=config) as session:
            for variable, value in zip(tf.global_variables(), start):
                variable.load(value, session)
            data = np.random.RandomState(1).rand(64, 6, 40).astype(np.float32)
            found.append(session.run([outputs, state, small], {x: data}) + session.run(grads, {x: data}))
    for other in found[1:]:
        for a, b in zip(flat(found[0]), flat(other)):
            np.testing.assert_array_equal(a, b)


def test_loops_keep_only_what_gradients_read(monkeypatch):
    x = tf.placeholder(tf.float32, [None, 5, 3])
    outputs, _ = tf.nn.dynamic_rnn(cells.GRUCell(4), x, dtype=tf.float32)
    grads = tf.gradients(outputs[:, -1], tf.trainable_variables())
    counts = [ran(grads, {x: X}, monkeypatch, off)[1]["StackPushV2"] for off in ("", "loop_stacks", "all")]
    assert counts == [5 * 6, 5 * 21, 5 * 21]
    assert ran(grads, {x: X}, monkeypatch, "loop_stacks")[1]["_GruCell"] == 0  # they read what it does not give out


@pytest.mark.parametrize("name", ["gru", "peepholes", "stacked", "mixed"])
@pytest.mark.parametrize("dtype", [tf.float64, tf.float16])
def test_gradients_of_other_types_are_left_alone(name, dtype, monkeypatch):
    x = tf.placeholder(dtype, [None, 5, 3])
    outputs, _ = tf.nn.dynamic_rnn(CELLS[name][0](), x, sequence_length=[5, 2], dtype=dtype)
    fetches = [outputs, tf.gradients(outputs, [x, *tf.trainable_variables()])]
    on, _ = compare(fetches, monkeypatch, {x: X}, tolerance=1e-5 if dtype == tf.float64 else 5e-3)
    assert not any(on[op] for op in ("_LstmCell", "_LstmCellGrad", "_GruCell", "_GruCellGrad", "_RnnLayer"))


@pytest.mark.parametrize("name", ["gru", "peepholes"])
def test_what_gradients_compute_can_be_fetched(name, monkeypatch):
    """Every value between, alone: then the kernel does not swallow it, and nothing changes."""
    x = tf.placeholder(tf.float32, [None, 3])
    output, _ = tf.nn.static_rnn(CELLS[name][0](), [x, x], dtype=tf.float32)
    grads = tf.gradients(output[-1], [x, *tf.trainable_variables()])
    inside = [op.outputs[0] for op in tf.get_default_graph().get_operations()
              if op.type in ("Mul", "SigmoidGrad", "TanhGrad", "AddN", "ConcatV2", "Slice", "Neg", "Sub", "Split", "Reshape",
                             "MatMul", "Tanh", "Sigmoid", "AddV2") and op.outputs[0].dtype == tf.float32
              and ("cell" in op.name or "gradients" in op.name)]
    assert len(inside) > 40
    compare([inside, grads], monkeypatch, {x: X[0]}, tolerance=1e-5)
    for value in inside[::3]:
        compare([value, grads], monkeypatch, {x: X[0]}, tolerance=1e-5)


@pytest.mark.parametrize("name", ["gru", "peepholes"])
def test_others_who_read_or_wait_for_values_inside(name, monkeypatch):
    x = tf.placeholder(tf.float32, [None, 5, 3])
    outputs, _ = tf.nn.dynamic_rnn(CELLS[name][0](), x, dtype=tf.float32)
    graph = tf.get_default_graph()
    unrolled, _ = tf.nn.static_rnn(CELLS[name][0](), tf.unstack(x, axis=1), dtype=tf.float32, scope="unrolled")
    gate = next(op.outputs[0] for op in graph.get_operations() if op.type == "Sigmoid" and "unrolled" in op.name)
    seen = tf.Variable(0.0, name="seen")
    with tf.control_dependencies([gate]):
        count = tf.assign_add(seen, 1.0)
    loss = tf.reduce_sum(outputs) + tf.reduce_sum(unrolled[-1]) + tf.reduce_sum(gate * gate)
    weights = [v for v in tf.trainable_variables() if v is not seen]
    compare([tf.gradients(loss, weights), tf.gradients(tf.reduce_sum(tf.square(unrolled[-1])), weights[-2:]), count],
            monkeypatch, {x: X}, tolerance=1e-5)


def test_gradients_of_gradients(monkeypatch):
    x = tf.placeholder(tf.float32, [None, 3])
    output, _ = tf.nn.static_rnn(cells.GRUCell(4), [x, x, x], dtype=tf.float32)
    first, = tf.gradients(output[-1], x)
    compare(tf.gradients(tf.reduce_sum(tf.square(first)), [x, *tf.trainable_variables()]), monkeypatch, {x: X[0]},
            tolerance=2e-5)


def test_a_network_in_a_loop(monkeypatch):
    x = tf.placeholder(tf.float32, [2, 5, 3])
    cell = cells.GRUCell(3)

    def again(i, value):
        return i + 1, tf.nn.dynamic_rnn(cell, value, dtype=tf.float32)[0]

    _, last = tf.while_loop(lambda i, _: i < 3, again, [0, x])
    compare([last, tf.gradients(last, [x, *tf.trainable_variables()])], monkeypatch, {x: X}, tolerance=1e-5)


@pytest.mark.parametrize("dim", [1, 2])
def test_rows_that_count_for_all_with_peepholes(dim, monkeypatch):
    """One row of inputs or of states; the other has several."""
    x, c, h = (tf.placeholder(tf.float32, [None, n]) for n in (3, 2, 2))
    output, state = cells.LSTMCell(2, use_peepholes=True)(x, cells.LSTMStateTuple(c, h))
    grad = tf.gradients([output, state.c], [c, x, h, *tf.trainable_variables()])
    rows = (1, 4) if dim == 1 else (4, 1)
    feeds = {x: X[0, :rows[0]], h: X[0, :rows[0], :2], c: X[1, :rows[1], :2]}
    on, _ = compare([output, state, grad], monkeypatch, feeds, tolerance=1e-5)
    assert on["_LstmCell"] == 1


def test_raw_rnn_runs_cell_by_cell(monkeypatch):
    cell = cells.LSTMCell(4)

    def step(time, output, state, _):
        state = cell.zero_state(2, tf.float32) if output is None else state
        return tf.tile([time >= 5], [2]), tf.ones([2, 3]) * tf.cast(time, tf.float32), state, output, None

    outputs = tf.nn.raw_rnn(cell, step)[0].stack()
    on, _ = compare([outputs, tf.gradients(outputs, tf.trainable_variables())], monkeypatch, tolerance=1e-5)
    assert (on["_LstmCell"], on["_LstmCellGrad"]) == (5, 5)


@pytest.mark.parametrize("lengths", [None, [2, 4]])
def test_both_ways(lengths, monkeypatch):
    x = tf.placeholder(tf.float32, [None, 5, 3])
    outputs, state = tf.nn.bidirectional_dynamic_rnn(cells.GRUCell(3), cells.LSTMCell(3), x, sequence_length=lengths,
                                                     dtype=tf.float32)
    assert compare([outputs, state], monkeypatch, {x: X})[0]["_RnnLayer"] == 2
    grads = tf.gradients(tf.concat(outputs, 2), [x, *tf.trainable_variables()])
    on, _ = compare(grads, monkeypatch, {x: X}, tolerance=1e-5)
    rounds = 5 if lengths is None else 4
    assert (on["_GruCellGrad"], on["_LstmCellGrad"]) == (rounds, rounds)


def test_what_acts_in_a_loop_keeps_its_order(monkeypatch):
    """A variable is read before it changes, although only values that wait for values say so."""
    number = tf.get_variable("number", [], initializer=tf.zeros_initializer(), use_resource=True)
    x = tf.placeholder(tf.float32, [])

    def body(i, total):
        read = number.read_value()
        with tf.control_dependencies([tf.group(tf.exp(read), tf.tanh(total))]):
            later = tf.square(x * total)
        with tf.control_dependencies([later]):
            changed = number.assign_add(1.0)
        with tf.control_dependencies([changed]):
            return i + 1, total + read

    total = tf.while_loop(lambda i, _: i < 20, body, [0, 0.0], parallel_iterations=1)[1]
    for off in ("", "relax_control_edges", "all"):
        monkeypatch.setenv("RILL_REWRITES_OFF", off)
        with tf.Session() as session:
            for _ in range(5):
                session.run(number.initializer)
                assert session.run(total, {x: 1.0}) == sum(range(20))


def test_long_sequences_through_layers(monkeypatch):
    """Longer than what the layers take at once. With these weights rounding grows: floats are 2e-5 off from doubles."""
    x = tf.placeholder(tf.float32, [None, None, 4])
    layers = [cells.LSTMCell(64), cells.ResidualWrapper(cells.GRUCell(64)), cells.BasicRNNCell(7)]
    network = tf.nn.dynamic_rnn(cells.MultiRNNCell(layers), x, sequence_length=[90, 41] * 32, dtype=tf.float32)
    data = np.random.RandomState(1).rand(64, 90, 4).astype(np.float32)
    assert compare(network, monkeypatch, {x: data}, tolerance=5e-5)[0]["_RnnLayer"] == 1
