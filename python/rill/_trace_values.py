"""What functions of the graph are given and give: structures whose tensors become arguments and results."""

from rill import _nest, _rill
from rill._slices import IndexedSlices
from rill._tensor_array import TensorArray
from rill._type_spec import TensorSpec, TypeSpec


def _is_component_spec(value):
    return isinstance(value, TypeSpec) and not isinstance(value, TensorSpec)


def _keys(mapping):
    keys = list(mapping)
    return sorted(keys) if all(isinstance(key, str) for key in keys) else keys


def _map(value, on_tensor, name):
    """The structure with what `on_tensor(leaf, name)` says of its tensors; _rill.FunctionCache looks at the
    same leaves in the same order."""
    if _rill.is_passed_as_tensor(value) or isinstance(value, TensorSpec):
        return on_tensor(value, name)
    if isinstance(value, dict):
        made = {key: _map(value[key], on_tensor, f"{name}_{key}") for key in _keys(value)}
        made = {key: made[key] for key in value}
        if hasattr(value, "default_factory"):
            return type(value)(value.default_factory, made)
        return made if type(value) is dict else type(value)(made)
    if isinstance(value, (list, tuple)):
        parts = [_map(part, on_tensor, f"{name}_{i}") for i, part in enumerate(value)]
        if hasattr(value, "_make"):
            return value._make(parts)
        return parts if type(value) is list else type(value)(parts)
    if _is_component_spec(value):
        return value._from_components([_map(part, on_tensor, f"{name}_{i}")
                                       for i, part in enumerate(value._component_specs)])
    if _is_composite(value):
        parts = [on_tensor(part, f"{name}_{i}") for i, part in enumerate(value._component_tensors)]
        return _rebuilt(value, parts)
    return value


def _rebuilt(value, parts):
    """A composite value of other tensors; in descriptions the list of them."""
    return parts if any(part is None or isinstance(part, TensorSpec) for part in parts) else _nest.pack_tensors(
        value, parts)


def _is_composite(value):
    return not isinstance(value, _rill.Tensor) and hasattr(type(value), "_component_tensors")


class Arguments:
    """The arguments of a call: tensors, which are passed, and other values, which the body is built with."""

    def __init__(self, args, kwargs, names=()):
        self.args, self.kwargs = args, kwargs
        self._names = names
        self._leaves, self._fixed = [], []
        self._map(lambda leaf, name: self._leaves.append(leaf))
        self.specs = [self._spec(leaf) for leaf in self._leaves]

    @staticmethod
    def _spec(leaf):
        if isinstance(leaf, TensorSpec):
            return leaf
        tensor = _rill.convert_to_tensor(leaf)
        return TensorSpec(tensor.shape, tensor.dtype.base_dtype)

    def _map(self, on_tensor):
        args = tuple(_map(value, on_tensor, self._name(i)) for i, value in enumerate(self.args))
        kwargs = {key: _map(self.kwargs[key], on_tensor, key) for key in _keys(self.kwargs)}
        return args, kwargs

    def _name(self, i):
        return self._names[i] if i < len(self._names) else f"args_{i}"

    def tensors(self):
        """The tensors in order."""
        return [_rill.convert_to_tensor(leaf) for leaf in self._leaves if not isinstance(leaf, TensorSpec)]

    def named(self, names):
        """The same with these names of the parameters."""
        return _with_specs(Arguments(self.args, self.kwargs, names), self.specs)

    def replaced(self, on_spec):
        """args and kwargs with on_spec(spec, name) in the place of each tensor."""
        specs = iter(self.specs)
        return self._map(lambda _, name: on_spec(next(specs), name))

    def _outline(self):
        """All but the shapes."""
        outline = self.replaced(lambda spec, _: (spec.dtype, spec.shape.ndims))
        return repr(outline)

    def is_like(self, other):
        """Whether they differ in sizes of dimensions only."""
        return self._outline() == other._outline()

    def accepts(self, other):
        """Whether tensors like `other`'s can be passed as these."""
        return all(_covers(a.shape, b.shape) for a, b in zip(self.specs, other.specs))

    def merged_with(self, other):
        """Shapes that both have."""
        merged = [TensorSpec(_common_shape(a.shape, b.shape), a.dtype)
                  for a, b in zip(self.specs, other.specs)]
        return _with_specs(Arguments(self.args, self.kwargs, self._names), merged)

    def difference_from(self, other):
        """What of a call is another than in one before, in words."""
        if len(self.specs) != len(other.specs):
            return f"the number of tensors, {len(other.specs)} before, {len(self.specs)} now"
        names = []
        self._map(lambda _, name: names.append(name))
        for name, ours, theirs in zip(names, self.specs, other.specs):
            if ours.dtype != theirs.dtype:
                return f"the type of {name}, {theirs.dtype.name} before, {ours.dtype.name} now"
            if str(ours.shape) != str(theirs.shape):
                return f"the shape of {name}, {theirs.shape} before, {ours.shape} now"
        for i, (ours, theirs) in enumerate(zip(self.args, other.args)):
            if repr(ours) != repr(theirs):
                return f"the Python value {self._name(i)}, {theirs!r} before, {ours!r} now"
        return "a Python object"


