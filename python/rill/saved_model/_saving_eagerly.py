"""tf.saved_model.save where objects have values: what is written of them; C++ writes it."""

import inspect
import os

from rill import _rill, _structured_values as structures, _trackable
from rill._concrete_function import ConcreteFunction
from rill._function import BoundFunction, Function
from rill._type_spec import TensorSpec
from rill._variables import Variable
from rill.keras import _serving
from rill.keras._network import Network
from rill.proto import module

_FunctionSpec = module("tensorflow/core/protobuf/saved_object_graph.proto").FunctionSpec
_DEFAULT = "serving_default"
_OWN_SIGNATURE = "_default_save_signature"  # of objects that say which of their functions it is
_FUNCTIONS = (Function, BoundFunction, ConcreteFunction)
_TABLES = (_rill.StaticHashTable, _rill.StaticVocabularyTable)


# --- parts of objects ------------------------------------------------------------------------------

def _functions(obj):
    """The functions of an object, by name: its own, and those of its class."""
    if isinstance(obj, (list, tuple, dict)) or not hasattr(obj, "__dict__"):
        return {}
    found = {}
    for name in sorted({*dir(type(obj)), *vars(obj)}):
        value = inspect.getattr_static(obj, name, None)
        if isinstance(value, Function) and name not in vars(obj):
            value = value.__get__(obj, type(obj))
        if isinstance(value, _FUNCTIONS):
            found[name] = value
    return found


def _functions_in(parts):
    return {name: part for name, part in parts.items() if isinstance(part, _FUNCTIONS)}


def _tables(obj):
    if isinstance(obj, (list, tuple)):
        named = [(str(number), item) for number, item in enumerate(obj)]
    elif isinstance(obj, dict):
        named = list(obj.items())
    elif isinstance(obj, _rill.StaticVocabularyTable):
        named = [("_table", obj._table)]
    else:
        named = list(getattr(obj, "__dict__", {}).items())
    return {name: value for name, value in named if isinstance(value, _TABLES)}


def _holds_more(value, depth=0):
    """Whether a list or dict holds tables or functions."""
    items = value.values() if isinstance(value, dict) else value
    return depth < 8 and any(isinstance(item, (*_TABLES, *_FUNCTIONS)) or (
        isinstance(item, (list, tuple, dict)) and _holds_more(item, depth + 1)) for item in items)


def _parts(obj):
    """All parts of an object that a model keeps."""
    if isinstance(obj, (Variable, *_FUNCTIONS, _rill.StaticHashTable)):
        return []
    parts = dict(_trackable.children(obj)) if _trackable.is_trackable(obj) else {}
    parts.update(_tables(obj))
    parts.update(_functions(obj))
    for name, value in getattr(obj, "__dict__", {}).items():
        if isinstance(value, (list, tuple, dict)) and _holds_more(value):
            parts.setdefault(name, value)
    return [(name, part) for name, part in parts.items() if isinstance(name, str)]


# --- functions -------------------------------------------------------------------------------------

def _forms(function):
    if isinstance(function, ConcreteFunction):
        return [function]
    return function._list_all_concrete_functions_for_serialization()


def _form(concrete):
    """What C++ takes of a concrete function."""
    return (concrete._core, structures.encoded(concrete.structured_input_signature).SerializeToString(),
            structures.encoded(concrete.structured_outputs).SerializeToString())


def _full_argument_spec(signature):
    kinds = inspect.Parameter
    parameters = signature.parameters.values()
    positional = [p for p in parameters if p.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD)]
    only = [p for p in parameters if p.kind is kinds.KEYWORD_ONLY]
    defaults = tuple(p.default for p in positional if p.default is not kinds.empty)
    return inspect.FullArgSpec(
        [p.name for p in positional], next((p.name for p in parameters if p.kind is kinds.VAR_POSITIONAL), None),
        next((p.name for p in parameters if p.kind is kinds.VAR_KEYWORD), None), defaults or None,
        [p.name for p in only], {p.name: p.default for p in only if p.default is not kinds.empty} or None, {})


def _spec(function):
    """The FunctionSpec, serialized."""
    spec = _FunctionSpec()
    owner = function._owner_signature if isinstance(function, ConcreteFunction) else function._signature
    if owner is not None:
        structures.encode(_full_argument_spec(owner), spec.fullargspec)
    given = None if isinstance(function, ConcreteFunction) else function.input_signature
    structures.encode(given, spec.input_signature)
    return spec.SerializeToString()


