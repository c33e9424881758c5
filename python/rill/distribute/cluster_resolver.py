"""tf.distribute.cluster_resolver: what finds the processes of a cluster."""

from rill import _surface
from rill._cluster_resolver import (ClusterResolver, GCEClusterResolver, KubernetesClusterResolver,
                                    SimpleClusterResolver, SlurmClusterResolver, TFConfigClusterResolver,
                                    TPUClusterResolver, UnionClusterResolver)

UnionResolver = UnionClusterResolver

__getattr__, __dir__ = _surface.members_of(__name__)
