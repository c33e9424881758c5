"""The graphs of control_graphs.py: each function builds one and returns its steps."""
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python.ops import gen_control_flow_ops as flow
from tensorflow.python.ops import gen_data_flow_ops as data_flow

from control_graphs import Step

CASES = {}


def case(build):
    CASES[build.__name__] = build
    return build


def feed(dtype=tf.float32, shape=()):
    return tf.placeholder(dtype, shape)


def numbers(*shape, start=1.0, step=0.5):
    count = int(np.prod(shape))
    return (start + step * np.arange(count)).astype(np.float32).reshape(shape)


def both_ways(pred, fetches, feeds=None):
    return [Step(fetches, {**(feeds or {}), pred: value}) for value in (True, False)]


def sweep(tensor, values, fetches, feeds=None):
    return [Step(fetches, {**(feeds or {}), tensor: value}) for value in values]


# --- Branches ----------------------------------------------------------------------------------

@case
def cond_arithmetic():
    x, y = feed(), feed()
    z = tf.cond(x < y, lambda: x + y, lambda: x * y)
    return [Step(z, {x: a, y: b}) for a, b in ((1, 2), (3, 2), (2, 2))]


@case
def cond_constants():
    p = feed(tf.bool)
    return both_ways(p, tf.cond(p, lambda: tf.constant([1, 2]), lambda: tf.constant([3])))


@case
def cond_several_results():
    p, x = feed(tf.bool), feed(shape=[2])
    a, (b, c) = tf.cond(p, lambda: (x, [x + 1, tf.reduce_sum(x)]),
                        lambda: (x * 2, [x - 1, tf.reduce_max(x)]))
    return both_ways(p, [a, b, c], {x: [3, 4]})


@case
def cond_nested():
    x = feed(tf.int32)
    y = tf.cond(x < 10, lambda: tf.cond(x < 5, lambda: x * 2, lambda: x * 3),
                lambda: tf.cond(x < 15, lambda: x * 4, lambda: x * 5))
    return sweep(x, (1, 7, 12, 20), y)


@case
def cond_on_a_constant():
    x = feed()
    return [Step([tf.cond(tf.constant(True), lambda: x + 1, lambda: x - 1),
                  tf.cond(tf.constant(False), lambda: x + 1, lambda: x - 1)], {x: 5})]


@case
def cond_ops_only():
    p = feed(tf.bool)
    v = tf.Variable(1.0)
    change = tf.cond(p, lambda: tf.group(v.assign_add(10.0)), lambda: tf.group(v.assign_sub(1.0)))
    init = tf.global_variables_initializer()
    ops = [change if isinstance(change, tf.Operation) else change.op]
    return [Step(targets=[init]), Step(targets=ops, feeds={p: True}), Step(v),
            Step(targets=ops, feeds={p: False}), Step(v)]


@case
def cond_assigns_a_reference():
    p = feed(tf.bool)
    v = tf.Variable([1.0, 2.0])
    w = tf.cond(p, lambda: tf.assign_add(v, [1.0, 1.0]), lambda: tf.assign_sub(v, [5.0, 5.0]))
    return [Step(targets=[v.initializer]), *both_ways(p, w), *both_ways(p, w), Step(v)]


@case
def cond_reads_a_resource():
    p = feed(tf.bool)
    v = tf.Variable([1.0, 2.0], use_resource=True)
    w = tf.cond(p, lambda: v.assign_add([1.0, 1.0]).op, lambda: tf.no_op())
    with tf.control_dependencies([w]):
        now = v.read_value()
    return [Step(targets=[v.initializer]), *both_ways(p, now)]


@case
def cond_control_inside():
    p, x = feed(tf.bool), feed()
    v = tf.Variable(0.0)

    def counted():
        with tf.control_dependencies([v.assign_add(1.0)]):
            return tf.identity(x)

    y = tf.cond(p, counted, lambda: -x)
    return [Step(targets=[v.initializer]), *both_ways(p, y, {x: 3}), *both_ways(p, y, {x: 4}),
            Step(v)]


@case
def cond_untaken_branch_would_fail():
    x = feed(tf.int32)

    def checked():
        with tf.control_dependencies([tf.Assert(x < 0, ["not negative:", x])]):
            return -x

    y = tf.cond(x < 5, lambda: x + 100, checked)
    return [Step(y, {x: 1}), Step(y, {x: 9}, error="assertion failed: .*not negative")]


@case
def cond_shared_predicate():
    p, x = feed(tf.bool), feed()
    a = tf.cond(p, lambda: x + 1, lambda: x + 2)
    b = tf.cond(p, lambda: a * 3, lambda: a * 4)
    c = tf.cond(tf.logical_not(p), lambda: a + b, lambda: a - b)
    return both_ways(p, [a, b, c], {x: 1.5})


@case
def cond_of_strings():
    p, s = feed(tf.bool), feed(tf.string)
    y = tf.cond(p, lambda: tf.identity(s), lambda: tf.constant("no"))
    return both_ways(p, y, {s: "yes"})


@case
def case_first_true():
    x = feed(tf.int32)
    y = tf.case([(x < 1, lambda: tf.constant(10)), (x < 2, lambda: tf.constant(20)),
                 (x < 3, lambda: x * 100)], default=lambda: tf.constant(-1))
    return sweep(x, (0, 1, 2, 3), y)


@case
def case_exclusive():
    x = feed(tf.int32)
    y = tf.case({tf.less(x, 2): lambda: tf.constant(1), tf.greater(x, 0): lambda: tf.constant(2)},
                exclusive=True)
    return sweep(x, (0, 5), y)


