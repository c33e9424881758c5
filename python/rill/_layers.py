"""The base classes of layers: tf.keras.layers.Layer and tf.layers.Layer; the work is done in C++."""

import contextlib
import importlib
import threading

from rill import _layer_records, _nest, _rill
from rill._input_spec import InputSpec
from rill._layer_call import as_list, call_layer, is_native, native
from rill._variables import VariableAggregation, VariableSynchronization, Variable

_OPTIONS = {"input_dim", "input_shape", "batch_input_shape", "batch_size", "weights",
            "activity_regularizer", "autocast", "implementation"}


_calls = threading.local()  # whether a layer is being called: what is called inside of it is no part of a model


def _core_property(name, doc):
    early = f"_early_{name}"  # what a constructor sets before it calls the one of this class, which then decides

    def read(self):
        if "_core" not in self.__dict__ and early in self.__dict__:
            return self.__dict__[early]
        return getattr(self._core, name)

    def write(self, value):
        if "_core" in self.__dict__:
            setattr(self._core, name, value)
        else:
            self.__dict__[early] = value
    return property(read, write, doc=doc)


class NoDependency:
    """Around a value that is set as an attribute of a layer: the layer does not track it."""

    def __init__(self, value):
        self.value = value


class KerasLayer(_layer_records.Records):
    """A part of a network with variables of its own, made at its first call and shared by later ones."""

    _kind = ""  # the name of the C++ class that does the work; "": it is done in Python
    _weight_names = ()  # attributes that C++'s build() sets
    _owned = True  # variables of its own, not get_variable's
    _counts_from_zero = True  # the first layer of a class has its name, the second ends in _1
    _tracks_attributes = True  # layers and variables that are attributes belong to the layer
    _calls_quickly = False  # a call with one tensor that has a value is all C++'s

    built = _core_property("built", "Whether the variables are there.")
    trainable = _core_property("trainable", "Whether the variables are trained.")
    name = _core_property("name", "The name of the layer.")
    _name = _core_property("name", "The name of the layer.")
    dtype = _core_property("dtype", "The type of the variables; None before the first call.")
    _dtype = _core_property("dtype", "The type of the variables; None before the first call.")
    supports_masking = _core_property("supports_masking", "Whether masks of inputs become those of outputs.")
    stateful = _core_property("stateful", "Whether updates belong to every run, not only to training.")

    def __init__(self, trainable=True, name=None, dtype=None, dynamic=False, **kwargs):
        self._start(trainable, name, dtype, dynamic, kwargs)

    def _start(self, trainable, name, dtype, dynamic, kwargs, reuse=None, scope=None):
        for key in kwargs:
            if key not in _OPTIONS:
                raise TypeError("Keyword argument not understood:", key)
        put = lambda key, value: object.__setattr__(self, key, value)  # noqa: E731
        put("_activity_regularizer", kwargs.get("activity_regularizer"))
        put("_input_spec", None)
        put("_dynamic", dynamic)
        put("_initial_weights", kwargs.get("weights"))
        if "input_shape" in kwargs or "input_dim" in kwargs or "batch_input_shape" in kwargs:
            put("_batch_input_shape", _batch_input_shape(kwargs))
        earlier = [item for item in self.__dict__.items() if self._tracks_attributes]
        put("_core", _rill.LayerCore(self, self._kind, {
            "name": name, "trainable": trainable, "dtype": getattr(dtype, "name", dtype),
            "activity_regularizer": self._activity_regularizer, "owned": self._owned,
            "counts_from_zero": self._counts_from_zero,
            "reuse": reuse, "scope": scope}))
        if self._calls_quickly:
            self._core.keep_settings()
        for key, value in earlier:
            if not key.startswith("_"):
                self._track_attribute(value)

    # --- what subclasses say ---------------------------------------------------------------------

    @native
    def build(self, input_shape):
        """Makes the variables."""
        if self._kind:
            self._core.own_build(_shapes(input_shape))
            self._show_specs()
            for name in self._weight_names:
                setattr(self, name, self._core.added_weight(name))
        self.built = True

    @native
    def call(self, inputs, **kwargs):
        """What the layer computes."""
        if not self._kind:
            return inputs
        return self._core.own_call(as_list(inputs), kwargs.get("training"), None, [])

    @native
    def compute_output_shape(self, input_shape):
        """The shape of the output for an input of that shape."""
        return self._core.own_output_shape(input_shape)

    @native
    def compute_mask(self, inputs, mask=None):
        """The mask of the output."""
        if not self.supports_masking:
            if any(part is not None for part in as_list(mask)):
                raise TypeError(f"Layer {self.name} does not support masking, but was passed an "
                                f"input_mask: {mask}")
            return None
        return mask

    # --- calls -----------------------------------------------------------------------------------

    def __call__(self, *args, **kwargs):
        """The outputs for these inputs."""
        if "_core" not in self.__dict__:
            raise RuntimeError("You must call `super().__init__()` in the layer constructor.")
        if self._calls_quickly and len(args) == 1 and not kwargs and "call" not in self.__dict__:
            made = self._core.call_now(args[0])
            if made is not None:
                return made
        if not args or isinstance(args[0], _rill.EagerTensor):
            return call_layer(self, args, kwargs)
        outer, _calls.is_inside = getattr(_calls, "is_inside", False), True
        try:
            if not outer:
                from rill.keras._op_layers import made_by_layers
                args = (made_by_layers(args[0]), *args[1:])
            return call_layer(self, args, kwargs)
        finally:
            _calls.is_inside = outer

    def apply(self, inputs, *args, **kwargs):
        """As calling the layer."""
        return self(inputs, *args, **kwargs)

    def _build_for(self, inputs):
        if not is_native(type(self).build) or self._kind:
            self.build(_nest.map_structure(lambda x: x.shape, inputs))
        self.built = True
        if self._initial_weights is not None:
            weights, self._initial_weights = self._initial_weights, None
            self.set_weights(weights)

    # --- variables, losses, updates --------------------------------------------------------------

    def add_weight(self, name=None, shape=None, dtype=None, initializer=None, regularizer=None,
                   trainable=None, constraint=None, partitioner=None, use_resource=None,
                   synchronization=VariableSynchronization.AUTO,
                   aggregation=VariableAggregation.NONE, **kwargs):
        """A new variable of the layer, or the one that reuse finds."""
        for key in kwargs:
            if key not in ("getter", "collections", "experimental_autocast", "caching_device"):
                raise TypeError("Unknown keyword argument:", key)
        initializer, regularizer, constraint = _by_name(initializer, regularizer, constraint)
        name = "Variable" if name is None else name
        weight = self._core.add_weight(name, () if shape is None else shape, {
            "dtype": dtype, "initializer": initializer, "regularizer": regularizer,
            "trainable": trainable, "constraint": constraint, "partitioner": partitioner,
            "use_resource": use_resource, "synchronization": synchronization,
            "aggregation": aggregation, "collections": kwargs.get("collections"),
            "caching_device": kwargs.get("caching_device")})
        if isinstance(weight, Variable):
            self.__dict__.setdefault("_weights_by_name", {})[name] = weight  # as checkpoints call them
        return weight

    def add_variable(self, *args, **kwargs):
        """As add_weight."""
        return self.add_weight(*args, **kwargs)

    def add_loss(self, losses, inputs=None):
        """Losses that belong to the layer; with inputs they are there only for their sake."""
        for loss in _nest.flatten(losses):
            if loss is not None:
                self._core.add_loss(loss, inputs is not None)

    def add_update(self, updates, inputs=None):
        """Operations to be run when the layer is trained."""
        for update in updates if isinstance(updates, (list, tuple)) else [updates]:
            update = update() if callable(update) and not hasattr(update, "op") else update
            if _rill.executing_eagerly():
                continue  # it has been made
            if not isinstance(update, _rill.Operation):
                update = update.op if hasattr(update, "op") else _rill.convert_to_tensor(update).op
            self._core.add_update(update)

    @property
    def activity_regularizer(self):
        """A function that makes a loss of each output."""
        return self._activity_regularizer

    @activity_regularizer.setter
    def activity_regularizer(self, regularizer):
        self._activity_regularizer = regularizer
        self._core.set_activity_regularizer(regularizer)

    @property
    def input_spec(self):
        """What the inputs must be like."""
        return self._input_spec

    @input_spec.setter
    def input_spec(self, value):
        specs = as_list(value)
        for spec in specs:
            if spec is not None and "InputSpec" not in type(spec).__name__:
                raise TypeError(f"Layer input_spec must be an instance of InputSpec. Got: {spec}")
        object.__setattr__(self, "_input_spec", value)
        self._core.set_input_spec(specs)

    def _show_specs(self):
        """The specs that C++ has set, as objects of Python."""
        specs = [InputSpec(**spec) for spec in self._core.input_specs()]
        object.__setattr__(self, "_input_spec", specs[0] if len(specs) == 1 else specs or None)

    @property
    def dynamic(self):
        """Whether the layer can only run where values can be looked at."""
        return self._dynamic

    # --- attributes ------------------------------------------------------------------------------

    def __setattr__(self, name, value):
        if self._calls_quickly and "_core" in self.__dict__:
            self._core.settings_changed()
        if isinstance(value, NoDependency):
            object.__setattr__(self, name, value.value)
            return
        if not self._tracks_attributes or hasattr(type(self), name) or "_core" not in self.__dict__:
            object.__setattr__(self, name, value)
            return
        self.__delattr__(name, missing_ok=True)
        object.__setattr__(self, name, value)
        self._track_attribute(value)

    def __delattr__(self, name, missing_ok=False):
        if missing_ok and name not in self.__dict__:
            return
        gone = self.__dict__.get(name)
        if self._calls_quickly and "_core" in self.__dict__:
            self._core.settings_changed()
        object.__delattr__(self, name)
        if isinstance(gone, KerasLayer) and not any(gone is v for v in self.__dict__.values()):
            self._core.remove_layer(gone)

    def _track_attribute(self, value):
        if isinstance(value, (list, dict)):
            self.__dict__.setdefault("_containers", []).append(value)
        if not isinstance(value, (KerasLayer, Variable, list, tuple, dict)):
            return
        for item in _nest.flatten(value):
            if isinstance(item, KerasLayer):
                self._core.add_layer(item)
            elif isinstance(item, Variable):
                self._core.track(item, item.trainable)

    def _look_into_containers(self):
        """Layers that were put into lists after these had become attributes."""
        for container in self.__dict__.get("_containers", []):
            for item in _nest.flatten(container):
                if isinstance(item, KerasLayer):
                    self._core.add_layer(item)


