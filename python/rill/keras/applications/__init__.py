"""tf.keras.applications: well-known classifiers of images. Weights come from files that programs name."""

from rill.keras.applications import (densenet, imagenet_utils, inception_v3, mobilenet, mobilenet_v2, resnet,
                                     resnet50, resnet_v2, vgg16, vgg19, xception)
from rill.keras.applications.densenet import DenseNet121, DenseNet169, DenseNet201
from rill.keras.applications.inception_v3 import InceptionV3
from rill.keras.applications.mobilenet import MobileNet
from rill.keras.applications.mobilenet_v2 import MobileNetV2
from rill.keras.applications.resnet import ResNet50, ResNet101, ResNet152
from rill.keras.applications.resnet_v2 import ResNet50V2, ResNet101V2, ResNet152V2
from rill.keras.applications.vgg16 import VGG16
from rill.keras.applications.vgg19 import VGG19
from rill.keras.applications.xception import Xception

__all__ = ["DenseNet121", "DenseNet169", "DenseNet201", "InceptionV3", "MobileNet", "MobileNetV2", "ResNet101",
           "ResNet101V2", "ResNet152", "ResNet152V2", "ResNet50", "ResNet50V2", "VGG16", "VGG19", "Xception",
           "densenet", "imagenet_utils", "inception_v3", "mobilenet", "mobilenet_v2", "resnet", "resnet50",
           "resnet_v2", "vgg16", "vgg19", "xception"]
