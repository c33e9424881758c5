"""tf.Module: objects that own variables."""

import functools
import re

from rill import _nest
from rill._scopes import name_scope
from rill._variables import Variable


def _snake_case(name):
    return re.sub(r"((?<=[a-z0-9])[A-Z]|(?!^)[A-Z](?=[a-z]))", r"_\1", name).lower()


class Module:
    """An object whose variables are found in its attributes, and in those of the modules in it."""

    _TF_MODULE_IGNORED_PROPERTIES = frozenset()  # attributes that are not looked into

    def __init__(self, name=None):
        if name is None:
            name = _snake_case(type(self).__name__)
        elif not re.fullmatch(r"[a-zA-Z_]([a-zA-Z0-9_])*", name):
            raise ValueError(f"{name!r} is not a valid module name. Module names must be valid Python "
                             "identifiers (e.g. a valid class name).")
        self._name = name
        with name_scope(name) as scope:
            self._scope_name = scope

    @property
    def name(self):
        """As given, or the class's in snake_case."""
        return self._name

    @property
    def name_scope(self):
        """The name scope that belongs to the object."""
        return name_scope(self._scope_name)

    @property
    def variables(self):
        """All variables, those of modules inside after its own."""
        return tuple(self._flatten(predicate=lambda leaf: isinstance(leaf, Variable)))

    @property
    def trainable_variables(self):
        """Those that training changes."""
        return tuple(self._flatten(predicate=lambda leaf: isinstance(leaf, Variable) and leaf.trainable))

    @property
    def submodules(self):
        """All modules inside."""
        return tuple(self._flatten(predicate=lambda leaf: isinstance(leaf, Module)))

    def _no_dependency(self, value):
        """A value for an attribute that checkpoints leave out: they keep what holds variables, so this is the value."""
        return value

    def _flatten(self, recursive=True, predicate=lambda leaf: True):
        """What the attributes hold, in the order of their names; what is inside of modules later."""
        return _leaves(self, recursive, predicate, {id(self)})

    @classmethod
    def with_name_scope(cls, method):
        """A method whose nodes are made in the object's name scope."""
        @functools.wraps(method)
        def inside(self, *args, **kwargs):
            with self.name_scope:
                return method(self, *args, **kwargs)
        return inside


def _attribute_leaves(value):
    try:
        return _nest.flatten(value)
    except TypeError:  # keys that cannot be sorted
        return [value]


def _leaves(module, recursive, predicate, seen):
    inside = []
    for key in sorted(vars(module)):
        if key in module._TF_MODULE_IGNORED_PROPERTIES:
            continue
        for leaf in _attribute_leaves(vars(module)[key]):
            if id(leaf) in seen:
                continue
            seen.add(id(leaf))
            if predicate(leaf):
                yield leaf
            if recursive and isinstance(leaf, Module):
                inside.append(leaf)
    for child in inside:
        yield from _leaves(child, recursive, predicate, seen)
