import numpy as np
import pytest

import rill as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def rows(ragged):
    with tf.Session() as sess:
        return ragged.eval(session=sess).to_list()


def run(fetch):
    with tf.Session() as sess:
        return sess.run(fetch)


def test_factories_make_the_same_rows():
    values, expected = [3, 1, 4, 1, 5, 9], [[3, 1, 4], [], [1, 5], [9]]
    made = [tf.RaggedTensor.from_row_splits(values, [0, 3, 3, 5, 6]),
            tf.RaggedTensor.from_row_lengths(values, [3, 0, 2, 1]),
            tf.RaggedTensor.from_row_limits(values, [3, 3, 5, 6]),
            tf.RaggedTensor.from_row_starts(values, [0, 3, 3, 5]),
            tf.RaggedTensor.from_value_rowids(values, [0, 0, 0, 2, 2, 3]),
            tf.ragged.constant(expected)]
    for ragged in made:
        assert rows(ragged) == expected
    assert rows(tf.RaggedTensor.from_value_rowids(values, [0, 0, 0, 2, 2, 3], nrows=5)) == expected + [[]]


def test_properties():
    ragged = tf.ragged.constant([[1, 2], [], [3]])
    assert ragged.dtype == tf.int32 and ragged.ragged_rank == 1
    assert ragged.shape.as_list() == [3, None]
    assert ragged.row_splits.dtype == tf.int64
    assert run(ragged.row_lengths()).tolist() == [2, 0, 1]
    assert run(ragged.row_starts()).tolist() == [0, 2, 2]
    assert run(ragged.row_limits()).tolist() == [2, 2, 3]
    assert run(ragged.value_rowids()).tolist() == [0, 0, 2]
    assert run(ragged.nrows()) == 3
    assert run(ragged.bounding_shape()).tolist() == [3, 2]
    assert run(ragged.bounding_shape(axis=1)) == 2


def test_several_ragged_dimensions():
    ragged = tf.ragged.constant([[[1, 2], []], [], [[3]]])
    assert ragged.ragged_rank == 2 and ragged.shape.as_list() == [3, None, None]
    assert rows(ragged) == [[[1, 2], []], [], [[3]]]
    again = tf.RaggedTensor.from_nested_row_splits(ragged.flat_values, ragged.nested_row_splits)
    assert rows(again) == [[[1, 2], []], [], [[3]]]
    assert rows(ragged.values) == [[1, 2], [], [3]]
    assert [run(n).tolist() for n in ragged.nested_row_lengths()] == [[2, 0, 1], [2, 0, 1]]
    assert rows(ragged[1:]) == [[], [[3]]]
    assert run(ragged.to_tensor()).tolist() == [[[1, 2], [0, 0]], [[0, 0], [0, 0]], [[3, 0], [0, 0]]]


def test_conversions():
    ragged = tf.ragged.constant([["a", "b"], ["c"], []])
    assert run(ragged.to_tensor()).tolist() == [[b"a", b"b"], [b"c", b""], [b"", b""]]
    assert run(ragged.to_tensor(default_value="-")).tolist()[1] == [b"c", b"-"]
    sparse = ragged.to_sparse()
    assert run(sparse.indices).tolist() == [[0, 0], [0, 1], [1, 0]]
    assert run(sparse.dense_shape).tolist() == [3, 2]
    assert rows(tf.RaggedTensor.from_sparse(sparse)) == [[b"a", b"b"], [b"c"], []]


def test_from_tensor():
    dense = [[5, 7, 0], [0, 3, 0], [6, 0, 0]]
    assert rows(tf.RaggedTensor.from_tensor(dense)) == dense
    assert rows(tf.RaggedTensor.from_tensor(dense, lengths=[1, 0, 3])) == [[5], [], [6, 0, 0]]
    assert rows(tf.RaggedTensor.from_tensor(dense, padding=0)) == [[5, 7], [0, 3], [6]]
    cube = np.arange(8).reshape(2, 2, 2)
    assert rows(tf.RaggedTensor.from_tensor(cube, ragged_rank=2)) == cube.tolist()


def test_range_and_segments():
    assert rows(tf.ragged.range([3, 0, 2], [6, 2, 2])) == [[3, 4, 5], [0, 1], []]
    assert rows(tf.ragged.range([2, 1])) == [[0, 1], [0]]
    assert run(tf.ragged.row_splits_to_segment_ids([0, 3, 3, 5])).tolist() == [0, 0, 0, 2, 2]
    assert run(tf.ragged.segment_ids_to_row_splits([0, 0, 2])).tolist() == [0, 2, 2, 3]


