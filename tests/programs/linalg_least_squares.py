"""Least squares, the spectral norm, and products over axes that are known late."""
import numpy as np
import tensorflow as tf

from program import feeds

TALL = np.array([[1, 2, 0], [0, 1, 1], [2, 0, 1], [1, 1, 3]], np.float32)
RIGHT = np.array([[1, 2], [3, 4], [5, 6], [7, 8]], np.float32)


def floats(*shape, name="x"):
    return tf.placeholder(tf.float32, shape, name=name)


def program_lstsq():
    a, b = floats(4, 3, name="a"), floats(4, 2, name="b")
    return feeds({a: TALL, b: RIGHT}, x=tf.linalg.lstsq(a, b), y=tf.matrix_solve_ls(a, b, fast=False, name="slow"))


def program_lstsq_regularized():
    a, b = floats(4, 3, name="a"), floats(4, 2, name="b")
    return feeds({a: TALL, b: RIGHT}, x=tf.matrix_solve_ls(a, b, l2_regularizer=0.1, name="named"))


def program_lstsq_wide():
    a, b = floats(2, 2, 3, name="a"), floats(2, 2, 1, name="b")
    return feeds({a: TALL.reshape(2, 2, 3), b: RIGHT.reshape(2, 2, 2)[:, :, :1]},
                 x=tf.linalg.lstsq(a, b), y=tf.linalg.lstsq(a, b, l2_regularizer=0.5))


def program_lstsq_unknown():
    a, b = floats(None, None, name="a"), floats(None, 2, name="b")
    return feeds({a: TALL, b: RIGHT}, x=tf.matrix_solve_ls(a, b, l2_regularizer=0.1))


def program_lstsq_of_values():
    return {"x": tf.linalg.lstsq(TALL, RIGHT)}


def program_lstsq_gradient():
    a, b = floats(4, 3, name="a"), floats(4, 2, name="b")
    return feeds({a: TALL, b: RIGHT}, g=tf.gradients(tf.matrix_solve_ls(a, b), b))


def program_spectral_norm():
    x = floats(2, 2, 3)
    return feeds({x: TALL.reshape(2, 2, 3)}, y=tf.norm(x, ord=2, axis=[-2, -1]))


def program_spectral_norm_of_other_axes():
    x = floats(2, 2, 3)
    return feeds({x: TALL.reshape(2, 2, 3)}, y=tf.norm(x, ord=2, axis=[2, 0], keepdims=True, name="named"))


def program_spectral_norm_unknown():
    x = tf.placeholder(tf.float32, name="x")
    return feeds({x: TALL}, y=tf.norm(x, ord=2, axis=(0, 1)))


def program_tensordot_axes_of_a_tensor():
    a, b = floats(4, 3, name="a"), floats(3, 4, name="b")
    axes = tf.placeholder(tf.int32, [2, 1], name="axes")
    return feeds({a: TALL, b: TALL.T, axes: [[1], [0]]}, x=tf.tensordot(a, b, axes),
                 y=tf.tensordot(a, b, tf.constant([[-1, 0], [0, 1]]), name="named"))


def program_tensordot_of_unknown_ranks():
    a, b = tf.placeholder(tf.float32, name="a"), tf.placeholder(tf.float32, name="b")
    return feeds({a: TALL, b: TALL.T}, x=tf.tensordot(a, b, 1), y=tf.tensordot(a, b, 2 - 2))
