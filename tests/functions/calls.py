"""What is called from functions: Python's own functions, helpers, classes, closures, recursion."""

import functools

import numpy as np
import tensorflow as tf

T = tf.constant


def show(*values):
    print(*[np.asarray(v).tolist() for v in values])


def relu(x):
    if x > 0:
        return x
    return tf.zeros_like(x)


def sum_of(xs):
    s = 0
    for x in xs:
        s += x
    return s


class Counter:
    def __init__(self):
        self.count = 0

    def add(self, x):
        if x > 0:
            y = x + 1
        else:
            y = x
        self.count += 1
        return y

    def __call__(self, x):
        if x > 5:
            return x * 2
        return x


def program_helper():
    @tf.function
    def f(x):
        return relu(x) + relu(-x)
    show(f(T(3)), f(T(-4)))


def program_helper_with_loop():
    @tf.function
    def f(x):
        return sum_of(x) * 10
    show(f(T([1, 2, 3])))


def program_helper_inside():
    @tf.function
    def f(x):
        def inner(y):
            if y > 0:
                return y * 2
            return y
        return inner(x) + inner(x - 10)
    show(f(T(3)))


def program_lambda_inside():
    @tf.function
    def f(x):
        g = lambda v: v + 1 if v > 0 else v - 1  # noqa: E731
        return g(x)
    show(f(T(3)))


def program_method_of_object():
    c = Counter()

    @tf.function
    def f(x):
        return c.add(x)
    show(f(T(3)), f(T(-3)))
    print(c.count)


def program_callable_object():
    c = Counter()

    @tf.function
    def f(x):
        return c(x)
    show(f(T(3)), f(T(6)))


def program_object_made_inside():
    @tf.function
    def f(x):
        c = Counter()
        return c.add(x) + c(x)
    show(f(T(3)))


def program_partial():
    def g(a, b):
        if a > b:
            return a
        return b

    @tf.function
    def f(x):
        return functools.partial(g, b=5)(x)
    show(f(T(3)), f(T(9)))


def program_star_call():
    def g(a, b, c=0):
        return a * 100 + b * 10 + c

    @tf.function
    def f(x):
        args, kwargs = (x, x + 1), {"c": x + 2}
        return g(*args, **kwargs)
    show(f(T(1)))


def program_recursion_of_python():
    def power(x, n):
        if n == 0:
            return T(1)
        return x * power(x, n - 1)

    @tf.function
    def f(x):
        return power(x, 5)
    show(f(T(2)))


def program_mutual():
    def even(n):
        return True if n == 0 else odd(n - 1)

    def odd(n):
        return False if n == 0 else even(n - 1)

    @tf.function
    def f(x):
        return x if even(4) else -x
    show(f(T(3)))


def program_decorated_helper():
    def doubled(g):
        @functools.wraps(g)
        def inner(*args):
            return g(*args) * 2
        return inner

    @doubled
    def g(x):
        if x > 0:
            return x
        return -x

    @tf.function
    def f(x):
        return g(x)
    show(f(T(-3)))


def program_do_not_convert():
    @tf.autograph.experimental.do_not_convert
    def g(x):
        return tf.cond(x > 0, lambda: x, lambda: -x)

    @tf.function
    def f(x):
        return g(x)
    show(f(T(-3)))


def program_len():
    @tf.function
    def f(x, xs):
        return len(x), len(xs)
    show(*f(T([1, 2, 3]), [1, 2]))


def program_len_unknown():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def f(x):
        return len(x) * 2
    show(f(T([1, 2, 3])), f(T([1])))


def program_range():
    @tf.function
    def f(n):
        return [x * 2 for x in range(3)], tf.reduce_sum(range(n))
    a, b = f(T(5))
    show(*a)
    show(b)


def program_abs():
    @tf.function
    def f(x):
        return abs(x), abs(-3)
    show(*f(T(-5)))


