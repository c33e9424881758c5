"""tf.contrib.layers, tf.contrib.framework and tf.contrib.slim, as TensorFlow 1.15 documents them."""

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.contrib import framework, layers, slim


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as g:
        yield g


ONES = tf.ones_initializer()


def run(*fetches):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return [session.run(fetch) for fetch in fetches]


def names(things):
    return [thing.op.name for thing in things]


def test_fully_connected():
    x = tf.constant([[1.0, -2.0, 3.0]])
    y = layers.fully_connected(x, 2, weights_initializer=ONES)
    assert y.op.name == "fully_connected/Relu"
    assert names(tf.trainable_variables()) == ["fully_connected/weights", "fully_connected/biases"]
    assert names(tf.get_collection(tf.GraphKeys.MODEL_VARIABLES)) == names(tf.global_variables())
    z = layers.linear(-x, 2, weights_initializer=ONES, scope="last")
    assert z.op.name == "last/BiasAdd"
    assert [v.tolist() for v in run(y, z)] == [[[2, 2]], [[-2, -2]]]


def test_fully_connected_shared():
    x = tf.ones([2, 3])
    for reuse in (None, True):
        layers.fully_connected(x, 3, scope="fc", reuse=reuse)
    assert len(tf.global_variables()) == 2
    with pytest.raises(ValueError, match="already exists"):
        layers.fully_connected(x, 3, scope="fc")
    with tf.variable_scope("fc", reuse=tf.AUTO_REUSE) as scope:
        pass
    layers.fully_connected(x, 3, scope=scope)
    assert len(tf.global_variables()) == 2


def test_normalizer_takes_the_place_of_biases():
    y = layers.fully_connected(tf.ones([4, 3]), 2, normalizer_fn=layers.batch_norm,
                               normalizer_params={"is_training": True, "decay": 0.5}, scope="fc")
    assert y.op.name == "fc/Relu"
    assert names(tf.global_variables()) == ["fc/weights", "fc/BatchNorm/beta",
                                            "fc/BatchNorm/moving_mean", "fc/BatchNorm/moving_variance"]
    assert len(tf.get_collection(tf.GraphKeys.UPDATE_OPS)) == 2


def test_regularizers():
    y = layers.fully_connected(tf.ones([1, 2]), 2, weights_initializer=ONES, scope="fc",
                               weights_regularizer=layers.l2_regularizer(0.5))
    losses = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    assert names(losses) == ["fc/kernel/Regularizer/l2_regularizer"]
    assert run(losses, y)[0] == [1.0]
    w = tf.Variable([1.0, -2.0], name="w")
    both, one = layers.l1_l2_regularizer(1.0, 2.0)(w), layers.l1_regularizer(0.5)(w)
    assert run(both, one) == [8.0, 1.5]
    assert layers.l2_regularizer(0.0)(w) is None
    total = layers.apply_regularization(layers.l1_regularizer(1.0), [w, w])
    assert run(total) == [6.0] and total in tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    total = layers.sum_regularizer([layers.l1_regularizer(1.0), None, layers.l1_regularizer(1.0)])(w)
    assert run(total) == [6.0]


