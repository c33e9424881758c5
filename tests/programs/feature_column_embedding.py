"""Embedding columns: their tables, scopes and collections."""
import os
import tempfile

import numpy as np
import tensorflow as tf

from program import feeds

fc = tf.feature_column
TABLE = [[1.0, 2.0], [3.0, 5.0], [7.0, 11.0]]


def ids():
    return {"ids": tf.SparseTensor([[0, 0], [0, 1], [2, 0]], tf.constant([2, 0, 1], tf.int64), [4, 2])}


def column(key="ids", **options):
    options.setdefault("initializer", tf.constant_initializer(TABLE))
    return fc.embedding_column(fc.categorical_column_with_identity(key, 3), 2, **options)


def names(collection):
    return [variable.name for variable in tf.get_collection(collection)]


def program_combiners():
    results = {}
    for combiner in ("mean", "sum", "sqrtn"):
        with tf.variable_scope(combiner):
            results[combiner] = fc.input_layer(ids(), [column(combiner=combiner)])
    return results


def program_collections():
    y = fc.input_layer(ids(), [column()], weight_collections=["mine"])
    return {"y": y, "trainable": names("trainable_variables"), "all": names("variables"),
            "model": names("model_variables"), "mine": names("mine")}


def program_not_trainable():
    y = fc.input_layer(ids(), [column(trainable=False)])
    with tf.variable_scope("other"):
        z = fc.input_layer(ids(), [column()], trainable=False)
    return {"y": y, "z": z, "trainable": names("trainable_variables"), "all": names("variables")}


def program_max_norm():
    return {"y": fc.input_layer(ids(), [column(max_norm=2.0)])}


def program_default_initializer():
    y = fc.input_layer(ids(), [fc.embedding_column(fc.categorical_column_with_identity("ids", 3), 4)])
    return {"shape": tf.shape(y), "names": names("variables")}


def program_cols_to_vars():
    found, one = {}, column()
    number = fc.numeric_column("x")
    y = fc.input_layer({**ids(), "x": tf.ones([4, 1])}, [one, number], cols_to_vars=found)
    return {"y": y, "table": [v.name for v in found[one]], "none": len(found[number]), "count": len(found)}


def program_weighted():
    features = {**ids(), "w": tf.SparseTensor([[0, 0], [0, 1], [2, 0]], [2.0, 0.5, 3.0], [4, 2])}
    weighted = fc.weighted_categorical_column(fc.categorical_column_with_identity("ids", 3), "w")
    results = {}
    for combiner in ("mean", "sum", "sqrtn"):
        with tf.variable_scope(combiner):
            results[combiner] = fc.input_layer(features, [fc.embedding_column(
                weighted, 2, combiner=combiner, initializer=tf.constant_initializer(TABLE))])
    return results


def program_three_dimensions():
    features = {"ids": tf.SparseTensor([[0, 0, 0], [0, 1, 1], [1, 1, 0]], tf.constant([2, 0, 1], tf.int64), [2, 2, 2])}
    builder = lazy(features)
    return {"y": column()._get_dense_tensor(builder)}


def lazy(features):
    from tensorflow.python.feature_column import feature_column as private
    return private._LazyBuilder(features)


def program_scopes():
    results = {}
    with tf.variable_scope("outer"):
        results["y"] = fc.input_layer(ids(), [column()])
        results["z"] = fc.input_layer(ids(), [column()])
    with tf.variable_scope("shared", reuse=tf.AUTO_REUSE):
        results["a"] = fc.input_layer(ids(), [column()])
    results["names"] = names("variables")
    return results


def program_template():
    def network(features):
        return fc.input_layer(features, [column()])
    shared = tf.make_template("net", network)
    return {"y": shared(ids()), "z": shared(ids()), "names": names("variables")}


def program_layer_object():
    from tensorflow.python.feature_column.feature_column import InputLayer
    layer = InputLayer([column()], name="mine")
    y, z = layer(ids()), layer(ids())
    return {"y": y, "z": z, "names": names("variables"), "weights": [v.name for v in layer.weights]}


def program_resources():
    with tf.variable_scope("r", use_resource=True):
        y = fc.input_layer(ids(), [column()])
    return {"y": y}


