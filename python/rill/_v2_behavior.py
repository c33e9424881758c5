"""What enable_v2_behavior changes besides eager execution: tensors with values are compared by these."""

from rill import _rill

enabled = False  # enable_v2_behavior was called


class Reference:
    """Stands for a tensor where that cannot be a key: equal to references to the same one."""

    def __init__(self, tensor):
        self._tensor = tensor

    def deref(self):
        """The tensor."""
        return self._tensor

    def __eq__(self, other):
        return isinstance(other, Reference) and self._tensor is other._tensor

    def __hash__(self):
        return id(self._tensor)

    def __repr__(self):
        return f"<Reference wrapping {self._tensor!r}>"


def _equality(differs):
    def compare(self, other):
        from rill import raw_ops
        if other is None:
            return differs
        op = raw_ops.NotEqual if differs else raw_ops.Equal
        other = _rill.convert_to_tensor(other, dtype=self.dtype)
        return op(x=self, y=other, incompatible_shape_error=False)
    return compare


def _graph_equality(differs):
    by_value = _equality(differs)

    def compare(self, other):
        if other is None or not _rill.has_functional_flow():
            return (self is not other) if differs else (self is other)
        try:
            return by_value(self, other)
        except (TypeError, ValueError):
            return differs
    return compare


def _unhashable(self):
    raise TypeError("Tensor is unhashable if Tensor equality is enabled. Instead, use tensor.experimental_ref() as the key.")


def compare_by_values():
    """From here on `==` of tensors with values compares these."""
    kind = _rill.EagerTensor
    kind.__eq__, kind.__ne__, kind.__hash__ = _equality(False), _equality(True), _unhashable
    graph_kind = _rill.Tensor
    graph_kind.__eq__, graph_kind.__ne__ = _graph_equality(False), _graph_equality(True)
    graph_kind.__hash__ = object.__hash__
    kind.experimental_ref = kind.ref = lambda self: Reference(self)


def compare_by_identity():
    """`==` of tensors is identity, as in programs of version 1."""
    for kind in (_rill.Tensor, _rill.EagerTensor):
        kind.__eq__, kind.__ne__, kind.__hash__ = object.__eq__, object.__ne__, object.__hash__
