"""tf.queue: queues of tensors."""

from rill import _surface
from rill._rill import (FIFOQueue, PaddingFIFOQueue, PriorityQueue, QueueBase,
                        RandomShuffleQueue)

__getattr__, __dir__ = _surface.members_of(__name__)
