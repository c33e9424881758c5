"""tf.losses: each loss, its weights and reductions."""
import numpy as np
import tensorflow as tf

LABELS = [[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]
PREDICTIONS = [[0.9, 0.2, 0.6], [0.3, 0.8, 0.1]]


def pair():
    return tf.constant(LABELS, name="labels"), tf.constant(PREDICTIONS, name="predictions")


def fed(shape=None, dtype=tf.float32):
    return tf.placeholder(dtype, shape, name="labels"), tf.placeholder(dtype, shape, name="predictions")


def collected(loss):
    return dict(loss=loss, losses=",".join(item.name for item in tf.losses.get_losses()))


def program_absolute_difference():
    return collected(tf.losses.absolute_difference(*pair()))


def program_absolute_difference_of_lists():
    return collected(tf.losses.absolute_difference(LABELS, PREDICTIONS))


def program_absolute_difference_weighted():
    return collected(tf.losses.absolute_difference(*pair(), weights=2.5))


def program_absolute_difference_zero_weight():
    return collected(tf.losses.absolute_difference(*pair(), weights=0.0))


def program_absolute_difference_of_integers():
    return collected(tf.losses.absolute_difference(tf.constant([1, 2]), tf.constant([3, 1])))


def program_absolute_difference_of_doubles():
    labels, predictions = pair()
    return collected(tf.losses.absolute_difference(tf.cast(labels, tf.float64), predictions))


def program_mean_squared_error():
    return collected(tf.losses.mean_squared_error(*pair()))


def program_mean_squared_error_row_weights():
    return collected(tf.losses.mean_squared_error(*pair(), weights=tf.constant([[1.0], [0.0]])))


def program_mean_squared_error_column_weights():
    return collected(tf.losses.mean_squared_error(*pair(), weights=[[1.0, 0.5, 0.0]]))


def program_mean_squared_error_full_weights():
    return collected(tf.losses.mean_squared_error(*pair(), weights=np.ones((2, 3), np.float32)))


def program_mean_squared_error_integer_weights():
    return collected(tf.losses.mean_squared_error(*pair(), weights=tf.constant([[1], [2]])))


def program_mean_squared_error_in_scope():
    with tf.name_scope("outer"):
        labels, predictions = pair()
        first = tf.losses.mean_squared_error(labels, predictions)
        second = tf.losses.mean_squared_error(labels, predictions, scope="mine")
    return dict(first=first, second=second, names=",".join(item.name for item in tf.losses.get_losses("outer/mine")))


def program_mean_squared_error_unknown_batch():
    labels, predictions = fed([None, 3])
    loss = tf.losses.mean_squared_error(labels, predictions, weights=tf.constant([[1.0, 0.0, 2.0]]))
    from program import feeds
    return [feeds({labels: LABELS, predictions: PREDICTIONS}, loss=loss)]


def program_mean_squared_error_unknown_rank():
    labels, predictions = fed()
    weights = tf.placeholder(tf.float32, name="weights")
    loss = tf.losses.mean_squared_error(labels, predictions, weights=weights)
    from program import feeds
    return [feeds({labels: LABELS, predictions: PREDICTIONS, weights: 2.0}, loss=loss),
            feeds({labels: LABELS, predictions: PREDICTIONS, weights: [[1.0], [0.0]]}, loss=loss)]


def program_mean_squared_error_unknown_weights():
    weights = tf.placeholder(tf.float32, [None, 1], name="weights")
    loss = tf.losses.mean_squared_error(*pair(), weights=weights)
    from program import feeds
    return [feeds({weights: [[1.0], [3.0]]}, loss=loss), feeds({weights: [[2.0]]}, loss=loss)]


def reduced(reduction, **options):
    return collected(tf.losses.mean_squared_error(*pair(), reduction=reduction, **options))


def program_reduction_none():
    return reduced(tf.losses.Reduction.NONE, weights=[[1.0], [2.0]])


def program_reduction_sum():
    return reduced(tf.losses.Reduction.SUM, weights=3.0)


def program_reduction_mean():
    return reduced(tf.losses.Reduction.MEAN, weights=[[1.0], [2.0]])


def program_reduction_sum_over_batch_size():
    return reduced(tf.losses.Reduction.SUM_OVER_BATCH_SIZE, weights=[[1.0], [0.0]])


def program_reduction_sum_over_batch_size_unknown():
    labels, predictions = fed([None, None])
    loss = tf.losses.absolute_difference(labels, predictions,
                                         reduction=tf.losses.Reduction.SUM_OVER_BATCH_SIZE)
    from program import feeds
    return [feeds({labels: LABELS, predictions: PREDICTIONS}, loss=loss)]


def program_reduction_sum_by_nonzero_weights():
    return reduced(tf.losses.Reduction.SUM_BY_NONZERO_WEIGHTS, weights=[[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]])


def program_reduction_names():
    r = tf.losses.Reduction
    return dict(all=",".join(r.all()), mean=r.MEAN, one=tf.constant(1))


def program_compute_weighted_loss():
    return collected(tf.losses.compute_weighted_loss(tf.constant([1.0, 2.0, 3.0]), [1.0, 0.0, 1.0]))


def program_compute_weighted_loss_of_list():
    return collected(tf.losses.compute_weighted_loss([1.0, 2.0, 3.0], 0.5, scope="w"))


def program_compute_weighted_loss_of_halves():
    return collected(tf.losses.compute_weighted_loss(tf.constant([1.0, 2.0], tf.float16)))


def program_compute_weighted_loss_uncollected():
    return collected(tf.losses.compute_weighted_loss(tf.constant([1.0, 2.0]), loss_collection=None))


def program_compute_weighted_loss_collection():
    loss = tf.losses.compute_weighted_loss(tf.constant([1.0, 2.0]), loss_collection="others")
    return dict(loss=loss, names=",".join(item.name for item in tf.losses.get_losses(loss_collection="others")))


def program_cosine_distance():
    return collected(tf.losses.cosine_distance(*pair(), axis=1))


def program_cosine_distance_dim():
    return collected(tf.losses.cosine_distance(*pair(), dim=0, weights=[[1.0, 2.0, 0.0]]))


def program_hinge_loss():
    return collected(tf.losses.hinge_loss(*pair()))


def program_hinge_loss_weighted():
    labels, logits = fed([None])
    loss = tf.losses.hinge_loss(labels, logits, weights=2.0)
    from program import feeds
    return [feeds({labels: [1, 0, 1], logits: [0.3, -2.0, 1.5]}, loss=loss)]


def program_huber_loss():
    return collected(tf.losses.huber_loss(tf.constant([1.0, 2.0, 9.0]), tf.constant([1.5, 2.0, 3.0])))


def program_huber_loss_delta():
    return collected(tf.losses.huber_loss(tf.constant([1.0, 2.0, 9.0]), tf.constant([1.5, 2.0, 3.0]), delta=0.2))


def program_log_loss():
    return collected(tf.losses.log_loss(*pair()))


def program_log_loss_epsilon():
    return collected(tf.losses.log_loss(*pair(), epsilon=0.1, weights=0.5, scope="log"))


def program_mean_pairwise_squared_error():
    return collected(tf.losses.mean_pairwise_squared_error(*pair()))


def program_mean_pairwise_squared_error_weighted():
    return collected(tf.losses.mean_pairwise_squared_error(*pair(), weights=[[1.0], [0.5]]))


def program_mean_pairwise_squared_error_unknown():
    labels, predictions = fed([None, 3])
    loss = tf.losses.mean_pairwise_squared_error(labels, predictions, weights=3.0)
    from program import feeds
    return [feeds({labels: LABELS, predictions: PREDICTIONS}, loss=loss)]


def program_total_loss():
    labels, predictions = pair()
    tf.losses.mean_squared_error(labels, predictions)
    tf.losses.add_loss(tf.constant(0.5, name="mine"))
    tf.add_to_collection(tf.GraphKeys.REGULARIZATION_LOSSES, tf.constant(0.25, name="penalty"))
    return dict(total=tf.losses.get_total_loss(),
                bare=tf.losses.get_total_loss(add_regularization_losses=False, name="bare"),
                penalty=tf.losses.get_regularization_loss(),
                count=len(tf.losses.get_regularization_losses()))


def program_total_loss_in_scope():
    with tf.name_scope("a"):
        tf.losses.add_loss(tf.constant(1.0))
    with tf.name_scope("b"):
        tf.losses.add_loss(tf.constant(2.0))
    return dict(total=tf.losses.get_total_loss(scope="b"), all=tf.losses.get_total_loss(name=None))


def program_no_regularization_loss():
    return dict(none=tf.losses.get_regularization_loss())


def program_regularized_variable():
    with tf.variable_scope("net", regularizer=lambda w: tf.reduce_sum(w * w) * 0.5):
        w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
    tf.losses.absolute_difference(tf.constant([1.0, 2.0]), w * 3.0)
    return dict(total=tf.losses.get_total_loss(), penalty=tf.losses.get_regularization_loss(scope="net"))
