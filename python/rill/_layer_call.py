"""How a layer of Python is called: its arguments around C++'s call of a layer."""

import inspect

import numpy as np

from rill import _nest, _rill


class CallArguments:
    """Which arguments a `call` method has."""

    def __init__(self, function):
        parameters = list(inspect.signature(function).parameters.values())
        self.names = [p.name for p in parameters
                      if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
        self._positional = [p.name for p in parameters
                            if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        self._takes_any = any(p.kind == p.VAR_KEYWORD for p in parameters)

    def takes(self, name):
        """Whether it has an argument of that name, or any."""
        return self._takes_any or name in self.names

    def has(self, name):
        """Whether it names that argument."""
        return name in self.names

    def given(self, name, args, kwargs):
        """What a call gives for the argument; None where it does not."""
        if name in kwargs:
            return kwargs[name]
        place = self._positional[1:].index(name) if name in self._positional[1:] else len(args)
        return args[place] if place < len(args) else None

    def with_value(self, name, value, args, kwargs):
        """The arguments of a call with this one set."""
        place = self._positional[1:].index(name) if name in self._positional[1:] else len(args)
        if name not in kwargs and place < len(args):
            return args[:place] + (value,) + args[place + 1:], kwargs
        return args, {**kwargs, name: value}


_known = {}


def call_arguments_of(method):
    """The arguments of a bound method."""
    function = getattr(method, "__func__", method)
    if function not in _known:
        _known[function] = CallArguments(method)
    return _known[function]


def native(method):
    """Marks a method that C++ has: a class that has it overrides nothing."""
    method._is_native = True
    return method


def is_native(method):
    """Whether a method is C++'s."""
    return getattr(method, "_is_native", False)


def as_list(value):
    """A list of what a structure holds, or of the one value."""
    return [] if value is None else _nest.flatten(value)


def _to_tensor(value):
    return _rill.convert_to_tensor(value) if isinstance(value, (np.ndarray, float, int)) else value


def _call_of(layer):
    """The layer's `call`, in functions of the graph with its control flow as ops."""
    if is_native(layer.call) or not _rill.has_functional_flow():
        return layer.call
    from rill.autograph import _api
    return _api.converted(layer.call)


def _first_argument(layer, spec, args, kwargs):
    if args:
        return args[0], args[1:], kwargs
    if spec.names and spec.names[0] in kwargs:
        rest = {name: value for name, value in kwargs.items() if name != spec.names[0]}
        return kwargs[spec.names[0]], (), rest
    raise ValueError("The first argument to `Layer.call` must always be passed.")


def _with_context(calling, spec, args, kwargs):
    """The arguments of the call, with what the calls around and the inputs say."""
    if spec.has("mask") and spec.given("mask", args, kwargs) is None and calling.masks is not None:
        args, kwargs = spec.with_value("mask", calling.masks, args, kwargs)
    if spec.takes("training"):
        if spec.given("training", args, kwargs) is None and calling.training is not None \
                and spec.has("training"):
            args, kwargs = spec.with_value("training", calling.training, args, kwargs)
    else:
        kwargs.pop("training", None)
    if spec.has("scope") and calling.scope is not None:
        args, kwargs = spec.with_value("scope", calling.scope, args, kwargs)
    return args, kwargs


def _ended(calling, outputs):
    """The outputs as they are after the call has ended."""
    if isinstance(outputs, _rill.Tensor):
        return calling.end([outputs])[0]
    flat = _nest.flatten(outputs)
    places = [i for i, item in enumerate(flat) if isinstance(item, _rill.Tensor)]
    changed = list(flat)
    for place, tensor in zip(places, calling.end([flat[i] for i in places])):
        changed[place] = tensor
    if all(new is old for new, old in zip(changed, flat)):
        return outputs
    return _nest.pack_sequence_as(outputs, changed)


def graph_of(inputs):
    """The graph of an input that has no value; None: all have one."""
    if isinstance(inputs, _rill.EagerTensor):
        return None
    for item in _nest.flatten(inputs):
        if isinstance(item, _rill.Tensor) and not isinstance(item, _rill.EagerTensor):
            return item.graph
    return None


def call_layer(layer, args, kwargs, scope=None):
    """The outputs of a layer, which is built first where it has not been."""
    spec = call_arguments_of(layer.call)
    inputs, args, kwargs = _first_argument(layer, spec, args, kwargs)
    graph = graph_of(inputs) if _rill.executing_eagerly() else None
    if graph is None:
        return _called(layer, spec, inputs, args, kwargs, scope)
    with graph.as_default():
        return _called(layer, spec, inputs, args, kwargs, scope)


def _called(layer, spec, inputs, args, kwargs, scope):
    is_tensor = isinstance(inputs, _rill.Tensor)
    inputs = inputs if is_tensor else _nest.map_structure(_to_tensor, inputs)
    flat = [inputs] if is_tensor else _nest.flatten(inputs)
    for item in () if is_tensor else flat:
        if layer.input_spec is not None and not hasattr(item, "shape"):
            raise TypeError(f"Inputs to a layer should be tensors. Got '{item}' (of type "
                            f"{type(item)}) as input for layer '{layer.name}'.")
    mask = spec.given("mask", args, kwargs)
    request = {"training": spec.given("training", args, kwargs), "scope": scope,
               "masks": None if mask is None else _nest.flatten(mask)}
    with _rill.LayerCalling(layer._core, flat, request) as calling:
        if not layer.built:
            layer._build_for(inputs)
            _rill.notice_new_variables()
        args, kwargs = _with_context(calling, spec, args, dict(kwargs))
        outputs = _call_of(layer)(inputs, *args, **kwargs)
        if outputs is None:
            raise ValueError("A layer's `call` method should return a Tensor or a list of Tensors, "
                             f"not None (layer: {layer.name}).")
        return _ended(calling, outputs)
