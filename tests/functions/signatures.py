"""What a function is built for: types, shapes, Python values, structures, methods, input_signature."""

import collections

import numpy as np
import tensorflow as tf

T = tf.constant


def show(*values):
    print(*[np.asarray(v).tolist() for v in values])


def program_traces_once():
    @tf.function
    def f(x):
        print("traced")
        return x + 1
    show(f(T(1)), f(T(2)), f(T(3)))


def program_traces_by_type():
    @tf.function
    def f(x):
        print("traced", x.dtype.name)
        return x + 1
    show(f(T(1)), f(T(1.0)), f(T(2)), f(T(2.0)))


def program_traces_by_shape():
    @tf.function
    def f(x):
        print("traced", x.shape.as_list())
        return tf.reduce_sum(x)
    show(f(T([1, 2])), f(T([1, 2, 3])), f(T([5, 5])), f(T([[1]])))


def program_traces_by_python_value():
    @tf.function
    def f(x, n):
        print("traced", n)
        return x * n
    show(f(T(1), 2), f(T(1), 3), f(T(4), 2), f(T(1), 2.0 if False else 3))


def program_traces_by_python_type():
    @tf.function
    def f(n):
        print("traced", type(n).__name__, n)
        return T(0)
    f(1)
    f("a")
    f(None)
    f(1)
    f("a")


def program_python_and_tensor():
    @tf.function
    def f(x):
        print("traced", "tensor" if isinstance(x, tf.Tensor) else x)
        return x + 1
    show(f(1), f(T(1)), f(2), f(T(5)))


def program_numpy_is_tensor():
    @tf.function
    def f(x):
        print("traced", x.dtype.name, x.shape.as_list())
        return x * 2
    show(f(np.array([1.0, 2.0], np.float32)), f(T([3.0, 4.0])), f(np.float32(1)))


def program_positional_and_keyword():
    @tf.function
    def f(x, y):
        print("traced")
        return x - y
    show(f(T(1), T(2)), f(T(1), y=T(2)), f(y=T(2), x=T(1)))


def program_defaults():
    @tf.function
    def f(x, y=3):
        print("traced", y)
        return x + y
    show(f(T(1)), f(T(1), 3), f(T(1), y=3), f(T(1), 4))


def program_star_args():
    @tf.function
    def f(*args):
        print("traced", len(args))
        return tf.add_n(list(args))
    show(f(T(1), T(2)), f(T(1), T(2), T(3)), f(T(3), T(2)))


def program_star_kwargs():
    @tf.function
    def f(x, **kwargs):
        print("traced", sorted(kwargs))
        return x + sum(kwargs.values())
    show(f(T(1), a=T(2)), f(T(1), b=T(3), a=T(2)), f(T(1), a=T(2), b=T(3)))


def program_keyword_only():
    @tf.function
    def f(x, *, scale=2):
        return x * scale
    show(f(T(3)), f(T(3), scale=5))


def program_lists():
    @tf.function
    def f(xs):
        print("traced", len(xs), type(xs).__name__)
        return xs[0] + xs[-1]
    show(f([T(1), T(2)]), f([T(3), T(4)]), f([T(1), T(2), T(3)]), f((T(1), T(2))))


def program_dicts():
    @tf.function
    def f(d):
        print("traced", sorted(d))
        return d["a"] * 10 + d["b"]
    show(f({"a": T(1), "b": T(2)}), f({"b": T(4), "a": T(3)}))


def program_namedtuples():
    Point = collections.namedtuple("Point", "x y")

    @tf.function
    def f(p):
        print("traced")
        return Point(p.y, p.x)
    r = f(Point(T(1), T(2)))
    print(type(r).__name__)
    show(r.x, r.y, f(Point(T(3), T(4))).x)


def program_nested_structures():
    @tf.function
    def f(s):
        return {"sum": s[0]["a"] + s[1][0], "rest": [s[1][1], (s[0]["a"],)]}
    r = f([{"a": T(1)}, (T(2), T(3))])
    show(r["sum"], r["rest"][0], r["rest"][1][0])
    print(type(r["rest"]).__name__, type(r["rest"][1]).__name__)


