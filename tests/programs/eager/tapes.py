"""Tapes: gradients of what was computed while they recorded."""
import numpy as np
import tensorflow as tf

from program import raised

X = tf.constant([1., 2., 3.])


def slope(function, *sources, **options):
    """The gradients of a function by its arguments."""
    with tf.GradientTape() as tape:
        tape.watch(sources)
        y = function(*sources)
    return tape.gradient(y, list(sources), **options)


def program_square():
    return dict(dx=slope(lambda x: x * x, X)[0])


def program_two_sources():
    return dict(zip("ab", slope(lambda a, b: a * a * b, tf.constant(3.), tf.constant(2.))))


def program_unwatched():
    with tf.GradientTape() as tape:
        y = X * 2
    return dict(none=tape.gradient(y, X) is None)


def program_watched_later():
    with tf.GradientTape() as tape:
        y = X * 2
        tape.watch(X)
        z = X * 3
    return dict(dz=tape.gradient(y + z, X) is None)


def program_persistent():
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(X)
        y = X * X
        z = y * X
    return dict(y=tape.gradient(y, X), z=tape.gradient(z, X), zy=tape.gradient(z, y))


def program_once():
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = X * X
    first = tape.gradient(y, X)
    return dict(first=first, again=raised(lambda: tape.gradient(y, X)))


def program_variables_are_watched():
    v, w = tf.Variable(2.), tf.Variable(3., trainable=False)
    with tf.GradientTape() as tape:
        y = v * v * w
    return dict(watched=len(tape.watched_variables()), dv=tape.gradient(y, v))


def program_variables_that_are_not_trained():
    w = tf.Variable(3., trainable=False)
    with tf.GradientTape(persistent=True) as tape:
        y = w * w
    with tf.GradientTape() as told:
        told.watch(w)
        z = w * w
    return dict(none=tape.gradient(y, w) is None, dw=told.gradient(z, w))


def program_variables_not_watched():
    v = tf.Variable(2.)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        y = v * v
    with tf.GradientTape(watch_accessed_variables=False) as told:
        told.watch(v)
        z = v * v
    return dict(none=tape.gradient(y, v) is None, dv=told.gradient(z, v))


def program_structures():
    v = {"a": tf.Variable(1.), "b": [tf.Variable(2.), tf.Variable(3.)]}
    with tf.GradientTape() as tape:
        y = v["a"] * v["b"][0] * v["b"][1]
    found = tape.gradient(y, v)
    return dict(a=found["a"], b=found["b"])


def program_targets():
    with tf.GradientTape() as tape:
        tape.watch(X)
        a, b = X * 2, X * X
    return dict(dx=tape.gradient([a, b], X))


def program_output_gradients():
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = X * X
    return dict(dx=tape.gradient(y, X, output_gradients=tf.constant([1., 10., 100.])))


def program_output_gradients_of_lists():
    with tf.GradientTape() as tape:
        tape.watch(X)
        a, b = X * 2, X * X
    return dict(dx=tape.gradient([a, b], [X], output_gradients=[tf.ones(3), tf.zeros(3)])[0])


def program_unconnected():
    y = tf.constant(1.)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([X, y])
        z = X * 2
    return dict(none=tape.gradient(z, y) is None, zero=tape.gradient(z, y, unconnected_gradients="zero"),
                enum=tape.gradient(z, [y, X], unconnected_gradients=tf.UnconnectedGradients.ZERO),
                wrong=raised(lambda: tape.gradient(z, y, unconnected_gradients="other")))


def program_stop_recording():
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = X * X
        with tape.stop_recording():
            z = y * y
    return dict(dz=tape.gradient(z, X) is None)


def program_gradient_inside_of_the_block():
    with tf.GradientTape() as tape:
        tape.watch(X)
        dx = tape.gradient(X * X * X, X)
    return dict(dx=dx)


def program_reset():
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = X * 2
        tape.reset()
        tape.watch(X)
        y += X * X
    return dict(dx=tape.gradient(y, X))


def program_second_order():
    with tf.GradientTape() as outer:
        outer.watch(X)
        with tf.GradientTape() as inner:
            inner.watch(X)
            y = tf.reduce_sum(X ** 3)
        first = inner.gradient(y, X)
    return dict(first=first, second=outer.gradient(first, X))


def program_third_order():
    x = tf.constant(2.)
    with tf.GradientTape() as a:
        a.watch(x)
        with tf.GradientTape() as b:
            b.watch(x)
            with tf.GradientTape() as c:
                c.watch(x)
                y = x ** 4
            first = c.gradient(y, x)
        second = b.gradient(first, x)
    return dict(first=first, second=second, third=a.gradient(second, x))


