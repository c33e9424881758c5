"""Losses of tf.nn."""
import tensorflow as tf

from program import feeds

LOGITS = [[1.0, 2.0, -3.0], [0.5, 0.0, -1.0]]
LABELS = [[1.0, 0.0, 0.0], [0.25, 0.25, 0.5]]


def pair(shape=(2, 3)):
    return tf.placeholder(tf.float32, shape, name="labels"), tf.placeholder(tf.float32, shape, name="logits")


def program_sigmoid_cross_entropy():
    labels, logits = pair()
    y = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
    return feeds({labels: LABELS, logits: LOGITS}, y=y, g=tf.gradients(y, [labels, logits]))


def program_sigmoid_cross_entropy_of_values():
    return {"y": tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.0, 0.0], logits=[0.5, 0.2], name="named")}


def program_sigmoid_cross_entropy_unknown():
    labels, logits = pair((None, 3))
    return feeds({labels: LABELS, logits: LOGITS},
                 y=tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))


def program_weighted_cross_entropy():
    labels, logits = pair()
    weight = tf.placeholder(tf.float32, [], name="weight")
    return feeds({labels: LABELS, logits: LOGITS, weight: 3.0},
                 y=tf.nn.weighted_cross_entropy_with_logits(labels, logits, 2.0),
                 z=tf.nn.weighted_cross_entropy_with_logits(targets=labels, logits=logits, pos_weight=weight,
                                                            name="named"))


def program_softmax_cross_entropy_v2():
    labels, logits = pair()
    y = tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits)
    return feeds({labels: LABELS, logits: LOGITS}, y=y, g=tf.gradients(y, [labels, logits]))


def program_softmax_cross_entropy():
    labels, logits = pair()
    y = tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return feeds({labels: LABELS, logits: LOGITS}, y=y, g=tf.gradients(y, [logits]),
                 n=tf.gradients(y, labels)[0] is None)


def program_softmax_cross_entropy_unknown():
    labels, logits = pair(None)
    return feeds({labels: LABELS, logits: LOGITS},
                 y=tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits))


def program_softmax_cross_entropy_partly_known():
    labels, logits = pair((None, 3))
    return feeds({labels: LABELS, logits: LOGITS},
                 y=tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits, name="named"))


def program_softmax_cross_entropy_three_dimensions():
    labels, logits = pair((1, 2, 3))
    return feeds({labels: [LABELS], logits: [LOGITS]},
                 y=tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits))


def program_softmax_cross_entropy_along_an_axis():
    labels, logits = pair((1, 2, 3))
    return feeds({labels: [LABELS], logits: [LOGITS]},
                 y=tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits, axis=1),
                 z=tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits, dim=0),
                 w=tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits, dim=2))


def program_softmax_cross_entropy_of_halves():
    labels = tf.placeholder(tf.float32, [2, 3], name="labels")
    logits = tf.placeholder(tf.float16, [2, 3], name="logits")
    return feeds({labels: LABELS, logits: LOGITS},
                 y=tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits))


def program_softmax_cross_entropy_of_integers():
    return {"y": tf.nn.softmax_cross_entropy_with_logits_v2(labels=[[0, 1, 0]], logits=[[0.5, 2.0, 1.0]])}


def program_sparse_softmax_cross_entropy():
    logits = tf.placeholder(tf.float32, [2, 3], name="logits")
    labels = tf.placeholder(tf.int32, [2], name="labels")
    y = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return feeds({labels: [2, 0], logits: LOGITS}, y=y, g=tf.gradients(y, logits))


def program_sparse_softmax_cross_entropy_three_dimensions():
    logits = tf.placeholder(tf.float32, [1, 2, 3], name="logits")
    y = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[[2, 0]], logits=logits, name="named")
    return feeds({logits: [LOGITS]}, y=y)


def program_sparse_softmax_cross_entropy_unknown():
    logits = tf.placeholder(tf.float32, name="logits")
    labels = tf.placeholder(tf.int64, name="labels")
    y = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return feeds({labels: [2, 0], logits: LOGITS}, y=y, g=tf.gradients(y, logits))


def program_sparse_softmax_cross_entropy_partly_known():
    logits = tf.placeholder(tf.float32, [None, 3], name="logits")
    labels = tf.placeholder(tf.int64, [None], name="labels")
    return feeds({labels: [2, 0], logits: LOGITS},
                 y=tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))


def program_sparse_softmax_cross_entropy_of_halves():
    logits = tf.placeholder(tf.float16, [2, 3], name="logits")
    return feeds({logits: LOGITS}, y=tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 1], logits=logits))


def program_log_poisson_loss():
    labels, logits = pair()
    y = tf.nn.log_poisson_loss(labels, logits)
    z = tf.nn.log_poisson_loss(labels * 4.0, logits, True, name="full")
    return feeds({labels: LABELS, logits: LOGITS}, y=y, z=z, g=tf.gradients(y, logits))


def program_l2_loss():
    return {"y": tf.nn.l2_loss([3.0, 4.0]), "z": tf.nn.l2_loss(tf.constant([1.0], tf.float64), name="named")}
