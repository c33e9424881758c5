"""tf.lookup.experimental."""

from rill import _surface
from rill._rill import DenseHashTable

__getattr__, __dir__ = _surface.members_of(__name__)