@pytest.mark.parametrize("make, words", [
    (lambda: layers.l2_regularizer(1), "cannot be an integer"),
    (lambda: layers.l1_regularizer(-1.0), "less than 0"),
    (lambda: layers.fully_connected(tf.ones([1, 2]), 2.5), "num_outputs type"),
    (lambda: layers.conv2d(tf.ones([1, 2, 3]), 2, 3), "expects input with rank 4, got 3"),
    (lambda: layers.convolution(tf.ones([1, 2, 2, 3]), 2, 3, data_format="CHWN"), "data_format"),
    (lambda: layers.flatten(tf.ones([2])), "2 dimensions"),
    (lambda: layers.embed_sequence(tf.constant([1])), "Must specify vocab size"),
    (lambda: layers.batch_norm(tf.ones([2, 2]), data_format="X"), "NCHW or NHWC"),
])
def test_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_convolutions():
    x = tf.ones([1, 6, 6, 2])
    y = layers.conv2d(x, 3, 3, weights_initializer=ONES)
    assert y.op.name == "Conv/Relu" and y.shape.as_list() == [1, 6, 6, 3]
    assert names(tf.global_variables()) == ["Conv/weights", "Conv/biases"]
    assert run(y)[0][0, 2, 2].tolist() == [18, 18, 18]
    assert layers.conv2d(x, 3, [3, 3], stride=2, padding="VALID", rate=1).shape.as_list() == [1, 2, 2, 3]
    assert layers.conv2d(x, 3, 3, rate=2).op.name == "Conv_2/Relu"
    assert layers.convolution1d(tf.ones([1, 6, 2]), 3, 3).shape.as_list() == [1, 6, 3]
    assert layers.convolution3d(tf.ones([1, 4, 4, 4, 2]), 3, 3).shape.as_list() == [1, 4, 4, 4, 3]
    assert layers.conv2d_transpose(x, 3, 3, stride=2).shape.as_list() == [1, 12, 12, 3]
    assert layers.conv2d_transpose(x, 3, 3).op.name == "Conv2d_transpose_1/Relu"


def test_separable_convolutions():
    x = tf.ones([1, 6, 6, 2])
    y = layers.separable_conv2d(x, 3, 3, depth_multiplier=2, weights_initializer=ONES, scope="sep")
    assert names(tf.global_variables()) == ["sep/depthwise_weights", "sep/pointwise_weights", "sep/biases"]
    assert run(y)[0][0, 2, 2].tolist() == [36, 36, 36]
    apart = layers.separable_conv2d(x, None, 3, stride=2, weights_initializer=ONES, scope="apart")
    assert apart.shape.as_list() == [1, 3, 3, 2]
    assert names(framework.get_variables("apart")) == ["apart/depthwise_weights", "apart/biases"]
    assert run(apart)[0][0, 1, 1].tolist() == [9, 9]


def test_batch_norm():
    x = np.random.RandomState(0).randn(8, 3).astype(np.float32)
    y = layers.batch_norm(tf.constant(x), scale=True, center=True, is_training=True, decay=0.5)
    assert names(tf.global_variables()) == ["BatchNorm/beta", "BatchNorm/gamma",
                                            "BatchNorm/moving_mean", "BatchNorm/moving_variance"]
    np.testing.assert_allclose(run(y)[0], (x - x.mean(0)) / np.sqrt(x.var(0) + 1e-3), atol=1e-5)


def test_batch_norm_updated_in_place():
    x = np.random.RandomState(0).randn(2, 4, 4, 3).astype(np.float32)
    y = layers.batch_norm(tf.constant(x), updates_collections=None, decay=0.0)
    assert tf.get_collection(tf.GraphKeys.UPDATE_OPS) == []
    mean = framework.get_variables_by_suffix("moving_mean")[0]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(y)
        np.testing.assert_allclose(session.run(mean), x.mean((0, 1, 2)), atol=1e-5)


def test_batch_norm_in_other_collections():
    layers.batch_norm(tf.ones([4, 3]), updates_collections="mine", is_training=True,
                      variables_collections={"beta": ["betas"], "moving_mean": ["means"]})
    assert len(tf.get_collection("mine")) == 2
    assert names(tf.get_collection("betas")) == ["BatchNorm/beta"]
    assert names(tf.get_collection("means")) == ["BatchNorm/moving_mean"]


def test_batch_norm_told_late():
    x = np.random.RandomState(0).randn(8, 3).astype(np.float32)
    training = tf.placeholder_with_default(True, [])
    y = layers.batch_norm(tf.constant(x), is_training=training, updates_collections=None)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        np.testing.assert_allclose(session.run(y, {training: False}), x / np.sqrt(1.001), atol=1e-5)
        np.testing.assert_allclose(session.run(y).mean(0), 0, atol=1e-5)


