"""Networks of layers: what models are made of, before anything trains them."""

import json

from rill import _nest, _rill
from rill._layer_call import is_native, native
from rill._layers import KerasLayer
from rill.dtypes import as_dtype
from rill.keras import _objects, _summary, backend
from rill.errors import UnimplementedError


class InputLayer(KerasLayer):
    """Where tensors enter a model."""

    _kind = "InputLayer"

    def __init__(self, input_shape=None, batch_size=None, dtype=None, input_tensor=None, sparse=False,
                 name=None, ragged=False, **kwargs):
        if sparse or ragged:
            raise UnimplementedError(None, None, "inputs that are sparse or ragged")
        batch_shape = kwargs.pop("batch_input_shape", None)
        if kwargs:
            raise ValueError(f"Unrecognized keyword arguments: {list(kwargs)}")
        name = name or _rill.unique_layer_name("input", False)
        if dtype is None:
            dtype = backend.floatx() if input_tensor is None else input_tensor.dtype.base_dtype.name
        super().__init__(name=name, dtype=as_dtype(dtype).name)
        self.sparse, self.ragged, self.batch_size = sparse, ragged, batch_size
        if batch_shape is None:
            batch_shape = (batch_size,) + tuple(input_shape) if input_shape is not None else None
        self.is_placeholder = input_tensor is None
        if input_tensor is None:
            input_tensor = backend.placeholder(shape=batch_shape, dtype=dtype, name=name)
        object.__setattr__(self, "_batch_input_shape", batch_shape or tuple(input_tensor.shape.as_list()))
        self._core.dtype = as_dtype(dtype).name
        _rill.keras_open_input(self, input_tensor)
        self.built = True

    def get_config(self):
        """The arguments that make the same layer."""
        return {"batch_input_shape": self._batch_input_shape, "dtype": self.dtype, "sparse": self.sparse,
                "ragged": self.ragged, "name": self.name}


def Input(shape=None, batch_size=None, name=None, dtype=None, sparse=False, tensor=None, ragged=False,
          **kwargs):
    """A tensor that a model will be fed with; `shape` is that of one example."""
    batch_shape = kwargs.pop("batch_shape", None)
    if kwargs:
        raise ValueError(f"Unrecognized keyword arguments: {list(kwargs)}")
    if batch_shape is not None and shape is not None:
        raise ValueError("Only provide the `shape` OR `batch_shape` argument to Input, not both at the same time.")
    if shape is None and batch_shape is None and tensor is None:
        raise ValueError("Please provide to Input either a `shape` or a `tensor` argument. Note that `shape` does "
                         "not include the batch dimension.")
    given = {"batch_input_shape": tuple(batch_shape)} if batch_shape is not None else {"input_shape": shape}
    layer = InputLayer(batch_size=batch_size, name=name, dtype=dtype, sparse=sparse, input_tensor=tensor,
                       ragged=ragged, **given)
    return layer.output


