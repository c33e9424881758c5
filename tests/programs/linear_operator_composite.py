"""Linear operators made of others, convolutions, and those that programs define."""
import numpy as np
import tensorflow as tf

from linear_operator_basic import A, V, X, hints, shapes, values
from program import feeds

linalg = tf.linalg
U = np.array([[1.0], [0.5], [2.0]], np.float32)
SMALL = np.array([[2.0, 0.5], [0.5, 1.0]], np.float32)
LONG = np.arange(12, dtype=np.float32).reshape(6, 2)


def full(**kwargs):
    return linalg.LinearOperatorFullMatrix(A, **kwargs)


def program_adjoint():
    m = (A + 1j * np.triu(A)).astype(np.complex64)
    op = linalg.LinearOperatorFullMatrix(m, name="m").adjoint()
    x = X.astype(np.complex64)
    return {**values(op, x, V.astype(np.complex64)), **shapes(op), "inner": op.operator.name, "back": op.adjoint() is op.operator}


def program_adjoint_made():
    inner = full(is_non_singular=True)
    op = linalg.LinearOperatorAdjoint(inner)
    return {"dense": op.to_dense(), "h": hints(op), "name": op.name, "same": op.operator is inner, "H": inner.H.to_dense()}


def program_adjoint_wide():
    m = tf.placeholder(tf.float32, [None, 3, None], name="m")
    op = linalg.LinearOperatorFullMatrix(m).adjoint()
    return feeds({m: [X]}, **shapes(op), mm=op.matmul(A))


def program_inversion():
    inner = full(is_non_singular=True, name="m")
    op = inner.inverse()
    return {**values(op), **shapes(op), "back": op.inverse() is inner, "check": op.assert_non_singular()}


def program_inversion_solves():
    inner, other = full(is_non_singular=True), linalg.LinearOperatorDiag(V)
    op = linalg.LinearOperatorInversion(inner)
    product = op.solve(other)
    return {"p": product.to_dense(), "type": type(product).__name__, "q": inner.solve(other).to_dense()}


def program_composition():
    op = linalg.LinearOperatorComposition([full(is_non_singular=True), linalg.LinearOperatorDiag(V, is_non_singular=True)])
    return {**values(op), **shapes(op), "n": len(op.operators), "check": op.assert_non_singular()}


def program_composition_of_matmul():
    left = linalg.LinearOperatorFullMatrix(X)
    product = left.matmul(left, adjoint_arg=True)
    small = left.matmul(left, adjoint=True)
    return {"a": product.to_dense(), "b": small.to_dense(), "h": hints(product) + hints(small), "names": product.name + small.name}


def program_composition_squares():
    lower = linalg.LinearOperatorLowerTriangular(np.tril(A), is_non_singular=True)
    op = linalg.LinearOperatorComposition([lower, lower.adjoint()])
    return {"h": hints(op), "chol": op.cholesky().to_dense(), "dense": op.to_dense(), "det": op.determinant()}


def program_composition_unknown():
    m = tf.placeholder(tf.float32, [None, None, 3], name="m")
    op = linalg.LinearOperatorComposition([linalg.LinearOperatorFullMatrix(m), linalg.LinearOperatorDiag(V)], name="c")
    return feeds({m: [A]}, **shapes(op), mm=op.matmul(X[np.newaxis]))


def program_kronecker():
    op = linalg.LinearOperatorKronecker([linalg.LinearOperatorFullMatrix(SMALL, is_non_singular=True), full(is_non_singular=True)])
    v = np.arange(6, dtype=np.float32)
    return {**values(op, LONG, v, ("added",)), **shapes(op), "i": op.inverse().to_dense(), "check": op.assert_non_singular()}


def program_kronecker_batch():
    a = linalg.LinearOperatorDiag([[1.0, 2.0], [3.0, 4.0]], is_positive_definite=True)
    op = linalg.LinearOperatorKronecker([a, linalg.LinearOperatorDiag([1.0, 2.0, 3.0], is_positive_definite=True)], name="k")
    return {"dense": op.to_dense(), "diag": op.diag_part(), "trace": op.trace(), "chol": op.cholesky().to_dense(),
            "mm": op.matmul(np.stack([LONG, LONG])), **shapes(op)}


def program_block_diag():
    op = linalg.LinearOperatorBlockDiag([linalg.LinearOperatorFullMatrix(SMALL, is_non_singular=True), full(is_non_singular=True)])
    x, v = np.arange(10, dtype=np.float32).reshape(5, 2), np.arange(5, dtype=np.float32)
    return {**values(op, x, v, ("added",)), **shapes(op), "i": op.inverse().to_dense(), "check": op.assert_non_singular()}


def program_block_diag_batch():
    a = linalg.LinearOperatorDiag([[1.0, 2.0], [3.0, 4.0]], is_positive_definite=True)
    b = linalg.LinearOperatorIdentity(2)
    op = linalg.LinearOperatorBlockDiag([a, b])
    other = linalg.LinearOperatorBlockDiag([b, a])
    return {"dense": op.to_dense(), "diag": op.diag_part(), "trace": op.trace(), "chol": op.cholesky().to_dense(),
            "p": op.matmul(other).to_dense(), "q": op.solve(other).to_dense(), **shapes(op)}


