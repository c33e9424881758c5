"""Errors of tf.math and its relatives, and what TensorFlow 2.15 cannot be asked for."""
import inspect

import numpy as np
import pytest

import rill as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as g:
        yield g


def value(tensor):
    with tf.Session(graph=tensor.graph) as session:
        return session.run(tensor)


X = [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize("call, error, phrase", [
    (lambda x, i: tf.reduce_sum(x, axis=1, reduction_indices=1), ValueError,
     "Cannot specify both 'reduction_indices' and 'axis'"),
    (lambda x, i: tf.reduce_mean(x, 1, keepdims=True, keep_dims=True), ValueError,
     "Cannot specify both 'keep_dims' and 'keepdims'"),
    (lambda x, i: tf.argmax(x, axis=1, dimension=1), ValueError, "Cannot specify both 'dimension' and 'axis'"),
    (lambda x, i: tf.nn.l2_normalize(x, axis=0, dim=0), ValueError, "Cannot specify both 'dim' and 'axis'"),
    (lambda x, i: tf.norm(x, keepdims=True, keep_dims=True), ValueError, "Cannot specify both 'keep_dims'"),
    (lambda x, i: tf.count_nonzero(x, input=x), ValueError, "Cannot specify both"),
    (lambda x, i: tf.count_nonzero(), ValueError, "None values not supported"),
    (lambda x, i: tf.reduce_sum(None), ValueError, "None values not supported"),
    (lambda x, i: tf.reduce_sum(x, 5), ValueError, "Invalid reduction dimension 5 for input with 2 dimensions"),
    (lambda x, i: tf.reduce_sum(tf.constant("a")), TypeError, "DataType string not in list of allowed values"),
    (lambda x, i: tf.math.reduce_variance(i), TypeError, "Input must be either real or complex"),
    (lambda x, i: tf.add_n([]), ValueError, "at least one Tensor/IndexedSlices with the same dtype and shape"),
    (lambda x, i: tf.add_n(x), TypeError, "only iterable"),
    (lambda x, i: tf.add_n(3), TypeError, "not iterable"),
    (lambda x, i: tf.accumulate_n([]), ValueError, "inputs must be a list of at least one Tensor"),
    (lambda x, i: tf.accumulate_n([x, tf.cast(x, tf.int32)]), ValueError, "with the same dtype and shape"),
    (lambda x, i: tf.accumulate_n([x, x[0]]), ValueError, "with the same dtype and shape"),
    (lambda x, i: tf.accumulate_n([x, x], tensor_dtype=tf.int32), TypeError, "`tensor_dtype` argument is"),
    (lambda x, i: tf.truediv(x, i), TypeError, "`x` and `y` must have the same dtype, got tf.float32 != tf.int32"),
    (lambda x, i: x / i, TypeError, "must have the same dtype"),
    (lambda x, i: tf.div(x, i), ValueError, "Tensor conversion requested dtype float32 for Tensor with dtype int32"),
    (lambda x, i: x + i, TypeError, "has type int32 that does not match type float32 of argument 'x'"),
    (lambda x, i: x + "a", TypeError, "string"),
    (lambda x, i: x + None, ValueError, "None values not supported"),
    (lambda x, i: i * 2.5, TypeError, "int32"),
    (lambda x, i: tf.add(i, 2.5), TypeError, "int32"),
    (lambda x, i: x & x, TypeError, "DataType float32 not in list of allowed values"),
    (lambda x, i: tf.scalar_mul(x, x), ValueError, "must be a 0-D value"),
    (lambda x, i: tf.scalar_mul(i[0], x), ValueError, "Tensor conversion requested dtype float32"),
    (lambda x, i: tf.complex(i, i), TypeError, "`real` and `imag` components have incorrect types: int32 int32"),
    (lambda x, i: tf.conj(tf.constant("a")), TypeError, "Expected numeric or variant tensor, got dtype tf.string"),
    (lambda x, i: tf.matmul(x, x, transpose_a=True, adjoint_a=True), ValueError,
     "Only one of `transpose_a` and `adjoint_a` can be True"),
    (lambda x, i: tf.matmul(x, x, transpose_b=True, adjoint_b=True), ValueError,
     "Only one of `transpose_b` and `adjoint_b` can be True"),
    (lambda x, i: tf.matmul(x, [1.0, 2.0]), ValueError, "rank 2 but is rank 1"),
    (lambda x, i: tf.matmul(x, tf.constant([[1.0, 2.0, 3.0]])), ValueError, "must be equal, but are 2 and 1"),
    (lambda x, i: tf.tensordot(x, x, [[0, 1], [0]]), ValueError, "Different number of contraction axes"),
    (lambda x, i: tf.tensordot(x, x, 3), ValueError, "must not be larger than the number of dimensions"),
    (lambda x, i: tf.tensordot(x, x, -1), ValueError, "must be at least 0"),
    (lambda x, i: tf.tensordot(x, x, [1, 0, 1]), ValueError, "must be an integer or have length 2"),
    (lambda x, i: tf.tensordot(x, x, [[7], [0]]), ValueError, "axis 7"),
    (lambda x, i: tf.norm(x, ord="foo"), ValueError, "'ord' must be a supported vector norm, got foo"),
    (lambda x, i: tf.norm(x, axis=[0, 0]), ValueError, "tuple of 2 unique integers"),
    (lambda x, i: tf.norm(x, axis=[0]), ValueError, "tuple of 2 unique integers"),
    (lambda x, i: tf.norm(x, ord="fro", axis=0), ValueError, "'ord' must be a supported vector norm, got fro"),
    (lambda x, i: tf.norm(x, ord=-1), ValueError, "'ord' must be a supported vector norm, got -1"),
    (lambda x, i: tf.norm(x, ord=3, axis=[0, 1]), ValueError, "'ord' must be a supported matrix norm"),
    (lambda x, i: tf.math.polyval(3.0, x), ValueError, "Argument coeffs must be list type"),
    (lambda x, i: tf.clip_by_value(i, [[1, 1]], [[2, 2]]), ValueError, "are incompatible"),
    (lambda x, i: tf.cast(x, "foo"), TypeError, "Cannot convert"),
    (lambda x, i: tf.range(None), ValueError, "None values not supported"),
    (lambda x, i: tf.segment_sum(x, [0.5, 1.0]), TypeError, "DataType float32 not in list of allowed values: int32, int64"),
    (lambda x, i: tf.nn.top_k(x, 3), ValueError, "input must have last dimension >= k = 3 but is 2"),
    (lambda x, i: tf.acos(None), ValueError, "None values not supported"),
    (lambda x, i: tf.acos("a"), TypeError, "DataType string not in list of allowed values"),
    (lambda x, i: tf.acos(), TypeError, "required positional argument"),
    (lambda x, i: tf.acos(x, foo=1), TypeError, "unexpected keyword argument 'foo'"),
    (lambda x, i: tf.saturate_cast(x, tf.string), TypeError, "Cannot find minimum value of"),
])
def test_errors(call, error, phrase):
    with pytest.raises(error) as caught:
        call(tf.constant(X), tf.constant([1, 2]))
    assert phrase in str(caught.value)


def test_tensors_of_two_graphs_do_not_mix():
    x = tf.constant(1.0)
    with tf.Graph().as_default():
        y = tf.constant(2.0)
    for f in (tf.add, tf.maximum, lambda a, b: a * b, lambda a, b: tf.add_n([a, b])):
        with pytest.raises(ValueError, match="must be from the same graph|not from the passed-in graph"):
            f(x, y)


@pytest.mark.parametrize("equation, shapes", [
    ("ij,jk->ik", [(2, 3), (3, 4)]), ("ij,jk", [(2, 3), (3, 4)]), ("ij->ji", [(2, 3)]), ("ij->", [(2, 3)]),
    ("ij->i", [(2, 3)]), ("i,j->ij", [(2,), (3,)]), ("i,i->", [(3,), (3,)]), ("bij,bkj->bik", [(2, 3, 4), (2, 5, 4)]),
    ("abc,cd,de->abe", [(2, 3, 4), (4, 5), (5, 2)]), ("...ij,...jk->...ik", [(2, 3, 4), (2, 4, 5)]),
    ("...ij,jk", [(2, 3, 4), (4, 5)]), ("...i,...i->...", [(3, 1, 4), (2, 4)]), ("abcd,cde->abe", [(2, 3, 4, 5), (4, 5, 2)]),
    ("bi , bj -> bij", [(2, 3), (2, 4)]), ("ij,ij->ij", [(2, 3), (2, 3)]),
])
def test_einsum(equation, shapes):
    random = np.random.RandomState(0)
    arrays = [random.rand(*shape).astype(np.float32) for shape in shapes]
    expected = np.einsum(equation, *arrays)
    np.testing.assert_allclose(value(tf.einsum(equation, *arrays)), expected, rtol=1e-5)
    fed = [tf.placeholder(tf.float32, [None] * array.ndim) for array in arrays]
    if "..." not in equation:
        y = tf.einsum(equation, *fed, name="product")
        with tf.Session() as session:
            np.testing.assert_allclose(session.run(y, dict(zip(fed, arrays))), expected, rtol=1e-5)


@pytest.mark.parametrize("equation, shapes", [
    ("ii->i", [(3, 3)]), ("ii", [(3, 3)]), ("ii->", [(3, 3)]), ("iij->ij", [(3, 3, 2)]), ("iji->j", [(3, 2, 3)]),
    ("iii->i", [(3, 3, 3)]), ("iij,jk->ik", [(3, 3, 2), (2, 4)]), ("ij,jj->i", [(2, 3), (3, 3)]),
    ("...ii->...i", [(2, 4, 3, 3)]), ("ii,jj->ij", [(3, 3), (2, 2)]), ("ijij->ij", [(2, 3, 2, 3)])])
@pytest.mark.parametrize("known", [True, False])
def test_einsum_of_repeated_letters(equation, shapes, known):
    arrays = [np.arange(np.prod(shape), dtype=np.float64).reshape(shape) for shape in shapes]
    fed = [tf.placeholder(tf.float64, shape if known else [None] * len(shape)) for shape in shapes]
    with tf.Session() as session:
        found = session.run(tf.einsum(equation, *fed), dict(zip(fed, arrays)))
    np.testing.assert_allclose(found, np.einsum(equation, *arrays))


def test_einsum_of_repeated_letters_has_gradients_and_is_checked_in_the_step():
    x = tf.placeholder(tf.float32, [None, None])
    with tf.Session() as session:
        gradient = tf.gradients(tf.einsum("ii->i", x) ** 2, x)[0]
        assert session.run(gradient, {x: [[1, 2], [3, 4]]}).tolist() == [[2, 0], [0, 8]]
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(tf.einsum("ii", x), {x: np.ones([2, 3])})


def test_einsum_gradient():
    a, b = tf.constant(X), tf.constant([[1.0, -1.0], [0.5, 2.0]])
    da, db = tf.gradients(tf.einsum("ij,jk->ik", a, b), [a, b])
    np.testing.assert_allclose(value(da), [[0, 2.5], [0, 2.5]])
    np.testing.assert_allclose(value(db), [[4, 4], [6, 6]])


@pytest.mark.parametrize("call, error, phrase", [
    (lambda x: tf.einsum("ij,jk->ik", x), ValueError, 'Got 1 inputs for equation "ij,jk->ik", expecting 2'),
    (lambda x: tf.einsum("ij->kk", x), ValueError, "Output subscripts contain a label appearing more than once"),
    (lambda x: tf.einsum("ij->k", x), ValueError, "not present in the input"),
    (lambda x: tf.einsum("ii->ii", x), ValueError, "Output subscripts contain a label appearing more than once"),
    (lambda x: tf.einsum("ii->i", tf.concat([x, x], 1)), ValueError, "Dimensions must be equal, but are 2 and 4"),
    (lambda x: tf.einsum("ijk->i", x), ValueError, "Incorrect number of dimensions"),
    (lambda x: tf.einsum("i1->i", x), ValueError, "incorrect format"),
    (lambda x: tf.einsum("ij->ji", x, foo=1), TypeError, "Invalid keyword arguments for einsum: foo"),
])
def test_einsum_errors(call, error, phrase):
    with pytest.raises(error) as caught:
        call(tf.constant(X))
    assert phrase in str(caught.value)


def test_linspace_is_one_op():
    y = tf.linspace(0.0, 1.0, 5, name="line")
    assert (y.op.type, y.op.name) == ("LinSpace", "line")
    np.testing.assert_allclose(value(y), [0, 0.25, 0.5, 0.75, 1])
    assert tf.lin_space(10.0, 12.0, 3).op.name == "LinSpace"


def test_bessel_functions_are_unscaled_from_scaled_ones():
    x = tf.constant([-1.0, 0.0, 2.0])
    np.testing.assert_allclose(value(tf.math.bessel_i0(x)), [1.26606588, 1, 2.2795853], rtol=1e-5)
    np.testing.assert_allclose(value(tf.math.bessel_i1(x)), [-0.56515910, 0, 1.5906369], rtol=1e-5)


def test_reduction_over_no_axes_changes_nothing():
    np.testing.assert_array_equal(value(tf.reduce_sum(tf.constant(X), [])), X)


def test_identity_matrices():
    np.testing.assert_array_equal(value(tf.eye(2, 3, dtype=tf.int32)), np.eye(2, 3))
    square = tf.eye(2, batch_shape=[3], name="many")
    assert (square.op.type, square.op.name) == ("MatrixDiagV2", "many/diag")
    np.testing.assert_array_equal(value(square), [np.eye(2)] * 3)
    n = tf.placeholder(tf.int32, [])
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(tf.eye(n, batch_shape=[2]), {n: 2}), [np.eye(2)] * 2)
    with pytest.raises(ValueError, match="num_rows"):
        tf.eye(-1)
    with pytest.raises(ValueError, match="batch_shape"):
        tf.eye(2, batch_shape=[0.5])


