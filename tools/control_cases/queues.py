"""Queues: several runs on one session put elements in and take them out."""
import numpy as np
import tensorflow.compat.v1 as tf

from control_cases.common import case, feed, Step

raw = tf.raw_ops


def _ops(version):
    """The queue ops of a version by their short names."""
    def find(name):
        return getattr(raw, name + version)
    return find


def _orders(version):
    op = _ops(version)
    q = op("FIFOQueue")(component_types=[tf.int32, tf.float32], shapes=[[], [2]], capacity=10)
    x, y = feed(tf.int32, None), feed(tf.float32, None)
    many = op("QueueEnqueueMany")(handle=q, components=[x, y])
    one = op("QueueEnqueue")(handle=q, components=[x, y])
    n = feed(tf.int32)
    types = [tf.int32, tf.float32]
    out = op("QueueDequeue")(handle=q, component_types=types)
    outs = op("QueueDequeueMany")(handle=q, n=n, component_types=types)
    up_to = op("QueueDequeueUpTo")(handle=q, n=n, component_types=types)
    size, closed = op("QueueSize")(handle=q), op("QueueIsClosed")(handle=q)
    close = op("QueueClose")(handle=q)
    rows = np.arange(8, dtype=np.float32).reshape(4, 2)
    return [
        Step([size, closed]),
        Step(targets=[one], feeds={x: 7, y: [1, 2]}),
        Step(targets=[many], feeds={x: [1, 2, 3, 4], y: rows}),
        Step(size), Step(out), Step(outs, {n: 2}), Step(outs, {n: 0}), Step(size),
        Step(targets=[one], feeds={x: 7, y: [1, 2, 3]}, error=r"component 1. Expected \[2\], got \[3\]"),
        Step(targets=[many], feeds={x: [7, 8], y: [[1, 2]]},
             error=r"component 1. Expected \[2,2\], got \[1,2\]"),
        Step(outs, {n: -1}, error="DequeueManyOp requested -1 < 0 elements"),
        Step(up_to, {n: -1}, error="DequeueUpToOp requested -1 < 0 elements"),
        Step(targets=[close]), Step(closed),
        Step(targets=[one], feeds={x: 7, y: [1, 2]}, error="FIFOQueue '.*' is closed."),
        Step(targets=[close], error="Queue '.*' is already closed."),
        Step(outs, {n: 3}, error=r"FIFOQueue '.*' is closed and has insufficient elements "
                                 r"\(requested 3, current size 2\)"),
        Step(up_to, {n: 3}), Step(up_to, {n: 0}),
        Step(up_to, {n: 3}, error=r"\(requested 3, current size 0\)"),
        Step(out, error=r"\(requested 1, current size 0\)"),
        Step(targets=[many], feeds={x: [], y: np.zeros((0, 2))}),
    ]


@case
def queue_in_order():
    return _orders("V2")


@case
def older_queue_in_order():
    return _orders("")


@case
def queue_waits_within_a_step():
    # More than fits at once: those who put and those who take wait for each other.
    q = tf.FIFOQueue(2, [tf.int32], [[]])
    into = q.enqueue_many([list(range(7))])
    return [Step([q.dequeue_many(5)], targets=[into]), Step(q.dequeue_many(2)), Step(q.size())]


@case
def queue_close_waits_for_enqueues():
    q = tf.FIFOQueue(1, [tf.string], [[]])
    first = q.enqueue("a")
    with tf.control_dependencies([first]):
        closed = q.close()
    with tf.control_dependencies([closed]):
        up_to = q.dequeue_up_to(3)
    return [Step(up_to), Step(q.is_closed()), Step(q.dequeue(), error="current size 0")]


@case
def queue_of_priorities():
    q = tf.PriorityQueue(20, [tf.int32], [[]])
    p = feed(tf.int64, None)
    bad = raw.QueueEnqueueV2(handle=q.queue_ref, components=[p, 1])
    rows = q.enqueue_many([[3, 1, 1, 2, 1, 3, 3, 2, 1, 1], list(range(10))])
    return ([Step(targets=[rows])] + [Step(q.dequeue()) for _ in range(4)] + [
        Step(q.dequeue_many(3)),
        Step(targets=[bad], feeds={p: [1]}, error=r"component 0. Expected \[\], got \[1\]"),
        Step(targets=[rows]), Step(q.dequeue_many(13))])


@case
def older_queue_of_priorities():
    q = raw.PriorityQueue(component_types=[tf.string], shapes=[[]])
    into = raw.QueueEnqueueMany(handle=q, components=[np.int64([2, 1]), ["b", "a"]])
    return [Step(targets=[into]),
            Step(raw.QueueDequeue(handle=q, component_types=[tf.int64, tf.string]))]


@case
def queue_in_random_order():
    steps = []
    for seed, seed2 in [(1, 0), (7, 11), (87654321, 5)]:
        q = raw.RandomShuffleQueueV2(component_types=[tf.int32], shapes=[[]], seed=seed, seed2=seed2,
                                     min_after_dequeue=3)
        into = raw.QueueEnqueueManyV2(handle=q, components=[list(range(30))])
        out = raw.QueueDequeueV2(handle=q, component_types=[tf.int32])
        outs = raw.QueueDequeueManyV2(handle=q, n=7, component_types=[tf.int32])
        close = raw.QueueCloseV2(handle=q)
        rest = raw.QueueDequeueUpToV2(handle=q, n=50, component_types=[tf.int32])
        steps += [Step(targets=[into])] + [Step(out)] * 6 + [Step(outs)] * 2
        steps += [Step(targets=[close]), Step(rest)]
    return steps