def _by_name(initializer, regularizer, constraint):
    """What tf.keras knows by names and dicts."""
    given = {"initializers": initializer, "regularizers": regularizer, "constraints": constraint}
    for module, value in given.items():
        if isinstance(value, (str, dict)):
            given[module] = importlib.import_module(f"rill.keras.{module}").get(value)
    return given.values()


def _shapes(input_shape):
    """A list of shapes of what may be one shape or several."""
    several = isinstance(input_shape, (list, tuple)) and input_shape and all(
        isinstance(part, (_rill.TensorShape, list, tuple)) for part in input_shape)
    return list(input_shape) if several else [input_shape]


def _batch_input_shape(kwargs):
    if "batch_input_shape" in kwargs:
        return tuple(kwargs["batch_input_shape"])
    shape = kwargs["input_shape"] if "input_shape" in kwargs else (kwargs["input_dim"],)
    return (kwargs.get("batch_size"),) + tuple(shape)


KerasLayer.__name__ = KerasLayer.__qualname__ = "Layer"
KerasLayer.__module__ = "rill.keras.layers"  # where it has this name
_keras_style = [False]


def set_keras_style():
    """Layers made from now on keep variables as tf.keras's do."""
    _keras_style[0] = True


@contextlib.contextmanager
def keras_style_scope():
    """Layers made inside keep variables as tf.keras's do."""
    before, _keras_style[0] = _keras_style[0], True
    try:
        yield
    finally:
        _keras_style[0] = before