def program_int_float():
    @tf.function
    def f(x):
        return int(x), float(x), int(3.7), float(2)
    r = f(T(2.9))
    show(*r)
    print(r[0].dtype.name, r[1].dtype.name)


def program_print_python():
    @tf.function
    def f(x):
        print("building")
        return x
    f(T(1))
    f(T(2))


def program_enumerate_list():
    @tf.function
    def f(xs):
        s = 0
        for i, x in enumerate(xs):
            s += i * x
        return s
    show(f([T(5), T(6), T(7)]))


def program_zip():
    @tf.function
    def f(a, b):
        return [x + y for x, y in zip(a, b)]
    show(*f([T(1), T(2)], [T(10), T(20)]))


def program_any_all_python():
    @tf.function
    def f(x):
        return x if any([True, False]) and not all([True, False]) else -x
    show(f(T(1)))


def program_sorted_python():
    @tf.function
    def f(x):
        return x * sorted([3, 1, 2])[0]
    show(f(T(5)))


def program_max_min_python():
    @tf.function
    def f(x):
        return x * max(2, 3) + min([5, 4])
    show(f(T(5)))


def program_sum_of_list():
    @tf.function
    def f(xs):
        return sum(xs)
    show(f([T(1), T(2), T(3)]))


def program_isinstance():
    @tf.function
    def f(x):
        return x + 1 if isinstance(x, tf.Tensor) else T(0)
    show(f(T(1)), f(1))


def program_comprehensions():
    @tf.function
    def f(x):
        squares = [x * k for k in range(3)]
        by_name = {k: x + k for k in range(2)}
        return squares, by_name[1], sum(v for v in squares)
    a, b, c = f(T(2))
    show(*a, b, c)


def program_with_statement():
    @tf.function
    def f(x):
        with tf.name_scope("inside"):
            if x > 0:
                x = x + 1
        return x
    show(f(T(1)), f(T(-1)))


def program_try_statement():
    @tf.function
    def f(x):
        try:
            if x > 0:
                y = x + 1
            else:
                y = x
        finally:
            z = 10
        return y + z
    show(f(T(1)))


def program_raise_of_python():
    @tf.function
    def f(x, n):
        if n < 0:
            raise ValueError("negative n")
        return x * n
    show(f(T(1), 2))
    try:
        f(T(1), -2)
    except ValueError as error:
        print("negative n" in str(error))


def program_except_inside():
    @tf.function
    def f(x):
        try:
            return tf.reshape(x, [7])
        except ValueError:
            return T([0])
    show(f(T([1, 2])))


def program_global_value():
    @tf.function
    def f(x):
        global TIMES
        TIMES += 1
        return x
    f(T(1))
    f(T(1))
    print(TIMES)


TIMES = 0


def program_augmented():
    @tf.function
    def f(x):
        x += 1
        x *= 2
        x -= 3
        x //= 2
        x %= 5
        return x
    show(f(T(7)))


def program_slices():
    @tf.function
    def f(x):
        return x[1:], x[:-1], x[::2], x[-1]
    show(*f(T([1, 2, 3, 4])))


def program_slices_of_tensors():
    @tf.function
    def f(x, i):
        return x[i], x[i:], x[:i]
    show(*f(T([1, 2, 3, 4]), T(2)))


def program_operators():
    @tf.function
    def f(x, y):
        return x + y, x - y, x * y, x / y, x // y, x % y, x ** y, -x
    show(*f(T(7), T(2)))


def program_matmul():
    @tf.function
    def f(x):
        return x @ x
    show(f(T([[1.0, 2.0], [3.0, 4.0]])))


def program_unpacking():
    @tf.function
    def f(pair):
        (a, b), c = pair
        first, *rest = [a, b, c]
        return first + sum(rest)
    show(f(((T(1), T(2)), T(3))))


def program_chained_assignment():
    @tf.function
    def f(x):
        a = b = x + 1
        return a + b
    show(f(T(1)))


