"""Loops."""
import tensorflow.compat.v1 as tf

from control_cases.common import both_ways, case, feed, Step, sweep


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
