"""tf.contrib.cluster_resolver: what finds the processes of a cluster."""

from rill._cluster_resolver import (ClusterResolver, GCEClusterResolver, KubernetesClusterResolver,  # noqa: F401
                                    SimpleClusterResolver, SlurmClusterResolver, TFConfigClusterResolver,
                                    TPUClusterResolver, UnionClusterResolver)
