import importlib

import numpy as np
import pytest

import rill as tf

cells = tf.nn.rnn_cell
rnn = tf.contrib.rnn
X = np.sin(np.arange(24)).reshape(2, 4, 3).astype(np.float32)


@pytest.fixture(autouse=True)
def own_graph():
    with tf.Graph().as_default():
        yield


def values(fetches, feeds=None):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetches, feeds)


def uniform():
    return tf.random_uniform_initializer(-0.5, 0.5, seed=3)


# --- errors --------------------------------------------------------------------------------------

def test_what_is_no_cell():
    with pytest.raises(TypeError, match="is not an RNNCell: 'output_size' property is missing"):
        tf.nn.dynamic_rnn(3, tf.constant(X), dtype=tf.float32)
    with pytest.raises(TypeError, match="'cell_bw' .* is not an RNNCell"):
        tf.nn.bidirectional_dynamic_rnn(cells.GRUCell(2), None, tf.constant(X), dtype=tf.float32)
    with pytest.raises(TypeError, match="is not an RNNCell"):
        cells.DropoutWrapper("cell")


def test_dynamic_rnn_needs_a_dtype_or_a_state():
    with pytest.raises(ValueError, match="you must give a dtype"):
        tf.nn.dynamic_rnn(cells.GRUCell(2), tf.constant(X))
    with pytest.raises(ValueError, match="you must give a dtype"):
        tf.nn.static_rnn(cells.GRUCell(2), [tf.constant(X[:, 0])])


@pytest.mark.parametrize("shape, message", [
    ([2, 4, None], "Input size \\(depth of inputs\\) must be accessible via shape inference"),
    ([2, 4], "must have rank at least 3"), ([2], "rank >= 2"), (None, "rank")])
def test_inputs_of_dynamic_rnn(shape, message):
    x = tf.placeholder(tf.float32, shape)
    with pytest.raises(ValueError, match=message):
        tf.nn.dynamic_rnn(cells.GRUCell(2), x, dtype=tf.float32, time_major=shape == [2, 4])


def test_lengths_are_vectors():
    with pytest.raises(ValueError, match="must be a vector of length batch_size"):
        tf.nn.dynamic_rnn(cells.GRUCell(2), tf.constant(X), [[1, 2]], dtype=tf.float32)
    with pytest.raises(ValueError, match="must be a vector of length"):
        tf.nn.static_rnn(cells.GRUCell(2), [tf.constant(X[:, 0])], sequence_length=3, dtype=tf.float32)


def test_as_many_lengths_as_examples():
    n = tf.placeholder(tf.int32, [None])
    outputs, _ = tf.nn.dynamic_rnn(cells.GRUCell(2), tf.constant(X), n, dtype=tf.float32)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Expected shape for Tensor rnn/sequence_length:0 is"):
        values(outputs, {n: [1, 2, 3]})


def test_inputs_of_static_rnn():
    with pytest.raises(TypeError, match="must be a sequence"):
        tf.nn.static_rnn(cells.GRUCell(2), tf.constant(X), dtype=tf.float32)
    with pytest.raises(ValueError, match="must not be empty"):
        tf.nn.static_rnn(cells.GRUCell(2), [], dtype=tf.float32)
    with pytest.raises(ValueError, match="accessible via shape inference"):
        tf.nn.static_rnn(cells.GRUCell(2), [tf.placeholder(tf.float32, [2, None])], dtype=tf.float32)


def test_state_names_fit_the_state():
    with pytest.raises(ValueError, match="should be the same type as `cell.state_size`"):
        tf.nn.static_state_saving_rnn(cells.LSTMCell(2), [tf.constant(X[:, 0])], None, "h")
    with pytest.raises(ValueError, match="are mismatched"):
        tf.nn.static_state_saving_rnn(cells.LSTMCell(2), [tf.constant(X[:, 0])], None, ("h",))


def test_loop_function_is_called():
    with pytest.raises(TypeError, match="must be a callable"):
        tf.nn.raw_rnn(cells.GRUCell(2), 3)


def test_cells_compute_with_floats():
    with pytest.raises(ValueError, match="only supports floating point inputs"):
        cells.BasicRNNCell(2)(tf.zeros([1, 3], tf.int32), tf.zeros([1, 2], tf.int32))
    with pytest.raises(ValueError, match="only supports floating point inputs"):
        cells.GRUCell(2, dtype=tf.int32)


