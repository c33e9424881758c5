"""tf.distribute.experimental: strategies whose interface may change."""

from rill import _surface
from rill._distribute import CollectiveCommunication
from rill._distribute_strategies import (CentralStorageStrategy, MultiWorkerMirroredStrategy, ParameterServerStrategy,
                                         TPUStrategy)

__getattr__, __dir__ = _surface.members_of(__name__)
