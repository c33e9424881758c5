"""Accumulators of gradients and barriers, which collect what several workers bring."""
import numpy as np
import tensorflow.compat.v1 as tf

from control_cases.common import case, feed, Step

raw = tf.raw_ops


def _dense(prefix, reduction):
    def op(name):
        return getattr(raw, prefix + name)

    acc = op("ConditionalAccumulator")(dtype=tf.float32, shape=[None, 2], reduction_type=reduction)
    x, step, n = feed(tf.float32, None), feed(tf.int64), feed(tf.int32)
    add = op("AccumulatorApplyGradient")(handle=acc, local_step=step, gradient=x)
    take = op("AccumulatorTakeGradient")(handle=acc, num_required=n, dtype=tf.float32)
    count = op("AccumulatorNumAccumulated")(handle=acc)
    set_step = op("AccumulatorSetGlobalStep")(handle=acc, new_global_step=step)

    def added(value, at, error=""):
        return Step(targets=[add], feeds={step: at, x: value}, error=error)

    return [
        added([1, 2, 3], 0, error=r"Shape mismatch: expected \[\?,2\], got \[3\]"),
        added([[1, 2]], 0), added([[1.5, 2]], 0), Step(count),
        added([[1, 2], [3, 4]], 0, error=r"Shape mismatch: expected \[1,2\], got \[2,2\]"), Step(count),
        Step(take, {n: 0}, error="Argument num_required must be positive, but was 0"),
        Step(take, {n: 2}), Step(count), added([[1, 2]], 0), Step(count),
        added([[1, 2]], 1), Step(count), Step(targets=[set_step], feeds={step: 5}),
        added([[1, 2]], 4), Step(count), added([[7, 2]], 5), Step(take, {n: 1}), Step(count),
        Step(targets=[set_step], feeds={step: 3}), added([[1, 2], [3, 4]], 3), Step(take, {n: 1}),
    ]


@case
def accumulator_of_averages():
    return _dense("", "MEAN")


@case
def accumulator_of_sums():
    return _dense("", "SUM")


@case
def accumulator_behind_a_resource():
    return _dense("Resource", "MEAN")


@case
def accumulator_types():
    steps = []
    for dtype in (tf.float16, tf.float64):
        acc = raw.ConditionalAccumulator(dtype=dtype, shape=[3])
        for last in (3.0, 4.0, 6.0):
            value = tf.constant([1, 2, last], dtype)
            steps.append(Step(targets=[raw.AccumulatorApplyGradient(handle=acc, local_step=0, gradient=value)]))
        steps.append(Step(raw.AccumulatorTakeGradient(handle=acc, num_required=3, dtype=dtype)))
    return steps


def _sparse(reduction):
    acc = raw.SparseConditionalAccumulator(dtype=tf.float32, shape=[None, 2], reduction_type=reduction)
    step, rows = feed(tf.int64), feed(tf.int64, None)
    values, shape = feed(tf.float32, None), feed(tf.int64, None)

    def apply(known):
        return raw.SparseAccumulatorApplyGradient(
            handle=acc, local_step=step, gradient_indices=rows, gradient_values=values,
            gradient_shape=shape, has_known_shape=known)

    known, unknown = apply(True), apply(False)
    take = raw.SparseAccumulatorTakeGradient(handle=acc, num_required=1, dtype=tf.float32)
    count = raw.AccumulatorNumAccumulated(handle=acc)

    def added(op, at, places, given, dims, error=""):
        feeds = {step: at, rows: places, values: given, shape: dims}
        return Step(targets=[op], feeds=feeds, error=error)

    return [
        added(known, 0, [0, 2], [[1, 2], [3, 4]], [5, 2]),
        added(known, 0, [2, 4], [[1, 2], [3, 4]], [5, 2]),
        added(unknown, 0, [1], [[1, 2]], []), Step(count),
        added(known, 0, [1], [[1, 2, 3]], [5, 3], "Shape mismatch: expected shape dim 1 to be 2, got 3"),
        added(known, 0, [1], [[1, 2, 3]], [5, 2], "Shape mismatch: expected values dim 1 to be 2, got 3"),
        added(known, 0, [1, 2], [[1, 2]], [5, 2], "Expected 2 non-empty input values, got 1"),
        added(known, 0, 1, [[1, 2]], [5, 2], "Input indices should be vector but received shape: "),
        added(known, 0, [1], 3, [5, 2], "Values cannot be 0-dimensional."), Step(count),
        added(known, 0, [2, 2], [[1, 2], [10, 20]], [5, 2]),
        added(known, 0, [3, 1], [[1, 2], [10, 20]], [5, 2]),
        added(known, 0, np.int64([]), np.zeros((0, 2)), [5, 2]), Step(count),
        Step(take), Step(count), added(known, 0, [1], [[1, 2]], [5, 2]), Step(count),
        added(unknown, 1, [1], [[1, 2]], []), added(unknown, 1, [3], [[1, 2]], []), Step(take),
    ]


@case
def sparse_accumulator_of_averages():
    return _sparse("MEAN")


@case
def sparse_accumulator_of_sums():
    return _sparse("SUM")