def test_depth_must_be_known():
    with pytest.raises(ValueError, match="Expected inputs.shape\\[-1\\] to be known"):
        cells.LSTMCell(2)(tf.placeholder(tf.float32, [1, None]), (tf.zeros([1, 2]), tf.zeros([1, 2])))


def test_inputs_of_cells_are_matrices():
    with pytest.raises(ValueError, match="expected ndim=2, found ndim=3"):
        cells.GRUCell(2)(tf.zeros([1, 2, 3]), tf.zeros([1, 2]))


def test_variables_are_not_shared_by_accident():
    cells.GRUCell(2, name="g")(tf.zeros([1, 3]), tf.zeros([1, 2]))
    with tf.variable_scope(tf.get_variable_scope(), reuse=False):
        cell = cells.GRUCell(4, name="g", reuse=True)
        with pytest.raises(ValueError, match="shape"):
            cell(tf.zeros([1, 3]), tf.zeros([1, 4]))


def test_stacks():
    with pytest.raises(ValueError, match="at least one cell"):
        cells.MultiRNNCell([])
    with pytest.raises(TypeError, match="must be a list or tuple"):
        cells.MultiRNNCell(cells.GRUCell(1))
    with pytest.raises(ValueError, match="Some cells return tuples of states"):
        cells.MultiRNNCell([cells.BasicLSTMCell(1)], state_is_tuple=False)
    stack = cells.MultiRNNCell([cells.GRUCell(1)])
    with pytest.raises(ValueError, match="Expected state to be a tuple of length 1"):
        stack(tf.zeros([1, 1]), tf.zeros([1, 1]))


@pytest.mark.parametrize("part", ["input", "output", "state"])
def test_probabilities(part):
    with pytest.raises(ValueError, match=f"{part}_keep_prob must be between 0 and 1"):
        cells.DropoutWrapper(cells.GRUCell(1), **{part + "_keep_prob": 1.5})


def test_variational_dropout_needs_to_know():
    with pytest.raises(ValueError, match="dtype must be provided"):
        cells.DropoutWrapper(cells.GRUCell(1), variational_recurrent=True)
    with pytest.raises(ValueError, match="input_size must be provided"):
        cells.DropoutWrapper(cells.GRUCell(1), 0.5, variational_recurrent=True, dtype=tf.float32)
    with pytest.raises(TypeError, match="must be callable"):
        cells.DropoutWrapper(cells.GRUCell(1), dropout_state_filter_visitor=3)


def test_initial_states_fit_the_inputs():
    cell = cells.GRUCell(1)
    with pytest.raises(ValueError, match="batch size from input tensor is different"):
        cell.get_initial_state(tf.zeros([2, 1]), batch_size=3)
    with pytest.raises(ValueError, match="dtype from input tensor is different"):
        cell.get_initial_state(tf.zeros([2, 1]), dtype=tf.float64)
    with pytest.raises(ValueError, match="cannot be None"):
        cell.get_initial_state(batch_size=2)


def test_states_that_do_not_fit():
    with pytest.raises(TypeError, match="Expected state to have 2 tensors"):
        cells.LSTMCell(3)(tf.zeros([2, 4]), tf.zeros([2, 6]))
    with pytest.raises(ValueError, match="Expected state to have 2 tensors"):
        cells.LSTMCell(3)(tf.zeros([2, 4]), (tf.zeros([2, 3]),) * 3)
    with pytest.raises(ValueError, match="Dimensions must be equal, but are 8 and 7"):
        cells.GRUCell(3)(tf.zeros([2, 4]), tf.zeros([2, 4]))
    with pytest.raises(ValueError, match="can't be None"):
        cells.GRUCell(3).zero_state(None, tf.float32)


def test_inputs_may_be_arrays():
    outputs, _ = tf.nn.dynamic_rnn(cells.GRUCell(3), X, dtype=tf.float32)
    assert values(outputs).shape == (2, 4, 3)
    assert outputs.graph.get_operation_by_name("rnn/Const").type == "Const"


def test_residuals_have_the_shape_of_inputs():
    cell = cells.ResidualWrapper(cells.GRUCell(2))
    with pytest.raises(ValueError):
        cell(tf.zeros([1, 3]), tf.zeros([1, 2]))


def test_state_tuples_of_several_types():
    with pytest.raises(TypeError, match="Inconsistent dtypes"):
        cells.LSTMStateTuple(tf.zeros([1]), tf.zeros([1], tf.float64)).dtype


