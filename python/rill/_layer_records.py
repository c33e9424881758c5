"""What programs ask layers for: variables, losses, updates, inputs and outputs of their calls."""

import copy
import functools
import re

import numpy as np

from rill import _nest, _rill


def _session():
    session = _rill.get_default_session()
    if session is not None:
        return session
    from rill.keras import backend
    return backend.get_session()


def _assignment(variable, value):
    """The placeholder and the operation that set a variable; made once."""
    if not hasattr(variable, "_assign_placeholder"):
        shape = [None] * np.ndim(value)
        variable._assign_placeholder = _rill.placeholder(variable.dtype.base_dtype, shape)
        variable._assign_op = variable.assign(variable._assign_placeholder)
    return variable._assign_placeholder, variable._assign_op


def _before_numbering(layer):
    """The name of a layer; where it was made of the class's name and a number, the former."""
    base = _rill.snake_case(type(layer).__name__)
    return base if re.fullmatch(re.escape(base) + r"(_\d+)?", layer.name) else layer.name


def _one_or_list(values):
    return values[0] if len(values) == 1 else values


def _variables(name, doc):
    def read(self):
        self._look_into_containers()
        return getattr(self._core, name)()
    return property(read, doc=doc)


class Records:
    """The part of layers that is asked, not called."""

    trainable_weights = _variables("trainable_weights", "The variables that are trained.")
    non_trainable_weights = _variables("non_trainable_weights", "The variables that are not.")
    weights = _variables("weights", "All variables, first those that are trained.")
    trainable_variables = trainable_weights
    non_trainable_variables = non_trainable_weights
    variables = weights
    losses = _variables("losses", "The losses of weights and outputs; those of weights are made anew.")
    updates = _variables("updates", "The operations to be run when the layer is trained.")

    def get_losses_for(self, inputs):
        """The losses that come from these inputs; None: those that come from none."""
        self._look_into_containers()
        return self._core.losses_for([] if inputs is None else _nest.flatten(inputs))

    def get_updates_for(self, inputs):
        """The updates that come from these inputs; None: those that come from none."""
        self._look_into_containers()
        return self._core.updates_for([] if inputs is None else _nest.flatten(inputs))

    def count_params(self):
        """How many numbers the variables hold."""
        self._look_into_containers()
        return self._core.count_params()

    def get_weights(self):
        """The values of the variables."""
        weights = self.weights
        if weights and all(weight._is_eager for weight in weights):
            return [weight.numpy() for weight in weights]
        return _session().run(weights) if weights else []

    def set_weights(self, weights):
        """Gives the variables these values."""
        variables = self.weights
        if len(variables) != len(weights):
            raise ValueError(f'You called `set_weights(weights)` on layer "{self.name}" with a weight '
                             f"list of length {len(weights)}, but the layer was expecting "
                             f"{len(variables)} weights. Provided weights: {str(weights)[:50]}...")
        feeds, operations = {}, []
        for variable, value in zip(variables, weights):
            shape = np.shape(value)
            if not variable.shape.is_compatible_with(shape):
                raise ValueError(f"Layer weight shape {variable.shape} not compatible with provided "
                                 f"weight shape {shape}")
            if variable._is_eager:
                with _rill.eager_graph().as_default():
                    variable.assign(np.asarray(value, dtype=variable.dtype.base_dtype.as_numpy_dtype))
                continue
            placeholder, operation = _assignment(variable, value)
            feeds[placeholder] = np.asarray(value, dtype=variable.dtype.base_dtype.as_numpy_dtype)
            operations.append(operation)
        if operations:
            _session().run(operations, feed_dict=feeds)

    # --- calls whose inputs come from layers -----------------------------------------------------

    def _of_call(self, index, what, name):
        count = self._core.call_count
        if not count:
            raise RuntimeError(f"The layer has never been called and thus has no defined {name}.")
        if index >= count:
            raise ValueError(f"Asked to get {name} at node {index}, but the layer has only {count} "
                             "inbound nodes.")
        return _one_or_list(getattr(self._core, what)(index))

    def get_input_at(self, node_index):
        """The inputs of one call."""
        return self._of_call(node_index, "inputs_of_call", "input")

    def get_output_at(self, node_index):
        """The outputs of one call."""
        return self._of_call(node_index, "outputs_of_call", "output")

    def get_input_shape_at(self, node_index):
        """The shapes of the inputs of one call."""
        return _shapes(self._of_call(node_index, "inputs_of_call", "input shape"))

    def get_output_shape_at(self, node_index):
        """The shapes of the outputs of one call."""
        return _shapes(self._of_call(node_index, "outputs_of_call", "output shape"))

    def get_input_mask_at(self, node_index):
        """The masks of the inputs of one call."""
        return _masks(self.get_input_at(node_index))

    def get_output_mask_at(self, node_index):
        """The masks of the outputs of one call."""
        return _masks(self.get_output_at(node_index))

    @property
    def input(self):
        """The inputs of the first call."""
        if not self._core.call_count:
            raise AttributeError(f"Layer {self.name} is not connected, no input to return.")
        return self.get_input_at(0)

    @property
    def output(self):
        """The outputs of the first call."""
        if not self._core.call_count:
            raise AttributeError(f"Layer {self.name} has no inbound nodes.")
        return self.get_output_at(0)

    @property
    def input_mask(self):
        """The masks of the inputs of the first call."""
        return _masks(self.input)

    @property
    def output_mask(self):
        """The masks of the outputs of the first call."""
        return _masks(self.output)

    @property
    def input_shape(self):
        """The shape of the inputs, where all calls had the same."""
        if not self._core.call_count:
            raise AttributeError("The layer has never been called and thus has no defined input shape.")
        return self._same_of_all(self.get_input_shape_at, "input")

    @property
    def output_shape(self):
        """The shape of the outputs, where all calls had the same."""
        if not self._core.call_count:
            raise AttributeError("The layer has never been called and thus has no defined output shape.")
        return self._same_of_all(self.get_output_shape_at, "output")

    def _same_of_all(self, shape_at, what):
        shapes = [shape_at(i) for i in range(self._core.call_count)]
        if any(str(shape) != str(shapes[0]) for shape in shapes):
            raise AttributeError(f'The layer "{self.name}" has multiple inbound nodes, with different '
                                 f'{what} shapes. Hence the notion of "{what} shape" is ill-defined for '
                                 f"the layer. Use `get_{what}_shape_at(node_index)` instead.")
        return shapes[0]

    @property
    def inbound_nodes(self):
        """The calls whose inputs come from layers, by number."""
        return list(range(self._core.call_count))

    @property
    def outbound_nodes(self):
        """Calls of other layers that use this one's outputs: models keep them."""
        return []

    _inbound_nodes, _outbound_nodes = inbound_nodes, outbound_nodes  # as programs of the time say

    # --- as tf.Module ----------------------------------------------------------------------------

    @property
    def submodules(self):
        """The layers inside, each before its own."""
        self._look_into_containers()
        found = []
        for value in self.__dict__.values():
            for item in _nest.flatten(value) if isinstance(value, (list, tuple, dict)) else [value]:
                if isinstance(item, Records) and all(item is not known for known in found):
                    found.extend([item, *item.submodules])
        return tuple(found)

    @property
    def name_scope(self):
        """A name scope of the layer's name."""
        from rill import name_scope
        return name_scope(self.name)

    @classmethod
    def with_name_scope(cls, method):
        """A method that makes its nodes in the layer's name scope."""
        @functools.wraps(method)
        def scoped(self, *args, **kwargs):
            with self.name_scope:
                return method(self, *args, **kwargs)
        return scoped

    @property
    def metrics(self):
        """What add_metric has added."""
        return list(self.__dict__.get("_metrics", []))

    def add_metric(self, value, aggregation=None, name=None):
        """A value to be followed: the mean of `value`, or what a metric has made of it."""
        if aggregation is not None and aggregation != "mean":
            raise ValueError("We currently support only `mean` sample-wise metric aggregation. You "
                             f"provided aggregation=`{aggregation}`")
        metric = getattr(value, "_metric_obj", None)
        if name is None and metric is None:
            raise ValueError("Please provide a name for your metric like `self.add_metric("
                             "tf.reduce_sum(inputs), name='mean_activation', aggregation='mean')`")
        if metric is None:
            from rill.keras import metrics
            metric = metrics.Mean(name=name)
            value = metric(value)
        self.__dict__.setdefault("_metrics", []).append(metric)
        self.__dict__.setdefault("_metric_results", []).append((name or metric.name, value))

    def compute_output_signature(self, input_signature):
        """The TensorSpec of the output for inputs of these."""
        from rill import TensorSpec
        shapes = _nest.map_structure(lambda spec: spec.shape, input_signature)
        dtype = self.dtype or _nest.flatten(input_signature)[0].dtype
        return _nest.map_structure(lambda shape: TensorSpec(shape=shape, dtype=dtype),
                                   self.compute_output_shape(shapes))

    def __deepcopy__(self, memo):
        """A layer like this one, with variables of its own; only before it has any."""
        if self.built and self.weights:
            raise NotImplementedError(f"the layer {self.name} has variables: it cannot be copied")
        copied = object.__new__(type(self))
        memo[id(self)] = copied
        object.__setattr__(copied, "_keras_style", self.__dict__.get("_keras_style", False))
        object.__setattr__(copied, "_core", _rill.LayerCore(copied, self._kind, {
            "name": _before_numbering(self), "trainable": self.trainable, "dtype": self.dtype,
            "activity_regularizer": self._activity_regularizer, "owned": self._owned,
            "counts_from_zero": self._counts_from_zero, "reuse": self.__dict__.get("_reuse"),
            "scope": None}))
        copied._core.name = self.name
        for name, value in self.__dict__.items():
            if name != "_core":
                value = value if callable(value) and not isinstance(value, Records) \
                    else copy.deepcopy(value, memo)
                object.__setattr__(copied, name, value)
                if self._tracks_attributes and not name.startswith("_"):
                    copied._track_attribute(value)
        copied.supports_masking, copied.stateful = self.supports_masking, self.stateful
        if self._input_spec is not None:
            copied.input_spec = self._input_spec
        return copied

    def get_config(self):
        """The arguments that make the same layer."""
        config = {"name": self.name, "trainable": self.trainable}
        if hasattr(self, "_batch_input_shape"):
            config["batch_input_shape"] = self._batch_input_shape
        config["dtype"] = self.dtype
        return config

    @classmethod
    def from_config(cls, config):
        """The layer that `get_config` describes."""
        return cls(**config)


def _shapes(tensors):
    return _nest.map_structure(lambda tensor: tuple(tensor.shape.as_list()), tensors)


def _masks(tensors):
    return _nest.map_structure(_rill.tensor_mask, tensors)