@case
def merge_tells_the_index():
    p, x = feed(tf.bool), feed()
    f, t = flow.switch(x, p)
    merged = flow.merge([tf.negative(f), tf.square(t)])
    return both_ways(p, [merged.output, merged.value_index], {x: 3})


@case
def merge_of_four():
    a, b, x = feed(tf.bool), feed(tf.bool), feed()
    f, t = flow.switch(x, a)
    ff, ft = flow.switch(f, b)
    tf_, tt = flow.switch(t, b)
    merged = flow.merge([ff + 1, ft + 2, tf_ + 3, tt + 4])
    return [Step([merged.output, merged.value_index], {a: i, b: j, x: 10})
            for i in (True, False) for j in (True, False)]


@case
def dead_through_many_nodes():
    p, x = feed(tf.bool), feed()
    f, t = flow.switch(x, p)
    for _ in range(20):
        f, t = f + 1, t * 2
    with tf.control_dependencies([f]):
        g = tf.constant(1.0) + 1
    merged = flow.merge([g, t])
    return both_ways(p, [merged.output, merged.value_index], {x: 0.5})


@case
def dead_fetch():
    p, x = feed(tf.bool), feed()
    f, t = flow.switch(x, p)
    return [Step(tf.negative(t), {p: True, x: 2}),
            Step(tf.negative(t), {p: False, x: 2}, error=r"Retval\[0\] does not have value")]


@case
def control_trigger():
    p, x = feed(tf.bool), feed()
    f, t = flow.switch(x, p)
    with tf.control_dependencies([tf.identity(f), tf.identity(t)]):
        trigger = flow.control_trigger()
    with tf.control_dependencies([trigger]):
        y = x + 1
    return both_ways(p, y, {x: 2})


@case
def different_frames():
    x = feed()
    y = flow._exit(flow.enter(x, "a") + flow.enter(x, "b"))
    return Step(y, {x: 1}, error="has inputs from different frames")


# --- Loops -------------------------------------------------------------------------------------

def counter_loop(n, **options):
    return tf.while_loop(lambda i: i < n, lambda i: i + 1, [tf.constant(0)], **options)


@case
def while_counts():
    n = feed(tf.int32)
    return sweep(n, (0, 1, 9, 10, 11, 100), counter_loop(n))


@case
def while_one_at_a_time():
    n = feed(tf.int32)
    return sweep(n, (0, 1, 5, 50), counter_loop(n, parallel_iterations=1))


@case
def while_at_most():
    n = feed(tf.int32)
    return sweep(n, (0, 3, 7, 8, 20), counter_loop(n, maximum_iterations=7))


@case
def while_several_variables():
    n = feed(tf.int32)
    out = tf.while_loop(lambda i, a, b: i < n, lambda i, a, b: (i + 1, b, a + b),
                        [tf.constant(0), tf.constant(0, tf.int64), tf.constant(1, tf.int64)])
    return sweep(n, (0, 1, 2, 30, 90), list(out))


@case
def while_swaps():
    n = feed(tf.int32)
    out = tf.while_loop(lambda i, a, b, c: i < n, lambda i, a, b, c: (i + 1, b, c, a),
                        [tf.constant(0), tf.constant(1), tf.constant(2), tf.constant(3)])
    return sweep(n, (0, 1, 2, 3, 4), list(out))


@case
def while_structure():
    n = feed(tf.int32)
    start = {"i": tf.constant(0), "v": (tf.constant(1.0), [tf.constant([1.0, 2.0])])}
    out = tf.while_loop(lambda s: s["i"] < n,
                        lambda s: [{"i": s["i"] + 1, "v": (s["v"][0] * 2, [s["v"][1][0] + 1])}],
                        [start])[0]
    return sweep(n, (0, 4), [out["i"], out["v"][0], out["v"][1][0]])


@case
def while_invariants():
    n, x, m = feed(tf.int32), feed(shape=[2]), feed(shape=[2, 2])
    out = tf.while_loop(lambda i, v: i < n,
                        lambda i, v: (i + 1, tf.squeeze(tf.matmul(m, v[:, None]), 1) + x),
                        [tf.constant(0), x])
    return sweep(n, (0, 1, 5), out[1], {x: [1, 2], m: [[1, 2], [0, 1]]})


@case
def while_grows():
    n = feed(tf.int32)
    out = tf.while_loop(lambda i, v: i < n, lambda i, v: (i + 1, tf.concat([v, [i]], 0)),
                        [tf.constant(0), tf.zeros([0], tf.int32)],
                        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])])
    return sweep(n, (0, 1, 12), out[1])


@case
def while_on_data():
    x = feed(shape=[None])
    out = tf.while_loop(lambda v: tf.reduce_sum(v) < 100.0, lambda v: v * 2.0, [x])
    return sweep(x, ([1, 2, 3], [500], [0.25, 0.25]), out)


@case
def while_two_conditions():
    n, limit = feed(tf.int32), feed()
    out = tf.while_loop(lambda i, s: tf.logical_and(i < n, s < limit),
                        lambda i, s: (i + 1, s + tf.cast(i, tf.float32)),
                        [tf.constant(0), tf.constant(0.0)])
    return [Step(list(out), {n: a, limit: b}) for a, b in ((10, 1e9), (1000, 50), (0, 0))]


