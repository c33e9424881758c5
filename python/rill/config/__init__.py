"""tf.config: devices, threads and passes, for the process."""

from rill import _rill, _surface, errors


def experimental_list_devices():
    """The names of all devices."""
    return _rill.config.experimental_list_devices()


def experimental_run_functions_eagerly(run_eagerly):
    """Whether what tf.function made runs as Python has it, op by op."""
    from rill import _function
    _function.run_functions_eagerly(run_eagerly)


run_functions_eagerly = experimental_run_functions_eagerly


def functions_run_eagerly():
    """What run_functions_eagerly was told last."""
    from rill import _function
    return _function.functions_run_eagerly()


def experimental_connect_to_host(remote_host=None, job_name="worker"):
    """Not there: eager execution stays in this process."""
    raise errors.UnimplementedError(None, None, "experimental_connect_to_host: there is no remote eager execution")


def experimental_connect_to_cluster(cluster_spec_or_resolver, job_name="localhost", task_index=0, protocol=None):
    """Not there: eager execution stays in this process."""
    raise errors.UnimplementedError(None, None,
                                    "experimental_connect_to_cluster: there is no remote eager execution")


def get_soft_device_placement():
    """Whether nodes may run elsewhere than where they were put."""
    return _rill.config.get_soft_device_placement()


def set_soft_device_placement(enabled):
    """Sets whether nodes may run elsewhere than where they were put."""
    _rill.config.set_soft_device_placement(bool(enabled))


__getattr__, __dir__ = _surface.members_of(__name__)