def test_operators_and_map():
    ragged = tf.ragged.constant([[1, 2], [3]])
    assert rows(ragged + 1) == [[2, 3], [4]]
    assert rows(10 - ragged) == [[9, 8], [7]]
    assert rows(ragged * ragged) == [[1, 4], [9]]
    assert rows(-ragged) == [[-1, -2], [-3]]
    assert rows(tf.ragged.map_flat_values(lambda x: x * 2, ragged)) == [[2, 4], [6]]


def test_indexing():
    ragged = tf.ragged.constant([[1, 2], [], [3, 4, 5]])
    assert run(ragged[2]).tolist() == [3, 4, 5]
    assert run(ragged[2, 1]) == 4
    assert rows(ragged[:2]) == [[1, 2], []]
    assert rows(ragged[1:]) == [[], [3, 4, 5]]


def test_values():
    value = tf.ragged.constant_value([[1, 2], [3]])
    assert value.to_list() == [[1, 2], [3]] and value.shape == (2, None) and value.ragged_rank == 1
    with pytest.raises(TypeError):
        tf.ragged.RaggedTensorValue([1], [0, 1])


def test_strings():
    words = tf.constant(["G\u00f6", "a"])
    assert rows(tf.strings.unicode_decode(words, "UTF-8")) == [[71, 246], [97]]
    characters, offsets = tf.strings.unicode_split_with_offsets(words, "UTF-8")
    assert rows(characters) == [[b"G", "\u00f6".encode()], [b"a"]] and rows(offsets) == [[0, 1], [0]]
    assert run(tf.strings.unicode_encode(tf.ragged.constant([[71, 246], [97]]), "UTF-8")).tolist() == \
        ["G\u00f6".encode(), b"a"]
    assert rows(tf.strings.bytes_split(["ab", ""])) == [[b"a", b"b"], []]
    data = tf.ragged.constant([["a", "b", "c"], ["d"]])
    assert rows(tf.strings.ngrams(data, 2)) == [[b"a b", b"b c"], []]
    assert rows(tf.strings.ngrams(data, 2, separator="|", pad_values="x")) == \
        [[b"x|a", b"a|b", b"b|c", b"c|x"], [b"x|d", b"d|x"]]


def test_split_strings():
    assert rows(tf.strings.split(["a b", "c"], result_type="RaggedTensor")) == [[b"a", b"b"], [b"c"]]
    assert rows(tf.string_split(["a,b", ""], ",", result_type="RaggedTensor")) == [[b"a", b"b"], []]
    with pytest.raises(ValueError, match="result_type"):
        tf.strings.split(["a"], result_type="list")


def test_errors():
    with pytest.raises(ValueError, match="constructor is private"):
        tf.RaggedTensor([1], [0, 1])
    with pytest.raises(ValueError, match="same nesting depth"):
        tf.ragged.constant([[1], 2])
    with pytest.raises(ValueError, match="lengths or padding"):
        tf.RaggedTensor.from_tensor([[1]], lengths=[1], padding=0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="valid RaggedTensor"):
        rows(tf.RaggedTensor.from_row_splits([1, 2], [0, 1]))
    with pytest.raises(ValueError, match="only supported in eager mode"):
        tf.ragged.constant([[1]]).to_list()


def test_runs_take_several_ragged_dimensions():
    deep = tf.ragged.constant([[[1], []], [[2, 3]]])
    placeholder = tf.ragged.placeholder(tf.int32, 2)
    doubled = placeholder.with_flat_values(placeholder.flat_values * 2)
    with tf.Session() as sess:
        value = sess.run(deep)
        assert value.to_list() == [[[1], []], [[2, 3]]] and value.ragged_rank == 2
        assert sess.run({"x": (doubled, deep)}, {placeholder: value})["x"][0].to_list() == [[[2], []], [[4, 6]]]


class RaggedAssertions(tf.test.TestCase):
    def test_values_are_compared_as_nested_lists(self):
        ragged, rows = tf.ragged.constant([[1], [2, 3]]), [[1], [2, 3]]
        self.assertAllEqual(ragged, rows)
        self.assertAllEqual(rows, ragged)
        self.assertAllEqual(ragged, tf.ragged.constant_value(rows))
        self.assertAllEqual(ragged, [np.array([1]), np.array([2, 3])])
        self.assertAllClose(tf.ragged.constant([[1.], [2., 3.]]), [[1.], [2., 3. + 1e-7]])
        with self.assertRaises(AssertionError):
            self.assertAllEqual(ragged, [[1, 2], [3]])
        with self.assertRaises(AssertionError):
            self.assertAllClose(tf.ragged.constant([[1.], [2., 3.]]), [[1.], [2., 3.1]])


def test_more_than_tensorflow_takes():
    ragged = tf.ragged.constant([[1, 2], [3]])
    mask = tf.ragged.constant([[True, False], [True]])
    assert rows(tf.boolean_mask(ragged, mask)) == [[1], [3]]
    assert rows(tf.boolean_mask(ragged, [True, False])) == [[1, 2]]
    assert rows(tf.strings.to_number(tf.ragged.constant([["1", "2"], ["3.5"]]))) == [[1, 2], [3.5]]


