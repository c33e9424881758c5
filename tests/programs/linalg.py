"""Decompositions and systems of equations."""
import numpy as np
import tensorflow as tf

from program import feeds

A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]], np.float32)
B = np.array([[1.0], [2.0], [3.0]], np.float32)


def program_singular_values():
    x = tf.placeholder(tf.float32, [3, 3], name="x")
    s, u, v = tf.svd(x)
    return feeds({x: A}, s=s, only=tf.svd(x, compute_uv=False), back=tf.matmul(u * s, v, transpose_b=True))


def program_eigenvalues():
    x = tf.placeholder(tf.float32, [3, 3], name="x")
    e, v = tf.self_adjoint_eig(x)
    return feeds({x: A}, e=e, only=tf.linalg.eigvalsh(x, name="values"), square=tf.square(v))


def program_solving():
    x = tf.placeholder(tf.float32, [3, 3], name="x")
    chol = tf.cholesky(x)
    return feeds({x: A}, chol=chol, solved=tf.cholesky_solve(chol, B), direct=tf.matrix_solve(x, B),
                 lower=tf.matrix_triangular_solve(chol, B),
                 upper=tf.linalg.triangular_solve(tf.matrix_transpose(chol), B, lower=False),
                 det=tf.matrix_determinant(x), inverse=tf.matrix_inverse(x))


def program_gradients_of_solutions():
    x = tf.placeholder(tf.float64, [3, 3], name="x")
    y = tf.reduce_sum(tf.cholesky_solve(tf.cholesky(x), tf.constant(B, tf.float64)))
    return feeds({x: A}, y=y)


def program_transforms():
    x = tf.placeholder(tf.complex64, [4], name="x")
    return feeds({x: [1, 2, 3, 4]}, f=tf.fft(x), back=tf.ifft(tf.fft(x)))
