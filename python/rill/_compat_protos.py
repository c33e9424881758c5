"""Makes `import tensorflow.core.framework.graph_pb2` and its like resolve to rill.proto."""

import functools
import importlib.machinery
import sys

from rill import proto


@functools.cache
def _modules():
    return {proto.python_name(path): path for path in proto.paths()}


@functools.cache
def _packages():
    """All packages above the modules, without the top-level ones: those exist as source."""
    parts = [name.split(".") for name in _modules()]
    return {".".join(part[:depth]) for part in parts for depth in range(2, len(part))}


class ProtoFinder:
    """Finds message modules and the otherwise empty packages around them."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname.partition(".")[0] not in ("tensorflow", "tensorflow_serving"):
            return None  # decided without reading descriptors
        if fullname in _modules():
            return importlib.machinery.ModuleSpec(fullname, self)
        if fullname in _packages():
            return importlib.machinery.ModuleSpec(fullname, self, is_package=True)
        return None

    def create_module(self, spec):
        return proto.module(_modules()[spec.name]) if spec.name in _modules() else None

    def exec_module(self, module):
        pass  # complete once created


def install():
    """Adds the finder, once. It comes last, so that packages that exist as files win."""
    if not any(isinstance(finder, ProtoFinder) for finder in sys.meta_path):
        sys.meta_path.append(ProtoFinder())
