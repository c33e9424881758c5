import numpy as np
import pytest

import rill as tf


@pytest.fixture(autouse=True)
def own_graph():
    with tf.Graph().as_default():
        yield


def test_wrong_definitions():
    with pytest.raises(ValueError, match="List of names must have the same length"):
        tf.FIFOQueue(10, [tf.float32], names=["a", "b"])
    with pytest.raises(ValueError, match="Queue shapes must have the same length as dtypes"):
        tf.FIFOQueue(10, [tf.float32], shapes=[[], []])
    with pytest.raises(ValueError, match="must be fully defined"):
        tf.FIFOQueue(10, [tf.float32], shapes=[[None]])
    for shapes in ([None], []):
        with pytest.raises(ValueError, match="a list of shapes must be provided"):
            tf.PaddingFIFOQueue(10, [tf.float32], shapes=shapes)


def test_wrong_elements():
    named = tf.FIFOQueue(10, [tf.float32], names=["a"])
    with pytest.raises(ValueError, match="You must enqueue a dictionary in a Queue with names"):
        named.enqueue([1.0])
    with pytest.raises(ValueError, match="do not match names of Queue"):
        named.enqueue({"b": 1.0})
    plain = tf.FIFOQueue(10, [tf.float32], shapes=[[2]])
    with pytest.raises(ValueError, match="Queue must have names to enqueue a dictionary"):
        plain.enqueue({"b": 1.0})
    with pytest.raises(ValueError, match=r"Shapes \(3,\) and \(2,\) are incompatible"):
        plain.enqueue([[1.0, 2.0, 3.0]])
    with pytest.raises(ValueError, match="must have rank at least 1"):
        tf.FIFOQueue(10, tf.float32).enqueue_many([1.0])
    with pytest.raises((TypeError, ValueError)):
        plain.enqueue([tf.constant([1, 2])])


def test_lists_of_queues():
    for queues in (3, [], [3]):
        with pytest.raises(TypeError, match="A list of queues expected"):
            tf.QueueBase.from_list(0, queues)
    with pytest.raises(TypeError, match="do not have matching component dtypes"):
        tf.QueueBase.from_list(0, [tf.FIFOQueue(1, tf.float32), tf.FIFOQueue(1, tf.int32)])


def test_closed_queues():
    q = tf.FIFOQueue(10, tf.int32, shapes=[[]])
    with tf.Session() as session:
        session.run(q.enqueue_many([[1, 2, 3]]))
        session.run(q.close())
        assert session.run(q.is_closed())
        with pytest.raises(tf.errors.CancelledError):
            session.run(q.enqueue(4))
        np.testing.assert_array_equal(session.run(q.dequeue_up_to(5)), [1, 2, 3])
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(q.dequeue())


def test_priorities():
    q = tf.PriorityQueue(10, tf.string, shapes=[[]])
    with tf.Session() as session:
        session.run(q.enqueue_many([[3, 1, 2], ["c", "a", "b"]]))
        assert session.run(q.dequeue()) == [1, b"a"]


def test_accumulators_check_shapes():
    a = tf.ConditionalAccumulator(tf.float32, shape=[2])
    with pytest.raises(ValueError, match="are incompatible"):
        a.apply_grad([1.0, 2.0, 3.0])


def test_tables_check_types():
    t = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [1]), -1)
    with pytest.raises(TypeError, match="Dtype of argument `keys` must be <dtype: 'string'>, received: <dtype: 'int32'>"):
        t.lookup(tf.constant([1]))
    with pytest.raises(ValueError, match="num_oov_buckets"):
        tf.lookup.StaticVocabularyTable(tf.lookup.KeyValueTensorInitializer(["a"], tf.constant([1], tf.int64)), 0)
    with pytest.raises(TypeError, match="Invalid `value_dtype`"):
        tf.lookup.StaticVocabularyTable(tf.lookup.KeyValueTensorInitializer(["a"], [1]), 1)
    with tf.Session() as session:
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run(t.lookup(tf.constant(["a"])))


