"""Eager execution: ops compute at once, tapes tell gradients."""
import gc
import subprocess
import sys
import weakref

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python.eager import context


@pytest.fixture(autouse=True)
def eagerly():
    with context.eager_mode():
        yield


def test_values():
    x = tf.constant([[1., 2.], [3., 4.]])
    assert tf.executing_eagerly()
    np.testing.assert_array_equal((x @ x + 1).numpy(), [[8, 11], [16, 23]])
    assert float(x[1, 0]) == 3 and len(x) == 2 and [row.numpy().tolist() for row in x] == [[1, 2], [3, 4]]
    assert str(x[0]) == "tf.Tensor([1. 2.], shape=(2,), dtype=float32)"
    assert repr(x[0]) == "<tf.Tensor: shape=(2,), dtype=float32, numpy=array([1., 2.], dtype=float32)>"
    assert bool(tf.reduce_all(x > 0)) and int(tf.size(x)) == 4 and [10, 20, 30][tf.constant(2)] == 30
    np.testing.assert_array_equal(np.asarray(x) * 2, x * 2)


def test_graphs_beside():
    x = tf.constant(2.)
    with tf.Graph().as_default():
        assert not tf.executing_eagerly()
        y = tf.constant(3.) * 2
        with pytest.raises(RuntimeError, match="Attempting to capture an EagerTensor"):
            x + y
        with tf.Session() as sess:
            assert sess.run(y) == 6
    assert (x * 2).numpy() == 4


def test_errors():
    with pytest.raises(tf.errors.InvalidArgumentError, match="Incompatible shapes: .2. vs. .3. .Op:Add"):
        tf.constant([1., 2.]) + tf.constant([1., 2., 3.])
    with pytest.raises(tf.errors.InvalidArgumentError, match="was expected to be a float tensor but is a int32"):
        tf.constant([1., 2.]) + tf.constant([1, 2])


def test_variables():
    v = tf.Variable([1., 2.], name="w")
    v.assign_add([1., 1.])
    assert v.name == "w:0" and v.numpy().tolist() == [2, 3]
    assert repr(v) == "<tf.Variable 'w:0' shape=(2,) dtype=float32, numpy=array([2., 3.], dtype=float32)>"
    assert (v * 2).numpy().tolist() == [4, 6]
    assert tf.get_variable("a", [2], initializer=tf.ones_initializer()).numpy().tolist() == [1, 1]
    assert tf.get_variable("a", [3], initializer=tf.zeros_initializer()).shape == [3]  # not kept by name


def test_values_are_freed():
    x = tf.ones([1000])
    seen = weakref.ref(x)
    del x
    assert seen() is None
    v = tf.Variable(tf.ones([10]))
    seen = weakref.ref(v)
    del v
    gc.collect()
    assert seen() is None


def test_tapes():
    x, w = tf.constant(3.), tf.Variable(2.)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x * w
    assert tape.gradient(y, x).numpy() == 12
    assert [g.numpy() for g in tape.gradient(y, [x, w])] == [12, 9]
    assert tape.gradient(y, {"a": x})["a"].numpy() == 12
    assert tape.watched_variables()[0] is w
    assert tape.gradient(x, w) is None
    assert tape.gradient(x, w, unconnected_gradients="zero").numpy() == 0
    with tf.GradientTape() as once:
        y = w * w
    assert once.gradient(y, w, output_gradients=tf.constant(2.)).numpy() == 8
    with pytest.raises(RuntimeError, match="can only be called once"):
        once.gradient(y, w)


def test_second_derivatives_and_jacobians():
    x = tf.constant([1., 2., 3.])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(x ** 3)
        slope = inner.gradient(y, x)
    np.testing.assert_allclose(outer.gradient(slope, x), [6, 12, 18])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    np.testing.assert_allclose(tape.jacobian(y, x), np.diag([2, 4, 6]))


def test_recording_stops():
    x = tf.constant(3.)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        with tape.stop_recording():
            y = x * x
        z = x * 2
    assert tape.gradient(y, x) is None and tape.gradient(z, x).numpy() == 2


@pytest.mark.parametrize("optimizer", [
    tf.train.GradientDescentOptimizer(.1), tf.train.AdamOptimizer(.3), tf.train.MomentumOptimizer(.05, .9),
    tf.train.RMSPropOptimizer(.2), tf.train.AdagradOptimizer(.9)])
def test_optimizers(optimizer):
    w = tf.Variable([3., -2.])
    for _ in range(200):
        optimizer.minimize(lambda: tf.reduce_sum(tf.square(w)))
    assert abs(w.numpy()).max() < .1
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w)
    optimizer.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
    with pytest.raises(RuntimeError, match="should be a function when eager"):
        optimizer.minimize(loss)


