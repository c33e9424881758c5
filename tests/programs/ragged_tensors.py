import numpy as np
import tensorflow as tf
from program import raised
from ragged_functions import deep, failed, numbers, uniform, words


def program_constants():
    constant = tf.ragged.constant
    return {"empty": [constant([]), constant([], ragged_rank=1), constant([[], []]), constant([[], []], ragged_rank=2),
                      constant([[[]]], ragged_rank=1)],
            "uniform": [constant([[[1, 2]], []], ragged_rank=1),
                        constant([[[1, 2], [3, 4]], [[5, 6]]], inner_shape=(2,))],
            "plain": [constant(5), constant([1, 2, 3]), constant([[1, 2], [3, 4]], ragged_rank=0)],
            "types": [constant([[1, 2.5]]), constant([["a", b"b"], []]), constant([[1, 2]], dtype=tf.float64),
                      constant([[True], []])],
            "arrays": [constant(np.array([[1, 2], [3, 4]])), constant([np.array([1, 2]), np.array([3])])],
            "splits": constant([[1, 2], [3]], row_splits_dtype=tf.int32)}


def program_constants_that_are_none():
    constant, value = tf.ragged.constant, tf.ragged.constant_value
    return {"depths": [raised(lambda: constant([[1], 2])), raised(lambda: constant([[1], [[2]]]))],
            "uneven": raised(lambda: constant([[[1, 2], [3]]], ragged_rank=1)),
            "too_deep": raised(lambda: constant([[1], [2]], ragged_rank=3)),
            "a_scalar": raised(lambda: value(12, ragged_rank=1)), "none": raised(lambda: constant([[None]])),
            "a_number_as_text": raised(lambda: constant([[1], [2]], dtype=tf.string)),
            "ragged": raised(lambda: constant(numbers()))}


def program_values():
    value = tf.ragged.constant_value
    return {"floats": value([[1.]]), "integers": value([[1]]), "scalar": value(12), "empty": value([], ragged_rank=1),
            "deep": value([[], []], ragged_rank=2), "typed": value([[1, 2], [3]], dtype=np.float32),
            "inside": tf.RaggedTensor.from_row_splits(value([[1], [2, 3]]), [0, 1, 2])}


def program_factories():
    make = tf.RaggedTensor
    return {"empty": [make.from_row_lengths([], []), make.from_row_splits([], [0]),
                      make.from_value_rowids([], [], nrows=2)],
            "nested": make.from_nested_row_lengths([1, 2, 3], [[2, 0], [1, 2]]),
            "refused": [raised(lambda: make.from_row_splits([1, 2, 3], [0., 3.])),
                        raised(lambda: make.from_row_splits([1, 2, 3], [[0, 3]])),
                        failed(lambda: make.from_row_splits([1, 2, 3], [0, 2, 1, 3])),
                        failed(lambda: make.from_row_lengths([1, 2, 3], [1, 1]))]}


def program_from_tensors():
    make, sparse = tf.RaggedTensor, tf.SparseTensor
    cube = [[[1, 0], [3, 4], [5, 6]], [[7, 0], [0, 0], [11, 12]]]
    square = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
    return {"nested_lengths": make.from_tensor(square, lengths=([1, 2], [1, 2, 0])),
            "padding": make.from_tensor(cube, padding=0, ragged_rank=2),
            "lengths": make.from_tensor(cube, lengths=[1, 2, 0, 1, 2, 2], ragged_rank=2),
            "sparse": make.from_sparse(sparse([[0, 0], [0, 1], [2, 0]], [1, 2, 3], [4, 2])),
            "with_a_gap": failed(lambda: make.from_sparse(sparse([[0, 1], [1, 0]], [1, 2], [2, 2])))}


