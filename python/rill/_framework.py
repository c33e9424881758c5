"""What TensorFlow's modules about graphs have beside the public names."""

import abc
import contextlib
import math
import re

from rill import _rill, errors

NullContextmanager = contextlib.nullcontext


# --- conversion -----------------------------------------------------------------------------------------------


def internal_convert_to_tensor(value, dtype=None, name=None, as_ref=False, preferred_dtype=None, ctx=None,
                               accept_symbolic_tensors=True):
    """tf.convert_to_tensor as TensorFlow's own modules call it."""
    del as_ref, ctx, accept_symbolic_tensors
    return _rill.convert_to_tensor(value, dtype, name, preferred_dtype)


def convert_n_to_tensor(values, dtype=None, name=None, preferred_dtype=None):
    """A list of tensors, named name_0, name_1 and so on."""
    if not hasattr(values, "__iter__") or isinstance(values, (str, bytes)):
        raise TypeError("values must be iterable.")
    return [_rill.convert_to_tensor(value, dtype, None if name is None else f"{name}_{i}", preferred_dtype)
            for i, value in enumerate(values)]


def internal_convert_to_tensor_or_indexed_slices(value, dtype=None, name=None, as_ref=False):
    from rill import _conversion
    del as_ref
    return _conversion.convert_to_tensor_or_indexed_slices(value, dtype, name)


def convert_n_to_tensor_or_indexed_slices(values, dtype=None, name=None):
    """A list; None, tensors and IndexedSlices stay what they are."""
    from rill import _conversion
    if not hasattr(values, "__iter__") or isinstance(values, (str, bytes)):
        raise TypeError("values must be iterable.")
    return [None if value is None else _conversion.convert_to_tensor_or_indexed_slices(
        value, dtype, None if name is None else f"{name}_{i}") for i, value in enumerate(values)]


def is_tensor(x):
    from rill import _conversion
    return _conversion.is_tensor(x)


# --- graphs and names -----------------------------------------------------------------------------------------


def _colocate_with_for_gradient(op, gradient_uid, ignore_existing=False):
    del gradient_uid
    from rill._scopes import colocate_with
    return colocate_with(op, ignore_existing)


def get_gradient_function(op):
    """The function registered for an operation's type; None where it has no inputs."""
    if not op.inputs:
        return None
    raise errors.UnimplementedError(None, op, "get_gradient_function: the gradient functions of C++ are used by "
                                              "tf.gradients alone")


def executing_eagerly_outside_functions():
    return False


def inside_function():
    return _rill.get_default_graph().building_function


def has_default_graph():
    return True


def get_name_scope():
    return _rill.get_default_graph().get_name_scope()


def name_from_scope_name(name):
    """The name of an op that takes the name of a scope."""
    return name[:-1] if name and name.endswith("/") else name


def strip_name_scope(name, export_scope):
    """`name` without the scope in front, where it has it."""
    if not export_scope:
        return name
    scope = export_scope.removesuffix("/")
    return re.sub(r"([\^]|loc:@|^)" + re.escape(scope) + r"[\/]+(.*)", r"\1\2", name, count=1)


def prepend_name_scope(name, import_scope):
    """`name` below a scope."""
    if not import_scope:
        return name
    scope = import_scope.removesuffix("/")
    return re.sub(r"([\^]|loc:@|^)(.*)", r"\1" + scope.replace("\\", "\\\\") + r"/\2", name, count=1)


_last_uid = 0


def uid():
    """A number that no one else has got."""
    global _last_uid
    _last_uid += 1
    return _last_uid


def dismantle_graph(graph):
    """Graphs let go of their memory by themselves."""
    del graph


# --- shapes ---------------------------------------------------------------------------------------------------


def as_dimension(value):
    return value if isinstance(value, _rill.Dimension) else _rill.Dimension(value)


def unknown_shape(rank=None, **kwargs):
    """A shape of which at most the rank is known."""
    rank = kwargs.pop("ndims", rank)
    if kwargs:
        raise TypeError(f"Unknown argument: {next(iter(kwargs))}")
    return _rill.TensorShape(None if rank is None else [None] * rank)


def scalar():
    return _rill.TensorShape([])


def vector(length):
    return _rill.TensorShape([length])


def matrix(rows, cols):
    return _rill.TensorShape([rows, cols])


def _broadcast(shape_x, shape_y):
    """The shape of x + y as (shape, whether there is one)."""
    x, y = _rill.as_shape(shape_x), _rill.as_shape(shape_y)
    if x.ndims is None or y.ndims is None:
        return _rill.TensorShape(None), True
    a, b = x.as_list(), y.as_list()
    a, b = [1] * (len(b) - len(a)) + a, [1] * (len(a) - len(b)) + b
    dims = []
    for m, n in zip(a, b):
        if m is not None and n is not None and m != n and 1 not in (m, n):
            return None, False
        if m is None or n is None:
            known = m if n is None else n
            dims.append(known if known is not None and known > 1 else None)
        else:
            dims.append(n if m == 1 else m)
    return _rill.TensorShape(dims), True


