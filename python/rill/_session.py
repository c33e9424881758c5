"""The parts of sessions that only Python has."""

from rill import _rill


class DeviceAttributes:
    """One device of a session, as Session.list_devices gives it."""

    def __init__(self, name, device_type, memory_limit_bytes, incarnation):
        self.name = name
        self.device_type = device_type
        self.memory_limit_bytes = memory_limit_bytes
        self.incarnation = incarnation

    def __repr__(self):
        return (f"_DeviceAttributes({self.name}, {self.device_type}, "
                f"{self.memory_limit_bytes}, {self.incarnation})")


class InteractiveSession(_rill.Session):
    """A session that is the default one, with its graph, from its making until it is closed."""

    def __init__(self, target="", graph=None, config=None):
        super().__init__(target, graph, config)
        self._contexts = [self.as_default()]
        if graph is not None:
            self._contexts.append(graph.as_default())
        for context in self._contexts:
            context.__enter__()

    def close(self):
        super().close()
        while self._contexts:
            self._contexts.pop().__exit__(None, None, None)