def program_slices():
    a, d, u = numbers(), deep(), uniform()
    return {"rows": [a[0], a[-1], a[0, 0], a[0][1], a[tf.constant(1)], a[0, tf.constant(1)]],
            "ranges": [a[:1], a[1:], a[::2], a[::-1], a[...]],
            "columns": [a[:, :1], a[:, 1:], a[:, -1:], a[:, :-1], a[:, ::-1], a[:, ::2], a[..., :1], a[:, :5]],
            "new_axes": [a[tf.newaxis], a[:, tf.newaxis], a[:, :, tf.newaxis], a[0, tf.newaxis]],
            "deep": [d[0], d[0, 0], d[0, 0, 1], d[:, :1], d[:, :, :1], d[:, 1:, :1], d[0:2, :, 1:], d[0, :, :1]],
            "uniform": [u[:, :, 0], u[:, :1, 1], u[0, 1], u[..., 1]],
            "refused": [raised(lambda: a[:, 0]), raised(lambda: d[..., 0]), raised(lambda: a["x"]),
                        raised(lambda: a[0, 0, 0])]}


def program_measures():
    a, d, u = numbers(), deep(), uniform()
    return {"row_lengths": [a.row_lengths(), a.row_lengths(axis=0), d.row_lengths(axis=2), u.row_lengths(axis=2),
                            d.row_lengths(axis=-1)],
            "bounding_shape": [a.bounding_shape(), a.bounding_shape(axis=0), a.bounding_shape(axis=[0, 1]),
                               u.bounding_shape(axis=[1, 2]), d.bounding_shape(axis=[1, 2]), u.bounding_shape()],
            "no_axis": raised(lambda: a.row_lengths(axis=3))}


def program_segments_and_ranges():
    splits, ids, rows = tf.ragged.segment_ids_to_row_splits, tf.ragged.row_splits_to_segment_ids, tf.ragged.range
    return {"splits": [splits([0, 4, 1]), splits([]), splits([0, 0, 2], num_segments=5), splits(tf.constant([0, 0, 2]))],
            "ids": [ids([0, 2, 3]), ids(tf.constant([0, 2, 3]))],
            "ranges": [rows(tf.constant([3, 0], tf.int64) + 1), rows([3., 0.], [6., 2.], 2), rows(3, [5, 4]),
                       rows([1, 2], dtype=tf.float32), rows([1, 2], [3, 5], [1, 2], row_splits_dtype=tf.int32)]}


def program_partitions():
    a, stack = numbers(), tf.ragged.stack_dynamic_partitions
    return {"a_vector": stack(["a", "b", "c"], [1, 0, 1], 2), "rows": stack(a, [1, 0], 2),
            "ragged": stack(a, tf.ragged.constant([[0, 1], [0]]), 2),
            "a_matrix": stack([[1, 2], [3, 4]], [[0, 1], [1, 0]], 2).to_tensor(), "deep": stack(deep(), [0, 1, 0], 3)}


def program_texts_of_any_rank():
    s, matrix, strings = words(), [["aG", "b"], ["c", ""]], tf.strings
    return {"decode": [strings.unicode_decode(x, "UTF-8") for x in ("aG", ["aG", "b"], matrix, s)],
            "split": [strings.unicode_split(x, "UTF-8") for x in ("aG", matrix, s)],
            "with_offsets": [strings.unicode_decode_with_offsets(x, "UTF-8") for x in ("aG", matrix)],
            "split_with_offsets": strings.unicode_split_with_offsets("aG", "UTF-8"),
            "bytes": [strings.bytes_split(x) for x in ("ab", matrix, s)],
            "words": [strings.split([["a b", "c"], ["d", "e f"]], result_type="RaggedTensor"),
                      strings.split("a b", result_type="RaggedTensor"),
                      strings.split(tf.ragged.constant([["a b"], ["c d e", ""]]), result_type="RaggedTensor")],
            "encode": [strings.unicode_encode(x, "UTF-8") for x in (
                [72, 101], [[72, 101], [73, 74]], [[[72, 101], [73, 74]]], tf.ragged.constant([[72], [73, 74]]),
                tf.ragged.constant([[[72], [73, 74]], []]))],
            "a_scalar": raised(lambda: strings.unicode_encode(5, "UTF-8")),
            "ngrams": [strings.ngrams(["a", "b", "c"], 2), strings.ngrams([["a", "b", "c"], ["d", "e", "f"]], 2),
                       strings.ngrams(s, 2), strings.ngrams(s, [1, 2], pad_values=("<", ">"))]}
