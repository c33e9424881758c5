"""tf.graph_util: graphs as messages."""

from rill import _rill, _surface
from rill._rill import import_graph_def


def _check(graph_def):
    if not hasattr(graph_def, "node") or not hasattr(graph_def, "versions"):
        raise TypeError("graph_def must be a graph_pb2.GraphDef proto.")


def extract_sub_graph(graph_def, dest_nodes):
    """The nodes that `dest_nodes`, a list of names, need."""
    _check(graph_def)
    if isinstance(dest_nodes, str):
        raise TypeError("dest_nodes must be a list.")
    try:
        return type(graph_def).FromString(
            _rill.extract_sub_graph(graph_def.SerializeToString(), list(dest_nodes)))
    except KeyError as error:
        raise AssertionError(error.args[0]) from None


def remove_training_nodes(input_graph, protected_nodes=None):
    """The graph without nodes that only check or pass on."""
    _check(input_graph)
    return type(input_graph).FromString(
        _rill.remove_training_nodes(input_graph.SerializeToString(), list(protected_nodes or [])))


def must_run_on_cpu(node, pin_variables_on_cpu=False):
    """Whether a node (an Operation or a NodeDef) has to be placed on the CPU."""
    node_def = node.node_def if isinstance(node, _rill.Operation) else node
    return _rill.must_run_on_cpu(node_def.SerializeToString(), bool(pin_variables_on_cpu))


def convert_variables_to_constants(sess, input_graph_def, output_node_names, variable_names_whitelist=None,
                                   variable_names_blacklist=None):
    """The part of a graph that the outputs need, with the values that variables have in `sess`."""
    _check(input_graph_def)
    try:
        return type(input_graph_def).FromString(_rill.convert_variables_to_constants(
            input_graph_def.SerializeToString(), list(output_node_names), sess.run,
            list(variable_names_whitelist or []), list(variable_names_blacklist or [])))
    except KeyError as error:
        raise AssertionError(error.args[0]) from None


def tensor_shape_from_node_def_name(graph, input_name):
    """The shape of a tensor of a graph; "x" is "x:0"."""
    return graph.get_tensor_by_name(input_name if ":" in input_name else input_name + ":0").get_shape()


__getattr__, __dir__ = _surface.members_of(__name__)
