"""Clipping by norms."""
import numpy as np
import tensorflow as tf


def given(shape=(2, 3), name="x"):
    values = np.arange(1, 1 + np.prod(shape), dtype=np.float32).reshape(shape)
    return tf.constant(values, name=name)


def rows():
    return tf.IndexedSlices(tf.constant([[3.0, 4.0]]), tf.constant([1]), tf.constant([3, 2]))


def program_by_norm():
    return dict(small=tf.clip_by_norm(given(), 2.0), large=tf.clip_by_norm(given(), 100.0, name="c"))


def program_by_norm_axes():
    return dict(a=tf.clip_by_norm(given(), 2.0, axes=[0]), b=tf.clip_by_norm(given(), 2.0, axes=1))


def program_by_norm_zeros():
    x = tf.zeros([3])
    y = tf.clip_by_norm(x, 1.0)
    return dict(y=y, g=tf.gradients(y, x)[0])


def program_by_norm_unknown_shape():
    x = tf.placeholder_with_default(given(), None)
    return dict(y=tf.clip_by_norm(x, 2.0))


def program_by_norm_unknown_size():
    x = tf.placeholder_with_default(given(), [None, 3])
    return dict(y=tf.clip_by_norm(x, tf.constant(2.0)))


def program_by_norm_rows():
    y = tf.clip_by_norm(rows(), 2.0)
    return dict(values=y.values, indices=y.indices, shape=y.dense_shape)


def program_by_norm_gradient():
    x = given()
    return dict(g=tf.gradients(tf.clip_by_norm(x, 2.0), x)[0])


def program_by_average_norm():
    return dict(y=tf.clip_by_average_norm(given(), 0.5), z=tf.clip_by_average_norm(given(), 50.0))


def program_by_average_norm_unknown():
    x = tf.placeholder_with_default(given(), None)
    return dict(y=tf.clip_by_average_norm(x, 0.5, name="avg"))


def program_global_norm():
    return dict(n=tf.global_norm([given(), None, rows(), given((3,))]))


def program_global_norm_named():
    return dict(n=tf.global_norm([given()], name="norm"), m=tf.linalg.global_norm([given()]))


def program_global_norm_float64():
    return dict(n=tf.global_norm([tf.constant([3.0, 4.0], tf.float64)]))


def program_by_global_norm():
    (a, none, r, b), norm = tf.clip_by_global_norm([given(), None, rows(), given((3,))], 2.0)
    return dict(a=a, none=str(none), r=r.values, b=b, norm=norm)


def program_by_global_norm_larger():
    clipped, norm = tf.clip_by_global_norm([given(), given((3,))], 1000.0, name="clip")
    return dict(clipped=clipped, norm=norm)


def program_by_global_norm_used():
    clipped, norm = tf.clip_by_global_norm([given(), given((3,))], 2.0, use_norm=tf.constant(4.0))
    return dict(clipped=clipped, norm=norm)


def program_by_global_norm_infinite():
    clipped, norm = tf.clip_by_global_norm([tf.constant([1.0, np.inf]), given((2,))], 2.0)
    return dict(clipped=clipped, norm=norm)


def program_by_global_norm_on_devices():
    with tf.device("/cpu:0"):
        x = given()
    clipped, norm = tf.clip_by_global_norm([x, given((2,))], 2.0)
    return dict(clipped=clipped)