def program_low_rank_update():
    op = linalg.LinearOperatorLowRankUpdate(linalg.LinearOperatorDiag([1.0, 2.0, 3.0], is_positive_definite=True), U)
    return {**values(op), **shapes(op), "u": op.u, "v": op.v, "d": str(op.diag_update), "p": str(op.is_diag_update_positive),
            "base": op.base_operator.name, "diag_op": op.diag_operator.name}


def program_low_rank_update_both():
    base = full(is_non_singular=True)
    op = linalg.LinearOperatorLowRankUpdate(base, U, diag_update=[2.0], v=U[::-1].copy(), name="low")
    return {**values(op), **shapes(op), "d": op.diag_update}


def program_circulant():
    op = linalg.LinearOperatorCirculant(np.array([1.0, 2.0, 0.5], np.complex64) + np.complex64(0.25j), name="c")
    x = X.astype(np.complex64)
    return {**values(op, x, V.astype(np.complex64)), **shapes(op), "depth": op.block_depth, "block": str(op.block_shape),
            "bt": op.block_shape_tensor(), "kernel": op.convolution_kernel(), "s": op.spectrum, "check": op.assert_non_singular()}


def program_circulant_real():
    op = linalg.LinearOperatorCirculant([6.0, 4.0, 2.0, 4.0], input_output_dtype=tf.float32, is_positive_definite=True)
    x, v = LONG[:4], np.arange(4, dtype=np.float32)
    found = values(op, x, v, ("added",))
    return {**found, **shapes(op), "i": op.inverse().to_dense(), "check": [op.assert_positive_definite(), op.assert_self_adjoint()]}


def program_circulant_batch():
    op = linalg.LinearOperatorCirculant(np.array([[1.0, 2.0, 0.5], [1.0, 1.0, 2.0]], np.complex64))
    other = linalg.LinearOperatorCirculant(np.array([1.0, 3.0, 0.5], np.complex64))
    return {"mm": op.matmul(X.astype(np.complex64)), "p": op.matmul(other).spectrum, "q": op.solve(other).spectrum,
            "trace": op.trace(), **shapes(op)}


def program_circulant_2d():
    s = np.arange(1, 7, dtype=np.float32).reshape(2, 3).astype(np.complex64)
    op = linalg.LinearOperatorCirculant2D(s)
    x, v = LONG.astype(np.complex64), np.arange(6).astype(np.complex64)
    return {**values(op, x, v, ("added",)), **shapes(op), "block": str(op.block_shape), "kernel": op.convolution_kernel()}


def program_circulant_3d():
    s = np.arange(1, 9, dtype=np.float32).reshape(2, 2, 2)
    op = linalg.LinearOperatorCirculant3D(s)
    return {"dense": op.to_dense(), "det": op.determinant(), "diag": op.diag_part(), **shapes(op)}


def program_circulant_unknown():
    s = tf.placeholder(tf.complex64, [None, None], name="s")
    op = linalg.LinearOperatorCirculant(s)
    return feeds({s: [[1.0, 2.0, 0.5]]}, mm=op.matmul(X.astype(np.complex64)), trace=op.trace(), diag=op.diag_part(), **shapes(op))


def program_toeplitz():
    op = linalg.LinearOperatorToeplitz([1.0, 2.0, 3.0], [1.0, 0.5, -1.0])
    return {**values(op, skip=("matmul", "matvec", "adjoint", "arg")), **shapes(op), "c": op.col, "r": op.row}


def program_toeplitz_batch():
    op = linalg.LinearOperatorToeplitz([[1.0, 2.0, 3.0], [4.0, 1.0, 0.0]], [[1.0, 0.5, -1.0], [4.0, 2.0, 2.0]], name="t")
    return {"dense": op.to_dense(), "trace": op.trace(), "diag": op.diag_part(), **shapes(op)}


class Doubling(linalg.LinearOperator):
    """Twice the identity, written by a program."""

    def __init__(self, size, name="Doubling"):
        self._size = size
        super().__init__(dtype=tf.float32, is_self_adjoint=True, is_positive_definite=True, name=name)

    def _shape(self):
        return tf.TensorShape([self._size, self._size])

    def _shape_tensor(self):
        return tf.constant([self._size, self._size])

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = linalg.adjoint(x) if adjoint_arg else x
        return 2.0 * x


class Louder(linalg.LinearOperatorDiag):
    """A diagonal with an opinion about its trace."""

    def _trace(self):
        return super()._trace() + 100.0


def program_own_operator():
    op = Doubling(3)
    return {**values(op), **shapes(op), "chol": op.cholesky().to_dense()}


def program_own_operator_composed():
    op = Doubling(3)
    product = linalg.LinearOperatorComposition([full(is_non_singular=True), op])
    return {"dense": product.to_dense(), "solve": product.solve(X), "same": product.operators[1] is op, "h": hints(product),
            "inverse": op.inverse().matmul(X)}


def program_own_diag():
    op = Louder(V)
    return {"trace": op.trace(), "mm": op.matmul(X), "name": op.name}
