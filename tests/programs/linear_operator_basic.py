"""Linear operators that are one tensor, or little more than a size."""
import numpy as np
import tensorflow as tf

from program import feeds

linalg = tf.linalg
A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]], np.float32)
X = np.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.25]], np.float32)
V = np.array([1.0, -2.0, 0.5], np.float32)


def hints(op):
    return str([op.is_non_singular, op.is_self_adjoint, op.is_positive_definite, op.is_square])


def shapes(op):
    return {"shape": str(op.shape), "batch": str(op.batch_shape), "rank": str(op.tensor_rank),
            "domain": str(op.domain_dimension), "range": str(op.range_dimension), "name": op.name,
            "dtype": op.dtype.name, "hints": hints(op), "shape_tensor": op.shape_tensor(),
            "batch_tensor": op.batch_shape_tensor(), "rank_tensor": op.tensor_rank_tensor(),
            "domain_tensor": op.domain_dimension_tensor(), "range_tensor": op.range_dimension_tensor()}


def values(op, x=X, v=V, skip=()):
    found = {"dense": lambda: op.to_dense(), "matmul": lambda: op.matmul(x), "matvec": lambda: op.matvec(v),
             "adjoint": lambda: op.matmul(x, adjoint=True), "arg": lambda: op.matmul(x.T.copy(), adjoint_arg=True),
             "solve": lambda: op.solve(x), "solvevec": lambda: op.solvevec(v),
             "solve_adjoint": lambda: op.solve(x, adjoint=True), "solve_arg": lambda: op.solve(x.T.copy(), adjoint_arg=True),
             "det": lambda: op.determinant(), "log_det": lambda: op.log_abs_determinant(), "trace": lambda: op.trace(),
             "diag": lambda: op.diag_part(), "added": lambda: op.add_to_tensor(A.astype(op.dtype.as_numpy_dtype))}
    return {key: build() for key, build in found.items() if key not in skip}


def program_full_matrix():
    op = linalg.LinearOperatorFullMatrix(A)
    return {**values(op), **shapes(op)}


def program_full_matrix_positive():
    op = linalg.LinearOperatorFullMatrix(A, is_self_adjoint=True, is_positive_definite=True, name="op")
    return {**values(op), **shapes(op), "chol": op.cholesky().to_dense()}


def program_full_matrix_batch():
    op = linalg.LinearOperatorFullMatrix(np.stack([A, 2 * A]), is_non_singular=True)
    return {"mm": op.matmul(np.stack([X, X])), "solve": op.solve(np.stack([X, X])), "det": op.determinant(), **shapes(op)}


def program_full_matrix_broadcast():
    op = linalg.LinearOperatorFullMatrix(A, is_non_singular=True)
    wide = np.stack([X, 2 * X])
    tall = np.arange(24, dtype=np.float32).reshape(4, 2, 3, 1)
    return {"solve": op.solve(wide), "tall": op.solve(tall), "adjoint": op.solve(tall, adjoint=True)}


def program_full_matrix_unknown():
    m, x = tf.placeholder(tf.float32, name="m"), tf.placeholder(tf.float32, [None, None], name="x")
    op = linalg.LinearOperatorFullMatrix(m)
    return feeds({m: A, x: X}, mm=op.matmul(x), dense=op.to_dense(), **shapes(op))


def program_full_matrix_partly_known():
    m = tf.placeholder(tf.float32, [None, 3, None], name="m")
    op = linalg.LinearOperatorFullMatrix(m)
    return feeds({m: [A]}, **shapes(op), det=op.determinant(), mm=op.matmul(X))


def program_full_matrix_checks():
    op = linalg.LinearOperatorFullMatrix(A, is_self_adjoint=True)
    return {"a": op.assert_self_adjoint(), "b": op.assert_positive_definite(), "c": op.assert_non_singular()}


def program_full_matrix_cond():
    op = linalg.LinearOperatorFullMatrix(A)
    return {"c": op.assert_non_singular(), "d": op.assert_self_adjoint(name="own")}


def program_full_matrix_complex():
    m = (A + 1j * np.triu(A)).astype(np.complex64)
    op = linalg.LinearOperatorFullMatrix(m)
    x = X.astype(np.complex64)
    return values(op, x, V.astype(np.complex64))


def program_lower_triangular():
    op = linalg.LinearOperatorLowerTriangular(A)
    return {**values(op), **shapes(op), "check": op.assert_non_singular()}


def program_lower_triangular_times():
    op = linalg.LinearOperatorLowerTriangular(A, is_non_singular=True)
    d = linalg.LinearOperatorDiag(V, is_non_singular=True)
    a, b, c = op.matmul(d), d.matmul(op), d.solve(op)
    return {"a": a.to_dense(), "b": b.to_dense(), "c": c.to_dense(), "h": hints(a) + hints(b) + hints(c)}


def program_diag():
    op = linalg.LinearOperatorDiag(V)
    return {**values(op), **shapes(op), "d": op.diag, "check": op.assert_non_singular(), "own": op.assert_self_adjoint()}


def program_diag_complex():
    d = (V + 0.5j).astype(np.complex64)
    op = linalg.LinearOperatorDiag(d, name="d")
    x = X.astype(np.complex64)
    return {**values(op, x, V.astype(np.complex64)), "h": op.adjoint().to_dense(), "i": op.inverse().to_dense(),
            "hints": hints(op)}


