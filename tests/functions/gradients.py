"""Gradients through calls, branches, loops, arrays and variables, of any order and kind."""

import numpy as np
import tensorflow as tf

T = tf.constant


def show(*values):
    for value in values:
        if value is None:
            print(None)
        elif isinstance(value, (list, tuple)):
            show(*value)
        else:
            print(np.round(np.asarray(value), 3).tolist())


def of(f, *xs):
    with tf.GradientTape() as tape:
        for x in xs:
            tape.watch(x)
        y = f(*xs)
    return tape.gradient(y, list(xs))


def program_polynomial():
    @tf.function
    def f(x):
        return 3 * x ** 3 - x + 2
    show(of(f, T(2.)))


def program_of_vectors():
    @tf.function
    def f(x, y):
        return tf.reduce_sum(x * tf.sin(y))
    show(of(f, T([1., 2.]), T([.5, .25])))


def program_matmul_and_bias():
    @tf.function
    def f(x, w, b):
        return tf.reduce_sum(tf.nn.relu(tf.matmul(x, w) + b))
    show(of(f, T([[1., -2.]]), T([[1., 2.], [.5, -1.]]), T([.1, .2])))


def program_two_results():
    @tf.function
    def f(x):
        return x * 2, x * x
    with tf.GradientTape(persistent=True) as tape:
        x = T(3.)
        tape.watch(x)
        a, b = f(x)
    show(tape.gradient(a, x), tape.gradient(b, x), tape.gradient([a, b], x))


def program_result_unused():
    @tf.function
    def f(x, y):
        return x * 2, y * 3
    with tf.GradientTape() as tape:
        x, y = T(1.), T(2.)
        tape.watch([x, y])
        a, _ = f(x, y)
    show(tape.gradient(a, [x, y]))


def program_dict_of_results():
    @tf.function
    def f(x):
        return {"a": x * x, "b": [x, 2 * x]}
    with tf.GradientTape() as tape:
        x = T(3.)
        tape.watch(x)
        y = f(x)
        loss = y["a"] + y["b"][1]
    show(tape.gradient(loss, x))


def program_through_if():
    @tf.function
    def f(x):
        if x > 0:
            y = x * x
        else:
            y = -3. * x
        return y
    show(of(f, T(2.)), of(f, T(-2.)))


def program_through_nested_if():
    @tf.function
    def f(x, y):
        if x > 0:
            if y > 0:
                return x * y
            return x - y
        return x ** 2 + y
    for x, y in ((1., 2.), (1., -2.), (-3., 1.)):
        show(of(f, T(x), T(y)))


def program_branch_that_ignores():
    @tf.function
    def f(x, w):
        if x > 0:
            return w * 2.
        return T(1.)
    show(of(f, T(1.), T(5.)), of(f, T(-1.), T(5.)))


def program_through_while():
    @tf.function
    def f(x, n):
        i = 0
        while i < n:
            x = x * x
            i += 1
        return x
    show(of(lambda x: f(x, T(3)), T(1.1)), of(lambda x: f(x, T(0)), T(1.1)))


def program_while_of_two():
    @tf.function
    def f(a, b):
        for _ in tf.range(4):
            a, b = b, a + b
        return a * b
    show(of(f, T(1.), T(2.)))


def program_for_over_rows():
    @tf.function
    def f(rows, w):
        s = 0.
        for row in rows:
            s += tf.reduce_sum(row * w) ** 2
        return s
    show(of(f, T([[1., 2.], [3., 4.]]), T([.5, -1.])))


def program_loop_with_branch():
    @tf.function
    def f(x):
        s = tf.zeros([])
        for i in tf.range(5):
            if i % 2 == 0:
                s += x * tf.cast(i, tf.float32)
            else:
                s -= x ** 2
        return s
    show(of(f, T(2.)))


def program_loop_with_break():
    @tf.function
    def f(x):
        y = x
        for _ in tf.range(10):
            y = y * 2.
            if y > 20.:
                break
        return y
    show(of(f, T(3.)), of(f, T(30.)))


def program_while_until_converged():
    @tf.function
    def root(a):
        x = a
        while tf.abs(x * x - a) > 1e-4:
            x = .5 * (x + a / x)
        return x
    show(root(T(2.)), of(root, T(2.)))


def program_tensor_array():
    @tf.function
    def f(x):
        array = tf.TensorArray(tf.float32, size=3)
        for i in tf.range(3):
            array = array.write(i, x * tf.cast(i, tf.float32))
        return tf.reduce_sum(array.stack() ** 2)
    show(of(f, T(2.)))


def program_scan_and_fold():
    @tf.function
    def f(x):
        steps = tf.scan(lambda a, e: a * e, x)
        return tf.reduce_sum(steps) + tf.foldl(lambda a, e: a + e * e, x)
    show(of(f, T([1., 2., 3.])))


def program_map_fn():
    @tf.function
    def f(x):
        return tf.map_fn(lambda e: e * e * e, x)
    show(of(f, T([1., 2., 3.])))


def program_cond_function():
    @tf.function
    def f(x):
        return tf.cond(x > 1., lambda: x * x, lambda: tf.exp(x))
    show(of(f, T(2.)), of(f, T(0.)))


def program_recursive_helper():
    def power(x, n):
        return x if n == 1 else x * power(x, n - 1)

    @tf.function
    def f(x):
        return power(x, 4)
    show(of(f, T(2.)))


