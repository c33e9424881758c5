"""Structures of values as SavedModels describe them: tuples, dicts, shapes and specs, from and to messages."""

import collections

from rill import _nest, _rill
from rill._type_spec import TensorSpec
from rill.dtypes import as_dtype
from rill.errors import UnimplementedError
from rill.proto import module

_MESSAGES = module("tensorflow/core/protobuf/struct.proto")
StructuredValue = _MESSAGES.StructuredValue


_PLAIN = {bool: "bool_value", int: "int64_value", float: "float64_value", str: "string_value"}


def _shape(proto):
    return _rill.TensorShape(None if proto.unknown_rank else
                             [None if dim.size < 0 else dim.size for dim in proto.dim])


def _named_tuple(value):
    names = [pair.key for pair in value.values]
    return collections.namedtuple(value.name, names)(*(decoded(pair.value) for pair in value.values))


def decoded(value):
    """What a StructuredValue stands for."""
    kind = value.WhichOneof("kind")
    if kind in (None, "none_value"):
        return None
    content = getattr(value, kind)
    if kind in ("float64_value", "int64_value", "string_value", "bool_value"):
        return content
    if kind == "tensor_shape_value":
        return _shape(content)
    if kind == "tensor_dtype_value":
        return as_dtype(content)
    if kind in ("tensor_spec_value", "bounded_tensor_spec_value"):
        return TensorSpec(_shape(content.shape), as_dtype(content.dtype), content.name or None)
    if kind == "list_value":
        return [decoded(item) for item in content.values]
    if kind == "tuple_value":
        return tuple(decoded(item) for item in content.values)
    if kind == "dict_value":
        return {key: decoded(item) for key, item in content.fields.items()}
    if kind == "named_tuple_value":
        return _named_tuple(content)
    raise UnimplementedError(None, None, f"{content.type_spec_class_name or kind} in the signature of a saved function")


def decoded_bytes(data):
    """The same of a serialized message."""
    return decoded(StructuredValue.FromString(data))


def encoded(value):
    """The StructuredValue of a value."""
    return encode(value, StructuredValue())


def encode(value, message):
    """Fills a StructuredValue; of tuples, lists, dicts, specs, shapes, types, texts, numbers and None."""
    kind = _PLAIN.get(type(value))
    if kind is not None:
        setattr(message, kind, value)
    elif value is None:
        message.none_value.SetInParent()
    elif isinstance(value, TensorSpec):
        message.tensor_spec_value.name = value.name or ""
        message.tensor_spec_value.shape.CopyFrom(value.shape.as_proto())
        message.tensor_spec_value.dtype = value.dtype.as_datatype_enum
    elif isinstance(value, _rill.TensorShape):
        message.tensor_shape_value.CopyFrom(value.as_proto())
    elif isinstance(value, _rill.DType):
        message.tensor_dtype_value = value.as_datatype_enum
    elif isinstance(value, dict):
        message.dict_value.SetInParent()
        for key, item in value.items():
            encode(item, message.dict_value.fields[key])
    elif hasattr(value, "_fields"):
        _encode_named_tuple(value, message.named_tuple_value)
    elif isinstance(value, (list, tuple)):
        items = message.tuple_value if isinstance(value, tuple) else message.list_value
        items.SetInParent()
        for item in value:
            encode(item, items.values.add())
    else:
        raise ValueError(f"{value!r} cannot be a part of a signature")
    return message


def _encode_named_tuple(value, message):
    message.name = type(value).__name__
    for key, item in zip(value._fields, value):
        pair = message.values.add()
        pair.key = key
        encode(item, pair.value)


def _is_spec(value):
    return isinstance(value, TensorSpec)


def leaves(structure):
    """All values of a structure, in order."""
    return _nest.flatten(structure)


def specs(structure):
    """Those that stand for tensors."""
    return [leaf for leaf in leaves(structure) if _is_spec(leaf)]


def fits(wanted, given):
    """Whether values are what a signature describes: tensors of its types and shapes, its very literals."""
    if _is_spec(wanted):
        return _fits_spec(wanted, given)
    if isinstance(wanted, dict):
        return (isinstance(given, dict) and wanted.keys() == given.keys()
                and all(fits(wanted[key], given[key]) for key in wanted))
    if isinstance(wanted, (list, tuple)):
        return (isinstance(given, (list, tuple)) and len(wanted) == len(given)
                and all(fits(left, right) for left, right in zip(wanted, given)))
    if wanted is None or given is None:
        return wanted is given
    return not hasattr(given, "op") and type(wanted) is type(given) and wanted == given


def _fits_spec(wanted, given):
    if given is None or isinstance(given, (str, bytes)) and wanted.dtype.name != "string":
        return False
    try:
        tensor = _rill.convert_to_tensor(given, dtype=None if hasattr(given, "dtype") else wanted.dtype)
    except (TypeError, ValueError):
        return False
    return tensor.dtype.base_dtype == wanted.dtype and tensor.shape.is_compatible_with(wanted.shape)


def tensors(wanted, given):
    """The values that stand where the signature has tensors, in order."""
    if _is_spec(wanted):
        return [given]
    if isinstance(wanted, dict):
        return [leaf for key in sorted(wanted) for leaf in tensors(wanted[key], given[key])]
    if isinstance(wanted, (list, tuple)):
        return [leaf for left, right in zip(wanted, given) for leaf in tensors(left, right)]
    return []


def packed(structure, values):
    """Results of a function in the structure that its signature has."""
    values = iter(values)

    def value(spec):
        tensor = next(values)
        tensor.set_shape(spec.shape)
        return tensor
    return _nest.map_structure(lambda leaf: value(leaf) if _is_spec(leaf) else leaf, structure)
