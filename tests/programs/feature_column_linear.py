"""Linear models of feature columns."""
import numpy as np
import tensorflow as tf

fc = tf.feature_column


def names(collection="variables"):
    return [variable.name for variable in tf.get_collection(collection)]


def words(*rows):
    places = [[i, j] for i, row in enumerate(rows) for j in range(len(row))]
    return tf.SparseTensor(places, tf.constant([word for row in rows for word in row]),
                           [len(rows), max(map(len, rows))])


def filled(variable, value):
    return variable.assign(value)


def program_numbers():
    y = fc.linear_model({"price": tf.constant([[1.0], [5.0]])}, [fc.numeric_column("price")])
    weights, bias = tf.global_variables()
    return [{"y": y}, {"w": filled(weights, [[10.0]]), "b": filled(bias, [5.0])}, {"y": y, "names": names()}]


def program_numbers_of_a_shape():
    y = fc.linear_model({"x": tf.constant([[1.0, 2.0], [5.0, 6.0]])}, fc.numeric_column("x", shape=2), units=3)
    weights, bias = tf.global_variables()
    return [{"w": filled(weights, [[1.0, 2.0, 3.0], [10.0, 100.0, 1000.0]]), "b": filled(bias, [7.0, 8.0, 9.0])},
            {"y": y}]


def program_ids():
    y = fc.linear_model({"wire": words(["omar"], ["omar", "stringer"], ["marlo"])},
                        [fc.categorical_column_with_hash_bucket("wire", 4)])
    weights, bias = tf.global_variables()
    return [{"w": filled(weights, [[1.0], [10.0], [100.0], [1000.0]]), "b": filled(bias, [5.0])}, {"y": y}]


def program_ids_of_several_units():
    y = fc.linear_model({"wire": words(["omar"], ["omar", "stringer"], ["marlo"])},
                        [fc.categorical_column_with_hash_bucket("wire", 4)], units=2, sparse_combiner="sqrtn")
    weights = tf.global_variables()[0]
    return [{"w": filled(weights, np.arange(8.0).reshape([4, 2]).astype(np.float32))}, {"y": y}]


def program_dense_and_sparse():
    features = {"wire": words(["omar"], ["marlo"]), "price": tf.constant([[1.0], [5.0]])}
    y = fc.linear_model(features, [fc.numeric_column("price"), fc.categorical_column_with_hash_bucket("wire", 4)])
    price, wire, bias = tf.global_variables()
    return [{"p": filled(price, [[10.0]]), "w": filled(wire, [[1.0], [2.0], [3.0], [4.0]]), "b": filled(bias, [7.0])},
            {"y": y, "names": names()}]


def program_weighted():
    features = {"i": tf.constant([[0, 1], [2, -1]]), "w": tf.constant([[0.5, 2.0], [3.0, 0.0]])}
    column = fc.weighted_categorical_column(fc.categorical_column_with_identity("i", 3), "w")
    y = fc.linear_model(features, [column], sparse_combiner="mean")
    weights = tf.global_variables()[0]
    return [{"w": filled(weights, [[1.0], [10.0], [100.0]])}, {"y": y, "names": names()}]


def program_crossed():
    features = {"x": tf.constant([[-1.0, 10.0], [4.0, 20.0]]), "wire": words(["omar"], ["omar", "stringer"])}
    bucketized = fc.bucketized_column(fc.numeric_column("x", shape=(2,)), (0, 12))
    y = fc.linear_model(features, [fc.crossed_column([bucketized, "wire"], 5), bucketized])
    crossed, buckets, bias = tf.global_variables()
    return [{"c": filled(crossed, [[1.0], [2.0], [3.0], [4.0], [5.0]]), "b": filled(buckets, np.arange(
        6.0, dtype=np.float32).reshape([6, 1]))}, {"y": y, "names": names()}]


def program_embedding():
    column = fc.embedding_column(fc.categorical_column_with_identity("i", 3), 2,
                                 initializer=tf.constant_initializer([[1.0, 2.0], [3.0, 5.0], [7.0, 11.0]]))
    y = fc.linear_model({"i": tf.constant([[0, 1], [2, -1]])}, [column])
    weights = [v for v in tf.global_variables() if v.name.endswith("/weights:0")][0]
    return [{"w": filled(weights, [[1.0], [10.0]])}, {"y": y, "names": names()}]