def test_abstract_cells():
    with pytest.raises(NotImplementedError):
        cells.RNNCell().state_size
    with pytest.raises(NotImplementedError):
        cells.RNNCell().output_size


# --- own cells -----------------------------------------------------------------------------------

class Counting:
    """Not a layer, but like a cell."""

    state_size = output_size = 3

    def zero_state(self, batch_size, dtype):
        return tf.zeros([batch_size, 3], dtype)

    def __call__(self, inputs, state, scope=None):
        return inputs + state, state + 1.0


def test_anything_that_is_like_a_cell():
    outputs, state = tf.nn.dynamic_rnn(Counting(), tf.constant(X), dtype=tf.float32)
    got = values({"outputs": outputs, "state": state})
    np.testing.assert_allclose(got["outputs"], X + np.arange(4)[None, :, None], rtol=1e-6)
    np.testing.assert_array_equal(got["state"], np.full([2, 3], 4.0))


def test_states_may_hold_arrays():
    class Logging(cells.RNNCell):
        state_size = property(lambda self: (3, tf.TensorShape([])))
        output_size = property(lambda self: 3)

        def zero_state(self, batch_size, dtype):
            return tf.zeros([batch_size, 3]), tf.TensorArray(tf.float32, 4)

        def call(self, inputs, state):
            total, log = state
            step = tf.cast(total[0, 0], tf.int32)
            return inputs, (total + 1.0, log.write(step, inputs))

    outputs, (total, log) = tf.nn.dynamic_rnn(Logging(), tf.constant(X), dtype=tf.float32)
    np.testing.assert_array_equal(values(log.stack()), X.transpose(1, 0, 2))


def test_wrong_structures_of_own_cells():
    class Forgetful(cells.RNNCell):
        state_size = property(lambda self: (3, 3))
        output_size = property(lambda self: 3)

        def call(self, inputs, state):
            return inputs, state[0]

    with pytest.raises((ValueError, TypeError), match="nested structure"):
        tf.nn.dynamic_rnn(Forgetful(), tf.constant(X), dtype=tf.float32)


def test_exceptions_of_own_cells_come_out():
    class Mine(Exception):
        pass

    class Failing(Counting):
        def __call__(self, inputs, state, scope=None):
            raise Mine

    for network in (lambda c: tf.nn.dynamic_rnn(c, tf.constant(X), dtype=tf.float32),
                    lambda c: tf.nn.static_rnn(c, [tf.constant(X[:, 0])], dtype=tf.float32),
                    lambda c: tf.nn.static_rnn(c, [tf.constant(X[:, 0])], dtype=tf.float32, sequence_length=[1, 1])):
        with pytest.raises(Mine):
            network(Failing())


def test_a_cell_of_python_inside_a_stack():
    class Doubling(cells.RNNCell):
        state_size = output_size = property(lambda self: 3)

        def call(self, inputs, state):
            return inputs * 2.0, inputs

    stack = cells.MultiRNNCell([Doubling(), cells.ResidualWrapper(Doubling())])
    outputs, states = tf.nn.dynamic_rnn(stack, tf.constant(X), dtype=tf.float32)
    got = values([outputs, states])
    np.testing.assert_allclose(got[0], X * 6, rtol=1e-6)
    np.testing.assert_allclose(got[1][1], X[:, -1] * 2, rtol=1e-6)


def test_cells_inside_loops_read_variables_each_time():
    cell = cells.BasicRNNCell(3)

    def body(i, x):
        outputs, _ = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
        return i + 1, outputs

    with tf.variable_scope("net", initializer=uniform()):
        _, outputs = tf.while_loop(lambda i, x: i < 2, body, [tf.constant(0), tf.constant(X)])
    assert values(outputs).shape == (2, 4, 3)


def test_seeds_make_dropout_repeat():
    def run():
        with tf.Graph().as_default():
            cell = cells.DropoutWrapper(Counting(), output_keep_prob=0.5, seed=3)
            outputs, _ = tf.nn.dynamic_rnn(cell, tf.constant(X), dtype=tf.float32, parallel_iterations=1)
            return values(outputs)

    np.testing.assert_array_equal(run(), run())


def test_variational_dropout_drops_the_same_everywhere():
    cell = cells.DropoutWrapper(Counting(), output_keep_prob=0.5, variational_recurrent=True, dtype=tf.float32, seed=4)
    outputs, _ = tf.nn.dynamic_rnn(cell, tf.ones([5, 6, 3]), dtype=tf.float32)
    dropped = values(outputs) == 0
    assert (dropped == dropped[0, 0]).all()


