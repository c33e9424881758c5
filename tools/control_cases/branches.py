"""Branches."""
import tensorflow.compat.v1 as tf
from tensorflow.python.ops import gen_control_flow_ops as flow

from control_cases.common import both_ways, case, feed, Step, sweep


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