def program_indicator():
    column = fc.indicator_column(fc.categorical_column_with_identity("i", 3))
    y = fc.linear_model({"i": tf.constant([[0, 1], [2, -1]])}, [column])
    return [{"w": filled(tf.global_variables()[0], [[1.0], [10.0], [100.0]])}, {"y": y, "names": names()}]


def program_shared_embedding():
    columns = fc.shared_embedding_columns([fc.categorical_column_with_identity(key, 3) for key in "ab"], 2,
                                          initializer=tf.ones_initializer())
    y = fc.linear_model({"a": tf.constant([[0, 1]]), "b": tf.constant([[2, -1]])}, columns)
    return {"y": y, "names": names()}


def program_vocabulary():
    column = fc.categorical_column_with_vocabulary_list("wire", ["omar", "marlo"], num_oov_buckets=1)
    y = fc.linear_model({"wire": words(["omar"], ["nobody", "marlo"])}, [column])
    return [{"tables": tf.tables_initializer(), "w": filled(tf.global_variables()[0], [[1.0], [10.0], [100.0]])},
            {"y": y}]


def program_cols_to_vars():
    found = {}
    price, wire = fc.numeric_column("price"), fc.categorical_column_with_hash_bucket("wire", 4)
    fc.linear_model({"wire": words(["omar"], ["marlo"]), "price": tf.constant([[1.0], [5.0]])}, [price, wire],
                    cols_to_vars=found)
    return {"price": [v.name for v in found[price]], "wire": [v.name for v in found[wire]],
            "bias": [v.name for v in found["bias"]], "count": len(found)}


def program_cols_to_vars_of_parts():
    found, wire = {}, fc.categorical_column_with_hash_bucket("wire", 4)
    with tf.variable_scope("l", partitioner=tf.fixed_size_partitioner(2)):
        fc.linear_model({"wire": words(["omar"], ["marlo"])}, [wire], units=2, cols_to_vars=found)
    return {"wire": [v.name for v in found[wire]], "bias": [v.name for v in found["bias"]]}


def program_collections():
    fc.linear_model({"x": tf.constant([[1.0]])}, [fc.numeric_column("x")], weight_collections=["mine"])
    return {"mine": names("mine"), "model": names("model_variables"), "trainable": names("trainable_variables"),
            "all": names()}


def program_not_trainable():
    y = fc.linear_model({"x": tf.constant([[1.0]])}, [fc.numeric_column("x")], trainable=False)
    return {"y": y, "trainable": names("trainable_variables"), "all": names()}


def program_scopes():
    features, columns = {"x": tf.constant([[1.0]])}, [fc.numeric_column("x")]
    with tf.variable_scope("a"):
        fc.linear_model(features, columns)
    with tf.variable_scope("b", reuse=tf.AUTO_REUSE):
        fc.linear_model(features, columns)
    fc.linear_model(features, columns)
    return {"names": names()}


def program_training():
    features = {"x": tf.constant([[1.0], [2.0], [3.0]]), "wire": words(["a"], ["b", "c"], [])}
    columns = [fc.numeric_column("x"), fc.categorical_column_with_hash_bucket("wire", 5)]
    y = fc.linear_model(features, columns)
    loss = tf.losses.mean_squared_error(tf.constant([[2.0], [4.0], [7.0]]), y)
    train = tf.train.FtrlOptimizer(0.5).minimize(loss)
    return [{"loss": loss}, {"t": train}, {"t": train}, {"t": train}, {"loss": loss, "y": y}]


def program_wide_and_deep():
    features = {"x": tf.constant([[1.0], [2.0], [3.0]]), "wire": words(["a"], ["b", "c"], ["a", "a"])}
    wire = fc.categorical_column_with_hash_bucket("wire", 5)
    deep = fc.input_layer(features, [fc.numeric_column("x"), fc.embedding_column(
        wire, 3, initializer=tf.constant_initializer(0.1))])
    logits = tf.layers.dense(deep, 1, kernel_initializer=tf.ones_initializer()) + fc.linear_model(features, [wire])
    loss = tf.losses.sigmoid_cross_entropy(tf.constant([[1.0], [0.0], [1.0]]), logits)
    train = tf.train.AdagradOptimizer(0.1).minimize(loss)
    return [{"loss": loss, "names": names()}, {"t": train}, {"t": train}, {"loss": loss, "logits": logits}]


def program_lists():
    y = fc.linear_model({"x": [[1.0], [2.0]]}, [fc.numeric_column("x")])
    return [{"w": filled(tf.global_variables()[0], [[3.0]])}, {"y": y}]
