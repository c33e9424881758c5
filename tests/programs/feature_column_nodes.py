"""Feature columns: every node that they make."""
import tensorflow as tf

from program import feeds

fc = tf.feature_column


def program_numeric():
    x = tf.placeholder(tf.float32, [None], name="x")
    y = fc.input_layer({"x": x}, [fc.numeric_column("x")])
    return feeds({x: [1.0, 2.0]}, y=y)


def program_numeric_normalized_integers():
    features = {"a": tf.constant([[1, 2], [3, 4]]), "b": tf.constant([[1.0], [2.0]])}
    columns = [fc.numeric_column("b", normalizer_fn=lambda x: x * 2.0 + 1.0),
               fc.numeric_column("a", shape=2, dtype=tf.int32)]
    return {"y": fc.input_layer(features, columns)}


def program_unknown_rank():
    x = tf.placeholder(tf.float32, name="x")
    return feeds({x: [1.0, 2.0]}, y=fc.input_layer({"x": x}, [fc.numeric_column("x")]))


def program_bucketized_dense():
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    column = fc.bucketized_column(fc.numeric_column("x", shape=(2,)), [0, 10, 100])
    return feeds({x: [[-1.0, 1.0], [10.0, 1000.0]]}, y=fc.input_layer({"x": x}, [column]))


def program_indicator_of_words():
    words = tf.placeholder(tf.string, [None], name="words")
    column = fc.indicator_column(fc.categorical_column_with_hash_bucket("words", 4))
    return feeds({words: ["a", "", "c"]}, y=fc.input_layer({"words": words}, column))


def program_indicator_of_crossed():
    features = {"a": tf.placeholder(tf.string, [None, 1], name="a"), "b": tf.constant([[1], [2]])}
    column = fc.indicator_column(fc.crossed_column(["a", "b"], 6))
    return feeds({features["a"]: [["x"], ["y"]]}, y=fc.input_layer(features, [column]))


def program_indicator_weighted():
    features = {"ids": tf.sparse_placeholder(tf.int64, [2, 2], name="ids"),
                "weights": tf.sparse_placeholder(tf.float32, [2, 2], name="weights")}
    column = fc.indicator_column(fc.weighted_categorical_column(
        fc.categorical_column_with_identity("ids", 3), "weights"))
    places = [[0, 0], [0, 1], [1, 0]]
    return feeds({features["ids"]: tf.SparseTensorValue(places, [0, 0, 2], [2, 2]),
                  features["weights"]: tf.SparseTensorValue(places, [0.5, 1.0, 2.0], [2, 2])},
                 y=fc.input_layer(features, [column]))


def program_embedding():
    ids = tf.placeholder(tf.int64, [2, 2], name="ids")
    column = fc.embedding_column(fc.categorical_column_with_identity("ids", 3), 2,
                                 initializer=tf.constant_initializer([[1.0, 2.0], [3.0, 5.0], [7.0, 11.0]]))
    return feeds({ids: [[0, 1], [2, -1]]}, y=fc.input_layer({"ids": ids}, [column]))


def program_embedding_of_lookup():
    words = tf.placeholder(tf.string, [None, 2], name="words")
    column = fc.embedding_column(fc.categorical_column_with_vocabulary_list("words", ["a", "b"], num_oov_buckets=1), 1,
                                 combiner="sqrtn", initializer=tf.ones_initializer())
    y = fc.input_layer({"words": words}, [column])
    return [{"tables": tf.tables_initializer()}, feeds({words: [["a", "b"], ["c", ""]]}, y=y)]


def program_linear_of_numbers():
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = fc.linear_model({"x": x}, [fc.numeric_column("x", shape=2)], units=3)
    return feeds({x: [[1.0, 2.0]]}, y=y)


def program_linear_of_ids():
    ids = tf.sparse_placeholder(tf.int64, [2, 2], name="ids")
    y = fc.linear_model({"ids": ids}, [fc.categorical_column_with_identity("ids", 5, default_value=4)])
    return feeds({ids: tf.SparseTensorValue([[0, 0], [1, 1]], [1, 9], [2, 2])}, y=y)


def program_linear_of_bucketized():
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    column = fc.bucketized_column(fc.numeric_column("x", shape=2), [0.5, 5])
    return feeds({x: [[1.0, 7.0], [3.0, -1.0]]}, y=fc.linear_model({"x": x}, column, sparse_combiner="mean"))


def program_linear_twice():
    features = {"x": tf.constant([[1.0], [3.0]])}
    columns = [fc.numeric_column("x")]
    with tf.variable_scope("model"):
        first, second = fc.linear_model(features, columns), fc.linear_model(features, columns)
    return {"first": first, "second": second}


def program_parts_of_variables():
    features = {"ids": tf.placeholder(tf.int32, [None, 1], name="ids")}
    column = fc.categorical_column_with_identity("ids", 4)
    with tf.variable_scope("m", partitioner=tf.fixed_size_partitioner(2)):
        y = fc.linear_model(features, [column])
        z = fc.input_layer(features, [fc.embedding_column(column, 2, initializer=tf.ones_initializer())])
    return feeds({features["ids"]: [[0], [3]]}, y=y, z=z)
