"""tf.linalg: errors, and functions that make other nodes than TensorFlow 2 does."""
import numpy as np
import pytest

import rill as tf


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


D = np.array([[1.0, 2.0, 0.5, 0.0], [4.0, 5.0, 6.0, 7.0], [0.0, 0.3, 0.2, 0.1]], np.float32)
WHOLE = np.diag(D[1]) + np.diag(D[0, :3], 1) + np.diag(D[2, 1:], -1)
RIGHT = np.arange(8, dtype=np.float32).reshape(4, 2)


def run(x):
    with tf.Session() as session:
        return session.run(x)


def test_diagonals_of_whole_matrices():
    batch = np.stack([WHOLE, 2 * WHOLE])
    rights = np.stack([RIGHT, RIGHT])
    solved = run(tf.linalg.tridiagonal_solve(batch, rights, diagonals_format="matrix"))
    np.testing.assert_allclose(batch @ solved, rights, rtol=1e-5, atol=1e-5)
    product = run(tf.linalg.tridiagonal_matmul(batch, rights, diagonals_format="matrix"))
    np.testing.assert_allclose(product, batch @ rights, rtol=1e-5)


def test_singular_values_of_complex_matrices_have_gradients():
    x = tf.constant(np.array([[1 + 1j, 2], [3, 4j]]))
    s = tf.linalg.svd(x, compute_uv=False)
    assert s.dtype == tf.float64 and tf.linalg.svd(x)[0].dtype == tf.float64
    np.testing.assert_allclose(run(tf.gradients(s, x)[0]), [[0.34290749 + 0.65032916j, 0.6601965 - 0.15371084j],
                                                            [0.67006383 - 0.10247389j, -0.07685542 + 0.73116811j]], rtol=1e-6)