def program_diag_operators():
    a, b = linalg.LinearOperatorDiag([1.0, 2.0, 3.0], is_positive_definite=True), linalg.LinearOperatorDiag(V)
    s = linalg.LinearOperatorScaledIdentity(3, 2.0)
    product, inverse, root = a.matmul(b), a.inverse(), a.cholesky()
    return {"p": product.to_dense(), "i": inverse.to_dense(), "r": root.to_dense(), "s": a.solve(b).diag_part(),
            "x": a.matmul(s).diag, "y": a.solve(s).diag, "h": hints(product) + hints(inverse) + hints(root),
            "same": a.adjoint() is a, "check": a.assert_positive_definite(),
            "types": str([type(o).__name__ for o in (product, inverse, root)])}


def program_diag_unknown():
    d = tf.placeholder(tf.float32, [None, None], name="d")
    op = linalg.LinearOperatorDiag(d)
    return feeds({d: [V]}, **shapes(op), mm=op.matmul(X))


def program_diag_variable():
    v = tf.get_variable("v", initializer=V)
    op = linalg.LinearOperatorDiag(tf.identity(v))
    return {"mm": op.matmul(X), "g": tf.gradients(op.matvec([1.0, 2.0, 3.0]), v)[0]}


def program_householder():
    op = linalg.LinearOperatorHouseholder([1.0, 2.0, -1.0])
    return {**values(op), **shapes(op), "i": op.inverse() is op, "check": op.assert_non_singular(),
            "own": op.assert_self_adjoint(), "axis": op.reflection_axis}


def program_householder_batch():
    op = linalg.LinearOperatorHouseholder([[1.0, 2.0, -1.0], [0.5, 0.5, 0.5]], name="mirror")
    return {"mm": op.matmul(np.stack([X, X])), "det": op.determinant(), "trace": op.trace(), **shapes(op)}


def program_identity():
    op = linalg.LinearOperatorIdentity(3)
    return {**values(op), **shapes(op), "chol": op.cholesky().to_dense(), "i": op.inverse() is op,
            "check": [op.assert_non_singular(), op.assert_positive_definite(), op.assert_self_adjoint()]}


def program_identity_batch():
    op = linalg.LinearOperatorIdentity(3, batch_shape=[2], dtype=tf.float32, name="eye")
    return {**values(op), **shapes(op)}


def program_identity_checked():
    op = linalg.LinearOperatorIdentity(3, batch_shape=[2], assert_proper_shapes=True)
    return {"mm": op.matmul(X), **shapes(op)}


def program_identity_unknown():
    n, b = tf.placeholder(tf.int32, [], name="n"), tf.placeholder(tf.int32, [1], name="b")
    op = linalg.LinearOperatorIdentity(n, batch_shape=b)
    return feeds({n: 3, b: [2]}, **shapes(op), mm=op.matmul(X), trace=op.trace(), diag=op.diag_part(), det=op.determinant())


def program_identity_products():
    op, other = linalg.LinearOperatorIdentity(3), linalg.LinearOperatorFullMatrix(A, is_non_singular=True)
    return {"a": op.matmul(other) is other, "b": other.matmul(op) is other, "c": op.solve(other) is other,
            "d": other.solve(op).to_dense()}


def program_scaled_identity():
    op = linalg.LinearOperatorScaledIdentity(3, 2.0, is_positive_definite=True)
    return {**values(op), **shapes(op), "m": op.multiplier, "i": op.inverse().to_dense(), "c": op.cholesky().to_dense(),
            "checks": [op.assert_non_singular(), op.assert_positive_definite(), op.assert_self_adjoint()]}


def program_scaled_identity_batch():
    op = linalg.LinearOperatorScaledIdentity(3, [2.0, -1.0], assert_proper_shapes=True, name="s")
    other = linalg.LinearOperatorScaledIdentity(3, 5.0)
    d = linalg.LinearOperatorDiag(V)
    return {**values(op, skip=("added",)), **shapes(op), "p": op.matmul(other).to_dense(), "q": op.solve(other).to_dense(),
            "d": other.matmul(d).diag, "e": other.solve(d).diag}


def program_scaled_identity_complex():
    op = linalg.LinearOperatorScaledIdentity(3, tf.constant(2.0 + 1.0j, tf.complex64))
    x = X.astype(np.complex64)
    return {"mm": op.matmul(x, adjoint=True), "h": op.adjoint().multiplier, "log": op.log_abs_determinant(),
            "hints": hints(op)}


def program_scaled_identity_unknown():
    n, m = tf.placeholder(tf.int32, [], name="n"), tf.placeholder(tf.float32, [None], name="m")
    op = linalg.LinearOperatorScaledIdentity(n, m)
    return feeds({n: 3, m: [2.0]}, **shapes(op), trace=op.trace(), diag=op.diag_part(), det=op.determinant())


NO_SOLUTION = ("solve", "solvevec", "solve_adjoint", "solve_arg", "log_det", "added")


def program_zeros():
    op = linalg.LinearOperatorZeros(3)
    return {**values(op, skip=NO_SOLUTION), **shapes(op), "own": op.assert_self_adjoint()}


def program_zeros_wide():
    op = linalg.LinearOperatorZeros(3, 2, batch_shape=[2], is_square=False, is_self_adjoint=False, name="z")
    x = X.T.copy()
    return {"mm": op.matmul(x), "adjoint": op.matmul(X, adjoint=True), "arg": op.matmul(X, adjoint_arg=True),
            "diag": op.diag_part(), "dense": op.to_dense(), **shapes(op)}


def program_zeros_products():
    op, other = linalg.LinearOperatorZeros(3), linalg.LinearOperatorFullMatrix(A)
    return {"a": op.matmul(other) is op, "b": other.matmul(op) is op}
