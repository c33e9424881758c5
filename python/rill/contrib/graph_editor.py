"""tf.contrib.graph_editor: finding, copying and reconnecting parts of a graph that is being built."""

import re as _re

from rill import _rill
from rill._graph_walks import (  # noqa: F401
    flatten as _flatten, get_backward_walk_ops, get_consuming_ops, get_forward_walk_ops, get_generating_ops,
    get_tensors, get_unique_graph, is_iterable, make_list_of_op, make_list_of_t, pattern_of as make_regex)
from rill.contrib._graph_copies import (  # noqa: F401
    Transformer, TransformerInfo, copy, copy_with_input_replacements, graph_replace, make_placeholder_from_dtype_and_shape,
    make_placeholder_from_tensor, placeholder_name)
from rill.contrib._graph_views import (  # noqa: F401
    SubGraphView, make_view, make_view_from_scope)

sgv, sgv_scope, ph = make_view, make_view_from_scope, make_placeholder_from_dtype_and_shape
flatten_tree = _flatten


class ControlOutputs:
    """Who waits for each operation of a graph. The graph itself knows; this asks it."""

    def __init__(self, graph):
        if not isinstance(graph, _rill.Graph):
            raise TypeError(f"Expected a tf.Graph, got: {type(graph)}")
        self._graph = graph

    @property
    def graph(self):
        return self._graph

    def update(self):
        """Needs nothing: nothing is kept."""
        return self

    def get_all(self):
        """Operations for which others wait, and these."""
        return {op: op._control_outputs for op in self._graph.get_operations() if op._control_outputs}

    def get(self, op):
        """Who waits for an operation."""
        return op._control_outputs


def can_be_regex(obj):
    """Whether something is text or a regular expression."""
    return isinstance(obj, (str, _re.Pattern))


def check_cios(control_inputs=False, control_outputs=None, control_ios=None):
    """Which control edges are meant."""
    if control_ios is not None:
        if control_inputs or control_outputs is not None:
            raise ValueError("control_inputs and control_outputs cannot be given with control_ios")
        control_inputs, control_outputs = True, control_ios
    if isinstance(control_outputs, _rill.Graph):
        control_outputs = ControlOutputs(control_outputs)
    return control_inputs, control_outputs


# --- by name and by what a function says ----------------------------------------------------------


def _filter_of(positive_filter, name_of):
    if positive_filter is True:
        return lambda item: True
    if can_be_regex(positive_filter):
        pattern = make_regex(positive_filter)
        return lambda item: pattern.search(name_of(item)) is not None
    return positive_filter


def filter_ops(ops, positive_filter):
    """The operations that a function or a pattern of names takes."""
    return [op for op in make_list_of_op(ops) if _filter_of(positive_filter, lambda op: op.name)(op)]


def filter_ts(ops, positive_filter):
    """The tensors of operations that a function or a pattern of names takes."""
    takes = _filter_of(positive_filter, lambda t: t.op.name)
    found = dict.fromkeys(t for op in make_list_of_op(ops) for t in [*op.inputs, *op.outputs])
    return [t for t in found if takes(t)]


def filter_ops_from_regex(ops, regex):
    """The operations whose names match."""
    return filter_ops(ops, make_regex(regex))


def filter_ts_from_regex(ops, regex):
    """The tensors of operations whose names match."""
    return filter_ts(ops, make_regex(regex))


def get_name_scope_ops(ops, scope):
    """The operations in a name scope."""
    scope = scope.rstrip("/")
    return filter_ops(ops, "(" + _re.escape(scope) + "/)|(^" + _re.escape(scope) + "$)") if scope else list(ops)


def _select(args, graph, positive_filter, restrict, kind):
    found = []
    for arg in args:
        if can_be_regex(arg):
            if graph is None:
                raise ValueError("Use the keyword argument 'graph' to use regex.")
            pattern = make_regex(arg)
            text = pattern.pattern
            text = text[text.index("(?#") + 3:text.index(")")].strip() if text.startswith("(?#") else ""
            if text not in ("", kind):
                continue
            if kind == "ts" and text != "ts":
                continue
            items = graph.get_operations() if kind == "ops" else get_tensors(graph)
            name_of = (lambda op: op.name) if kind == "ops" else (lambda t: t.op.name)
            found += [item for item in items if pattern.search(name_of(item))]
        else:
            make = make_list_of_op if kind == "ops" else make_list_of_t
            found += make(arg)
    found = list(dict.fromkeys(found))
    return [item for item in found if positive_filter is None or positive_filter(item)]


def select_ops(*args, graph=None, positive_filter=None, restrict_ops_regex=False):
    """Operations that are given, or whose names match a pattern, in which `(?#ops)` may say so."""
    return _select(args, graph, positive_filter, restrict_ops_regex, "ops")