@case
def while_of_strings_and_bools():
    n = feed(tf.int32)
    out = tf.while_loop(lambda i, s, b: i < n,
                        lambda i, s, b: (i + 1, tf.identity(s), tf.logical_not(b)),
                        [tf.constant(0), tf.constant("text"), tf.constant(True)])
    return sweep(n, (0, 1, 2), list(out))


@case
def while_nested():
    n = feed(tf.int32)

    def body(i, total):
        inner = tf.while_loop(lambda j, t: j < i, lambda j, t: (j + 1, t + i * j),
                              [tf.constant(0), total])
        return i + 1, inner[1]

    return sweep(n, (0, 1, 2, 12),
                 tf.while_loop(lambda i, t: i < n, body, [tf.constant(0), tf.constant(0)])[1])


@case
def while_nested_one_at_a_time():
    n = feed(tf.int32)

    def body(i, total):
        inner = tf.while_loop(lambda j, t: j < i, lambda j, t: (j + 1, t + i * j),
                              [tf.constant(0), total], parallel_iterations=1)
        return i + 1, inner[1]

    return sweep(n, (0, 12), tf.while_loop(lambda i, t: i < n, body,
                                           [tf.constant(0), tf.constant(0)],
                                           parallel_iterations=1)[1])


@case
def while_three_deep():
    n = feed(tf.int32)

    def loop(limit, step):
        return tf.while_loop(lambda i, t: i < limit, step, [tf.constant(0), tf.constant(0)])[1]

    deep = loop(n, lambda i, t: (i + 1, t + loop(
        i, lambda j, u: (j + 1, u + loop(j, lambda k, w: (k + 1, w + i + j * k))))))
    return sweep(n, (0, 3, 8), deep)


@case
def while_in_sequence():
    n = feed(tf.int32)
    a = counter_loop(n)
    b = tf.while_loop(lambda i: i < a * 2, lambda i: i + 3, [a])
    c = tf.while_loop(lambda i: i > 0, lambda i: i - 2, [b + a])
    return sweep(n, (0, 5, 17), [a, b, c])


@case
def while_side_by_side():
    n = feed(tf.int32)
    loops = [tf.while_loop(lambda i: i < n * k, lambda i: i + k, [tf.constant(0)])
             for k in range(1, 6)]
    return sweep(n, (0, 3), [tf.add_n(loops)])


@case
def while_cond_inside():
    n = feed(tf.int32)
    out = tf.while_loop(
        lambda x, steps: x > 1,
        lambda x, steps: (tf.cond(tf.equal(x % 2, 0), lambda: x // 2, lambda: 3 * x + 1),
                          steps + 1),
        [n, tf.constant(0)])
    return sweep(n, (1, 6, 27), list(out))


@case
def while_inside_cond():
    p, n = feed(tf.bool), feed(tf.int32)
    y = tf.cond(p, lambda: counter_loop(n) * 2, lambda: -n)
    return both_ways(p, y, {n: 6})


@case
def while_dead_in_while():
    n = feed(tf.int32)

    def body(i, total):
        more = tf.cond(tf.equal(i % 3, 0), lambda: counter_loop(i + n), lambda: tf.constant(-1))
        return i + 1, total + more

    return sweep(n, (0, 7), tf.while_loop(lambda i, t: i < n, body,
                                          [tf.constant(0), tf.constant(0)])[1])


@case
def while_cond_nested_twice():
    n = feed(tf.int32)

    def body(i, a):
        b = tf.cond(i < 4, lambda: tf.cond(i < 2, lambda: a + 1, lambda: a + 10),
                    lambda: tf.cond(i < 6, lambda: a + 100, lambda: a + 1000))
        return i + 1, b

    return sweep(n, (0, 3, 5, 9), tf.while_loop(lambda i, a: i < n, body,
                                                [tf.constant(0), tf.constant(0)])[1])


@case
def while_euclid():
    a, b = feed(tf.int32), feed(tf.int32)
    out = tf.while_loop(lambda x, y: tf.not_equal(y, 0), lambda x, y: (y, tf.floormod(x, y)),
                        [a, b])
    return [Step(out[0], {a: x, b: y}) for x, y in ((48, 36), (17, 5), (0, 9), (9, 0))]


@case
def while_power_of_a_matrix():
    n, m = feed(tf.int32), feed(shape=[2, 2])
    out = tf.while_loop(lambda i, p: i < n, lambda i, p: (i + 1, tf.matmul(p, m)),
                        [tf.constant(0), tf.constant([[1.0, 0.0], [0.0, 1.0]])])
    return sweep(n, (0, 1, 10), out[1], {m: [[1, 1], [1, 0]]})


@case
def while_newton():
    x = feed()
    out = tf.while_loop(lambda i, g: i < 20, lambda i, g: (i + 1, 0.5 * (g + x / g)),
                        [tf.constant(0), x])
    return sweep(x, (2.0, 9.0, 0.25), out[1])


@case
def while_updates_a_reference():
    n = feed(tf.int32)
    v = tf.Variable(10, trainable=False)

    def body(i):
        with tf.control_dependencies([tf.assign_add(v, i)]):
            return i + 1

    loop = tf.while_loop(lambda i: i < n, body, [tf.constant(0)], parallel_iterations=1)
    with tf.control_dependencies([loop]):
        after = tf.identity(v._ref())
    return [Step(targets=[v.initializer]), *sweep(n, (0, 4, 5), after)]


@case
def while_updates_a_resource():
    n = feed(tf.int32)
    v = tf.Variable([1.0, 2.0], use_resource=True)

    def body(i):
        with tf.control_dependencies([v.assign(v.read_value() * 2.0)]):
            return i + 1

    loop = tf.while_loop(lambda i: i < n, body, [tf.constant(0)], parallel_iterations=1)
    with tf.control_dependencies([loop]):
        after = v.read_value()
    return [Step(targets=[v.initializer]), *sweep(n, (0, 3, 2), after)]


@case
def while_after_control():
    n = feed(tf.int32)
    v = tf.Variable(3, trainable=False)
    with tf.control_dependencies([v.assign_add(1)]):
        loop = tf.while_loop(lambda i: i < n, lambda i: i + 1, [v._ref() + 0])
    with tf.control_dependencies([loop]):
        reset = v.assign_add(100)
    return [Step(targets=[v.initializer]), *sweep(n, (2, 300), [loop, reset])]


@case
def while_fails_inside():
    n = feed(tf.int32)

    def body(i):
        with tf.control_dependencies([tf.Assert(i < 5, ["too far:", i])]):
            return i + 1

    loop = tf.while_loop(lambda i: i < n, body, [tf.constant(0)])
    return [Step(loop, {n: 5}), Step(loop, {n: 9}, error="assertion failed: .*too far"),
            Step(loop, {n: 2})]


@case
def while_unread_variable():
    n = feed(tf.int32)
    out = tf.while_loop(lambda i, a, b: i < n, lambda i, a, b: (i + 1, a * 2, b + 1.0),
                        [tf.constant(0), tf.constant(1), tf.constant(1.0)])
    return sweep(n, (0, 6), out[1])


@case
def while_condition_only_on_an_invariant():
    n, p = feed(tf.int32), feed(tf.bool)
    out = tf.while_loop(lambda i: tf.logical_and(p, i < n), lambda i: i + 1, [tf.constant(0)])
    return both_ways(p, out, {n: 3})


@case
def while_thousand():
    out = tf.while_loop(lambda i, s: i < 1000, lambda i, s: (i + 1, s + i),
                        [tf.constant(0), tf.constant(0)])
    return Step(list(out))


# --- Arrays ------------------------------------------------------------------------------------

def squares(n, **options):
    array = tf.TensorArray(tf.int32, n, **options)
    return tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, a.write(i, i * i)),
                         [tf.constant(0), array])[1]


