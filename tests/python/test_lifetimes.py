"""Objects around nodes keep their graph, and calls with wrong arguments raise errors."""
import gc
import weakref

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python.ops import data_flow_ops


def runner_of_a_queue():
    queue = tf.FIFOQueue(10, tf.float32)
    return tf.train.QueueRunner(queue, [queue.enqueue(1.0)])


def collected_runner():
    tf.train.string_input_producer(["a"])
    return tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)[0]


WORDS = ["a", "b"]
HOLDERS = {
    "FIFOQueue": (lambda: tf.FIFOQueue(10, tf.float32), lambda q: [q.queue_ref, q.dequeue()]),
    "PaddingFIFOQueue": (lambda: tf.PaddingFIFOQueue(10, tf.float32, [[None]]), lambda q: [q.dequeue()]),
    "RandomShuffleQueue": (lambda: tf.RandomShuffleQueue(10, 2, tf.float32), lambda q: [q.dequeue()]),
    "PriorityQueue": (lambda: tf.PriorityQueue(10, tf.float32, [[]]), lambda q: q.dequeue()),
    "from_list": (lambda: tf.QueueBase.from_list(0, [tf.FIFOQueue(10, tf.float32) for _ in range(2)]),
                  lambda q: [q.queue_ref, q.dequeue()]),
    "string_input_producer": (lambda: tf.train.string_input_producer(WORDS), lambda q: [q.dequeue()]),
    "range_input_producer": (lambda: tf.train.range_input_producer(3), lambda q: [q.dequeue()]),
    "QueueRunner": (runner_of_a_queue, lambda r: [*r.enqueue_ops, r.close_op, r.queue.dequeue()]),
    "collected QueueRunner": (collected_runner, lambda r: [*r.enqueue_ops, r.cancel_op, r.queue.dequeue()]),
    "ConditionalAccumulator": (lambda: tf.ConditionalAccumulator(tf.float32, [2]),
                               lambda a: [a.accumulator_ref, a.take_grad(1)]),
    "SparseConditionalAccumulator": (lambda: tf.SparseConditionalAccumulator(tf.float32, [2]),
                                     lambda a: [a.take_grad(1).values]),
    "MutableHashTable": (lambda: tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, 0),
                         lambda t: [t.resource_handle, t.size()]),
    "StaticHashTable": (
        lambda: tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(WORDS, [1, 2]), 0),
        lambda t: [t.initializer, t.lookup(WORDS)]),
    "KeyValueTensorInitializer": (
        lambda: (tf.contrib.lookup.HashTable(tf.lookup.KeyValueTensorInitializer(WORDS, [1, 2]), 0)),
        lambda t: [t.init, t.size()]),
    "index_table_from_tensor": (lambda: tf.contrib.lookup.index_table_from_tensor(WORDS),
                                lambda t: [t.initializer, t.size()]),
    "index_to_string_table_from_tensor": (
        lambda: tf.contrib.lookup.index_to_string_table_from_tensor(WORDS),
        lambda t: [t.initializer, t.size()]),
    "TextLineReader": (tf.TextLineReader, lambda r: [r.reader_ref, r.num_records_produced()]),
    "WholeFileReader": (tf.WholeFileReader, lambda r: [r.reader_ref, r.num_records_produced()]),
    "TFRecordReader": (tf.TFRecordReader, lambda r: [r.reader_ref, r.reset()]),
    "FixedLengthRecordReader": (lambda: tf.FixedLengthRecordReader(2), lambda r: [r.reader_ref]),
    "TensorArray": (lambda: tf.TensorArray(tf.float32, 3), lambda a: [a.handle, a.flow, a.read(0)]),
    "StagingArea": (lambda: tf.contrib.staging.StagingArea([tf.float32]),
                    lambda s: [s.put([1.0]), s.get()[0]]),
    "MapStagingArea": (lambda: data_flow_ops.MapStagingArea([tf.float32]), lambda s: [s.size()]),
    "Barrier": (lambda: data_flow_ops.Barrier(tf.float32, shapes=[[]]),
                lambda b: [b.barrier_ref, b.ready_size()]),
    "CriticalSection": (tf.CriticalSection, lambda c: [c.execute(lambda: tf.constant(1.0))]),
    "create_file_writer": (lambda: tf.contrib.summary.create_file_writer("/nowhere"),
                           lambda w: [w._resource] if hasattr(w, "_resource") else [w.init()]),
}


def made_in_a_graph_of_its_own(make):
    graph = tf.Graph()
    with graph.as_default():
        return make(), id(graph)


@pytest.mark.parametrize("name", HOLDERS)
def test_the_graph_lives_as_long_as(name):
    make, use = HOLDERS[name]
    holders = [made_in_a_graph_of_its_own(make)[0] for _ in range(3)]
    gc.collect()
    for i in range(20):  # others use the memory that was freed
        with tf.Graph().as_default():
            _ = [tf.constant(float(j)) + i for j in range(30)]
    for holder in holders:
        used = use(holder)
        assert len({id(element.graph) for element in used}) == 1
        assert all(element.graph.as_graph_def().node for element in used)


