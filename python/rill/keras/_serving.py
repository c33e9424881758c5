"""The functions that a model of tf.keras is saved with where objects have values."""

from rill import _nest, _rill
from rill._function import Function
from rill._type_spec import TensorSpec


def _with_any_batch(tensor, name):
    shape = tensor.shape.as_list() if tensor.shape.ndims is not None else None
    return TensorSpec([None, *shape[1:]] if shape else shape, tensor.dtype, name=name)


def first_inputs(inputs):
    """What a model was first called with, in words: a structure of TensorSpecs."""
    number = iter(range(1, 1000))
    return _nest.map_structure(
        lambda leaf: _with_any_batch(leaf, f"input_{next(number)}") if isinstance(leaf, _rill.Tensor) else leaf, inputs)


def _inputs_of(model):
    """A structure of specs, or None where nothing is known."""
    if model.inputs and getattr(model, "_graph_network", None) is not None:
        named = [_with_any_batch(tensor, name) for tensor, name in zip(model.inputs, model.input_names)]
        nested = model._nested_inputs
        return _nest.pack_sequence_as(nested, named) if _nest.is_nested(nested) else named[0]
    if model.inputs:
        named = [_with_any_batch(tensor, name) for tensor, name in zip(model.inputs, model.input_names)]
        return named[0] if len(named) == 1 else named
    return model.__dict__.get("_first_inputs")


def _output_names(model, count):
    names = getattr(model, "output_names", None)
    return names if names and len(names) == count else [f"output_{number + 1}" for number in range(count)]


def functions(model):
    """`__call__`, traced for training and for use, and what the model is served by; by name."""
    specs = _inputs_of(model)
    if specs is None:
        raise ValueError(f"Model {model.name} cannot be saved because the input shapes have not been set. Usually, "
                         "input shapes are automatically determined from calling `.fit()` or `.predict()`. To manually "
                         "set the shapes, call `model.build(input_shape)`.")

    def call(inputs, training=False, mask=None):
        return model(inputs, training=training)

    def serve(*tensors):
        inputs = _nest.pack_sequence_as(specs, list(tensors)) if _nest.is_nested(specs) else tensors[0]
        outputs = model(inputs, training=False)
        flat = _nest.flatten(outputs)
        return dict(zip(_output_names(model, len(flat)), flat))

    called = Function(call, "call")
    for training in (False, True):
        called.get_concrete_function(specs, training=training)
    return {"__call__": called, "_default_save_signature": Function(serve, "serve", _nest.flatten(specs))}


def lists(model):
    """Lists of variables that who loads the model finds as attributes."""
    return {"variables": list(model.variables), "trainable_variables": list(model.trainable_variables),
            "non_trainable_variables": list(model.non_trainable_variables)}