def test_files_of_words(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("alpha\nbeta\n")
    from rill.contrib import lookup
    ids = lookup.index_table_from_file(str(path), num_oov_buckets=1)
    words = lookup.index_to_string_table_from_file(str(path))
    listed = lookup.index_table_from_tensor(["x", "y"], default_value=-7)
    back = lookup.index_to_string_table_from_tensor(["x", "y"], default_value="none")
    with tf.Session() as session:
        session.run(tf.tables_initializer())
        assert session.run(ids.lookup(tf.constant(["beta", "gamma"]))).tolist() == [1, 2]
        assert session.run(words.lookup(tf.constant([0, 5], tf.int64))).tolist() == [b"alpha", b"UNK"]
        assert session.run(listed.lookup(tf.constant(["y", "z"]))).tolist() == [1, -7]
        assert session.run(back.lookup(tf.constant([1, 2], tf.int64))).tolist() == [b"y", b"none"]
        assert session.run([ids.size(), listed.size()]) == [3, 2]
    with pytest.raises(ValueError, match="`vocabulary_file` must be specified"):
        lookup.index_table_from_file("")
    with pytest.raises(ValueError, match="`vocabulary_list` must be specified"):
        lookup.index_table_from_tensor(None)
    with pytest.raises(ValueError, match="Filename required|must be specified"):
        tf.lookup.TextFileInitializer("", tf.string, -2, tf.int64, -1)


def test_tables_that_change():
    from rill.contrib import lookup
    t = lookup.MutableHashTable(tf.string, tf.int64, -1)
    put = t.insert(tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64))
    with tf.Session() as session:
        session.run(put)
        assert session.run(t.lookup(tf.constant(["b", "c"]))).tolist() == [2, -1]
        session.run(t.remove(tf.constant(["b"])))
        keys, values = session.run(t.export())
        assert (keys.tolist(), values.tolist()) == ([b"a"], [1])


def test_wrong_map_staging_areas():
    from rill.contrib.staging import MapStagingArea
    key = tf.constant(1, tf.int64)
    plain, named = MapStagingArea([tf.float32, tf.int32]), MapStagingArea([tf.float32], names=["x"])
    for call, text in ((lambda: plain.put(key, {"x": 1.0}), "must have names to enqueue a dictionary"),
                       (lambda: named.put(key, [1.0], [0]), "must enqueue a dictionary"),
                       (lambda: named.put(key, {"y": 1.0}), "do not match names"),
                       (lambda: plain.put(key, [1.0]), "Indices must be supplied"),
                       (lambda: plain.put(key, [1.0], [0, 1]), "doesn't match number of values"),
                       (lambda: plain.put(key, [1.0], [7]), "no component 7"),
                       (lambda: plain.get(key, indices=[]), "Empty indices"),
                       (lambda: plain.get(key, indices=["x"]), "was not created with names"),
                       (lambda: named.get(key, indices=["y"]), "not in Staging Area names"),
                       (lambda: MapStagingArea([tf.float32], names=["a", "b"]), "same length as dtypes")):
        with pytest.raises(ValueError, match=text):
            call()
    with pytest.raises(TypeError, match="Invalid indices type"):
        plain.get(key, indices=1)
    with pytest.raises(TypeError, match="Mixed types in indices"):
        named.get(key, indices=[0, "x"])


def test_a_list_of_numbers_is_the_shape_of_the_only_component_of_a_barrier():
    from tensorflow.python.ops import data_flow_ops
    [values] = data_flow_ops.Barrier(tf.float32, shapes=(3, 2)).take_many(1).values
    assert values.shape.as_list() == [1, 3, 2]
    with pytest.raises(ValueError, match="Barrier shapes must have the same length as types"):
        data_flow_ops.Barrier((tf.float32, tf.int32), shapes=(3, 2))