def program_partitioned():
    with tf.variable_scope("p", partitioner=tf.fixed_size_partitioner(3)):
        y = fc.input_layer(ids(), [fc.embedding_column(fc.categorical_column_with_identity("ids", 3), 2,
                                                       initializer=tf.ones_initializer())])
    return {"y": y, "names": names("variables")}


def program_shared():
    features = {"a": tf.constant([[0, 1]]), "b": tf.constant([[2, -1]])}
    columns = fc.shared_embedding_columns([fc.categorical_column_with_identity(key, 3) for key in ("b", "a")], 2,
                                          initializer=tf.constant_initializer(TABLE))
    y = fc.input_layer(features, columns)
    return {"y": y, "names": names("variables"), "held": names("a_b_shared_embedding"),
            "columns": [c.name for c in columns], "scope": columns[0].shared_embedding_collection_name}


def program_shared_twice():
    features = {"a": tf.constant([[0, 1]]), "b": tf.constant([[2, -1]])}
    columns = fc.shared_embedding_columns([fc.categorical_column_with_identity(key, 3) for key in "ab"], 2,
                                          initializer=tf.constant_initializer(TABLE), combiner="sum",
                                          shared_embedding_collection_name="table")
    y, z = fc.input_layer(features, columns), fc.input_layer(features, columns[:1])
    return {"y": y, "z": z, "names": names("variables")}


def program_shared_weighted():
    features = {"a": tf.constant([[0, 1]]), "b": tf.constant([[2, -1]]), "w": tf.constant([[0.5, 2.0]])}
    a, b = [fc.categorical_column_with_identity(key, 3) for key in "ab"]
    columns = fc.shared_embedding_columns([fc.weighted_categorical_column(a, "w"), b], 2,
                                          initializer=tf.constant_initializer(TABLE))
    return {"y": fc.input_layer(features, columns), "names": names("variables")}


def program_from_checkpoint():
    path = os.path.join(tempfile.mkdtemp(), "model")
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("table", initializer=tf.constant(TABLE))
        session.run(tf.global_variables_initializer())
        saved = tf.train.Saver().save(session, path)
    y = fc.input_layer(ids(), [column(initializer=tf.zeros_initializer(), ckpt_to_load_from=saved,
                                      tensor_name_in_ckpt="table")])
    return {"y": y}


def program_shared_from_checkpoint():
    path = os.path.join(tempfile.mkdtemp(), "model")
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("scope/table", initializer=tf.constant(TABLE))
        session.run(tf.global_variables_initializer())
        saved = tf.train.Saver().save(session, path)
    columns = fc.shared_embedding_columns([fc.categorical_column_with_identity("ids", 3)], 2,
                                          ckpt_to_load_from=saved, tensor_name_in_ckpt="scope/table")
    return {"y": fc.input_layer(ids(), columns)}


def program_same_ids_once():
    words = tf.constant([["a"], ["b"]])
    first, second = [fc.categorical_column_with_hash_bucket("s", 5) for _ in range(2)]
    y = fc.input_layer({"s": words}, [fc.embedding_column(first, 2, initializer=tf.ones_initializer()),
                                      fc.indicator_column(second)])
    hashes = [node for node in tf.get_default_graph().get_operations() if "HashBucket" in node.type]
    return {"y": y, "hashes": len(hashes)}


def program_gradient_is_sparse():
    y = fc.input_layer(ids(), [column()])
    table = tf.trainable_variables()[0]
    gradient = tf.gradients(tf.reduce_sum(y), table)[0]
    return {"dense": tf.convert_to_tensor(gradient)}


def program_training():
    y = fc.input_layer(ids(), [column()])
    loss = tf.reduce_sum(tf.square(y - 1.0))
    train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
    table = tf.trainable_variables()[0]
    return [{"loss": loss}, {"train": train}, {"train": train}, {"loss": loss, "table": table}]


def program_dense_ids_unknown():
    x = tf.placeholder(tf.int64, [None, None], name="x")
    y = fc.input_layer({"ids": x}, [column()])
    return feeds({x: np.array([[0, 1, 2], [1, -1, -1]])}, y=y)
