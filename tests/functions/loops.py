"""while and for over all there is; break, continue, return, else."""

import numpy as np
import tensorflow as tf

T = tf.constant


def show(*values):
    print(*[np.asarray(v).tolist() for v in values])


def program_while():
    @tf.function
    def f(n):
        i, s = 0, 0
        while i < n:
            s += i
            i += 1
        return s
    show(f(T(10)), f(T(0)), f(T(1)))


def program_while_of_python():
    @tf.function
    def f(x):
        i = 0
        while i < 3:
            x = x * 2
            i += 1
        return x, i
    show(*f(T(1)))


def program_while_becomes_tensor():
    @tf.function
    def f(x):
        while tf.reduce_sum(x) < 100:
            x = x * 2
        return x
    show(f(T([1, 2, 3])))


def program_break():
    @tf.function
    def f(n):
        i = 0
        while T(True):
            if i * i > n:
                break
            i += 1
        return i
    show(f(T(10)), f(T(0)))


def program_break_in_counted():
    @tf.function
    def f(n):
        i, s = T(0), T(0)
        while i < n:
            if s > 20:
                break
            s += i
            i += 1
        return i, s
    show(*f(T(100)))
    show(*f(T(3)))


def program_continue():
    @tf.function
    def f(n):
        i, s = 0, 0
        while i < n:
            i += 1
            if i % 2 == 0:
                continue
            s += i
        return s
    show(f(T(10)))


def program_break_and_continue():
    @tf.function
    def f(n):
        s = 0
        for i in tf.range(n):
            if i % 3 == 0:
                continue
            if i > 7:
                break
            s += i
        return s
    show(f(T(20)), f(T(5)))


def program_return_in_loop():
    @tf.function
    def f(n):
        for i in tf.range(n):
            if i * i > 10:
                return i
        return -1
    show(f(T(10)), f(T(2)))


def program_return_in_while():
    @tf.function
    def f(x):
        i = T(0)
        while i < 10:
            if x[i] == 0:
                return i * 100
            i += 1
        return i
    show(f(T([1, 1, 0, 1, 1, 1, 1, 1, 1, 1])), f(tf.ones([10], tf.int32)))


def program_while_else():
    @tf.function
    def f(n):
        i = 0
        while i < n:
            if i == 5:
                break
            i += 1
        else:
            i = 100
        return i
    show(f(3))


def program_for_range():
    @tf.function
    def f(n):
        s = 0
        for i in tf.range(n):
            s += i
        return s
    show(f(T(5)), f(T(0)))


def program_for_python_range_of_tensor():
    @tf.function
    def f(n):
        s = 0
        for i in range(n):
            s += i
        return s
    show(f(T(5)), f(4))


def program_for_range_steps():
    @tf.function
    def f(a, b, c):
        s = 0
        for i in tf.range(a, b, c):
            s = s * 10 + i
        return s
    show(f(T(1), T(9), T(2)), f(T(9), T(1), T(-3)), f(T(3), T(3), T(1)))


def program_for_tensor():
    @tf.function
    def f(x):
        s = 0.0
        for v in x:
            s += v
        return s
    show(f(T([1.0, 2.0, 3.0])), f(tf.zeros([0])))


def program_for_matrix():
    @tf.function
    def f(x):
        s = tf.zeros([2])
        for row in x:
            s += row
        return s
    show(f(T([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])))


def program_for_unknown_size():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def f(x):
        s = 1
        for v in x:
            s *= v
        return s
    show(f(T([2, 3, 4])), f(T([5])))


def program_for_list():
    @tf.function
    def f(xs):
        s = 0
        for x in xs:
            s += x
        return s
    show(f([T(1), T(2), T(3)]), f([1, 2]))


def program_for_zip_of_lists():
    @tf.function
    def f(a, b):
        s = 0
        for x, y in zip(a, b):
            s += x * y
        return s
    show(f([T(1), T(2)], [T(3), T(4)]))


def program_for_dict_items():
    @tf.function
    def f(d):
        s = 0
        for key, value in d.items():
            s += value * len(key)
        return s
    show(f({"a": T(1), "bb": T(2)}))


def program_for_dataset():
    @tf.function
    def f(ds):
        s = T(0, tf.int64)
        for x in ds:
            s += x
        return s
    show(f(tf.data.Dataset.range(5)), f(tf.data.Dataset.range(0)))


def program_for_dataset_of_pairs():
    @tf.function
    def f():
        s = 0.0
        for a, b in tf.data.Dataset.from_tensor_slices(([1.0, 2.0], [3.0, 4.0])):
            s += a * b
        return s
    show(f())


def program_for_dataset_with_break():
    @tf.function
    def f(n):
        s = T(0, tf.int64)
        for x in tf.data.Dataset.range(100):
            if x == 3:
                continue
            if x > n:
                break
            s += x
        return s
    show(f(T(5, tf.int64)), f(T(0, tf.int64)))


