"""VGG: groups of 3 x 3 convolutions with a pooling behind each (Simonyan and Zisserman, 2014)."""

from rill._initializers import zeros_initializer
from rill.contrib.slim.nets._networks import network, relu_arg_scope


def vgg_arg_scope(weight_decay=0.0005):
    """The arguments that the networks' layers want."""
    return relu_arg_scope(weight_decay, zeros_initializer())


def vgg_a(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.5, spatial_squeeze=True,
          scope="vgg_a"):
    """The one with 11 layers: logits and end points."""
    return network("vgg_a", inputs, locals())


def vgg_16(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.5, spatial_squeeze=True,
           scope="vgg_16"):
    """The one with 16 layers: logits and end points."""
    return network("vgg_16", inputs, locals())


def vgg_19(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.5, spatial_squeeze=True,
           scope="vgg_19"):
    """The one with 19 layers: logits and end points."""
    return network("vgg_19", inputs, locals())


vgg_a.default_image_size = vgg_16.default_image_size = vgg_19.default_image_size = 224
vgg_d, vgg_e = vgg_16, vgg_19