class Network(KerasLayer):
    """Layers that are one layer: between given inputs and outputs, or as `call` of a subclass says."""

    def _start_network(self, name=None, **kwargs):
        for key in kwargs:
            if key not in ("trainable", "dtype", "dynamic", "autocast"):
                raise TypeError(f"The following keyword arguments are not supported: {key}")
        KerasLayer.__init__(self, name=name, **kwargs)
        self.supports_masking = True
        put = lambda key, value: object.__setattr__(self, key, value)  # noqa: E731
        put("_graph_network", None)
        put("_is_deferred", False)  # whether the inputs were found out after it was made
        put("_own_layers", [])
        put("inputs", None)
        put("outputs", None)

    def _connect(self, inputs, outputs):
        """Makes this the network between tensors."""
        put = lambda key, value: object.__setattr__(self, key, value)  # noqa: E731
        from rill.keras._op_layers import made_by_layers
        outputs = made_by_layers(outputs)
        put("_nested_inputs", inputs)
        put("_nested_outputs", outputs)
        put("inputs", _nest.flatten(inputs))
        put("outputs", _nest.flatten(outputs))
        put("_graph_network", _rill.KerasNetwork(self.outputs[0].graph, self.inputs, self.outputs))
        put("_own_layers", self._graph_network.layers)
        put("input_names", [_rill.keras_history(tensor)[0].name for tensor in self.inputs])
        names = [_rill.keras_history(tensor)[0].name for tensor in self.outputs]
        put("output_names", [name if names.count(name) == 1 else f"{name}_{names[:i].count(name)}" if
                             names[:i].count(name) else name for i, name in enumerate(names)])
        for layer in self._own_layers:
            self._core.add_layer(layer)
        self.built = True

    @property
    def layers(self):
        """The layers, those nearest to the inputs first."""
        if self._graph_network is not None:
            return list(self._own_layers)
        self._look_into_containers()
        return _attribute_layers(self)

    @property
    def weights(self):
        """All variables, layer by layer."""
        self._look_into_containers()
        found = []
        for layer in self.layers:
            found += [variable for variable in layer.weights if not any(variable is v for v in found)]
        return found + [variable for variable in self._core.weights()
                        if not any(variable is v for v in found)]

    variables = weights

    @property
    def input(self):
        """The inputs, as they were given."""
        return self._nested_inputs if self._graph_network is not None else super().input

    @property
    def output(self):
        """The outputs, as they were given."""
        return self._nested_outputs if self._graph_network is not None else super().output

    @property
    def input_shape(self):
        """The shapes of the inputs."""
        return _nest.map_structure(lambda t: tuple(t.shape.as_list()), self.input)

    @property
    def output_shape(self):
        """The shapes of the outputs."""
        return _nest.map_structure(lambda t: tuple(t.shape.as_list()), self.output)

    @property
    def state_updates(self):
        """The updates of layers with states, which every run makes."""
        return [update for layer in self.layers if layer.stateful for update in layer.updates]

    @property
    def stateful(self):
        """Whether a layer keeps states between batches."""
        return any(layer.stateful for layer in self.layers)

    def reset_states(self):
        """Forgets the states of layers."""
        for layer in self.layers:
            if hasattr(layer, "reset_states") and layer.stateful:
                layer.reset_states()

    def get_layer(self, name=None, index=None):
        """A layer by its name or its number."""
        if index is not None:
            if len(self.layers) <= index:
                raise ValueError(f"Was asked to retrieve layer at index {index} but model only has "
                                 f"{len(self.layers)} layers.")
            return self.layers[index]
        if not name:
            raise ValueError("Provide either a layer name or layer index.")
        for layer in self.layers:
            if layer.name == name:
                return layer
        raise ValueError(f"No such layer: {name}")

    def build(self, input_shape):
        """Makes the variables of a network that is a subclass, for inputs of that shape."""
        if self._graph_network is not None or input_shape is None:
            self.built = True
            return
        several = isinstance(input_shape, list) and all(isinstance(s, (list, tuple)) for s in input_shape)
        shapes = input_shape if several else [input_shape]
        if not is_native(type(self).build):  # it has been called: this is its super().build()
            self.built = True
        scratch = [backend.placeholder(shape=tuple(shape)) for shape in shapes]
        self(scratch if several else scratch[0])

    def _build_for(self, inputs):
        if _rill.executing_eagerly():
            from rill.keras import _serving
            object.__setattr__(self, "_first_inputs", _serving.first_inputs(inputs))
        if not is_native(type(self).build):
            self.build(_nest.map_structure(lambda x: x.shape, inputs))
        self.built = True

    def call(self, inputs, training=None, mask=None):
        """What the layers make of other inputs."""
        if self._graph_network is None:
            raise NotImplementedError("When subclassing the `Model` class, you should implement a `call` method.")
        masks = None if mask is None else _nest.flatten(mask)
        made = self._graph_network.run(_nest.flatten(inputs), training, masks)
        return _nest.pack_sequence_as(self._nested_outputs, made)

    def compute_mask(self, inputs, mask):
        """The masks of the outputs."""
        if self._graph_network is None:
            return None
        made = [_rill.tensor_mask(t) for t in self._graph_network.run(
            _nest.flatten(inputs), None, None if mask is None else _nest.flatten(mask))]
        return made[0] if len(made) == 1 else made

    compute_mask._is_native = True

    def compute_output_shape(self, input_shape):
        """The shapes of the outputs for inputs of that shape."""
        import rill as tf
        with tf.Graph().as_default():
            several = isinstance(input_shape, list)
            fed = [tf.placeholder("float32", tuple(s)) for s in (input_shape if several else [input_shape])]
            clone = type(self).from_config(self.get_config())
            made = clone(fed if several else fed[0])
            return _nest.map_structure(lambda t: t.shape, made)

    # --- as text ---------------------------------------------------------------------------------

    def summary(self, line_length=None, positions=None, print_fn=None):
        """Prints the layers, their outputs and how many numbers they hold."""
        if not self.built:
            raise ValueError("This model has not yet been built. Build the model first by calling `build()` or "
                             "calling `fit()` with some data, or specify an `input_shape` argument in the first "
                             "layer(s) for automatic build.")
        _summary.print_summary(self, line_length, positions, print_fn)

    def get_config(self):
        """The layers and how they are connected, as a dict."""
        if self._graph_network is None:
            raise NotImplementedError
        return _network_config(self)

    @classmethod
    def from_config(cls, config, custom_objects=None):
        """The network that `get_config` describes."""
        inputs, outputs = _network_tensors(config, custom_objects)
        return cls(inputs=inputs, outputs=outputs, name=config.get("name"))

    def _described(self):
        return {"class_name": type(self).__name__, "config": self.get_config(), "keras_version": "2.2.4-tf",
                "backend": "tensorflow"}

    def to_json(self, **kwargs):
        """The network without its weights, as JSON."""
        return json.dumps(self._described(), default=_plain, **kwargs)

    def to_yaml(self, **kwargs):
        """Removed from TensorFlow for its dangers; JSON says the same."""
        raise UnimplementedError(None, None, "to_yaml; use to_json")

    def save(self, filepath, overwrite=True, include_optimizer=True, save_format=None, signatures=None):
        """Writes the whole model: HDF5, or a SavedModel where the format is "tf"."""
        from rill.keras import _saving
        _saving.save_model(self, filepath, overwrite, include_optimizer, save_format, signatures)

    def save_weights(self, filepath, overwrite=True, save_format=None):
        """Writes the weights: HDF5 where the name ends with ".h5", else a checkpoint."""
        from rill.keras import _saving
        _saving.save_weights(self, filepath, overwrite, save_format)

    def load_weights(self, filepath, by_name=False, skip_mismatch=False):
        """Takes weights of a file, in the order of the layers or by their names."""
        from rill.keras import _saving
        return _saving.load_weights(self, filepath, by_name, skip_mismatch)