@case
def sparse_accumulator_of_any_shape():
    acc = raw.SparseConditionalAccumulator(dtype=tf.float64, shape=tf.TensorShape(None))
    add = raw.SparseAccumulatorApplyGradient(
        handle=acc, local_step=0, gradient_indices=[1, 4], gradient_values=np.float64([1, 2]),
        gradient_shape=[6], has_known_shape=True)
    take = raw.SparseAccumulatorTakeGradient(handle=acc, num_required=2, dtype=tf.float64)
    return [Step(targets=[add]), Step(targets=[add]), Step(take)]


@case
def barrier():
    b = raw.Barrier(component_types=[tf.float32, tf.string], shapes=[[], [2]])
    keys, x, y, n = feed(tf.string, [None]), feed(tf.float32, None), feed(tf.string, None), feed(tf.int32)
    first = raw.BarrierInsertMany(handle=b, keys=keys, values=x, component_index=0)
    second = raw.BarrierInsertMany(handle=b, keys=keys, values=y, component_index=1)
    far = raw.BarrierInsertMany(handle=b, keys=keys, values=x, component_index=7)
    wrong = raw.BarrierInsertMany(handle=b, keys=keys, values=x, component_index=1)
    types = [tf.float32, tf.string]

    def taking(**how):
        return list(raw.BarrierTakeMany(handle=b, num_elements=n, component_types=types, **how))

    def flat(outputs):
        return outputs[:2] + list(outputs[2])

    take, small = flat(taking()), flat(taking(allow_small_batch=True))
    close = raw.BarrierClose(handle=b)
    give_up = raw.BarrierClose(handle=b, cancel_pending_enqueues=True)
    sizes = [raw.BarrierReadySize(handle=b), raw.BarrierIncompleteSize(handle=b)]

    def put(op, names, value, error=""):
        return Step(targets=[op], feeds={keys: names, (y if op is second else x): value}, error=error)

    return [
        put(first, ["a", "b", "c"], [1, 2, 3]), Step(sizes),
        put(second, ["c", "x"], [["1", "2"], ["3", "4"]]), Step(sizes),
        put(first, ["a"], [1], "Key a already has a value for component 0 in barrier "),
        put(first, ["p", "p"], [1, 2], "Key p already has a value for component 0"), Step(sizes),
        put(first, ["c"], [9]), Step(sizes),
        put(far, ["q"], [1], "The component ID is out of range 7 > num_components"),
        put(wrong, ["q"], [1], "Signature mismatch, have: string_ref, string, float-> "
                               "expected: string_ref, string, string->"),
        put(second, ["b", "a"], [["1", "2"], ["3", "4"]]), Step(sizes), Step(take, {n: 2}), Step(sizes),
        Step(take, {n: 0}), put(first, ["x"], [5]), put(first, ["z"], [5]), Step(sizes),
        Step(targets=[close]), Step(targets=[close], error="Barrier '.*' is already closed."),
        put(first, ["new"], [5], "is closed, but attempted to insert a brand new key: new"),
        Step(take, {n: 30}, error=r"Barrier '.*' is closed and has insufficient elements "
                                  r"\(requested 30, total size 5\)"),
        Step(small, {n: 30}), Step(sizes), put(second, ["z"], [["1", "2"]]), Step(small, {n: 30}),
        Step(small, {n: 30}, error=r"\(requested 0, total size 0\)"),
        Step(targets=[give_up]), Step(sizes), Step(targets=[give_up], error="is already closed."),
        put(second, ["p"], [["1", "2"]], "is closed.  Pending enqueues cancelled: 1."),
        Step(take, {n: 1}, error=r"\(requested 1, total size 0\)"),
    ]


@case
def barrier_gives_older_keys_first():
    b = raw.Barrier(component_types=[tf.float32, tf.float32], shapes=[[], []])
    steps = []
    for component, keys in [(0, "a"), (0, "bc"), (1, "cb"), (0, "defg"), (1, "gaf"), (1, "de")]:
        values = np.arange(len(keys), dtype=np.float32)
        steps.append(Step(targets=[raw.BarrierInsertMany(handle=b, keys=list(keys), values=values,
                                                         component_index=component)]))
    out = raw.BarrierTakeMany(handle=b, num_elements=7, component_types=[tf.float32] * 2)
    return steps + [Step([out.indices, out.keys] + out.values)]


@case
def barrier_refuses():
    limited = raw.Barrier(component_types=[tf.float32], shapes=[[]], capacity=3)
    shapeless = raw.Barrier(component_types=[tf.float32])
    partial = raw.Barrier(component_types=[tf.float32], shapes=[[None]])
    one = raw.Barrier(component_types=[tf.float32], shapes=[[]], shared_name="one")
    other = raw.Barrier(component_types=[tf.int32], shapes=[[]], shared_name="one")
    return [Step(raw.BarrierReadySize(handle=b), error=error) for b, error in [
        (limited, "Barrier only accepts capacity=-1."),
        (shapeless, "All of the component shapes must be specified"),
        (partial, r"Shape \[\?\] is not fully defined"), (one, ""),
        (other, "'one' has component types float but requested component types were int32")]]
