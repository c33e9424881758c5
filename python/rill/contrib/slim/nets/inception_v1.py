"""Inception v1, GoogLeNet (Szegedy et al., 2014)."""

from rill.contrib.slim.nets._networks import (batch_norm, conv2d, fully_connected, inception_norm_params,
                                              network, normalized_arg_scope, softmax)


def inception_v1_base(inputs, final_endpoint="Mixed_5c", scope="InceptionV1"):
    """The layers up to an end point, and the end points."""
    return network("inception_v1_base", inputs, locals())


def inception_v1(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.8,
                 prediction_fn=softmax, spatial_squeeze=True, reuse=None, scope="InceptionV1"):
    """Logits and end points."""
    return network("inception_v1", inputs, locals())


def inception_v1_arg_scope(weight_decay=0.00004, use_batch_norm=True,
                           batch_norm_var_collection="moving_vars"):
    """The arguments that the network's layers want."""
    params = inception_norm_params(batch_norm_var_collection) if use_batch_norm else {}
    return normalized_arg_scope(weight_decay, batch_norm if use_batch_norm else None, params,
                                [conv2d, fully_connected])


inception_v1.default_image_size = 224
