"""Copies of parts of a graph, of tf.contrib.graph_editor. C++ copies; here the results are found by their originals."""

import rill
from rill import _rill
from rill._graph_walks import flatten, get_unique_graph, make_list_of_op
from rill.contrib._graph_views import SubGraphView, make_view

_PREFIX = "geph"


class TransformerInfo:
    """Finds copies by originals and originals by copies: operations, tensors, views and nested lists of them."""

    def __init__(self, pairs, scopes, scope, view):
        self._copies, self.scopes, self.scope, self._view = pairs, scopes, scope, view
        self._originals = {copy: op for op, copy in pairs.items()}

    def transformed(self, original, missing_fn=None):
        """The copy of something; what `missing_fn` says where there is none, else None."""
        return self._find(self._copies, original, missing_fn)

    def original(self, transformed, missing_fn=None):
        """What something is a copy of."""
        return self._find(self._originals, transformed, missing_fn)

    def _find(self, table, value, missing_fn):
        if isinstance(value, SubGraphView):
            return SubGraphView([table[op] for op in value.ops if op in table])
        if isinstance(value, (list, tuple)):
            return type(value)(self._find(table, item, missing_fn) for item in value)
        if isinstance(value, dict):
            return {key: self._find(table, item, missing_fn) for key, item in value.items()}
        op = value.op if isinstance(value, _rill.Tensor) else value
        if op not in table:
            return None if missing_fn is None else missing_fn(value)
        return table[op].outputs[value.value_index] if isinstance(value, _rill.Tensor) else table[op]

    def __str__(self):
        return "Transformer result info:\n" + "\n".join(f"{a.name} -> {b.name}" for a, b in self._copies.items())


def _copied(view, replacements, dst_graph, dst_scope, src_scope, reuse_dst_scope):
    view = make_view(view)
    graph = dst_graph or view.graph
    pairs, scope = _rill.copy_operations(view.ops, replacements, graph, dst_scope, src_scope, reuse_dst_scope)
    info = TransformerInfo(pairs, (src_scope, dst_scope), scope, view)
    return info.transformed(view), info


class Transformer:
    """Copies a view when it is called. Functions that take the place of its steps are not called by Rill: to set one
    raises NotImplementedError."""

    def __setattr__(self, name, value):
        raise NotImplementedError(f"tf.contrib.graph_editor.Transformer.{name} cannot be replaced: Rill copies operations as "
                                  "they are; copy_with_input_replacements() replaces what they read")

    def __call__(self, sgv, dst_graph, dst_scope, src_scope="", reuse_dst_scope=False):
        return _copied(sgv, {}, dst_graph, dst_scope, src_scope, reuse_dst_scope)


def copy(sgv, dst_graph=None, dst_scope="", src_scope="", reuse_dst_scope=False):
    """A copy of a view, and where its parts come from."""
    return _copied(sgv, {}, dst_graph, dst_scope, src_scope, reuse_dst_scope)


def copy_with_input_replacements(sgv, replacement_ts, dst_graph=None, dst_scope="", src_scope="",
                                 reuse_dst_scope=False):
    """A copy that reads other tensors in place of some."""
    if not isinstance(replacement_ts, dict):
        raise TypeError(f"Expected a dict, got: {type(replacement_ts)}")
    return _copied(sgv, replacement_ts, dst_graph, dst_scope, src_scope, reuse_dst_scope)


def graph_replace(target_ts, replacement_ts, dst_scope="", src_scope="", reuse_dst_scope=False):
    """The tensors as they would be if others were read in place of some: what lies between is copied."""
    from rill.contrib import graph_editor
    targets = flatten(target_ts)
    get_unique_graph([*targets, *replacement_ts], _rill.Tensor)
    ops = graph_editor.get_walks_intersection_ops(list(replacement_ts), targets, control_ios=targets[0].graph)
    if not ops:
        raise ValueError("Targets and replacements are not connected!")
    _, info = copy_with_input_replacements(make_list_of_op(ops), replacement_ts, None, dst_scope, src_scope,
                                           reuse_dst_scope)
    return info.transformed(target_ts, lambda original: original)


def placeholder_name(t=None, scope=None, prefix=_PREFIX):
    """The name of a placeholder that stands for a tensor."""
    scope = "" if scope is None else scope.rstrip("/") + "/" if scope else ""
    if t is None:
        return scope + prefix
    if not isinstance(t, _rill.Tensor):
        raise TypeError(f"Expected a tf.Tensor, got: {type(t)}")
    own = t.op.name.rpartition("/")
    if not scope and own[0]:
        scope = own[0] + "/"
    return f"{scope}{prefix}__{own[2]}_{t.value_index}"


def make_placeholder_from_tensor(t, scope=None, prefix=_PREFIX):
    """A placeholder of the type and shape of a tensor."""
    return rill.placeholder(t.dtype.base_dtype, t.get_shape(), name=placeholder_name(t, scope, prefix))


def make_placeholder_from_dtype_and_shape(dtype, shape=None, scope=None, prefix=_PREFIX):
    """A placeholder."""
    return rill.placeholder(dtype, shape, name=placeholder_name(scope=scope, prefix=prefix))