def program_returns_nothing():
    @tf.function
    def f(x):
        x + 1
    print(f(T(1)))


def program_returns_none_in_structure():
    @tf.function
    def f(x):
        return x, None, {"k": None}
    a, b, c = f(T(1))
    show(a)
    print(b, c)


def program_returns_python():
    @tf.function
    def f():
        return 1, 2.5, True, "text"
    show(*f())
    print([v.dtype.name for v in f()])


def program_returns_argument():
    @tf.function
    def f(x):
        return x
    show(f(T(5)))


def program_returns_variable():
    v = tf.Variable(3)

    @tf.function
    def f():
        return v
    print(isinstance(f(), tf.Tensor))
    show(f())


def program_returns_object():
    class Thing:
        pass

    @tf.function
    def f():
        return Thing()
    try:
        f()
    except TypeError as error:
        print("must return zero or more Tensors" in str(error))


def program_input_signature():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def f(x):
        print("traced", x.shape.as_list())
        return tf.reduce_sum(x)
    show(f(T([1.0])), f(T([1.0, 2.0])), f([3.0, 4.0]))


def program_input_signature_refuses_type():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def f(x):
        return x
    try:
        f(T([1]))
    except Exception as error:
        print(isinstance(error, (TypeError, ValueError)))


def program_input_signature_refuses_shape():
    @tf.function(input_signature=[tf.TensorSpec([2], tf.float32)])
    def f(x):
        return x
    try:
        f(T([1.0, 2.0, 3.0]))
    except Exception as error:
        print(isinstance(error, (TypeError, ValueError)))
    show(f(T([1.0, 2.0])))


def program_input_signature_of_two():
    @tf.function(input_signature=[tf.TensorSpec([], tf.int32), tf.TensorSpec(None, tf.int32)])
    def f(a, b):
        print("traced")
        return a * b
    show(f(2, 3), f(T(2), T([1, 2])), f(b=T(4), a=T(5)))


def program_input_signature_structured():
    @tf.function(input_signature=[{"a": tf.TensorSpec([], tf.int32), "b": tf.TensorSpec([None], tf.int32)}])
    def f(d):
        return d["a"] + tf.reduce_sum(d["b"])
    show(f({"a": T(1), "b": T([1, 2])}), f({"a": T(1), "b": T([1, 2, 3])}))


def program_input_signature_empty():
    @tf.function(input_signature=[])
    def f():
        print("traced")
        return T(1)
    show(f(), f())


def program_too_many_arguments():
    @tf.function
    def f(x):
        return x
    try:
        f(T(1), T(2))
    except TypeError as error:
        print("too many positional arguments" in str(error) or "takes 1 positional" in str(error))


def program_missing_argument():
    @tf.function
    def f(x, y):
        return x
    try:
        f(T(1))
    except TypeError as error:
        print("missing a required argument" in str(error))


def program_relaxed_shapes():
    @tf.function(experimental_relax_shapes=True)
    def f(x):
        print("traced", x.shape.as_list())
        return tf.reduce_sum(x)
    show(f(T([1])), f(T([1, 2])), f(T([1, 2, 3])), f(T([1, 2, 3, 4])))


def program_concrete_function():
    @tf.function
    def f(x):
        print("traced")
        return x * 2
    c = f.get_concrete_function(tf.TensorSpec([], tf.int32))
    show(c(T(4)), f(T(5)))
    print(len(c.inputs), len(c.outputs), c.output_dtypes.name)


def program_concrete_function_any_shape():
    @tf.function
    def f(x):
        return tf.reduce_sum(x)
    c = f.get_concrete_function(tf.TensorSpec([None], tf.float32))
    show(c(T([1.0, 2.0])), c(T([1.0])))
    print(c.structured_input_signature[0][0].shape.as_list())


