"""tf.random: random tensors and the seeds that decide them."""

from rill import _surface

__getattr__, __dir__ = _surface.members_of(__name__)
