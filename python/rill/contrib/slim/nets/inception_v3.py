"""Inception v3 (Szegedy et al., 2015)."""

from rill._collections import GraphKeys
from rill.contrib.slim.nets._networks import (batch_norm, conv2d, fully_connected, inception_norm_params,
                                              network, normalized_arg_scope, softmax)


def inception_v3_base(inputs, final_endpoint="Mixed_7c", min_depth=16, depth_multiplier=1.0, scope=None):
    """The layers up to an end point, and the end points."""
    return network("inception_v3_base", inputs, locals())


def inception_v3(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.8, min_depth=16,
                 depth_multiplier=1.0, prediction_fn=softmax, spatial_squeeze=True, reuse=None,
                 create_aux_logits=True, scope="InceptionV3"):
    """Logits and end points."""
    return network("inception_v3", inputs, locals())


def inception_v3_arg_scope(weight_decay=0.00004, batch_norm_var_collection="moving_vars",
                           batch_norm_decay=0.9997, batch_norm_epsilon=0.001,
                           updates_collections=GraphKeys.UPDATE_OPS, use_fused_batchnorm=True):
    """The arguments that the network's layers want."""
    params = inception_norm_params(batch_norm_var_collection, decay=batch_norm_decay,
                                   epsilon=batch_norm_epsilon, updates_collections=updates_collections,
                                   fused=use_fused_batchnorm)
    return normalized_arg_scope(weight_decay, batch_norm, params, [conv2d, fully_connected])


inception_v3.default_image_size = 299
