"""Inception v2, with batch normalisation (Ioffe and Szegedy, 2015)."""

from rill.contrib.slim.nets._networks import (batch_norm, conv2d, fully_connected, inception_norm_params,
                                              network, normalized_arg_scope, softmax)


def inception_v2_base(inputs, final_endpoint="Mixed_5c", min_depth=16, depth_multiplier=1.0, scope=None):
    """The layers up to an end point, and the end points."""
    return network("inception_v2_base", inputs, locals())


def inception_v2(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.8, min_depth=16,
                 depth_multiplier=1.0, prediction_fn=softmax, spatial_squeeze=True, reuse=None,
                 scope="InceptionV2"):
    """Logits and end points."""
    return network("inception_v2", inputs, locals())


def inception_v2_arg_scope(weight_decay=0.00004, batch_norm_var_collection="moving_vars"):
    """The arguments that the network's layers want."""
    return normalized_arg_scope(weight_decay, batch_norm, inception_norm_params(batch_norm_var_collection),
                                [conv2d, fully_connected])


inception_v2.default_image_size = 224
