"""TensorFlow's messages as Python classes, made from the descriptors that the build writes.

`module("tensorflow/core/framework/graph.proto")` returns what protoc would have put into
`tensorflow.core.framework.graph_pb2`: message classes, enums, enum values and DESCRIPTOR.
"""

import functools
import pathlib
import types

from google.protobuf import (any_pb2, descriptor_pb2, descriptor_pool, duration_pb2,  # noqa: F401
                             message_factory, symbol_database, wrappers_pb2)
from google.protobuf.internal import enum_type_wrapper

_DESCRIPTORS = pathlib.Path(__file__).with_name("_proto") / "descriptors.bin"
_WITNESS = "tensorflow/core/framework/graph.proto"


@functools.cache
def _file_protos():
    """Path of every file -> its FileDescriptorProto; imports come before their users."""
    files = descriptor_pb2.FileDescriptorSet.FromString(_DESCRIPTORS.read_bytes()).file
    return {file.name: file for file in files}


def _knows(pool, path):
    try:
        pool.FindFileByName(path)
    except KeyError:
        return False
    return True


@functools.cache
def _pool():
    # Other libraries' generated code refers to TensorFlow's files through the default pool. Where
    # another package has already put its own version of them there, ours need a pool apart.
    default = descriptor_pool.Default()
    pool = descriptor_pool.DescriptorPool() if _knows(default, _WITNESS) else default
    for path, file in _file_protos().items():
        if not _knows(pool, path):
            pool.AddSerializedFile(file.SerializeToString())
    return pool


def paths():
    """The paths of all .proto files, such as "tensorflow/core/framework/graph.proto"."""
    return [path for path in _file_protos() if not path.startswith("google/")]


def python_name(path):
    """The name of the module that protoc would write for the file `path`."""
    return path.removesuffix(".proto").replace("/", ".").replace("-", "_") + "_pb2"


def _message_class(descriptor, module_name):
    cls = message_factory.GetMessageClass(descriptor)
    for nested in descriptor.nested_types:
        setattr(cls, nested.name, _message_class(nested, module_name))
    # Pickle finds a top-level class by its module, a nested one in the symbol database.
    cls.__module__ = module_name
    symbol_database.Default().RegisterMessage(cls)
    return cls


def _fill(module, path):
    module.DESCRIPTOR = _pool().FindFileByName(path)
    for name, message in module.DESCRIPTOR.message_types_by_name.items():
        setattr(module, name, _message_class(message, module.__name__))
    for name, enum in module.DESCRIPTOR.enum_types_by_name.items():
        setattr(module, name, enum_type_wrapper.EnumTypeWrapper(enum))
        for value in enum.values:
            setattr(module, value.name, value.number)


@functools.cache
def module(path):
    """The messages of one .proto file. Raises KeyError where there is no such file."""
    if path not in _file_protos():
        raise KeyError(f"no such proto file: {path}")
    result = types.ModuleType(python_name(path))
    _fill(result, path)
    return result