@case
def array_stack():
    n = feed(tf.int32)
    return sweep(n, (1, 2, 10), squares(n).stack())


@case
def array_of_nothing():
    n = feed(tf.int32)
    return Step(squares(n, element_shape=[]).stack(), {n: 0})


@case
def array_sum_of_reads():
    x = feed(shape=[None])
    array = tf.TensorArray(tf.float32, tf.size(x)).unstack(x)
    out = tf.while_loop(lambda i, s: i < tf.size(x), lambda i, s: (i + 1, s + array.read(i)),
                        [tf.constant(0), tf.constant(0.0)])
    return sweep(x, ([1, 2, 3], [5]), out[1])


@case
def array_grows():
    n = feed(tf.int32)
    array = tf.TensorArray(tf.int32, 0, dynamic_size=True, infer_shape=False)
    out = tf.while_loop(lambda i, a: i < n, lambda i, a: (i + 1, a.write(i, tf.fill([i + 1], i))),
                        [tf.constant(0), array])[1]
    return sweep(n, (1, 5), [out.concat(), out.size()])


@case
def array_gather_scatter():
    x = feed(shape=[4, 2])
    array = tf.TensorArray(tf.float32, 6, clear_after_read=False)
    array = array.scatter([5, 1, 3, 0], x)
    return Step([array.gather([1, 0]), array.read(5), array.gather([3, 3])],
                {x: numbers(4, 2)})


@case
def array_split_concat():
    x = feed(shape=[6, 2])
    array = tf.TensorArray(tf.float32, 3, infer_shape=False).split(x, [1, 3, 2])
    return Step(array.concat(), {x: numbers(6, 2)})


@case
def array_reversed():
    x = feed(shape=[None, 2])
    n = tf.shape(x)[0]
    source = tf.TensorArray(tf.float32, n).unstack(x)
    target = tf.TensorArray(tf.float32, n)
    out = tf.while_loop(lambda i, t: i < n, lambda i, t: (i + 1, t.write(n - 1 - i, source.read(i))),
                        [tf.constant(0), target])[1]
    return sweep(x, (numbers(3, 2), numbers(1, 2)), out.stack())


@case
def array_in_nested_loops():
    n = feed(tf.int32)

    def body(i, rows):
        row = tf.while_loop(lambda j, r: j < n, lambda j, r: (j + 1, r.write(j, i * 10 + j)),
                            [tf.constant(0), tf.TensorArray(tf.int32, n)])[1].stack()
        return i + 1, rows.write(i, row)

    out = tf.while_loop(lambda i, r: i < n, body, [tf.constant(0), tf.TensorArray(tf.int32, n)])[1]
    return sweep(n, (1, 4), out.stack())


@case
def array_of_strings():
    array = tf.TensorArray(tf.string, 3).write(0, "a").write(2, "c").write(1, "b")
    return Step(array.stack())


@case
def array_missing_elements_are_zero():
    array = tf.TensorArray(tf.float32, 3, element_shape=[2]).write(1, [1.0, 2.0])
    return Step(array.stack())


@case
def array_identical_shapes():
    h, f = data_flow.tensor_array_v3(2, tf.float32, identical_element_shapes=True)
    x = feed(shape=None)
    f = data_flow.tensor_array_write_v3(h, 0, x, f)
    f = data_flow.tensor_array_write_v3(h, 1, tf.concat([x, x], 0), f)
    y = data_flow.tensor_array_gather_v3(h, [0, 1], f, tf.float32)
    return Step(y, {x: [1.0]}, error="incompatible with the TensorArray's inferred element shape")


