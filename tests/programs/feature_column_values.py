"""Feature columns in input_layer: what becomes of features of all kinds."""
import os
import tempfile

import numpy as np
import tensorflow as tf

from program import feeds

fc = tf.feature_column


def sparse(rows, dtype=None):
    """Rows of values as a SparseTensor."""
    places = [[i, j] for i, row in enumerate(rows) for j in range(len(row))]
    values = np.array([value for row in rows for value in row], dtype)
    return tf.SparseTensor(places or np.zeros([0, 2], np.int64), values, [len(rows), max(map(len, rows))])


def vocabulary(lines):
    handle, path = tempfile.mkstemp()
    with os.fdopen(handle, "w") as file:
        file.write("\n".join(lines))
    return path


def layer(features, *columns):
    return fc.input_layer(features, list(columns))


def with_tables(**fetches):
    return [{"tables": tf.tables_initializer()}, fetches]


def program_numeric_shapes():
    features = {"scalar": tf.constant([1.0, 2.0]), "matrix": tf.reshape(tf.range(8.0), [2, 2, 2])}
    return {"y": layer(features, fc.numeric_column("scalar"), fc.numeric_column("matrix", shape=[2, 2]))}


def program_numeric_types():
    features = {name: tf.constant([[1], [2]], dtype) for name, dtype in (
        ("d", tf.float64), ("h", tf.float16), ("i", tf.int64), ("u", tf.uint8))}
    return {"y": layer(features, *[fc.numeric_column(name, dtype=features[name].dtype) for name in features])}


def program_numeric_of_lists():
    return {"y": layer({"x": [[1.0], [5.0]], "z": np.array([[2.0], [3.0]])}, fc.numeric_column("x"),
                       fc.numeric_column("z"))}


def program_numeric_normalizer():
    def standard(x):
        return (x - tf.reduce_mean(x)) / tf.math.reduce_std(x)
    return {"y": layer({"x": tf.constant([[1.0], [3.0], [8.0]])}, fc.numeric_column("x", normalizer_fn=standard))}


def program_normalizer_once():
    calls = []

    def count(x):
        calls.append(x)
        return x + 1.0
    x = fc.numeric_column("x", normalizer_fn=count)
    y = layer({"x": tf.constant([[1.0], [2.0]])}, x, fc.bucketized_column(x, [2.5]))
    return {"y": y, "calls": len(calls)}


def program_bucketized():
    features = {"x": tf.constant([[-1.0], [0.0], [4.0], [5.0], [9.0]])}
    return {"y": layer(features, fc.bucketized_column(fc.numeric_column("x"), [0, 5.0]))}


def program_bucketized_integers():
    features = {"year": tf.constant([[1950], [1960], [1999]])}
    years = fc.numeric_column("year", dtype=tf.int32)
    return {"y": layer(features, fc.bucketized_column(years, boundaries=[1960, 1980]))}


def program_bucketized_several():
    features = {"x": tf.constant([[-1.0, 1.0], [10.0, 6.0]])}
    return {"y": layer(features, fc.bucketized_column(fc.numeric_column("x", shape=[2]), (0, 5, 8)))}


def program_identity():
    features = {"i": sparse([[0, 1], [], [2]]), "d": tf.constant([[0, 2], [1, -1], [-1, -1]])}
    columns = [fc.indicator_column(fc.categorical_column_with_identity(key, 3)) for key in features]
    return {"y": layer(features, *columns)}


def program_identity_default():
    features = {"i": tf.constant([[0], [7], [-5], [2]], tf.int32)}
    return {"y": layer(features, fc.indicator_column(fc.categorical_column_with_identity("i", 3, default_value=1)))}


def program_hash_bucket():
    features = {"s": sparse([["omar", "stringer"], [], ["marlo"]], object),
                "d": tf.constant([["a", ""], ["b", "c"], ["", ""]])}
    columns = [fc.indicator_column(fc.categorical_column_with_hash_bucket(key, 5)) for key in features]
    return {"y": layer(features, *columns)}


def program_hash_bucket_integers():
    features = {"i": sparse([[101, 201], [301], []], np.int64), "j": tf.constant([[1], [2], [-1]], tf.int32)}
    columns = [fc.indicator_column(fc.categorical_column_with_hash_bucket(key, 7, dtype=tf.int64)) for key in features]
    return {"y": layer(features, *columns)}


def program_vocabulary_list():
    features = {"s": sparse([["b"], ["a", "x"], []], object)}
    ids = fc.categorical_column_with_vocabulary_list("s", ("a", "b", "c"))
    return with_tables(y=layer(features, fc.indicator_column(ids)))


def program_vocabulary_list_default():
    features = {"s": tf.constant([["b", ""], ["x", "c"]])}
    ids = fc.categorical_column_with_vocabulary_list("s", np.array(["a", "b", "c"]), default_value=0)
    return with_tables(y=layer(features, fc.indicator_column(ids)))


def program_vocabulary_list_oov():
    features = {"s": tf.constant([["b", "omar"], ["x", "c"], ["marlo", "skywalker"]])}
    ids = fc.categorical_column_with_vocabulary_list("s", ["a", "b", "c"], num_oov_buckets=4)
    return with_tables(y=layer(features, fc.indicator_column(ids)), buckets=ids.num_buckets)


