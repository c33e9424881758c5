"""Residual networks with activations behind the convolutions (He et al., 2015)."""

from rill._arg_scope import add_arg_scope
from rill.contrib.slim.nets import resnet_utils
from rill.contrib.slim.nets._networks import FUNCTIONS, network

resnet_arg_scope = resnet_utils.resnet_arg_scope


@add_arg_scope
def bottleneck(inputs, depth, depth_bottleneck, stride, rate=1, outputs_collections=None, scope=None):
    """A unit: three convolutions beside a shortcut."""
    return network("bottleneck_v1", inputs, locals())[0]


FUNCTIONS.bottleneck_v1 = bottleneck


def resnet_v1(inputs, blocks, num_classes=None, is_training=True, global_pool=True, output_stride=None,
              include_root_block=True, reuse=None, scope=None):
    """A network of blocks: its output and end points."""
    return network("resnet_v1", inputs, locals())


def resnet_v1_block(scope, base_depth, num_units, stride):
    """A block whose last unit has the stride."""
    units = [{"depth": base_depth * 4, "depth_bottleneck": base_depth, "stride": 1} for _ in range(num_units)]
    units[-1]["stride"] = stride
    return resnet_utils.Block(scope, bottleneck, units)


def resnet_v1_50(inputs, num_classes=None, is_training=True, global_pool=True, output_stride=None,
                 reuse=None, scope="resnet_v1_50"):
    """The one with 50 layers."""
    return network("resnet_v1_50", inputs, locals())


def resnet_v1_101(inputs, num_classes=None, is_training=True, global_pool=True, output_stride=None,
                  reuse=None, scope="resnet_v1_101"):
    """The one with 101 layers."""
    return network("resnet_v1_101", inputs, locals())


def resnet_v1_152(inputs, num_classes=None, is_training=True, global_pool=True, output_stride=None,
                  reuse=None, scope="resnet_v1_152"):
    """The one with 152 layers."""
    return network("resnet_v1_152", inputs, locals())


def resnet_v1_200(inputs, num_classes=None, is_training=True, global_pool=True, output_stride=None,
                  reuse=None, scope="resnet_v1_200"):
    """The one with 200 layers."""
    return network("resnet_v1_200", inputs, locals())


for _network in (resnet_v1, resnet_v1_50, resnet_v1_101, resnet_v1_152, resnet_v1_200):
    _network.default_image_size = 224
