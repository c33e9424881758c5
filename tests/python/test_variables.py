"""Variables, their initializers and gradients: what TensorFlow 1.x does and later versions do not always."""
import numpy as np
import pytest

import rill as tf


def test_a_shape_that_is_said_to_be_unknown():
    v = tf.Variable(tf.zeros([1, 1]), shape=tf.TensorShape(None), use_resource=True)
    assert v.shape.ndims is None and v.initial_value.shape == [1, 1]
    grown = v.assign(tf.ones([2, 2]))
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(v).shape == (1, 1)
        session.run(grown)
        assert session.run(v).tolist() == [[1, 1], [1, 1]]


def test_handles_can_be_fetched():
    first, second = (tf.Variable([1.0], use_resource=True) for _ in range(2))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        a, again, b = session.run([first.handle, first.handle, second.handle])
    assert a.dtype == [("resource", "u1")]
    assert a.tobytes() == again.tobytes() != b.tobytes()


def test_gather_nd_reads_only_the_rows():
    v = tf.get_variable("v", initializer=[[1.0, 2.0], [3.0, 4.0]], use_resource=True)
    rows = tf.gather_nd(v, [[0, 1], [1, 1]])
    assert rows.op.type == "Identity" and rows.op.inputs[0].op.type == "ResourceGatherNd"
    gradient = tf.gradients(rows, v)[0]
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(rows).tolist() == [2, 4]
        assert session.run(gradient).tolist() == [[0, 1], [0, 1]]


def test_a_scope_without_a_name_scope_has_the_one_around():
    with tf.variable_scope("a", auxiliary_name_scope=False) as scope:
        assert scope.original_name_scope == ""
    with tf.name_scope("outer"), tf.variable_scope("b", auxiliary_name_scope=False) as scope:
        assert scope.original_name_scope == "outer/"


@pytest.mark.parametrize("dtype", [tf.float16, tf.float32, tf.float64])
def test_identity_with_a_gain_of_any_type(dtype):
    for made in (tf.initializers.identity(gain=2.0, dtype=dtype)([2, 2]),
                 tf.initializers.identity(gain=2)([2, 2], dtype=dtype),
                 tf.initializers.orthogonal(gain=2.0, dtype=dtype)([2, 2]) if dtype != tf.float16 else None):
        if made is not None:
            assert made.dtype == dtype
    assert tf.Session().run(tf.initializers.identity(gain=2.0, dtype=dtype)([2, 2])).tolist() == [[2, 0], [0, 2]]


@pytest.mark.parametrize("name", ["random_normal", "truncated_normal", "orthogonal", "variance_scaling", "identity",
                                  "uniform_unit_scaling"])
def test_initializers_of_random_numbers_want_floats(name):
    for dtype in (tf.string, tf.int32, tf.complex64):
        with pytest.raises(ValueError, match="Expected floating point type, got"):
            getattr(tf.initializers, name)(dtype=dtype)


def test_a_template_has_no_variables_before_its_first_call():
    def body():
        tf.get_variable("local", [], collections=[tf.GraphKeys.LOCAL_VARIABLES], trainable=False)
        tf.get_variable("fixed", [], trainable=False)
        return tf.get_variable("v", [])

    template = tf.make_template("t", body)
    lists = ("variables", "global_variables", "local_variables", "trainable_variables", "non_trainable_variables",
             "weights", "trainable_weights", "non_trainable_weights")
    assert all(getattr(template, name) == [] for name in lists)
    assert template.variable_scope_name is None
    template()
    names = {name: [v.op.name for v in getattr(template, name)] for name in lists}
    assert names["variables"] == names["weights"] == ["t/fixed", "t/v", "t/local"]
    assert names["global_variables"] == ["t/fixed", "t/v"] and names["local_variables"] == ["t/local"]
    assert names["trainable_variables"] == ["t/v"] and names["non_trainable_variables"] == ["t/fixed"]
    assert template.variable_scope_name == "t/"


def test_gradients_of_tensors_cannot_be_applied():
    v = tf.Variable(3.0)
    y = v * 2
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    pairs = optimizer.compute_gradients(y * y, [y, v])
    assert [item for _, item in pairs] == [y, v]
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run([gradient for gradient, _ in pairs]) == [12.0, 24.0]
    assert optimizer.compute_gradients(y, [tf.constant(1.0)])[0][0] is None
    with pytest.raises(NotImplementedError, match="Trying to update a Tensor"):
        optimizer.apply_gradients(pairs)
    with pytest.raises(NotImplementedError, match="Trying to update a Tensor"):
        optimizer.minimize(y, var_list=[y])


@pytest.mark.parametrize("value, expected", [
    (np.arange(8).reshape(4, 2), tf.float32), (np.arange(8.0).reshape(4, 2), tf.float32),
    ([[1, 2], [3, 4], [5, 6], [7, 8]], tf.float32)])
def test_parts_of_a_value_take_the_type_that_is_asked_for(value, expected):
    parts = tf.create_partitioned_variables([4, 2], [2, 1], value)
    assert [p.dtype.base_dtype for p in parts] == [expected, expected]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        np.testing.assert_array_equal(np.concatenate(session.run(parts)), value)


def test_parts_of_a_tensor_keep_its_type():
    parts = tf.create_partitioned_variables([4, 2], [2, 1], tf.constant(np.arange(8).reshape(4, 2)))
    assert [p.dtype.base_dtype for p in parts] == [tf.int64, tf.int64]
    with pytest.raises(ValueError, match="Initializer type 'int64' and explicit dtype 'float32' don't match"):
        tf.get_variable("v", initializer=np.arange(2), dtype=tf.float32)