def test_control_flow():
    assert tf.cond(tf.constant(True), lambda: tf.constant(1), lambda: tf.constant(2)).numpy() == 1
    i, total = tf.while_loop(lambda i, t: i < 5, lambda i, t: [i + 1, t + i], [tf.constant(0), tf.constant(0)])
    assert (int(i), int(total)) == (5, 10)
    assert tf.map_fn(lambda x: x * 2, tf.constant([1, 2])).numpy().tolist() == [2, 4]
    assert tf.scan(lambda a, x: a + x, tf.constant([1, 2, 3])).numpy().tolist() == [1, 3, 6]
    assert tf.foldl(lambda a, x: a + x, tf.constant([1, 2, 3])).numpy() == 6
    array = tf.TensorArray(tf.float32, 2)
    array = array.write(0, 1.).write(1, 2.)
    assert array.stack().numpy().tolist() == [1, 2]


def test_datasets():
    data = tf.data.Dataset.range(5).map(lambda x: x * 2).batch(2)
    assert [batch.numpy().tolist() for batch in data] == [[0, 2], [4, 6], [8]]
    iterator = tf.data.Dataset.from_tensor_slices({"a": [1, 2]}).make_one_shot_iterator()
    assert next(iterator)["a"].numpy() == 1 and iterator.get_next()["a"].numpy() == 2
    with pytest.raises(tf.errors.OutOfRangeError):
        iterator.get_next()
    offset = tf.constant(10)
    assert [int(x) for x in tf.data.Dataset.from_tensor_slices([1, 2]).map(lambda x: x + offset)] == [11, 12]


def test_layers():
    layer = tf.layers.Dense(3)
    assert layer(tf.ones([2, 2])).shape == [2, 3]
    assert [v.name for v in layer.variables] == ["dense/kernel:0", "dense/bias:0"]
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(layer(tf.ones([2, 2])))
    assert [g.shape.as_list() for g in tape.gradient(loss, layer.trainable_variables)] == [[2, 3], [3]]


def test_py_function():
    assert tf.py_function(lambda x: x * x, [tf.constant(3.)], tf.float32).numpy() == 9
    assert tf.py_func(lambda x: np.float32(x + 1), [tf.constant(3.)], tf.float32).numpy() == 4


def test_random_numbers_differ():
    assert not np.array_equal(tf.random.normal([3]), tf.random.normal([3]))


def test_strings_and_sparse():
    assert tf.strings.join([tf.constant("a"), "b"]).numpy() == b"ab"
    sparse = tf.SparseTensor([[0, 1]], [5.], [2, 2])
    assert tf.sparse.to_dense(sparse).numpy().tolist() == [[0, 5], [0, 0]]
    ragged = tf.ragged.constant([[1, 2], [3]])
    assert (ragged + 1).to_list() == [[2, 3], [4]]


def test_gradients_of_functions():
    tfe = tf.contrib.eager
    assert [g.numpy() for g in tfe.gradients_function(lambda x, y: x * x * y)(3., 2.)] == [12, 9]
    value, (slope,) = tfe.value_and_gradients_function(lambda x, y: x * y, params=[1])(3., 2.)
    assert (value.numpy(), slope.numpy()) == (6, 3)
    w = tfe.Variable(2.)
    value, [(slope, variable)] = tfe.implicit_value_and_gradients(lambda x: w * w * x)(3.)
    assert (value.numpy(), slope.numpy()) == (12, 12) and variable is w
    assert tfe.implicit_gradients(lambda: w * w)()[0][0].numpy() == 4
    assert tfe.in_eager_mode() and [int(x) for x in tfe.Iterator(tf.data.Dataset.range(2))] == [0, 1]
    with tf.Graph().as_default(), pytest.raises(RuntimeError, match="needs eager execution"):
        tfe.gradients_function(lambda x: x)(1.)


def test_loops_of_one_variable():
    def count(**options):
        return tf.while_loop(lambda i: i < 5, lambda i: i + 1, [tf.constant(0)], **options)

    assert int(count()) == 5 and [int(i) for i in count(return_same_structure=True)] == [5]
    assert [int(i) for i in tf.while_loop(lambda i: i < 5, lambda i: [i + 1], [tf.constant(0)])] == [5]


def test_what_is_added_to_a_checkpoint_later_is_restored(tmp_path):
    path = tf.train.Checkpoint(a=tf.Variable(5.0)).write(str(tmp_path / "one"))
    later = tf.train.Checkpoint()
    later.restore(path)
    later.a = tf.Variable(0.0)
    assert later.a.numpy() == 5


