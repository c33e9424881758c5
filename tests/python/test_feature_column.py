"""tf.feature_column: what is refused, and what TensorFlow wrote."""
import copy
import pathlib
import pickle
import re
import shlex
import subprocess

import numpy as np
import pytest

import tensorflow as tf

fc = tf.feature_column


ROOT = pathlib.Path(__file__).resolve().parents[2]
RILL = ROOT / "bin" / "rill"
GOLDEN = ROOT / "tests" / "golden" / "models" / "checkpoints"


def shown(language):
    return re.search(rf"```{language}\n(.*?)```", (ROOT / "docs" / "feature_columns.md").read_text(), re.DOTALL)[1]


def output(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_program_of_the_docs_in_both_languages(tmp_path):
    (tmp_path / "program.py").write_text(shown("python"))
    printed = output(RILL, "run", tmp_path / "program.py").splitlines()
    assert [round(float(number), 5) for number in printed[0].split()] == [0.8, 1.0, 0.0]
    (tmp_path / "program.cc").write_text(shown("cpp"))
    flags = shlex.split(output(RILL, "config", "--cflags", "--libs"))
    output("g++", tmp_path / "program.cc", *flags, "-o", tmp_path / "program")
    assert output(tmp_path / "program").splitlines()[1:] == printed[1:]


def numbers():
    return {"x": tf.constant([[1.0], [2.0]]), "y": tf.constant([[1.0], [2.0], [3.0]])}


def ids(**options):
    return fc.categorical_column_with_identity("ids", 3, **options)


REFUSED = {
    "shape of floats": (TypeError, "shape dimensions must be integer",
                        lambda: fc.numeric_column("x", shape=(1.5,))),
    "shape of zero": (ValueError, "must be greater than 0", lambda: fc.numeric_column("x", shape=0)),
    "number of strings": (ValueError, "dtype must be convertible to float",
                          lambda: fc.numeric_column("x", dtype=tf.string)),
    "default of text": (TypeError, "default_value must be compatible with dtype",
                        lambda: fc.numeric_column("x", default_value="a")),
    "float for integers": (TypeError, "default_value must be compatible with dtype",
                           lambda: fc.numeric_column("x", default_value=1.5, dtype=tf.int32)),
    "default of another shape": (ValueError, "shape of default_value must be equal to given shape",
                                 lambda: fc.numeric_column("x", shape=2, default_value=[1.0, 2.0, 3.0])),
    "no function": (TypeError, "normalizer_fn must be a callable",
                    lambda: fc.numeric_column("x", normalizer_fn="log")),
    "key": (ValueError, "key must be a string", lambda: fc.numeric_column(("x",))),
    "source": (ValueError, "source_column must be a column generated with numeric_column",
               lambda: fc.bucketized_column(ids(), [1])),
    "matrix in buckets": (ValueError, "source_column must be one-dimensional",
                          lambda: fc.bucketized_column(fc.numeric_column("x", shape=(2, 2)), [1])),
    "no boundaries": (ValueError, "boundaries must not be empty",
                      lambda: fc.bucketized_column(fc.numeric_column("x"), [])),
    "unsorted": (ValueError, "boundaries must be a sorted list",
                 lambda: fc.bucketized_column(fc.numeric_column("x"), [1, 1])),
    "boundaries of no kind": (ValueError, "boundaries must be a sorted list",
                              lambda: fc.bucketized_column(fc.numeric_column("x"), {1: 2})),
    "no buckets": (ValueError, "hash_bucket_size must be set",
                   lambda: fc.categorical_column_with_hash_bucket("s", None)),
    "zero buckets": (ValueError, "hash_bucket_size must be at least 1",
                     lambda: fc.categorical_column_with_hash_bucket("s", 0)),
    "hash of floats": (ValueError, "dtype must be string or integer",
                       lambda: fc.categorical_column_with_hash_bucket("s", 3, dtype=tf.float32)),
    "no ids": (ValueError, "num_buckets 0 < 1", lambda: fc.categorical_column_with_identity("i", 0)),
    "default id": (ValueError, r"default_value 3 not in range \[0, 3\)", lambda: ids(default_value=3)),
    "no vocabulary": (ValueError, "must be non-empty",
                      lambda: fc.categorical_column_with_vocabulary_list("s", [])),
    "word twice": (ValueError, "Duplicate keys in vocabulary_list",
                   lambda: fc.categorical_column_with_vocabulary_list("s", ["a", "a"])),
    "default and buckets": (ValueError, "Can't specify both num_oov_buckets and default_value",
                            lambda: fc.categorical_column_with_vocabulary_list("s", ["a"], default_value=0,
                                                                               num_oov_buckets=1)),
    "types differ": (ValueError, "do not match",
                     lambda: fc.categorical_column_with_vocabulary_list("s", ["a"], dtype=tf.int64)),
    "missing file": (ValueError, "vocabulary_file in s does not exist",
                     lambda: fc.categorical_column_with_vocabulary_file("s", "/no/such/file")),
    "no file": (ValueError, "Missing vocabulary_file in s",
                lambda: fc.categorical_column_with_vocabulary_file("s", "")),
    "no size": (ValueError, "Invalid vocabulary_size in s",
                lambda: fc.categorical_column_with_vocabulary_file("s", "f", vocabulary_size=0)),
    "buckets of a file": (ValueError, "Invalid num_oov_buckets -1",
                          lambda: fc.categorical_column_with_vocabulary_file("s", "f", 3, num_oov_buckets=-1)),
    "weights of text": (ValueError, "is not convertible to float",
                        lambda: fc.weighted_categorical_column(ids(), "w", dtype=tf.string)),
    "one key": (ValueError, "keys must be a list with length > 1", lambda: fc.crossed_column(["a"], 3)),
    "no keys": (ValueError, "keys must be a list with length > 1", lambda: fc.crossed_column([], 3)),
    "key of no kind": (ValueError, "Unsupported key type", lambda: fc.crossed_column(["a", 3], 3)),
    "dense key": (ValueError, "Unsupported key type", lambda: fc.crossed_column(["a", fc.numeric_column("x")], 3)),
    "hashed key": (ValueError, "is not supported for crossing",
                   lambda: fc.crossed_column(["a", fc.categorical_column_with_hash_bucket("s", 3)], 3)),
    "no room": (ValueError, "hash_bucket_size must be > 1", lambda: fc.crossed_column(["a", "b"], None)),
    "indicator of numbers": (ValueError, "Input must be a CategoricalColumn",
                             lambda: fc.indicator_column(fc.numeric_column("x"))),
    "no dimension": (ValueError, "Invalid dimension None", lambda: fc.embedding_column(ids(), None)),
    "half a checkpoint": (ValueError, "Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt`",
                          lambda: fc.embedding_column(ids(), 2, ckpt_to_load_from="model")),
    "initializer": (ValueError, "initializer must be callable if specified",
                    lambda: fc.embedding_column(ids(), 2, initializer="zeros")),
    "kinds to share": (ValueError, "must have the same type", lambda: fc.shared_embedding_columns(
        [ids(), fc.categorical_column_with_hash_bucket("s", 3)], 2)),
    "sizes to share": (ValueError, "must have the same number of buckets", lambda: fc.shared_embedding_columns(
        [ids(), fc.categorical_column_with_identity("j", 4)], 2)),
    "no columns": (ValueError, "feature_columns must not be empty", lambda: fc.input_layer(numbers(), [])),
    "dict of columns": (ValueError, "Expected feature_columns to be iterable, found dict",
                        lambda: fc.input_layer(numbers(), {"x": fc.numeric_column("x")})),
    "no column": (ValueError, "Items of feature_columns must be a _FeatureColumn",
                  lambda: fc.input_layer(numbers(), ["x"])),
    "name twice": (ValueError, "Duplicate feature column name found",
                   lambda: fc.input_layer(numbers(), [fc.numeric_column("x"), fc.numeric_column("x", shape=2)])),
    "categorical input": (ValueError, "must be a _DenseColumn", lambda: fc.input_layer(numbers(), [ids()])),
    "missing feature": (ValueError, "Feature z is not in features dictionary",
                        lambda: fc.input_layer(numbers(), [fc.numeric_column("z")])),
    "scalar": (ValueError, r"Feature \(key: x\) cannot have rank 0",
               lambda: fc.input_layer({"x": tf.constant(1.0)}, [fc.numeric_column("x")])),
    "batch sizes": (ValueError, r"Batch size of columns \(x, y\): \(2, 3\)",
                    lambda: fc.input_layer(numbers(), [fc.numeric_column(key) for key in "xy"])),
    "linear batch sizes": (ValueError, "Batch size .first dimension. of each feature must be same",
                           lambda: fc.linear_model(numbers(), [fc.numeric_column(key) for key in "xy"])),
    "sparse number": (ValueError, "SparseTensor is not supported. key: x", lambda: fc.input_layer(
        {"x": tf.SparseTensor([[0, 0]], [1.0], [1, 1])}, [fc.numeric_column("x")])),
    "float ids": (ValueError, "Invalid input, not integer", lambda: fc.input_layer(
        {"ids": tf.constant([[1.0]])}, [fc.indicator_column(ids())])),
    "words for integers": (ValueError, "Column dtype and SparseTensors dtype must be compatible",
                           lambda: fc.input_layer({"s": tf.constant([[1]])}, [fc.indicator_column(
                               fc.categorical_column_with_hash_bucket("s", 3))])),
    "type of weights": (ValueError, "Bad dtype, expected", lambda: fc.input_layer(
        {"ids": tf.constant([[1]]), "w": tf.constant([[1]])},
        [fc.indicator_column(fc.weighted_categorical_column(ids(), "w"))])),
    "weights in a cross": (ValueError, "crossed_column does not support weight_tensor", lambda: fc.linear_model(
        {"ids": tf.constant([[1]]), "w": tf.constant([[1.0]]), "s": tf.constant([["a"]])},
        [fc.crossed_column([fc.weighted_categorical_column(ids(), "w"), "s"], 3)])),
    "sequence in a layer": (ValueError, "must not be of type _SequenceCategoricalColumn", lambda: fc.input_layer(
        {"ids": tf.constant([[1]])},
        [fc.indicator_column(fc.sequence_categorical_column_with_identity("ids", 3))])),
    "different specs": (ValueError, "contain different parse_spec for key x", lambda: fc.make_parse_example_spec(
        [fc.numeric_column("x"), fc.categorical_column_with_hash_bucket("x", 3)])),
    "spec of no column": (ValueError, "All feature_columns must be _FeatureColumn instances",
                          lambda: fc.make_parse_example_spec(["x"])),
    "weights as spec": (ValueError, "already exists for ids", lambda: fc.make_parse_example_spec(
        [fc.weighted_categorical_column(ids(), "ids")])),
    "label as feature": (ValueError, "label should not be used as feature",
                         lambda: tf.estimator.classifier_parse_example_spec([fc.numeric_column("x")], "x")),
    "weight of no kind": (ValueError, "weight_column should be an instance of",
                          lambda: tf.estimator.regressor_parse_example_spec([fc.numeric_column("x")], "y",
                                                                            weight_column=3)),
    "combiner": (ValueError, "combiner must be one of", lambda: fc.input_layer(
        {"ids": tf.constant([[1]])}, [fc.embedding_column(ids(), 2, combiner="median")])),
    "dict for a layer": (ValueError, "We expected a dictionary here", lambda: tf.keras.layers.DenseFeatures(
        [fc.numeric_column("x")])(tf.constant([[1.0]]))),
    "categorical layer": (ValueError, "Items of feature_columns must be a",
                          lambda: tf.keras.layers.DenseFeatures([ids()])),
    "shared layer": (ValueError, "Items of feature_columns must be a", lambda: tf.keras.layers.DenseFeatures(
        fc.shared_embedding_columns([ids()], 2))),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case):
    error, phrase, make = REFUSED[case]
    with tf.Graph().as_default(), pytest.raises(error, match=phrase):
        make()


def test_errors_of_normalizers_are_the_same_objects():
    mistake = KeyError("mine")

    def broken(x):
        raise mistake
    with tf.Graph().as_default(), pytest.raises(KeyError) as caught:
        fc.input_layer(numbers(), [fc.numeric_column("x", normalizer_fn=broken)])
    assert caught.value is mistake


def test_a_shared_collection_that_others_use():
    with tf.Graph().as_default():
        tf.add_to_collection("held", tf.get_variable("v", [2, 2]))
        columns = fc.shared_embedding_columns([ids()], 2, shared_embedding_collection_name="held")
        with pytest.raises(ValueError, match="of unexpected shape"):
            fc.input_layer({"ids": tf.constant([[1]])}, columns)


def test_empty_rank_fails_when_it_runs():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32)
        y = fc.input_layer({"x": x}, [fc.numeric_column("x")])
        with pytest.raises(tf.errors.InvalidArgumentError, match="cannot have rank 0"):
            session.run(y, {x: 1.0})


