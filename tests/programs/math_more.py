"""Histograms, identity matrices, and matrices turned and scaled."""
import tensorflow as tf

from program import feeds

X = [[3.0, 4.0], [6.0, 8.0]]


def program_histogram():
    x = tf.constant([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0])
    return dict(plain=tf.histogram_fixed_width(x, [0.0, 5.0], nbins=5), wide=tf.histogram_fixed_width(x, [0.0, 10.0], 3, tf.int64, name="counts"))


def program_histogram_bins():
    x = tf.constant([[-1.0, 0.0, 1.5], [2.0, 5.0, 15.0]])
    return dict(plain=tf.histogram_fixed_width_bins(x, [0.0, 5.0], nbins=5), named=tf.histogram_fixed_width_bins(x, tf.constant([0.0, 5.0]), nbins=3, name="bins"))


def program_histogram_bins_fed():
    x = tf.placeholder(tf.float32)
    return feeds({x: [1.0, 4.0, 9.0]}, bins=tf.histogram_fixed_width_bins(x, [0.0, 10.0], nbins=5))


def program_normalize():
    x = tf.constant(X)
    rows, lengths = tf.linalg.normalize(x, axis=1)
    return dict(rows=rows, lengths=lengths, all=tf.linalg.normalize(x, ord=1, name="unit"))


def program_eye():
    return dict(square=tf.eye(2), wide=tf.eye(2, num_columns=3, dtype=tf.int32, name="corner"), linalg=tf.linalg.eye(3, dtype=tf.float64))


def program_eye_batches():
    return dict(batches=tf.eye(2, batch_shape=[3]), wide=tf.eye(2, 4, batch_shape=[2, 1], name="many"))


def program_eye_fed():
    n = tf.placeholder(tf.int32, [])
    return feeds({n: 3}, square=tf.eye(n), wide=tf.eye(n, 2))


def program_adjoint():
    x = tf.constant([[1 + 2j, 3j], [4 - 1j, 5]], tf.complex64)
    return dict(complex=tf.linalg.adjoint(x), real=tf.linalg.adjoint(tf.constant(X), name="turned"))


def program_rows_of_a_tensor():
    rows = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([0]), tf.constant([3, 2]))
    scaled, clipped = tf.scalar_mul(2.0, rows), tf.clip_by_value(rows, 0.0, 1.5)
    return dict(scaled=scaled.values, clipped=clipped.values, same=clipped.indices is rows.indices, sum=tf.add_n([rows, scaled]))