def test_windows_of_datasets():
    windows = [[int(x) for x in window] for window in tf.data.Dataset.range(3).window(2)]
    assert windows == [[0, 1], [2]]


def test_equality_of_values():
    a, b = tf.constant([1, 2]), tf.constant([1, 3])
    assert (a == b) is False and {a: 1}[a] == 1
    tf.enable_tensor_equality()
    try:
        assert (a == b).numpy().tolist() == [True, False] and (a != [1, 3]).numpy().tolist() == [False, True]
        assert not (a == None) and {a.experimental_ref(): 1}[a.experimental_ref()] == 1  # noqa: E711
        assert a.experimental_ref().deref() is a and not bool(tf.constant(1) == tf.constant(2))
        with pytest.raises(TypeError, match="unhashable"):
            hash(a)
    finally:
        tf.disable_tensor_equality()
    assert (a == b) is False and hash(a)


def test_generators_of_several_parts_in_a_fresh_process(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("""
import tensorflow as tf
tf.enable_eager_execution()
data = tf.data.Dataset.from_generator(lambda: ((i, [i] * i) for i in range(3)), (tf.int32, tf.float32), ((), (None,)))
print([(int(a), b.numpy().tolist()) for a, b in data])
""")
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=60)
    assert done.stdout == "[(0, []), (1, [1.0]), (2, [2.0, 2.0])]\n", done.stderr


SLICE_KEYS = [0, -1, 3, slice(1, 3), slice(None), slice(-2, None), slice(None, -1), slice(2, 100), slice(-100, 2), Ellipsis, None,
              (0, 1), (1, slice(1, 3)), (slice(1, 3), 0), (slice(1, 3), slice(None)), (0, Ellipsis, 1), (Ellipsis, slice(0, 2)),
              (None, 2, None, slice(1, 2)), (1, 2, 3), (slice(2, 2),), (slice(3, 1),), (slice(None, None, 2), 1), (slice(None, None, -1),),
              (2, slice(0, 3), slice(1, 2)), (slice(0, 1), slice(1, 3)), (Ellipsis, None), (slice(1, 2), Ellipsis)]


@pytest.mark.parametrize("dtype", ["float32", "int64", "bool", "complex64", "object"])
def test_slices_are_numpys(dtype):
    array = np.arange(60).reshape(4, 3, 5)
    array = np.array([[[b"%d" % n for n in row] for row in block] for block in array], object) if dtype == "object" else (
        array.astype(dtype))
    with context.eager_mode():
        x = tf.constant(array)
        for key in SLICE_KEYS:
            np.testing.assert_array_equal(x[key].numpy(), array[key], err_msg=str(key))
            assert x[key].shape == np.shape(array[key]) and x[key].dtype == x.dtype
        for key in (4, -5, (0, 3), (slice(1, 2), 0, 5), (0, 0, 0, 0)):
            with pytest.raises(tf.errors.InvalidArgumentError):
                x[key]


def test_slices_are_seen_by_tapes_and_belong_to_themselves():
    with context.eager_mode():
        x, w = tf.constant([[1., 2.], [3., 4.]]), tf.Variable([[5., 6.]])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x[1, 0] * x[0, 1] + tf.convert_to_tensor(w)[0, 1]
        gx, gw = tape.gradient(y, [x, w])
        assert gx.numpy().tolist() == [[0., 3.], [2., 0.]] and gw.numpy().tolist() == [[0., 1.]]
        large = tf.Variable(np.zeros([2, 4096], np.float32))
        part = tf.convert_to_tensor(large)[0:2, :]
        large.assign_add(tf.ones([2, 4096]))
        assert not part.numpy().any() and large.numpy().all()


