"""SubGraphView of tf.contrib.graph_editor: a set of operations with its inputs and outputs in an order."""

from rill import _rill
from rill._graph_walks import flatten, get_unique_graph, make_list_of_op


class SubGraphView:
    """Operations, the tensors that they read from outside and those that are read outside, or by nobody."""

    def __init__(self, inside_ops=(), passthrough_ts=()):
        inside = make_list_of_op(inside_ops)
        self._passthrough_ts = list(passthrough_ts)
        self._graph = get_unique_graph([*inside, *self._passthrough_ts], none_if_empty=True)
        known = set(inside)
        self._ops = [op for op in self._graph.get_operations() if op in known] if inside else []
        inputs, outputs, _ = _rill.boundary_tensors(self._ops)
        self._input_ts = [*inputs, *self._passthrough_ts]
        self._output_ts = [*outputs, *self._passthrough_ts]

    @property
    def graph(self):
        return self._graph

    @property
    def ops(self):
        return list(self._ops)

    @property
    def inputs(self):
        return list(self._input_ts)

    @property
    def outputs(self):
        return list(self._output_ts)

    @property
    def passthroughs(self):
        """Tensors that come in and go out untouched."""
        return list(self._passthrough_ts)

    @property
    def connected_inputs(self):
        """The inputs that are made by something else than a placeholder."""
        return [t for t in self._input_ts if t.op.type != "Placeholder"]

    @property
    def connected_outputs(self):
        """The outputs that somebody reads."""
        return [t for t in self._output_ts if t.consumers()]

    def op(self, op_id):
        """An operation by its place."""
        return self._ops[op_id]

    def is_passthrough(self, t):
        return t in self._passthrough_ts

    def find_op_by_name(self, op_name):
        """An operation by its name."""
        for op in self._ops:
            if op.name == op_name:
                return op
        raise AttributeError(f"{op_name} not found in subgraph.")

    def input_index(self, t):
        return self._input_ts.index(t)

    def output_index(self, t):
        return self._output_ts.index(t)

    def consumers(self):
        """Who outside reads the outputs."""
        inside = set(self._ops)
        return list(dict.fromkeys(op for t in self._output_ts for op in t.consumers() if op not in inside))

    def copy(self):
        """Another view of the same."""
        made = SubGraphView()
        vars(made).update({name: list(value) if isinstance(value, list) else value
                           for name, value in vars(self).items()})
        return made

    def _with(self, **changes):
        made = self.copy()
        vars(made).update(changes)
        return made

    def remap_inputs(self, new_input_indices):
        """A view with inputs in another order, or fewer of them; tensors or their places are given."""
        return self._with(_input_ts=_picked(self._input_ts, new_input_indices))

    def remap_outputs(self, new_output_indices):
        """A view with outputs in another order, fewer or some twice."""
        return self._with(_output_ts=_picked(self._output_ts, new_output_indices))

    def remap(self, new_input_indices=None, new_output_indices=None):
        """Both."""
        made = self if new_input_indices is None else self.remap_inputs(new_input_indices)
        return made.copy() if new_output_indices is None else made.remap_outputs(new_output_indices)

    def remap_default(self, remove_input_map=True, remove_output_map=True):
        """A view in the order that it had at first."""
        fresh = SubGraphView(self._ops, self._passthrough_ts)
        return self._with(_input_ts=fresh._input_ts if remove_input_map else self._input_ts,
                          _output_ts=fresh._output_ts if remove_output_map else self._output_ts)

    def remap_outputs_make_unique(self):
        """A view with each output once."""
        return self._with(_output_ts=list(dict.fromkeys(self._output_ts)))

    def remap_outputs_to_consumers(self):
        """A view with an output for each reader."""
        return self._with(_output_ts=[t for t in dict.fromkeys(self._output_ts) for _ in t.consumers()])

    def remove_unused_ops(self, control_inputs=True):
        """A view without operations that its outputs do not need."""
        seeds = [t.op for t in self._output_ts if t.consumers()]
        inside = set(self._ops)
        kept = _rill.walk_operations(False, seeds, True, lambda op: op in inside, [], control_inputs) if seeds else []
        return SubGraphView([op for op in kept if op in inside])

    def __bool__(self):
        return self._graph is not None

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return None

    def __str__(self):
        lines = [f"graphid: {id(self._graph)}"]
        for title, items in (("ops", self._ops), ("inputs", self._input_ts), ("outputs", self._output_ts)):
            lines += [f"** {title}:", *(item.name for item in items)]
        return "\n".join(lines)


def _picked(tensors, indices):
    return [tensors[item] if isinstance(item, int) else tensors[tensors.index(item)] for item in indices]


def make_view(*args, **kwargs):
    """A view of operations, tensors between which nothing is, views, or names that match patterns."""
    from rill.contrib import graph_editor
    if len(args) == 1 and isinstance(args[0], SubGraphView):
        return args[0].copy()
    graph = kwargs.pop("graph", None)
    if kwargs:
        raise ValueError(f"Unknown arguments: {sorted(kwargs)}")
    ops, ts = [], []
    for arg in args:
        if isinstance(arg, SubGraphView):
            ops += arg.ops
        elif graph_editor.can_be_regex(arg):
            ops += graph_editor.select_ops(arg, graph=graph)
        elif isinstance(arg, _rill.Graph):
            ops += arg.get_operations()
        else:
            leaves = flatten(arg)
            ops += [leaf for leaf in leaves if isinstance(leaf, _rill.Operation)]
            ts += [leaf for leaf in leaves if not isinstance(leaf, _rill.Operation)]
    return SubGraphView(ops, ts)


def make_view_from_scope(scope, graph):
    """A view of what is in a name scope."""
    from rill.contrib import graph_editor
    return SubGraphView(graph_editor.get_name_scope_ops(graph.get_operations(), scope))
