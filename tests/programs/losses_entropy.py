"""tf.losses: cross entropies."""
import numpy as np
import tensorflow as tf

LOGITS = [[2.0, -1.0, 0.5], [0.1, 0.2, 3.0]]
ONE_HOT = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]


def inputs(dtype=tf.float32):
    return tf.constant(ONE_HOT, dtype, name="labels"), tf.constant(LOGITS, dtype, name="logits")


def program_sigmoid():
    return dict(loss=tf.losses.sigmoid_cross_entropy(*inputs()))


def program_sigmoid_smoothed():
    return dict(loss=tf.losses.sigmoid_cross_entropy(*inputs(), label_smoothing=0.2, weights=[[1.0], [0.5]]))


def program_sigmoid_integer_labels():
    labels = tf.constant([[1, 0, 0], [0, 0, 1]])
    return dict(loss=tf.losses.sigmoid_cross_entropy(labels, tf.constant(LOGITS), scope="s"))


def program_sigmoid_of_lists():
    return dict(loss=tf.losses.sigmoid_cross_entropy(ONE_HOT, LOGITS))


def program_sigmoid_doubles():
    return dict(loss=tf.losses.sigmoid_cross_entropy(*inputs(tf.float64), reduction="none"))


def program_softmax():
    return dict(loss=tf.losses.softmax_cross_entropy(*inputs()))


def program_softmax_smoothed():
    return dict(loss=tf.losses.softmax_cross_entropy(*inputs(), label_smoothing=0.1))


def program_softmax_weighted():
    return dict(loss=tf.losses.softmax_cross_entropy(*inputs(), weights=tf.constant([1.0, 0.0]), scope="named"))


def program_softmax_halves():
    return dict(loss=tf.losses.softmax_cross_entropy(*inputs(tf.float16)))


def program_softmax_unknown_batch():
    labels = tf.placeholder(tf.float32, [None, 3], name="labels")
    logits = tf.placeholder(tf.float32, [None, 3], name="logits")
    loss = tf.losses.softmax_cross_entropy(labels, logits, label_smoothing=0.3)
    from program import feeds
    return [feeds({labels: ONE_HOT, logits: LOGITS}, loss=loss)]


def program_softmax_three_dimensions():
    labels, logits = inputs()
    loss = tf.losses.softmax_cross_entropy(tf.stack([labels, labels]), tf.stack([logits, -logits]))
    return dict(loss=loss)


def program_sparse():
    return dict(loss=tf.losses.sparse_softmax_cross_entropy(tf.constant([0, 2]), tf.constant(LOGITS)))


def program_sparse_column():
    return dict(loss=tf.losses.sparse_softmax_cross_entropy(tf.constant([[0], [2]]), tf.constant(LOGITS),
                                                            weights=tf.constant([[1.0], [0.5]])))


def program_sparse_of_lists():
    return dict(loss=tf.losses.sparse_softmax_cross_entropy([0, 2], LOGITS, weights=0.5))


def program_sparse_unknown_batch():
    labels = tf.placeholder(tf.int64, [None], name="labels")
    logits = tf.placeholder(tf.float32, [None, 3], name="logits")
    loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
    from program import feeds
    return [feeds({labels: [0, 2], logits: LOGITS}, loss=loss)]


def program_sparse_unknown_rank():
    labels = tf.placeholder(tf.int32, name="labels")
    logits = tf.placeholder(tf.float32, [None, 3], name="logits")
    weights = tf.placeholder(tf.float32, name="weights")
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits, weights=weights)
    from program import feeds
    return [feeds({labels: [0, 2], logits: LOGITS, weights: [1.0, 2.0]}, loss=loss),
            feeds({labels: [[0], [2]], logits: LOGITS, weights: [[1.0], [2.0]]}, loss=loss)]


def program_sparse_three_dimensions():
    logits = tf.constant(np.arange(12, dtype=np.float32).reshape(2, 2, 3))
    return dict(loss=tf.losses.sparse_softmax_cross_entropy(tf.constant([[0, 1], [2, 0]]), logits))


def program_sparse_images_unknown():
    labels = tf.placeholder(tf.int32, [None, None], name="labels")
    logits = tf.placeholder(tf.float32, [None, None, 3], name="logits")
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    from program import feeds
    return [feeds({labels: [[0, 1]], logits: np.ones((1, 2, 3))}, loss=loss)]
