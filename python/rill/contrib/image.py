"""tf.contrib.image: images seen through projective transforms."""

from rill import _rill

_compose = _rill.function("contrib.image.compose_transforms_of")
(transform, rotate, translate, angles_to_projective_transforms, translations_to_projective_transforms,
 flat_transforms_to_matrices, matrices_to_flat_transforms, dense_image_warp) = (
     _rill.function(f"contrib.image.{name}") for name in (
         "transform", "rotate", "translate", "angles_to_projective_transforms",
         "translations_to_projective_transforms", "flat_transforms_to_matrices",
         "matrices_to_flat_transforms", "dense_image_warp"))


def compose_transforms(*transforms, name=None):
    """The transform that is all of them, the last one first."""
    return _compose(transforms, name)