def _with_specs(arguments, specs):
    arguments.specs = list(specs)
    return arguments


def _covers(general, special):
    if general.ndims is None:
        return True
    if special.ndims is None or special.ndims != general.ndims:
        return False
    return all(a is None or a == b for a, b in zip(general.as_list(), special.as_list()))


def _common_shape(a, b):
    if a.ndims is None or a.ndims != b.ndims:
        return _rill.TensorShape(None)
    return _rill.TensorShape([x if x == y else None for x, y in zip(a.as_list(), b.as_list())])


def _mismatch(args, specs):
    return TypeError("Python inputs incompatible with input_signature: inputs "
                     f"({', '.join(map(str, args))}), input_signature ({', '.join(map(str, specs))}).")


def fitted(value, spec, args, specs):
    """`value` as an input signature wants it: a tensor of its type."""
    if isinstance(spec, TensorSpec):
        return _fitted_tensor(value, spec, args, specs)
    if _is_component_spec(spec) or not _nest.is_nested(spec):
        return value
    if not _nest.is_nested(value) or len(_nest.children(spec)) != len(_nest.children(value)):
        raise _mismatch(args, specs)
    return _nest.like(value, [fitted(part, inner, args, specs)
                              for part, inner in zip(_nest.children(value), _nest.children(spec))])


def _fitted_tensor(value, spec, args, specs):
    if isinstance(value, TensorSpec):
        if not spec.is_compatible_with(value):
            raise _mismatch(args, specs)
        return spec
    try:
        tensor = _rill.convert_to_tensor(value, dtype=spec.dtype)
    except (TypeError, ValueError):
        raise _mismatch(args, specs) from None
    if not tensor.shape.is_compatible_with(spec.shape):
        raise _mismatch(args, specs)
    return tensor


def flat_results(structure):
    """The tensors of what a function returns, and the structure to be filled with those of a call."""
    structure = _nest.map_structure(_as_result, structure)
    leaves = [leaf for leaf in _nest.flatten(structure) if leaf is not None]
    tensors = [tensor for leaf in leaves for tensor in _tensors_of(leaf)]
    return tensors, structure


def _tensors_of(leaf):
    return [leaf.flow] if isinstance(leaf, TensorArray) else _nest.tensors_of(leaf)


def _as_result(leaf):
    if leaf is None or isinstance(leaf, _rill.Operation):
        return None
    if isinstance(leaf, (_rill.Tensor, TensorArray, IndexedSlices)) or _is_composite(leaf):
        return leaf
    try:
        return _rill.convert_to_tensor(leaf)
    except (TypeError, ValueError):
        raise TypeError(
            "To be compatible with tf.function, Python functions must return zero or more Tensors or "
            f"ExtensionTypes or None values; in compilation of function, found return value of type "
            f"{type(leaf).__name__}, which is not a Tensor or ExtensionType.") from None


def packer(structure):
    """What makes the results of a call of its tensors; None where that is the only tensor."""
    if isinstance(structure, _rill.Tensor):
        return None
    if structure is None:
        return lambda tensors: None
    if type(structure) in (list, tuple) and all(isinstance(leaf, _rill.Tensor) for leaf in structure):
        return type(structure)

    def pack(tensors):
        given = iter(tensors)

        def leaf(model):
            if model is None:
                return None
            if isinstance(model, TensorArray):
                return model._with_flow(next(given))
            parts = [next(given) for _ in _nest.tensors_of(model)]
            return _nest.pack_tensors(model, parts)

        return _nest.map_structure(leaf, structure)

    return pack
