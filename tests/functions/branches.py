"""if, elif, else, ternaries, and, or, not, comparisons."""

import numpy as np
import tensorflow as tf

T = tf.constant


def show(*values):
    print(*[np.asarray(v).tolist() for v in values])


def program_if_else():
    @tf.function
    def f(x):
        if x > 0:
            y = x * 2
        else:
            y = -x
        return y
    show(f(T(3)), f(T(-3)), f(T(0)))


def program_if_without_else():
    @tf.function
    def f(x):
        y = x
        if x > 10:
            y = x - 10
        return y
    show(f(T(12)), f(T(5)))


def program_elif():
    @tf.function
    def f(x):
        if x < 0:
            r = -1
        elif x < 10:
            r = 0
        elif x < 100:
            r = 1
        else:
            r = 2
        return r
    show(f(T(-5)), f(T(5)), f(T(50)), f(T(500)))


def program_nested():
    @tf.function
    def f(x, y):
        if x > 0:
            if y > 0:
                z = x + y
            else:
                z = x - y
        else:
            z = y
        return z
    show(f(T(1), T(2)), f(T(1), T(-2)), f(T(-1), T(7)))


def program_several_values():
    @tf.function
    def f(x):
        a, b = x, x
        if x > 0:
            a, b = a + 1, b + 2
        else:
            a, b = b - 1, a - 2
        return a, b
    show(*f(T(1.5)))
    show(*f(T(-1.5)))


def program_python_condition():
    @tf.function
    def f(x, flag):
        print("traced", flag)
        if flag:
            return x + 1
        return x - 1
    show(f(T(1), True), f(T(1), False), f(T(2), True))


def program_new_name_in_both():
    @tf.function
    def f(x):
        if x > 0:
            name = x + 1.0
        else:
            name = x - 1.0
        return name * 2.0
    show(f(T(1.0)), f(T(-1.0)))


def program_undefined_in_else():
    @tf.function
    def f(x):
        if x > 0:
            y = x
        return y
    try:
        f(T(1))
    except ValueError as error:
        print("'y' must also be initialized in the else branch" in str(error))


def program_undefined_in_main():
    @tf.function
    def f(x):
        if x > 0:
            pass
        else:
            y = x
        return y
    try:
        f(T(1))
    except ValueError as error:
        print("'y' must also be initialized in the main branch" in str(error))


def program_types_differ():
    @tf.function
    def f(x):
        if x > 0:
            y = 1
        else:
            y = 2.0
        return y
    try:
        f(T(1))
    except TypeError as error:
        print("'y' has dtype int32 in the main branch, but dtype float32 in the else branch" in str(error))


def program_structures():
    @tf.function
    def f(x):
        if x > 0:
            d = {"a": x, "b": [x, x + 1]}
        else:
            d = {"a": -x, "b": [x, x - 1]}
        return d
    r = f(T(2))
    show(r["a"], *r["b"])
    r = f(T(-2))
    show(r["a"], *r["b"])


def program_structures_differ():
    @tf.function
    def f(x):
        if x > 0:
            d = (x, x)
        else:
            d = x
        return d
    try:
        f(T(1))
    except TypeError as error:
        print("must have the same nested structure" in str(error))


def program_early_return():
    @tf.function
    def f(x):
        if x > 10:
            return x * 100
        return x
    show(f(T(11)), f(T(9)))


def program_early_returns():
    @tf.function
    def f(x):
        if x > 10:
            return "large"
        if x > 5:
            return "middle"
        return "small"
    show(f(T(11)), f(T(6)), f(T(0)), f(T(1)))


def program_return_after_else():
    @tf.function
    def f(x):
        if x > 0:
            y = x + 1
        else:
            return T(0)
        y = y * 2
        return y
    show(f(T(1)), f(T(-1)))


def program_return_in_nested():
    @tf.function
    def f(x, y):
        if x > 0:
            if y > 0:
                return x + y
            z = x
        else:
            z = -x
        return z * 10
    show(f(T(1), T(2)), f(T(1), T(-2)), f(T(-3), T(0)))


def program_return_missing():
    @tf.function
    def f(x):
        if x > 0:
            return x
    try:
        f(T(1))
    except ValueError as error:
        print("must also be returned from the else branch" in str(error))


def program_ternary():
    @tf.function
    def f(x):
        return x + 1 if x > 0 else x - 1
    show(f(T(1)), f(T(-1)))


def program_and_or_not():
    @tf.function
    def f(x, y):
        return (x > 0 and y > 0), (x > 0 or y > 0), not x > 0
    show(*f(T(1), T(-1)))
    show(*f(T(-1), T(-1)))
    show(*f(T(1), T(1)))


def program_and_is_lazy():
    @tf.function
    def f(x, i):
        if i < 3 and x[i] > 1:
            return x[i]
        return -1
    show(f(T([1, 2, 3]), T(1)), f(T([1, 2, 3]), T(7)), f(T([1, 2, 3]), T(0)))