def test_layer_norm():
    x = np.random.RandomState(0).randn(2, 3, 4).astype(np.float32)
    y = layers.layer_norm(tf.constant(x), scope="ln")
    assert names(tf.global_variables()) == ["ln/beta", "ln/gamma"]
    assert tf.global_variables()[0].shape.as_list() == [4]
    expected = (x - x.mean((1, 2), keepdims=True)) / x.std((1, 2), keepdims=True)
    np.testing.assert_allclose(run(y)[0], expected, atol=1e-4)


def test_norms_within_examples():
    x = np.random.RandomState(0).randn(2, 3, 4, 6).astype(np.float32)
    tensor = tf.placeholder_with_default(tf.constant(x), [None, 3, 4, 6])
    instance = layers.instance_norm(tensor)
    grouped = layers.group_norm(tensor, groups=2)
    assert names(tf.global_variables()) == ["InstanceNorm/beta", "InstanceNorm/gamma",
                                            "GroupNorm/beta", "GroupNorm/gamma"]
    a, b = run(instance, grouped)
    np.testing.assert_allclose(
        a, (x - x.mean((1, 2), keepdims=True)) / x.std((1, 2), keepdims=True), atol=1e-4)
    parts = x.reshape(2, 3, 4, 2, 3)
    parts = (parts - parts.mean((1, 2, 4), keepdims=True)) / parts.std((1, 2, 4), keepdims=True)
    np.testing.assert_allclose(b, parts.reshape(x.shape), atol=1e-4)
    with pytest.raises(ValueError, match="not commensurate"):
        layers.group_norm(tensor, groups=4)


def test_unit_norm_and_maxout():
    x = tf.constant([[3.0, 4.0, 6.0, 8.0]])
    assert run(layers.maxout(x, 2))[0].tolist() == [[4, 8]]
    np.testing.assert_allclose(run(layers.unit_norm(x[:, :2], 1))[0], [[0.6, 0.8]], rtol=1e-5)


def test_layers_without_weights():
    x = tf.reshape(tf.range(16.0), [1, 4, 4, 1])
    assert run(layers.max_pool2d(x, 2))[0].ravel().tolist() == [5, 7, 13, 15]
    assert run(layers.avg_pool2d(x, [2, 2], stride=[2, 2], scope="pool"))[0].ravel().tolist() == [
        2.5, 4.5, 10.5, 12.5]
    assert layers.flatten(x).shape.as_list() == [1, 16]
    assert layers.max_pool2d(x, 2, scope="p").op.name == "p/MaxPool"
    assert run(layers.dropout(x, is_training=False))[0].tolist() == run(x)[0].tolist()
    dropped = run(layers.dropout(tf.ones([100]), 0.5, seed=1))[0]
    assert set(dropped.tolist()) == {0.0, 2.0}
    assert run(layers.one_hot_encoding([1, 0], 3))[0].tolist() == [[0, 1, 0], [1, 0, 0]]
    np.testing.assert_allclose(run(layers.softmax(tf.zeros([2, 3, 4])))[0], np.full([2, 3, 4], 0.25))


def test_bias_add_and_embeddings():
    y = layers.bias_add(tf.zeros([2, 3]), initializer=ONES, activation_fn=tf.nn.relu)
    assert run(y)[0].tolist() == [[1, 1, 1]] * 2
    e = layers.embed_sequence(tf.constant([[0, 2]]), 4, 3, initializer=ONES, scope="words")
    assert e.shape.as_list() == [1, 2, 3]
    layers.embed_sequence(tf.constant([[1]]), scope="words", reuse=True)
    assert names(framework.get_variables("words")) == ["words/embeddings"]


def test_each_id_is_looked_up_once():
    table = tf.get_variable("table", initializer=np.arange(8.0).reshape(4, 2).astype(np.float32))
    ids = tf.constant([[1, 3], [1, 0]])
    once, all_ids = layers.embedding_lookup_unique(table, ids), tf.nn.embedding_lookup(table, ids)
    assert once.shape.as_list() == [2, 2, 2]
    a, b = run(once, all_ids)
    assert a.tolist() == b.tolist()
    e = layers.embed_sequence(ids, 4, 2, unique=True, initializer=ONES)
    assert run(e)[0].tolist() == np.ones([2, 2, 2]).tolist()