def program_concrete_function_same():
    @tf.function
    def f(x):
        return x
    a = f.get_concrete_function(T(1))
    b = f.get_concrete_function(tf.TensorSpec([], tf.int32))
    c = f.get_concrete_function(T(1.0))
    print(a is b, a is c)


def program_concrete_function_refuses():
    @tf.function
    def f(x):
        return x
    c = f.get_concrete_function(tf.TensorSpec([2], tf.float32))
    for wrong in (T([1, 2]),):
        try:
            c(wrong)
        except Exception as error:
            print(isinstance(error, (ValueError, TypeError, tf.errors.InvalidArgumentError)))


def program_concrete_function_by_name():
    @tf.function
    def f(x, y):
        return x - y
    c = f.get_concrete_function(tf.TensorSpec([], tf.int32), tf.TensorSpec([], tf.int32))
    show(c(x=T(5), y=T(3)), c(T(5), T(3)))


def program_concrete_function_with_structure():
    @tf.function
    def f(d):
        return {"sum": d["a"] + d["b"]}
    c = f.get_concrete_function({"a": tf.TensorSpec([], tf.int32), "b": tf.TensorSpec([], tf.int32)})
    print(sorted(c.structured_outputs), c.structured_outputs["sum"].dtype.name)


def program_concrete_function_graph():
    @tf.function
    def f(x):
        return tf.sin(x) + tf.cos(x)
    c = f.get_concrete_function(tf.TensorSpec([], tf.float32))
    print([op.type for op in c.graph.get_operations() if op.type in ("Sin", "Cos", "AddV2")])


def program_method():
    class Model:
        def __init__(self, k):
            self.k = k

        @tf.function
        def scale(self, x):
            print("traced", self.k)
            return x * self.k
    a, b = Model(2), Model(3)
    show(a.scale(T(5)), b.scale(T(5)), a.scale(T(6)), b.scale(T(6)))


def program_static_and_class_methods():
    class A:
        k = 7

        @staticmethod
        @tf.function
        def s(x):
            return x + 1

        @classmethod
        def c(cls, x):
            return tf.function(lambda y: y * cls.k)(x)
    show(A.s(T(1)), A().s(T(2)), A.c(T(2)))


def program_callable_object():
    class Adder:
        def __init__(self, n):
            self.n = n

        def __call__(self, x):
            return x + self.n
    f = tf.function(Adder(5))
    show(f(T(1)))


def program_lambda():
    f = tf.function(lambda x, y=2: x * y)
    show(f(T(3)), f(T(3), 5))


def program_partial():
    import functools

    def g(x, y):
        return x - y
    f = tf.function(functools.partial(g, y=2))
    show(f(T(5)))


def program_decorated_twice():
    def twice(inner):
        def outer(x):
            return inner(inner(x))
        return outer

    @tf.function
    @twice
    def f(x):
        return x * 3
    show(f(T(1)))


def program_nested_functions():
    @tf.function
    def inner(x):
        print("inner traced")
        return x * 2

    @tf.function
    def outer(x):
        print("outer traced")
        return inner(x) + inner(x + 1)
    show(outer(T(1)), outer(T(2)), inner(T(10)))


def program_closure_over_python():
    k = 3

    @tf.function
    def f(x):
        return x * k
    show(f(T(1)))
    k = 10
    show(f(T(1)), f(T(1.0)) if False else f(T(2)))


def program_closure_over_tensor():
    a = T([1.0, 2.0])

    @tf.function
    def f(x):
        return a * x
    show(f(T(3.0)))
    a = T([5.0, 5.0])
    show(f(T(3.0)))


def program_closure_in_loop():
    fs = []
    for k in range(3):
        @tf.function
        def f(x, k=k):
            return x + k
        fs.append(f)
    show(*[f(T(10)) for f in fs])


def program_nonlocal():
    count = 0

    @tf.function
    def f(x):
        nonlocal count
        count += 1
        return x
    f(T(1))
    f(T(2))
    f(T(1.0))
    print(count)


