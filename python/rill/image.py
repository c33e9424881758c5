"""tf.image: images."""

from rill import _surface


class ResizeMethod:
    """How pixels between those of an image are found."""

    BILINEAR = 0
    NEAREST_NEIGHBOR = 1
    BICUBIC = 2
    AREA = 3


__getattr__, __dir__ = _surface.members_of(__name__)