def test_repeat_and_stack():
    x = tf.ones([1, 4])
    y = slim.repeat(x, 2, slim.fully_connected, 4, scope="fc")
    assert y.op.name == "fc/fc_2/Relu"
    z = slim.stack(x, slim.fully_connected, [3, 2], scope="net")
    assert z.shape.as_list() == [1, 2] and z.op.name == "net/net_2/Relu"
    w = slim.stack(tf.ones([1, 4, 4, 1]), slim.conv2d, [(2, [3, 3]), (3, [1, 1])], scope="core")
    assert w.shape.as_list() == [1, 4, 4, 3]


def test_outputs_by_alias():
    x = tf.ones([1, 4])
    with slim.arg_scope([slim.fully_connected], outputs_collections="points"):
        with tf.variable_scope("net"):
            y = slim.fully_connected(x, 3, scope="a")
            slim.fully_connected(y, 3, scope="b")
    points = slim.utils.convert_collection_to_dict("points")
    assert sorted(points) == ["net/a", "net/b"] and points["net/a"] is y


def test_arg_scope():
    x = tf.ones([1, 4])
    with slim.arg_scope([slim.fully_connected, slim.conv2d], activation_fn=None,
                        weights_initializer=ONES) as scope:
        with slim.arg_scope([slim.fully_connected], biases_initializer=None):
            inner = slim.fully_connected(x, 1)
        outer = slim.fully_connected(x, 1, activation_fn=tf.nn.relu)
    plain = slim.fully_connected(x, 1)
    assert [t.op.type for t in (inner, outer, plain)] == ["MatMul", "Relu", "Relu"]
    with slim.arg_scope(scope):
        assert slim.fully_connected(x, 1).op.type == "BiasAdd"
    assert framework.current_arg_scope() == {}
    assert framework.has_arg_scope(slim.conv2d) and not framework.has_arg_scope(len)


def test_arg_scope_refuses():
    with pytest.raises(ValueError, match="not decorated with @add_arg_scope"):
        with framework.arg_scope([len], a=1):
            pass
    with pytest.raises(TypeError, match="must either be a list/tuple or reused scope"):
        with framework.arg_scope(slim.conv2d, a=1):
            pass
    with pytest.raises(ValueError, match="kwargs must be empty"):
        with framework.arg_scope({}, a=1):
            pass


def test_own_functions_take_arg_scopes():
    @framework.add_arg_scope
    def add(a, b=1, c=1):
        return a + b + c

    with framework.arg_scope([add], b=10):
        assert add(1) == 12 and add(1, b=2) == 4
        with framework.arg_scope([add], c=20):
            assert add(1) == 31
    assert add(1) == 3 and framework.arg_scoped_arguments(add) == ("b", "c")


def test_variables():
    with tf.variable_scope("a"):
        w = framework.model_variable("w", [2], initializer=ONES, collections=["mine"])
        b = framework.variable("b", [2], regularizer=layers.l2_regularizer(1.0))
    local = framework.local_variable(0, name="local")
    assert framework.get_variables("a") == [w, b]
    assert framework.get_variables(suffix="b") == [b]
    assert framework.get_model_variables() == [w] and tf.get_collection("mine") == [w]
    assert framework.get_variables_by_name("w") == [w]
    assert framework.get_unique_variable("a/w") is w
    assert framework.get_local_variables() == [local]
    assert framework.get_trainable_variables("a") == [w, b]
    assert framework.get_variables_to_restore(exclude=["a/b"]) == [w]
    assert framework.filter_variables([w, b], ["w"]) == [w]
    with pytest.raises(ValueError, match="Couldn't find variable"):
        framework.get_unique_variable("c")


def test_values_are_assigned():
    w = framework.model_variable("w", [2], initializer=ONES)
    assign = framework.assign_from_values_fn({"w": np.array([3.0, 4.0], np.float32)})
    with tf.Session() as session:
        assign(session)
        assert session.run(w).tolist() == [3, 4]


def test_global_step():
    step = framework.get_or_create_global_step()
    assert framework.get_global_step() is step and slim.get_or_create_global_step() is step


