"""Layers of tf.keras that take feature columns."""
import numpy as np
import tensorflow as tf

fc = tf.feature_column
TABLE = [[1.0, 2.0], [3.0, 5.0], [7.0, 11.0]]


def names(variables):
    return [variable.name for variable in variables]


def steps(rows, dtype=None):
    places = [[i, j] for i, row in enumerate(rows) for j in range(len(row))]
    return tf.SparseTensor(places, np.array([value for row in rows for value in row], dtype),
                           [len(rows), max(map(len, rows))])


def embedding(ids, **options):
    return fc.embedding_column(ids, 2, initializer=tf.constant_initializer(TABLE), **options)


def program_dense_features():
    layer = tf.keras.layers.DenseFeatures([fc.numeric_column("x", shape=2), embedding(
        fc.categorical_column_with_identity("ids", 3))])
    features = {"x": tf.constant([[1.0, 2.0], [3.0, 4.0]]), "ids": tf.constant([[0, 2], [1, -1]])}
    y, z = layer(features), layer(features)
    return {"y": y, "z": z, "weights": names(layer.weights), "trainable": names(layer.trainable_weights),
            "all": names(tf.global_variables())}


def program_dense_features_named():
    layer = tf.keras.layers.DenseFeatures(embedding(fc.categorical_column_with_identity("ids", 3)), name="mine",
                                          trainable=False)
    y = layer({"ids": tf.constant([[0, 2], [1, -1]])})
    return {"y": y, "weights": names(layer.weights), "trainable": names(layer.trainable_weights)}


def program_dense_features_table():
    layer = tf.keras.layers.DenseFeatures([fc.indicator_column(
        fc.categorical_column_with_vocabulary_list("s", ["a", "b"], num_oov_buckets=1))])
    y, z = layer({"s": tf.constant([["a"], ["q"]])}), layer({"s": tf.constant([["b"], ["a"]])})
    return [{"t": tf.tables_initializer()}, {"y": y, "z": z}]


def program_dense_features_outputs():
    columns = [fc.numeric_column("b"), fc.numeric_column("a")]
    outputs = {}
    y = tf.keras.layers.DenseFeatures(columns)({"a": tf.constant([[1.0]]), "b": tf.constant([[2.0]])},
                                               cols_to_output_tensors=outputs)
    return {"y": y, "parts": [outputs[column] for column in columns]}


def program_dense_features_config():
    layer = tf.keras.layers.DenseFeatures([
        fc.numeric_column("x"), fc.indicator_column(fc.crossed_column(["a", "b"], 7)),
        fc.indicator_column(fc.categorical_column_with_vocabulary_list("s", ["u", "v"]))])
    again = tf.keras.layers.DenseFeatures.from_config(layer.get_config())
    return {"same": again._feature_columns == layer._feature_columns, "count": len(again._feature_columns),
            "shape": list(layer.compute_output_shape((5, 1)))}


def program_dense_features_partitioned():
    with tf.variable_scope("p", partitioner=tf.fixed_size_partitioner(3)):
        layer = tf.keras.layers.DenseFeatures([fc.embedding_column(
            fc.categorical_column_with_identity("ids", 3), 2, initializer=tf.ones_initializer())])
        y = layer({"ids": tf.constant([[0, 2], [1, -1]])})
    return {"y": y, "all": names(tf.global_variables())}


def program_model():
    model_layers = [tf.keras.layers.DenseFeatures([fc.numeric_column("x"), embedding(
        fc.categorical_column_with_identity("ids", 3))]), tf.keras.layers.Dense(1, kernel_initializer="ones")]
    y = {"x": tf.constant([[1.0], [3.0]]), "ids": tf.constant([[0, 2], [1, -1]])}
    for layer in model_layers:
        y = layer(y)
    return {"y": y}


def program_sequence_numeric():
    layer = tf.keras.experimental.SequenceFeatures([fc.sequence_numeric_column("x")])
    y, length = layer({"x": steps([[1.0, 2.0], [], [3.0]], np.float32)})
    return {"y": y, "length": length}


def program_sequence_numeric_shape():
    layer = tf.keras.experimental.SequenceFeatures([fc.sequence_numeric_column("x", shape=(2,), default_value=-1.0)])
    y, length = layer({"x": steps([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0]], np.float32)})
    return {"y": y, "length": length}


def program_sequence_normalizer():
    column = fc.sequence_numeric_column("x", normalizer_fn=lambda x: tf.SparseTensor(
        x.indices, x.values * 10.0, x.dense_shape))
    y, length = tf.keras.experimental.SequenceFeatures([column])({"x": steps([[1.0], [2.0, 3.0]], np.float32)})
    return {"y": y, "length": length}


def program_sequence_indicator():
    column = fc.indicator_column(fc.sequence_categorical_column_with_identity("i", 3))
    y, length = tf.keras.experimental.SequenceFeatures([column])({"i": steps([[2], [0, 1], []], np.int64)})
    return {"y": y, "length": length}


def program_sequence_embedding():
    layer = tf.keras.experimental.SequenceFeatures([
        embedding(fc.sequence_categorical_column_with_identity("i", 3)), fc.sequence_numeric_column("x")])
    y, length = layer({"i": steps([[2], [0, 1]], np.int64), "x": steps([[5.0], [6.0, 7.0]], np.float32)})
    return {"y": y, "length": length, "weights": names(layer.weights)}


def program_sequence_words():
    features = {"h": steps([["a"], ["b", "c"]], object), "v": steps([["a"], ["q", "b"]], object)}
    columns = [fc.indicator_column(fc.sequence_categorical_column_with_hash_bucket("h", 4)),
               fc.indicator_column(fc.sequence_categorical_column_with_vocabulary_list("v", ["a", "b"],
                                                                                       num_oov_buckets=1))]
    y, length = tf.keras.experimental.SequenceFeatures(columns)(features)
    return [{"t": tf.tables_initializer()}, {"y": y, "length": length}]


def program_sequence_of_sets():
    i = tf.SparseTensor([[0, 0, 0], [0, 0, 1], [1, 0, 0], [1, 1, 0]], np.array([2, 0, 1, 1], np.int64), [2, 2, 2])
    y, length = tf.keras.experimental.SequenceFeatures([
        embedding(fc.sequence_categorical_column_with_identity("i", 3))])({"i": i})
    return {"y": y, "length": length}


def model():
    made = tf.keras.Sequential([
        tf.keras.layers.DenseFeatures([fc.numeric_column("x"), embedding(fc.categorical_column_with_identity("i", 3))]),
        tf.keras.layers.Dense(1, kernel_initializer="ones")])
    made.compile("sgd", "mse")
    return made


FEATURES = {"x": np.array([[1.0], [2.0], [3.0], [4.0]], np.float32), "i": np.array([[0], [1], [2], [0]])}
LABELS = np.array([[1.0], [2.0], [3.0], [4.0]], np.float32)


def program_fit_arrays():
    made = model()
    history = made.fit(FEATURES, LABELS, epochs=2, batch_size=2, shuffle=False, verbose=0).history
    return {"loss": np.array(history["loss"]), "y": made.predict(FEATURES)}


def program_fit_dataset():
    made = model()
    dataset = tf.data.Dataset.from_tensor_slices((FEATURES, LABELS)).batch(2).repeat()
    history = made.fit(dataset, epochs=2, steps_per_epoch=2, verbose=0).history
    return {"loss": np.array(history["loss"]), "y": made.predict(FEATURES)}