def test_turned_right_sides_give_turned_solutions():
    turned = run(tf.linalg.tridiagonal_solve(D, RIGHT.T.copy(), transpose_rhs=True))
    np.testing.assert_allclose(turned, run(tf.linalg.tridiagonal_solve(D, RIGHT)).T, rtol=1e-5)
    d, r = np.stack([D, 2 * D]).astype(np.complex64), np.stack([RIGHT.T, RIGHT.T]) * np.complex64(1j)
    found = tf.linalg.tridiagonal_solve(d, r, transpose_rhs=True, conjugate_rhs=True)
    assert found.shape == r.shape
    np.testing.assert_allclose(run(found)[0], turned * -1j, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("pivots, text", [(True, "not invertible"), (False, "partial_pivoting")])
def test_singular_tridiagonal_matrices_are_refused(n, pivots, text):
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        run(tf.linalg.tridiagonal_solve(np.zeros([3, n]), np.ones([n]), partial_pivoting=pivots))


def test_singular_tridiagonal_matrices_among_others():
    ones = np.ones([3, 2])  # [[1, 1], [1, 1]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="not invertible"):
        run(tf.linalg.tridiagonal_solve(np.stack([ones, [[1, 0], [2, 2], [0, 1]]]), np.ones([2, 2])))
    crossed = tf.constant([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])
    assert run(tf.linalg.tridiagonal_solve(crossed, [1.0, 2.0])).tolist() == [2, 1]
    with pytest.raises(tf.errors.InvalidArgumentError, match="requires pivoting"):
        run(tf.linalg.tridiagonal_solve(crossed, [1.0, 2.0], partial_pivoting=False))


@pytest.mark.parametrize("make, error, text", [
    (lambda: tf.linalg.tridiagonal_solve(D, RIGHT, "diagonal"), ValueError, "Unrecognized diagonals_format"),
    (lambda: tf.linalg.tridiagonal_solve([D, D], RIGHT, "sequence"), ValueError, "sequence of length 3"),
    (lambda: tf.linalg.tridiagonal_solve(D[:2], RIGHT), ValueError, "Expected 3 diagonals got 2"),
    (lambda: tf.linalg.tridiagonal_solve(D, RIGHT[:2]), ValueError, "Expected number of left-hand sided"),
    (lambda: tf.linalg.tridiagonal_solve(D[0], RIGHT), ValueError, "rank at least 2"),
    (lambda: tf.linalg.tridiagonal_matmul(WHOLE[:2], RIGHT, "matrix"), ValueError, "last two dimensions"),
    (lambda: tf.linalg.expm(np.eye(2, dtype=np.int32)), ValueError, "does not support matrices of type"),
    (lambda: tf.linalg.pinv([1, 2]), TypeError, "`float`-like"),
    (lambda: tf.linalg.pinv([1.0, 2.0]), ValueError, "at least 2 dimensions"),
    (lambda: tf.linalg.matrix_rank(tf.constant([1.0])), ValueError, "at least 2 dimensions"),
])
def test_refused(make, error, text):
    with pytest.raises(error, match=text):
        make()


# --- linear operators ----------------------------------------------------------------------------

A = np.array([[4.0, 1.0], [1.0, 3.0]], np.float32)


def test_products_of_toeplitz_matrices():
    op = tf.linalg.LinearOperatorToeplitz([1.0, 2.0, 3.0], [1.0, 0.5, -1.0])
    x = np.arange(6, dtype=np.float32).reshape(3, 2)
    dense, product, adjoint, vector = run([op.to_dense(), op.matmul(x), op.matmul(x, adjoint=True), op.matvec(x[:, 0])])
    np.testing.assert_allclose(dense, [[1, 0.5, -1], [2, 1, 0.5], [3, 2, 1]])
    np.testing.assert_allclose(product, dense @ x, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(adjoint, dense.T @ x, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(vector, dense @ x[:, 0], rtol=1e-5, atol=1e-5)


def test_convolution_kernels():
    op = tf.linalg.LinearOperatorCirculant([6.0, 4.0, 2.0, 4.0])
    kernel, check = run([op.convolution_kernel(), op.assert_hermitian_spectrum()])
    np.testing.assert_allclose(kernel, [4, 1, 0, 1], atol=1e-6)
    assert check is None


def test_parts_of_operators():
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    inner = tf.linalg.LinearOperatorDiag(v)
    op = tf.linalg.LinearOperatorComposition([inner, tf.linalg.LinearOperatorFullMatrix(A)])
    assert op.operators[0] is inner and op.submodules == tuple(op.operators)
    assert [t.op.type for t in op.graph_parents] == ["Identity", "Const"]
    assert op.variables == (v,) and op.trainable_variables == (v,)
    with op.name_scope:
        assert tf.constant(1.0).op.name.startswith(op.name + "/")


def test_operators_outlive_their_names():
    class Twice(tf.linalg.LinearOperator):
        def __init__(self):
            super().__init__(tf.float32, is_non_singular=True)

        def _shape(self):
            return tf.TensorShape([2, 2])

        def _matmul(self, x, adjoint=False, adjoint_arg=False):
            return 2.0 * x

        def _solve(self, rhs, adjoint=False, adjoint_arg=False):
            return rhs / 2.0

    op = tf.linalg.LinearOperatorComposition([Twice(), tf.linalg.LinearOperatorFullMatrix(A, is_non_singular=True)])
    inverse = Twice().inverse()
    import gc
    gc.collect()
    dense, half = run([op.to_dense(), inverse.matmul(A)])
    np.testing.assert_allclose(dense, 2 * A)
    np.testing.assert_allclose(half, A / 2)


def test_copies_live_on():
    import copy
    import gc
    op = tf.linalg.LinearOperatorFullMatrix(A)
    twin = copy.copy(op)
    del op
    gc.collect()
    adjoint = twin.adjoint()
    np.testing.assert_allclose(run(adjoint.to_dense()), A.T)
    assert type(adjoint.operator) is tf.linalg.LinearOperatorFullMatrix


def operators():
    return tf.linalg.LinearOperatorFullMatrix(A), tf.linalg.LinearOperatorFullMatrix(A[:1])


@pytest.mark.parametrize("make, error, text", [
    (lambda: tf.linalg.LinearOperatorDiag(1.0), ValueError, "at least 1 dimension"),
    (lambda: tf.linalg.LinearOperatorDiag([1.0], is_self_adjoint=False), ValueError, "always self adjoint"),
    (lambda: tf.linalg.LinearOperatorFullMatrix([1.0]), ValueError, "at least 2 dimensions"),
    (lambda: tf.linalg.LinearOperatorFullMatrix([[1]]), TypeError, "must have dtype in"),
    (lambda: tf.linalg.LinearOperatorFullMatrix(A, is_positive_definite=True, is_non_singular=False), ValueError,
     "positive definite matrix is always non-singular"),
    (lambda: tf.linalg.LinearOperatorFullMatrix(A, is_square=False).is_square, ValueError, "but the operator was square"),
    (lambda: operators()[0].matmul([[1.0]]), ValueError, "Dimensions 2 and 1 are not compatible"),
    (lambda: operators()[0].matmul(A.astype(np.float64)), TypeError, "Expected argument to have dtype"),
    (lambda: operators()[0].matmul(operators()[1]), ValueError, "Operators are incompatible"),
    (lambda: operators()[1].determinant(), NotImplementedError, "expected to not be square"),
    (lambda: operators()[1].solve(A), NotImplementedError, "expected to not be square"),
    (lambda: operators()[1].inverse(), ValueError, "non square matrix"),
    (lambda: operators()[0].cholesky(), ValueError, "Not a positive definite"),
    (lambda: operators()[0].assert_positive_definite(), NotImplementedError, "assert_positive_definite"),
    (lambda: tf.linalg.LinearOperatorIdentity(-1), ValueError, "must be non-negative"),
    (lambda: tf.linalg.LinearOperatorIdentity(1.5), TypeError, "must be integer type"),
    (lambda: tf.linalg.LinearOperatorIdentity(2, is_square=False), ValueError, "always square"),
    (lambda: tf.linalg.LinearOperatorZeros(2).solve(A), NotImplementedError, "expected to be singular"),
    (lambda: tf.linalg.LinearOperatorZeros(2).assert_non_singular(), tf.errors.InvalidArgumentError, "non-invertible"),
    (lambda: tf.linalg.LinearOperatorZeros(2, 3), ValueError, "initialized as is_square=True"),
    (lambda: tf.linalg.LinearOperatorComposition([]), ValueError, "non-empty list of operators"),
    (lambda: tf.linalg.LinearOperatorComposition([1.0]), TypeError, "Expected a LinearOperator"),
    (lambda: tf.linalg.LinearOperatorInversion(tf.linalg.LinearOperatorZeros(2)), ValueError, "is_non_singular"),
    (lambda: tf.linalg.LinearOperatorToeplitz([1.0, 2.0], [1.0]), ValueError, "mismatched dimensions"),
    (lambda: tf.linalg.LinearOperator(tf.float32).shape, NotImplementedError, "_shape is not implemented"),
])
def test_operators_refuse(make, error, text):
    with pytest.raises(error, match=text):
        make()


# --- functions of matrices that are given linear operators ---------------------------------------

MATRIX = np.array([[2.0, 1.0], [0.0, 3.0]], np.float32)
X = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)


@pytest.mark.parametrize("compute, expected", [
    (lambda a: tf.matmul(a, X), MATRIX @ X), (lambda a: tf.matmul(X, a), X @ MATRIX),
    (lambda a: a @ X, MATRIX @ X), (lambda a: tf.constant(X) @ a, X @ MATRIX),
    (lambda a: tf.matmul(a, X, adjoint_a=True), MATRIX.T @ X),
    (lambda a: tf.linalg.matvec(a, [1.0, 2.0]), MATRIX @ [1, 2]),
    (lambda a: tf.linalg.solve(a, X), np.linalg.solve(MATRIX, X)),
    (lambda a: tf.linalg.solve(a, X, adjoint=True), np.linalg.solve(MATRIX.T, X)),
    (lambda a: tf.linalg.det(a), 6), (lambda a: tf.linalg.trace(a), 5), (lambda a: tf.linalg.diag_part(a), [2, 3]),
    (lambda a: tf.linalg.inv(a).to_dense(), np.linalg.inv(MATRIX)),
    (lambda a: tf.linalg.adjoint(a).to_dense(), MATRIX.T), (lambda a: (a @ a).to_dense(), MATRIX @ MATRIX)])
def test_functions_of_matrices_take_linear_operators(compute, expected):
    operator = tf.linalg.LinearOperatorFullMatrix(MATRIX, is_non_singular=True)
    np.testing.assert_allclose(run(compute(operator)), expected, rtol=1e-5)


@pytest.mark.parametrize("compute, message", [
    (lambda a: tf.matmul(a, X, transpose_a=True), "Transposing not supported at this time."),
    (lambda a: tf.matmul(X, a, b_is_sparse=True), "Sparse methods not supported at this time."),
    (lambda a: tf.linalg.solve(X, a), "`rhs` as a LinearOperator is not supported"),
    (lambda a: tf.linalg.LinearOperatorLowRankUpdate(a, tf.ones([2, 1]), [1.0, 2.0]),
     "Dimensions 2 and 1 are not compatible")])
def test_what_linear_operators_refuse(compute, message):
    with pytest.raises(ValueError, match=message):
        compute(tf.linalg.LinearOperatorFullMatrix(MATRIX))
