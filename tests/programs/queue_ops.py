"""tf.queue: the four kinds of queues."""
import tensorflow as tf


def program_fifo():
    q = tf.FIFOQueue(10, tf.float32)
    put, many = q.enqueue(1.0), q.enqueue_many([[2.0, 3.0]])
    got, size = q.dequeue(), q.size()
    return [{"put": put}, {"many": many}, {"size": size}, {"got": got}, {"size": size},
            {"closed": q.is_closed()}, {"close": q.close()}, {"closed": q.is_closed(name="ic")}]


def program_fifo_properties():
    q = tf.FIFOQueue(10, [tf.float32, tf.int32], shapes=[[2], []], shared_name="s", name="qq")
    return {"dtypes": [d.name for d in q.dtypes], "shapes": [str(s) for s in q.shapes], "name": q.name,
            "names": str(q.names), "ref": q.queue_ref.name}


def program_fifo_names():
    q = tf.FIFOQueue(10, [tf.float32, tf.int32], shapes=[[2], []], names=["a", "b"], name="qq")
    put = q.enqueue({"a": [1.0, 2.0], "b": 3})
    many = q.enqueue_many({"b": [2, 3], "a": [[1.0, 2.0], [3.0, 4.0]]}, name="em")
    return [{"put": put}, {"many": many}, {"one": q.dequeue()}, {"up": q.dequeue_up_to(1, name="du")},
            {"many": q.dequeue_many(1)}, {"close": q.close(True, name="cc")}]


def program_fifo_shapes():
    q = tf.FIFOQueue(10, tf.float32, shapes=[3])
    n = tf.placeholder(tf.int32, [])
    tensors = [q.dequeue(), q.dequeue_many(2), q.dequeue_many(n), q.dequeue_up_to(2)]
    return {"shapes": [str(t.shape) for t in tensors]}


def program_fifo_several():
    q = tf.FIFOQueue(10, [tf.string, tf.int64])
    put = q.enqueue(["a", 1])
    with tf.control_dependencies([put]):
        got = q.dequeue()
    return {"got": got}


def program_fifo_in_scope():
    with tf.name_scope("input"):
        q = tf.FIFOQueue(3, tf.int32, shapes=[[]])
        with tf.control_dependencies([q.enqueue_many([[1, 2, 3]])]):
            got = q.dequeue_many(3)
    return {"got": got, "name": q.name, "other": tf.identity(q.size())}


def program_queue_tensor_values():
    q = tf.FIFOQueue(10, tf.float32)
    x = tf.constant([1.0, 2.0])
    return [{"put": q.enqueue(x)}, {"put": q.enqueue([x * 2.0])}, {"a": q.dequeue()}, {"b": q.dequeue()}]


def program_padding():
    q = tf.PaddingFIFOQueue(10, [tf.float32], shapes=[[None, 2]])
    a, b = q.enqueue([[[1.0, 2.0]]]), q.enqueue([[[1.0, 2.0], [3.0, 4.0]]])
    got = q.dequeue_many(2)
    return [{"a": a}, {"b": b}, {"got": got, "shape": str(got.shape), "one": str(q.dequeue().shape)}]


def program_priority():
    q = tf.PriorityQueue(10, [tf.string], shapes=[()])
    put = q.enqueue_many([[3, 1, 2], ["c", "a", "b"]])
    return [{"put": put}, {"one": q.dequeue()}, {"rest": q.dequeue_many(2)},
            {"dtypes": [d.name for d in q.dtypes], "shapes": [str(s) for s in q.shapes],
             "put": q.enqueue([4, "d"])}]


def program_random_shuffle():
    q = tf.RandomShuffleQueue(20, 0, tf.int32, shapes=[()], seed=3)
    put = q.enqueue_many([list(range(10))])
    return [{"put": put}, {"got": q.dequeue_many(5)}, {"one": q.dequeue()}]


def program_random_shuffle_graph_seed():
    tf.set_random_seed(5)
    q = tf.RandomShuffleQueue(20, 2, [tf.int32, tf.string], shapes=[(), ()])
    tf.RandomShuffleQueue(20, 2, tf.int32, shared_name="abc", name="shared")
    put = q.enqueue_many([[1, 2, 3], ["a", "b", "c"]])
    return [{"put": put}, {"got": q.dequeue()}]


def program_random_shuffle_shared_without_seed():
    tf.RandomShuffleQueue(20, 2, tf.int32, shared_name="abc")
    return {}


def program_from_list():
    first = tf.FIFOQueue(10, tf.float32, shapes=[[2]], name="first")
    second = tf.FIFOQueue(10, tf.float32, shapes=[[3]], name="second")
    chosen = tf.QueueBase.from_list(tf.constant(1), [first, second])
    other = tf.queue.QueueBase.from_list(0, [first, second])
    return [{"shapes": [str(s) for s in chosen.shapes], "name": chosen.name,
             "put": second.enqueue([[1.0, 2.0, 3.0]])}, {"got": chosen.dequeue(), "size": other.size()}]


def program_queue_base():
    q = tf.FIFOQueue(10, [tf.int32], name="own")
    same = tf.QueueBase([tf.int32], [tf.TensorShape([])], None, q.queue_ref)
    return [{"put": q.enqueue(3)}, {"got": same.dequeue(), "same": isinstance(q, tf.QueueBase)}]


def program_conditional_accumulator():
    a = tf.ConditionalAccumulator(tf.float32, shape=[2])
    return [{"step": a.set_global_step(1), "name": a.name, "dtype": a.dtype.name},
            {"a": a.apply_grad([1.0, 2.0], local_step=1)}, {"b": a.apply_grad([3.0, 4.0], 2, name="ap")},
            {"old": a.apply_grad([100.0, 100.0])}, {"n": a.num_accumulated()},
            {"mean": a.take_grad(2, name="t")}]


def program_conditional_accumulator_sum():
    a = tf.ConditionalAccumulator(tf.float32, name="acc", reduction_type="SUM", shared_name="sh")
    x = tf.constant([1.0, 2.0, 3.0])
    return [{"a": a.apply_grad(x)}, {"b": a.apply_grad(x * 2.0)}, {"sum": a.take_grad(2)}]


def program_sparse_accumulator():
    a = tf.SparseConditionalAccumulator(tf.float32, shape=[None, 2])
    return [{"a": a.apply_grad([0, 1], [[1.0, 2.0], [3.0, 4.0]], [2, 2]), "name": a.name},
            {"b": a.apply_indexed_slices_grad(tf.IndexedSlices(
                tf.constant([[5.0, 6.0]]), tf.constant([1], tf.int64), tf.constant([2, 2], tf.int64)))},
            {"n": a.num_accumulated()}, {"taken": list(a.take_grad(1))},
            {"c": a.apply_grad(tf.constant([0]), tf.constant([[1.0, 1.0]]), local_step=5, name="g")},
            {"slices": a.take_indexed_slices_grad(1).values}, {"step": a.set_global_step(4)}]
