"""tf.config.threading: how many threads work."""

from rill import _rill, _surface


def get_inter_op_parallelism_threads():
    """How many threads run nodes; 0: as many as there are cores."""
    return _rill.config.get_inter_op_parallelism_threads()


def set_inter_op_parallelism_threads(num_threads):
    """Sets how many threads run nodes."""
    _rill.config.set_inter_op_parallelism_threads(num_threads)


def get_intra_op_parallelism_threads():
    """How many threads share one node; 0: as many as there are cores."""
    return _rill.config.get_intra_op_parallelism_threads()


def set_intra_op_parallelism_threads(num_threads):
    """Sets how many threads share one node."""
    _rill.config.set_intra_op_parallelism_threads(num_threads)


__getattr__, __dir__ = _surface.members_of(__name__)
