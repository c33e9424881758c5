"""tf.initializers."""

from rill import _surface
from rill._initializers import (constant_initializer as constant,
                                glorot_normal_initializer as glorot_normal,
                                glorot_uniform_initializer as glorot_uniform, he_normal, he_uniform,
                                identity_initializer as identity, lecun_normal, lecun_uniform,
                                ones_initializer as ones, orthogonal_initializer as orthogonal,
                                random_normal_initializer as random_normal,
                                random_uniform_initializer as random_uniform,
                                truncated_normal_initializer as truncated_normal,
                                uniform_unit_scaling_initializer as uniform_unit_scaling,
                                variance_scaling_initializer as variance_scaling,
                                zeros_initializer as zeros)

__getattr__, __dir__ = _surface.members_of(__name__)
