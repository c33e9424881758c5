"""Input producers and batches by way of queues: their nodes, and what one round of them makes."""
import tensorflow as tf


def runners():
    return [str(runner.to_proto()) for runner in tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)]


def known(*tensors, **more):
    """What is to be compared without running threads."""
    tensors = [part for tensor in tensors
               for part in ([tensor.indices, tensor.values, tensor.dense_shape]
                            if isinstance(tensor, tf.SparseTensor) else [tensor])]
    return dict(runners=runners(), names=[t.name for t in tensors], shapes=[str(t.shape) for t in tensors],
                summaries=[s.name for s in tf.get_collection(tf.GraphKeys.SUMMARIES)], **more)


def filled(batch, step=()):
    """The batch after its queue was filled by hand, as the threads would do it."""
    fill = [op for runner in tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS) for op in runner.enqueue_ops]
    return [dict(known(*(batch if isinstance(batch, (list, tuple)) else [batch])), fill=fill)] + [
        dict(fill=fill)] * 3 + [dict(batch=batch)]


def program_input_producer():
    queue = tf.train.input_producer([[1, 2], [3, 4]], shuffle=False)
    return filled(queue.dequeue())


def program_input_producer_named():
    queue = tf.train.input_producer([[1.0, 2.0]], num_epochs=7, shuffle=True, seed=4, capacity=5, shared_name="s",
                                    summary_name="hey", name="foo")
    return known(queue.queue_ref)


def program_input_producer_element_shape():
    rows = tf.placeholder(tf.float32, [None, None])
    queue = tf.train.input_producer(rows, element_shape=[3], shuffle=False)
    return known(queue.dequeue())


def program_input_producer_cancel_op():
    cancel = tf.no_op(name="cancel")
    queue = tf.train.input_producer([1, 2], cancel_op=cancel)
    return known(queue.queue_ref)


def program_string_input_producer():
    queue = tf.train.string_input_producer(["a", "b"], shuffle=False)
    return filled(queue.dequeue())


def program_string_input_producer_epochs():
    queue = tf.train.string_input_producer(tf.constant(["a", "b", "c"]), num_epochs=2, name="files")
    return known(queue.dequeue(), local=[v.name for v in tf.local_variables()])


def program_string_input_producer_shuffled():
    queue = tf.train.string_input_producer(["a", "b"], seed=3, capacity=9, shared_name="shared")
    return known(queue.dequeue())


def program_range_input_producer():
    queue = tf.train.range_input_producer(5, shuffle=False)
    return filled(queue.dequeue_many(4))


def program_range_input_producer_tensor():
    queue = tf.train.range_input_producer(tf.placeholder_with_default(3, []), num_epochs=1, name="numbers")
    return known(queue.dequeue())


def program_slice_input_producer():
    rows = tf.train.slice_input_producer([[1, 2, 3], [[1.0], [2.0], [3.0]]], shuffle=False)
    return filled(rows)


def program_slice_input_producer_named():
    rows = tf.train.slice_input_producer([tf.constant([1, 2, 3])], num_epochs=3, seed=1, capacity=4, name="rows")
    return known(*rows)


def program_limit_epochs():
    limited = tf.train.limit_epochs(tf.constant([1, 2]), 3)
    return [dict(limited=limited), dict(limited=limited, epochs=tf.local_variables()[0].value())]


def program_limit_epochs_named():
    tensor = tf.constant(1.0)
    with tf.name_scope("outer"):
        limited = tf.train.limit_epochs(tensor, 2, name="some")
    return dict(limited=limited, same=tf.train.limit_epochs(tensor) is tensor)


def program_match_filenames_once():
    names = tf.train.match_filenames_once("/nowhere/*.txt")
    named = tf.io.match_filenames_once(["/nowhere/a", "/nowhere/b"], name="mine")
    return dict(names=names.name, named=named.name, local=[v.name for v in tf.local_variables()],
                found=tf.identity(names.initialized_value() if False else names.initial_value))


def program_batch():
    return filled(tf.train.batch([tf.constant(1.0), tf.constant([1, 2])], 4))


def program_batch_single():
    return filled(tf.train.batch([tf.constant(1.0)], 2, num_threads=3))


def program_batch_dict():
    batch = tf.train.batch({"b": tf.constant([1.0]), "a": tf.constant(2)}, 3, capacity=10, name="both")
    return filled([batch["a"], batch["b"]])


def program_batch_dict_of_one():
    return dict(keys=sorted(tf.train.batch({"x": tf.constant(1.0)}, 2)))


def program_batch_enqueue_many():
    return filled(tf.train.batch([tf.constant([1.0, 2.0]), tf.constant([[1], [2]])], 3, enqueue_many=True))


def program_batch_smaller_final():
    return known(tf.train.batch([tf.constant(1.0)], 3, allow_smaller_final_batch=True))


def program_batch_dynamic_pad():
    lines = tf.placeholder_with_default([1, 2], [None])
    return filled(tf.train.batch([lines], 2, dynamic_pad=True))


def program_batch_shapes():
    x = tf.placeholder_with_default([1.0, 2.0], None)
    return filled(tf.train.batch([x], 2, shapes=[[2]], shared_name="shared"))


def program_batch_size_tensor():
    return filled(tf.train.batch([tf.constant(1.0)], tf.placeholder_with_default(2, [])))


def program_batch_values():
    return filled(tf.train.batch([1.0, "a"], 2))


