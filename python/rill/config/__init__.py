"""tf.config: devices, threads and passes, for the process."""

from rill import _rill, _surface, errors


def experimental_list_devices():
    """The names of all devices."""
    return _rill.config.experimental_list_devices()


def experimental_run_functions_eagerly(run_eagerly):
    """Functions always run as parts of graphs; only False is possible."""
    if run_eagerly:
        raise errors.UnimplementedError(None, None, "experimental_run_functions_eagerly(True): tf.function "
                                        "makes functions of the graph only")


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