native(Network.build)
native(Network.call)


def _attribute_layers(network):
    found = []
    for value in list(network.__dict__.values()):
        for item in _nest.flatten(value) if isinstance(value, (list, tuple, dict)) else [value]:
            if isinstance(item, KerasLayer) and item is not network and not _is_metric(item) and \
                    not any(item is known for known in found):
                found.append(item)
    return found


def _is_metric(layer):
    from rill.keras.metrics import Metric
    return isinstance(layer, Metric)


def _plain(value):
    """What JSON does not know, in a form that it does."""
    if hasattr(value, "get_config"):
        return _objects.serialize_keras_object(value)
    if hasattr(value, "as_list"):
        return value.as_list()
    if hasattr(value, "name"):
        return value.name
    if hasattr(value, "tolist"):
        return value.tolist()
    if callable(value):
        return value.__name__
    raise TypeError(f"{value!r} cannot be written down")


# --- networks as dicts ----------------------------------------------------------------------------

def _first_call(layer):
    """The number of a layer's first call: networks between tensors count themselves as one before it."""
    return 1 if getattr(layer, "_graph_network", None) is not None else 0


def _network_config(network):
    numbers, places = {}, {}  # of calls among those of the network
    first = {id(layer): _first_call(layer) for layer in network.layers}
    for layer, call in network._graph_network.calls:
        places.setdefault(id(layer), []).append(call)
    for ids, calls in places.items():
        for number, call in enumerate(sorted(calls)):
            numbers[ids, call] = number + first[ids]

    def place_of(tensor):
        layer, call, output = _rill.keras_history(tensor)
        return [layer.name, numbers.get((id(layer), call), first.get(id(layer), 0)), output]

    described = []
    for layer in network.layers:
        inbound = [[place_of(t) + [{}] for t in _nest.flatten(layer.get_input_at(call))]
                   for call in sorted(places.get(id(layer), []))]
        described.append({"name": layer.name, "class_name": type(layer).__name__,
                          "config": layer.get_config(), "inbound_nodes": inbound})
    return {"name": network.name, "layers": described,
            "input_layers": [place_of(t) for t in network.inputs],
            "output_layers": [place_of(t) for t in network.outputs]}


def _network_tensors(config, custom_objects):
    from rill.keras import layers as all_layers
    made, outputs, waiting = {}, {}, []
    for item in config["layers"]:
        layer = all_layers.deserialize({"class_name": item["class_name"], "config": item["config"]},
                                       custom_objects)
        made[item["name"]] = layer
        if not item["inbound_nodes"]:
            outputs[item["name"], 0] = _nest.flatten(layer.output)
        waiting += [(item["name"], number, node)
                    for number, node in enumerate(item["inbound_nodes"], _first_call(layer))]
    while waiting:
        left = []
        for name, number, node in waiting:
            ready = all((part[0], part[1]) in outputs for part in node) and (
                number == _first_call(made[name]) or (name, number - 1) in outputs)
            if not ready:
                left.append((name, number, node))
                continue
            tensors = [outputs[part[0], part[1]][part[2]] for part in node]
            given = tensors[0] if len(tensors) == 1 else tensors
            arguments = node[0][3] if len(node[0]) > 3 else {}
            outputs[name, number] = _nest.flatten(made[name](given, **arguments))
        if len(left) == len(waiting):
            raise ValueError("the description of the network has calls without inputs")
        waiting = left
    pick = lambda places: [outputs[name, number][index] for name, number, index in places]  # noqa: E731
    inputs, results = pick(config["input_layers"]), pick(config["output_layers"])
    return (inputs[0] if len(inputs) == 1 else inputs), (results[0] if len(results) == 1 else results)
