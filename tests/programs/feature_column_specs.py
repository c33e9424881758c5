"""What columns say of themselves: names, descriptions for parsing, configurations."""
import tensorflow as tf

fc = tf.feature_column


def example(**features):
    message = tf.train.Example()
    for name, values in features.items():
        feature = message.features.feature[name]
        if isinstance(values[0], bytes):
            feature.bytes_list.value.extend(values)
        elif isinstance(values[0], float):
            feature.float_list.value.extend(values)
        else:
            feature.int64_list.value.extend(values)
    return message.SerializeToString()


def texts(spec):
    return [f"{key}: {spec[key]}" for key in sorted(spec)]


def columns():
    x = fc.numeric_column("x", shape=(2,), default_value=(1.0, 2.0))
    ids = fc.categorical_column_with_identity("i", 4)
    return [x, fc.bucketized_column(x, [0, 1]), fc.indicator_column(ids), fc.crossed_column(["s", "t", ids], 5),
            fc.weighted_categorical_column(fc.categorical_column_with_hash_bucket("h", 3, tf.int64), "w"),
            fc.embedding_column(fc.categorical_column_with_vocabulary_list("v", ["a"]), 2)]


def program_names():
    shared = fc.shared_embedding_columns([fc.categorical_column_with_identity(key, 3) for key in "pq"], 2)
    sequences = [fc.sequence_numeric_column("n"), fc.sequence_categorical_column_with_hash_bucket("m", 3)]
    return {"names": [column.name for column in columns() + shared + sequences]}


def program_specs():
    return {"spec": texts(fc.make_parse_example_spec(columns()))}


def program_specs_of_defaults():
    many = [fc.numeric_column("a", default_value=3), fc.numeric_column("b", shape=(2, 1), default_value=0.5),
            fc.numeric_column("c", dtype=tf.int64, default_value=[7]), fc.numeric_column("d", shape=3)]
    return {"spec": texts(fc.make_parse_example_spec(many))}


def program_classifier_spec():
    spec = tf.estimator.classifier_parse_example_spec
    return {"plain": texts(spec([fc.numeric_column("x")], "label")),
            "words": texts(spec([fc.numeric_column("x")], label_key="label", label_dtype=tf.string,
                                label_default="none", weight_column="w")),
            "column": texts(spec([fc.numeric_column("x")], "label", label_default=0,
                                 weight_column=fc.numeric_column("w", default_value=1.0)))}


def program_regressor_spec():
    spec = tf.estimator.regressor_parse_example_spec
    return {"plain": texts(spec([fc.numeric_column("x")], "label")),
            "wide": texts(spec([fc.numeric_column("x")], "label", label_dimension=3, weight_column="w"))}


def program_parsing():
    x = fc.numeric_column("x", shape=(2,), default_value=(1.0, 2.0))
    s = fc.indicator_column(fc.categorical_column_with_vocabulary_list("s", ["a", "b"]))
    i = fc.indicator_column(fc.categorical_column_with_identity("i", 3))
    serialized = tf.constant([example(x=[3.0, 4.0], s=[b"a", b"b"], i=[2]), example(i=[0, 0])])
    parsed = tf.parse_example(serialized, fc.make_parse_example_spec([x, s, i]))
    y = fc.input_layer(parsed, [x, s, i])
    return [{"t": tf.tables_initializer()}, {"y": y}]


def program_values():
    x, same, other = fc.numeric_column("x"), fc.numeric_column("x"), fc.numeric_column("x", shape=2)
    moved = x._replace(key="y")
    return {"equal": x == same, "hash": hash(x) == hash(same), "unequal": x == other, "key": moved.key,
            "fields": list(x._fields), "set": len({x, same, other, moved}), "tuple": len(tuple(x)),
            "sorted": [column.name for column in sorted([moved, x])]}


def program_texts():
    x = fc.numeric_column("x", shape=[2], default_value=[1, 2], dtype=tf.int64)
    ids = fc.categorical_column_with_identity("i", 4, default_value=0)
    words = fc.categorical_column_with_vocabulary_list("v", ("a", "b"), num_oov_buckets=2)
    return {"texts": [repr(column) for column in (
        x, fc.bucketized_column(fc.numeric_column("z"), [0, 1.5]), ids, words, fc.indicator_column(ids),
        fc.categorical_column_with_hash_bucket("h", 10), fc.crossed_column(["a", ids], 9, hash_key=3),
        fc.weighted_categorical_column(words, "w"), fc.sequence_numeric_column("n"),
        fc.sequence_categorical_column_with_identity("m", 2))]}


