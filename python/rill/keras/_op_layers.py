"""Ops between the layers of a model: each becomes a layer, so that models are made of layers alone."""

import inspect

from rill import _nest, _rill
from rill._layers import KerasLayer
from rill._rill import TensorShape, make_ndarray
from rill.dtypes import as_dtype

_PREFIX = "tf_op_layer_"


class TensorFlowOpLayer(KerasLayer):
    """Calls one op; inputs that come from no layer are constants of it."""

    def __init__(self, node_def, name, constants=None, trainable=True, dtype=None):
        super().__init__(name=_PREFIX + name, trainable=trainable, dtype=dtype)
        self.node_def = _message(node_def)
        self.constants = {int(index): value for index, value in (constants or {}).items()}
        self.built = True

    def call(self, inputs):
        """What the op makes of other inputs."""
        given = iter(_nest.flatten(inputs))
        count = len(self.node_def.input)
        flat = [self.constants[i] if i in self.constants else next(given) for i in range(count)]
        return _called(self.node_def, flat)

    def get_config(self):
        """The arguments that make the same layer."""
        from google.protobuf import json_format
        from rill.keras import backend
        values = {i: backend.get_value(x) if isinstance(x, (_rill.Tensor, _rill.VariableBase)) else x
                  for i, x in self.constants.items()}
        return {"name": self.name[len(_PREFIX):], "trainable": self.trainable, "dtype": self.dtype,
                "node_def": json_format.MessageToJson(self.node_def), "constants": values}


def _message(node_def):
    from google.protobuf import json_format
    from tensorflow.core.framework.node_def_pb2 import NodeDef
    if isinstance(node_def, NodeDef):
        return node_def
    if isinstance(node_def, bytes):
        return NodeDef.FromString(node_def)
    try:
        return json_format.Parse(node_def, NodeDef())
    except json_format.ParseError:
        return NodeDef.FromString(node_def.encode())


def _called(node_def, flat):
    """The outputs of an op of that description, called with these inputs."""
    from rill import raw_ops
    kwargs, flat = {}, list(flat)
    attrs, declared = _attrs(node_def), _rill.op_def(node_def.op)
    for argument in declared.input_arg:
        is_list = argument.number_attr or argument.type_list_attr
        size = attrs[argument.number_attr] if argument.number_attr else len(attrs.get(argument.type_list_attr, ()))
        kwargs[argument.name] = flat[:size] if is_list else flat[0]
        del flat[:size if is_list else 1]
    function = getattr(raw_ops, node_def.op)
    inferred = {name for a in declared.input_arg for name in (a.type_attr, a.number_attr, a.type_list_attr)}
    kwargs.update({a.name: attrs[a.name] for a in declared.attr if a.name in attrs and a.name not in inferred})
    made = function(**_renamed(function, kwargs, [attr.name for attr in declared.attr]))
    return list(made) if isinstance(made, tuple) else made


def _renamed(function, kwargs, attrs):
    """The arguments by the names that the function has for them, where these are others than the op's."""
    names = [name for name in inspect.signature(function).parameters if name != "name"]
    free = iter([name for name in names if name not in kwargs and name not in attrs])
    return {name if name in names else next(free): value for name, value in kwargs.items()}


def _attrs(node_def):
    return {name: _attr(value) for name, value in node_def.attr.items() if not name.startswith("_")}


def _attr(message):
    """The value of an attribute, as functions take it."""
    kind = message.WhichOneof("value")
    if kind == "list":
        (found, items), = [(field.name, items) for field, items in message.list.ListFields()] or [("i", [])]
        return [_single(found, item) for item in items]
    return None if kind is None else _single(kind, getattr(message, kind))


def _single(kind, value):
    if kind == "type":
        return as_dtype(value)
    if kind == "shape":
        return TensorShape(value)
    return make_ndarray(value) if kind == "tensor" else value


class _Wrapping:
    """One pass back through the ops that made some tensors."""

    def __init__(self):
        self._needs, self._made = {}, {}

    def needs(self, tensor):
        """Whether a tensor comes from a layer by way of ops."""
        waiting = [tensor.op]
        while waiting:
            op = waiting[-1]
            is_new = op.name not in self._needs
            self._needs.setdefault(op.name, False)  # which ends the way round a loop
            before = [x for x in op.inputs if _rill.keras_history(x) is None]
            unknown = [x.op for x in before if x.op.name not in self._needs]
            if is_new and len(before) == len(op.inputs) and unknown:
                waiting += unknown
                continue
            self._needs[op.name] = len(before) < len(op.inputs) or any(self._needs[x.op.name] for x in before)
            waiting.pop()
        return self._needs[tensor.op.name]

    def wrapped(self, tensor):
        """The tensor as a layer makes it, where it comes from layers; else itself."""
        if _rill.keras_history(tensor) is not None or not self.needs(tensor):
            return tensor
        op = tensor.op
        if op.name not in self._made:
            inputs = [self.wrapped(x) for x in op.inputs]
            constants = {i: _constant(x) for i, x in enumerate(inputs) if _rill.keras_history(x) is None}
            layer = TensorFlowOpLayer(op.node_def, op.name, constants)
            made = layer([x for i, x in enumerate(inputs) if i not in constants])
            self._made[op.name] = made if isinstance(made, list) else [made]
        return self._made[op.name][tensor.value_index]


def _constant(tensor):
    """The value of a tensor that no layer has to do with, as far as it has one before anything runs."""
    value = _rill.static_value(tensor)
    if value is None and _rill.executing_eagerly():
        from rill.keras import backend
        value = backend.function([], [tensor])([])[0]
    return tensor if value is None else value


def _is_open(value):
    return (isinstance(value, _rill.Tensor) and not isinstance(value, _rill.EagerTensor)
            and _rill.keras_history(value) is None)


def made_by_layers(structure):
    """The tensors of a structure, those that ops made of layers' tensors as layers make them."""
    if not any(_is_open(x) for x in _nest.flatten(structure)):
        return structure
    wrapping = _Wrapping()
    return _nest.map_structure(lambda x: wrapping.wrapped(x) if _is_open(x) else x, structure)