def array_step(error, **options):
    """A decorator: the body gets a handle and a flow of three floats and returns what to fetch."""
    def make(build):
        def steps():
            h, f = data_flow.tensor_array_v3(3, tf.float32, tensor_array_name="arr", **options)
            return Step(build(h, f), error=error)
        CASES[build.__name__] = steps
        return steps
    return make


def write(h, f, i, value):
    return data_flow.tensor_array_write_v3(h, i, value, f)


def read(h, f, i):
    return data_flow.tensor_array_read_v3(h, i, f, tf.float32)


@array_step(r"TensorArray arr_\d+: Could not write to TensorArray index 0 because it has already "
            r"been written to")
def array_error_written_twice(h, f):
    return write(h, write(h, f, 0, 1.0), 0, 2.0)


@array_step(r"Could not read index 0 twice because it was cleared after a previous read")
def array_error_read_twice(h, f):
    f = write(h, f, 0, 1.0)
    first = read(h, f, 0)
    with tf.control_dependencies([first]):
        return read(h, tf.identity(f), 0)


@array_step(r"Tried to write to index 3 but array is not resizeable and size is: 3")
def array_error_past_the_end(h, f):
    return write(h, f, 3, 1.0)


@array_step(r"Tried to read from index -1 but array size is: 3")
def array_error_before_the_start(h, f):
    return read(h, f, -1)


@array_step(r"Could not read from TensorArray index 1\.  Furthermore, the element shape is not "
            r"fully defined")
def array_error_unwritten(h, f):
    return read(h, write(h, f, 0, 1.0), 1)


@array_step(r"TensorArray dtype is float but Op is trying to write dtype int32")
def array_error_type(h, f):
    return write(h, f, 0, 1)


@array_step(r"TensorArray has inconsistent shapes\.  Index 0 has shape: \[1\] but index 1 has "
            r"shape: \[2\]")
def array_error_shapes(h, f):
    f = write(h, write(h, f, 0, [1.0]), 1, [1.0, 2.0])
    return data_flow.tensor_array_gather_v3(h, [0, 1], f, tf.float32)


@array_step(r"Max scatter index must be < array size \(8 vs\. 3\)")
def array_error_scatter(h, f):
    return data_flow.tensor_array_scatter_v3(h, [0, 8], [1.0, 2.0], f)


@array_step(r"TensorArray's size is not equal to the size of lengths \(3 vs\. 2\)")
def array_error_split(h, f):
    return data_flow.tensor_array_split_v3(h, [1.0, 2.0, 3.0], tf.constant([1, 2], tf.int64), f)


@array_step(r"TensorArray arr_\d+ has already been closed")
def array_error_closed(h, f):
    with tf.control_dependencies([data_flow.tensor_array_close_v3(h)]):
        return write(h, tf.identity(f), 0, 1.0)


@array_step("")
def array_gradient_sums(h, f):
    f = write(h, write(h, f, 0, [1.0, 2.0]), 1, [3.0, 4.0])
    g, gf = data_flow.tensor_array_grad_v3(h, f, "gradients")
    gf = write(g, write(g, gf, 0, [1.0, 1.0]), 0, [2.0, 5.0])
    again, again_flow = data_flow.tensor_array_grad_v3(h, gf, "gradients")
    other, other_flow = data_flow.tensor_array_grad_v3(h, gf, "others")
    return [read(again, again_flow, 0), read(g, gf, 1), read(other, other_flow, 0)]


@array_step("")
def array_gradient_with_shape(h, f):
    f = write(h, f, 0, [1.0, 2.0])
    g, gf = data_flow.tensor_array_grad_with_shape(h, f, [3], "gradients")
    return read(g, gf, 0)


@case
def stack_pops_in_reverse():
    n = feed(tf.int32)
    handle = data_flow.stack_v2(-1, tf.int32)

    def push(i):
        with tf.control_dependencies([data_flow.stack_push_v2(handle, i * i)]):
            return i + 1

    def pop(i, total):
        return i - 1, total * 3 + tf.reshape(data_flow.stack_pop_v2(handle, tf.int32), [])

    pushed = tf.while_loop(lambda i: i < n, push, [tf.constant(0)], parallel_iterations=1)
    with tf.control_dependencies([pushed]):
        start = tf.identity(pushed)
    out = tf.while_loop(lambda i, t: i > 0, pop, [start, tf.constant(0)], parallel_iterations=1)
    return sweep(n, (0, 1, 6), out[1])


@case
def stack_overflows():
    handle = data_flow.stack_v2(1, tf.float32, stack_name="st")
    with tf.control_dependencies([data_flow.stack_push_v2(handle, 1.0)]):
        y = data_flow.stack_push_v2(handle, 2.0)
    return Step(y, error=r"Stack\[st_\d+\] overflowed its max_size \(1\)")


@case
def stack_is_empty():
    handle = data_flow.stack_v2(1, tf.float32, stack_name="st")
    return Step(data_flow.stack_pop_v2(handle, tf.float32),
                error=r"Stack\[st_\d+\] is empty when calling Pop\(\)")


# --- Higher-order functions --------------------------------------------------------------------

@case
def map_squares():
    x = feed(shape=[None])
    return sweep(x, ([1, 2, 3], [4]), tf.map_fn(lambda v: v * v + 1, x))


