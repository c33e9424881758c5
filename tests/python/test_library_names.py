"""Names of TensorFlow's private modules, and parts of contrib, that libraries of the time import."""
import numpy as np
import pytest
import tensorflow as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def values(*tensors):
    with tf.Session() as session:
        return session.run(tensors)


def test_what_is_missing_refuses_when_it_is_used():
    from tensorflow.contrib import nccl, quantize, tensorrt as trt
    from tensorflow.python.autograph.pyct import transformer

    class Mine(transformer.Base):
        """A class that nobody makes an object of."""

    for call in (trt.create_inference_graph, nccl.all_sum, Mine, quantize.create_training_graph):
        with pytest.raises(NotImplementedError, match="Rill does not have"):
            call()


def test_eager_names_can_be_imported():
    from tensorflow.contrib.eager.python import tfe
    assert not tfe.executing_eagerly() and tfe.Variable(1.0).handle.dtype == tf.resource
    with pytest.raises(RuntimeError, match="needs eager execution"):
        tfe.implicit_gradients(lambda x: x)(1.0)


def test_inplace_ops():
    from tensorflow.python.ops import inplace_ops
    x = tf.zeros([3, 2])
    found = values(inplace_ops.inplace_update(x, 1, [1.0, 2.0]), inplace_ops.inplace_add(x, [0, 2], tf.ones([2, 2])),
                   inplace_ops.inplace_sub(x, None, tf.ones([3, 2])), inplace_ops.empty([2], tf.int32, init=True))
    np.testing.assert_array_equal(found[0], [[0, 0], [1, 2], [0, 0]])
    np.testing.assert_array_equal(found[1], [[1, 1], [0, 0], [1, 1]])
    np.testing.assert_array_equal(found[2], -np.ones([3, 2]))
    np.testing.assert_array_equal(found[3], [0, 0])


def test_linear_operator_util():
    from tensorflow.python.ops.linalg import linear_operator_addition, linear_operator_util
    matrix, rhs = [[2.0, 0.0], [1.0, 1.0]], np.ones([3, 2, 1], "float32")
    solved = linear_operator_util.matrix_triangular_solve_with_broadcast(tf.constant(matrix), rhs)
    total, = linear_operator_addition.add_operators(
        [tf.linalg.LinearOperatorDiag([1.0, 2.0]), tf.linalg.LinearOperatorIdentity(2)])
    assert isinstance(total, tf.linalg.LinearOperatorDiag)
    found = values(solved, total.to_dense())
    np.testing.assert_allclose(found[0], np.broadcast_to([[0.5], [0.5]], [3, 2, 1]))
    np.testing.assert_array_equal(found[1], [[2, 0], [0, 3]])


def test_static_values_of_what_is_no_tensor():
    assert tf.get_static_value(3) == 3 and tf.get_static_value(None) is None
    assert tf.get_static_value(tf.Variable(1.0)) is None


def test_seeds_may_be_long():
    for seed in (5, 5 + 3 * (2**31 - 1), 2**80, -7):
        shuffled = tf.random.shuffle([1, 2], seed=seed)
        assert shuffled.op.get_attr("seed2") == seed % (2**31 - 1)


def test_device_functions_tell_an_object():
    class Op:
        """What Keras makes to learn on which device it is."""
        device = None

        def _set_device_from_string(self, text):
            self.device = tf.DeviceSpec.from_string(text)

    op = Op()
    tf.get_default_graph()._apply_device_functions(op)
    assert op.device is None
    with tf.device("/gpu:1"):
        tf.get_default_graph()._apply_device_functions(op)
    assert op.device.device_type == "GPU" and op.device.device_index == 1


def test_layers_do_not_track_what_says_so():
    from tensorflow.python.training.tracking import data_structures
    layer = tf.keras.layers.Layer()
    layer.inner = data_structures.NoDependency(tf.keras.layers.Dense(2))
    layer.inner.build([None, 3])
    assert len(layer.inner.weights) == 2 and not layer.weights


def test_regularizers_take_tensors():
    scale, weights = tf.placeholder_with_default(0.5, []), tf.constant([3.0, -4.0])
    layers = tf.contrib.layers
    found = values(layers.l1_regularizer(scale)(weights), layers.l2_regularizer(scale)(weights),
                   layers.l1_l2_regularizer(scale, scale)(weights))
    np.testing.assert_allclose(found, [3.5, 6.25, 9.75])


def test_records_are_read_by_slim(tmp_path):
    from tensorflow.contrib.slim.python.slim.data import parallel_reader, prefetch_queue
    for name in "ab":
        with tf.python_io.TFRecordWriter(str(tmp_path / name)) as writer:
            writer.write(name.encode())
    _, record = parallel_reader.parallel_read(str(tmp_path / "*"), tf.TFRecordReader, num_epochs=1, shuffle=False)
    record.set_shape([])
    taken = prefetch_queue.prefetch_queue({"record": record}).dequeue()
    with tf.train.MonitoredSession() as session:
        found = []
        with pytest.raises(tf.errors.OutOfRangeError):
            while True:
                found.append(session.run(taken)["record"])
    assert sorted(found) == [b"a", b"b"]
    with pytest.raises(ValueError, match="No data files found"):
        parallel_reader.get_data_files(str(tmp_path / "x*"))


