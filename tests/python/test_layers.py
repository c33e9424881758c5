"""tf.layers: what layers refuse, and what programs do with layers of their own."""

import copy

import numpy as np
import pytest
import tensorflow as tf

from rill import _layers


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as g:
        yield g


def ones(*shape):
    return tf.ones(shape)


def values(fetches):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetches)


@pytest.mark.parametrize("make, error, words", [
    (lambda: tf.layers.dense(ones(3), 2), ValueError, "expected min_ndim=2, found ndim=1"),
    (lambda: tf.layers.dense(tf.placeholder(tf.float32, [2, None]), 2), ValueError,
     "last dimension of the inputs to `Dense` should be defined. Found `None`"),
    (lambda: tf.layers.dense(tf.ones([2, 2], tf.int32), 2), TypeError, "non-floating point dtype"),
    (lambda: tf.layers.Dense(-1), ValueError, "invalid value for `units`"),
    (lambda: tf.layers.Dense(1, colour=2), TypeError, "Keyword argument not understood"),
    (lambda: tf.layers.conv2d(ones(1, 4, 4, 1), 2, (1, 2, 3)), ValueError, "tuple of 2 integers"),
    (lambda: tf.layers.conv2d(ones(1, 4, 4, 1), 2, None), ValueError, "tuple of 2 integers"),
    (lambda: tf.layers.conv2d(ones(1, 4, 4, 1), 2, 0), ValueError, "> 0"),
    (lambda: tf.layers.conv2d(ones(1, 4, 4, 1), 0, 1), ValueError, "strictly positive value"),
    (lambda: tf.layers.conv2d(ones(1, 4, 4, 1), 2, 1, padding="most"), ValueError, "`padding` argument"),
    (lambda: tf.layers.conv2d(ones(1, 4, 4, 1), 2, 1, data_format="NHWC"), ValueError, "`data_format`"),
    (lambda: tf.layers.conv2d(ones(1, 4, 4, 1), 2, 1, padding="causal"), ValueError, "Causal padding"),
    (lambda: tf.layers.conv2d(ones(1, 4, 4, 1), 2, 1, 2, dilation_rate=2), ValueError, "dilation_rate > 1"),
    (lambda: tf.layers.conv2d(ones(1, 4, 1), 2, 1), ValueError, "expected ndim=4"),
    (lambda: tf.layers.conv2d(tf.placeholder(tf.float32, [1, 4, 4, None]), 2, 1), ValueError,
     "channel dimension of the inputs should be defined. Found `None`."),
    (lambda: tf.layers.conv2d_transpose(ones(1, 4, 1), 2, 1), ValueError, "ndim"),
    (lambda: tf.layers.max_pooling2d(ones(1, 4, 1), 2, 2), ValueError, "expected ndim=4, found ndim=3"),
    (lambda: tf.layers.max_pooling2d(ones(1, 4, 4, 1), 2, None), ValueError, "`strides` must not be None"),
    (lambda: tf.layers.dropout(ones(2), 1.5), ValueError, "between 0 and 1"),
    (lambda: tf.layers.batch_normalization(ones(2, 3), axis=2), ValueError, "Invalid value for `axis`"),
    (lambda: tf.layers.batch_normalization(ones(2, 3), axis="x"), TypeError, "Expected an int or a list"),
    (lambda: tf.layers.batch_normalization(tf.placeholder(tf.float32, [2, None])), ValueError,
     "undefined `axis` dimension"),
    (lambda: tf.layers.batch_normalization(ones(2, 3), virtual_batch_size=0), ValueError,
     "must be a positive integer"),
    (lambda: tf.layers.batch_normalization(ones(2, 3), renorm=True, renorm_clipping={"max": 1}), ValueError,
     "invalid keys for `renorm_clipping`"),
    (lambda: tf.layers.Dense(1).scope_name, ValueError, "has not been used yet"),
    (lambda: tf.layers.Dense(1).count_params(), ValueError, "isn't built"),
    (lambda: tf.layers.Dense(1).input, AttributeError, "is not connected"),
    (lambda: tf.layers.Dense(1).get_input_at(0), RuntimeError, "never been called"),
    (lambda: tf.layers.Layer().compute_output_shape([1]), NotImplementedError, ""),
    (lambda: tf.layers.InputSpec(ndim=2, axes={2: 1}), ValueError, "greater than the maximum allowed"),
    (lambda: tf.layers.InputSpec(axes={"a": 1}), TypeError, "integer keys"),
])
def test_refused(make, error, words):
    with pytest.raises(error, match=words):
        make()


