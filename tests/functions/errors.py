"""What is wrong is told: the class, what matters of the text, and the line of the program."""

import linecache
import re

import tensorflow as tf

T = tf.constant


def told(call, *phrases):
    """The class of the error, and which phrases its text has."""
    try:
        call()
    except Exception as error:
        text = str(error)
        print(type(error).__name__, *[phrase in text for phrase in phrases])
    else:
        print("no error")


def line_told(call, word):
    """Whether the text names this file, and the innermost of its lines that are named has the word."""
    try:
        call()
    except Exception as error:
        lines = re.findall(r'errors\.py", line (\d+)', str(error))
        found = linecache.getline(__file__, int(lines[-1])) if lines else ""
        print(type(error).__name__, bool(lines), word in found)
    else:
        print("no error")


def program_value_error_of_the_program():
    @tf.function
    def f(x):
        raise ValueError("my words")
    told(lambda: f(T(1)), "my words", "in user code")
    line_told(lambda: f(T(1)), "my words")


def program_in_a_helper():
    def helper(x):
        return x + T("text")

    @tf.function
    def f(x):
        return helper(x)
    line_told(lambda: f(T(1)), "return x + T")


def program_in_a_branch():
    @tf.function
    def f(x):
        if x > 0:
            y = tf.matmul(x, x)
        else:
            y = x
        return y
    line_told(lambda: f(T(1.)), "matmul")


def program_in_a_loop():
    @tf.function
    def f(x):
        for i in tf.range(3):
            x = tf.reshape(x, [2, i, 0, "a"])
        return x
    line_told(lambda: f(T(1.)), "reshape")


def program_in_a_lambda():
    @tf.function
    def f(x):
        g = lambda y: tf.matmul(y, y)  # noqa: E731
        return g(x)
    line_told(lambda: f(T(1.)), "lambda y")


def program_in_a_method():
    class Model(tf.Module):
        @tf.function
        def run(self, x):
            return self.missing(x)
    told(lambda: Model().run(T(1)), "missing")
    line_told(lambda: Model().run(T(1)), "self.missing")


def program_name_error():
    @tf.function
    def f(x):
        return x + not_there  # noqa: F821
    told(lambda: f(T(1)), "not_there")
    line_told(lambda: f(T(1)), "not_there")


def program_undefined_in_else():
    @tf.function
    def f(x):
        if x > 0:
            y = x
        return y
    told(lambda: f(T(1)), "'y'", "else branch")


def program_undefined_in_main():
    @tf.function
    def f(x):
        if x > 0:
            pass
        else:
            y = x
        return y
    told(lambda: f(T(1)), "'y'", "main branch")


def program_undefined_before_loop():
    @tf.function
    def f(n):
        while n > 0:
            last = str(n)
            n -= 1
        return last
    told(lambda: f(T(1)), "'last'")


def program_types_of_branches():
    @tf.function
    def f(x):
        if x > 0:
            y = 1
        else:
            y = 1.5
        return y
    told(lambda: f(T(1)), "'y'", "dtype", "int32", "float32")


def program_none_in_a_branch():
    @tf.function
    def f(x):
        y = None
        if x > 0:
            y = x
        return y
    told(lambda: f(T(1)), "'y'", "None")


def program_structures_of_branches():
    @tf.function
    def f(x):
        if x > 0:
            y = (x, x)
        else:
            y = (x, x, x)
        return y
    told(lambda: f(T(1)), "'y'", "same nested structure")


def program_type_in_a_loop():
    @tf.function
    def f(n):
        s = 0
        while n > 0:
            s = s + .5
            n -= 1
        return s
    told(lambda: f(T(1)), "'s'", "dtype")


def program_shape_in_a_loop():
    @tf.function
    def f(n):
        s = tf.zeros([1])
        while n > 0:
            s = tf.concat([s, s], 0)
            n -= 1
        return s
    told(lambda: f(T(1)), "'s'", "shape", "set_loop_options")


