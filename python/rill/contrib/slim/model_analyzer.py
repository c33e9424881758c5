"""tf.contrib.slim.model_analyzer: how large the operations and variables of a model are."""

_LINE = "---------"


def tensor_description(var):
    """The type and the shape of a tensor or variable: (float32 2x3)."""
    return f"({var.dtype.name} {'x'.join(map(str, var.get_shape()))})"


def _elements(value):
    return value.get_shape().num_elements() or 0


def analyze_ops(graph, print_info=False):
    """The number of elements that all operations of a graph have as outputs, as far as it is known."""
    if print_info:
        print(_LINE, "Operations: name -> (type shapes) [size]", _LINE, sep="\n")
    total = 0
    for op in graph.get_operations():
        size = sum(map(_elements, op.outputs))
        total += size
        if print_info:
            shapes = ", ".join(tensor_description(out) for out in op.outputs if out.get_shape())
            print(op.name, "\t->", shapes, f"[{size}]")
    return total


def analyze_vars(variables, print_info=False):
    """The number of elements of all variables, and of bytes."""
    if print_info:
        print(_LINE, "Variables: name (type shape) [size]", _LINE, sep="\n")
    total_size = total_bytes = 0
    for var in variables:
        size = _elements(var)
        total_size, total_bytes = total_size + size, total_bytes + size * var.dtype.size
        if print_info:
            print(var.name, tensor_description(var), f"[{size}, bytes: {size * var.dtype.size}]")
    if print_info:
        print(f"Total size of variables: {total_size}")
        print(f"Total bytes of variables: {total_bytes}")
    return total_size, total_bytes
