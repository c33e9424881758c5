"""Arguments that functions once refused and TensorFlow takes."""
import numpy as np
import pytest

import rill as tf


def run(x, feeds=None):
    with tf.Session() as session:
        return session.run(x, feeds)


def test_gather_without_batch_dims():
    x = np.arange(6).reshape(2, 3)
    assert run(tf.gather(x, [1], axis=1, batch_dims=None)).tolist() == [[1], [4]]


def test_diagonals_of_bools():
    eye = np.eye(3, dtype=bool)
    assert run(tf.matrix_diag_part(eye)).tolist() == [True] * 3
    assert run(tf.linalg.diag_part(eye, k=1)).tolist() == [False] * 2
    assert run(tf.linalg.diag(np.array([True]), k=1)).tolist() == [[False, True], [False, False]]


def test_scatter_nd_of_bools_and_strings():
    assert run(tf.scatter_nd([[1], [1]], [True, False], [3])).tolist() == [False, True, False]
    assert run(tf.scatter_nd([[1], [1]], ["a", "b"], [2])).tolist() == [b"", b"ab"]


def test_reset_shape_of_a_tensor_of_unknown_shape():
    sparse = tf.sparse_placeholder(tf.float32)
    value = tf.SparseTensorValue([[0, 0], [1, 2]], [1, 2], [2, 3])
    assert run(tf.sparse_reset_shape(sparse, [3, 4]), {sparse: value}).dense_shape.tolist() == [3, 4]
    later = tf.placeholder(tf.int64, [None])
    grown = tf.sparse_reset_shape(sparse, later)
    assert run(grown, {sparse: value, later: [2, 9]}).dense_shape.tolist() == [2, 9]
    for wrong in ([1, 4], [2, 3, 4]):
        with pytest.raises(tf.errors.InvalidArgumentError):
            run(grown, {sparse: value, later: wrong})


@pytest.mark.parametrize("combiner, expected", [("sum", [[2, 4], [4, 5]]), ("mean", [[1, 2], [4, 5]]),
                                                ("sqrtn", [[2**0.5, 8**0.5], [4, 5]])])
@pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16])
def test_narrow_embeddings_are_combined_as_float32(combiner, expected, dtype):
    table = tf.cast(np.arange(6).reshape(3, 2), dtype)
    ids = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], np.int64([0, 1, 2]), [2, 2])
    weights = tf.SparseTensor(ids.indices, np.float32([1, 1, 1]), ids.dense_shape)
    for given in (None, weights):
        rows = tf.nn.embedding_lookup_sparse(table, ids, given, combiner=combiner)
        assert rows.dtype == tf.float32
        np.testing.assert_allclose(run(rows), expected, rtol=1e-6)


def test_record_options_made_of_others(tmp_path):
    packed = tf.io.TFRecordOptions(tf.io.TFRecordOptions(tf.io.TFRecordOptions("GZIP"), flush_mode=3))
    path = str(tmp_path / "records")
    with tf.io.TFRecordWriter(path, packed) as writer:
        writer.write(b"one")
    assert list(tf.io.tf_record_iterator(path, packed)) == [b"one"]
    assert (tmp_path / "records").read_bytes()[:2] == b"\x1f\x8b"


def test_as_many_keys_as_values():
    with tf.Graph().as_default(), pytest.raises(ValueError, match="Dimensions must be equal, but are 1 keys and 2"):
        tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [1, 2]), -1)


def test_no_handle_of_an_iterator():
    with tf.Graph().as_default(), tf.Session() as sess:
        handle = tf.placeholder(tf.string, [])
        element = tf.data.Iterator.from_string_handle(handle, tf.int64, []).get_next()
        with pytest.raises(tf.errors.InvalidArgumentError, match="names no device"):
            sess.run(element, {handle: ""})