def test_a_second_layer_of_a_name_must_say_that_it_reuses():
    tf.layers.dense(ones(2, 3), 2, name="fc")
    with pytest.raises(ValueError, match="already exists"):
        tf.layers.dense(ones(2, 3), 2, name="fc")
    with pytest.raises(ValueError, match="does not exist"):
        tf.layers.dense(ones(2, 3), 2, name="other", reuse=True)


def test_inputs_must_stay_what_they_were():
    layer = tf.layers.Dense(2)
    layer(ones(2, 3))
    with pytest.raises(ValueError, match="expected axis -1 of input shape to have value 3"):
        layer(ones(2, 4))
    layer.input_spec = tf.layers.InputSpec(shape=(2, 3), dtype="float64")
    with pytest.raises(ValueError, match="expected dtype=float64"):
        layer(ones(2, 3))
    with pytest.raises(TypeError, match="must be an instance of InputSpec"):
        layer.input_spec = 3


def test_keras_style_takes_no_scopes():
    with tf.layers.experimental.keras_style_scope():
        with pytest.raises(ValueError, match="reuse argument not allowed"):
            tf.layers.Dense(2, _reuse=True)
        layer = tf.layers.Dense(2)
    with pytest.raises(ValueError, match="scope argument not allowed"):
        layer(ones(2, 3), scope="there")


def test_weights_are_read_and_set():
    layer = tf.layers.Dense(2)
    y = layer(ones(1, 3))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        layer.set_weights([np.ones((3, 2)), np.array([1, 2])])
        assert session.run(y).tolist() == [[4, 5]]
        assert [w.tolist() for w in layer.get_weights()] == [[[1, 1]] * 3, [1, 2]]
        with pytest.raises(ValueError, match="expecting 2 weights"):
            layer.set_weights([1])
        with pytest.raises(ValueError, match="not compatible with provided weight shape"):
            layer.set_weights([np.ones((2, 2)), np.ones(2)])


def test_forgotten_super_and_missing_outputs():
    class Forgetful(tf.layers.Layer):
        def __init__(self):
            pass

    class Silent(tf.layers.Layer):
        def call(self, inputs):
            pass

    with pytest.raises(RuntimeError, match="super"):
        Forgetful()(ones(1))
    with pytest.raises(ValueError, match="should return a Tensor"):
        Silent()(ones(1))


def test_a_subclass_of_a_layer_of_tf():
    class Twice(tf.layers.Dense):
        def call(self, inputs):
            return 2 * super().call(inputs)

    layer = Twice(2, kernel_initializer=tf.ones_initializer())
    y = layer(ones(1, 3))
    assert y.op.name == "twice/mul"
    assert values(y).tolist() == [[6, 6]]


def test_a_subclass_with_weights_of_its_own():
    class Fixed(tf.layers.Dense):
        def build(self, input_shape):
            self.kernel = self.add_weight("other", [3, 2], initializer=tf.ones_initializer())
            self.bias = None
            self.built = True

    layer = Fixed(2, use_bias=False)
    assert values(layer(ones(1, 3))).tolist() == [[3, 3]]
    assert layer.weights[0].name == "fixed/other:0"