@pytest.mark.parametrize("name", [name for name in HOLDERS if name != "TensorArray"])
def test_the_graph_goes_with(name):
    make, _ = HOLDERS[name]

    def graph_of():
        graph = tf.Graph()
        with graph.as_default():
            holder = make()
            tf.add_to_collection("holders", holder)
        return weakref.ref(graph)

    graph = graph_of()
    gc.collect()
    assert graph() is None


@pytest.mark.parametrize("call", [
    lambda: tf.train.get_global_step("a"),
    lambda: tf.train.get_or_create_global_step(0.5),
    lambda: tf.train.create_global_step([1]),
    lambda: tf.ReaderBase("a"),
    lambda: tf.ReaderBase(None),
    lambda: tf.QueueBase([tf.float32], [[]], None, "a"),
    lambda: tf.ConditionalAccumulatorBase(tf.float32, [], 3),
    lambda: tf.train.Scaffold([None], [None]),
    lambda: tf.train.SessionManager([None], [None]),
    lambda: tf.train.SessionManager(graph="a"),
    lambda: tf.identity(tf.Tensor.__new__(tf.Tensor)),
    lambda: tf.group(tf.Operation.__new__(tf.Operation)),
])
def test_arguments_of_other_types_are_refused(call):
    with pytest.raises((TypeError, AttributeError, ValueError)):
        call()


def test_slices_of_arrays_go_into_an_accumulator():
    accumulator = tf.SparseConditionalAccumulator(tf.float32)
    apply = accumulator.apply_indexed_slices_grad(
        tf.IndexedSlices(values=np.ones((1, 2), np.float32), indices=[0]))
    with tf.Session() as sess:
        sess.run(apply)
        taken = sess.run(accumulator.take_indexed_slices_grad(1))
    assert taken.indices.tolist() == [0] and taken.values.tolist() == [[1.0, 1.0]]


def test_ragged_values_are_arguments_like_ragged_tensors():
    value = tf.ragged.constant_value([[1, 2], [3]])
    mask = tf.ragged.constant_value([[True, False], [True]])
    with tf.Session() as sess:
        for data in (value, tf.ragged.constant([[1, 2], [3]])):
            assert sess.run(tf.ragged.boolean_mask(data, mask)).to_list() == [[1], [3]]
        assert sess.run(tf.ragged.stack([value, value])).to_list() == [[[1, 2], [3]]] * 2
        assert sess.run(tf.ragged.stack(value)).to_list() == [[[1, 2], [3]]]


@pytest.mark.parametrize("dtype", [tf.resource, tf.variant])
@pytest.mark.parametrize("value", [np.array([1, 2], np.int32), np.int64(3), 3, [1, 2], "a", np.array(["a"], object)])
def test_no_array_is_a_handle(dtype, value):
    for make in (tf.constant, tf.convert_to_tensor):
        with pytest.raises((TypeError, ValueError)):
            make(value, dtype=dtype)
    fed = tf.placeholder(dtype)
    with pytest.raises((TypeError, ValueError)):
        tf.Session().run(fed, {fed: value})


@pytest.mark.parametrize("number", [20, 21])
def test_a_constant_of_a_graph_is_no_handle(number):
    node = tf.NodeDef(name="c", op="Const")
    node.attr["dtype"].type = number
    node.attr["value"].tensor.dtype = number
    node.attr["value"].tensor.tensor_shape.dim.add(size=2)
    for content in ({"tensor_content": b"\1\0\0\0\2\0\0\0"}, {"int_val": [1, 2]}):
        copy = tf.NodeDef.FromString(node.SerializeToString())
        tensor = copy.attr["value"].tensor
        for field, value in content.items():
            if isinstance(value, bytes):
                setattr(tensor, field, value)
            else:
                getattr(tensor, field).extend(value)
        with tf.Graph().as_default() as graph:
            try:
                tf.import_graph_def(tf.GraphDef(node=[copy]), name="")
                found = tf.Session().run(graph.get_tensor_by_name("c:0"))
            except (ValueError, tf.errors.OpError):
                continue
            assert number == 20 and not found.view(np.uint8).any()  # handles of nothing


def test_gradients_of_windows_without_taps_stay_inside():
    gradient = tf.raw_ops.Dilation2DBackpropInput(
        input=tf.ones([3, 3, 3, 3]), filter=tf.zeros([0, 0, 3]), out_backprop=tf.ones([3, 2, 59, 3]),
        strides=[1, 40, 1, 1], rates=[1, 56, 56, 1], padding="VALID")
    expected = np.zeros([3, 3, 3, 3])
    expected[:, 0] = 1  # of 59 windows the first three begin in the image
    np.testing.assert_array_equal(tf.Session().run(gradient), expected)