def select_ts(*args, graph=None, positive_filter=None, restrict_ts_regex=False):
    """Tensors that are given, or the names of whose operations match a pattern that begins with `(?#ts)`."""
    return _select(args, graph, positive_filter, restrict_ts_regex, "ts")


def select_ops_and_ts(*args, graph=None, positive_filter=None):
    """Both."""
    ops = select_ops(*(a for a in args if not isinstance(a, _rill.Tensor)), graph=graph, positive_filter=positive_filter)
    ts = select_ts(*(a for a in args if not isinstance(a, _rill.Operation)), graph=graph)
    return ops, ts


# --- by edges -------------------------------------------------------------------------------------


def compute_boundary_ts(ops):
    """The tensors that come into operations, leave them, and stay among them."""
    return tuple(_rill.boundary_tensors(make_list_of_op(ops)))


def get_ops_ios(ops, control_inputs=False, control_outputs=None, control_ios=None):
    """The tensors that operations read and make; with control edges the operations behind these, too."""
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    found = {}
    for op in make_list_of_op(ops):
        found |= dict.fromkeys([*op.inputs, *op.outputs])
        if control_inputs:
            found |= dict.fromkeys(op.control_inputs)
        if control_outputs is not None:
            found |= dict.fromkeys(control_outputs.get(op))
    return list(found)


def _walks(forward_seed_ops, backward_seed_ops, forward_inclusive, backward_inclusive, within_ops, within_ops_fn,
           control_inputs, control_outputs, control_ios):
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    return (get_forward_walk_ops(forward_seed_ops, forward_inclusive, within_ops, within_ops_fn,
                                 control_outputs=control_outputs),
            get_backward_walk_ops(backward_seed_ops, backward_inclusive, within_ops, within_ops_fn,
                                  control_inputs=control_inputs))


def get_walks_intersection_ops(forward_seed_ops, backward_seed_ops, forward_inclusive=True, backward_inclusive=True,
                               within_ops=None, within_ops_fn=None, control_inputs=False, control_outputs=None,
                               control_ios=None):
    """The operations on the ways from some to others."""
    forward, backward = _walks(forward_seed_ops, backward_seed_ops, forward_inclusive, backward_inclusive, within_ops,
                               within_ops_fn, control_inputs, control_outputs, control_ios)
    behind = set(backward)
    return [op for op in forward if op in behind]


def get_walks_union_ops(forward_seed_ops, backward_seed_ops, forward_inclusive=True, backward_inclusive=True,
                        within_ops=None, within_ops_fn=None, control_inputs=False, control_outputs=None,
                        control_ios=None):
    """The operations that depend on some or that others depend on."""
    forward, backward = _walks(forward_seed_ops, backward_seed_ops, forward_inclusive, backward_inclusive, within_ops,
                               within_ops_fn, control_inputs, control_outputs, control_ios)
    return list(dict.fromkeys([*forward, *backward]))


def get_within_boundary_ops(ops, seed_ops, boundary_ops=(), inclusive=True, control_inputs=False, control_outputs=None,
                            control_ios=None):
    """Those of `ops` that are reached from `seed_ops` without crossing `boundary_ops`."""
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    ops, boundary = make_list_of_op(ops), set(make_list_of_op(boundary_ops))
    if any(op in boundary for op in make_list_of_op(seed_ops)):
        raise ValueError("Boundary is intersecting with the seeds.")
    reached, wave = [], make_list_of_op(seed_ops)
    while wave:
        found = {}
        for op in wave:
            found |= dict.fromkeys(t.op for t in op.inputs)
            found |= dict.fromkeys(reader for t in op.outputs for reader in t.consumers())
            found |= dict.fromkeys(op.control_inputs if control_inputs else ())
            found |= dict.fromkeys(control_outputs.get(op) if control_outputs is not None else ())
        reached += [op for op in wave if op not in reached]
        wave = [op for op in found if op in set(ops) and op not in reached and op not in boundary]
    if inclusive:
        near = {op for r in reached for op in [*(t.op for t in r.inputs), *(c for t in r.outputs for c in t.consumers())]}
        reached += [op for op in boundary if op in near]
    return reached


# --- edges that are moved -------------------------------------------------------------------------


def _readers(t, can_modify, cannot_modify):
    readers = t.consumers()
    if can_modify is not None:
        allowed = set(make_list_of_op(can_modify))
        readers = [op for op in readers if op in allowed]
    if cannot_modify is not None:
        forbidden = set(make_list_of_op(cannot_modify))
        readers = [op for op in readers if op not in forbidden]
    return list(dict.fromkeys(readers))


def _pairs(ts0, ts1):
    ts0, ts1 = make_list_of_t(ts0), make_list_of_t(ts1)
    if len(ts0) != len(ts1):
        raise ValueError(f"ts0 and ts1 have different numbers of tensors: {len(ts0)} and {len(ts1)}")
    for t0, t1 in zip(ts0, ts1, strict=True):
        if t0.dtype.base_dtype != t1.dtype.base_dtype:
            raise ValueError(f"Dtypes {t0.dtype} and {t1.dtype} are not compatible.")
        if not t0.get_shape().is_compatible_with(t1.get_shape()):
            raise ValueError(f"Shapes {t0.get_shape()} and {t1.get_shape()} are not compatible.")
    return list(zip(ts0, ts1, strict=True))