def program_second_order_of_variables():
    v = tf.Variable([1., 2.])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.reduce_sum(tf.sin(v) * v)
        first = inner.gradient(y, v)
        norm = tf.reduce_sum(first ** 2)
    return dict(norm=norm, second=outer.gradient(norm, v))


def program_persistent_second_order():
    x = tf.constant(3.)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x ** 3
        dy = tape.gradient(y, x)
    return dict(dy=dy, ddy=tape.gradient(dy, x))


def program_jacobian():
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = tf.stack([tf.reduce_sum(X), tf.reduce_prod(X)])
    return dict(jacobian=tape.jacobian(y, X))


def program_jacobian_of_a_matrix():
    w = tf.Variable([[1., 2.], [3., 4.]])
    with tf.GradientTape() as tape:
        y = tf.matmul(w, w)
    return dict(jacobian=tape.jacobian(y, w))


def program_jacobian_of_several():
    a, b = tf.constant([1., 2.]), tf.constant(3.)
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        y = a * b
    return dict(zip("ab", tape.jacobian(y, [a, b])))


def program_jacobian_without_loops():
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(X)
        y = X * X
    with tf.GradientTape() as once:
        once.watch(X)
        z = X * X
    return dict(jacobian=tape.jacobian(y, X, experimental_use_pfor=False),
                once=raised(lambda: once.jacobian(z, X, experimental_use_pfor=False)))


def program_jacobian_unconnected():
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = tf.constant([1., 2.])
    return dict(none=tape.jacobian(y, X) is None)


