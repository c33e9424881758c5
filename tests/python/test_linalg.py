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