def test_slim_trains():
    x = tf.constant(np.random.RandomState(0).randn(16, 4).astype(np.float32))
    labels = tf.cast(x[:, 0] > 0, tf.int64)
    tf.set_random_seed(1)
    net = slim.fully_connected(x, 8, normalizer_fn=slim.batch_norm)
    logits = slim.fully_connected(net, 2, activation_fn=None)
    slim.losses.softmax_cross_entropy(logits, slim.one_hot_encoding(labels, 2))
    loss = slim.losses.get_total_loss()
    train = slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.5),
                                          clip_gradient_norm=5.0)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        losses = [session.run(train) for _ in range(30)]
        assert session.run(slim.get_or_create_global_step()) == 30
    assert losses[-1] < losses[0] / 2


def test_modules_by_their_paths():
    import tensorflow.contrib.layers as by_import
    import tensorflow.contrib.slim as slim_by_import
    from tensorflow.contrib.framework.python.ops import add_arg_scope, arg_scope
    from tensorflow.contrib.layers.python.layers import layers as deep
    from tensorflow.contrib.layers.python.layers import utils
    assert by_import.fully_connected is layers.fully_connected is deep.fully_connected
    assert slim_by_import.conv2d is layers.conv2d and tf.contrib.slim.conv2d is layers.conv2d
    assert arg_scope is framework.arg_scope and add_arg_scope is framework.add_arg_scope
    assert utils.two_element_tuple(3) == (3, 3)


def test_hyperparameters():
    h = tf.contrib.training.HParams(rate=0.5, layers=2, sizes=[1, 2], name="net", on=True)
    assert h.parse("rate=1,layers=3,sizes=[4,5],on=false,name=big") is h
    assert h.values() == {"rate": 1.0, "layers": 3, "sizes": [4, 5], "name": "big", "on": False}
    assert h.parse("sizes[1]=7").sizes == [4, 7]
    assert h.parse_json('{"layers": 4}').layers == 4 and "rate" in h
    assert h.get("nothing", 3) == 3 and h.override_from_dict({"rate": 2}).rate == 2.0
    h.add_hparam("more", 1)
    h.del_hparam("more")
    assert "more" not in h and repr(h).startswith("HParams([('layers', 4)") and "layers=4" in str(h).split(",")
    for change, words in (("rate=x", "Could not parse"), ("other=1", "Unknown hyperparameter"),
                          ("sizes=3", "Must pass a list"), ("rate=1,rate=2", "Multiple assignments"),
                          ("layers", "Malformed")):
        with pytest.raises(ValueError, match=words):
            h.parse(change)
    with pytest.raises(ValueError, match="reserved"):
        h.add_hparam("rate", 1)
    with pytest.raises(ValueError, match="Could not cast"):
        h.set_hparam("layers", 1.5)


@pytest.mark.parametrize("optimizer", [
    "SGD", "Adam", tf.train.GradientDescentOptimizer, tf.train.GradientDescentOptimizer(0.1),
    lambda rate: tf.train.MomentumOptimizer(rate, 0.9)])
def test_optimize_loss(optimizer):
    w = tf.get_variable("w", [], initializer=tf.constant_initializer(4.0))
    step = framework.get_or_create_global_step()
    train = layers.optimize_loss(
        tf.square(w), step, learning_rate=0.1, optimizer=optimizer, clip_gradients=2.0, summaries=[],
        gradient_multipliers={"w": 0.5},
        learning_rate_decay_fn=lambda rate, n: tf.train.exponential_decay(rate, n, 10, 0.9))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            session.run(train)
        assert session.run(step) == 3 and session.run(w) < 4.0
    assert framework.get_variables("OptimizeLoss/learning_rate")