def test_configurations_of_functions():
    from tensorflow.python.feature_column import serialization

    def half(x):
        return x / 2
    columns = [fc.numeric_column("x", normalizer_fn=half),
               fc.embedding_column(ids(), 2, initializer=tf.constant_initializer(3.0))]
    configs = [serialization.serialize_feature_column(column) for column in columns]
    assert configs[0]["config"]["normalizer_fn"] == "half"
    number, table = [serialization.deserialize_feature_column(config, {"half": half}) for config in configs]
    assert number == columns[0]
    assert table.initializer.value == 3.0 and table._replace(initializer=None) == columns[1]._replace(initializer=None)
    with pytest.raises(ValueError, match="Unknown"):
        serialization.deserialize_feature_column({"class_name": "Nothing", "config": {}})
    with pytest.raises(ValueError, match="is not a FeatureColumn"):
        serialization.serialize_feature_column(3)


def test_columns_print_and_compare_as_named_tuples():
    column = fc.embedding_column(ids(), 2)
    assert repr(column).startswith("EmbeddingColumn(categorical_column=IdentityCategoricalColumn(key='ids', "
                                   "number_buckets=3, default_value=None), dimension=2, combiner='mean', initializer=<")
    assert column == column._replace(trainable=True) != column._replace(trainable=False)
    assert column._fields == ("categorical_column", "dimension", "combiner", "initializer", "ckpt_to_load_from",
                              "tensor_name_in_ckpt", "max_norm", "trainable")
    assert {column: 1}[column._replace()] == 1