def program_vocabulary_list_integers():
    features = {"i": sparse([[11], [100, 30], [-1]], np.int32), "j": tf.constant([[5], [6], [-1]], tf.int64)}
    one = fc.categorical_column_with_vocabulary_list("i", np.array([30, 35, 11, 23], np.int32), dtype=tf.int32)
    other = fc.categorical_column_with_vocabulary_list("j", [6, 5], num_oov_buckets=2)
    return with_tables(y=layer(features, fc.indicator_column(one), fc.indicator_column(other)))


def program_vocabulary_file():
    path = vocabulary(["omar", "stringer", "marlo"])
    features = {"s": sparse([["marlo"], ["skywalker", "omar"]], object)}
    ids = fc.categorical_column_with_vocabulary_file("s", path)
    return with_tables(y=layer(features, fc.indicator_column(ids)), size=ids.vocabulary_size, buckets=ids.num_buckets)


def program_vocabulary_file_smaller():
    path = vocabulary(["omar", "stringer", "marlo"])
    features = {"s": sparse([["marlo"], ["stringer", "omar"]], object)}
    ids = fc.categorical_column_with_vocabulary_file("s", path, vocabulary_size=2, default_value=1)
    return with_tables(y=layer(features, fc.indicator_column(ids)))


def program_vocabulary_file_oov():
    path = vocabulary(["omar", "stringer", "marlo"])
    features = {"s": tf.constant([["marlo", "x"], ["omar", "yz"]])}
    ids = fc.categorical_column_with_vocabulary_file("s", vocabulary_file=path, vocabulary_size=3, num_oov_buckets=5)
    return with_tables(y=layer(features, fc.indicator_column(ids)))


def program_vocabulary_file_integers():
    path = vocabulary(["11", "23", "30"])
    features = {"i": tf.constant([[30, 11], [7, -1]])}
    ids = fc.categorical_column_with_vocabulary_file("i", path, dtype=tf.int64, default_value=2)
    return with_tables(y=layer(features, fc.indicator_column(ids)))


def program_weighted():
    features = {"i": sparse([[0, 1], [2]]), "w": sparse([[0.5, 2.0], [1.5]], np.float32)}
    ids = fc.weighted_categorical_column(fc.categorical_column_with_identity("i", 3), "w")
    return {"y": layer(features, fc.indicator_column(ids)), "name": ids.name}


def program_weighted_dense_integers():
    features = {"i": tf.constant([[0, 1], [2, -1]]), "w": tf.constant([[3, 1], [2, 0]], tf.int64)}
    ids = fc.weighted_categorical_column(fc.categorical_column_with_identity("i", 3), "w", dtype=tf.int64)
    return {"y": layer(features, fc.indicator_column(ids))}


def program_crossed_words():
    features = {"a": sparse([["cA", "cB"], [], ["cC"]], object), "b": tf.constant([["x"], ["y"], ["z"]])}
    crossed = fc.crossed_column(["a", "b"], 10)
    return {"y": layer(features, fc.indicator_column(crossed)), "name": crossed.name}


def program_crossed_columns():
    features = {"x": tf.constant([[-1.0, 10.0], [4.0, 20.0]]), "a": sparse([["cA"], ["cB", "cC"]], object)}
    buckets = fc.bucketized_column(fc.numeric_column("x", shape=(2,)), (0, 12))
    crossed = fc.crossed_column([buckets, "a"], 15)
    return {"y": layer(features, fc.indicator_column(crossed)), "name": crossed.name}


def program_crossed_keys():
    features = {"a": tf.constant([["u"], ["v"]]), "i": tf.constant([[1], [2]])}
    return {f"key{key}": fc.crossed_column(["a", "i"], 1000, hash_key=key)._get_sparse_tensors(
        lazy(features)).id_tensor for key in (None, 5, 0xDECAFCAFFE)}


def lazy(features):
    from tensorflow.python.feature_column import feature_column as private
    return private._LazyBuilder(features)


def program_crossed_nested():
    features = {key: tf.constant([[key + "1"], [key + "2"]]) for key in "abc"}
    inner = fc.crossed_column(["a", "b"], 3)
    crossed = fc.crossed_column([inner, "c"], 9)
    return {"ids": crossed._get_sparse_tensors(lazy(features)).id_tensor, "name": crossed.name}


def program_crossed_vocabulary():
    features = {"s": tf.constant([["a"], ["q"]]), "t": sparse([["k", "l"], ["m"]], object)}
    words = fc.categorical_column_with_vocabulary_list("s", ["a", "b"], num_oov_buckets=1)
    return with_tables(y=layer(features, fc.indicator_column(fc.crossed_column((words, "t"), 12))))


def program_rank_one_sparse():
    x = tf.SparseTensor([[0], [2]], np.array([1, 2], np.int64), [3])
    return {"y": layer({"x": x}, fc.indicator_column(fc.categorical_column_with_identity("x", 3)))}


def program_unknown_sparse():
    x = tf.sparse_placeholder(tf.string, name="x")
    y = layer({"x": x}, fc.indicator_column(fc.categorical_column_with_hash_bucket("x", 4)))
    return feeds({x: tf.SparseTensorValue([[0, 0], [1, 2]], ["a", "b"], [2, 3])}, y=y)


def program_several_sorted():
    features = {"z": tf.constant([[1.0]]), "a": tf.constant([[2.0]]), "m": tf.constant([[3.0]])}
    outputs = {}
    columns = [fc.numeric_column(key) for key in ("z", "a", "m")]
    y = fc.input_layer(features, columns, cols_to_output_tensors=outputs)
    return {"y": y, "parts": [outputs[column] for column in columns]}
