"""slim.losses: tf.losses with predictions before labels."""


def _losses():
    from rill import losses
    return losses


def _swapped(name, ours, doc):
    """A function of tf.losses that takes what was predicted first."""
    def loss(predictions, labels=None, weights=1.0, scope=None, **more):
        return getattr(_losses(), ours)(labels, predictions, weights=weights, scope=scope, **more)
    loss.__name__ = loss.__qualname__ = name
    loss.__doc__ = doc
    return loss


absolute_difference = _swapped("absolute_difference", "absolute_difference",
                               "The sizes of the differences.")
mean_squared_error = _swapped("mean_squared_error", "mean_squared_error",
                              "The squares of the differences.")
hinge_loss = _swapped("hinge_loss", "hinge_loss", "max(0, 1 - label * logit), for labels -1 and 1.")
log_loss = _swapped("log_loss", "log_loss", "The cross entropy of probabilities.")
sparse_softmax_cross_entropy = _swapped(
    "sparse_softmax_cross_entropy", "sparse_softmax_cross_entropy",
    "The cross entropy of logits and numbers of classes.")


def softmax_cross_entropy(logits, onehot_labels, weights=1.0, label_smoothing=0, scope=None):
    """The cross entropy of logits and rows with one 1."""
    return _losses().softmax_cross_entropy(onehot_labels, logits, weights=weights,
                                           label_smoothing=label_smoothing, scope=scope)


def sigmoid_cross_entropy(logits, multi_class_labels, weights=1.0, label_smoothing=0, scope=None):
    """The cross entropy of logits and labels that do not exclude each other."""
    return _losses().sigmoid_cross_entropy(multi_class_labels, logits, weights=weights,
                                           label_smoothing=label_smoothing, scope=scope)


def cosine_distance(predictions, labels=None, axis=None, weights=1.0, scope=None, dim=None):
    """1 - the product of vectors of length 1."""
    return _losses().cosine_distance(labels, predictions, axis=dim if axis is None else axis,
                                     weights=weights, scope=scope)


def __getattr__(name):
    if name in ("add_loss", "get_losses", "get_regularization_losses", "get_total_loss",
                "compute_weighted_loss"):
        return getattr(_losses(), name)
    raise AttributeError(f"module 'tensorflow.contrib.losses' has no attribute '{name}'")
