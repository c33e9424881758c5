"""tf.contrib.eager: stores, savers, callbacks, metrics, networks, tests in both modes."""
import io
import unittest

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python.eager import context

tfe = tf.contrib.eager


@pytest.fixture(autouse=True)
def eagerly():
    with context.eager_mode():
        yield
        tfe.clear_execution_callbacks()


def test_metrics():
    mean = tfe.metrics.Mean()
    mean(1.), mean([2., 3.])
    assert mean.result().numpy() == 2 and mean.result().dtype == tf.float64
    mean.init_variables()
    mean(5., weights=2.)
    other = tfe.metrics.Mean()
    other([1., 1.])
    mean.aggregate([other])
    assert mean.result().numpy() == 3
    accuracy = tfe.metrics.Accuracy()
    accuracy(tf.constant([1, 2]), tf.constant([1, 3]))
    assert accuracy.result().numpy() == .5
    sparse = tfe.metrics.SparseAccuracy()
    sparse([1, 0], [[.1, .9], [.2, .8]])
    assert sparse.result().numpy() == .5
    with pytest.raises(TypeError, match="must be the same type"):
        mean.aggregate([accuracy])


def test_callbacks_see_every_op():
    seen = []
    x = tf.constant(1.)
    tfe.add_execution_callback(lambda op, inputs, attrs, outputs, name: seen.append((op, len(inputs), attrs, outputs[0].numpy())))
    x + 2.
    tfe.clear_execution_callbacks()
    x * 2.
    assert seen == [("AddV2", 2, ("T", tf.float32), 3.)]


def test_numbers_that_are_none():
    one = tf.constant(-1.)
    assert tfe.seterr(inf_or_nan="raise") == {"inf_or_nan": tfe.ExecutionCallback.IGNORE}
    with pytest.raises(Exception, match=r"Output 1 of 1 of TFE operation Log \(name: None\) contains 1 nan"):
        tf.math.log(one)
    with tfe.errstate(inf_or_nan=tfe.ExecutionCallback.IGNORE):
        assert np.isnan(tf.math.log(one))
    assert tfe.seterr(inf_or_nan="ignore") == {"inf_or_nan": tfe.ExecutionCallback.RAISE}
    tfe.add_execution_callback(tfe.inf_callback)
    assert np.isnan(tf.math.log(one))
    with pytest.raises(Exception, match="1 inf"):
        1. / (one + 1.)


def test_store_of_variables():
    store = tfe.EagerVariableStore()
    for _ in range(2):
        with store.as_default():
            made = tf.layers.dense(tf.ones([1, 2]), 3, name="l", kernel_initializer=tf.ones_initializer())
    assert made.numpy().tolist() == [[2, 2, 2]]
    assert [v.name for v in store.variables()] == ["l/bias:0", "l/kernel:0"]
    with store.as_default():
        tf.get_variable("step", initializer=1, trainable=False)
    assert len(store.trainable_variables()) == 2 and len(store.non_trainable_variables()) == 1
    copied = store.copy()
    store.variables()[0].assign([5., 5., 5.])
    assert copied.variables()[0].numpy().tolist() == [0, 0, 0]
    assert tf.get_variable("l/bias", [3]) not in store.variables()  # outside nothing is kept


def test_saver(tmp_path):
    v, w = tfe.Variable(3., name="v"), tfe.Variable([1, 2], name="w")
    saver = tfe.Saver([v, w])
    path = saver.save(str(tmp_path / "c"), global_step=2)
    v.assign(1.), w.assign([0, 0])
    saver.restore(path)
    assert path.endswith("c-2") and v.numpy() == 3 and w.numpy().tolist() == [1, 2]
    with pytest.raises(tf.errors.NotFoundError):
        tfe.Saver({"other": v}).restore(path)


def test_networks():
    class Net(tfe.Network):
        def __init__(self):
            super().__init__(name="net")
            self.dense = self.track_layer(tf.layers.Dense(2, kernel_initializer=tf.ones_initializer()))

        def call(self, x):
            return self.dense(x)

    net = Net()
    assert net(tf.ones([1, 2])).numpy().tolist() == [[2, 2]] and len(net.variables) == 2
    stack = tfe.Sequential([tf.layers.Dense(2, kernel_initializer=tf.ones_initializer()), lambda x: -x, tf.nn.relu])
    assert stack(tf.ones([1, 2])).numpy().tolist() == [[0, 0]] and len(stack.variables) == 2


def test_modes_and_devices():
    assert tfe.in_eager_mode() and tfe.num_gpus() == 0 and "CPU:0" in tfe.list_devices()[0]
    with tfe.execution_mode(tfe.ASYNC):
        assert (tf.constant(1) + 1).numpy() == 2
    tfe.async_wait()
    with pytest.raises(ValueError, match="Execution mode"):
        tfe.set_execution_mode(7)
    with tf.Graph().as_default(), pytest.raises(RuntimeError, match="Iterator"):
        tfe.Iterator(tf.data.Dataset.range(1))


def test_decorated_tests_run_in_both_modes():
    seen = []

    class Case(tf.test.TestCase):
        @tfe.run_test_in_graph_and_eager_modes
        def test_sum(self):
            seen.append(tf.executing_eagerly())
            v = tf.get_variable("v", initializer=2.)
            self.evaluate(v.initializer)
            self.assertAllClose(self.evaluate(v + tf.constant([1.])), [3.])

        @tfe.run_test_in_graph_and_eager_modes
        def test_fails(self):
            self.assertFalse(tf.executing_eagerly())

    ran = unittest.TextTestRunner(stream=io.StringIO()).run(unittest.defaultTestLoader.loadTestsFromTestCase(Case))
    assert seen == [False, True] and len(ran.failures) == 1 and not ran.errors


def test_gradients():
    assert tfe.gradients_function(lambda x: x ** 3)(3.)[0].numpy() == 27

    @tfe.custom_gradient
    def seven(x):
        return x * x, lambda dy: dy * 7.
    assert tfe.gradients_function(seven)(2.)[0].numpy() == 7
