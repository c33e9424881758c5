import inspect

import numpy as np
import pytest

import rill as tf


def nodes(graph):
    return [(op.name, op.type) for op in graph.get_operations()]


def run(fetch, feeds=None):
    with tf.Session() as session:
        return session.run(fetch, feeds)


@pytest.mark.parametrize("value, dtype", [
    (1, tf.int32), (1.0, tf.float32), (True, tf.bool), ("a", tf.string), (2**40, tf.int64),
    ([1, 2.5], tf.float32), ([True, 1], tf.int32), (1j, tf.complex128), ([], tf.float32),
    (np.float64(1), tf.float64), ([np.float64(1)], tf.float32), (np.arange(3), tf.int64),
    (np.array(["a"]), tf.string), (tf.TensorShape([2, 3]), tf.int32), (2**63, tf.uint64),
    (tf.Dimension(3), tf.int32), (np.bool_(True), tf.bool),
])
def test_constants_take_tensorflows_types(value, dtype):
    assert tf.constant(value).dtype is dtype


@pytest.mark.parametrize("value, dtype, expected", [
    (300, tf.uint8, 44), (-1, tf.uint8, 255), (True, tf.int32, 1), (np.float32(1.5), tf.int32, 1),
    (1, tf.complex64, 1), (1.5, tf.float16, 1.5), (np.array(["1"]), tf.int32, [1]),
])
def test_constants_of_a_type(value, dtype, expected):
    assert np.array_equal(run(tf.constant(value, dtype)), expected)


@pytest.mark.parametrize("value, dtype, text", [
    (1.5, tf.int32, "Expected int32, got 1.5 of type 'float' instead."),
    ("a", tf.float32, "Expected float32, got 'a' of type 'str' instead."),
    (1, tf.bool, "Expected bool, got 1 of type 'int' instead."),
    (1, tf.string, "Expected string, got 1 of type 'int' instead."),
    ([1, 2.5], tf.int64, "Expected int64, got 2.5 of type 'float' instead."),
    ([np.float32(1.5)], tf.int32, "Expected int32, got 1.5 of type 'float32' instead."),
    (object(), None, "Failed to convert object of type"),
    ([None], None, "Failed to convert object of type"),
])
def test_constants_that_do_not_fit(value, dtype, text):
    with pytest.raises(TypeError) as caught:
        tf.constant(value, dtype)
    assert text in str(caught.value)


def test_constant_shapes():
    assert run(tf.constant([1, 2], shape=[2, 2])).tolist() == [[1, 2], [2, 2]]
    assert run(tf.constant("a", shape=[2])).tolist() == [b"a", b"a"]
    assert run(tf.constant([], shape=[2])).tolist() == [0.0, 0.0]
    with pytest.raises(ValueError, match="Too many elements provided"):
        tf.constant([1, 2, 3], shape=[2])
    with pytest.raises(ValueError, match="None values not supported"):
        tf.constant(None)


def test_operators_are_named_as_tensorflows(graph):
    p = tf.placeholder(tf.float32, name="p")
    p + 1, 1 - p, p * p
    assert nodes(graph) == [("p", "Placeholder"), ("add/y", "Const"), ("add", "AddV2"),
                            ("sub/x", "Const"), ("sub", "Sub"), ("mul", "Mul")]


def test_integer_division(graph):
    p = tf.placeholder(tf.int32, name="p")
    q = p / 2
    assert q.dtype is tf.float64
    assert nodes(graph)[1:] == [("truediv/y", "Const"), ("truediv/Cast", "Cast"),
                                ("truediv/Cast_1", "Cast"), ("truediv", "RealDiv")]
    with pytest.raises(TypeError, match="must have the same dtype"):
        p / tf.constant(1.0)


