import numpy as np
import tensorflow as tf
from program import raised


def failed(make):
    """The class of what making or running raises."""
    def run():
        with tf.Session() as session:
            session.run(make())
    return raised(run)


def numbers():
    return tf.ragged.constant([[1, 2], [3]])


def deep():
    return tf.ragged.constant([[[1, 2], []], [[3]], []])


def uniform():
    return tf.ragged.constant([[[1, 2], [3, 4]], [[5, 6]]], ragged_rank=1)


def words():
    return tf.ragged.constant([["a", "bb"], ["c"]])


def program_concat():
    a, d = numbers(), deep()
    return {"rows": tf.concat([a, a], axis=0), "columns": tf.concat([a, a], axis=1),
            "with_a_tensor": tf.concat([a, [[7], [8]]], axis=1), "one": tf.concat([a], axis=0),
            "inner": tf.concat([d, d], axis=2), "negative": tf.concat([d, d], axis=-2),
            "a_value": tf.concat([tf.ragged.constant_value([[1]], dtype=np.int32), a], axis=0)}


def program_stack():
    a = numbers()
    return {"first": tf.stack([a, a]), "second": tf.stack([a, a], axis=1), "last": tf.stack([a, a], axis=2),
            "uneven": tf.ragged.stack([a, [[1], [2]]], axis=1), "vectors": tf.ragged.stack([[1, 2], [3]]).to_tensor(),
            "scalars": tf.ragged.stack([1, 2])}


def program_dimensions():
    a, d, u = numbers(), deep(), uniform()
    ones = tf.ragged.constant([[[1], [2]]])
    return {"expanded": [tf.expand_dims(a, axis) for axis in (0, 1, 2, -1, -2)],
            "expanded_inside": tf.expand_dims(u, 3), "squeezed": tf.squeeze(tf.ragged.constant([[1], [2]]), 1),
            "squeezed_twice": tf.squeeze(ones, [0, 2]), "rank": [tf.rank(a), tf.rank(u)],
            "size": [tf.size(a), tf.size(d)], "tiled": [tf.tile(a, [2, 3]), tf.tile(d, [1, 2, 2])],
            "tiled_inside": tf.tile(u, [2, 1, 2]), "reversed": [tf.reverse(a, [0]), tf.reverse(a, [1])],
            "not_one": failed(lambda: tf.squeeze(a, 1)), "no_axis": failed(lambda: tf.squeeze(a)),
            "too_many": raised(lambda: tf.tile(a, [1, 2, 3]))}


def program_picking():
    a, d, u = numbers(), deep(), uniform()
    some = tf.ragged.constant([[0], [1, 0]])
    return {"gather": [tf.gather(a, [1, 0, 1]), tf.gather(a, 1), tf.gather(a, [[1], [0]]), tf.gather(a, some)],
            "of_a_tensor": tf.gather(tf.constant([10, 20, 30]), some),
            "gather_nd": [tf.gather_nd(a, [[0, 1], [1, 0]]), tf.gather_nd(a, [[1], [0]]),
                          tf.gather_nd(d, [[0, 0], [1, 0]]), tf.gather_nd(d, [[0, 0, 1]]),
                          tf.gather_nd(u, [[0, 1, 0]])],
            "batch_gather": [tf.batch_gather(a, tf.ragged.constant([[1, 0], [0]])), tf.batch_gather(a, [[1], [0]]),
                             tf.batch_gather(tf.constant([[1, 2], [3, 4]]), tf.ragged.constant([[1, 0, 1], [0]]))],
            "mask": tf.ragged.boolean_mask(a, tf.ragged.constant([[True, False], [True]]))}


def program_where():
    a, b = numbers(), tf.ragged.constant([[True, False], [True]])
    return {"places": [tf.where(b), tf.where(tf.ragged.constant([[[True], [False, True]]]))],
            "elements": tf.where(b, a, a * 10), "rows": tf.where([True, False], a, a * 10),
            "broadcast": [tf.where_v2(b, a, 0), tf.where_v2(b, a, [[5], [6]])]}