@case
def map_several():
    x, y = feed(shape=[3]), feed(shape=[3, 2])
    a, b = tf.map_fn(lambda v: (v[0] + tf.reduce_sum(v[1]), v[1] * v[0]), (x, y),
                     dtype=(tf.float32, tf.float32))
    return Step([a, b], {x: [1, 2, 3], y: numbers(3, 2)})


@case
def map_changes_type():
    x = feed(shape=[4])
    return Step(tf.map_fn(lambda v: v > 2, x, dtype=tf.bool), {x: [1, 2, 3, 4]})


@case
def map_nested():
    x = feed(shape=[2, 3])
    return Step(tf.map_fn(lambda row: tf.map_fn(lambda v: v * 2 + row[0], row), x),
                {x: numbers(2, 3)})


@case
def map_with_cond():
    x = feed(shape=[5])
    y = tf.map_fn(lambda v: tf.cond(v < 3, lambda: v * 10, lambda: v - 1), x)
    return Step(y, {x: [1, 2, 3, 4, 5]})


@case
def fold_left_and_right():
    x = feed(shape=[None])
    return sweep(x, ([1, 2, 3], [5]), [tf.foldl(lambda a, v: a * 2 + v, x),
                                       tf.foldr(lambda a, v: a * 2 + v, x),
                                       tf.foldl(lambda a, v: a - v, x, initializer=10.0)])


@case
def scan_sums():
    x = feed(shape=[None])
    return sweep(x, ([1, 2, 3, 4], [7]), [tf.scan(lambda a, v: a + v, x),
                                          tf.scan(lambda a, v: a + v, x, reverse=True),
                                          tf.scan(lambda a, v: a * v, x, initializer=2.0)])


@case
def scan_pairs():
    x = feed(shape=[4])
    a, b = tf.scan(lambda s, v: (s[1], s[0] + v), x,
                   initializer=(tf.constant(0.0), tf.constant(1.0)))
    return Step([a, b], {x: [1, 2, 3, 4]})


# --- Gradients ---------------------------------------------------------------------------------

@case
def grad_cond():
    x = feed()
    y = tf.cond(x < 2, lambda: x * x, lambda: 3 * x)
    return sweep(x, (1.5, 5.0), [y, *tf.gradients(y, x)])


@case
def grad_cond_two_variables():
    p, x, w = feed(tf.bool), feed(shape=[2]), feed(shape=[2])
    y = tf.reduce_sum(tf.cond(p, lambda: x * w, lambda: x + x))
    return both_ways(p, tf.gradients(y, [x, w]), {x: [1, 2], w: [3, 4]})


@case
def grad_cond_nested():
    x = feed()
    y = tf.cond(x < 4, lambda: tf.cond(x < 2, lambda: x * x * x, lambda: x * x), lambda: 5 * x)
    return sweep(x, (1.0, 3.0, 6.0), tf.gradients(y, x))


@case
def grad_cond_constant_branch():
    p, x = feed(tf.bool), feed(shape=[3])
    y = tf.cond(p, lambda: x * 2, lambda: tf.ones([3]))
    return both_ways(p, tf.gradients(y, x), {x: [1, 2, 3]})


@case
def grad_while_power():
    x, n = feed(), feed(tf.int32)
    y = tf.while_loop(lambda i, v: i < n, lambda i, v: (i + 1, v * x), [tf.constant(0), x])[1]
    return sweep(n, (0, 1, 5, 30), [y, *tf.gradients(y, x)], {x: 1.125})


@case
def grad_while_one_at_a_time():
    x, n = feed(), feed(tf.int32)
    y = tf.while_loop(lambda i, v: i < n, lambda i, v: (i + 1, v * x + v), [tf.constant(0), x],
                      parallel_iterations=1)[1]
    return sweep(n, (0, 6), tf.gradients(y, x), {x: 0.5})


@case
def grad_while_swap_memory():
    x = feed(shape=[2])
    y = tf.while_loop(lambda i, v: i < 4, lambda i, v: (i + 1, v * v * x), [tf.constant(0), x],
                      swap_memory=True)[1]
    return Step(tf.gradients(tf.reduce_sum(y), x), {x: [1.0, 0.5]})


@case
def grad_while_matrix():
    x, w = feed(shape=[2, 2]), feed(shape=[2, 2])
    y = tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, tf.matmul(v, w)),
                      [tf.constant(0), x])[1]
    return Step(tf.gradients(tf.reduce_sum(y * y), [x, w]), {x: numbers(2, 2), w: numbers(2, 2)})


@case
def grad_while_several_variables():
    x, y = feed(), feed()
    out = tf.while_loop(lambda i, a, b: i < 5, lambda i, a, b: (i + 1, a * b, a + b * y),
                        [tf.constant(0), x, y])
    return Step(tf.gradients(out[1] + out[2], [x, y]), {x: 0.5, y: 0.75})


@case
def grad_while_unused_variable():
    x = feed()
    out = tf.while_loop(lambda i, a, b: i < 5, lambda i, a, b: (i + 1, a * 2, b + a),
                        [tf.constant(0), x, x * 3])
    return Step(tf.gradients(out[1], x) + tf.gradients(out[2], x), {x: 0.5})


@case
def grad_while_no_rounds():
    x, n = feed(shape=[2]), feed(tf.int32)
    y = tf.while_loop(lambda i, v: i < n, lambda i, v: (i + 1, v * x), [tf.constant(0), x])[1]
    return Step(tf.gradients(y, x), {x: [3, 4], n: 0})


