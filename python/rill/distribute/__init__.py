"""tf.distribute: one model on several devices or machines."""

from rill import _surface
from rill._cluster import Server
from rill._distribute import (InputContext, InputReplicationMode, ReduceOp, ReplicaContext, Strategy, StrategyExtended,
                              experimental_set_strategy, get_loss_reduction, get_replica_context, get_strategy,
                              has_strategy, in_cross_replica_context)
from rill._distribute_ops import (CrossDeviceOps, HierarchicalCopyAllReduce, NcclAllReduce, ReductionToOneDevice)
from rill._distribute_strategies import MirroredStrategy, OneDeviceStrategy

__getattr__, __dir__ = _surface.members_of(__name__)