@case
def older_queue_in_random_order():
    q = raw.RandomShuffleQueue(component_types=[tf.int32], shapes=[[]], seed=4)
    into = raw.QueueEnqueueMany(handle=q, components=[list(range(30))])
    return [Step(targets=[into]),
            Step(raw.QueueDequeueMany(handle=q, n=9, component_types=[tf.int32]))]


@case
def queue_with_padding():
    q = tf.PaddingFIFOQueue(20, [tf.int32, tf.string], [[None], [None, 2]])
    x, y = feed(tf.int32, None), feed(tf.string, None)
    one = raw.QueueEnqueueV2(handle=q.queue_ref, components=[x, y])
    many = raw.QueueEnqueueManyV2(handle=q.queue_ref, components=[x, y])
    return [
        Step(targets=[one], feeds={x: [1, 2], y: [["a", "b"]]}),
        Step(targets=[one], feeds={x: np.int32([]), y: [["a", "b"], ["c", "d"]]}),
        Step(q.dequeue_many(0)), Step(q.dequeue_many(2)),
        Step(targets=[many], feeds={x: [[1, 2], [3, 4]], y: [[["a", "b"]]] * 2}),
        Step(q.dequeue()),
        Step(targets=[one], feeds={x: 1, y: [["a", "b"]]}, error=r"component 0. Expected \[\?\], got \[\]"),
        Step(targets=[many], feeds={x: [[1], [2]], y: [[["a", "b", "c"]]] * 2},
             error=r"component 1. Expected \[2,\?,2\], got \[2,1,3\]"),
        Step(targets=[q.close()]), Step(q.dequeue_up_to(2)),
        Step(q.dequeue_up_to(2), error=r"PaddingFIFOQueue '.*\(requested 2, current size 0\)"),
    ]


@case
def older_queue_with_padding():
    q = raw.PaddingFIFOQueue(component_types=[tf.float32], shapes=[[None, None]])
    steps = []
    for rows, columns in [(1, 3), (2, 1), (0, 0)]:
        value = np.ones((rows, columns), np.float32)
        steps.append(Step(targets=[raw.QueueEnqueue(handle=q, components=[value])]))
    return steps + [Step(raw.QueueDequeueMany(handle=q, n=3, component_types=[tf.float32]))]


@case
def queue_under_two_names():
    q = tf.FIFOQueue(5, [tf.int32], [[]], shared_name="both")
    old = raw.FakeQueue(resource=q.queue_ref)
    same = tf.FIFOQueue(5, [tf.int32], [[]], shared_name="both")
    other = tf.FIFOQueue(6, [tf.int32], [[]], shared_name="both")
    types = tf.FIFOQueue(5, [tf.int64], [[]], shared_name="both")
    shapes = tf.FIFOQueue(5, [tf.int32], [[1]], shared_name="both")
    return [
        Step(targets=[q.enqueue(3)]), Step(raw.QueueSize(handle=old)), Step(same.dequeue()),
        Step(other.size(), error="'both' has capacity 5 but requested capacity was 6"),
        Step(types.size(), error="has component types int32 but requested component types were int64"),
        Step(shapes.size(), error=r"component shapes \[\[\]\] but requested component shapes were \[\[1\]\]"),
    ]


@case
def queue_refuses():
    q = tf.FIFOQueue(5, [tf.int32, tf.float32], name="q")
    ref, x = q.queue_ref, feed(tf.int32, None)
    few = raw.QueueEnqueueV2(handle=ref, components=[1])
    wrong = raw.QueueEnqueueV2(handle=ref, components=[1.0, 1.0])
    out = raw.QueueDequeueV2(handle=ref, component_types=[tf.float32, tf.float32])
    many = raw.QueueDequeueManyV2(handle=ref, n=1, component_types=[tf.int32, tf.float32])
    rows = raw.QueueEnqueueManyV2(handle=ref, components=[x, [1.0]])
    late = raw.QueueEnqueueV2(handle=ref, components=[1, 1.0], timeout_ms=5)
    none = raw.FIFOQueueV2(component_types=[tf.int32], shapes=[[], []])
    some = raw.FIFOQueueV2(component_types=[tf.int32], shapes=[[None]])
    pads = raw.PaddingFIFOQueueV2(component_types=[tf.int32], shapes=[])
    low = raw.RandomShuffleQueueV2(component_types=[tf.int32], min_after_dequeue=-1)
    high = raw.RandomShuffleQueueV2(component_types=[tf.int32], min_after_dequeue=5, capacity=5)
    return [
        Step(targets=[few], error="Signature mismatch, have: resource, int32-> "
                                  "expected: resource, int32, float->"),
        Step(targets=[wrong], error="have: resource, float, float-> expected: resource, int32, float->"),
        Step(out, error="have: resource->float, float expected: resource->int32, float"),
        Step(many, error="FIFOQueue's DequeueMany and DequeueUpTo require the components"),
        Step(targets=[rows], feeds={x: [1, 2]}, error="same size in the 0th|Shape mismatch"),
        Step(targets=[late], error="Timeout not supported yet."),
        Step(none, error="Different number of component types.  Types: int32, Shapes: "),
        Step(some, error=r"Shape \[\?\] is not fully defined"),
        Step(pads, error="Shapes must be provided for all components, but received 1 dtypes and 0"),
        Step(low, error="min_after_dequeue -1 must be >= 0"),
        Step(high, error="min_after_dequeue 5 must be < capacity 5"),
    ]