# --- signatures ------------------------------------------------------------------------------------

def _concrete_of(function):
    if isinstance(function, ConcreteFunction):
        return function
    if isinstance(function, (Function, BoundFunction)) and function.input_signature is not None:
        return function.get_concrete_function()
    return None


def _named_outputs(concrete):
    """The names of the results in order."""
    results = concrete._results
    if isinstance(results, dict):
        names, leaves = sorted(results), [results[name] for name in sorted(results)]
    elif isinstance(results, (list, tuple)):
        names, leaves = [f"output_{number}" for number in range(len(results))], list(results)
    else:
        names, leaves = ([], []) if results is None else (["output_0"], [results])
    for name, leaf in zip(names, leaves):
        if not isinstance(leaf, _rill.Tensor):
            raise ValueError(f"Got a non-Tensor value {leaf!r} for key '{name}' in the output of the function "
                             f"{concrete.name} used to generate the SavedModel signature '{name}'. Outputs for functions "
                             "used as signatures must be a single Tensor, a sequence of Tensors, or a dictionary from "
                             "string to Tensor.")
    return names


def _input_names(concrete):
    return [spec.name or name for name, spec in zip(concrete._names, concrete._arguments.specs)]


def _can_be_asked(concrete):
    try:
        _named_outputs(concrete)
    except ValueError:
        return False
    return True


def _only_signature(functions):
    """The function that a model is asked for if it says nothing else: the only one that can be."""
    if _OWN_SIGNATURE in functions:
        return _concrete_of(functions[_OWN_SIGNATURE])
    found = [concrete for concrete in map(_concrete_of, functions.values())
             if concrete is not None and _can_be_asked(concrete)]
    return found[0] if len(found) == 1 else None


def _signatures(functions, given):
    if given is None:
        only = _only_signature(functions)
        return {} if only is None else {_DEFAULT: only}
    given = given if isinstance(given, dict) else {_DEFAULT: given}
    found = {}
    for key, function in given.items():
        found[key] = _concrete_of(function)
        if found[key] is None:
            raise ValueError(
                f"Expected a TensorFlow function for which to generate a signature, but got {function}. Only "
                "`tf.functions` with an input signature or concrete functions can be used as a signature.")
    return found


# --- all together ----------------------------------------------------------------------------------

class _Objects:
    """The objects below one, numbered, as C++ takes them."""

    def __init__(self, root, more):
        self.described, self._objects, self._numbers = [], [], {}
        self._root, self._more = root, more
        self._number(root)
        for obj in self._objects:  # which grows meanwhile
            self.described.append(self._describe(obj))

    def _number(self, obj):
        key = id(obj._function if isinstance(obj, BoundFunction) else obj)
        if key not in self._numbers:
            self._numbers[key] = len(self._objects)
            self._objects.append(obj)
        return self._numbers[key]

    def _describe(self, obj):
        parts = _parts(obj) + (list(self._more.items()) if obj is self._root else [])
        made = {"children": [(name, self._number(part)) for name, part in parts]}
        if isinstance(obj, Variable):
            made["variable"] = obj
        elif isinstance(obj, _rill.StaticHashTable):
            made["table"] = obj
        elif isinstance(obj, _FUNCTIONS):
            made["forms"], made["spec"] = [_form(concrete) for concrete in _forms(obj)], _spec(obj)
        elif isinstance(obj, (list, tuple, dict)):
            kind = "list" if isinstance(obj, list) else "tuple" if isinstance(obj, tuple) else "dict"
            made["identifier"] = f"trackable_{kind}_wrapper"
        return made


def save(obj, export_dir, signatures=None):
    """Writes an object with all that is below it."""
    export_dir = os.fspath(export_dir)
    functions, more = _functions(obj), {}
    if isinstance(obj, Network):
        more = {**_serving.lists(obj), **_serving.functions(obj)}
        functions = {**functions, **_functions_in(more)}
    asked = [(key, concrete._core, _input_names(concrete), _named_outputs(concrete))
             for key, concrete in _signatures(functions, signatures).items()]
    objects = _Objects(obj, more).described
    try:
        _rill.save_objects(objects, asked, _rill.object_variables(obj), export_dir)
    except ValueError as error:
        if "'untracked' resource" in str(error):
            raise AssertionError(str(error)) from None
        raise
    _rill.ObjectSaverCore(obj).save(None, os.path.join(export_dir, "variables", "variables"))