@case
def grad_while_nested():
    x = feed()

    def body(i, v):
        return i + 1, tf.while_loop(lambda j, w: j < i, lambda j, w: (j + 1, w * x),
                                    [tf.constant(0), v])[1]

    y = tf.while_loop(lambda i, v: i < 4, body, [tf.constant(0), x])[1]
    return Step([y, *tf.gradients(y, x)], {x: 1.25})


@case
def grad_while_with_cond():
    x, n = feed(), feed(tf.int32)
    y = tf.while_loop(
        lambda i, v: i < n,
        lambda i, v: (i + 1, tf.cond(tf.equal(i % 2, 0), lambda: v * x, lambda: v + x * 2)),
        [tf.constant(0), x])[1]
    return sweep(n, (0, 1, 6), [y, *tf.gradients(y, x)], {x: 1.5})


@case
def grad_cond_with_while():
    p, x = feed(tf.bool), feed()
    y = tf.cond(p, lambda: tf.while_loop(lambda i, v: i < 4, lambda i, v: (i + 1, v * x),
                                         [tf.constant(0), x])[1], lambda: x * 7)
    return both_ways(p, [y, *tf.gradients(y, x)], {x: 1.5})


@case
def grad_while_invariant_tensor():
    x, w = feed(shape=[3]), feed(shape=[3])
    y = tf.while_loop(lambda i, s: i < 6, lambda i, s: (i + 1, s + tf.reduce_sum(x * w) * s),
                      [tf.constant(0), tf.constant(1.0)])[1]
    return Step(tf.gradients(y, [x, w]), {x: [0.1, 0.2, 0.3], w: [0.5, 0.25, 0.125]})


@case
def grad_while_stopped():
    x = feed()
    y = tf.while_loop(lambda i, v: i < 4, lambda i, v: (i + 1, v * tf.stop_gradient(v) + x),
                      [tf.constant(0), x])[1]
    return Step(tf.gradients(y, x), {x: 0.5})


@case
def grad_while_thousand():
    x = feed()
    y = tf.while_loop(lambda i, v: i < 1000, lambda i, v: (i + 1, v * 0.999 + x * 0.001),
                      [tf.constant(0), x])[1]
    return Step([y, *tf.gradients(y, x)], {x: 2.0})


@case
def grad_while_changing_shape():
    x = feed(shape=[2])
    y = tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, tf.concat([v, v * 2], 0)),
                      [tf.constant(0), x],
                      shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])])[1]
    return Step([y, *tf.gradients(tf.reduce_sum(y * y), x)], {x: [1, 2]})


@case
def grad_array_stack():
    x = feed()
    array = tf.TensorArray(tf.float32, 4)
    out = tf.while_loop(lambda i, v, a: i < 4, lambda i, v, a: (i + 1, v * x, a.write(i, v)),
                        [tf.constant(0), x, array])[2].stack()
    return Step([out, *tf.gradients(tf.reduce_sum(out * out), x)], {x: 1.5})


@case
def grad_array_reads():
    x = feed(shape=[4])
    array = tf.TensorArray(tf.float32, 4, clear_after_read=False).unstack(x)
    y = tf.while_loop(lambda i, s: i < 4, lambda i, s: (i + 1, s * array.read(i) + array.read(0)),
                      [tf.constant(0), tf.constant(1.0)])[1]
    return Step([y, *tf.gradients(y, x)], {x: [1.5, 2, 0.5, 3]})


@case
def grad_array_gather_scatter():
    x = feed(shape=[3, 2])
    array = tf.TensorArray(tf.float32, 3, clear_after_read=False).scatter([2, 0, 1], x)
    y = array.gather([0, 0, 2]) * array.gather([1, 2, 2])
    return Step([y, *tf.gradients(y, x)], {x: numbers(3, 2)})


@case
def grad_array_split_concat():
    x = feed(shape=[5, 2])
    array = tf.TensorArray(tf.float32, 3, infer_shape=False).split(x, [2, 0, 3])
    y = array.concat()
    return Step(tf.gradients(tf.reduce_sum(y * y), x), {x: numbers(5, 2)})


@case
def grad_map():
    x, w = feed(shape=[4]), feed()
    y = tf.map_fn(lambda v: v * v * w, x)
    return Step([y, *tf.gradients(y, [x, w])], {x: [1, 2, 3, 4], w: 0.5})


@case
def grad_scan():
    x = feed(shape=[4])
    y = tf.scan(lambda a, v: a * v, x)
    return Step([y, *tf.gradients(y, x)], {x: [1.5, 2, 0.5, 3]})


@case
def grad_foldl():
    x = feed(shape=[4])
    y = tf.foldl(lambda a, v: a * v + v, x)
    return Step([y, *tf.gradients(y, x)], {x: [1.5, 2, 0.5, 3]})


@case
def grad_while_gathers():
    x = feed(shape=[4, 2])
    y = tf.while_loop(lambda i, s: i < 6,
                      lambda i, s: (i + 1, s + tf.reduce_sum(tf.gather(x, [i % 4]) ** 2)),
                      [tf.constant(0), tf.constant(0.0)])[1]
    gradient = tf.convert_to_tensor(tf.gradients(y, x)[0])
    return Step([y, gradient], {x: numbers(4, 2)})


@case
def grad_of_grad_cond():
    x = feed()
    y = tf.cond(x < 2, lambda: x * x * x, lambda: x * x)
    return sweep(x, (1.5, 4.0), tf.gradients(tf.gradients(y, x), x))


