"""Connectionist temporal classification, and what else is in tf.nn."""
import numpy as np
import tensorflow as tf

from program import feeds

LOGITS = (np.arange(5 * 2 * 4) * 7 % 11 / 5).reshape(5, 2, 4).astype(np.float32)


def logits_of(*shape, name="x"):
    return tf.placeholder(tf.float32, shape, name=name)


def labels_of(dtype=tf.int32):
    return tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([1, 2, 0], dtype), [2, 2])


def program_ctc_loss():
    x = logits_of(5, 2, 4)
    y = tf.nn.ctc_loss(labels_of(), x, [5, 4])
    return feeds({x: LOGITS}, y=y, g=tf.gradients(y, x))


def program_ctc_loss_by_batch():
    x = logits_of(2, 5, 4)
    return feeds({x: LOGITS.transpose(1, 0, 2)},
                 y=tf.nn.ctc_loss(labels_of(), x, [5, 4], time_major=False, preprocess_collapse_repeated=True),
                 z=tf.nn.ctc_loss(labels_of(), logits=tf.transpose(x, [1, 0, 2]), sequence_length=[5, 4],
                                  ctc_merge_repeated=False, ignore_longer_outputs_than_inputs=True))


def program_ctc_loss_v2_sparse():
    x = logits_of(5, 2, 4)
    return feeds({x: LOGITS}, y=tf.nn.ctc_loss_v2(labels_of(), x, None, [5, 4], blank_index=-1))


def program_ctc_decoders():
    x = logits_of(5, 2, 4)
    greedy, score = tf.nn.ctc_greedy_decoder(x, [5, 4])
    repeated, _ = tf.nn.ctc_greedy_decoder(x, [5, 4], merge_repeated=False)
    return feeds({x: LOGITS}, g=greedy[0], s=score, r=repeated[0])


def program_ctc_beam_search():
    x = logits_of(5, 2, 4)
    beams, scores = tf.nn.ctc_beam_search_decoder(x, [5, 4], beam_width=3, top_paths=2)
    newer, _ = tf.nn.ctc_beam_search_decoder_v2(x, tf.constant([5, 4]), beam_width=3)
    return feeds({x: LOGITS}, a=beams[0], b=beams[1], s=scores, n=newer[0])


def program_collapse_repeated():
    labels = tf.placeholder(tf.int32, [2, 4], name="labels")
    y, n = tf.nn.collapse_repeated(labels, [4, 3])
    return feeds({labels: [[1, 1, 2, 2], [3, 4, 4, 4]]}, y=y, n=n)


def program_collapse_repeated_unknown():
    labels = tf.placeholder(tf.int64, [None, None], name="labels")
    n = tf.placeholder(tf.int64, [None], name="n")
    return feeds({labels: [[1, 1, 2, 2], [3, 4, 4, 4]], n: [4, 3]}, y=tf.nn.collapse_repeated(labels, n, name="named"))


def program_ctc_unique_labels():
    labels = tf.placeholder(tf.int64, [2, 4], name="labels")
    return feeds({labels: [[1, 1, 2, 2], [3, 4, 4, 4]]}, y=tf.nn.ctc_unique_labels(labels))


def program_dilation2d():
    x = logits_of(1, 4, 5, 2)
    kernel = np.arange(8, dtype=np.float32).reshape(2, 2, 2) % 3
    v = (np.arange(40) * 3 % 7).reshape(1, 4, 5, 2)
    y = tf.nn.dilation2d(x, kernel, [1, 1, 1, 1], [1, 1, 1, 1], "SAME")
    return feeds({x: v}, y=y, z=tf.nn.dilation2d(x, filters=kernel, strides=[1, 1, 1, 1], dilations=[1, 2, 1, 1],
                                                 padding="VALID", name="named"), g=tf.gradients(y, x))


def program_erosion2d():
    x = logits_of(1, 4, 5, 2)
    kernel = tf.constant(np.arange(8, dtype=np.float32).reshape(2, 2, 2) % 3)
    return feeds({x: (np.arange(40) * 3 % 7).reshape(1, 4, 5, 2)},
                 y=tf.nn.erosion2d(x, kernel, [1, 1, 1, 1], [1, 1, 1, 1], "SAME"))


def program_average_loss():
    x = logits_of(3)
    return feeds({x: [1.0, 2.0, 6.0]}, y=tf.nn.compute_average_loss(x))


def program_average_loss_weighted():
    x = logits_of(3)
    return feeds({x: [1.0, 2.0, 6.0]},
                 y=tf.nn.compute_average_loss(x, sample_weight=[1.0, 0.0, 2.0], global_batch_size=4))


def program_average_loss_weighted_by_column():
    x, w = logits_of(3), tf.constant([[1.0], [0.0], [2.0]])
    return feeds({x: [1.0, 2.0, 6.0]}, y=tf.nn.compute_average_loss(x, sample_weight=w, global_batch_size=4),
                 z=tf.nn.compute_average_loss(tf.reshape(x, [3, 1]), sample_weight=[1.0, 0.0, 2.0]))


def program_scale_regularization_loss():
    x = logits_of(3)
    return feeds({x: [1.0, 2.0, 6.0]}, y=tf.nn.scale_regularization_loss(x))


def program_top_k():
    x = logits_of(2, 3)
    y = tf.nn.top_k(x, 2)
    return feeds({x: [[1.0, 3.0, 2.0], [5.0, 4.0, 6.0]]}, y=y.values, i=y.indices, z=tf.nn.top_k(x, k=1, name="named"),
                 t=tf.nn.in_top_k(x, [1, 0], 1))


def program_space_and_depth():
    x = logits_of(1, 2, 2, 4)
    v = np.arange(16).reshape(1, 2, 2, 4)
    return feeds({x: v}, a=tf.space_to_depth(x, 2), b=tf.depth_to_space(x, 2),
                 c=tf.nn.space_to_depth(x, 2, name="named"), d=tf.space_to_batch(x, [[0, 0], [0, 0]], 2),
                 e=tf.nn.space_to_batch(x, paddings=[[0, 0], [0, 0]], block_shape=2))