def test_copies():
    layer = tf.layers.Dense(2, activation=tf.nn.relu, kernel_initializer=tf.ones_initializer())
    other = copy.deepcopy(layer)
    assert other.name == layer.name == "dense_1" and other.units == 2
    ys = [part(ones(1, 3)) for part in (layer, other)]
    assert [y.op.name for y in ys] == ["dense/Relu", "dense_1/Relu"]
    assert [v.op.name for v in other.weights] == ["dense_1/kernel", "dense_1/bias"]
    assert values(ys)[1].tolist() == [[3, 3]]
    with pytest.raises(NotImplementedError, match="cannot be copied"):
        copy.deepcopy(layer)

    class Two(_layers.KerasLayer):
        def __init__(self):
            super().__init__()
            self.parts = [Scale(), Scale()]

        def call(self, inputs):
            return self.parts[1](self.parts[0](inputs))

    two = copy.deepcopy(Two())
    assert values(two(ones(1, 2))).tolist() == [[4, 4]] and len(two.weights) == 2


def test_numbers_and_arrays_are_inputs():
    class Double(tf.layers.Layer):
        def call(self, inputs):
            return inputs * 2

    assert values(Double()(np.array([1, 2]))).tolist() == [2, 4]
    assert values(Double()(inputs=3)) == 6


def test_volumes_are_normalised_without_the_one_op():
    x = np.random.RandomState(0).randn(2, 2, 3, 2, 3).astype(np.float32)
    y = tf.layers.batch_normalization(tf.constant(x), training=True)
    expected = (x - x.mean((0, 1, 2, 3))) / np.sqrt(x.var((0, 1, 2, 3)) + 1e-3)
    np.testing.assert_allclose(values(y), expected, atol=1e-5)


def test_renormalisation_told_late():
    x = np.random.RandomState(0).randn(8, 3).astype(np.float32)
    training = tf.placeholder_with_default(True, [])
    late = tf.layers.batch_normalization(tf.constant(x), renorm=True, training=training)
    known = tf.layers.batch_normalization(tf.constant(x), renorm=True, training=True)
    a, b = values([late, known])
    np.testing.assert_allclose(a, b, atol=1e-5)


def test_channels_first_transposes():
    x = np.random.RandomState(0).randn(1, 3, 4, 5).astype(np.float32)
    weights = tf.constant_initializer(np.random.RandomState(1).randn(2, 2, 2, 3))
    first = tf.layers.conv2d_transpose(tf.constant(x), 2, 2, 2, data_format="channels_first",
                                       kernel_initializer=weights)
    last = tf.layers.conv2d_transpose(tf.constant(x.transpose(0, 2, 3, 1)), 2, 2, 2,
                                      kernel_initializer=weights)
    a, b = values([first, last])
    np.testing.assert_allclose(a, b.transpose(0, 3, 1, 2), atol=1e-5)
    assert first.shape.as_list() == [1, 2, 8, 10]


# --- the base of tf.keras's layers ---------------------------------------------------------------


class Scale(_layers.KerasLayer):
    def __init__(self, factor=2.0, **kwargs):
        super().__init__(**kwargs)
        self.factor = factor

    def build(self, input_shape):
        self.scale = self.add_weight("scale", [int(input_shape[-1])],
                                     initializer=tf.constant_initializer(self.factor),
                                     regularizer=lambda w: tf.reduce_sum(tf.identity(w)))
        super().build(input_shape)

    def call(self, inputs, training=None, mask=None):
        self.was_training, self.had_mask = training, mask
        return inputs * self.scale


def test_owned_layers():
    layer = Scale()
    x = ones(2, 3)
    with tf.name_scope("there"):
        a = layer(x)
    b = layer(x, training=True)
    assert [t.op.name for t in (a, b)] == ["there/scale/mul", "scale/mul"]
    assert layer.name == "scale" and Scale().name == "scale_1"
    assert layer.scale.name == "there/scale/scale:0"
    assert layer.was_training is True
    assert tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES) == []
    assert [loss.op.name for loss in layer.losses] == ["there/scale/scale/Regularizer/Identity"] or \
        len(layer.losses) == 1
    assert layer.count_params() == 3