def program_batch_sparse():
    return known(*tf.train.batch([tf.SparseTensor([[0]], [1.0], [3]), tf.constant(1)], 4))


def program_batch_sparse_single():
    return known(tf.train.batch([tf.SparseTensor([[0]], [1.0], [3])], 4))


def program_batch_sparse_many():
    return known(tf.train.batch([tf.SparseTensor([[0, 0], [1, 1]], [1.0, 2.0], [2, 3])], 4, enqueue_many=True))


def program_batch_join():
    return filled(tf.train.batch_join([[tf.constant(1.0), 1], [tf.constant(2.0), 2]], 4))


def program_batch_join_dicts():
    batch = tf.train.batch_join([{"x": tf.constant(1.0)}, {"x": tf.constant(2.0)}], 2, name="joined")
    return known(batch["x"])


def program_batch_join_sparse():
    return known(tf.train.batch_join([[tf.SparseTensor([[0]], [1.0], [3])], [tf.SparseTensor([[1]], [1.0], [3])]], 4))


def program_batch_join_pad():
    lines = [[tf.placeholder_with_default([1, 2], [None])], [tf.placeholder_with_default([3], [None])]]
    return known(tf.train.batch_join(lines, 2, dynamic_pad=True, allow_smaller_final_batch=True))


def program_maybe_batch_constant():
    return filled(tf.train.maybe_batch([tf.constant(1.0)], True, 2))


def program_maybe_batch_never():
    return known(tf.train.maybe_batch([tf.constant(1.0)], False, 2))


def program_maybe_batch():
    keep = tf.placeholder_with_default(True, [])
    return filled(tf.train.maybe_batch([tf.constant(1.0), tf.constant(2)], keep, 2))


def program_maybe_batch_rows():
    keep = tf.placeholder_with_default([True, False], [2])
    return filled(tf.train.maybe_batch([tf.constant([1.0, 2.0]), tf.constant([3, 4])], keep, 2, enqueue_many=True))


def program_maybe_batch_sparse():
    keep = tf.placeholder_with_default(True, [])
    return known(tf.train.maybe_batch([tf.SparseTensor([[0]], [1.0], [3])], keep, 4))


def program_maybe_batch_sparse_many():
    keep = tf.placeholder_with_default(True, [])
    return known(tf.train.maybe_batch([tf.SparseTensor([[0, 0]], [1.0], [3, 3])], keep, 4, enqueue_many=True))


def program_maybe_batch_sparse_rows():
    keep = tf.placeholder_with_default([True, False, True], [3])
    return known(tf.train.maybe_batch([tf.SparseTensor([[0, 0]], [1.0], [3, 3])], keep, 4, enqueue_many=True))


def program_maybe_batch_join():
    keep = tf.placeholder_with_default(True, [])
    return known(tf.train.maybe_batch_join([[tf.constant(1.0)], [tf.constant(2.0)]], keep, 2))


def program_shuffle_batch():
    return filled(tf.train.shuffle_batch([tf.constant(1.0)], 2, 20, 1))


def program_shuffle_batch_options():
    return known(tf.train.shuffle_batch({"x": tf.constant([1.0])}, 4, 20, 5, num_threads=2, seed=3,
                                        allow_smaller_final_batch=True, shared_name="s", name="mixed")["x"])


def program_shuffle_batch_many():
    return known(*tf.train.shuffle_batch([tf.constant([1.0, 2.0]), tf.constant([1, 2])], 4, 20, 5, enqueue_many=True))


def program_shuffle_batch_join():
    return known(tf.train.shuffle_batch_join([[tf.constant(1.0)], [tf.constant(2.0)]], 4, 20, 5, seed=3, name="hi"))


def program_maybe_shuffle_batch():
    return known(tf.train.maybe_shuffle_batch([tf.constant(1.0)], 4, 20, 5, tf.placeholder_with_default(True, [])))


def program_maybe_shuffle_batch_join():
    return known(tf.train.maybe_shuffle_batch_join([[tf.constant(1.0)], [tf.constant(2.0)]], 4, 20, 5,
                                                   tf.placeholder_with_default(False, [])))


def program_queue_runner_proto():
    queue = tf.FIFOQueue(10, tf.float32, name="q")
    with tf.name_scope("fill"):
        runner = tf.train.QueueRunner(queue, [queue.enqueue([1.0])] * 2,
                                      queue_closed_exception_types=(tf.errors.OutOfRangeError, tf.errors.CancelledError))
    again = tf.train.QueueRunner.from_proto(runner.to_proto())
    tf.train.add_queue_runner(runner)
    tf.train.add_queue_runner(again, "others")
    return dict(proto=str(runner.to_proto()), again=str(again.to_proto()), name=runner.name, other=again.name,
                enqueue=[op.name for op in again.enqueue_ops], close=again.close_op.name, cancel=again.cancel_op.name,
                types=[kind.__name__ for kind in again.queue_closed_exception_types],
                count=[len(tf.get_collection("queue_runners")), len(tf.get_collection("others"))])


def program_queue_runner_scopes():
    with tf.name_scope("a"):
        queue = tf.FIFOQueue(10, tf.float32, name="q")
        runner = tf.train.QueueRunner(queue, [queue.enqueue([1.0])], close_op=tf.no_op(name="close"))
    inside = runner.to_proto(export_scope="a")
    return dict(inside=str(inside), outside=runner.to_proto(export_scope="b") is None,
                back=str(tf.train.QueueRunner.from_proto(inside, import_scope="a").to_proto()))