def program_nested_functions():
    @tf.function
    def inner(x):
        return tf.sin(x) * x

    @tf.function
    def middle(x):
        return inner(x) + inner(2. * x)

    @tf.function
    def outer(x):
        return middle(x) ** 2
    show(of(outer, T(.7)))


def program_second_order_outside():
    @tf.function
    def f(x):
        return x ** 4
    x = T(2.)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        first = inner.gradient(y, x)
    show(first, outer.gradient(first, x))


def program_second_order_of_loop():
    @tf.function
    def f(x):
        y = x
        for _ in tf.range(2):
            y = y * x
        return y
    x = T(3.)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        first = inner.gradient(y, x)
    show(first, outer.gradient(first, x))


def program_hessian_inside():
    @tf.function
    def hessian(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.reduce_sum(x ** 3)
            g = inner.gradient(y, x)
        return outer.jacobian(g, x)
    show(hessian(T([1., 2.])))


def program_jacobian_of_function():
    @tf.function
    def f(x):
        return tf.stack([x[0] * x[1], x[0] + x[1], x[1] ** 2])
    with tf.GradientTape() as tape:
        x = T([2., 3.])
        tape.watch(x)
        y = f(x)
    show(tape.jacobian(y, x))


def program_batch_jacobian():
    @tf.function
    def f(x):
        return x ** 2 * tf.constant([1., 10.])
    with tf.GradientTape() as tape:
        x = T([[2., 3.], [4., 5.]])
        tape.watch(x)
        y = f(x)
    show(tape.batch_jacobian(y, x))


def program_variables():
    w, b = tf.Variable(2.), tf.Variable(1.)

    @tf.function
    def f(x):
        return w * x + b
    with tf.GradientTape() as tape:
        y = f(T(3.)) ** 2
    show(tape.gradient(y, [w, b]))


def program_variable_in_loop():
    w = tf.Variable(2.)

    @tf.function
    def f(n):
        y = 1.
        for _ in tf.range(n):
            y = y * w
        return y
    with tf.GradientTape() as tape:
        y = f(T(4))
    show(tape.gradient(y, w))


def program_variable_in_branch():
    w, v = tf.Variable(2.), tf.Variable(3.)

    @tf.function
    def f(flag):
        if flag:
            return w * w
        return v * 5.
    for flag in (True, False):
        with tf.GradientTape() as tape:
            y = f(T(flag))
        show(tape.gradient(y, [w, v]))


def program_embedding():
    table = tf.Variable([[1., 2.], [3., 4.], [5., 6.]])

    @tf.function
    def f(ids):
        return tf.reduce_sum(tf.gather(table, ids) ** 2)
    with tf.GradientTape() as tape:
        y = f(T([0, 2, 0]))
    g = tape.gradient(y, table)
    print(type(g).__name__)
    show(tf.convert_to_tensor(g))


def program_stop_gradient():
    @tf.function
    def f(x):
        return x * tf.stop_gradient(x) + tf.stop_gradient(x ** 3)
    show(of(f, T(3.)))


def program_custom_gradient():
    @tf.custom_gradient
    def clip(x):
        def grad(dy):
            return tf.clip_by_value(dy, -1., 1.)
        return x * 1., grad

    @tf.function
    def f(x):
        return tf.reduce_sum(clip(x) * [5., -.5])
    show(of(f, T([1., 2.])))


def program_custom_gradient_around_function():
    @tf.function
    def body(x):
        return tf.exp(x)

    @tf.custom_gradient
    def f(x):
        y = body(x)
        return y, lambda dy: dy * 100. * y
    show(of(f, T(0.)))


def program_tape_inside():
    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x ** 3
        return tape.gradient(y, x) * 2.
    show(f(T(2.)), of(f, T(2.)))


def program_persistent_inside():
    @tf.function
    def f(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x
            z = y * y
        return tape.gradient(y, x), tape.gradient(z, x)
    show(f(T(3.)))


def program_gradients_function_inside():
    @tf.function
    def f(x):
        y = tf.reduce_sum(x ** 2)
        return tf.gradients(y, x)[0]
    show(f(T([1., 2.])))


def program_int_has_none():
    @tf.function
    def f(i, x):
        return tf.cast(i, tf.float32) * x
    i, x = T(3), T(2.)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(i, x)
    show(tape.gradient(y, x))


def program_unconnected_zero():
    @tf.function
    def f(x, y):
        return x * 2.
    x, y = T(1.), T([1., 2.])
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = f(x, y)
    show(tape.gradient(z, [x, y], unconnected_gradients=tf.UnconnectedGradients.ZERO))


def program_complex_step():
    @tf.function
    def f(x):
        z = tf.complex(x, 2. * x)
        return tf.math.real(z * tf.math.conj(z))
    show(of(f, T(1.5)))


def program_conv():
    @tf.function
    def f(x, k):
        return tf.reduce_sum(tf.nn.conv2d(x, k, strides=[1, 1, 1, 1], padding="SAME") ** 2)
    x = tf.reshape(tf.range(9, dtype=tf.float32), [1, 3, 3, 1])
    k = tf.ones([2, 2, 1, 1])
    show([tf.reshape(g, [-1]) for g in of(f, x, k)])


def program_clip_and_apply():
    w = tf.Variable([3., 4.])

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w ** 2)
        (g,), norm = tf.clip_by_global_norm(tape.gradient(loss, [w]), 1.)
        w.assign_sub(g)
        return loss, norm
    show(step(), step(), w)