def program_for_batches():
    @tf.function
    def f():
        n, s = 0, 0.0
        for batch in tf.data.Dataset.from_tensor_slices(tf.range(7.0)).batch(3):
            s += tf.reduce_sum(batch)
            n += 1
        return n, s
    show(*f())


def program_for_iterator():
    it = iter(tf.data.Dataset.range(10))

    @tf.function
    def f(n):
        s = T(0, tf.int64)
        for _ in tf.range(n):
            s += next(it)
        return s
    show(f(T(3)), f(T(3)))


def program_nested_loops():
    @tf.function
    def f(n, m):
        s = 0
        for i in tf.range(n):
            for j in tf.range(m):
                s += i * j
        return s
    show(f(T(4), T(3)))


def program_nested_with_break():
    @tf.function
    def f(n):
        s = 0
        for i in tf.range(n):
            for j in tf.range(n):
                if j > i:
                    break
                s += 1
        return s
    show(f(T(5)))


def program_loop_in_branch():
    @tf.function
    def f(x, n):
        if x > 0:
            for _ in tf.range(n):
                x = x * 2
        else:
            x = -x
        return x
    show(f(T(1), T(3)), f(T(-7), T(3)))


def program_branch_in_loop():
    @tf.function
    def f(x):
        evens, odds = 0, 0
        for v in x:
            if v % 2 == 0:
                evens += 1
            else:
                odds += 1
        return evens, odds
    show(*f(T([1, 2, 3, 4, 5])))


def program_variable_in_loop():
    v = tf.Variable(0)

    @tf.function
    def f(n):
        for i in tf.range(n):
            v.assign_add(i)
        return v.read_value()
    show(f(T(4)), f(T(4)))


def program_type_changes():
    @tf.function
    def f(n):
        x = 0
        for i in tf.range(n):
            x = tf.cast(i, tf.float32)
        return x
    try:
        f(T(3))
    except TypeError as error:
        print("'x' has dtype int32 before the loop, but dtype float32 after one iteration" in str(error))


def program_shape_changes():
    @tf.function
    def f(n):
        x = T([1])
        for i in tf.range(n):
            x = tf.concat([x, [i]], 0)
        return x
    try:
        f(T(3))
    except ValueError as error:
        print("'x' has shape (1,) before the loop, but shape (2,) after one iteration" in str(error))


def program_shape_invariant():
    @tf.function
    def f(n):
        x = T([1])
        for i in tf.range(n):
            tf.autograph.experimental.set_loop_options(shape_invariants=[(x, tf.TensorShape([None]))])
            x = tf.concat([x, [i]], 0)
        return x
    show(f(T(3)), f(T(0)))


def program_shape_invariant_while():
    @tf.function
    def f(n):
        x = tf.zeros([0], tf.int32)
        while tf.size(x) < n:
            tf.autograph.experimental.set_loop_options(shape_invariants=[(x, tf.TensorShape([None]))])
            x = tf.concat([x, [tf.size(x)]], 0)
        return x
    show(f(T(4)))


def program_maximum_iterations():
    @tf.function
    def f():
        i = 0
        while i < T(100):
            tf.autograph.experimental.set_loop_options(maximum_iterations=5)
            i += 1
        return i
    show(f())


def program_structure_changes():
    @tf.function
    def f(n):
        x = (0, 0)
        for i in tf.range(n):
            x = (i, i, i)
        return x
    try:
        f(T(3))
    except (TypeError, ValueError) as error:
        print("nested structure" in str(error))


def program_value_defined_in_loop():
    @tf.function
    def f(n):
        for i in tf.range(n):
            last = i * 10
        return last
    show(f(T(3)))


def program_loop_variable_afterwards():
    @tf.function
    def f(n):
        i = -1
        for i in tf.range(n):  # noqa: B007 (read afterwards)
            pass
        return i
    show(f(T(4)))


def program_local_in_loop():
    @tf.function
    def f(x):
        s = 0
        for v in x:
            double = v * 2
            s += double
        return s
    show(f(T([1, 2, 3])))


def program_tuple_state():
    @tf.function
    def f(n):
        a, b = 0, 1
        while a < n:
            a, b = b, a + b
        return a
    show(f(T(50)))


def program_dict_state():
    @tf.function
    def f(n):
        d = {"s": 0, "p": 1}
        for i in tf.range(1, n):
            d = {"s": d["s"] + i, "p": d["p"] * i}
        return d
    r = f(T(5))
    show(r["s"], r["p"])


def program_tensor_array():
    @tf.function
    def f(n):
        a = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        for i in tf.range(n):
            a = a.write(i, tf.cast(i, tf.float32) * 2.0)
        return a.stack()
    show(f(T(4)))


def program_tensor_array_of_rows():
    @tf.function
    def f(x):
        n = tf.shape(x)[0]
        a = tf.TensorArray(tf.float32, size=n, element_shape=[2])
        for i in tf.range(n):
            a = a.write(n - 1 - i, x[i])
        return a.stack(), a.size()
    show(*f(T([[1.0, 2.0], [3.0, 4.0]])))


