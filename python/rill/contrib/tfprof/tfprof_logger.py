"""tf.contrib.tfprof.tfprof_logger: op logs."""

from rill.profiler import write_op_log

__all__ = ["write_op_log"]