def program_attributes():
    class Box:
        pass

    @tf.function
    def f(x):
        box = Box()
        box.inner = Box()
        box.inner.value = x
        if x > 0:
            box.inner.value = x * 2
        return box.inner.value
    show(f(T(3)), f(T(-3)))


def program_list_of_python():
    @tf.function
    def f(x):
        xs = []
        for k in range(3):
            xs.append(x * k)
        return tf.stack(xs)
    show(f(T(2)))


def program_dict_of_python():
    @tf.function
    def f(x):
        d = {}
        for k in ("a", "b"):
            d[k] = x
        d["a"] = d["a"] + 1
        return d["a"], d["b"]
    show(*f(T(2)))


def program_string_formatting():
    @tf.function
    def f(x):
        print(f"{x.dtype.name} {x.shape.rank}")
        return x
    f(T([1.0]))


def program_numpy_constant():
    a = np.arange(3)

    @tf.function
    def f(x):
        return x + a
    show(f(T([1, 1, 1], tf.int64)))


def program_map_fn_with_condition():
    @tf.function
    def f(x):
        return tf.map_fn(relu, x)
    show(f(T([1, -2, 3])))


def program_dataset_map_with_condition():
    @tf.function
    def f(n):
        ds = tf.data.Dataset.range(n).map(lambda x: x * 2 if x > 2 else x)
        return ds.reduce(T(0, tf.int64), lambda a, b: a + b)
    show(f(T(5, tf.int64)))