def program_and_of_many():
    @tf.function
    def f(x):
        return x > 0 and x < 10 and x != 5
    show(f(T(3)), f(T(5)), f(T(12)))


def program_chain():
    @tf.function
    def f(x):
        return 0 < x < 10
    show(f(T(3)), f(T(0)), f(T(10)))


def program_chain_of_three():
    @tf.function
    def f(x, y):
        return 0 <= x <= y < 10
    show(f(T(3), T(4)), f(T(4), T(3)), f(T(4), T(30)))


def program_equality():
    @tf.function
    def f(x):
        if x == 3:
            return T(1)
        if x != 4:
            return T(2)
        return T(3)
    show(f(T(3)), f(T(5)), f(T(4)))


def program_is_none():
    @tf.function
    def f(x, y=None):
        if y is None:
            y = x
        return x + y
    show(f(T(1)), f(T(1), T(5)))


def program_attribute_in_branch():
    class Box:
        pass
    box = Box()
    box.value = T(1)

    @tf.function
    def f(x):
        b = Box()
        b.value = x
        if x > 0:
            b.value = b.value * 10
        return b.value
    show(f(T(2)), f(T(-2)))


def program_vector_condition():
    @tf.function
    def f(x):
        if x > 0:
            return x
        return -x
    try:
        f(T([1, 2]))
    except Exception as error:
        print(isinstance(error, (ValueError, tf.errors.InvalidArgumentError)))


def program_variable_as_condition():
    v = tf.Variable(True)

    @tf.function
    def f():
        if v:
            return T(1)
        return T(2)
    show(f())
    v.assign(False)
    show(f())


def program_assign_in_branch():
    v = tf.Variable(0)

    @tf.function
    def f(x):
        if x > 0:
            v.assign_add(x)
        else:
            v.assign_sub(1)
        return v.read_value()
    show(f(T(5)), f(T(-5)), f(T(1)), v)


def program_branch_with_local():
    @tf.function
    def f(x):
        if x > 0:
            temporary = x * 3
            y = temporary + 1
        else:
            y = x
        return y
    show(f(T(1)), f(T(-1)))


def program_same_name_read_in_both():
    @tf.function
    def f(x):
        y = x
        if x > 0:
            y += 1
        else:
            y -= 1
        return y
    show(f(T(1)), f(T(-1)))


def program_unrelated_python_value():
    @tf.function
    def f(x):
        names = ["a"]
        if x > 0:
            y = x
            names = names
        else:
            y = -x
        return y, len(names)
    show(*f(T(-4)))


def program_shapes_differ():
    @tf.function
    def f(x):
        if tf.reduce_sum(x) > 0:
            y = tf.concat([x, x], 0)
        else:
            y = x
        return y
    show(f(T([1, 2])), f(T([-1, -2])))


def program_cond_function():
    @tf.function
    def f(x):
        return tf.cond(x > 0, lambda: x + 1, lambda: x - 1)
    show(f(T(1)), f(T(-1)))


def program_cond_of_structures():
    @tf.function
    def f(x):
        return tf.cond(x > 0, lambda: (x, {"k": x * 2}), lambda: (-x, {"k": x}))
    a, b = f(T(3))
    show(a, b["k"])


def program_case_function():
    @tf.function
    def f(x):
        return tf.case([(x < 0, lambda: T(-1)), (x > 10, lambda: T(1))], default=lambda: T(0))
    show(f(T(-4)), f(T(4)), f(T(40)))


def program_switch_case():
    @tf.function
    def f(i, x):
        return tf.switch_case(i, [lambda: x + 1, lambda: x * 10, lambda: x - 1])
    show(f(T(0), T(5)), f(T(1), T(5)), f(T(2), T(5)), f(T(9), T(5)))


def program_string_results():
    @tf.function
    def f(x):
        if x > 0:
            s = "yes"
        else:
            s = "no"
        return tf.strings.join([s, "!"])
    show(f(T(1)), f(T(-1)))


def program_gradient():
    @tf.function
    def f(x):
        if x > 0:
            y = x * x
        else:
            y = x * x * x
        return y
    for start in (2.0, -2.0):
        x = T(start)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        show(y, tape.gradient(y, x))


def program_gradient_one_side():
    v = tf.Variable(3.0)

    @tf.function
    def f(x):
        if x > 0:
            return v * x
        return x
    for start in (2.0, -2.0):
        with tf.GradientTape() as tape:
            y = f(T(start))
        g = tape.gradient(y, v)
        show(y, g)


def program_gradient_of_second_order():
    @tf.function
    def f(x):
        if x > 0:
            return x * x * x
        return x
    x = T(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        d = inner.gradient(y, x)
    show(d, outer.gradient(d, x))


def program_gradient_inside():
    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            if x > 0:
                y = tf.sin(x)
            else:
                y = x * 5.0
        return tape.gradient(y, x)
    print("%.5f %.5f" % (f(T(1.0)).numpy(), f(T(-1.0)).numpy()))
