"""The text of Model.summary."""

import numpy as np

from rill import _nest


def _count(weights):
    return int(sum(np.prod(weight.shape.as_list()) for weight in weights))


def _is_line(model):
    """Whether each layer has one input, which is the layer before."""
    if type(model).__name__ == "Sequential" or model._graph_network is None:
        return True
    calls = model._graph_network.calls
    layers = [id(layer) for layer, _ in calls]
    if len(set(layers)) != len(layers):
        return False
    inputs = [id(t) for layer, call in calls for t in _nest.flatten(layer.get_input_at(call))]
    return len(calls) == len(inputs) and len(set(inputs)) == len(inputs)


def _connections(layer, model):
    from rill import _rill
    told = []
    for node, call in model._graph_network.calls:
        if node is layer:
            for tensor in _nest.flatten(layer.get_input_at(call)):
                maker, number, output = _rill.keras_history(tensor)
                told.append(f"{maker.name}[{number}][{output}]")
    return told


def _knows_shapes(layer):
    """Whether a model was made between tensors."""
    return getattr(layer, "_graph_network", None) is not None and not layer._is_deferred


def _output_shape(model, layer):
    if not _knows_shapes(model) and not _knows_shapes(layer):
        return "multiple"
    try:
        shape = layer.output_shape
    except (AttributeError, RuntimeError):
        return "multiple"
    return [shape] if isinstance(shape, list) and len(shape) == 1 else shape


def print_summary(model, line_length=None, positions=None, print_fn=None):
    """Prints one line for each layer."""
    print_fn = print_fn or print
    plain = _is_line(model)
    line_length = line_length or (65 if plain else 98)
    positions = positions or ([.45, .85, 1.] if plain else [.33, .55, .67, 1.])
    if positions[-1] <= 1:
        positions = [int(line_length * part) for part in positions]
    fields = ["Layer (type)", "Output Shape", "Param #"] + ([] if plain else ["Connected to"])

    def row(values):
        line = ""
        for i, value in enumerate(values):
            line = (line[:-1] + " " if i else line) + str(value)
            line = line[:positions[i]]
            line += " " * (positions[i] - len(line))
        print_fn(line)

    print_fn(f'Model: "{model.name}"')
    print_fn("_" * line_length)
    row(fields)
    print_fn("=" * line_length)
    layers = model.layers
    for i, layer in enumerate(layers):
        params = layer.count_params() if layer.built else "0 (unused)"
        values = [f"{layer.name} ({type(layer).__name__})", _shown(_output_shape(model, layer), layer), params]
        told = [] if plain else _connections(layer, model)
        row(values + ([told[0] if told else ""] if not plain else []))
        for more in told[1:]:
            row(["", "", "", more])
        print_fn(("=" if i == len(layers) - 1 else "_") * line_length)
    trainable = _count(model.trainable_weights)
    others = _count(model.non_trainable_weights)
    print_fn(f"Total params: {trainable + others:,}")
    print_fn(f"Trainable params: {trainable:,}")
    print_fn(f"Non-trainable params: {others:,}")
    print_fn("_" * line_length)


def _shown(shape, layer):
    return [shape] if type(layer).__name__ == "InputLayer" and isinstance(shape, tuple) else shape
