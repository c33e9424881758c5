import pytest

import rill as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def example(**features):
    def feature(values):
        if isinstance(values[0], bytes):
            return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))
        if isinstance(values[0], float):
            return tf.train.Feature(float_list=tf.train.FloatList(value=values))
        return tf.train.Feature(int64_list=tf.train.Int64List(value=values))
    return tf.train.Example(features=tf.train.Features(
        feature={key: feature(values) for key, values in features.items()})).SerializeToString()


BATCH = [example(x=[1.0, 2.0], label=[b"a"], ids=[4, 5], at=[0, 2], v=[1.5, 2.5]),
         example(x=[3.0, 4.0], ids=[6], at=[1], v=[3.5])]


def run(fetch):
    with tf.Session() as sess:
        return sess.run(fetch)


def test_parse_example():
    parsed = tf.parse_example(BATCH, {"x": tf.FixedLenFeature([2], tf.float32), "ids": tf.VarLenFeature(tf.int64),
                                      "label": tf.io.FixedLenFeature([], tf.string, default_value="none")})
    assert sorted(parsed) == ["ids", "label", "x"]
    assert parsed["x"].shape.as_list() == [2, 2] and parsed["label"].shape.as_list() == [2]
    assert run(parsed["x"]).tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert run(parsed["label"]).tolist() == [b"a", b"none"]
    ids = parsed["ids"]
    assert isinstance(ids, tf.SparseTensor)
    assert run(ids.indices).tolist() == [[0, 0], [0, 1], [1, 0]]
    assert run(ids.values).tolist() == [4, 5, 6]
    assert run(ids.dense_shape).tolist() == [2, 2]


def test_parse_single_example():
    parsed = tf.parse_single_example(BATCH[0], {"x": tf.FixedLenFeature([2], tf.float32),
                                                "ids": tf.VarLenFeature(tf.int64),
                                                "missing": tf.FixedLenFeature([1], tf.int64, [7])})
    assert run(parsed["x"]).tolist() == [1.0, 2.0]
    assert run(parsed["missing"]).tolist() == [7]
    assert run(parsed["ids"].indices).tolist() == [[0], [1]]
    assert run(parsed["ids"].dense_shape).tolist() == [2]


def test_sequences_and_sparse_features():
    parsed = tf.io.parse_example(BATCH, {
        "ids": tf.FixedLenSequenceFeature([], tf.int64, allow_missing=True),
        "s": tf.SparseFeature("at", "v", tf.float32, 4)})
    assert run(parsed["ids"]).tolist() == [[4, 5], [6, 0]]
    assert run(tf.sparse.to_dense(parsed["s"])).tolist() == [[1.5, 0.0, 2.5, 0.0], [0.0, 3.5, 0.0, 0.0]]


def test_sequence_example():
    lists = {"words": [[b"a"], [b"b", b"c"]], "ids": [[1], [2]]}

    def feature(values):
        if isinstance(values[0], bytes):
            return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))
        return tf.train.Feature(int64_list=tf.train.Int64List(value=values))

    serialized = tf.train.SequenceExample(
        context=tf.train.Features(feature={"n": feature([9])}),
        feature_lists=tf.train.FeatureLists(feature_list={
            key: tf.train.FeatureList(feature=[feature(v) for v in rows]) for key, rows in lists.items()})
    ).SerializeToString()
    context, sequence = tf.parse_single_sequence_example(
        serialized, {"n": tf.FixedLenFeature([], tf.int64)},
        {"words": tf.VarLenFeature(tf.string), "ids": tf.FixedLenSequenceFeature([], tf.int64)})
    contexts, sequences, lengths = tf.io.parse_sequence_example(
        [serialized, serialized], {"n": tf.FixedLenFeature([], tf.int64)},
        {"ids": tf.FixedLenSequenceFeature([], tf.int64)})
    assert run(contexts["n"]).tolist() == [9, 9]
    assert run(sequences["ids"]).tolist() == [[1, 2], [1, 2]] and run(lengths["ids"]).tolist() == [2, 2]
    assert run(context["n"]) == 9
    assert run(sequence["ids"]).tolist() == [1, 2]
    assert run(tf.sparse.to_dense(sequence["words"])).tolist() == [[b"a", b""], [b"b", b"c"]]


def test_errors():
    with pytest.raises(ValueError, match="Missing: features"):
        tf.parse_example(BATCH, {})
    with pytest.raises(ValueError, match="Missing type for feature x"):
        tf.parse_example(BATCH, {"x": tf.FixedLenFeature([2], None)})
    with pytest.raises(ValueError, match="First dimension of shape for feature x unknown"):
        tf.parse_example(BATCH, {"x": tf.FixedLenFeature([None], tf.float32)})
    with pytest.raises(ValueError, match="allow_missing to be True"):
        tf.parse_example(BATCH, {"x": tf.FixedLenSequenceFeature([], tf.float32)})
    with pytest.raises(ValueError, match="Invalid feature"):
        tf.parse_example(BATCH, {"x": 3})
    with pytest.raises(tf.errors.InvalidArgumentError, match="nothing"):
        run(tf.parse_example(BATCH, {"nothing": tf.FixedLenFeature([], tf.float32)}))
