"""tf.keras. Modules are imported when they are asked for."""

from rill import _surface

__getattr__, __dir__ = _surface.members_of(__name__)
