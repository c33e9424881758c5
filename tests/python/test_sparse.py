import numpy as np
import pytest

import rill as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def run(fetch):
    with tf.Session() as sess:
        return sess.run(fetch)


def sparse():
    return tf.SparseTensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 3])


def test_parts():
    s = sparse()
    assert s.indices.name == "SparseTensor/indices:0" and s.values.name == "SparseTensor/values:0"
    assert s.dtype == tf.float32 and s.get_shape().as_list() == [2, 3] and s.shape.as_list() == [2, 3]
    assert s.op is s.values.op and s.graph is tf.get_default_graph()
    assert str(s).startswith("SparseTensor(indices=Tensor(")
    product = s * 2
    assert [op.name for op in s.consumers()] == [product.op.name]
    assert tf.sparse.SparseTensor is tf.SparseTensor


def test_parts_that_do_not_fit():
    with pytest.raises(ValueError, match="must have rank 2"):
        tf.SparseTensor([0], [1], [1])
    with pytest.raises(ValueError, match="not compatible"):
        tf.SparseTensor([[0, 1]], [1, 2], [1, 2])
    with pytest.raises(ValueError, match="not compatible"):
        tf.SparseTensor([[0, 1]], [1], [1, 2, 3])
    with pytest.raises(TypeError, match="neither a SparseTensor nor SparseTensorValue"):
        tf.SparseTensor.from_value(3)


def test_values():
    value = tf.SparseTensorValue(np.array([[0, 1]]), np.array([5]), np.array([2, 2]))
    s = tf.SparseTensor.from_value(value)
    assert tf.SparseTensor.from_value(s) is s
    with tf.Session():
        fetched = s.eval()
    assert fetched.values.tolist() == [5] and fetched.dense_shape.tolist() == [2, 2]
    assert run(tf.sparse.to_dense(value)).tolist() == [[0, 5], [0, 0]]


def test_operators():
    with pytest.raises(TypeError):
        2.0 * sparse()
    with pytest.raises(TypeError):
        sparse() + 1


def test_wrong_kinds():
    with pytest.raises(TypeError, match="Input must be a SparseTensor"):
        tf.sparse.reorder(tf.constant([1]))
    with pytest.raises(TypeError, match="At least one input should be SparseTensor"):
        tf.sparse_add(tf.constant(1), tf.constant(2))
    with pytest.raises(TypeError, match="Inputs must be a list"):
        tf.sparse.concat(0, sparse())
    with pytest.raises(TypeError, match="Expected `SparseTensor`"):
        tf.sets.size(tf.constant([[1]]))
    with pytest.raises(TypeError):
        tf.sets.union([[1.5]], [[2.5]])
    with pytest.raises(ValueError, match="axis is required"):
        tf.sparse_split(sp_input=sparse(), num_split=2)


def test_wrong_shapes():
    with pytest.raises(ValueError, match="At most one dimension can be inferred"):
        tf.sparse_reshape(sparse(), [-1, -1])
    with pytest.raises(ValueError, match="Cannot reshape a tensor with 6 elements"):
        tf.sparse_reshape(sparse(), [4, 2])
    with pytest.raises(ValueError, match="dimension sizes >= sp_input.shape"):
        tf.sparse_reset_shape(sparse(), [1, 3])
    with pytest.raises(ValueError, match="equal lengths"):
        tf.sparse_merge([sparse()], sparse(), [1, 2])


def test_cross():
    a = tf.SparseTensor([[0, 0], [1, 0], [1, 1]], ["a", "b", "c"], [2, 2])
    dense = tf.constant([["f"], ["g"]])
    made = tf.sparse.cross([a, dense])
    assert run(made.values).tolist() == [b"a_X_f", b"b_X_g", b"c_X_g"]
    with pytest.raises(TypeError, match="must be a list|Inputs must be a list"):
        tf.sparse.cross(a)


def test_static_shape_of_placeholders():
    assert tf.sparse.placeholder(tf.float32, [None, 2]).get_shape().as_list() == [None, 2]
    assert tf.sparse_placeholder(tf.float32, [3, 2]).get_shape().as_list() == [3, 2]


@pytest.mark.parametrize("known", [True, False])
def test_a_slice_of_more_elements_than_can_be_counted(known):
    huge = np.array([2 ** 62, 2 ** 62])
    shape = tf.constant(huge) if known else tf.placeholder_with_default(huge, [2])
    part = tf.sparse.slice(tf.SparseTensor([[0, 0]], [1.0], shape), [0, 0], [1, 1])
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="overflow"):
        session.run(part)


@pytest.mark.parametrize("name, values", [
    ("abs", [4.0, 9.0]), ("negative", [4.0, -9.0]), ("square", [16.0, 81.0]), ("sign", [-1.0, 1.0]),
    ("tanh", np.tanh([-4.0, 9.0])), ("erf", [-1.0, 1.0])])
def test_functions_of_each_value_alone_keep_the_places(name, values):
    places = tf.SparseTensor([[0, 1], [1, 0]], [-4.0, 9.0], [2, 2])
    made = getattr(tf, name)(places)
    assert isinstance(made, tf.SparseTensor)
    with tf.Session() as session:
        got = session.run(made)
    np.testing.assert_allclose(got.values, values, atol=1e-6)
    assert got.indices.tolist() == [[0, 1], [1, 0]] and got.dense_shape.tolist() == [2, 2]
