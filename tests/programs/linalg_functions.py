"""Functions of matrices: exponentials, ranks, inverses, three diagonals, and the rest of tf.linalg."""
import numpy as np
import tensorflow as tf

from program import feeds

A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]], np.float32)
MANY = np.stack([A, 2 * A, A - np.eye(3, dtype=np.float32)])
WIDE = np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.5]], np.float32)
DIAGONALS = np.array([[1.0, 2.0, 0.5, 0.0], [4.0, 5.0, 6.0, 7.0], [0.0, 0.3, 0.2, 0.1]], np.float32)
RIGHT = np.arange(8, dtype=np.float32).reshape(4, 2)


def program_logdet():
    x = tf.placeholder(tf.float32, [3, 3], name="x")
    return feeds({x: A}, y=tf.linalg.logdet(x), named=tf.linalg.logdet(MANY, name="many"))


def program_logdet_complex():
    return {"y": tf.linalg.logdet(A.astype(np.complex64))}


def program_expm():
    x = tf.placeholder(tf.float32, [3, 3], name="x")
    return feeds({x: A / 10}, y=tf.linalg.expm(x))


def program_expm_named():
    return {"y": tf.linalg.expm(MANY, name="e")}


def program_expm_double():
    return {"y": tf.linalg.expm(MANY.astype(np.float64))}


def program_expm_complex():
    return {"y": tf.linalg.expm((A * 1j).astype(np.complex64)),
            "z": tf.linalg.expm((A * (1 + 1j)).astype(np.complex128))}


def program_expm_unknown():
    x = tf.placeholder(tf.float32, [None, 3, 3], name="x")
    y = tf.placeholder(tf.float64, [2, None, None], name="y")
    return feeds({x: MANY, y: MANY[:2]}, x=tf.linalg.expm(x), y=tf.linalg.expm(y))


def program_expm_empty():
    return {"y": tf.linalg.expm(np.zeros([2, 0, 0], np.float32))}


def program_matrix_rank():
    x = tf.placeholder(tf.float32, [None, None], name="x")
    return feeds({x: WIDE}, x=tf.linalg.matrix_rank(x), a=tf.linalg.matrix_rank(MANY),
                 tol=tf.linalg.matrix_rank(WIDE, tol=0.5, name="r"), list=tf.linalg.matrix_rank([[1., 2.], [2., 4.]]),
                 double=tf.linalg.matrix_rank(WIDE.astype(np.float64)))


def program_matrix_rank_checked():
    x = tf.placeholder(tf.float32, name="x")
    return feeds({x: WIDE}, x=tf.linalg.matrix_rank(x, validate_args=True))


def program_pinv():
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    return feeds({x: WIDE}, x=tf.linalg.pinv(x), a=tf.linalg.pinv(WIDE), r=tf.linalg.pinv(MANY, rcond=1e-3),
                 double=tf.linalg.pinv(A.astype(np.float64), name="p"))


def program_pinv_checked():
    x = tf.placeholder(tf.float64, name="x")
    return feeds({x: WIDE}, x=tf.linalg.pinv(x, validate_args=True))


def program_tridiagonal_solve():
    d, r = tf.constant(DIAGONALS), tf.constant(RIGHT)
    return {"x": tf.linalg.tridiagonal_solve(d, r), "plain": tf.linalg.tridiagonal_solve(d, r, partial_pivoting=False),
            "vector": tf.linalg.tridiagonal_solve(d, tf.constant(RIGHT[:, 1]))}


def program_tridiagonal_solve_sequence():
    up, main, low = tf.constant(DIAGONALS[0, :3]), tf.constant(DIAGONALS[1]), tf.constant(DIAGONALS[2, 1:])
    return {"x": tf.linalg.tridiagonal_solve([up, main, low], tf.constant(RIGHT), "sequence")}


def program_tridiagonal_solve_conjugate():
    d, r = tf.constant(DIAGONALS.astype(np.complex64)), tf.constant((RIGHT * 1j).astype(np.complex64))
    return {"x": tf.linalg.tridiagonal_solve(d, r, conjugate_rhs=True),
            "v": tf.linalg.tridiagonal_solve(d, r[:, 0], conjugate_rhs=True)}


def program_tridiagonal_matmul():
    d, r = tf.constant(DIAGONALS), tf.constant(RIGHT)
    return {"x": tf.linalg.tridiagonal_matmul(d, r), "named": tf.linalg.tridiagonal_matmul(d, r, name="m"),
            "parts": tf.linalg.tridiagonal_matmul([d[0], d[1], d[2]], r, diagonals_format="sequence")}


def program_plain_functions():
    x = tf.placeholder(tf.float32, [3, 3], name="x")
    sign, log = tf.linalg.slogdet(x)
    lu, p = tf.linalg.lu(x)
    q, r = tf.linalg.qr(x)
    return feeds({x: A}, sign=sign, log=log, lu=lu, p=p, r2=tf.abs(r), q2=tf.abs(q), inv=tf.linalg.inv(x, name="i"),
                 root=tf.linalg.sqrtm(x), logm=tf.linalg.logm(tf.cast(x, tf.complex64)), det=tf.linalg.det(x),

                 band=tf.linalg.band_part(x, tf.constant(0, tf.int64), tf.constant(1, tf.int64)), trace=tf.linalg.trace(x), adjoint=tf.linalg.adjoint(x))


def program_products():
    a, b = tf.constant([1.0, 2.0, 3.0]), tf.constant([0.0, 1.0, 2.0])
    return {"cross": tf.linalg.cross(a, b), "diag": tf.linalg.tensor_diag(a), "part": tf.linalg.tensor_diag_part(tf.constant(A)),
            "matvec": tf.linalg.matvec(tf.constant(A), a), "eye": tf.linalg.eye(2, 3),
            "dot": tf.linalg.tensordot(a, b, 1), "mm": tf.linalg.matmul(tf.constant(A), A),
            "norm": tf.linalg.norm(a), "global": tf.linalg.global_norm([a, b]),
            "l2": tf.linalg.l2_normalize(a), "n": tf.linalg.normalize(a)[0],
            "t": tf.linalg.transpose(tf.constant(WIDE)), "mt": tf.linalg.matrix_transpose(tf.constant(WIDE), name="mt")}


def program_normalize_complex_numbers():
    x = tf.constant(np.array([[1 + 2j, 3], [0, 1j]]))
    return {"one": tf.linalg.normalize(x, ord=1), "two": tf.linalg.normalize(x, ord=2, axis=1),
            "inf": tf.linalg.normalize(x, ord=np.inf, axis=0), "fro": tf.linalg.normalize(x, ord="fro", axis=(0, 1)),
            "own": tf.linalg.normalize(x)}


def program_svd_of_complex_numbers():
    x = tf.constant(np.array([[1 + 1j, 2], [3, 4j]]))
    return {"s": tf.linalg.svd(x, compute_uv=False), "first": tf.linalg.svd(x)[0]}


def program_diagonals():
    x = tf.constant(A)
    return {"diag": tf.linalg.diag(x), "part": tf.linalg.diag_part(x), "set": tf.linalg.set_diag(x, [7.0, 8.0, 9.0])}