def test_copies_are_equal():
    column = fc.indicator_column(fc.crossed_column(["a", ids()], 5))
    assert column.name == "a_X_ids_indicator"
    for same in (copy.copy(column), copy.deepcopy(column), pickle.loads(pickle.dumps(column))):
        assert same == column and same is not column and same.name == column.name


def test_a_model_that_tensorflow_trained():
    with tf.Graph().as_default(), tf.Session() as session:
        word = fc.categorical_column_with_hash_bucket("word", 7)
        age = fc.bucketized_column(fc.numeric_column("age"), [18, 65])
        features = {"word": tf.constant([["cat"], ["dog"], ["cow"]]), "age": tf.constant([[10.0], [40.0], [70.0]])}
        deep = fc.input_layer(features, [fc.embedding_column(word, 3), age])
        logits = tf.layers.dense(deep, 1)
        logits += fc.linear_model(features, [word, age, fc.crossed_column([age, "word"], 11)])
        expected = tf.get_variable("expected", [3, 1])
        tf.train.Saver().restore(session, str(GOLDEN / "feature_columns" / "model"))
        np.testing.assert_allclose(*session.run([logits, expected]), rtol=1e-5)


def test_sequences_of_contrib():
    from tensorflow.contrib import feature_column as sequences
    with tf.Graph().as_default(), tf.Session() as session:
        features = {"i": tf.SparseTensor([[0, 0], [1, 0], [1, 1]], np.array([2, 0, 1]), [2, 2]),
                    "x": tf.SparseTensor([[0, 0], [1, 0], [1, 1]], [5.0, 6.0, 7.0], [2, 2])}
        table = tf.constant_initializer([[1.0], [3.0], [7.0]])
        columns = [sequences.sequence_numeric_column("x"), fc.embedding_column(
            sequences.sequence_categorical_column_with_identity("i", 3), 1, initializer=table)]
        both, length = sequences.sequence_input_layer(features, columns)
        wide = sequences.concatenate_context_input(tf.constant([[8.0], [9.0]]), both)
        assert [v.name for v in tf.global_variables()] == ["sequence_input_layer/i_embedding/embedding_weights:0"]
        session.run(tf.global_variables_initializer())
        values, steps, joined = session.run([both, length, wide])
    np.testing.assert_array_equal(values, [[[7, 5], [0, 0]], [[1, 6], [3, 7]]])
    np.testing.assert_array_equal(steps, [1, 2])
    np.testing.assert_array_equal(joined[1], [[1, 6, 9], [3, 7, 9]])
    with tf.Graph().as_default(), pytest.raises(ValueError, match="must be of type _SequenceDenseColumn"):
        sequences.sequence_input_layer({}, [fc.numeric_column("x")])


def test_training_updates_only_rows_that_are_used():
    with tf.Graph().as_default():
        y = fc.input_layer({"ids": tf.constant([[1]])}, [fc.embedding_column(ids(), 2)])
        z = fc.linear_model({"ids": tf.constant([[1]])}, [ids()])
        variables = tf.trainable_variables()
        gradients = tf.gradients(tf.reduce_sum(y) + tf.reduce_sum(z), variables)
        kinds = [type(gradient).__name__ for gradient in gradients]
    assert kinds == ["IndexedSlices", "IndexedSlices", "Tensor"]
