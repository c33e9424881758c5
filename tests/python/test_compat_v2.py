"""tf.compat.v2: TensorFlow 2's names and argument lists beside those of TensorFlow 1."""
import inspect

import numpy as np
import pytest
import tensorflow as tf
import tensorflow.compat.v2 as tf2


def values(*tensors):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(tensors)


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def test_one_module_under_all_names():
    import tensorflow_core.compat.v2 as core
    from tensorflow.compat import v2
    from tensorflow.compat.v2 import nn
    assert v2 is tf2 and core is tf2 and tf2.nn is nn
    assert tf2.compat.v1 is tf and tf2.newaxis is None


@pytest.mark.parametrize("function, arguments", [
    ("reduce_sum", "(input_tensor, axis=None, keepdims=False, name=None)"),
    ("argmax", "(input, axis=None, output_type=tf.int64, name=None)"),
    ("convert_to_tensor", "(value, dtype=None, dtype_hint=None, name=None)"),
    ("transpose", "(a, perm=None, conjugate=False, name='transpose')"),
    ("nn.conv2d", "(input, filters, strides, padding, data_format='NHWC', dilations=None, name=None)"),
    ("nn.moments", "(x, axes, shift=None, keepdims=False, name=None)"),
    ("io.decode_csv", "(records, record_defaults, field_delim=',', use_quote_delim=True, na_value='', select_cols=None, "
                      "name=None)")])
def test_argument_lists_are_those_of_version_2(function, arguments):
    found = tf2
    for part in function.split("."):
        found = getattr(found, part)
    assert str(inspect.signature(found)) == arguments
    assert inspect.getfullargspec(found).args == list(inspect.signature(found).parameters)


def test_order_and_meaning_of_arguments():
    x = tf.constant([[1., 5.], [7., 3.]])
    made = values(tf2.argmax(x), tf2.reduce_sum(x, 1, True), tf2.gather(x, [1], None, 1),
                  tf2.where([[True], [False]], x, 0.), tf2.zeros_like(input=x), tf2.pad(x, [[1, 0], [0, 0]], "CONSTANT", 9),
                  tf2.math.count_nonzero(input=x), tf2.nn.dropout(x, 0.))
    np.testing.assert_array_equal(made[0], [1, 0])
    np.testing.assert_array_equal(made[1], [[6], [10]])
    np.testing.assert_array_equal(made[2], [[5], [3]])
    np.testing.assert_array_equal(made[3], [[1, 5], [0, 0]])
    assert made[4].shape == (2, 2) and made[5][0, 0] == 9 and made[6] == 4
    np.testing.assert_array_equal(made[7], [[1, 5], [7, 3]])


def test_wrong_arguments_are_type_errors():
    with pytest.raises(TypeError, match=r"reduce_sum\(\) missing a required argument: 'input_tensor'"):
        tf2.reduce_sum()
    with pytest.raises(TypeError, match="keep_dims"):
        tf2.reduce_sum([1.], keep_dims=True)
    with pytest.raises(AttributeError, match="no attribute 'placeholder'"):
        tf2.placeholder


def test_variables_are_resources():
    variable = tf2.Variable([1., 2.], name="v")
    assert isinstance(variable, tf2.Variable) and isinstance(tf.Variable(1.), tf2.Variable)
    assert variable.handle.dtype == tf.resource
    np.testing.assert_array_equal(values(variable)[0], [1, 2])
    with tf2.name_scope("outer") as scope:
        assert scope == "outer/" and tf.constant(1).op.name == "outer/Const"


def test_initializers_take_no_dtype():
    kernel = tf2.initializers.RandomUniform(seed=1)([50, 50], dtype=tf.float64)
    drawn = values(kernel)[0]
    assert drawn.dtype == np.float64 and -0.05 <= drawn.min() and drawn.max() <= 0.05
    with pytest.raises(TypeError):
        tf2.initializers.GlorotUniform(dtype=tf.float32)


def test_recurrent_layers_have_other_defaults():
    layer = tf2.keras.layers.GRU(4)
    out = layer(tf.ones([2, 3, 5]))
    assert layer.get_config()["reset_after"] and layer.get_config()["recurrent_activation"] == "sigmoid"
    assert inspect.signature(tf2.keras.layers.LSTM).parameters["recurrent_activation"].default == "sigmoid"
    assert tf2.keras.layers.LSTM(4, recurrent_activation="tanh").get_config()["recurrent_activation"] == "tanh"
    assert values(out)[0].shape == (2, 4)


def test_batch_normalization_that_is_not_trainable():
    layer = tf2.keras.layers.BatchNormalization(trainable=False)
    x = tf.constant([[1.0], [3.0]])
    np.testing.assert_allclose(values(layer(x, training=True))[0], [[1], [3]], rtol=1e-2)
    trained = tf2.keras.layers.BatchNormalization()
    np.testing.assert_allclose(values(trained(x, training=True))[0], [[-1], [1]], rtol=1e-2)


def test_every_name_is_there():
    from rill import _v2
    absent = [name for name in [*_v2._names(), *_v2._signatures(), *_v2._classes()]
              if not name.startswith(("keras.applications", "distribute", "estimator", "lite", "xla"))
              and not has(tf2, name)]
    assert absent == []


def has(module, path):
    for part in path.split("."):
        if not hasattr(module, part):
            return False
        module = getattr(module, part)
    return True


def test_dir_lists_what_is_there():
    for module in (tf, tf2, tf.nn, tf.contrib.distributions):
        for name in dir(module):
            getattr(module, name)