def reroute_ts(ts0, ts1, can_modify=None, cannot_modify=None):
    """Who read tensors of `ts1` reads those of `ts0`; returns how many edges were moved."""
    return sum(_rill.reroute_tensor(t1, t0, _readers(t1, can_modify, cannot_modify)) for t0, t1 in _pairs(ts0, ts1))


def swap_ts(ts0, ts1, can_modify=None, cannot_modify=None):
    """The readers of tensors are exchanged; returns how many edges were moved."""
    pairs = [(t0, t1, _readers(t0, can_modify, cannot_modify), _readers(t1, can_modify, cannot_modify))
             for t0, t1 in _pairs(ts0, ts1)]
    moves = [(op, index, t1 if t is t0 else t0) for t0, t1, of0, of1 in pairs for op in dict.fromkeys([*of0, *of1])
             for index, t in enumerate(op.inputs) if t is t0 and op in of0 or t is t1 and op in of1]
    for op, index, t in moves:
        op._update_input(index, t)
    return len(moves)


def add_control_inputs(op, cops):
    """An operation waits for others."""
    op._add_control_inputs(make_list_of_op(cops, allow_graph=False))


def reroute_inputs(sgv0, sgv1):
    """The inputs of the second view become those of the first."""
    _move_inputs(make_view(sgv1), make_view(sgv0).inputs)
    return make_view(sgv0), make_view(sgv1)


def reroute_outputs(sgv0, sgv1):
    """Who read the outputs of the second view reads those of the first."""
    view0, view1 = make_view(sgv0), make_view(sgv1)
    reroute_ts(view0.outputs, view1.outputs, cannot_modify=[*view0.ops, *view1.ops])
    return view0, view1


def reroute_ios(sgv0, sgv1):
    """Both."""
    reroute_outputs(sgv0, sgv1)
    return reroute_inputs(sgv0, sgv1)


def _move_inputs(view, ts):
    if len(view.inputs) != len(ts):
        raise ValueError(f"The views have different numbers of inputs: {len(view.inputs)} and {len(ts)}")
    for old, new in zip(view.inputs, ts, strict=True):
        _rill.reroute_tensor(old, new, view.ops)


def swap_inputs(sgv0, sgv1):
    """The inputs of two views are exchanged."""
    view0, view1 = make_view(sgv0), make_view(sgv1)
    inputs0, inputs1 = list(view0.inputs), list(view1.inputs)
    _move_inputs(view0, inputs1)
    _move_inputs(view1, inputs0)
    return make_view(view0.ops), make_view(view1.ops)


def swap_outputs(sgv0, sgv1):
    """The readers of two views' outputs are exchanged."""
    view0, view1 = make_view(sgv0), make_view(sgv1)
    swap_ts(view0.outputs, view1.outputs, cannot_modify=[*view0.ops, *view1.ops])
    return view0, view1


def swap_ios(sgv0, sgv1):
    """Both."""
    swap_outputs(sgv0, sgv1)
    return swap_inputs(sgv0, sgv1)


# --- views that are cut off and joined ------------------------------------------------------------


def detach_inputs(sgv, control_inputs=False):
    """Placeholders take the place of a view's inputs; returns the view and them."""
    view = make_view(sgv)
    with view.graph.as_default():
        made = [make_placeholder_from_tensor(t, scope="") for t in view.inputs]
    _move_inputs(view, made)
    return make_view(view.ops), made


def detach_outputs(sgv, control_outputs=None):
    """Placeholders take the place of a view's outputs for those who read them; returns the view and them."""
    view = make_view(sgv)
    with view.graph.as_default():
        made = [make_placeholder_from_tensor(t, scope="") for t in view.outputs]
    reroute_ts(made, view.outputs, cannot_modify=view.ops)
    return view, made


def detach(sgv, control_inputs=False, control_outputs=None, control_ios=None):
    """Both."""
    view, before = detach_inputs(sgv)
    view, after = detach_outputs(view)
    return view, before, after


def connect(sgv0, sgv1, disconnect_first=False):
    """The outputs of the first view become the inputs of the second."""
    view0, view1 = make_view(sgv0), make_view(sgv1)
    if disconnect_first:
        detach_outputs(view0)
    _move_inputs(view1, list(view0.outputs))
    return make_view(view0.ops), make_view(view1.ops)


def bypass(sgv):
    """Who read the outputs of a view reads its inputs; returns the view and its former inputs."""
    view = make_view(sgv)
    before = list(view.inputs)
    reroute_ts(before, view.outputs, cannot_modify=view.ops)
    view, _ = detach_inputs(view)
    return view, before
