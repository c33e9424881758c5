"""Networks that C++ makes of Python's layers, so that arg_scope applies to each of them."""

import types

from rill import _rill
from rill._arg_scope import arg_scope, scope_arguments
from rill.contrib import layers
from rill.contrib._regularizers import l2_regularizer, variance_scaling_initializer
from rill.contrib.layers import batch_norm, conv2d, fully_connected, max_pool2d, softmax  # noqa: F401

FUNCTIONS = types.SimpleNamespace(
    conv2d=conv2d, separable_conv2d=layers.separable_conv2d, fully_connected=fully_connected,
    max_pool2d=max_pool2d, avg_pool2d=layers.avg_pool2d, dropout=layers.dropout, batch_norm=batch_norm,
    arg_scope=arg_scope, scope_arguments=scope_arguments)


def network(name, inputs, arguments):
    """The network's output and its end points."""
    return _rill.slim_network(name, inputs, types.SimpleNamespace(**arguments), FUNCTIONS)


def relu_arg_scope(weight_decay, biases_initializer):
    """Rectified layers with weights that decay; convolutions keep the size of images."""
    from rill import nn
    with arg_scope([conv2d, fully_connected], activation_fn=nn.relu,
                   weights_regularizer=l2_regularizer(weight_decay),
                   biases_initializer=biases_initializer):
        with arg_scope([conv2d], padding="SAME") as scope:
            return scope


def normalized_arg_scope(weight_decay, normalizer_fn, normalizer_params, decaying):
    """Convolutions with normalized and rectified outputs."""
    from rill import nn
    with arg_scope(decaying, weights_regularizer=l2_regularizer(weight_decay)):
        with arg_scope([conv2d], weights_initializer=variance_scaling_initializer(),
                       activation_fn=nn.relu, normalizer_fn=normalizer_fn,
                       normalizer_params=normalizer_params) as scope:
            return scope


def inception_norm_params(collection, **others):
    """The arguments of batch_norm whose averages are in a collection of their own."""
    from rill._collections import GraphKeys
    return {"decay": 0.9997, "epsilon": 0.001, "updates_collections": GraphKeys.UPDATE_OPS,
            "variables_collections": {"beta": None, "gamma": None, "moving_mean": [collection],
                                      "moving_variance": [collection]}, **others}
