"""Gradients that TensorFlow built."""
import tensorflow.compat.v1 as tf

from control_cases.common import both_ways, case, feed, numbers, Step, sweep


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