def program_batch_jacobian():
    x = tf.constant([[1., 2.], [3., 4.]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x * tf.constant([1., 10.])
    return dict(jacobian=tape.batch_jacobian(y, x))


def program_batch_jacobian_of_other_sizes():
    x = tf.constant([[1., 2.], [3., 4.]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.matmul(x, tf.constant([[1., 2., 3.], [4., 5., 6.]]))
    return dict(jacobian=tape.batch_jacobian(y, x))


def program_batch_jacobian_refused():
    x = tf.constant([[1., 2.], [3., 4.]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x[:1]
    return dict(wrong=raised(lambda: tape.batch_jacobian(y, x)))


def program_hessian():
    x = tf.Variable([1., 2.])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = x[0] ** 2 * x[1] ** 3
        grad = inner.gradient(y, x)
    return dict(hessian=outer.jacobian(grad, x))


def program_python_branches():
    def relu(x):
        return x if x > 0 else 0. * x
    return dict(on=slope(relu, tf.constant(2.))[0], off=slope(relu, tf.constant(-2.))[0])


def program_python_loops():
    def power(x):
        y = tf.constant(1.)
        for _ in range(5):
            y *= x
        return y
    return dict(dx=slope(power, tf.constant(2.))[0])


def program_slices():
    def gathered(x):
        return tf.gather(x, [0, 2, 0])
    found = slope(gathered, X)[0]
    return dict(kind=type(found).__name__, dense=tf.convert_to_tensor(found))


def program_embeddings():
    table = tf.Variable(np.arange(8, dtype=np.float32).reshape(4, 2))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.nn.embedding_lookup(table, [1, 1, 3]) ** 2)
    found = tape.gradient(y, table)
    return dict(kind=type(found).__name__, values=found.values, indices=found.indices)


def program_indexing():
    return dict(dx=slope(lambda x: x[1] * x[-1], X)[0], part=slope(lambda x: x[:2] ** 2, X)[0])


def program_stop_gradient():
    return dict(dx=slope(lambda x: x * tf.stop_gradient(x), X)[0])


def program_integers():
    i = tf.constant(3)
    with tf.GradientTape() as tape:
        tape.watch(i)
        y = i * i
    return dict(none=tape.gradient(y, i) is None)


def program_complex():
    z = tf.constant(1. + 2.j)
    return dict(dz=slope(lambda z: z * z, z)[0], abs=slope(tf.abs, z)[0])


def program_custom_gradient():
    @tf.custom_gradient
    def clipped(x):
        return x * x, lambda dy: tf.clip_by_value(dy * 2 * x, -3., 3.)
    return dict(y=clipped(X), dx=slope(clipped, X)[0])


def program_custom_gradient_of_two():
    @tf.custom_gradient
    def product(a, b):
        return a * b, lambda dy: (dy * 10., dy * 20.)
    return dict(zip("ab", slope(product, tf.constant(1.), tf.constant(2.))))


def program_custom_gradient_of_two_results():
    @tf.custom_gradient
    def both(x):
        def grad(da, db):
            return da * 100. + db
        return (x * 2, x * 3), grad
    return dict(dx=slope(lambda x: both(x)[0] + 2. * both(x)[1], tf.constant(1.))[0])


def program_custom_gradient_with_variables():
    v = tf.Variable(3., use_resource=True)

    @tf.custom_gradient
    def scaled(x):
        def grad(dy, variables=None):
            return dy * 5., [dy * 7.]
        return x * v, grad
    with tf.GradientTape() as tape:
        x = tf.constant(2.)
        tape.watch(x)
        y = scaled(x)
    dx, dv = tape.gradient(y, [x, v])
    return dict(y=y, dx=dx, dv=dv)


def program_custom_gradient_twice():
    @tf.custom_gradient
    def cube(x):
        return x ** 3, lambda dy: dy * 3. * x ** 2
    x = tf.constant(2.)
    with tf.GradientTape() as outer:
        outer.watch(x)
        first = slope(cube, x)[0]
    return dict(first=first, second=outer.gradient(first, x))


def program_recompute_grad():
    v = tf.Variable([1., 2.], use_resource=True)
    again = tf.recompute_grad(lambda x: tf.sin(x * v))
    x = tf.constant([.5, 1.])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = again(x)
    dx, dv = tape.gradient(y, [x, v])
    return dict(y=y, dx=dx, dv=dv)


def program_gradients_of_many_ops():
    x = tf.constant([[.1, .2], [.3, .4]])
    functions = [tf.exp, tf.math.log, tf.tanh, tf.sigmoid, tf.nn.softmax, tf.nn.relu, tf.sqrt, tf.transpose, tf.reduce_max,
                 tf.math.cumsum, tf.linalg.inv, tf.linalg.det, tf.nn.log_softmax, tf.nn.elu, tf.math.lgamma, tf.math.erf]
    return {f"{i}": slope(function, x)[0] for i, function in enumerate(functions)}


def program_nested_tapes_of_different_variables():
    v, w = tf.Variable(2.), tf.Variable(3.)
    with tf.GradientTape() as a:
        with tf.GradientTape() as b:
            y = v * w * w
        dw = b.gradient(y, w)
    return dict(dw=dw, dv=a.gradient(dw, v))


def program_inner_tape_sees_nothing_from_before():
    with tf.GradientTape() as a:
        a.watch(X)
        y = X * X
        with tf.GradientTape() as b:
            z = y * 2
    return dict(inner=b.gradient(z, X) is None, outer=a.gradient(z, X))


def program_a_variable_that_was_assigned():
    v = tf.Variable(2.)
    with tf.GradientTape() as tape:
        y = v * v
        v.assign(10.)
        z = v * 3.
    return dict(d=tape.gradient(y + z, v), v=v)


def program_watching_what_is_no_tensor():
    with tf.GradientTape() as tape:
        return dict(number=raised(lambda: tape.watch(1.)), text=raised(lambda: tape.watch("a")))


def program_entered_twice():
    tape = tf.GradientTape()
    with tape:
        return dict(again=raised(tape.__enter__))


def program_numpy_in_between():
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = tf.constant((X * 2).numpy())
    return dict(none=tape.gradient(y, X) is None)


def program_gradient_of_a_loss_over_a_batch():
    w, b = tf.Variable(tf.ones([3, 2])), tf.Variable(tf.zeros([2]))
    with tf.GradientTape() as tape:
        logits = tf.matmul([[1., 2., 3.], [0., 1., 0.]], w) + b
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[0, 1], logits=logits))
    dw, db = tape.gradient(loss, [w, b])
    return dict(loss=loss, dw=dw, db=db)


def program_convolution():
    x, k = tf.reshape(tf.range(16.), [1, 4, 4, 1]), tf.ones([3, 3, 1, 2])
    return dict(zip(("dx", "dk"), slope(lambda x, k: tf.nn.conv2d(x, k, strides=[1, 1, 1, 1], padding="SAME"), x, k)))


def program_tape_of_a_map():
    return dict(dx=slope(lambda x: tf.map_fn(lambda e: e * e, x), X)[0],
                scan=slope(lambda x: tf.scan(lambda a, e: a * e, x), X)[0])


def program_while_loop():
    def powered(x):
        return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [tf.constant(0), x])[1]
    return dict(dx=slope(powered, tf.constant(2.))[0])


def program_cond():
    def chosen(x):
        return tf.cond(x > 1., lambda: x * x, lambda: x * 5.)
    return dict(high=slope(chosen, tf.constant(2.))[0], low=slope(chosen, tf.constant(0.))[0])


def program_py_function():
    return dict(dx=slope(lambda x: tf.py_function(lambda a: a * a * 3., [x], tf.float32), X)[0])


def program_clip_and_norm():
    found = slope(lambda a, b: tf.reduce_sum(a * a) * b, X, tf.constant(5.))
    clipped, norm = tf.clip_by_global_norm(found, 1.)
    return dict(a=clipped[0], b=clipped[1], norm=norm)