def program_custom_gradient():
    @tf.custom_gradient
    def clipped(x):
        def grad(dy):
            return tf.clip_by_value(dy, -1.0, 1.0)
        return x * 10.0, grad

    @tf.function
    def f(x):
        return clipped(x) * 3.0
    x = T(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    show(y, tape.gradient(y, x))


def program_custom_gradient_of_inputs():
    @tf.custom_gradient
    def odd(x):
        y = tf.exp(x)

        def grad(dy):
            return dy * y * 2.0
        return y, grad

    @tf.function
    def f(x):
        return odd(x)
    x = T(0.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    show(y, tape.gradient(y, x))


def program_stop_gradient():
    @tf.function
    def f(x):
        return x * tf.stop_gradient(x)
    x = T(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    show(tape.gradient(y, x))


def program_gradient_through_two_functions():
    @tf.function
    def g(x):
        return x * x

    @tf.function
    def f(x):
        return g(x) + g(2.0 * x)
    x = T(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    show(y, tape.gradient(y, x))


def program_gradient_inside_through_function():
    @tf.function
    def g(x):
        return x * x * x

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = g(x)
        return y, tape.gradient(y, x)
    show(*f(T(2.0)))


def program_second_order_inside():
    @tf.function
    def f(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = x ** 4
            d = inner.gradient(y, x)
        return d, outer.gradient(d, x)
    show(*f(T(2.0)))


def program_third_order():
    @tf.function
    def f(x):
        return x * x * x * x
    x = T(2.0)
    with tf.GradientTape() as a:
        a.watch(x)
        with tf.GradientTape() as b:
            b.watch(x)
            with tf.GradientTape() as c:
                c.watch(x)
                y = f(x)
            d = c.gradient(y, x)
        e = b.gradient(d, x)
    show(d, e, a.gradient(e, x))


def program_persistent_tape():
    @tf.function
    def f(x):
        return x * x, x * 3.0
    x = T(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y, z = f(x)
    show(tape.gradient(y, x), tape.gradient(z, x), tape.gradient([y, z], x))


def program_gradient_of_structure():
    @tf.function
    def f(d):
        return d["a"] * d["b"][0]
    d = {"a": T(2.0), "b": [T(5.0)]}
    with tf.GradientTape() as tape:
        tape.watch(d)
        y = f(d)
    g = tape.gradient(y, d)
    show(g["a"], g["b"][0])


def program_unconnected():
    @tf.function
    def f(x, y):
        return x * 2.0
    x, y = T(1.0), T(1.0)
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = f(x, y)
    g = tape.gradient(z, [x, y])
    show(g[0])
    print(g[1])


def program_integer_argument():
    @tf.function
    def f(x, n):
        return x * tf.cast(n, tf.float32)
    x = T(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x, T(4))
    show(tape.gradient(y, x))


def program_jacobian():
    @tf.function
    def f(x):
        return x * x
    x = T([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    show(tape.jacobian(y, x))


def program_output_gradients():
    @tf.function
    def f(x):
        return x * x
    x = T([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    show(tape.gradient(y, x, output_gradients=T([10.0, 100.0])))


def program_closed_over_tensor_has_gradient():
    a = T(3.0)

    @tf.function
    def f(x):
        return a * a * x
    with tf.GradientTape() as tape:
        tape.watch(a)
        y = f(T(2.0))
    show(tape.gradient(y, a))


def program_to_graph():
    g = tf.autograph.to_graph(relu)
    f = tf.function(g, autograph=False)
    show(f(T(3)), f(T(-3)))


def program_to_code():
    print("ag__" in tf.autograph.to_code(relu), "if_stmt" in tf.autograph.to_code(relu))


def program_math_of_linear_regression():
    w, b = tf.Variable(0.0), tf.Variable(0.0)
    xs = tf.range(5.0)
    ys = 3.0 * xs + 1.0

    @tf.function
    def train(steps):
        for _ in tf.range(steps):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((w * xs + b - ys) ** 2)
            dw, db = tape.gradient(loss, [w, b])
            w.assign_sub(0.05 * dw)
            b.assign_sub(0.05 * db)
        return loss
    train(T(200))
    print("%.2f %.2f" % (w.numpy(), b.numpy()))


def program_newton():
    @tf.function
    def root(n, tolerance=1e-5):
        x = n
        while tf.abs(x * x - n) > tolerance:
            x = 0.5 * (x + n / x)
        return x
    print("%.4f" % root(T(2.0)).numpy())


def program_rnn_by_hand():
    w = tf.Variable(tf.eye(2) * 0.5)

    @tf.function
    def f(xs):
        h = tf.zeros([1, 2])
        outputs = tf.TensorArray(tf.float32, size=tf.shape(xs)[0])
        for t in tf.range(tf.shape(xs)[0]):
            h = tf.tanh(xs[t] @ w + h)
            outputs = outputs.write(t, h)
        return outputs.stack(), h
    xs = tf.reshape(tf.range(6.0), [3, 1, 2]) / 10.0
    with tf.GradientTape() as tape:
        ys, last = f(xs)
        loss = tf.reduce_sum(last)
    print(np.round(ys.numpy(), 4).tolist())
    print(np.round(tape.gradient(loss, w).numpy(), 4).tolist())


def program_beam_like():
    @tf.function
    def f(scores):
        best, best_score = T(-1), T(-1e9)
        for i in tf.range(tf.shape(scores)[0]):
            if scores[i] > best_score:
                best, best_score = i, scores[i]
        return best, best_score
    show(*f(T([1.0, 5.0, 3.0])))


def program_binary_search():
    @tf.function
    def f(xs, x):
        low, high = 0, tf.shape(xs)[0]
        while low < high:
            middle = (low + high) // 2
            if xs[middle] < x:
                low = middle + 1
            else:
                high = middle
        return low
    show(f(T([1, 3, 5, 7, 9]), T(7)), f(T([1, 3, 5, 7, 9]), T(0)), f(T([1, 3, 5, 7, 9]), T(10)))


def program_bubble_sort():
    @tf.function
    def f(x):
        n = tf.shape(x)[0]
        for i in tf.range(n):
            for j in tf.range(n - 1 - i):
                if x[j] > x[j + 1]:
                    x = tf.tensor_scatter_nd_update(x, [[j], [j + 1]], [x[j + 1], x[j]])
        return x
    show(f(T([3, 1, 2, 5, 4])))


def program_gcd():
    @tf.function
    def f(a, b):
        while b != 0:
            a, b = b, a % b
        return a
    show(f(T(48), T(36)))