def test_parts_are_found_among_attributes():
    class Model(_layers.KerasLayer):
        def __init__(self):
            super().__init__()
            self.first, self.others = Scale(), [Scale(3.0)]
            self.counter = tf.Variable(0, trainable=False, name="counter")

        def call(self, inputs):
            for layer in [self.first, *self.others]:
                inputs = layer(inputs)
            return inputs

    model = Model()
    model.others.append(Scale(5.0))
    y = model(ones(1, 2), training=False)
    assert values(y).tolist() == [[30, 30]]
    assert [w.name for w in model.trainable_weights] == [
        "model/scale/scale:0", "model/scale_1/scale:0", "model/scale_2/scale:0"]
    assert [w.name for w in model.non_trainable_weights] == ["counter:0"]
    assert model.first.was_training is False  # though Model's call does not take it
    assert len(model.losses) == 3 and len(model.submodules) == 3
    model.first = None
    assert len(model.trainable_weights) == 2
    model.trainable = False
    assert model.trainable_weights == [] and len(model.weights) == 3


def test_training_is_told_to_layers_inside():
    class Outer(_layers.KerasLayer):
        def __init__(self):
            super().__init__()
            self.inner = Scale()

        def call(self, inputs, training=None):
            return self.inner(inputs)

    outer = Outer()
    outer(ones(1, 2), training=True)
    assert outer.inner.was_training is True
    told = tf.placeholder(tf.bool, [])
    outer(ones(1, 2), training=told)
    assert outer.inner.was_training is told


def test_masks_follow_tensors():
    from rill import _rill
    x, layer = ones(2, 3), Scale()
    mask = tf.constant([True, False])
    _rill.set_tensor_mask(x, mask)
    layer.supports_masking = True
    y = layer(x)
    assert layer.had_mask is mask and _rill.tensor_mask(y) is mask
    unaware = Scale()
    assert _rill.tensor_mask(unaware(x)) is None


def test_metrics_need_names():
    layer = Scale()
    with pytest.raises(ValueError, match="provide a name"):
        layer.add_metric(tf.constant(1.0))
    with pytest.raises(ValueError, match="only `mean`"):
        layer.add_metric(tf.constant(1.0), aggregation="sum", name="m")


def test_config():
    layer = Scale(name="mine", dtype="float64")
    assert layer.get_config() == {"name": "mine", "trainable": True, "dtype": "float64"}
    assert Scale.from_config(layer.get_config()).name == "mine"


@pytest.mark.parametrize("make", [
    lambda x: tf.layers.dense(x, 2, "relu"), lambda x: tf.layers.Dense(2, activation="tanh")(x),
    lambda x: tf.layers.dense(x, 2, kernel_initializer="ones", kernel_regularizer="l2", bias_constraint="non_neg"),
    lambda x: tf.layers.batch_normalization(x, gamma_initializer="ones"),
    lambda x: tf.layers.dense(x, 2, kernel_initializer={"class_name": "Constant", "config": {"value": 2.0}})])
def test_what_keras_has_a_name_for_may_be_text(make):
    with tf.Graph().as_default(), tf.Session() as sess:
        result = make(tf.ones([2, 3]))
        sess.run(tf.global_variables_initializer())
        assert sess.run(result).shape[0] == 2
        with pytest.raises(ValueError, match="Unknown activation function: ?bogus"):
            tf.layers.dense(tf.ones([2, 3]), 2, "bogus")


def test_a_noise_shape_is_not_looked_at_while_nothing_is_dropped():
    with tf.Graph().as_default(), tf.Session() as sess:
        is_training = tf.placeholder_with_default(True, [])  # meant as the fourth argument
        assert sess.run(tf.layers.dropout(tf.ones([2, 2]), 0.7, is_training)).tolist() == [[1, 1], [1, 1]]