def test_functions_without_a_ragged_form_refuse():
    with pytest.raises(TypeError):
        tf.shape(tf.ragged.constant([[1]]))
    with pytest.raises(TypeError):
        tf.convert_to_tensor(tf.ragged.constant([[1]]))


def test_functions_of_sparse_tensors():
    sparse = tf.SparseTensor([[0, 1]], [-4.], [2, 2])
    for function, expected in ((tf.abs, 4.), (tf.negative, 4.), (tf.square, 16.), (tf.sign, -1.),
                               (tf.tanh, np.tanh(-4.)), (tf.erf, -1.)):
        value = run(function(sparse))
        assert value.indices.tolist() == [[0, 1]] and value.dense_shape.tolist() == [2, 2]
        np.testing.assert_allclose(value.values, [expected], rtol=1e-5)
    assert run(tf.sqrt(tf.SparseTensor([[0, 1]], [4.], [2, 2]))).values.tolist() == [2.]
    with pytest.raises(TypeError):
        tf.exp(sparse)


def test_empty_lists_are_integers_where_integers_are_wanted():
    assert run(tf.eye(2, batch_shape=[])).tolist() == [[1, 0], [0, 1]]


# --- branches and loops --------------------------------------------------------------------------

def test_branches_give_ragged_tensors():
    rows_of, deep, first = tf.ragged.constant([[1, 2], [3]]), tf.ragged.constant([[[1, 2], []], [[3]]]), tf.placeholder(tf.bool)
    chosen = tf.cond(first, lambda: rows_of, lambda: tf.concat([rows_of, rows_of], 1))
    nested = tf.cond(first, lambda: {"a": deep, "b": tf.constant(1)}, lambda: {"a": deep * 2, "b": tf.constant(2)})
    with tf.Session() as session:
        assert session.run(chosen, {first: True}).to_list() == [[1, 2], [3]]
        assert session.run(chosen, {first: False}).to_list() == [[1, 2, 1, 2], [3, 3]]
        assert session.run(nested, {first: False})["a"].to_list() == [[[2, 4], []], [[6]]]
    for other in (deep, tf.constant([1]), tf.cast(rows_of, tf.float32)):
        with pytest.raises((TypeError, ValueError)):
            tf.cond(first, lambda: rows_of, lambda: other)


def test_rows_may_become_longer_in_a_loop_and_more_where_the_shape_says_so():
    start = tf.ragged.constant([[1, 2], [3]])

    def doubled(axis, **options):
        return tf.while_loop(lambda i, _: i < 2, lambda i, a: (i + 1, tf.concat([a, a], axis)), [0, start], **options)[1]

    assert rows(doubled(1)) == [[1, 2] * 4, [3] * 4]
    assert rows(doubled(0, shape_invariants=[[], [None, None]])) == [[1, 2], [3]] * 4
    with pytest.raises(ValueError, match="shape_invariants"):
        doubled(0)


def test_gradients_through_branches_and_loops_over_rows():
    x = tf.constant([1.0, 2.0, 3.0])
    q = tf.RaggedTensor.from_row_splits(x, [0, 1, 3])
    first = tf.placeholder_with_default(True, [])
    chosen = tf.cond(first, lambda: q * 2.0, lambda: q * 3.0)
    last = tf.while_loop(lambda i, _: i < 3, lambda i, a: (i + 1, a * 2.0), [0, q])[1]
    assert run(tf.gradients(tf.reduce_sum(chosen.flat_values), x)[0]).tolist() == [2.0] * 3
    assert run(tf.gradients(tf.reduce_sum(last.flat_values), x)[0]).tolist() == [8.0] * 3


def test_keras_layers_that_look_at_each_value_alone_take_rows():
    layers, words = tf.keras.layers, tf.ragged.constant([[0, 2], [1]])
    table = np.arange(6, dtype=np.float32).reshape(3, 2)
    made = layers.Embedding(3, 2, embeddings_initializer=tf.constant_initializer(table))(words)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(made).to_list() == [[[0, 1], [4, 5]], [[2, 3]]]
    assert rows(layers.Activation("relu")(tf.ragged.constant([[-1.0, 2.0], [3.0]]))) == [[0, 2], [3]]


def test_row_splits_of_segments_by_their_module():
    from tensorflow.python.ops.ragged import segment_id_ops
    assert run(segment_id_ops.segment_ids_to_row_splits([0, 0, 2])).tolist() == [0, 2, 2, 3]
    assert run(tf.ragged.segment_ids_to_row_splits([])).tolist() == [0]
