"""`import horovod.tensorflow as hvd` for programs that Rill runs."""

from rill._horovod import (Average, BroadcastGlobalVariablesHook, Compression, DistributedOptimizer,  # noqa: F401
                           Sum, allgather, allreduce, broadcast, broadcast_global_variables, broadcast_variables,
                           gloo_built, init, is_initialized, local_rank, local_size, mpi_built,
                           mpi_threads_supported, nccl_built, rank, shutdown, size)
