"""tf.saved_model.load_v2: a SavedModel's objects in the default graph."""

import collections.abc

from rill import _rill, _structured_values as structures
from rill._module import Module
from rill.proto import module

_FunctionSpec = module("tensorflow/core/protobuf/saved_object_graph.proto").FunctionSpec


class ConcreteFunction:
    """A saved function for one kind of arguments."""

    def __init__(self, core):
        self._core = core
        self.structured_input_signature = structures.decoded_bytes(core.input_signature) or ((), {})
        self.structured_outputs = structures.decoded_bytes(core.output_signature)

    @property
    def name(self):
        """The name of the function in the graph."""
        return self._core.name

    @property
    def captured_inputs(self):
        """The variables, tables and tensors that it uses."""
        return self._core.captures

    @property
    def inputs(self):
        """What describes the arguments."""
        return structures.specs(self.structured_input_signature)

    def call_with(self, tensors):
        """A call with the arguments in order."""
        made = self._core.call([_rill.convert_to_tensor(value, dtype=spec.dtype)
                                for value, spec in zip(tensors, self.inputs)])
        return structures.packed(self.structured_outputs, made)

    def __call__(self, *args, **kwargs):
        """The outputs, by name; the inputs are given by name, or where there is one by itself."""
        names = self._core.keywords or [spec.name for spec in self.inputs]
        if len(args) > len(names):
            raise TypeError(f"{self.name} takes {len(names)} arguments but got {len(args)}")
        given = {**dict(zip(names, args)), **kwargs}
        for name in given:
            if name not in names:
                raise TypeError(f"{self.name} got an unexpected keyword argument '{name}'; it takes {names}")
        missing = [name for name in names if name not in given]
        if missing:
            raise TypeError(f"{self.name} misses arguments: {missing}")
        specs = {spec.name: spec for spec in self.inputs}
        ordered = [given[name] for name in names]
        if len(specs) != len(names):
            return self.call_with(ordered)
        made = self._core.call([_rill.convert_to_tensor(given[name], dtype=specs[name].dtype if name in specs
                                                        else None) for name in names])
        return structures.packed(self.structured_outputs, made)


class RestoredFunction:
    """A saved function; which of its forms is called depends on the arguments."""

    def __init__(self, functions, spec):
        self.concrete_functions = functions
        message = _FunctionSpec.FromString(spec)
        self._names, self._defaults = _arguments(message)

    def _bound(self, args, kwargs):
        """Arguments by position as far as they have a place, the rest by name."""
        bound, rest = list(args), dict(kwargs)
        for name in self._names[len(args):]:
            if name in rest:
                bound.append(rest.pop(name))
            elif name in self._defaults:
                bound.append(self._defaults[name])
            else:
                break
        return tuple(bound), rest

    def __call__(self, *args, **kwargs):
        """What the function makes of its arguments."""
        given = self._bound(args, kwargs)
        for function in self.concrete_functions:
            wanted = function.structured_input_signature
            if structures.fits(wanted, given):
                return function.call_with(structures.tensors(wanted, given))
        options = [str(function.structured_input_signature) for function in self.concrete_functions]
        raise ValueError(f"Could not find matching function to call loaded from the SavedModel. Got: {args} {kwargs}. "
                         "Expected these arguments to match one of the following options: " + "; ".join(options))

    def get_concrete_function(self, *args, **kwargs):
        """The form for such arguments."""
        given = self._bound(args, kwargs)
        for function in self.concrete_functions:
            if structures.fits(function.structured_input_signature, given) or not (args or kwargs):
                return function
        raise ValueError("Could not find matching function to call loaded from the SavedModel.")


def _arguments(message):
    """Names and default values of a function's arguments."""
    spec = structures.decoded(message.fullargspec)
    if spec is None:
        return [], {}
    names = list(spec.args or [])
    defaults = dict(zip(reversed(names), reversed(list(spec.defaults or []))))
    return (names[1:] if message.is_method else names), defaults


class SignatureMap(collections.abc.Mapping):
    """The signatures of a model, by their keys."""

    def __init__(self, functions):
        self._functions = functions

    def __getitem__(self, key):
        return self._functions[key]

    def __iter__(self):
        return iter(self._functions)

    def __len__(self):
        return len(self._functions)

    def __repr__(self):
        return f"SignatureMap({list(self._functions)})"


class LoadedObject(Module):
    """An object of the program that saved the model, with its parts as attributes."""

    def __init__(self):  # no name scope is opened for it
        self._name = "loaded"

    def __call__(self, *args, **kwargs):
        function = vars(self).get("__call__")
        if function is None:
            raise TypeError("the object that was saved cannot be called")
        return function(*args, **kwargs)


class _Objects:
    """Makes objects of what C++ has loaded."""

    def __init__(self, described, functions):
        self._described = described
        self._functions = {name: ConcreteFunction(core) for name, core in functions.items()}
        self._made = {}

    def at(self, number):
        """The object of that number."""
        if number not in self._made:
            self._make(number)
        return self._made[number]

    def _make(self, number):
        item = self._described[number]
        if item["kind"] == "variable":
            self._made[number] = item["variable"]
        elif item["kind"] in ("tensor", "resource") and not item["children"]:
            self._made[number] = item["tensor"]
        elif item["kind"] == "signature":
            self._made[number] = self._functions[item["functions"][0]]
        elif item["kind"] == "function":
            self._made[number] = RestoredFunction([self._functions[name] for name in item["functions"]], item["spec"])
        elif item["identifier"] == "signature_map":
            self._made[number] = SignatureMap({name: self.at(child) for name, child in item["children"]})
        else:
            self._fill(number, item)

    def _fill(self, number, item):
        if item["identifier"] == "trackable_list_wrapper":
            made = self._made[number] = []
            numbered = sorted((int(name), child) for name, child in item["children"] if name.isdigit())
            made.extend(self.at(child) for _, child in numbered)
            return
        if item["identifier"] == "trackable_dict_wrapper":
            made = self._made[number] = {}
            made.update((name, self.at(child)) for name, child in item["children"])
            return
        made = self._made[number] = LoadedObject()
        for name, child in item["children"]:
            vars(made)[name] = self.at(child)


def load_v2(export_dir, tags=None):
    """The objects of a SavedModel; variables get what was saved when they are initialised."""
    import os
    wanted = None if tags is None else [tags] if isinstance(tags, str) else list(tags)
    described, functions = _rill.load_objects(os.fspath(export_dir), wanted)
    made = _Objects(described, functions)
    root = made.at(0)
    if "signatures" not in vars(root):
        root.signatures = SignatureMap({})
    root.graph = _rill.get_default_graph()
    return root
