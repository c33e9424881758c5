"""Values by segment."""
import tensorflow as tf

from program import feeds

X = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]


def program_segment():
    x, ids = tf.constant(X), tf.constant([0, 0, 1, 2])
    return dict(sum=tf.segment_sum(x, ids), mean=tf.segment_mean(x, ids), max=tf.math.segment_max(x, ids), min=tf.segment_min(x, [0, 1, 1, 1]),
                prod=tf.math.segment_prod(x, ids, name="product"))


def program_unsorted_segment():
    x, ids = tf.constant(X), tf.constant([2, 0, 2, 0])
    return dict(sum=tf.unsorted_segment_sum(x, ids, 3), max=tf.unsorted_segment_max(x, ids, num_segments=3), min=tf.math.unsorted_segment_min(x, ids, 3),
                prod=tf.unsorted_segment_prod(x, ids, 3, name="product"))


def program_unsorted_segment_mean():
    x, ids = tf.constant(X), tf.constant([2, 0, 2, 0])
    return dict(mean=tf.unsorted_segment_mean(x, ids, 3), root=tf.math.unsorted_segment_sqrt_n(x, ids, 3),
                named=tf.math.unsorted_segment_mean(x, ids, 3, name="average"))


def program_unsorted_segment_mean_matrix_ids():
    x = tf.constant(X)
    return dict(mean=tf.math.unsorted_segment_mean(x, [[0, 1], [1, 0], [0, 0], [1, 1]], 2))


def program_unsorted_segment_mean_fed():
    x = tf.placeholder(tf.float32, [None, 2])
    return feeds({x: X}, y=tf.unsorted_segment_sqrt_n(x, tf.constant([1, 1, 0, 0]), 2, name="root"))


def program_sparse_segment():
    x = tf.constant(X)
    indices, ids = tf.constant([0, 1, 3]), tf.constant([0, 0, 1])
    return dict(sum=tf.sparse_segment_sum(x, indices, ids), mean=tf.sparse.segment_mean(x, indices, ids),
                root=tf.sparse_segment_sqrt_n(x, indices, ids, name="root"))


def program_sparse_segment_counted():
    x = tf.constant(X)
    indices, ids = tf.constant([0, 1, 3]), tf.constant([0, 0, 2])
    return dict(sum=tf.sparse_segment_sum(x, indices, ids, num_segments=4), mean=tf.sparse_segment_mean(x, indices, ids, num_segments=4),
                root=tf.sparse.segment_sqrt_n(x, indices, ids, name="root", num_segments=tf.constant(5)))


def program_segment_gradients():
    x, ids = tf.constant(X), tf.constant([0, 0, 1, 2])
    y = tf.segment_sum(x, ids) + tf.segment_mean(x, ids)
    z = tf.unsorted_segment_max(x, ids, 3)
    return dict(dy=tf.gradients(y, x), dz=tf.gradients(z, x))


def program_bincount():
    x = tf.constant([1, 1, 2, 5, 3, 1])
    return dict(plain=tf.bincount(x), least=tf.math.bincount(x, minlength=8), most=tf.bincount(x, maxlength=3), floats=tf.bincount(x, dtype=tf.float32),
                weighted=tf.bincount([0, 1, 1], weights=[0.5, 1.0, 2.0]))


def program_bincount_fed():
    x = tf.placeholder(tf.int32, [None])
    return [feeds({x: [1, 4, 1]}, counts=tf.bincount(x)), feeds({x: []}, counts=tf.bincount(x, minlength=2))]


def program_confusion_matrix():
    return dict(plain=tf.confusion_matrix([1, 2, 4], [2, 2, 4]), classes=tf.math.confusion_matrix([0, 1], [1, 1], num_classes=3, dtype=tf.float32),
                weighted=tf.confusion_matrix([0, 1, 1], [1, 1, 0], num_classes=2, weights=[2, 3, 4], name="table"))


def program_confusion_matrix_fed():
    labels = tf.placeholder(tf.int64, [None])
    predictions = tf.placeholder(tf.int64, [None])
    return feeds({labels: [0, 2], predictions: [2, 2]}, table=tf.confusion_matrix(labels, predictions))


def program_top_k():
    x = tf.constant([[1.0, 9.0, 3.0], [7.0, 2.0, 8.0]])
    one, two = tf.nn.top_k(x), tf.math.top_k(x, k=2, sorted=True, name="best")
    return dict(values=one.values, indices=one.indices, two=two, three=tf.nn.top_k(x, 3)[1])


def program_in_top_k():
    x = tf.constant([[0.1, 0.8, 0.1], [0.5, 0.2, 0.3]])
    return dict(nn=tf.nn.in_top_k(x, [1, 2], 1), math=tf.math.in_top_k(x, tf.constant([1, 2], tf.int64), k=2, name="hits"))


def program_top_k_gradient():
    x = tf.constant([[1.0, 9.0, 3.0], [7.0, 2.0, 8.0]])
    return dict(dx=tf.gradients(tf.nn.top_k(x, 2).values, x))
