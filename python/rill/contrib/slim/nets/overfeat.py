"""OverFeat (Sermanet et al., 2013)."""

from rill._arg_scope import arg_scope
from rill._initializers import zeros_initializer
from rill.contrib.slim.nets._networks import max_pool2d, network, relu_arg_scope


def overfeat_arg_scope(weight_decay=0.0005):
    """The arguments that the network's layers want."""
    with arg_scope(relu_arg_scope(weight_decay, zeros_initializer())):
        with arg_scope([max_pool2d], padding="VALID") as scope:
            return scope


def overfeat(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.5, spatial_squeeze=True,
             scope="overfeat"):
    """Logits and end points."""
    return network("overfeat", inputs, locals())