def test_operators_compute():
    a, b = np.array([7, -7], np.int32), np.array([2, 2], np.int32)
    x, y = tf.constant(a), tf.constant(b)
    for made, expected in ((x + y, a + b), (x - y, a - b), (x * y, a * b), (x / y, a / b),
                           (x // y, a // b), (x % y, a % b), (x ** y, a ** b), (-x, -a),
                           (abs(x), abs(a)), (x < y, a < b), (x <= y, a <= b), (x > y, a > b),
                           (x >= y, a >= b), (1 + x, 1 + a), (2 ** y, 2 ** b), (3 - x, 3 - a),
                           (9 // y, 9 // b), (9 % y, 9 % b), (1 < x, 1 < a)):
        np.testing.assert_array_equal(run(made), expected)
    t, f = tf.constant([True, True]), tf.constant([True, False])
    assert run([t & f, t | f, t ^ f, ~f])[2].tolist() == [False, True]


def test_matrix_product(graph):
    m = tf.constant([[1.0, 2.0], [3.0, 4.0]], name="m")
    np.testing.assert_array_equal(run(m @ m), [[7, 10], [15, 22]])
    assert (m @ [[1.0], [1.0]]).op.inputs[1].name == "matmul_1/b:0"
    batch = tf.placeholder(tf.float32)
    assert (batch @ batch).op.type == "BatchMatMulV2"
    # Names are unique regardless of case.
    assert tf.matmul(m, m, transpose_b=True).name == "MatMul_3:0"


@pytest.mark.parametrize("build, error, text", [
    (lambda x: x + tf.constant(1), TypeError,
     "Input 'y' of 'AddV2' Op has type int32 that does not match type float32 of argument 'x'."),
    (lambda x: tf.constant(1) + 1.5, TypeError, "has type float32 that does not match type int32"),
    (lambda x: 1.5 + tf.constant(1), TypeError, "Expected int32, got 1.5 of type 'float' instead."),
    (lambda x: x + None, ValueError, "None values not supported."),
    (lambda x: tf.raw_ops.MatMul(a=x, b="a"), TypeError,
     "Expected float32 passed to parameter 'b' of op 'MatMul', got 'a' of type 'str' instead."),
    (lambda x: tf.raw_ops.MatMul(a=x, b=np.zeros((3, 3), np.float32)), ValueError,
     "Dimensions must be equal, but are 2 and 3"),
    (lambda x: tf.raw_ops.MatMul(a=["a"], b=["b"]), TypeError,
     "Value passed to parameter 'a' has DataType string not in list of allowed values"),
    (lambda x: tf.raw_ops.MatMul(a=x), TypeError,
     "mat_mul() missing 1 required positional argument: 'b'"),
    (lambda x: tf.raw_ops.MatMul(a=x, b=x, q=3), TypeError,
     "mat_mul() got an unexpected keyword argument 'q'"),
    (lambda x: tf.raw_ops.MatMul(a=x, b=x, transpose_a=3), TypeError,
     "Expected bool for argument 'transpose_a' not 3."),
    (lambda x: tf.raw_ops.MatMul(x, x), TypeError, "mat_mul only takes keyword args"),
    (lambda x: tf.raw_ops.Cast(x=x, DstT="foo"), TypeError,
     "Expected DataType for argument 'DstT' not 'foo'."),
    (lambda x: tf.raw_ops.Pack(values=[x, "a"]), TypeError, "Expected float32"),
    (lambda x: tf.raw_ops.Pack(values=[1.0, "a"]), TypeError, "that don't all match."),
    (lambda x: tf.raw_ops.Pack(values=1.0), TypeError, "Expected list for 'values' argument"),
    (lambda x: tf.raw_ops.Pack(values=[]), ValueError, "shorter than minimum length 1."),
    (lambda x: tf.raw_ops.Placeholder(dtype=tf.float32, name="a b"), ValueError,
     "'a b' is not a valid scope name"),
    (lambda x: tf.raw_ops.Nope, AttributeError, "has no attribute 'Nope'"),
])
def test_building_errors(build, error, text):
    x = tf.constant(np.zeros((2, 2), np.float32))
    with pytest.raises(error) as caught:
        build(x)
    assert text in str(caught.value)


def test_raw_op_results(graph):
    assert isinstance(tf.raw_ops.NoOp(), tf.Operation)
    parts = tf.raw_ops.Unpack(value=[1.0, 2.0], num=2)
    assert [p.name for p in parts] == ["Unpack:0", "Unpack:1"]
    mixed = tf.raw_ops.IdentityN(input=[1, parts[0], "a"])
    assert [t.dtype for t in mixed] == [tf.int32, tf.float32, tf.string]
    assert [name for name, _ in nodes(graph)][-3:] == ["IdentityN/input_0", "IdentityN/input_2",
                                                       "IdentityN"]


def test_lists_that_hold_tensors_are_packed(graph):
    n = tf.placeholder(tf.int32, [], name="n")
    x = tf.placeholder(tf.float32, name="x")
    y = tf.raw_ops.Reshape(tensor=x, shape=[2, n])
    assert y.shape.as_list() == [2, None]
    assert nodes(graph)[2:] == [("Reshape/shape/0", "Const"), ("Reshape/shape", "Pack"),
                                ("Reshape", "Reshape")]
    z = tf.convert_to_tensor([[n, 1], [2, n]])
    assert z.name == "packed:0"
    assert run(z, {n: 5}).tolist() == [[5, 1], [2, 5]]


def test_functions_describe_themselves():
    f = tf.raw_ops.MatMul
    assert f is tf.raw_ops.MatMul
    assert f.__name__ == "mat_mul" and f.__doc__
    assert str(inspect.signature(f)) == "(a, b, transpose_a=False, transpose_b=False, name=None)"
    assert "MatMul" in dir(tf.raw_ops)


def test_every_raw_op_has_a_signature():
    for name in dir(tf.raw_ops):
        function = getattr(tf.raw_ops, name)
        assert list(inspect.signature(function).parameters)[-1] == "name"
        assert function.__doc__ and repr(function)


def test_python_errors_come_out_as_themselves():
    class Odd:
        def __array__(self, *unused):
            raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        tf.raw_ops.Identity(input=Odd())


def test_convert_to_tensor():
    x = tf.constant(1.0)
    assert tf.convert_to_tensor(x) is x
    assert tf.convert_to_tensor([1, 2], tf.float32, name="q").name == "q:0"
    with pytest.raises(ValueError, match="Tensor conversion requested dtype int32"):
        tf.convert_to_tensor(x, tf.int32)
