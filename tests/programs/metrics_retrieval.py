"""tf.metrics: classes, confusion matrices and the k largest predictions."""
import tensorflow as tf
from program import feeds

PREDICTIONS = [[0.1, 0.6, 0.3, 0.0], [0.8, 0.1, 0.05, 0.05], [0.3, 0.2, 0.1, 0.4]]


def steps(metric, fed=None):
    value, update = metric
    names = ",".join(v.name for v in tf.get_collection(tf.GraphKeys.METRIC_VARIABLES))
    update = feeds(fed or {}, update=update)
    return [dict(names=names), update, update, dict(value=value)]


def labels(values=((1,), (1,), (3,))):
    return tf.constant([list(row) for row in values], tf.int64, name="labels")


def predictions():
    return tf.constant(PREDICTIONS, name="predictions")


def sparse(values=(1, 0, 2, 3), indices=((0, 0), (0, 1), (1, 0), (2, 0))):
    return tf.SparseTensor([list(i) for i in indices], tf.constant(list(values), tf.int64), [3, 2])


def program_precision_at_k():
    return steps(tf.metrics.precision_at_k(labels(), predictions(), 2))


def program_precision_at_1_of_vector():
    return steps(tf.metrics.precision_at_k(tf.constant([1, 0, 0], tf.int64), predictions(), 1))


def program_precision_at_k_class():
    return steps(tf.metrics.precision_at_k(labels(), predictions(), 2, class_id=1))


def program_precision_at_k_weighted():
    return steps(tf.metrics.precision_at_k(labels(), predictions(), 2, weights=[1.0, 0.0, 2.0], name="p"))


def program_precision_at_k_sparse():
    return steps(tf.metrics.precision_at_k(sparse(), predictions(), 2))


def program_precision_at_k_sparse_class():
    return steps(tf.metrics.precision_at_k(sparse(), predictions(), 3, class_id=0))


def program_precision_at_k_unknown():
    y, x = tf.placeholder(tf.int64, name="labels"), tf.placeholder(tf.float32, [None, 4], name="predictions")
    return steps(tf.metrics.precision_at_k(y, x, 2), {y: [[1], [0], [3]], x: PREDICTIONS})


def program_sparse_precision_at_k():
    return steps(tf.metrics.sparse_precision_at_k(labels(), predictions(), 2))


def program_precision_at_top_k():
    return steps(tf.metrics.precision_at_top_k(labels(), tf.constant([[1, 2], [0, 1], [0, 3]], tf.int64)))


def program_precision_at_top_k_class():
    return steps(tf.metrics.precision_at_top_k(labels(), tf.constant([[1, 2], [0, 1], [0, 3]]), k=2, class_id=1,
                                               metrics_collections=["m"], updates_collections=["u"]))


def program_recall_at_k():
    return steps(tf.metrics.recall_at_k(labels([(0, 1), (1, 2), (3, 0)]), predictions(), 1))


def program_recall_at_k_class():
    return steps(tf.metrics.recall_at_k(labels(), predictions(), 2, class_id=3, weights=2.0))


def program_recall_at_k_sparse():
    return steps(tf.metrics.recall_at_k(sparse(), predictions(), 2, name="r"))


def program_recall_at_top_k():
    return steps(tf.metrics.recall_at_top_k(labels(), tf.constant([[1, 2], [0, 1], [0, 3]], tf.int64), k=2))


def program_average_precision_at_k():
    return steps(tf.metrics.average_precision_at_k(labels(), predictions(), 3))


def program_average_precision_at_1():
    return steps(tf.metrics.average_precision_at_k(tf.constant([1, 0, 0], tf.int64), predictions(), 1))


def program_average_precision_at_k_weighted():
    return steps(tf.metrics.average_precision_at_k(labels([(0, 1), (1, 2), (3, -1)]), predictions(), 2,
                                                   weights=[1.0, 2.0, 0.0], name="map"))


def program_average_precision_at_k_out_of_range():
    return steps(tf.metrics.average_precision_at_k(labels([(0, 7), (1, 2), (3, 9)]), predictions(), 2))


def program_average_precision_at_k_sparse():
    return steps(tf.metrics.average_precision_at_k(sparse(), predictions(), 2))


def program_sparse_average_precision_at_k():
    return steps(tf.metrics.sparse_average_precision_at_k(labels(), predictions(), 2))


def program_mean_iou():
    return steps(tf.metrics.mean_iou(tf.constant([0, 1, 1, 2]), tf.constant([0, 1, 2, 2]), 3))


def program_mean_iou_images():
    y, x = (tf.placeholder(tf.int32, [None, 2, 2], name=name) for name in ("labels", "predictions"))
    weights = tf.placeholder(tf.float32, [None, 2, 2], name="weights")
    metric = tf.metrics.mean_iou(y, x, num_classes=4, weights=weights, name="iou", updates_collections=["u"])
    return steps(metric, {y: [[[0, 1], [2, 1]]], x: [[[0, 1], [1, 1]]], weights: [[[1, 1], [1, 0.5]]]})


def program_mean_per_class_accuracy():
    y, x = (tf.placeholder(tf.int64, [None], name=name) for name in ("labels", "predictions"))
    return steps(tf.metrics.mean_per_class_accuracy(y, x, 3), {y: [0, 1, 1, 2], x: [0, 1, 2, 2]})


def program_mean_per_class_accuracy_weighted():
    metric = tf.metrics.mean_per_class_accuracy(tf.constant([[0, 1], [1, 1]]), tf.constant([[0, 1], [0, 1]]), 2,
                                                weights=tf.constant([[1.0, 2.0], [3.0, 4.0]]), name="classes")
    return steps(metric)


def program_confusion_matrix_squeezed():
    return dict(a=tf.math.confusion_matrix([[0], [1]], [1, 1]), b=tf.confusion_matrix([0, 1], tf.constant([[1], [1]])))


def program_confusion_matrix_unknown():
    y, x = tf.placeholder(tf.int32, name="labels"), tf.placeholder(tf.int32, [None], name="predictions")
    matrix = tf.math.confusion_matrix(y, x, num_classes=3)
    return [feeds({y: [0, 1, 2], x: [0, 2, 2]}, matrix=matrix), feeds({y: [[0], [1]], x: [0, 2]}, matrix=matrix)]