class Layer(KerasLayer):
    """A layer whose variables are get_variable's, in a variable scope of its own."""

    _tracks_attributes = _counts_from_zero = False

    def __init__(self, trainable=True, name=None, dtype=None, **kwargs):
        scope, self._reuse = kwargs.pop("_scope", None), kwargs.pop("_reuse", None)
        self._keras_style = _keras_style[0]
        for argument, value in (("scope", scope), ("reuse", self._reuse)):
            if self._keras_style and value is not None:
                raise ValueError(f"{argument} argument not allowed when keras style layers are "
                                 f"enabled, but saw: {value}")
        object.__setattr__(self, "_base_name", name or _rill.snake_case(type(self).__name__))
        self._start(trainable, name, dtype, False, kwargs, self._reuse, scope)

    @property
    def _owned(self):
        return self._keras_style

    def __call__(self, inputs, *args, **kwargs):
        """The outputs for these inputs; `scope` is where the first call makes the variables."""
        if "_core" not in self.__dict__:
            raise RuntimeError("You must call `super().__init__()` in the layer constructor.")
        if self._calls_quickly and not args and not kwargs and "call" not in self.__dict__:
            made = self._core.call_now(inputs)
            if made is not None:
                return made
        scope = kwargs.pop("scope", None)
        if self._keras_style and scope is not None:
            raise ValueError("scope argument not allowed when keras style layers are enabled, but "
                             f"saw: {scope}")
        return call_layer(self, (inputs,) + args, kwargs, scope)

    def add_weight(self, name, shape, dtype=None, initializer=None, regularizer=None,
                   trainable=None, constraint=None, use_resource=None,
                   synchronization=VariableSynchronization.AUTO,
                   aggregation=VariableAggregation.NONE, partitioner=None, **kwargs):
        """A new variable of the layer, or the one that reuse finds."""
        for key in kwargs:
            if key != "experimental_autocast":
                raise TypeError("Unknown keyword argument:", key)
        return super().add_weight(name, shape, dtype, initializer, regularizer, trainable, constraint,
                                  partitioner, use_resource, synchronization, aggregation)

    @property
    def graph(self):
        """Layers do not keep their graph."""
        return None

    @property
    def scope_name(self):
        """The name of the variable scope, once there is one."""
        return self._core.scope_name

    @property
    def _scope(self):
        return self._core.scope


__all__ = ["KerasLayer", "Layer", "keras_style_scope", "set_keras_style"]
