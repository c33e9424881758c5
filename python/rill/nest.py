"""tf.nest: structures of tensors."""

from rill import _surface
from rill._nest import assert_same_structure, flatten, is_nested, map_structure, pack_sequence_as

__getattr__, __dir__ = _surface.members_of(__name__)
