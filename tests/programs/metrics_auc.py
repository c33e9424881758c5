"""tf.metrics.auc: curves, ways to sum up, thresholds; a program that reads it before and after updates."""
import tensorflow as tf
from program import feeds

SCORES = [([1, 0, 1, 1], [0.9, 0.4, 0.2, 0.55]), ([0, 0], [0.1, 0.8])]


def area(dtype=tf.float32, **options):
    labels, scores = tf.placeholder(tf.bool, [None], name="labels"), tf.placeholder(dtype, [None], name="scores")
    value, update = tf.metrics.auc(labels, scores, **options)
    return [dict(value=value)] + [feeds({labels: y, scores: x}, update=update) for y, x in SCORES] + [dict(value=value)]


def program_roc():
    return area()


def program_roc_few():
    return area(num_thresholds=5)


def program_roc_named():
    return area(name="area", metrics_collections=["m"], updates_collections=["u"], num_thresholds=4)


def program_roc_minoring():
    return area(summation_method="minoring")


def program_roc_majoring():
    return area(summation_method="majoring")


def program_roc_careful():
    return area(summation_method="careful_interpolation", num_thresholds=10)


def program_pr():
    return area(curve="PR", num_thresholds=20)


def program_pr_careful():
    return area(curve="PR", summation_method="careful_interpolation")


def program_pr_minoring():
    return area(curve="PR", summation_method="minoring", num_thresholds=10)


def program_pr_majoring():
    return area(curve="PR", summation_method="majoring", num_thresholds=10)


def program_own_thresholds():
    return area(thresholds=[0.75, 0.25, 0.5])


def program_weighted():
    return area(weights=2.0, num_thresholds=6)


def program_doubles():
    return area(tf.float64, num_thresholds=6)


def program_of_constants():
    value, update = tf.metrics.auc(tf.constant([0, 0, 1, 1]), tf.constant([0.1, 0.4, 0.35, 0.8]),
                                   weights=tf.constant([1.0, 0.0, 1.0, 1.0]))
    return [dict(update=update), dict(value=value)]


SEEN = [[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 0.8, 0.9, 1], [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]]
TRUTH = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]


def program_read_before_update():
    x, y = tf.placeholder(tf.float64, [10]), tf.placeholder(tf.bool, [10])
    value, update = tf.metrics.auc(labels=y, predictions=x)
    found = []
    for _ in range(3):
        for score in SEEN:
            found += [dict(value=value), feeds({x: score, y: TRUTH}, update=update)]
    return found
