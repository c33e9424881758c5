"""Lists of things that a graph keeps under names."""

from rill import _rill


class GraphKeys:
    """The names of the collections that the library itself fills and reads."""


for _name, _value in vars(_rill.graph_keys).items():
    setattr(GraphKeys, _name, _value)


class CollectionRef(list):
    """A collection as a list whose changes are the collection's."""

    def __init__(self, graph, name):
        super().__init__(graph.get_collection(name))
        self._graph, self._name = graph, name


def _changing(method):
    def change(self, *args, **kwargs):
        result = method(self, *args, **kwargs)
        self._graph._replace_collection(self._name, list(self))
        return result
    return change


for _name in ("append", "extend", "insert", "pop", "remove", "clear", "reverse", "sort",
              "__setitem__", "__delitem__", "__iadd__", "__imul__"):
    setattr(CollectionRef, _name, _changing(getattr(list, _name)))


class LazyTensor:
    """A tensor that is made anew for whoever uses it; runs fetch the first one."""

    def __init__(self, first, make):
        self._first, self._as_tensor = first, make

    def _as_graph_element(self):
        return self._first

    def __getattr__(self, name):
        return getattr(self.__dict__["_first"], name)


def _operator(name):
    return lambda self, *args: getattr(self._as_tensor(), name)(*args)


for _name in ("add", "sub", "mul", "truediv", "div", "pow"):
    for _prefix in ("", "r"):
        if hasattr(_rill.Tensor, f"__{_prefix}{_name}__"):
            setattr(LazyTensor, f"__{_prefix}{_name}__", _operator(f"__{_prefix}{_name}__"))
LazyTensor.__neg__ = _operator("__neg__")


def add_to_collection(name, value):
    """Adds to a collection of the default graph."""
    _rill.get_default_graph().add_to_collection(name, value)


def add_to_collections(names, value):
    """Adds to several collections of the default graph."""
    _rill.get_default_graph().add_to_collections(names, value)


def get_collection(key, scope=None):
    """What a collection of the default graph holds; with a scope, what is named so."""
    return _rill.get_default_graph().get_collection(key, scope)


def get_collection_ref(key):
    """A collection of the default graph as a list that can be changed."""
    return _rill.get_default_graph().get_collection_ref(key)