def test_loops_of_numbers_are_pythons():
    """Those that a program of numbers computes, and those that it gives back to the nodes."""
    @tf.function(input_signature=[tf.TensorSpec([], tf.int32)] * 2)
    def collatz(n, most):
        steps = 0
        while n > 1 and steps < most:
            n = n // 2 if tf.equal(n % 2, 0) else 3 * n + 1
            steps += 1
        return n, steps

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32), tf.TensorSpec([], tf.float32)])
    def clipped_sum(x, limit):
        total, largest = 0., x[0]
        for e in x:
            if e < 0.:
                continue
            total += tf.square(e) / 2.
            largest = e if e > largest else largest
            if total > limit:
                break
        return total, largest

    @tf.function(input_signature=[tf.TensorSpec([], tf.int64), tf.TensorSpec([], tf.int64)])
    def divided(n, by):
        i = tf.constant(0, tf.int64)
        while i < 3:
            n, i = n // by, i + 1
        return n

    def python_collatz(n, most):
        steps = 0
        while n != 1 and steps < most:
            n, steps = n // 2 if n % 2 == 0 else 3 * n + 1, steps + 1
        return n, steps

    with context.eager_mode():
        for n, most in ((1, 5), (27, 1000), (97, 50), (6, 0)):
            assert tuple(int(v) for v in collatz(tf.constant(n), tf.constant(most))) == python_collatz(n, most)
        values = np.array([3., -1., 4., 1., 5., -9., 2.], np.float32)
        total, largest = (float(v) for v in clipped_sum(values, 20.))
        assert (total, largest) == (25.5, 5.)
        assert [float(v) for v in clipped_sum(values, 4.)] == [4.5, 3.]
        assert int(divided(tf.constant(-100, tf.int64), tf.constant(3, tf.int64))) == -4
        with pytest.raises(tf.errors.InvalidArgumentError, match="zero"):
            divided(tf.constant(5, tf.int64), tf.constant(0, tf.int64))
        assert int(divided(tf.constant(-2**63, tf.int64), tf.constant(-1, tf.int64))) == -2**63


def test_layers_see_what_is_changed():
    """Their settings are read once; whoever sets an attribute makes them be read again."""
    with context.eager_mode():
        x = tf.constant([[1., -2.]])
        for layer in (tf.layers.Dense(2, kernel_initializer=tf.ones_initializer()),
                      tf.keras.layers.Dense(2, kernel_initializer="ones")):
            assert layer(x).numpy().tolist() == [[-1., -1.]] == layer(x).numpy().tolist()
            layer.activation = tf.nn.relu
            assert layer(x).numpy().tolist() == [[0., 0.]]
            layer.activation, layer.kernel = None, tf.constant([[1., 2.], [3., 4.]])
            assert layer(x).numpy().tolist() == [[-5., -6.]]
            layer.call = lambda inputs: inputs * 2
            assert layer(x).numpy().tolist() == [[2., -4.]]

        class Doubled(tf.layers.Dense):
            def call(self, inputs):
                return super().call(inputs) * 2
        assert Doubled(1, kernel_initializer=tf.ones_initializer())(x).numpy().tolist() == [[-2.]]
        masked = tf.keras.layers.Dense(1, kernel_initializer="ones")
        masked(x)
        type(masked).call, kept = lambda self, inputs: inputs, type(masked).call
        try:
            assert masked(x).numpy().tolist() == [[1., -2.]]
        finally:
            type(masked).call = kept
        assert masked(x).numpy().tolist() == [[-1.]]


def test_lstm_steps_are_the_same_with_and_without_a_tape():
    with context.eager_mode():
        x = tf.constant(np.linspace(-1, 1, 12).reshape(3, 4).astype(np.float32))
        for cell in (tf.nn.rnn_cell.LSTMCell(5), tf.nn.rnn_cell.BasicLSTMCell(5, forget_bias=.5),
                     tf.nn.rnn_cell.LSTMCell(5, use_peepholes=True), tf.nn.rnn_cell.GRUCell(5)):
            state = cell.zero_state(3, tf.float32)
            cell(x, state)
            output, after = cell(x, cell(x, state)[1])
            with tf.GradientTape() as tape:
                tape.watch(x)
                taped, taped_after = cell(x, cell(x, state)[1])
            np.testing.assert_allclose(output.numpy(), taped.numpy(), rtol=1e-5, atol=1e-6)
            assert type(after) is type(taped_after)
            assert tape.gradient(taped, x) is not None
            with pytest.raises((ValueError, tf.errors.InvalidArgumentError)):
                cell(tf.zeros([3, 7]), state)


class Named:
    """Its methods speak of it by its name."""

    scale = 3

    @tf.function
    def scaled(self, x):
        if x > 0:
            return x * Named.scale
        return x - Named.scale if isinstance(self, Named) else x


class NamedToo(Named):
    """So does this one, and its parent."""

    @tf.function
    def scaled(self, x):
        return super(NamedToo, self).scaled(x) + super().scaled(x)


def test_methods_name_their_classes():
    with context.eager_mode():
        assert [int(Named().scaled(tf.constant(x))) for x in (2, -2)] == [6, -5]
        assert int(NamedToo().scaled(tf.constant(1))) == 6


def test_tensors_of_functions_stay_there():
    kept = []

    @tf.function
    def f(x):
        kept.append(x + 1)
        return x
    with context.eager_mode():
        f(tf.constant(1))
        with pytest.raises(TypeError, match="out of scope"):
            kept[0] + 1