def broadcast_shape(shape_x, shape_y):
    """The shape that x + y has."""
    shape, fits = _broadcast(shape_x, shape_y)
    if not fits:
        raise ValueError(f"Incompatible shapes for broadcasting: {shape_x} and {shape_y}")
    return shape


def is_broadcast_compatible(shape_x, shape_y):
    x, y = _rill.as_shape(shape_x), _rill.as_shape(shape_y)
    return x.ndims is not None and y.ndims is not None and _broadcast(x, y)[1]


# --- ops and devices ------------------------------------------------------------------------------------------


def op_def_of(name):
    """The OpDef of an op, None for a name that is no op's."""
    return _rill.op_def(name)


def get_registered_ops():
    """All OpDefs by name."""
    return {name: _rill.op_def(name) for name in _rill.raw_op_names()}


def register_op_list(op_list):
    """Nothing is to do for ops that are there; raises for others."""
    for op in op_list.op:
        if _rill.op_def(op.name) is None:
            raise NotImplementedError(f"op {op.name}: load a library that has its kernel (tf.load_op_library)")


def stripped_op_list_for_graph(graph_def):
    """The ops that a graph uses, without their documentation."""
    return _rill.meta_graph_of(graph_def).meta_info_def.stripped_op_list


def ops_used_by_graph_def(graph_def):
    """The names of the ops of a graph and of its functions."""
    bodies = {function.signature.name: function.node_def for function in graph_def.library.function}
    ops, waiting = set(), [graph_def.node]
    while waiting:
        for node in waiting.pop():
            if node.op not in ops:
                ops.add(node.op)
                waiting += [bodies[node.op]] if node.op in bodies else []
    return sorted(ops - set(bodies))


def canonical_name(device):
    """A device as text in TensorFlow's full spelling."""
    if device is None:
        return ""
    return device.to_string() if hasattr(device, "to_string") else \
        _rill.DeviceSpec.from_string(device).to_string()


def merge_device(spec):
    """A function of operations: `spec` where the operation asks for nothing else."""
    wanted = spec if hasattr(spec, "to_string") else _rill.DeviceSpec.from_string(spec or "")

    def choose(op):
        return wanted.make_merged_spec(_rill.DeviceSpec.from_string(op.device))

    return choose


def list_local_devices(session_config=None):
    """The devices of this machine as DeviceAttributes messages."""
    from rill import proto
    message = proto.module("tensorflow/core/framework/device_attributes.proto").DeviceAttributes
    found = []
    with _rill.Session("", _rill.Graph(), session_config) as sess:
        for device in sess.list_devices():
            short = device.name.partition("/device:")[2]
            found.append(message(name=f"/device:{short}", device_type=device.device_type,
                                 memory_limit=device.memory_limit_bytes, incarnation=device.incarnation))
    return found


# --- modes ----------------------------------------------------------------------------------------------------


class _Context:
    """What tensorflow.python.eager.context says of the state of a program."""

    def executing_eagerly(self):
        return _rill.executing_eagerly()

    def num_gpus(self):
        return num_gpus()


def context():
    return _Context()


def graph_mode():
    """Inside, ops build a graph: the default one, or one of its own where that is eager."""
    return _rill.Graph().as_default() if _rill.executing_eagerly() else contextlib.nullcontext()


def in_graph_mode():
    return not _rill.executing_eagerly()


def in_eager_mode():
    return _rill.executing_eagerly()


def num_gpus():
    return sum(device.device_type == "GPU" for device in list_local_devices())


def eager_mode():
    """Inside, ops compute at once."""
    return _rill.eager_graph().as_default()


# --- what Keras asks of tensors -----------------------------------------------------------------------------------


class TensorLike(abc.ABC):  # noqa: B024
    """What stands for tensors: Tensor, SparseTensor, IndexedSlices, RaggedTensor."""


def _register_tensor_like():
    from rill import IndexedSlices, RaggedTensor, SparseTensor
    for kind in (_rill.Tensor, SparseTensor, IndexedSlices, RaggedTensor):
        TensorLike.register(kind)


_register_tensor_like()


_DENSE_KINDS = []  # classes of programs that pass for tensors


def register_dense(kind):
    """Objects of a class pass for dense tensors."""
    _DENSE_KINDS.append(kind)


def is_dense_tensor_like(t):
    """Whether something is a tensor, or a variable."""
    from rill import Variable
    return isinstance(t, (_rill.Tensor, Variable, *_DENSE_KINDS))


def is_symbolic_tensor(tensor):
    """Whether something stands for values that a session computes."""
    return is_dense_tensor_like(tensor) or isinstance(tensor, TensorLike)


def is_tensor_or_tensor_list(v):
    """Whether something, or what stands first in a list of it, is a tensor."""
    first = v[0] if isinstance(v, (list, tuple)) and v else v
    return isinstance(first, _rill.Tensor)


def tensor_id(tensor):
    """A number that no other tensor has while this one lives."""
    return id(tensor)


def compute_fans(shape):
    """How many inputs and outputs a unit of weights of this shape has."""
    sizes = [int(size) for size in shape]
    if len(sizes) < 2:
        return (sizes[0], sizes[0]) if sizes else (1, 1)
    field = math.prod(sizes[:-2])
    return sizes[-2] * field, sizes[-1] * field
