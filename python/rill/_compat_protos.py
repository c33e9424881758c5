"""Makes `import tensorflow.core.framework.graph_pb2` and its like resolve to rill.proto, `..._pb2_grpc` to stubs."""

import functools
import importlib.machinery
import sys

from rill import _service_stubs, proto


@functools.cache
def _modules():
    """Names of modules and what makes them: messages, and stubs of services."""
    made = {proto.python_name(path): functools.partial(_messages, path) for path in proto.paths()}
    made.update({_service_stubs.python_name(path): functools.partial(_service_stubs.module, path)
                 for path in proto.paths() if _service_stubs.has_services(path)})
    return made


def _messages(path):
    found = proto.module(path)
    if _service_stubs.has_services(path):
        _service_stubs.add_beta_stubs(found)
    return found


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
        return _modules()[spec.name]() if spec.name in _modules() else None

    def exec_module(self, module):
        pass  # complete once created


def install():
    """Adds the finder, once. It comes last, so that packages that exist as files win."""
    if not any(isinstance(finder, ProtoFinder) for finder in sys.meta_path):
        sys.meta_path.append(ProtoFinder())
