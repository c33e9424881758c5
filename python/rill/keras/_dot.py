"""Models as graphs of pydot's, which Graphviz draws."""

import sys

from rill import _nest, _rill

_ABSENT = "Failed to import pydot. You must install pydot and graphviz for `pydotprint` to work."


def _pydot():
    """The module; None in a notebook that goes on without."""
    try:
        import pydot
        pydot.Dot.create(pydot.Dot())
        return pydot
    except Exception:  # it is absent, or finds no programs of Graphviz
        if "IPython.core.magics.namespace" in sys.modules:
            print(_ABSENT, file=sys.stderr)
            return None
        raise ImportError(_ABSENT) from None


def _shape(layer, what):
    try:
        return str(getattr(layer, f"{what}_shape"))
    except (AttributeError, RuntimeError):
        return "multiple" if what == "output" else "?"


def _label(layer, show_shapes, show_layer_names):
    label = f"{layer.name}: {type(layer).__name__}" if show_layer_names else type(layer).__name__
    if not show_shapes:
        return label
    return f"{label}\n|{{input:|output:}}|{{{{{_shape(layer, 'input')}}}|{{{_shape(layer, 'output')}}}}}"


def _edges(model):
    """Pairs of layers, the second of which takes what the first gives."""
    if model._graph_network is None:
        return list(zip(model.layers, model.layers[1:])) if hasattr(model, "_stack") else []
    found = []
    for layer, call in model._graph_network.calls:
        for tensor in _nest.flatten(layer.get_input_at(call)):
            maker = _rill.keras_history(tensor)[0]
            if maker is not layer and (maker, layer) not in found:
                found.append((maker, layer))
    return found


def _nested(pydot, layer, settings):
    """A model inside of another as a cluster, and the nodes that edges end at."""
    inner = graph_of(layer, *settings, subgraph=True)
    nodes = [node.get_name() for node in inner.get_nodes()]
    return inner, nodes[0], nodes[-1]


def graph_of(model, show_shapes, show_layer_names, rankdir, expand_nested, dpi, subgraph):
    """A pydot.Dot, or a Cluster of one; None where pydot is not there and a notebook goes on without."""
    pydot = _pydot()
    if pydot is None:
        return None
    settings = show_shapes, show_layer_names, rankdir, expand_nested, dpi
    if subgraph:
        dot = pydot.Cluster(style="dashed", graph_name=model.name)
        dot.set("label", model.name)
    else:
        dot = pydot.Dot()
        dot.set("rankdir", rankdir)
        dot.set("concentrate", True)
        dot.set("dpi", dpi)
        dot.set_node_defaults(shape="record")
    first, last = {}, {}
    for layer in model.layers:
        if expand_nested and getattr(layer, "_graph_network", None) is not None:
            inner, first[layer.name], last[layer.name] = _nested(pydot, layer, settings)
            dot.add_subgraph(inner)
        else:
            first[layer.name] = last[layer.name] = f"{model.name}/{layer.name}"
            dot.add_node(pydot.Node(first[layer.name], label=_label(layer, show_shapes, show_layer_names)))
    for before, layer in _edges(model):
        if before.name not in last or layer.name not in first:
            continue  # the input of a Sequential is none of its layers
        dot.add_edge(pydot.Edge(last[before.name], first[layer.name]))
    return dot