def test_contrib_distributions():
    ds = tf.contrib.distributions
    normal = ds.MultivariateNormalTriL([0.0, 1.0], [[1.0, 0.0], [0.5, 2.0]])
    inverse = ds.InverseGamma([3.0, 1.5], 2.0)
    found = values(normal.log_prob([1.0, 2.0]), normal.covariance(), normal.entropy(), normal.variance(),
                   ds.Chi2(4.0).log_prob(3.0), inverse.mean(), inverse.variance(), inverse.log_prob(2.0),
                   ds.Binomial(4.0, probs=0.5).prob(2.0), ds.OneHotCategorical(logits=[0.0, 1.0]).log_prob([0, 1]))
    np.testing.assert_allclose(found[0], -np.log(2 * np.pi) - np.log(2) - 0.5 * (1 + 0.25**2), rtol=1e-5)
    np.testing.assert_allclose(found[1], [[1, 0.5], [0.5, 4.25]])
    np.testing.assert_allclose(found[2], np.log(2 * np.pi * np.e) + np.log(2), rtol=1e-5)
    np.testing.assert_allclose(found[3], [1, 4.25])
    np.testing.assert_allclose(found[4], np.log(3 / 4) - 1.5, rtol=1e-5)
    np.testing.assert_allclose(found[5], [1, 4], rtol=1e-5)
    np.testing.assert_allclose(found[6], [1, np.nan], rtol=1e-5)
    np.testing.assert_allclose(found[7][0], np.log(4) - 4 * np.log(2) - 1, rtol=1e-5)
    np.testing.assert_allclose(found[8], 6 / 16, rtol=1e-5)
    np.testing.assert_allclose(found[9], 1 - np.log(1 + np.e), rtol=1e-5)
    assert values(ds.OneHotCategorical(logits=tf.zeros([2, 3])).sample(4, seed=1))[0].shape == (4, 2, 3)
    assert values(normal.sample(5, seed=1))[0].shape == (5, 2)


def test_a_private_tensor_api_of_python_2():
    x = tf.constant([6.0, 9.0])
    np.testing.assert_array_equal(values(x.__div__(3.0), x.__rdiv__(18.0))[1], [3, 2])
    assert tf.get_default_graph()._nodes_by_name["Const"] is x.op


def test_getargspec_has_four_fields():
    from tensorflow.python.util import tf_inspect
    args, varargs, keywords, defaults = tf_inspect.getargspec(lambda a, b=1, *c, **d: None)
    assert (args, varargs, keywords, defaults) == (["a", "b"], "c", "d", (1,))


def test_summaries_of_programs():
    from tensorflow.python.ops import summary_op_util
    with summary_op_util.summary_scope("loss value", family="train", values=[]) as (tag, scope):
        assert (tag, scope) == ("train/train/loss_value", "train/loss_value/")
    summary_op_util.collect(tf.constant("x"), None, [tf.GraphKeys.SUMMARIES])
    assert len(tf.get_collection(tf.GraphKeys.SUMMARIES)) == 1


def test_case_of_another_cond():
    from tensorflow.python.ops import control_flow_ops
    from tensorflow.python.framework import smart_cond
    made = control_flow_ops._case_helper(smart_cond.smart_cond, [(False, lambda: 1), (True, lambda: 2)], lambda: 3, False,
                                         "case", allow_python_preds=True)
    assert made == 2
    with tf.variable_scope("outer"):
        from tensorflow.python.ops import variable_scope
        with variable_scope._pure_variable_scope("inner"):
            assert tf.get_variable("v", []).name == "outer/inner/v:0" and tf.constant(1).op.name == "outer/Const"


def test_hooks_of_an_estimator_outlive_the_model_fn(tmp_path):
    import gc

    def model_fn(features, labels, mode):
        loss = tf.reduce_sum(tf.get_variable("v", initializer=1.0) * features)
        tf.summary.scalar("seen", loss)
        hook = tf.train.SummarySaverHook(save_steps=1, output_dir=str(tmp_path / "eval"), summary_op=tf.summary.merge_all())
        spec = tf.estimator.EstimatorSpec(
            mode, loss=loss, train_op=tf.assign_add(tf.train.get_global_step(), 1), evaluation_hooks=[hook])
        del hook
        return spec

    def input_fn():
        gc.collect()
        return tf.constant([1.0, 2.0]), None

    estimator = tf.estimator.Estimator(model_fn, str(tmp_path))
    estimator.train(input_fn, steps=1)
    assert estimator.evaluate(input_fn, steps=1)["loss"] == 3
    assert list((tmp_path / "eval").iterdir())