def program_tensor_array_concat():
    @tf.function
    def f():
        a = tf.TensorArray(tf.int32, size=2, infer_shape=False)
        a = a.write(0, [1, 2]).write(1, [3])
        return a.concat()
    show(f())


def program_tensor_array_unstack():
    @tf.function
    def f(x):
        a = tf.TensorArray(tf.float32, size=3).unstack(x)
        s = 0.0
        for i in tf.range(3):
            s = s * 10.0 + a.read(i)
        return s
    show(f(T([1.0, 2.0, 3.0])))


def program_while_loop_function():
    @tf.function
    def f(n):
        return tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + i), [T(0), T(0)])
    show(*f(T(5)))


def program_while_loop_with_limit():
    @tf.function
    def f():
        return tf.while_loop(lambda i: i < 100, lambda i: [i + 1], [T(0)], maximum_iterations=7)
    r = f()
    show(r[0] if isinstance(r, (list, tuple)) else r)


def program_map_fn():
    @tf.function
    def f(x):
        return tf.map_fn(lambda v: v * v, x)
    show(f(T([1.0, 2.0, 3.0])))


def program_scan():
    @tf.function
    def f(x):
        return tf.scan(lambda a, v: a + v, x)
    show(f(T([1.0, 2.0, 3.0])))


def program_foldl():
    @tf.function
    def f(x):
        return tf.foldl(lambda a, v: a * 10 + v, x)
    show(f(T([1, 2, 3])))


def program_gradient_of_while():
    @tf.function
    def f(x):
        y = x
        while y < 100.0:
            y = y * x
        return y
    x = T(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    show(y, tape.gradient(y, x))


def program_gradient_of_for():
    w = tf.Variable([1.0, 2.0])

    @tf.function
    def f(xs):
        s = 0.0
        for x in xs:
            s += tf.reduce_sum(w * x * x)
        return s
    with tf.GradientTape() as tape:
        y = f(T([[1.0, 2.0], [3.0, 4.0]]))
    show(y, tape.gradient(y, w))


def program_gradient_through_array():
    @tf.function
    def f(x):
        a = tf.TensorArray(tf.float32, size=3)
        for i in tf.range(3):
            a = a.write(i, x * tf.cast(i, tf.float32))
        return tf.reduce_sum(a.stack() ** 2)
    x = T(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    show(y, tape.gradient(y, x))


def program_gradient_with_branch():
    @tf.function
    def f(xs, w):
        s = 0.0
        for x in xs:
            if x > 0:
                s += w * x
            else:
                s += w * w
        return s
    w = T(3.0)
    with tf.GradientTape() as tape:
        tape.watch(w)
        y = f(T([1.0, -1.0, 2.0]), w)
    show(y, tape.gradient(y, w))


def program_gradient_of_nested():
    @tf.function
    def f(x):
        s = x
        for _ in tf.range(3):
            for _ in tf.range(2):
                s = s * x
        return s
    x = T(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    show(y, tape.gradient(y, x))


def program_gradient_second_order():
    @tf.function
    def f(x):
        y = T(1.0)
        for _ in tf.range(4):
            y = y * x
        return y
    x = T(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        d = inner.gradient(y, x)
    show(y, d, outer.gradient(d, x))


def program_gradient_inside():
    @tf.function
    def f(x, n):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in tf.range(n):
                y = y * x
        return tape.gradient(y, x)
    show(f(T(2.0), T(3)), f(T(2.0), T(0)))


def program_gradient_in_loop():
    @tf.function
    def f(x):
        for _ in tf.range(20):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = (x - 3.0) ** 2
            x = x - 0.3 * tape.gradient(y, x)
        return x
    print("%.4f" % f(T(0.0)).numpy())


def program_iterate_scalar():
    @tf.function
    def f(x):
        for _ in x:
            pass
    try:
        f(T(1))
    except Exception as error:
        print(isinstance(error, (ValueError, TypeError)))


def program_ragged():
    @tf.function
    def f(x):
        s = 0
        for row in x:
            s += tf.reduce_sum(row) * tf.size(row)
        return s
    show(f(tf.ragged.constant([[1, 2], [3], []])))


def program_collatz():
    @tf.function
    def f(n):
        steps = 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        return steps
    show(f(T(27)))


def program_fizz():
    @tf.function
    def f(n):
        for i in tf.range(1, n):
            if i % 15 == 0:
                tf.print("FizzBuzz", output_stream="file:///dev/null")
            elif i % 3 == 0:
                tf.print("Fizz", output_stream="file:///dev/null")
            else:
                tf.print(i, output_stream="file:///dev/null")
        return i
    show(f(T(16)))


def program_sieve():
    @tf.function
    def f(n):
        found = tf.TensorArray(tf.int32, 0, dynamic_size=True)
        count = 0
        for i in tf.range(2, n):
            is_prime = True
            for j in tf.range(2, i):
                if i % j == 0:
                    is_prime = False
                    break
            if is_prime:
                found = found.write(count, i)
                count += 1
        return found.stack()
    show(f(T(20)))
