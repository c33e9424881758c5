"""tf.test: helps programs to test themselves."""

import contextlib as _contextlib
import re as _re
import socket as _socket
from unittest import mock

from rill import _rill, _surface, errors
from rill._benchmark import Benchmark, StubOutForTesting, benchmark_config, test_src_dir_path
from rill._gradient_checker import compute_gradient, compute_gradient_error
from rill._test_case import TestCase, get_temp_dir, main

_TEMPORARY = _re.compile(rb"_temp_[0-9a-z]{32}/part")
_HASH_TABLE = _re.compile(rb"hash_table_[0-9a-z\-]+")

__test__ = False  # pytest looks for tests in what has such a name


def _gpus():
    return [device for device in _rill.Session(graph=_rill.Graph()).list_devices()
            if device.device_type == "GPU"]


def gpu_device_name():
    """The name of the first GPU, "" without one."""
    gpus = _gpus()
    return "/device:" + gpus[0].name.partition("/device:")[2] if gpus else ""


def is_gpu_available(cuda_only=False, min_cuda_compute_capability=None):
    """Whether there is a GPU."""
    del cuda_only, min_cuda_compute_capability  # all that Rill knows of are new enough
    return bool(_gpus())


def is_built_with_cuda():
    """Whether this build has GPU kernels."""
    return _rill.has_kernels("GPU")


def is_built_with_gpu_support():
    return is_built_with_cuda()


def is_built_with_rocm():
    return False


def create_local_cluster(num_workers, num_ps, protocol="grpc", worker_config=None, ps_config=None):
    """Servers in this process, at free ports: those of the workers, and those of the parameter servers."""
    from rill import train  # which tests of graphs alone do not need
    with _contextlib.ExitStack() as stack:  # all are held until each has one of its own
        def free_port():
            listener = stack.enter_context(_socket.socket())
            listener.bind(("localhost", 0))
            return f"localhost:{listener.getsockname()[1]}"
        cluster = train.ClusterSpec({"worker": [free_port() for _ in range(num_workers)],
                                     "ps": [free_port() for _ in range(num_ps)]})
    def servers(job, count, config):
        return [train.Server(cluster, job, index, protocol, config) for index in range(count)]
    return servers("worker", num_workers, worker_config), servers("ps", num_ps, ps_config)


def _by_name(graph_def):
    nodes = {node.name: node for node in graph_def.node}
    if len(nodes) != len(graph_def.node):
        raise AssertionError("two nodes of a graph have the same name")
    return nodes


def _comparable(graph_def, checkpoint_v2, hash_table_shared_name):
    """A copy without what is drawn anew in every run, where that is wanted."""
    copy = type(graph_def).FromString(graph_def.SerializeToString())
    for node in copy.node:
        if checkpoint_v2 and "value" in node.attr:
            texts = node.attr["value"].tensor.string_val
            if any(_TEMPORARY.search(text) for text in texts):
                node.attr["value"].Clear()
        if hash_table_shared_name and "shared_name" in node.attr and _HASH_TABLE.match(
                node.attr["shared_name"].s):
            node.attr["shared_name"].Clear()
    return copy


def _node_difference(expected, actual):
    for field in ("op", "device"):
        if getattr(expected, field) != getattr(actual, field):
            return f"{field} '{getattr(actual, field)}' and not '{getattr(expected, field)}'"
    inputs = [[i for i in node.input if not i.startswith("^")] for node in (expected, actual)]
    if inputs[0] != inputs[1]:
        return f"inputs {inputs[1]} and not {inputs[0]}"
    controls = [sorted(i for i in node.input if i.startswith("^")) for node in (expected, actual)]
    if controls[0] != controls[1]:
        return f"control inputs {controls[1]} and not {controls[0]}"
    for name in sorted({*expected.attr, *actual.attr}):
        if name.startswith("_"):
            continue
        if name not in expected.attr or name not in actual.attr:
            return f"attribute '{name}' in one graph only"
        if expected.attr[name] != actual.attr[name]:
            return f"attribute '{name}' = {actual.attr[name]} and not {expected.attr[name]}".replace("\n", " ")
    return ""


def assert_equal_graph_def(actual, expected, checkpoint_v2=False, hash_table_shared_name=False):
    """Raises AssertionError unless two graphs have the same nodes, in whatever order.

    `checkpoint_v2` and `hash_table_shared_name`: random names of files and tables are not compared.
    """
    for given, what in ((actual, "actual"), (expected, "expected")):
        if not hasattr(given, "node") or not hasattr(given, "versions"):
            raise TypeError(f"Expected tf.GraphDef for {what}, got {type(given).__name__}")
    difference = _graph_difference(*(_comparable(graph, checkpoint_v2, hash_table_shared_name)
                                     for graph in (actual, expected)))
    if difference:
        raise AssertionError(difference)


def _graph_difference(actual, expected):
    """The first difference between two GraphDefs, as text; none: ""."""
    wanted, found = _by_name(expected), _by_name(actual)
    for name in wanted:
        if name not in found:
            return f"Did not find expected node '{name}'"
    for name, node in found.items():
        if name not in wanted:
            return f"Found unexpected node '{name}'"
        why = _node_difference(wanted[name], node)
        if why:
            return f"Node named '{name}' has {why}"
    return ""


def graph_def_difference(actual, expected):
    """The same of serialized GraphDefs."""
    from rill import GraphDef
    return _graph_difference(GraphDef.FromString(actual), GraphDef.FromString(expected))


__getattr__, __dir__ = _surface.members_of(__name__)
