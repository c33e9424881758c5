"""Staging areas. TensorFlow's block their thread when they must wait, so nothing here waits."""
import numpy as np
import tensorflow.compat.v1 as tf

from control_cases.common import case, feed, Step

raw = tf.raw_ops
TYPES = [tf.int32, tf.float32]


@case
def staging_area():
    named = dict(shared_name="area", capacity=3)
    x = feed(tf.int32)
    put = raw.Stage(values=[x, 2.5], **named)
    out, peek = raw.Unstage(dtypes=TYPES, **named), raw.StagePeek(index=1, dtypes=TYPES, **named)
    size, clear = raw.StageSize(dtypes=TYPES, **named), raw.StageClear(dtypes=TYPES, **named)
    wrong = raw.Unstage(dtypes=[tf.float32, tf.float32], **named)
    few = raw.Unstage(dtypes=[tf.int32], **named)
    return [
        Step(size), Step(targets=[put], feeds={x: 1}), Step(targets=[put], feeds={x: 2}),
        Step(targets=[put], feeds={x: 3}), Step(size), Step(peek), Step(out), Step(peek), Step(out),
        Step(size), Step(targets=[clear]), Step(size),
        Step(targets=[put], feeds={x: 1}), Step(wrong, error="does not match declared output type float"),
        Step(targets=[put], feeds={x: 1}), Step(few, error="Mismatch stage/unstage: 2 vs. 1"), Step(size),
    ]


@case
def staging_area_with_a_limit():
    named = dict(shared_name="small", memory_limit=50)
    big = raw.Stage(values=[np.zeros(100, np.float32)], **named)
    fits = raw.Stage(values=[np.zeros(10, np.float32)], **named)
    return [Step(targets=[fits]), Step(raw.StageSize(dtypes=[tf.float32], **named)),
            Step(targets=[big], error="Attempted to insert tensors with combined size of '400' bytes "
                                      "into Staging Area with a memory limit of '50'.")]


def _map(kind):
    def op(name, **rest):
        return getattr(raw, kind + name)(shared_name=kind, **rest)

    key, x, indices = feed(tf.int64), feed(tf.int32), feed(tf.int32, [None])
    put = op("Stage", key=key, indices=indices, values=[x, 2.5], dtypes=TYPES)
    first = op("Stage", key=key, indices=indices, values=[x], dtypes=TYPES)
    second = op("Stage", key=key, indices=indices, values=[1.5], dtypes=TYPES)
    get = op("Unstage", key=key, indices=indices, dtypes=TYPES)
    part = op("Unstage", key=key, indices=indices, dtypes=[tf.float32])
    peek = op("Peek", key=key, indices=indices, dtypes=TYPES)
    any_key, values = op("UnstageNoKey", indices=indices, dtypes=TYPES)
    sizes = [op("Size", dtypes=TYPES), op("IncompleteSize", dtypes=TYPES)]
    both, one = [0, 1], [1]
    steps = [Step(targets=[put], feeds={key: k, x: k % 10, indices: both})
             for k in (5, 100, 3, 9, -4, 1000000007)]
    steps += [
        Step(sizes), Step(targets=[put], feeds={key: 5, x: 77, indices: both}), Step(sizes),
        Step(peek, {key: 5, indices: both}), Step(get, {key: 9, indices: both}), Step(sizes),
        Step(targets=[second], feeds={key: 7, indices: one}), Step(sizes),
        Step(targets=[second], feeds={key: 7, indices: one},
             error="The tensor for index '1' for key '7' was already initialized '2'."),
        Step(targets=[first], feeds={key: 7, x: 8, indices: [0]}), Step(sizes),
        Step(get, {key: 7, indices: [1, 0]}, error="Indices are not strictly ordered"),
        Step(part, {key: 7, indices: one}), Step(sizes),
        Step(peek, {key: 7, indices: both}, error="Tensor at index '1' for key '7' has already been removed."),
        Step(part, {key: 7, indices: [9]}, error="Index '9' .*was out of bounds '2'."),
        Step(part, {key: 5, indices: [0]}, error="does not match declared output type float"),
    ]
    steps += [Step(targets=[op("Clear", dtypes=TYPES)]), Step(sizes)]
    steps += [Step(targets=[put], feeds={key: k, x: k % 10, indices: both}) for k in (50, 12, 31, -9)]
    return steps + [Step([any_key] + values, {indices: both})] * 4 + [Step(sizes)]


@case
def staging_map():
    return _map("Map")


@case
def staging_map_in_order():
    return _map("OrderedMap")
