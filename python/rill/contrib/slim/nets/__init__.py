"""tf.contrib.slim.nets: networks for the classification of images; C++ makes them."""

from rill.contrib.slim.nets import (alexnet, inception, inception_v1, inception_v2, inception_v3, overfeat,
                                    resnet_utils, resnet_v1, resnet_v2, vgg)

__all__ = ["alexnet", "inception", "inception_v1", "inception_v2", "inception_v3", "overfeat",
           "resnet_utils", "resnet_v1", "resnet_v2", "vgg"]