@case
def grad_variable_in_loop():
    n = feed(tf.int32)
    v = tf.Variable([0.5, 2.0])
    y = tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s * v), [tf.constant(0), v * 1.0])[1]
    return [Step(targets=[v.initializer]), *sweep(n, (0, 3), tf.gradients(y, v))]


@case
def grad_resource_in_loop():
    n = feed(tf.int32)
    v = tf.Variable([0.5, 2.0], use_resource=True)
    y = tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s * v), [tf.constant(0), v * 1.0])[1]
    return [Step(targets=[v.initializer]), *sweep(n, (0, 3), tf.gradients(y, v))]


@case
def grad_descent_in_loop():
    x = feed(shape=[2])
    w = tf.Variable([1.0, -1.0])
    y = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s * w + x), [tf.constant(0), x])[1]
    train = tf.train.GradientDescentOptimizer(0.125).minimize(tf.reduce_sum(y * y))
    return [Step(targets=[w.initializer]), Step(targets=[train], feeds={x: [0.5, 0.25]}),
            Step(targets=[train], feeds={x: [0.25, 0.5]}), Step(w)]


# --- Recurrent networks ------------------------------------------------------------------------

def rnn_steps(cell, steps=4, lengths=None, gradients=True):
    x = feed(shape=[2, steps, 3])

    def small(shape, dtype=None, partition_info=None):
        count = int(np.prod(shape))
        return tf.constant(np.linspace(-0.5, 0.5, count).reshape(shape).astype(np.float32))

    with tf.variable_scope("rnn", initializer=small):
        outputs, state = tf.nn.dynamic_rnn(cell, x, sequence_length=lengths, dtype=tf.float32)
    fetches = [outputs, *tf.nest.flatten(state)]
    if gradients:
        fetches += tf.gradients(tf.reduce_sum(outputs * outputs), [x, *tf.trainable_variables()])
    return [Step(targets=[tf.global_variables_initializer()]),
            Step(fetches, {x: numbers(2, steps, 3, start=-1, step=0.125)})]


@case
def rnn_basic():
    return rnn_steps(tf.nn.rnn_cell.BasicRNNCell(4))


@case
def rnn_lstm():
    return rnn_steps(tf.nn.rnn_cell.BasicLSTMCell(3))


@case
def rnn_gru():
    return rnn_steps(tf.nn.rnn_cell.GRUCell(3))


@case
def rnn_lengths():
    return rnn_steps(tf.nn.rnn_cell.BasicRNNCell(4), lengths=[2, 4], gradients=False)


@case
def rnn_lengths_gradient():
    return rnn_steps(tf.nn.rnn_cell.BasicRNNCell(4), lengths=[2, 4])


# --- Algorithms --------------------------------------------------------------------------------

@case
def bubble_sort():
    x = feed(tf.int32, [None])
    n = tf.size(x)

    def compare(j, v):
        a, b = v[j], v[j + 1]
        swapped = tf.concat([v[:j], [tf.minimum(a, b), tf.maximum(a, b)], v[j + 2:]], 0)
        return j + 1, swapped

    def one_pass(i, v):
        return i + 1, tf.while_loop(lambda j, w: j < n - 1, compare, [tf.constant(0), v],
                                    shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])])[1]

    out = tf.while_loop(lambda i, v: i < n, one_pass, [tf.constant(0), x],
                        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])])[1]
    return sweep(x, ([3, 1, 2], [5, 4, 3, 2, 1, 0], [7]), out)


@case
def sieve():
    n = feed(tf.int32)

    def strike(i, prime):
        ids = tf.range(n)
        multiple = tf.logical_and(tf.equal(ids % i, 0), ids > i)
        return i + 1, tf.logical_and(prime, tf.logical_not(multiple))

    out = tf.while_loop(lambda i, p: i * i < n, strike, [tf.constant(2), tf.fill([n], True)],
                        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])])[1]
    return sweep(n, (5, 50), tf.reduce_sum(tf.cast(out, tf.int32)))


@case
def binary_search():
    x, target = feed(tf.int32, [None]), feed(tf.int32)

    def halve(low, high):
        middle = (low + high) // 2
        return tf.cond(x[middle] < target, lambda: (middle + 1, high), lambda: (low, middle))

    low = tf.while_loop(lambda a, b: a < b, halve, [tf.constant(0), tf.size(x)])[0]
    return sweep(target, (0, 5, 6, 99), low, {x: [1, 3, 5, 7, 9, 11]})


@case
def partition_and_stitch_in_a_loop():
    x = feed(tf.int32, [6])

    def body(i, v):
        which = tf.cast(v > i, tf.int32)
        parts = tf.dynamic_partition(v, which, 2)
        places = tf.dynamic_partition(tf.range(6), which, 2)
        return i + 1, tf.dynamic_stitch(places, [parts[0] * 2, parts[1] - 1])

    out = tf.while_loop(lambda i, v: i < 5, body, [tf.constant(0), x],
                        shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])])[1]
    return Step(out, {x: [1, 5, 2, 9, 4, 3]})


@case
def grad_partition_and_stitch():
    x = feed(shape=[6])
    which = tf.cast(x > 2.5, tf.int32)
    parts = tf.dynamic_partition(x, which, 2)
    places = tf.dynamic_partition(tf.range(6), which, 2)
    y = tf.dynamic_stitch(places, [parts[0] * 2, parts[1] * parts[1]])
    return Step([y, *tf.gradients(y, x)], {x: [1, 5, 2, 9, 4, 3]})
