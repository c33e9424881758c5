"""AlexNet in its second form (Krizhevsky, 2014)."""

from rill._arg_scope import arg_scope
from rill._initializers import constant_initializer
from rill.contrib.slim.nets._networks import max_pool2d, network, relu_arg_scope


def alexnet_v2_arg_scope(weight_decay=0.0005):
    """The arguments that the network's layers want."""
    with arg_scope(relu_arg_scope(weight_decay, constant_initializer(0.1))):
        with arg_scope([max_pool2d], padding="VALID") as scope:
            return scope


def alexnet_v2(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.5, spatial_squeeze=True,
               scope="alexnet_v2"):
    """Logits and end points."""
    return network("alexnet_v2", inputs, locals())


alexnet_v2.default_image_size = 224
