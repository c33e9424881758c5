"""What checkpoints of objects ask objects of programs for: their parts, by name."""

from rill import _rill
from rill._layers import KerasLayer, NoDependency  # noqa: F401
from rill._module import Module
from rill._optimizers import Optimizer
from rill._variables import Variable

# Attributes that hold what is a part of the object already, or no part of it.
_OWN = frozenset(("_containers", "_own_layers", "_stack", "_metrics", "_metric_results", "_cells", "_cell",
                  "_nested_inputs", "_nested_outputs", "_object_saver", "_graph_network", "_training",
                  "_weights_by_name", "_first_inputs"))


class PythonState:
    """Something that is saved in checkpoints as a text; subclasses say how."""

    def serialize(self):
        """The state as bytes."""
        raise NotImplementedError("serialize")

    def deserialize(self, string_value):
        """Takes the state from bytes."""
        raise NotImplementedError("deserialize")


def is_python_state(value):
    """Whether the value writes and reads itself."""
    return isinstance(value, PythonState)


def _is_keras_optimizer(value):
    return isinstance(getattr(value, "_core", None), _rill.KerasOptimizer)


def _is_tf_optimizer(value):
    return type(value).__name__ == "TFOptimizer" and hasattr(value, "iterations")


def is_trackable(value):
    """Whether checkpoints can keep the value; lists and dicts that hold such values are."""
    if isinstance(value, (Variable, KerasLayer, Module, Optimizer, _rill.MutableTable, PythonState)):
        return True
    if isinstance(value, (list, tuple)):
        return any(is_trackable(item) for item in value)
    if isinstance(value, dict):
        return any(is_trackable(item) for item in value.values())
    return (_is_keras_optimizer(value) or _is_tf_optimizer(value) or hasattr(value, "_trackable_children"))


def attributes(value):
    """The attributes that are parts, in the order in which they were set."""
    ignored = getattr(type(value), "_UNTRACKED", ())
    return [(name, part) for name, part in vars(value).items()
            if name not in _OWN and name not in ignored and is_trackable(part)]


def _numbered(layers):
    """The layers of a model, which are parts by number."""
    found, with_weights = [], 0
    for number, layer in enumerate(layers):
        if layer.weights:
            found.append((f"layer_with_weights-{with_weights}", layer))
            with_weights += 1
        found.append((f"layer-{number}", layer))
    return found


def _cell_parts(cell):
    """What cells around others call them."""
    if isinstance(vars(cell).get("_cells"), (list, tuple)):
        return [(f"cell-{number}", part) for number, part in enumerate(cell._cells)]
    return [("cell", cell._cell)] if isinstance(vars(cell).get("_cell"), KerasLayer) else []


def _layer_parts(layer):
    layer._look_into_containers()
    if not layer._tracks_attributes:
        return _rill.named_weights(layer) + _cell_parts(layer)
    found = _numbered(layer.layers) if getattr(layer, "_graph_network", None) is not None else []
    found += list(vars(layer).get("_weights_by_name", {}).items())
    named = {name for name, _ in found}
    found += [(name, part) for name, part in attributes(layer) if name not in named]
    known = {id(part) for _, part in found}
    inside = {id(part) for part in _variables_in(found)}
    return found + [(name, variable) for name, variable in _rill.named_weights(layer)
                    if id(variable) not in known and id(variable) not in inside]


def _variables_in(parts):
    for _, part in parts:
        if isinstance(part, KerasLayer):
            yield from part.weights
        elif isinstance(part, (list, tuple, dict)):
            yield from _variables_in(children(part))
        elif isinstance(part, Variable):
            yield part


def children(value):
    """The parts of an object that checkpoints keep: pairs of name and object."""
    if isinstance(value, (list, tuple)):
        return [(str(number), item) for number, item in enumerate(value) if is_trackable(item)]
    if isinstance(value, dict):
        return [(key, item) for key, item in value.items() if isinstance(key, str) and is_trackable(item)]
    if hasattr(value, "_trackable_children"):
        return value._trackable_children()
    if isinstance(value, KerasLayer):
        return _layer_parts(value)
    if _is_tf_optimizer(value):
        return [("optimizer", value.optimizer), ("global_step", value.iterations)]
    return attributes(value)
