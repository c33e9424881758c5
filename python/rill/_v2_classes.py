"""Classes of tf.compat.v2 that are not version 1's, and its functions that have a text of their own."""

import inspect

import rill
from rill import _resource_variable


class _MakesResources(type):
    """Calls make resource variables; every variable is an instance."""

    def __call__(cls, initial_value=None, trainable=None, validate_shape=True, caching_device=None, name=None,
                 variable_def=None, dtype=None, import_scope=None, constraint=None,
                 synchronization=rill.VariableSynchronization.AUTO, aggregation=rill.VariableAggregation.NONE,
                 shape=None):
        return rill.Variable(
            initial_value, trainable, validate_shape=validate_shape, caching_device=caching_device, name=name,
            variable_def=variable_def, dtype=dtype, import_scope=import_scope, constraint=constraint,
            synchronization=synchronization, aggregation=aggregation, shape=shape, use_resource=True)

    def __instancecheck__(cls, value):
        return isinstance(value, rill.Variable)

    def __subclasscheck__(cls, other):
        return issubclass(other, (rill.Variable, _resource_variable.ResourceVariable))


class Variable(metaclass=_MakesResources):
    """A variable as version 2 makes them."""

    SaveSliceInfo = rill.Variable.SaveSliceInfo


class name_scope:
    """tf.name_scope, which has only a name there."""

    def __init__(self, name):
        if not isinstance(name, str) and name is not None:
            raise ValueError("name for name_scope must be a string.")
        self._name = name
        self._scopes = []

    @property
    def name(self):
        return self._name

    def __enter__(self):
        self._scopes.append(rill.name_scope(self._name))
        return self._scopes[-1].__enter__()

    def __exit__(self, *exception):
        return self._scopes.pop().__exit__(*exception)


def _initializer(base, *names, **defaults):
    """An initializer that is given its dtype only when it is called."""

    class Initializer(base):
        def __init__(self, *args, **kwargs):
            given = dict(zip(names, args, strict=False)) | kwargs
            unknown = set(given) - set(names)
            if unknown or len(args) > len(names):
                raise TypeError(f"{type(self).__name__} takes {', '.join(names) or 'no arguments'}, got "
                                f"{sorted(unknown) or args}")
            super().__init__(**(defaults | given))

    Initializer.__name__ = Initializer.__qualname__ = base.__name__
    return Initializer


_SCALING = ("scale", "mode", "distribution", "seed")
_INITIALIZERS = {
    "constant": _initializer(rill.constant_initializer, "value"),
    "zeros": _initializer(rill.zeros_initializer), "ones": _initializer(rill.ones_initializer),
    "random_normal": _initializer(rill.random_normal_initializer, "mean", "stddev", "seed", stddev=0.05),
    "random_uniform": _initializer(rill.random_uniform_initializer, "minval", "maxval", "seed",
                                   minval=-0.05, maxval=0.05),
    "truncated_normal": _initializer(rill.truncated_normal_initializer, "mean", "stddev", "seed", stddev=0.05),
    "variance_scaling": _initializer(rill.variance_scaling_initializer, *_SCALING),
    "orthogonal": _initializer(rill.orthogonal_initializer, "gain", "seed"),
    "identity": _initializer(rill.initializers.identity, "gain"),
    "glorot_uniform": _initializer(rill.glorot_uniform_initializer, "seed"),
    "glorot_normal": _initializer(rill.glorot_normal_initializer, "seed"),
    "he_uniform": rill.initializers.he_uniform, "he_normal": rill.initializers.he_normal,
    "lecun_uniform": rill.initializers.lecun_uniform, "lecun_normal": rill.initializers.lecun_normal}
_CLASS_NAMES = {name: "".join(part.capitalize() for part in name.split("_")) for name in _INITIALIZERS}


def _with_defaults(base, **defaults):
    """A layer with other defaults, which has the name and the arguments of its base."""
    signature = inspect.signature(base.__init__)
    names = list(signature.parameters)[1:]

    class Layer(base):
        def __init__(self, *args, **kwargs):
            given = dict(zip(names, args, strict=False)) | kwargs
            super().__init__(**(defaults | given))

    Layer.__name__ = Layer.__qualname__ = base.__name__
    Layer.__init__.__signature__ = signature.replace(parameters=[
        parameter.replace(default=defaults.get(name, parameter.default))
        for name, parameter in signature.parameters.items()])
    return Layer


_GATES = {"recurrent_activation": "sigmoid", "implementation": 2}
_LAYERS = {
    "LSTM": _with_defaults(rill.keras.layers.LSTM, **_GATES),
    "LSTMCell": _with_defaults(rill.keras.layers.LSTMCell, **_GATES),
    "GRU": _with_defaults(rill.keras.layers.GRU, **_GATES, reset_after=True),
    "GRUCell": _with_defaults(rill.keras.layers.GRUCell, **_GATES, reset_after=True)}


class BatchNormalization(rill.keras.layers.BatchNormalization):
    """Normalises by the moving averages while it is not trainable."""

    def call(self, inputs, training=None):
        return super().call(inputs, training=training if self.trainable else False)


def executing_eagerly():
    return rill.executing_eagerly()


def strings_split(input, sep=None, maxsplit=-1, name=None):
    """A ragged tensor of the parts."""
    return rill.strings.split(input, sep, maxsplit, result_type="RaggedTensor", name=name)


def assert_equal_graph_def(expected, actual):
    return rill.test.assert_equal_graph_def(actual, expected)


NAMES = {
    "Variable": Variable, "train.Checkpoint": rill.train.Checkpoint, "name_scope": name_scope, "executing_eagerly": executing_eagerly,
    "keras.layers.BatchNormalization": BatchNormalization,
    **{f"keras.layers.{name}": made for name, made in _LAYERS.items()},
    "lookup.StaticHashTable": rill.lookup.StaticHashTable,
    "lookup.StaticVocabularyTable": rill.lookup.StaticVocabularyTable,
    "strings.split": strings_split, "test.assert_equal_graph_def": assert_equal_graph_def,
    **{f"{name}_initializer": made for name, made in _INITIALIZERS.items()
       if name in ("constant", "zeros", "ones", "random_normal", "random_uniform")},
    **{f"{place}.{shown}": made for name, made in _INITIALIZERS.items() for place in ("initializers", "keras.initializers")
       for shown in (name, _CLASS_NAMES[name])}}
