"""What the residual networks are made of."""

import collections

from rill._arg_scope import add_arg_scope, arg_scope
from rill._collections import GraphKeys
from rill.contrib.slim.nets._networks import (FUNCTIONS, batch_norm, conv2d, max_pool2d, network,
                                              normalized_arg_scope)

Block = collections.namedtuple("Block", ["scope", "unit_fn", "args"])
Block.__doc__ = "A scope, the function that makes a unit, and the arguments of each unit."


def subsample(inputs, factor, scope=None):
    """Each factor-th pixel."""
    return network("subsample", inputs, locals())[0]


def conv2d_same(inputs, num_outputs, kernel_size, stride, rate=1, scope=None):
    """A convolution whose padding does not depend on the size of the inputs when there is a stride."""
    return network("conv2d_same", inputs, locals())[0]


@add_arg_scope
def stack_blocks_dense(net, blocks, output_stride=None, outputs_collections=None):
    """One block after another; convolutions become dilated where output_stride is reached."""
    return network("stack_blocks_dense", net, locals())[0]


FUNCTIONS.stack_blocks_dense = stack_blocks_dense


def resnet_arg_scope(weight_decay=0.0001, batch_norm_decay=0.997, batch_norm_epsilon=1e-5,
                     batch_norm_scale=True):
    """The arguments that the networks' layers want."""
    params = {"decay": batch_norm_decay, "epsilon": batch_norm_epsilon, "scale": batch_norm_scale,
              "updates_collections": GraphKeys.UPDATE_OPS}
    with arg_scope(normalized_arg_scope(weight_decay, batch_norm, params, [conv2d])):
        with arg_scope([batch_norm], **params):
            with arg_scope([max_pool2d], padding="SAME") as scope:
                return scope