def program_structure_in_a_loop():
    @tf.function
    def f(n):
        s = (n,)
        while n > 0:
            s = (n, n)
            n -= 1
        return s
    told(lambda: f(T(1)), "'s'", "nested structure")


def program_return_in_one_branch():
    @tf.function
    def f(x):
        if x > 0:
            return x
    told(lambda: f(T(1)), "return")


def program_tensor_as_bool():
    @tf.function(autograph=False)
    def f(x):
        if x > 0:
            return x
        return -x
    told(lambda: f(T(1)), "bool")


def program_tensor_iterated():
    @tf.function(autograph=False)
    def f(x):
        return [e for e in x]
    told(lambda: f(tf.range(3)), "terat")


def program_tensor_as_number():
    @tf.function
    def f(x):
        import math
        return math.sqrt(x)
    told(lambda: f(T(1.)))


def program_numpy_of_symbol():
    @tf.function
    def f(x):
        return x.numpy()
    told(lambda: f(T(1.)), "numpy")


def program_condition_of_many():
    @tf.function
    def f(x):
        if x > 0:
            return x
        return -x
    told(lambda: f(T([1, 2])))


def program_scalar_iterated():
    @tf.function
    def f(x):
        s = 0
        for e in x:
            s += e
        return s
    told(lambda: f(T(1)))


def program_assert_of_the_program():
    @tf.function
    def f(x):
        assert x > 0, "must be positive"
        return x
    told(lambda: f(T(-1)), "must be positive")
    told(lambda: print(int(f(T(1)))))


def program_python_assert():
    @tf.function
    def f(x, n):
        assert n > 0, "n must be positive"
        return x * n
    told(lambda: f(T(1), -1), "n must be positive")


def program_division_by_zero():
    @tf.function
    def f(x, y):
        return x // y
    told(lambda: f(T(1), T(0)), "ivision by zero")


def program_index_out_of_range():
    @tf.function
    def f(x, i):
        return tf.gather(x, i)
    told(lambda: f(tf.range(3), T(7)), "indices", "[0, 3)")


def program_bad_reshape():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def f(x):
        return tf.reshape(x, [2, 2])
    told(lambda: f(T([1., 2., 3.])), "reshape")


def program_error_of_py_function():
    def fails(x):
        raise KeyError("of python")

    @tf.function
    def f(x):
        return tf.py_function(fails, [x], tf.float32)
    told(lambda: f(T(1.)), "of python")


def program_unknown_keyword():
    @tf.function
    def f(x):
        return x
    told(lambda: f(T(1), y=2), "y")


def program_returns_an_object():
    @tf.function
    def f(x):
        return object()
    told(lambda: f(T(1)))


def program_leaks_a_tensor():
    kept = []

    @tf.function
    def f(x):
        kept.append(x + 1)
        return x
    f(T(1))
    told(lambda: kept[0] + 1)


def program_variable_every_call():
    @tf.function
    def f(x):
        v = tf.Variable(1.)
        return v + x
    told(lambda: f(T(1.)), "ingleton")


def program_assign_of_wrong_shape():
    v = tf.Variable([1., 2.])

    @tf.function
    def f(x):
        v.assign(x)
    told(lambda: f(T([1., 2., 3.])))


def program_session_inside():
    @tf.function
    def f(x):
        tf.compat.v1.placeholder(tf.float32)
        return x
    told(lambda: print(int(f(T(1)))))


def program_error_leaves_function_usable():
    @tf.function
    def f(x):
        if x.dtype == tf.string:
            raise TypeError("no texts")
        return x + 1
    told(lambda: f(T("a")), "no texts")
    print(int(f(T(1))))


def program_raise_in_tensor_branch():
    @tf.function
    def f(x):
        if x.shape.rank != 1:
            raise ValueError("rank 1 wanted")
        return tf.reduce_sum(x)
    told(lambda: f(T(1)), "rank 1 wanted")
    print(int(f(T([1, 2]))))
