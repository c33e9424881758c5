"""tf.contrib.image: images seen through projective transforms."""

from rill._rill.functions.contrib.image import (  # noqa: F401
    angles_to_projective_transforms, bipartite_match, dense_image_warp, flat_transforms_to_matrices, matrices_to_flat_transforms,
    rotate, transform, translate, translations_to_projective_transforms)
from rill._rill.functions.contrib.image import compose_transforms_of as _compose


def compose_transforms(*transforms, name=None):
    """The transform that is all of them, the last one first."""
    return _compose(transforms, name)