def test_configurations():
    config = cells.LSTMCell(3, use_peepholes=True, num_proj=2, name="l").get_config()
    assert (config["num_units"], config["use_peepholes"], config["num_proj"], config["name"]) == (3, True, 2, "l")
    assert cells.GRUCell(3, activation="relu").get_config()["activation"] == "relu"
    wrapped = cells.DropoutWrapper(cells.GRUCell(3), 0.5, seed=2)
    config = wrapped.get_config()
    assert config["input_keep_prob"] == 0.5 and config["cell"]["class_name"] == "GRUCell"
    config["cell"] = cells.GRUCell(3)
    assert cells.DropoutWrapper.from_config(config).get_config()["seed"] == 2


def test_activations_by_name():
    with tf.variable_scope("net", initializer=uniform()):
        by_name = cells.BasicRNNCell(2, activation="relu", name="a")(tf.ones([1, 2]), tf.zeros([1, 2]))[0]
    assert by_name.op.type == "Relu"
    with pytest.raises(ValueError, match="Unknown activation"):
        cells.BasicRNNCell(2, activation="nothing")


# --- tf.contrib.rnn ------------------------------------------------------------------------------

def same_networks(plain, other, rename, lengths=None, differentiated=True):
    """Compares outputs, states and gradients of two cells whose variables have the same values."""
    results = []
    for scope, cell in (("plain", plain), ("other", other)):
        with tf.variable_scope(scope):
            outputs, state = tf.nn.dynamic_rnn(cell, tf.constant(X), lengths, dtype=tf.float32)
        variables = [v for v in tf.trainable_variables() if v.name.startswith(scope + "/")]
        loss = tf.reduce_sum(tf.square(outputs)) + tf.reduce_sum(tf.nest.flatten(state)[0])
        names = [rename.get(v.op.name.split("/", 3)[3], v.op.name.split("/", 3)[3]) for v in variables]
        results.append((outputs, state, dict(zip(names, variables)), dict(zip(names, tf.gradients(loss, variables)))))
    (a, state_a, vars_a, grads_a), (b, state_b, vars_b, grads_b) = results
    assert vars_a.keys() == vars_b.keys()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        random = np.random.RandomState(1)
        for name, variable in vars_a.items():
            value = random.uniform(-0.5, 0.5, variable.shape.as_list())
            variable.load(value, session)
            vars_b[name].load(value, session)
        first, second = session.run([(a, state_a, grads_a if differentiated else []),
                                     (b, state_b, grads_b if differentiated else [])])
    for x, y in zip(tf.nest.flatten(first), tf.nest.flatten(second)):
        np.testing.assert_allclose(x, y, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("lengths", [None, [2, 4]])
@pytest.mark.parametrize("options", [{}, {"use_peephole": True}, {"cell_clip": 0.1}, {"forget_bias": 0.0}])
def test_lstm_in_one_node(options, lengths):
    plain = {"use_peepholes" if key == "use_peephole" else key: value for key, value in options.items()}
    same_networks(cells.LSTMCell(4, name="c", **plain), rnn.LSTMBlockCell(4, name="c", **options), {}, lengths,
                  differentiated="cell_clip" not in options)  # the op's gradient does not see the limits


def test_gru_in_one_node():
    same_networks(cells.GRUCell(4, name="c"), rnn.GRUBlockCellV2(4, name="c"), {})


def test_gru_in_one_node_with_older_names():
    same_networks(rnn.GRUBlockCellV2(4, name="c"), rnn.GRUBlockCell(4, name="c"), {
        "w_ru": "gates/kernel", "b_ru": "gates/bias", "w_c": "candidate/kernel", "b_c": "candidate/bias"})


@pytest.mark.parametrize("lengths", [None, [1, 4]])
def test_lstm_of_all_steps_in_one_node(lengths):
    x = tf.constant(X.transpose(1, 0, 2).copy())
    with tf.variable_scope("net", initializer=uniform()):
        outputs, state = tf.nn.dynamic_rnn(cells.BasicLSTMCell(4, name="cell"), x, lengths, dtype=tf.float32,
                                           time_major=True, scope="a")
    with tf.variable_scope("net", initializer=uniform()):
        fused, last = rnn.LSTMBlockFusedCell(4, name="fused")(x, dtype=tf.float32, sequence_length=lengths)
    grads = [tf.gradients(tf.reduce_sum(y), tf.trainable_variables(scope)) for y, scope in (
        (outputs, "net/a/"), (fused, "net/fused"))]
    got = values([(outputs, state, grads[0]), (fused, last, grads[1])])
    for a, b in zip(tf.nest.flatten(got[0]), tf.nest.flatten(got[1])):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


def test_fused_cells_of_plain_ones():
    x = tf.constant(X.transpose(1, 0, 2).copy())
    with tf.variable_scope("net", initializer=uniform()):
        plain, _ = rnn.FusedRNNCellAdaptor(cells.GRUCell(3, name="g"), use_dynamic_rnn=True)(x, dtype=tf.float32)
    with tf.variable_scope("net", reuse=True):
        unrolled, _ = rnn.FusedRNNCellAdaptor(cells.GRUCell(3, name="g"))(x, dtype=tf.float32)
        turned, _ = rnn.TimeReversedFusedRNN(rnn.FusedRNNCellAdaptor(cells.GRUCell(3, name="g"), True))(
            tf.reverse(x, [0]), dtype=tf.float32)
    a, b, c = values([plain, unrolled, turned])
    np.testing.assert_allclose(a, b, rtol=1e-5)
    np.testing.assert_allclose(a, c[::-1], rtol=1e-5)


def test_layer_normalisation():
    with tf.variable_scope("net", initializer=uniform()):
        cell = rnn.LayerNormBasicLSTMCell(4, norm_gain=2.0, norm_shift=0.5)
        output, state = cell(tf.constant(X[:, 0]), cell.zero_state(2, tf.float32))
    names = [v.op.name for v in tf.trainable_variables()]
    assert names[:3] == ["net/layer_norm_basic_lstm_cell/kernel", "net/layer_norm_basic_lstm_cell/input/gamma",
                         "net/layer_norm_basic_lstm_cell/input/beta"] and len(names) == 11
    c = values(state.c)
    np.testing.assert_allclose(c.mean(1), [0.5, 0.5], atol=1e-5)
    np.testing.assert_allclose(c.std(1), [2.0, 2.0], rtol=1e-4)


def test_layer_normalisation_can_be_left_out():
    same_networks(cells.BasicLSTMCell(4, name="layer_norm_basic_lstm_cell"),
                  rnn.LayerNormBasicLSTMCell(4, layer_norm=False), {})


def test_cells_with_one_gate():
    with tf.variable_scope("net", initializer=uniform()):
        cell = rnn.UGRNNCell(4)
        output, _ = cell(tf.constant(X[:, 0]), tf.ones([2, 4]))
        kernel, bias = cell.weights
    got, k, b = values([output, kernel, bias])
    gate, candidate = np.split(np.concatenate([X[:, 0], np.ones([2, 4])], 1) @ k + b, 2, 1)
    gate = 1 / (1 + np.exp(-gate - 1))
    np.testing.assert_allclose(got, gate + (1 - gate) * np.tanh(candidate), rtol=1e-5)


def test_coupled_gates():
    with tf.variable_scope("net", initializer=uniform()):
        cell = rnn.CoupledInputForgetGateLSTMCell(4, num_proj=2, use_peepholes=True)
        output, state = cell(tf.constant(X[:, 0]), cell.zero_state(2, tf.float32))
    assert [v.op.name.split("/")[-1] for v in cell.weights] == ["W_0", "B", "W_F_diag", "W_O_diag", "W_P_0"]
    assert values(output).shape == (2, 2)


@pytest.mark.parametrize("make, shape, kernel", [
    (rnn.Conv1DLSTMCell, [6, 2], [3]), (rnn.Conv2DLSTMCell, [4, 5, 2], [3, 3]), (rnn.Conv3DLSTMCell, [2, 3, 4, 2], [1, 2, 3])])
@pytest.mark.parametrize("skip", [False, True])
def test_cells_of_pictures(make, shape, kernel, skip):
    x = np.sin(np.arange(2 * 3 * np.prod(shape))).reshape([2, 3, *shape]).astype(np.float32)
    cell = make(input_shape=shape, output_channels=4, kernel_shape=kernel, skip_connection=skip)
    with tf.variable_scope("net", initializer=uniform()):
        outputs, state = tf.nn.dynamic_rnn(cell, tf.constant(x), dtype=tf.float32)
    got = values([outputs, state.c])
    assert got[0].shape == (2, 3, *shape[:-1], 6 if skip else 4) and got[1].shape == (2, *shape[:-1], 4)
    if skip:
        np.testing.assert_allclose(got[0][..., 4:], x, rtol=1e-6)
    kernel_variable = tf.trainable_variables()[0]
    assert kernel_variable.shape.as_list() == kernel + [2 + (6 if skip else 4), 16]


def test_pictures_of_one_point_are_plain():
    with tf.variable_scope("net", initializer=uniform()):
        plain, _ = tf.nn.dynamic_rnn(cells.BasicLSTMCell(4), tf.constant(X), dtype=tf.float32)
        cell = rnn.Conv2DLSTMCell(input_shape=[1, 1, 3], output_channels=4, kernel_shape=[1, 1])
        outputs, _ = tf.nn.dynamic_rnn(cell, tf.constant(X[:, :, None, None]), dtype=tf.float32)
    a, b = values([plain, outputs])
    np.testing.assert_allclose(a, b[:, :, 0, 0], rtol=1e-5)


def test_searched_cells():
    sigmoid, relu = (lambda v: 1 / (1 + np.exp(-v))), (lambda v: np.maximum(v, 0))
    with tf.variable_scope("net", initializer=uniform()):
        cell = rnn.NASCell(2, num_proj=3, use_bias=True)
        output, state = cell(tf.constant(X[:, 0]), (tf.ones([2, 2]), tf.ones([2, 3])))
    got, c, (recurrent, kernel, bias, projection) = values([output, state.c, cell.weights])
    m = np.split(np.ones([2, 3]) @ recurrent + bias, 8, 1)
    x = np.split(X[:, 0] @ kernel, 8, 1)
    kinds = [sigmoid, relu, sigmoid, relu, np.tanh, sigmoid, np.tanh, sigmoid]
    a = [f(u * v if i == 3 else u + v) for i, (f, u, v) in enumerate(zip(kinds, x, m))]
    new_c = np.tanh(np.tanh(a[0] * a[1]) + 1) * np.tanh(a[2] + a[3])
    np.testing.assert_allclose(c, new_c, rtol=1e-5)
    h = np.tanh(new_c * np.tanh(np.tanh(a[4] * a[5]) + sigmoid(a[6] + a[7])))
    np.testing.assert_allclose(got, h @ projection, rtol=1e-4)


def test_projections():
    with tf.variable_scope("net", initializer=uniform()):
        cell = rnn.InputProjectionWrapper(rnn.OutputProjectionWrapper(cells.GRUCell(4), 5), 2)
        outputs, _ = tf.nn.dynamic_rnn(cell, tf.constant(X), dtype=tf.float32)
    assert values(outputs).shape == (2, 4, 5)
    names = [v.op.name for v in tf.trainable_variables()]
    assert names[0] == "net/rnn/input_projection_wrapper/kernel"
    assert "net/rnn/input_projection_wrapper/output_projection_wrapper/gru_cell/gates/kernel" in names
    with pytest.raises(ValueError, match="output_size must be > 0"):
        rnn.OutputProjectionWrapper(cells.GRUCell(4), 0)


@pytest.mark.parametrize("state_is_tuple", [True, False])
def test_cells_that_look_back(state_is_tuple):
    with tf.variable_scope("net", initializer=uniform()):
        cell = rnn.AttentionCellWrapper(cells.GRUCell(4), 3, attn_vec_size=2, state_is_tuple=state_is_tuple)
        assert cell.state_size == ((4, 4, 12) if state_is_tuple else 20)
        outputs, state = tf.nn.dynamic_rnn(cell, tf.constant(X), dtype=tf.float32)
    names = [v.op.name.replace("net/rnn/attention_cell_wrapper/", "") for v in tf.trainable_variables()]
    assert set(names) >= {"kernel", "bias", "attention/attn_w", "attention/attn_v", "attention/kernel",
                          "attn_output_projection/kernel", "gru_cell/gates/kernel"}
    got, last = values([outputs, state])
    memory = last[2] if state_is_tuple else last[:, 8:]
    np.testing.assert_allclose(memory.reshape(2, 3, 4), got[:, 1:], rtol=1e-6)
    with pytest.raises(ValueError, match="attn_length should be greater than zero"):
        rnn.AttentionCellWrapper(cells.GRUCell(4), 0)


def test_words():
    words = tf.constant([[1, 2], [0, 1]])
    with tf.variable_scope("net", initializer=uniform()):
        cell = rnn.EmbeddingWrapper(cells.BasicRNNCell(2), 3, 4)
        output, _ = cell(words[:, :1], cell.zero_state(2, tf.float32))
    assert values(output).shape == (2, 2)
    assert tf.trainable_variables()[0].name == "net/embedding_wrapper/embedding:0"


@pytest.mark.parametrize("lengths", [None, [2, 4]])
def test_stacks_that_run_both_ways(lengths):
    def two():
        return [cells.GRUCell(2, name="g"), cells.GRUCell(2, name="g")]

    with tf.variable_scope("net", initializer=uniform()):
        outputs, fw, bw = rnn.stack_bidirectional_dynamic_rnn(two(), two(), tf.constant(X), dtype=tf.float32,
                                                              sequence_length=lengths)
    with tf.variable_scope("net", reuse=True):
        unrolled, fw2, bw2 = rnn.stack_bidirectional_rnn(two(), two(), tf.unstack(tf.constant(X), axis=1),
                                                         dtype=tf.float32, sequence_length=lengths)
    a, b = values([(outputs, fw, bw), (tf.stack(unrolled, 1), fw2, bw2)])
    for x, y in zip(tf.nest.flatten(a), tf.nest.flatten(b)):
        np.testing.assert_allclose(x, y, rtol=1e-5, atol=1e-6)
    with pytest.raises(ValueError, match="same depth"):
        rnn.stack_bidirectional_rnn(two(), two()[:1], [tf.constant(X[:, 0])], dtype=tf.float32)


# --- what programs import ------------------------------------------------------------------------

@pytest.mark.parametrize("module, names", [
    ("tensorflow.contrib.rnn", "LSTMBlockCell BasicLSTMCell static_rnn LSTMStateTuple transpose_batch_time"),
    ("tensorflow.contrib.seq2seq", "BasicDecoder dynamic_decode AttentionWrapper"),
    ("tensorflow.contrib.legacy_seq2seq", "rnn_decoder sequence_loss_by_example"),
    ("tensorflow.contrib.rnn.python.ops.core_rnn_cell", "_Linear _linear RNNCell EmbeddingWrapper"),
    ("tensorflow.python.ops.rnn_cell_impl", "_Linear RNNCell LSTMStateTuple LayerRNNCell _concat"),
    ("tensorflow.python.ops.rnn", "dynamic_rnn _transpose_batch_time _best_effort_input_batch_size"),
    ("tensorflow.contrib.seq2seq.python.ops.attention_wrapper", "AttentionWrapperState BahdanauAttention")])
def test_modules(module, names):
    found = importlib.import_module(module)
    for name in names.split():
        assert callable(getattr(found, name))


def test_linear_of_programs():
    from rill._rnn_internals import _concat, _linear
    with tf.variable_scope("net", initializer=uniform()):
        y = _linear([tf.constant(X[:, 0]), tf.ones([2, 2])], 4, True)
    assert [v.name for v in tf.trainable_variables()] == ["net/kernel:0", "net/bias:0"]
    assert values(y).shape == (2, 4)
    with pytest.raises(ValueError, match="2D arguments"):
        _linear(tf.constant(X), 2, False)
    assert _concat(2, tf.TensorShape([3]), static=True) == [2, 3]
    np.testing.assert_array_equal(values(_concat(tf.constant(2), 3)), [2, 3])


def test_cells_of_older_programs():
    class Old(cells.RNNCell):
        """Overrides __call__, as before there was call."""

        def __init__(self, units):
            self._units = units

        state_size = output_size = property(lambda self: self._units)

        def __call__(self, inputs, state, scope=None):
            with tf.variable_scope(scope or type(self).__name__):
                w = tf.get_variable("w", [inputs.shape[1] + self._units, self._units])
                state = tf.tanh(tf.matmul(tf.concat([inputs, state], 1), w))
                return state, state

    with tf.variable_scope("net", initializer=uniform()):
        outputs, state = tf.nn.dynamic_rnn(Old(4), tf.constant(X), [2, 4], dtype=tf.float32)
    assert [v.name for v in tf.trainable_variables()] == ["net/rnn/Old/w:0"]
    got = values([outputs, state])
    np.testing.assert_allclose(got[0][1, 3], got[1][1], rtol=1e-6)
