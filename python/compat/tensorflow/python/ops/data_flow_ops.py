"""Queues and what is like them."""

from rill import (ConditionalAccumulator, ConditionalAccumulatorBase,  # noqa: F401
                  SparseConditionalAccumulator)
from rill._accumulators import Barrier  # noqa: F401
from rill._rill import MapStagingArea, StagingArea  # noqa: F401
from rill.queue import (FIFOQueue, PaddingFIFOQueue, PriorityQueue, QueueBase,  # noqa: F401
                        RandomShuffleQueue)
