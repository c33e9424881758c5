"""tf.contrib.nccl: collective ops of GPUs, which there are none of."""

from rill.contrib.all_reduce import _no_nccl

all_sum, all_prod = _no_nccl("all_sum"), _no_nccl("all_prod")
all_min, all_max = _no_nccl("all_min"), _no_nccl("all_max")
reduce_sum, broadcast = _no_nccl("reduce_sum"), _no_nccl("broadcast")