@pytest.mark.parametrize("arguments, words", [
    ({"learning_rate": -1.0, "optimizer": "SGD"}, "Invalid learning_rate"),
    ({"learning_rate": None, "optimizer": "SGD"}, "Learning rate is None"),
    ({"learning_rate": 0.1, "optimizer": "Nonsense"}, "Optimizer name should be one of"),
    ({"learning_rate": 0.1, "optimizer": 3}, "Unrecognized optimizer"),
    ({"learning_rate": 0.1, "optimizer": "SGD", "summaries": ["x"]}, "Summaries should be one of"),
    ({"learning_rate": 0.1, "optimizer": "SGD", "clip_gradients": "x"}, "Unknown type"),
])
def test_optimize_loss_refuses(arguments, words):
    w = tf.get_variable("w", [])
    with pytest.raises(ValueError, match=words):
        layers.optimize_loss(tf.square(w), framework.get_or_create_global_step(),
                             **{"summaries": [], **arguments})


def test_slim_learning_trains_and_goes_on(tmp_path):
    def program(steps):
        with tf.Graph().as_default():
            w = tf.get_variable("w", [], initializer=tf.constant_initializer(4.0))
            loss = tf.square(w)
            train = slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.1))
            return slim.learning.train(train, str(tmp_path), number_of_steps=steps)

    assert program(2) == pytest.approx((4 * 0.8) ** 2)
    assert program(4) == pytest.approx((4 * 0.8 ** 3) ** 2)
    assert tf.train.latest_checkpoint(str(tmp_path)).endswith("model.ckpt-4")
    assert (tmp_path / "graph.pbtxt").exists()
    with pytest.raises(ValueError, match="train_op cannot be None"):
        slim.learning.train(None, None)


def test_summaries():
    w = tf.get_variable("w", [2], initializer=ONES)
    y = tf.nn.relu(w)
    layers.summarize_tensor(tf.reduce_sum(y, name="total"))
    layers.summarize_activation(y)
    tf.add_to_collection(tf.GraphKeys.ACTIVATIONS, tf.nn.relu(w, name="other"))
    layers.summarize_activations(name_filter="other")
    layers.optimize_loss(tf.reduce_sum(y), framework.get_or_create_global_step(), 0.1, "SGD",
                         summaries=layers.OPTIMIZER_SUMMARIES, clip_gradients=1.0)
    tags = set()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for value in tf.Summary.FromString(session.run(tf.summary.merge_all())).value:
            tags.add(value.tag)
    assert {"total_1", "Relu/zeros", "Relu/activation", "other/activation", "OptimizeLoss/loss",
            "OptimizeLoss/learning_rate_1", "OptimizeLoss/gradients/w_0"} <= tags


