"""Products of matrices and tensors."""
import numpy as np
import tensorflow as tf

from program import feeds

A = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
B = [[1.0, -1.0], [0.5, 2.0], [3.0, 0.0]]
CUBE = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def program_matmul():
    a, b = tf.constant(A), tf.constant(B)
    return dict(product=tf.matmul(a, b), first=tf.matmul(a, a, transpose_a=True), second=tf.matmul(a, a, transpose_b=True, name="gram"),
                linalg=tf.linalg.matmul(a, B), adjoint=tf.matmul(a, a, adjoint_b=True))


def program_matmul_integers():
    return dict(product=tf.matmul([[1, 2], [3, 4]], [[5, 6], [7, 8]]), double=tf.matmul(np.eye(2), np.ones([2, 3])))


def program_matmul_batches():
    x = tf.constant(CUBE)
    return dict(product=tf.matmul(x, x, transpose_b=True), first=tf.matmul(x, x, adjoint_a=True, name="pairs"),
                spread=tf.matmul(x, tf.constant(CUBE[0]), transpose_b=True))


def program_matmul_complex():
    a = tf.constant([[1 + 1j, 2j], [0.5, 3 - 1j]], tf.complex64)
    return dict(product=tf.matmul(a, a), adjoint=tf.matmul(a, a, adjoint_a=True), transposed=tf.matmul(a, a, transpose_a=True),
                right=tf.matmul(a, a, adjoint_b=True))


def program_matmul_complex_batches():
    a = tf.constant([[[1 + 1j, 2j], [0.5, 3 - 1j]]], tf.complex64)
    return dict(adjoint=tf.matmul(a, a, adjoint_a=True), transposed=tf.matmul(a, a, transpose_a=True), right=tf.matmul(a, a, transpose_b=True))


def program_matmul_sparse():
    a, b = tf.constant(A), tf.constant(B)
    return dict(left=tf.matmul(a, b, a_is_sparse=True), both=tf.matmul(a, a, transpose_b=True, a_is_sparse=True, b_is_sparse=True, name="thin"))


def program_matmul_bfloat16():
    a = tf.cast(tf.constant(A), tf.bfloat16)
    b = tf.cast(tf.constant(B), tf.bfloat16)
    return dict(product=tf.cast(tf.matmul(a, b), tf.float32), sparse=tf.cast(tf.matmul(a, b, b_is_sparse=True), tf.float32))


def program_matmul_unknown():
    x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32, [None, 2])
    return feeds({x: A, y: B}, unknown=tf.matmul(x, y), known=tf.matmul(y, y, transpose_a=True))


def program_matmul_gradient():
    a, b = tf.constant(A), tf.constant(B)
    y = tf.matmul(a, b)
    z = tf.matmul(a, b, transpose_a=True, transpose_b=True)
    return dict(dy=tf.gradients(y, [a, b]), dz=tf.gradients(z, [a, b]))


def program_matmul_batch_gradient():
    a, b = tf.constant(CUBE), tf.constant(CUBE[:1])
    return dict(d=tf.gradients(tf.matmul(a, b, transpose_b=True), [a, b]))


def program_matvec():
    a, b = tf.constant(A), tf.constant([1.0, 2.0, 3.0])
    return dict(product=tf.linalg.matvec(a, b), turned=tf.linalg.matvec(a, [1.0, 2.0], transpose_a=True, name="columns"))


def program_tensordot():
    a, b = tf.constant(CUBE), tf.constant(CUBE.reshape(4, 3, 2))
    return dict(one=tf.tensordot(a, b, 1), lists=tf.tensordot(a, b, [[2], [0]], name="dot"), two=tf.tensordot(a, b, [[1, 2], [1, 0]]),
                outer=tf.tensordot(tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0]), 0))


def program_tensordot_order():
    a, b = tf.constant(CUBE), tf.constant(CUBE)
    return dict(first=tf.tensordot(a, b, [[0, 1], [0, 1]]), numbers=tf.tensordot(a, b, [0, 0]), negative=tf.linalg.tensordot(a, b, [[-1], [2]]))


def program_tensordot_unknown():
    a = tf.placeholder(tf.float32, [None, 3, 4])
    b = tf.placeholder(tf.float32)
    y = tf.tensordot(a, tf.constant(np.ones([4, 2], np.float32)), 1)
    return feeds({a: CUBE, b: CUBE[0]}, y=y, shape=str(y.shape), z=tf.tensordot(a, b, [[2], [1]]))


def program_tensordot_gradient():
    a, b = tf.constant(CUBE), tf.constant(CUBE[0])
    return dict(d=tf.gradients(tf.tensordot(a, b, [[1], [0]]), [a, b]))