def program_facts():
    ids = fc.categorical_column_with_identity("i", 4)
    buckets = fc.bucketized_column(fc.numeric_column("x", shape=2), [1, 2])
    return {"buckets": [ids.num_buckets, buckets.num_buckets, fc.crossed_column(["a", "b"], 9).num_buckets,
                        fc.categorical_column_with_vocabulary_list("v", ["a"], num_oov_buckets=3).num_buckets],
            "shapes": [column.variable_shape.as_list() for column in (
                buckets, fc.indicator_column(ids), fc.embedding_column(ids, 5), fc.numeric_column("x", shape=[2, 3]))],
            "dense": [isinstance(column, dense()) for column in (ids, buckets, fc.indicator_column(ids))]}


def dense():
    from tensorflow.python.feature_column import feature_column as private
    return private._DenseColumn


def program_configurations():
    from tensorflow.python.feature_column import serialization
    x = fc.numeric_column("x", shape=2)
    ids = fc.categorical_column_with_identity("i", 4)
    many = [x, fc.bucketized_column(x, [1, 2]), fc.crossed_column(["a", ids], 9), fc.indicator_column(ids),
            fc.weighted_categorical_column(ids, "w"), fc.sequence_categorical_column_with_identity("m", 2),
            fc.categorical_column_with_hash_bucket("h", 4, tf.int32),
            fc.categorical_column_with_vocabulary_list("v", ["a", "b"])]
    configs = [serialization.serialize_feature_column(column) for column in many]
    again = [serialization.deserialize_feature_column(config) for config in configs]
    return {"configs": [str(config) for config in configs], "same": again == many}


def program_own_column():
    from tensorflow.python.feature_column import feature_column as private

    class Doubled(private._DenseColumn):
        name = "doubled"
        _parse_example_spec = {"x": tf.FixedLenFeature((1,), tf.float32)}
        _variable_shape = tf.TensorShape([1])

        def _transform_feature(self, inputs):
            return inputs.get("x") * 2.0

        def _get_dense_tensor(self, inputs, weight_collections=None, trainable=None):
            scale = tf.get_variable("scale", [], initializer=tf.constant_initializer(3.0),
                                    collections=weight_collections)
            return inputs.get(self) * scale

    features = {"x": tf.constant([[1.0], [4.0]])}
    y = fc.input_layer(features, [Doubled(), fc.numeric_column("x")])
    z = fc.linear_model(features, [Doubled()])
    return {"y": y, "z": z, "names": [v.name for v in tf.global_variables()],
            "model": [v.name for v in tf.get_collection("model_variables")],
            "spec": texts(fc.make_parse_example_spec([Doubled()]))}


def program_own_categorical():
    from tensorflow.python.feature_column import feature_column as private

    class Signs(private._CategoricalColumn):
        name = "signs"
        _parse_example_spec = {"x": tf.FixedLenFeature([1], tf.float32)}
        _num_buckets = 2

        def _transform_feature(self, inputs):
            x = inputs.get(fc.numeric_column("x"))
            return tf.cast(x > 0, tf.int64)

        def _get_sparse_tensors(self, inputs, weight_collections=None, trainable=None):
            ids = inputs.get(self)
            places = tf.where(ids >= 0)
            return private._CategoricalColumn.IdWeightPair(
                tf.SparseTensor(places, tf.gather_nd(ids, places), tf.shape(ids, out_type=tf.int64)), None)

    y = fc.input_layer({"x": tf.constant([[-1.0], [4.0]])}, [fc.indicator_column(Signs())])
    return {"y": y}


def program_transformed():
    from tensorflow.python.feature_column import feature_column as private
    x, ids = fc.numeric_column("x", normalizer_fn=lambda t: t * 2.0), fc.categorical_column_with_identity("i", 2)
    made = private._transform_features({"x": tf.constant([1.0, 2.0]), "i": tf.constant([[0], [1]])},
                                       [x, ids, fc.indicator_column(ids)])
    return {"x": made[x], "ids": made[ids], "dense": made[fc.indicator_column(ids)]}


def program_lazily():
    from tensorflow.python.feature_column import feature_column as private
    builder = private._LazyBuilder({"x": tf.constant([1.0, 2.0]), "i": tf.constant([[0], [1]])})
    x = fc.numeric_column("x")
    ids = fc.categorical_column_with_identity("i", 2)
    return {"x": builder.get("x"), "column": builder.get(x), "once": builder.get(x) is builder.get(x),
            "ids": ids._get_sparse_tensors(builder).id_tensor,
            "dense": fc.indicator_column(ids)._get_dense_tensor(builder)}