def test_adjoint_needs_matrices():
    x = tf.placeholder(tf.complex64)
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(tf.linalg.adjoint(x), {x: [[1j, 2]]}), [[-1j], [2]])
    with pytest.raises(ValueError, match="rank >= 2"):
        tf.linalg.adjoint(tf.constant([1.0]))


def test_histogram_needs_bins():
    bins = tf.histogram_fixed_width_bins([1.0, 2.0], [0.0, 4.0], nbins=tf.constant(0))
    with pytest.raises(tf.errors.InvalidArgumentError, match="must > 0"):
        value(bins)


def test_polynomial_without_coefficients_is_zero():
    y = tf.math.polyval([], tf.constant([1.0, 2.0]))
    assert y.op.name == "polyval"
    np.testing.assert_array_equal(value(y), [0, 0])


def test_one_function_has_all_its_names():
    assert tf.math.reduce_sum is tf.reduce_sum
    assert tf.math.acos is tf.acos
    assert tf.nn.sigmoid is tf.sigmoid is tf.math.sigmoid
    assert tf.linalg.matmul is tf.matmul
    assert tf.sparse_segment_sum is tf.sparse.segment_sum
    assert tf.debugging.is_finite is tf.is_finite


@pytest.mark.parametrize("function, signature", [
    (tf.acos, "(x, name=None)"),
    (tf.atan2, "(y, x, name=None)"),
    (tf.math.top_k, "(input, k=1, sorted=True, name=None)"),
    (tf.cumsum, "(x, axis=0, exclusive=False, reverse=False, name=None)"),
    (tf.matmul, "(a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, a_is_sparse=False, "
                "b_is_sparse=False, name=None)"),
])
def test_signatures(function, signature):
    assert str(inspect.signature(function)) == signature
    assert function.__doc__


def test_several_outputs_are_a_named_tuple():
    best = tf.math.top_k([1.0, 3.0, 2.0], k=2)
    assert best._fields == ("values", "indices") and type(best).__name__ == "TopKV2"
    np.testing.assert_array_equal(value(best.indices), [1, 2])


def test_list_inputs_and_outputs():
    parts = tf.dynamic_partition([1, 2, 3, 4], [0, 1, 0, 1], 2)
    assert isinstance(parts, list) and [value(p).tolist() for p in parts] == [[1, 3], [2, 4]]
    joined = tf.dynamic_stitch([[0, 2], [1, 3]], parts)
    np.testing.assert_array_equal(value(joined), [1, 2, 3, 4])
    with pytest.raises(TypeError, match="Expected list for 'indices'"):
        tf.dynamic_stitch(tf.constant([0]), parts)


def test_shapes_that_are_not_known():
    x = tf.placeholder(tf.float32)
    y = tf.reduce_sum(tf.square(x), axis=-1, keepdims=True)
    with tf.Session() as session:
        np.testing.assert_allclose(session.run(y, {x: X}), [[5], [25]])
