"""Branches and loops of the graph around statements of a program: what they hand through is known only when the
statements have been built."""

import contextlib

from rill import _control_flow, _nest, _rill
from rill._scopes import name_scope
from rill._type_spec import TensorSpec
from rill.autograph._values import can_be_tensor


def _kind(value):
    if isinstance(value, _rill.Tensor):
        return f"dtype {value.dtype.base_dtype.name}"
    return type(value).__name__


def _as_tensors(value):
    return _nest.map_structure(_as_tensor, value)


def _as_tensor(leaf):
    if _control_flow.is_array(leaf) or hasattr(type(leaf), "_component_tensors") and not isinstance(
            leaf, _rill.Tensor):
        return leaf
    return _rill.convert_to_tensor(leaf)


def check_same(name, true, false):
    """Both branches must give values of one structure, which can be tensors."""
    for value, which in ((true, "main"), (false, "else")):
        if not can_be_tensor(value):
            raise TypeError(f"'{name}' is {type(value).__name__} at the end of the {which} branch, which cannot be "
                            "the value of a tensor")
    try:
        _nest.assert_same_structure(true, false, expand_composites=True)
    except (TypeError, ValueError) as error:
        raise TypeError(f"'{name}' must have the same nested structure in the main and else branches:\n\n"
                        f"{error}") from None


def _check_types(name, true, false):
    for a, b in zip(_nest.flatten(true), _nest.flatten(false)):
        if isinstance(a, _rill.Tensor) and isinstance(b, _rill.Tensor) and (
                a.dtype.base_dtype != b.dtype.base_dtype):
            raise TypeError(f"'{name}' has dtype {a.dtype.base_dtype.name} in the main branch, but dtype "
                            f"{b.dtype.base_dtype.name} in the else branch")


class Branches:
    """The two branches of one condition."""

    def __new__(cls, pred):
        return super().__new__(_FunctionBranches if _rill.has_functional_flow() else _FrameBranches)

    def merge(self, pairs):
        """A value for each (name, value if true, value if false)."""
        values = []
        for taken in (True, False):
            with self.inside(taken):
                values.append([_as_tensors(pair[1 if taken else 2]) for pair in pairs])
        for (name, _, _), true, false in zip(pairs, *values):
            _check_types(name, true, false)
        leaves = [_control_flow.leaves_of(value) for value in values]
        return _control_flow.packed_as(values[0], self._merged(*leaves))


class _FunctionBranches(Branches):
    def __init__(self, pred):
        self._pred = pred
        self._builders = {taken: _rill.FunctionBuilder(_rill.get_default_graph()) for taken in (True, False)}

    def inside(self, taken):
        """Where one branch is built."""
        return self._builders[taken].graph.as_default()

    def _merged(self, true, false):
        made = _rill.functional_cond(self._pred, (self._builders[True], true), (self._builders[False], false), "cond")
        return made if isinstance(made, list) else []


class _FrameBranches(Branches):
    def __init__(self, pred):
        with name_scope(None, "cond", [pred]):
            self._scope = _rill.get_default_graph().get_name_scope()
            self._builder = _rill.cond_builder(pred)

    @contextlib.contextmanager
    def inside(self, taken):
        """Where one branch is built."""
        with self._builder.branch(taken):
            yield

    def _merged(self, true, false):
        results = []
        for taken, leaves in ((True, true), (False, false)):
            with self._builder.branch(taken):
                results.append([self._builder.result(taken, leaf) for leaf in leaves])
        return [self._builder.merge(f, t) for t, f in zip(*results)]


def loop(test, body, values, shapes=None, parallel_iterations=10, maximum_iterations=None, check=None):
    """The values of a loop that goes on while test(values) holds, with body(values) as the next ones; all of them
    lists of structures. `shapes` has the shapes of the leaves."""
    values = [_as_tensors(value) for value in values]
    leaves = _control_flow.leaves_of(values)
    if _rill.has_functional_flow():
        made = _control_flow.functional_loop(
            lambda given: test(_control_flow.packed_as(values, given)),
            lambda given: _next_leaves(body, values, given, check), leaves, shapes, parallel_iterations,
            maximum_iterations)
        return _control_flow.packed_as(values, made)
    made = _control_flow.while_loop(
        lambda *given: test(_control_flow.packed_as(values, given)),
        lambda *given: _next_leaves(body, values, given, check), leaves, shapes, parallel_iterations,
        maximum_iterations=maximum_iterations, return_same_structure=True)
    return _control_flow.packed_as(values, list(made))


def _next_leaves(body, values, given, check):
    made = [_as_tensors(value) for value in body(_control_flow.packed_as(values, given))]
    if check is not None:
        check(made)
    return _control_flow.leaves_of(made)


def described(values):
    """Specs of the leaves."""
    return [TensorSpec(leaf.shape, leaf.dtype) for leaf in _control_flow.leaves_of(values)]