def program_python_side_effects():
    seen = []

    @tf.function
    def f(x):
        seen.append(1)
        return x
    f(T(1))
    f(T(2))
    f(T([1]))
    print(len(seen))


def program_run_eagerly():
    @tf.function
    def f(x):
        print("called")
        return x + 1
    tf.config.run_functions_eagerly(True)
    f(T(1))
    f(T(1))
    tf.config.run_functions_eagerly(False)
    f(T(1))
    f(T(1))


def program_python_function():
    @tf.function
    def f(x):
        return x + 1
    print(f.python_function(3), f.__name__)


def program_doc():
    @tf.function
    def f(x):
        """What it does."""
        return x
    print(f.__doc__, f.__name__)


def program_sparse_argument():
    @tf.function
    def f(s):
        print("traced")
        return tf.sparse.to_dense(s)
    show(f(tf.SparseTensor([[0], [2]], [1, 2], [4])), f(tf.SparseTensor([[1], [3]], [5, 6], [4])))


def program_sparse_result():
    @tf.function
    def f(x):
        return tf.sparse.from_dense(x)
    r = f(T([0, 3, 0]))
    print(type(r).__name__)
    show(r.indices, r.values)


def program_ragged_argument():
    @tf.function
    def f(r):
        return tf.reduce_sum(r, axis=1), r * 2
    a, b = f(tf.ragged.constant([[1, 2], [3]]))
    show(a)
    print(b.to_list())


def program_dataset_argument():
    @tf.function
    def f(ds):
        return ds.reduce(T(0, tf.int64), lambda a, b: a + b)
    show(f(tf.data.Dataset.range(4)))


def program_string_arguments():
    @tf.function
    def f(x, mode):
        print("traced", mode)
        return x + 1 if mode == "add" else x - 1
    show(f(T(1), "add"), f(T(1), "sub"), f(T(2), "add"))


def program_dtype_argument():
    @tf.function
    def f(x, dtype):
        return tf.cast(x, dtype)
    print(f(T(1), tf.float32).dtype.name, f(T(1), tf.int64).dtype.name)


def program_function_argument():
    @tf.function
    def f(g, x):
        return g(x)
    show(f(tf.square, T(3)), f(lambda v: v + 1, T(3)))


def program_class_instance_argument():
    class Config:
        def __init__(self, k):
            self.k = k

    @tf.function
    def f(c, x):
        print("traced", c.k)
        return x * c.k
    a, b = Config(2), Config(3)
    show(f(a, T(1)), f(b, T(1)), f(a, T(2)))


def program_tensor_shape_is_static():
    @tf.function
    def f(x):
        n = x.shape[0]
        return x / n if False else tf.ones([n, 2])
    print(f(T([1, 2, 3])).shape.as_list())


def program_symbolic_not_numpy():
    @tf.function
    def f(x):
        return x.numpy()
    try:
        f(T(1))
    except (AttributeError, NotImplementedError) as error:
        print("numpy" in str(error))


def program_symbolic_not_bool():
    @tf.function(autograph=False)
    def f(x):
        if x > 0:
            return x
        return -x
    try:
        f(T(1))
    except Exception as error:
        print(isinstance(error, TypeError))


def program_no_autograph():
    @tf.function(autograph=False)
    def f(x):
        return tf.cond(x > 0, lambda: x, lambda: -x)
    show(f(T(-4)))


def program_many_signatures():
    @tf.function
    def f(x):
        return tf.size(x)
    show(*[f(tf.zeros([n])) for n in range(10)])


def program_executing_eagerly():
    @tf.function
    def f():
        print(tf.executing_eagerly())
        return T(1)
    print(tf.executing_eagerly())
    f()
    print(tf.executing_eagerly())


def program_init_scope():
    @tf.function
    def f(x):
        with tf.init_scope():
            print(tf.executing_eagerly())
            c = T(5) + 1
        return x + c
    show(f(T(1)))