def program_elements():
    a, f, b = numbers(), tf.ragged.constant([[1., -4.], [], [9.]]), tf.ragged.constant([[True, False], [True]])
    return {"like": [tf.zeros_like(a), tf.ones_like(f), tf.zeros_like(a, dtype=tf.float32)],
            "casts": [tf.cast(a, tf.float32), tf.to_float(a), tf.saturate_cast(f, tf.int32)],
            "unary": [tf.abs(f), abs(f), -f, ~b, tf.sign(f), tf.exp(f), tf.floor(f), tf.round(f), tf.is_nan(f),
                      tf.logical_not(b), tf.identity(a), tf.square(a), tf.bitwise.invert(a), tf.sigmoid(f)],
            "sums": [tf.add_n([a, a, a]), tf.clip_by_value(f, 0., 2.)]}


def program_operators():
    a, f, d, u = numbers(), tf.ragged.constant([[1., -4.], [9.]]), deep(), uniform()
    b = tf.ragged.constant([[True, False], [True]])
    return {"arithmetic": [a + a, a + 1, 1 + a, a - 1, 5 - a, a * 2, a / 2, a // 2, a % 2, a ** 2, 2 ** a, f / 2],
            "a_value": a + tf.ragged.constant_value([[1, 1], [1]], dtype=np.int32),
            "comparisons": [a > 1, a >= [[2], [3]], a < 2, a <= 2, tf.equal(a, 2), tf.not_equal(a, a)],
            "logical": [b & b, b | True, True ^ b, tf.logical_and(b, b)],
            "functions": [tf.maximum(a, 2), tf.minimum(2, a), tf.add(a, a), tf.pow(a, 2), tf.div(a, 2),
                          tf.squared_difference(f, 1.)],
            "columns": [a + [[10], [20]], [[1], [2]] - a, tf.constant([[1], [2]]) + a],
            "broadcast": [a + [10], a + [[10]], d + 1, d + [[[10]], [[20]], [[30]]], d * [[[10]]], u + [1, 2]]}


def program_rows_that_differ():
    a, d = numbers(), deep()
    x, y = tf.ragged.constant([[3], [1, 2]]), tf.ragged.constant([[3, 1], [2]])
    return {"operator": failed(lambda: x + y), "mapped": failed(lambda: tf.ragged.map_flat_values(tf.add, x, y)),
            "ranks": raised(lambda: tf.ragged.map_flat_values(tf.add, d, a)), "deeper": failed(lambda: a + d),
            "a_matrix": failed(lambda: a * [[1, 2], [3, 4]]), "truth": raised(lambda: bool(a))}


def program_reductions():
    a, f, d, u = numbers(), tf.ragged.constant([[1., -4.], [2.], [9.]]), deep(), uniform()
    b = tf.ragged.constant([[True, False], [True]])
    return {"sums": [tf.reduce_sum(a), tf.reduce_sum(a, axis=0), tf.reduce_sum(a, axis=1),
                     tf.reduce_sum(a, axis=[0, 1]), tf.reduce_sum(a, axis=1, keepdims=True)],
            "deep": [tf.reduce_sum(d, axis=axis) for axis in (0, 1, 2, -1, [1, 2])],
            "uniform": [tf.reduce_sum(u, axis=1), tf.reduce_sum(u, axis=2)],
            "means": [tf.reduce_mean(f), tf.reduce_mean(f, axis=0), tf.reduce_mean(f, axis=1),
                      tf.reduce_mean(a, axis=1)],
            "others": [tf.reduce_max(f, axis=1), tf.reduce_min(f, axis=0), tf.reduce_prod(a, axis=1),
                       tf.reduce_any(b, axis=1), tf.reduce_all(b, axis=1)],
            "a_value": tf.reduce_sum(tf.ragged.constant_value([[1, 2], [3]]), axis=1),
            "axis_of_a_tensor": tf.reduce_sum(a, tf.constant(1)), "no_axis": raised(lambda: tf.reduce_sum(a, axis=5))}


def program_segments():
    a, f, d = numbers(), tf.ragged.constant([[1., -4.], [], [9.]]), deep()
    return {"sum": tf.math.unsorted_segment_sum(a, [0, 0], 2), "max": tf.unsorted_segment_max(d, [1, 0, 1], 2),
            "mean": tf.math.unsorted_segment_mean(f, [0, 1, 0], 2),
            "ragged_ids": tf.math.unsorted_segment_sum(a, tf.ragged.constant([[0, 1], [0]]), 2)}


def program_texts():
    s = words()
    return {"join": [tf.strings.join([s, s], separator="-"), tf.strings.join(["x", s])],
            "reduce_join": [tf.strings.reduce_join(s, axis=1), tf.strings.reduce_join(s, axis=-1, separator=","),
                            tf.strings.reduce_join(s, axis=0), tf.strings.reduce_join(s)],
            "unary": [tf.strings.length(s), tf.strings.upper(s), tf.strings.strip(s), tf.strings.substr(s, 0, 1),
                      tf.strings.regex_replace(s, "a", "zz"), tf.as_string(numbers()),
                      tf.strings.to_hash_bucket_fast(s, 10)]}


def program_bigrams_of_queries():
    queries = tf.ragged.constant([["Who", "is", "Dan", "Smith"], ["Pause"], ["Will", "it", "rain", "later", "today"]])
    table = tf.reshape(tf.range(200.), [50, 4]) / 100.
    buckets = tf.strings.to_hash_bucket_fast(queries, 50)
    of_words = tf.ragged.map_flat_values(tf.nn.embedding_lookup, table, buckets)
    marker = tf.fill([queries.nrows(), 1], "#")
    padded = tf.concat([marker, queries, marker], axis=1)
    bigrams = tf.strings.join([padded[:, :-1], padded[:, 1:]], separator="+")
    of_bigrams = tf.ragged.map_flat_values(tf.nn.embedding_lookup, table, tf.strings.to_hash_bucket_fast(bigrams, 50))
    together = tf.concat([of_words, of_bigrams], axis=1)
    return {"bigrams": bigrams, "mean": tf.reduce_mean(together, axis=1), "lengths": together.row_lengths()}


def program_map_fn():
    a, d = numbers(), deep()
    row = tf.RaggedTensorSpec(shape=[None], dtype=tf.int32, ragged_rank=0)
    return {"to_numbers": tf.map_fn(tf.reduce_sum, a, dtype=tf.int32),
            "to_rows": tf.map_fn(lambda x: x * 2, a, dtype=row),
            "of_a_tensor": tf.map_fn(tf.range, tf.constant([3, 0, 2]), dtype=row),
            "deep": tf.map_fn(lambda x: tf.cast(x.row_lengths(), tf.int32), d, dtype=row)}


def dense(gradient):
    return tf.convert_to_tensor(gradient[0])


def program_gradients():
    v = tf.constant([1., 2., 3.])
    x = tf.RaggedTensor.from_row_splits(v, [0, 2, 3])
    scaled = x * [[2.], [3.]]
    return {"padded": dense(tf.gradients(tf.reduce_sum(x.to_tensor() ** 2), v)),
            "mean": dense(tf.gradients(tf.reduce_sum(tf.reduce_mean(x, axis=1)), v)),
            "longest": dense(tf.gradients(tf.reduce_max(tf.concat([x, x], axis=1), axis=1), v)),
            "slice": dense(tf.gradients(x[:, :1].flat_values, v)),
            "broadcast": dense(tf.gradients(scaled.flat_values, v)),
            "gathered": dense(tf.gradients(tf.gather(x, [1, 1, 0]).flat_values, v))}
