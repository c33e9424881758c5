"""Values that replicas of a strategy have: one for each, seen as one."""

from rill import _rill


class DistributedValues:
    """One value for each replica."""

    def __init__(self, values, devices):
        self._values, self._devices = tuple(values), tuple(devices)

    @property
    def values(self):
        """Of all replicas, in order."""
        return self._values

    @property
    def devices(self):
        """Where they are."""
        return self._devices

    @property
    def primary(self):
        """The first replica's."""
        return self._values[0]

    def get(self, device=None):
        """The value of the replica that is being built, or of a device."""
        if device is not None:
            return self._values[self._devices.index(_rill.full_device(device, ""))]
        replica = _rill.replica_here()
        if replica < 0:
            raise ValueError("Device not found in a cross-replica context: ask for the values of all replicas")
        return self._values[replica]

    def _text(self, of):
        lines = ",\n".join(f"  {i} {device}: {of(value)}"
                           for i, (device, value) in enumerate(zip(self._devices, self._values)))
        return f"{type(self).__name__}:{{\n{lines}\n}}"

    def __str__(self):
        return self._text(str)

    def __repr__(self):
        return self._text(repr)


class PerReplica(DistributedValues):
    """Each replica's own value."""

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.get(), name)


class Mirrored(DistributedValues):
    """The same value for each replica, where it is."""

    @property
    def op(self):
        """The operation that makes the first of them."""
        return self.primary.op

    def _as_graph_element(self):
        replica = _rill.replica_here()
        value = self._values[max(replica, 0)]
        return value._as_graph_element() if hasattr(value, "_as_graph_element") else value

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._values[max(_rill.replica_here(), 0)], name)


def is_distributed_variable(value):
    """Whether it is a variable of which replicas have copies."""
    return isinstance(value, _rill.VariableBase) and bool(value._copies_kind)


def regroup(values, devices, kind=PerReplica):
    """What the replicas have, as one: lists, tuples and dicts stay what they are, with distributed values inside."""
    first = values[0]
    if len(values) == 1 and not isinstance(first, (list, tuple, dict)):
        if isinstance(first, _rill.VariableBase):
            return _rill.whole_of(first)
        return first
    if isinstance(first, list):
        _same_length(values)
        return [regroup(list(items), devices, kind) for items in zip(*values)]
    if isinstance(first, tuple):
        _same_length(values)
        items = [regroup(list(items), devices, kind) for items in zip(*values)]
        return type(first)(*items) if hasattr(first, "_fields") else tuple(items)
    if isinstance(first, dict):
        for other in values[1:]:
            if set(other) != set(first):
                raise ValueError("the replicas return dicts with different keys: "
                                 f"{sorted(map(str, first))} and {sorted(map(str, other))}")
        return type(first)((key, regroup([value[key] for value in values], devices, kind)) for key in first)
    if all(value is first for value in values):
        return first
    if all(isinstance(value, _rill.VariableBase) for value in values):
        whole = _rill.whole_of(first)
        if all(_rill.whole_of(value) is whole for value in values):
            return whole
    return kind(values, devices)


def _same_length(values):
    if any(not isinstance(value, type(values[0])) or len(value) != len(values[0]) for value in values):
        raise ValueError("the replicas return different structures: " + ", ".join(map(repr, values)))


def select(replica, structure):
    """What of a structure one replica gets."""
    if isinstance(structure, DistributedValues):
        return structure.values[replica]
    if isinstance(structure, list):
        return [select(replica, item) for item in structure]
    if isinstance(structure, tuple):
        items = [select(replica, item) for item in structure]
        return type(structure)(*items) if hasattr(structure, "_fields") else tuple(items)
    if isinstance(structure, dict):
        return type(structure)((key, select(replica, value)) for key, value in structure.items())
    return structure


def local_results(value):
    """The values of all replicas of this process."""
    if isinstance(value, DistributedValues):
        return value.values
    if is_distributed_variable(value):
        return tuple(_rill.copies_of(value))
    return (value,)