@slim.add_arg_scope
def bottleneck(inputs, depth, stride=1, outputs_collections=None, scope=None):
    with tf.variable_scope(scope, "bottleneck", [inputs]) as sc:
        width = slim.utils.last_dimension(inputs.get_shape(), min_rank=4)
        if width == depth:
            shortcut = inputs if stride == 1 else slim.max_pool2d(inputs, [1, 1], stride=stride)
        else:
            shortcut = slim.conv2d(inputs, depth, [1, 1], stride=stride, activation_fn=None, scope="shortcut")
        residual = slim.conv2d(inputs, depth // 4, [1, 1], scope="conv1")
        residual = slim.conv2d(residual, depth // 4, 3, stride=stride, scope="conv2")
        residual = slim.conv2d(residual, depth, [1, 1], activation_fn=None, scope="conv3")
        return slim.utils.collect_named_outputs(outputs_collections, sc.name, tf.nn.relu(shortcut + residual))


def residual_arg_scope(weight_decay=0.0001):
    norm = {"decay": 0.9, "epsilon": 1e-5, "scale": True, "updates_collections": tf.GraphKeys.UPDATE_OPS}
    with slim.arg_scope([slim.conv2d], weights_regularizer=slim.l2_regularizer(weight_decay),
                        weights_initializer=slim.variance_scaling_initializer(),
                        normalizer_fn=slim.batch_norm, normalizer_params=norm):
        with slim.arg_scope([slim.batch_norm], **norm):
            with slim.arg_scope([slim.max_pool2d], padding="SAME") as scope:
                return scope


def test_a_residual_network():
    images = tf.placeholder_with_default(tf.ones([2, 16, 16, 3]), [None, 16, 16, 3])
    with slim.arg_scope(residual_arg_scope()):
        with tf.variable_scope("resnet", "resnet", [images]) as sc:
            points = sc.name + "_end_points"
            with slim.arg_scope([slim.conv2d, bottleneck], outputs_collections=points):
                with slim.arg_scope([slim.batch_norm], is_training=True):
                    net = slim.conv2d(images, 8, 3, stride=2, scope="conv1")
                    net = bottleneck(net, 16, scope="block1")
                    net = bottleneck(net, 16, stride=2, scope="block2")
            net = tf.reduce_mean(net, [1, 2], keepdims=True)
            net = slim.conv2d(net, 5, [1, 1], activation_fn=None, normalizer_fn=None, scope="logits")
            logits = tf.squeeze(net, [1, 2])
            end_points = slim.utils.convert_collection_to_dict(points, clear_collection=True)
    assert sorted(end_points) == ["resnet/block1", "resnet/block1/conv1", "resnet/block1/conv2",
                                  "resnet/block1/conv3", "resnet/block1/shortcut", "resnet/block2",
                                  "resnet/block2/conv1", "resnet/block2/conv2", "resnet/block2/conv3",
                                  "resnet/conv1"]
    assert [v.op.name for v in slim.get_model_variables("resnet/conv1")] == [
        "resnet/conv1/weights", "resnet/conv1/BatchNorm/gamma", "resnet/conv1/BatchNorm/beta",
        "resnet/conv1/BatchNorm/moving_mean", "resnet/conv1/BatchNorm/moving_variance"]
    assert len(tf.get_collection(tf.GraphKeys.UPDATE_OPS)) == 16
    assert len(tf.losses.get_regularization_losses()) == 9
    loss = tf.losses.sparse_softmax_cross_entropy([0, 1], logits)
    train = slim.learning.create_train_op(tf.losses.get_total_loss(), tf.train.MomentumOptimizer(0.1, 0.9))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        first = session.run(loss)
        for _ in range(20):
            session.run(train)
        assert session.run(loss) < first


MATRIX = np.random.RandomState(0).randn(6, 3).astype(np.float32)
IMAGES = np.random.RandomState(0).randn(2, 3, 3, 3).astype(np.float32)


def averages_after(inputs, steps=2, **arguments):
    """The moving averages after some steps with the updates."""
    y = slim.batch_norm(tf.constant(inputs), **arguments)
    updates = tf.get_collection(arguments.get("updates_collections") or tf.GraphKeys.UPDATE_OPS)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(steps):
            session.run([y, *updates])
        return [session.run(v) for v in tf.global_variables() if "/moving_" in v.op.name]


@pytest.mark.parametrize("arguments", [{}, {"updates_collections": None}, {"updates_collections": "mine"},
                                       {"data_format": "NCHW"}, {"zero_debias_moving_mean": True}])
def test_batch_norm_of_matrices_keeps_the_unbiased_variance(arguments):
    mean, variance, *rest = averages_after(MATRIX, decay=0.5, **arguments)
    debiased = arguments.get("zero_debias_moving_mean", False)
    np.testing.assert_allclose(mean, MATRIX.mean(0) * (1 if debiased else 0.75), rtol=1e-5)
    np.testing.assert_allclose(variance, 0.25 + 0.75 * MATRIX.var(0, ddof=1), rtol=1e-5)
    assert len(rest) == (2 if debiased else 0)


def test_batch_norm_of_images_with_a_mean_that_is_debiased():
    mean, variance, biased, steps = averages_after(IMAGES, decay=0.5, zero_debias_moving_mean=True)
    rows = IMAGES.reshape(-1, 3)
    np.testing.assert_allclose(mean, rows.mean(0), rtol=1e-5)
    np.testing.assert_allclose(biased, 0.75 * rows.mean(0), rtol=1e-5)
    np.testing.assert_allclose(variance, 0.25 + 0.75 * rows.var(0, ddof=1), rtol=1e-5)
    assert steps == 2


@pytest.mark.parametrize("data_format", ["NHWC", "NCHW"])
def test_batch_norm_of_examples_with_weights(data_format):
    weights = np.array([1, 3], np.float32)
    mean, variance = averages_after(IMAGES, decay=0.5, batch_weights=weights, data_format=data_format)
    channels = IMAGES if data_format == "NHWC" else IMAGES.transpose(0, 2, 3, 1)
    repeated = np.repeat(channels, [1, 3], axis=0).reshape(-1, 3)
    np.testing.assert_allclose(mean, 0.75 * repeated.mean(0), rtol=1e-4)
    np.testing.assert_allclose(variance, 0.25 + 0.75 * repeated.var(0), rtol=1e-4)


@pytest.mark.parametrize("inputs", [MATRIX, IMAGES, IMAGES[:, 0]])
def test_batch_norm_told_by_a_tensor_whether_it_trains(inputs):
    training = tf.placeholder(tf.bool, [])
    y = slim.batch_norm(tf.constant(inputs), is_training=training, updates_collections=None, decay=0.5)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        before = session.run(y, {training: False})
        np.testing.assert_allclose(before, inputs / np.sqrt(1.001), rtol=1e-5)
        trained = session.run(y, {training: True})
        rows = inputs.reshape(-1, 3)
        want = (inputs - rows.mean(0)) / np.sqrt(rows.var(0) + 0.001)
        np.testing.assert_allclose(trained, want, rtol=1e-3, atol=1e-5)
        assert np.abs(session.run(y, {training: False}) - before).max() > 1e-3


def test_variables_are_in_a_collection_once():
    slim.batch_norm(tf.constant(IMAGES), variables_collections=[tf.GraphKeys.TRAINABLE_VARIABLES])
    assert names(tf.trainable_variables()) == ["BatchNorm/beta", "BatchNorm/moving_mean",
                                               "BatchNorm/moving_variance"]
    assert len(tf.model_variables()) == 3


def test_the_device_of_model_variables():
    with slim.arg_scope([slim.model_variable, slim.variable], device="/cpu:0"):
        y = slim.conv2d(tf.constant(IMAGES), 4, 3, normalizer_fn=slim.batch_norm)
    with slim.arg_scope([slim.model_variable], device=lambda op: "/device:CPU:1"):
        slim.fully_connected(tf.constant(MATRIX), 2)
    assert {v.device for v in tf.global_variables()[:4]} == {"/device:CPU:0"}
    assert {v.device for v in tf.global_variables()[4:]} == {"/device:CPU:1"} and y.device == ""


def test_a_caching_device_that_is_a_function():
    choose = lambda op: "/device:CPU:1" if op.type == "Identity" else ""  # noqa: E731
    with tf.variable_scope("a", caching_device=choose) as scope:
        v = tf.get_variable("v", [2])
    assert scope.caching_device is choose
    assert v._snapshot.device == "/device:CPU:1" and v.device == ""
    w = tf.Variable([1.0], caching_device=lambda op: op.device, name="w", use_resource=True)
    assert run(w)[0] == [1.0]


def test_pools_of_volumes():
    x = np.random.RandomState(1).rand(1, 4, 4, 4, 2).astype(np.float32)
    windows = x.reshape(1, 2, 2, 2, 2, 2, 2, 2).transpose(0, 1, 3, 5, 2, 4, 6, 7).reshape(1, 2, 2, 2, 8, 2)
    largest = slim.max_pool3d(tf.constant(x), 2)
    first = layers.avg_pool3d(tf.constant(x.transpose(0, 4, 1, 2, 3)), [2, 2, 2], data_format="NCDHW",
                              outputs_collections="pools", scope="p")
    assert largest.op.name == "MaxPool3D/MaxPool3D" and tf.get_collection("pools") == [first]
    got = run(largest, first)
    np.testing.assert_allclose(got[0], windows.max(4), rtol=1e-6)
    np.testing.assert_allclose(got[1], windows.mean(4).transpose(0, 4, 1, 2, 3), rtol=1e-6)
    with pytest.raises(ValueError, match="data_format has to be either NCDHW or NDHWC."):
        layers.max_pool3d(tf.constant(x), 2, data_format="NHWC")
