"""Classes of tf.contrib.eager: stores of variables, savers, networks."""

import contextlib

import numpy as np

import rill
from rill import _rill, raw_ops
from rill.keras._engine import Model


class EagerVariableStore:
    """Within `as_default`, get_variable finds what was made by the same name."""

    def __init__(self, store=None):
        if store is not None and not isinstance(store, EagerVariableStore):
            raise ValueError("Cannot construct EagerVariableStore from a VariableStore object that does not hold "
                             "eager variables.")
        self._native = _rill.EagerVariableStore() if store is None else store._native

    @contextlib.contextmanager
    def as_default(self):
        """The store is used in the block."""
        self._native.enter()
        try:
            yield
        finally:
            self._native.leave()

    def variables(self):
        """All variables, by name."""
        return self._native.variables()

    def trainable_variables(self):
        """Those that are trained."""
        return [variable for variable in self.variables() if variable.trainable]

    def non_trainable_variables(self):
        """Those that are not."""
        return [variable for variable in self.variables() if not variable.trainable]

    def copy(self):
        """A store with copies of the variables."""
        copied = EagerVariableStore()
        with copied.as_default():
            for variable in self.variables():
                rill.get_variable(variable.name.split(":")[0], initializer=variable.read_value(),
                                  trainable=variable.trainable)
        return copied


def _by_name(var_list):
    if isinstance(var_list, dict):
        return dict(var_list)
    names = {}
    for variable in var_list:
        name = variable.name.split(":")[0]
        if name in names:
            raise ValueError(f"At least two variables have the same name: {name}")
        names[name] = variable
    return names


class Saver:
    """Writes and reads the values of variables by their names."""

    def __init__(self, var_list):
        if not rill.executing_eagerly():
            raise RuntimeError("tfe.Saver can only be used when eager execution is enabled. Use tf.train.Saver when "
                               "building graphs.")
        self._variables = _by_name(var_list)

    def save(self, file_prefix, global_step=None):
        """The prefix of the checkpoint."""
        if global_step is not None:
            file_prefix = f"{file_prefix}-{int(np.asarray(global_step))}"
        names = sorted(self._variables)
        raw_ops.SaveV2(prefix=file_prefix, tensor_names=names, shape_and_slices=[""] * len(names),
                       tensors=[self._variables[name].read_value() for name in names])
        return file_prefix

    def restore(self, file_prefix):
        """Gives the variables the values of a checkpoint."""
        names = sorted(self._variables)
        values = raw_ops.RestoreV2(prefix=file_prefix, tensor_names=names, shape_and_slices=[""] * len(names),
                                   dtypes=[self._variables[name].dtype.base_dtype for name in names])
        for name, value in zip(names, values):
            self._variables[name].assign(value)


class Network(Model):
    """Layers that are called by `call`, and are made known by `track_layer`."""

    def track_layer(self, layer):
        """The layer, whose variables are the network's from now on."""
        if not hasattr(layer, "_core"):
            raise TypeError(f"Network.track_layer() passed type {type(layer)}, not a tf.layers.Layer")
        self._core.add_layer(layer)
        tracked = self.__dict__.setdefault("_tracked_layers", [])
        if not any(layer is known for known in tracked):
            tracked.append(layer)
        return layer


class Sequential(Network):
    """Layers one after the other; functions may stand between them."""

    def __init__(self, layers_funcs=None, name=None):
        super().__init__(name=name)
        object.__setattr__(self, "_layers_funcs", [])
        for item in layers_funcs or []:
            self.add(item)

    def add(self, layer_func):
        """One more layer or function at the end."""
        self._layers_funcs.append(self.track_layer(layer_func) if hasattr(layer_func, "_core") else layer_func)

    def call(self, inputs, training=None):
        """What the layers make of the inputs."""
        for item in self._layers_funcs:
            takes = hasattr(item, "_core") and "training" in item.call.__code__.co_varnames
            inputs = item(inputs, training=training) if takes else item(inputs)
        return inputs


def save_network_checkpoint(network, save_path, global_step=None, map_func=None):
    """Writes the variables of a network by their names."""
    map_func = map_func or (lambda name: name)
    return Saver({map_func(v.name.split(":")[0]): v for v in network.variables}).save(save_path, global_step)


def restore_network_checkpoint(network, save_path, map_func=None):
    """Gives the variables of a network the values of a checkpoint."""
    map_func = map_func or (lambda name: name)
    Saver({map_func(v.name.split(":")[0]): v for v in network.variables}).restore(save_path)


def get_optimizer_variables(optimizer):
    """The variables of an optimizer."""
    return optimizer.variables()
