"""Operations and tensors that depend on others: the walks of tf.contrib.graph_editor and of op_selector. The walking is
C++'s; here are the many things that may be given."""

import re

from rill import _rill
from rill._variables import Variable


def flatten(value):
    """The leaves of nested lists, tuples, sets and dicts."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple, set, frozenset)) or hasattr(value, "__next__"):
        return [leaf for item in value for leaf in flatten(item)]
    return [value]


def is_iterable(obj):
    """Whether something can be gone through."""
    try:
        iter(obj)
    except TypeError:
        return False
    return not isinstance(obj, _rill.Tensor)


def get_unique_graph(tops, check_types=None, none_if_empty=False):
    """The one graph of operations and tensors; ValueError where there are two."""
    if isinstance(tops, _rill.Graph):
        return tops
    graphs = {}
    for top in flatten(tops):
        if check_types is not None and not isinstance(top, check_types):
            raise TypeError(f"{top} is not an instance of {check_types}")
        if not hasattr(top, "graph"):
            raise TypeError(f"{top} has no graph")
        graphs[id(top.graph)] = top.graph
    if len(graphs) > 1:
        raise ValueError("Operation does not belong to given graph")
    if not graphs and not none_if_empty:
        raise ValueError("Can't find the unique graph of an empty list")
    return next(iter(graphs.values()), None)


def make_list_of_op(ops, check_graph=True, allow_graph=True, ignore_ts=False):
    """The operations in something: a graph, an operation, a list."""
    if isinstance(ops, _rill.Graph):
        if not allow_graph:
            raise TypeError("allow_graph is False: cannot convert a tf.Graph.")
        return ops.get_operations()
    found = flatten(getattr(ops, "ops", ops))
    if ignore_ts:
        found = [op for op in found if not isinstance(op, _rill.Tensor)]
    for op in found:
        if not isinstance(op, _rill.Operation):
            raise TypeError(f"Expected type {_rill.Operation}, got: {type(op)}")
    if check_graph and found:
        get_unique_graph(found)
    return found


def make_list_of_t(ts, check_graph=True, allow_graph=True, ignore_ops=False):
    """The tensors in something: a graph, a tensor, a list."""
    if isinstance(ts, _rill.Graph):
        if not allow_graph:
            raise TypeError("allow_graph is False: cannot convert a tf.Graph.")
        return get_tensors(ts)
    found = flatten(ts)
    if ignore_ops:
        found = [t for t in found if not isinstance(t, _rill.Operation)]
    for t in found:
        if not isinstance(t, _rill.Tensor):
            raise TypeError(f"Expected type {_rill.Tensor}, got: {type(t)}")
    if check_graph and found:
        get_unique_graph(found)
    return found


def get_tensors(graph):
    """All tensors of a graph."""
    if not isinstance(graph, _rill.Graph):
        raise TypeError(f"Expected a graph, got: {type(graph)}")
    return [t for op in graph.get_operations() for t in op.outputs]


def _unique(items):
    return list(dict.fromkeys(items))


def get_generating_ops(ts):
    """The operations that make tensors."""
    return _unique(t.op for t in make_list_of_t(ts, allow_graph=False))


def get_consuming_ops(ts):
    """The operations that read tensors."""
    return _unique(op for t in make_list_of_t(ts, allow_graph=False) for op in t.consumers())


def _seeds(seeds, of_tensors):
    seeds = flatten(getattr(seeds, "ops", seeds))
    if seeds and isinstance(seeds[0], _rill.Tensor):
        return of_tensors(seeds)
    return make_list_of_op(seeds, allow_graph=False)


def _within(within_ops, within_ops_fn):
    """Asks whether a walk may enter an operation; None where it may enter any."""
    allowed = None if within_ops is None else set(make_list_of_op(within_ops, allow_graph=False))
    if allowed is None:
        return within_ops_fn
    return lambda op: op in allowed and (within_ops_fn is None or within_ops_fn(op))


def _walk(forward, seeds, inclusive, within_ops, within_ops_fn, stop_at_ts, control_edges):
    within = _within(within_ops, within_ops_fn)
    if within_ops is not None:
        seeds = [op for op in seeds if within(op)]
    if not seeds:
        return []
    return _rill.walk_operations(forward, seeds, inclusive, within, make_list_of_t(stop_at_ts), bool(control_edges))


def get_forward_walk_ops(seed_ops, inclusive=True, within_ops=None, within_ops_fn=None, stop_at_ts=(),
                         control_outputs=None):
    """The operations that depend on some; control edges count where `control_outputs` is given."""
    return _walk(True, _seeds(seed_ops, get_consuming_ops), inclusive, within_ops, within_ops_fn, stop_at_ts,
                 control_outputs is not None)


def get_backward_walk_ops(seed_ops, inclusive=True, within_ops=None, within_ops_fn=None, stop_at_ts=(),
                          control_inputs=False):
    """The operations that some depend on."""
    return _walk(False, _seeds(seed_ops, get_generating_ops), inclusive, within_ops, within_ops_fn, stop_at_ts,
                 control_inputs)


def get_reachable_from_inputs(inputs, targets=None):
    """The operations and tensors that depend on tensors, with these."""
    inputs = list(inputs)
    for item in inputs:
        if not isinstance(item, (_rill.Tensor, _rill.Operation, Variable)):
            raise TypeError(f"Expected Operation, Variable, or Tensor, got {item}")
    seeds = [op for item in inputs for op in
             (item.consumers() if isinstance(item, _rill.Tensor) else [getattr(item, "op", item)])]
    ops = _rill.walk_operations(True, seeds, True, None, [], True) if seeds else []
    return {*inputs, *ops, *(t for op in ops for t in op.outputs)}


def pattern_of(obj):
    """A regular expression of text, or of what is one; ValueError otherwise."""
    if isinstance(obj, str):
        return re.compile(obj)
    if isinstance(obj, re.Pattern):
        return obj
    raise ValueError(f"Expected a string or a regex, got: {type(obj)}")
