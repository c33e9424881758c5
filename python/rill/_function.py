"""tf.function: a Python function becomes functions of the graph, one for each signature of its calls."""

import functools
import inspect
import threading
import weakref

from rill import _concrete_function, _nest, _rill, _trace_values
from rill import logging as _logging
from rill._type_spec import TensorSpec

_switches = {"eagerly": False}
_RETRACES_TOLD, _MOST_WARNINGS = 5, 2


def run_functions_eagerly(run_eagerly):
    """Whether functions run as Python has them, each op at once, not as functions of the graph."""
    _switches["eagerly"] = bool(run_eagerly)


def functions_run_eagerly():
    """Whether run_functions_eagerly is on."""
    return _switches["eagerly"]


def _spec_text(specs):
    return ", ".join(map(str, specs))


class Function:
    """What tf.function makes of a Python function. Calls with arguments of a new signature build it anew."""

    def __init__(self, python_function, name=None, input_signature=None, autograph=True,
                 autograph_options=None, relax_shapes=False):
        self.python_function = python_function
        self._python_function = python_function
        self._name = name or getattr(python_function, "__name__", type(python_function).__name__)
        self._signature = inspect.signature(python_function)
        if input_signature is not None and not isinstance(input_signature, (list, tuple)):
            raise TypeError("input_signature must be either a tuple or a list, got " + str(type(input_signature)))
        self.input_signature = None if input_signature is None else tuple(input_signature)
        self._autograph, self._autograph_options = autograph, autograph_options
        self._relax_shapes = relax_shapes
        self._cache = _rill.FunctionCache()
        self._concrete = []
        self._made_variables = False
        self._lock = threading.RLock()
        self._bound = weakref.WeakKeyDictionary()
        self._of_instances = {}
        self._traces_in_a_row = self._warnings = 0
        functools.update_wrapper(self, python_function)

    # --- calls ---------------------------------------------------------------------------------

    def __call__(self, *args, **kwargs):
        if _switches["eagerly"]:
            return self.python_function(*args, **kwargs)
        found = self._cache.call(args, kwargs)
        if found is not None:
            self._traces_in_a_row = 0
            return found[0]
        return self._first_call(args, kwargs)

    def _first_call(self, args, kwargs):
        with self._lock:
            concrete, tensors = self._find_or_trace(args, kwargs)
            if self.input_signature is None:
                self._cache.add(args, kwargs, concrete._core, concrete._pack)
        return concrete._call_flat(tensors)

    def _find_or_trace(self, args, kwargs):
        """The concrete function for a call, and the tensors to call it with."""
        canonical = self._canonical(args, kwargs)
        call = _trace_values.Arguments(*canonical)
        if self.input_signature is not None:
            return self._of_signature(call), call.tensors()
        found = self._cache.concrete(*canonical)
        if found is not None:
            return next(c for c in self._concrete if c._core is found), call.tensors()
        concrete = self._relaxed(call)
        if concrete is None:
            self._warn_of_retracing(call)
            concrete = self._trace(call)
            self._concrete.append(concrete)
        self._cache.add(*canonical, concrete._core, concrete._pack)
        return concrete, call.tensors()

    def _canonical(self, args, kwargs):
        """The call as positional arguments with their defaults, and those that are keywords only."""
        try:
            bound = self._signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"Binding inputs to tf.function failed due to `{error}`. Received args: {args} and "
                            f"kwargs: {kwargs} for signature: {self._signature}.") from None
        bound.apply_defaults()
        if self.input_signature is None:
            return bound.args, bound.kwargs
        return self._as_signature_says(bound), {}

    def _as_signature_says(self, bound):
        args = bound.args + tuple(bound.kwargs.values())
        specs, fixed = self.input_signature, args[len(self.input_signature):]
        if len(args) < len(specs) or not self._are_defaults(fixed, len(specs)):
            raise TypeError("Python inputs incompatible with input_signature: inputs "
                            f"({_spec_text(args)}), input_signature ({_spec_text(specs)}).")
        return tuple(_trace_values.fitted(value, spec, args, specs)
                     for value, spec in zip(args, specs)) + fixed

    def _are_defaults(self, values, start):
        parameters = list(self._signature.parameters.values())[start:]
        return all(value is parameter.default or parameter.kind is parameter.VAR_POSITIONAL and not value
                   for value, parameter in zip(values, parameters)) and len(values) <= len(parameters)

    def _of_signature(self, call):
        """With a signature there is one for each graph and other Python values."""
        described = call.replaced(lambda spec, _: spec)
        args = self.input_signature + described[0][len(self.input_signature):]
        found = self._cache.concrete(args, {})
        if found is not None:
            return next(c for c in self._concrete if c._core is found)
        concrete = self._trace(_trace_values.Arguments(args, {}))
        self._concrete.append(concrete)
        self._cache.add(args, {}, concrete._core, concrete._pack)
        return concrete

    # --- traces --------------------------------------------------------------------------------

    def _converted(self):
        if not self._autograph:
            return self.python_function
        from rill.autograph import _api
        return _api.converted_for_function(self.python_function, self._autograph_options)

    def _trace(self, call):
        traced = _concrete_function.trace(self._converted(), self._name, call, not self._made_any(), self)
        if traced.made_variables:
            self._made_variables = True
            traced = _concrete_function.trace(self._converted(), self._name, call, False, self)
        return traced

    def _made_any(self):
        return self._made_variables or bool(self._concrete)

    def _relaxed(self, call):
        """Of a function that takes shapes to be alike: one whose shapes fit, perhaps made now."""
        if not self._relax_shapes:
            return None
        alike = [c for c in self._concrete if c._arguments.is_like(call)]
        for concrete in alike:
            if concrete._arguments.accepts(call):
                return concrete
        if not alike:
            return None
        concrete = self._trace(call.merged_with(alike[-1]._arguments))
        self._concrete.append(concrete)
        return concrete

    def _warn_of_retracing(self, call):
        self._traces_in_a_row += 1
        count = len(self._concrete) + 1
        if self._traces_in_a_row < _RETRACES_TOLD or count <= _RETRACES_TOLD or self._warnings == _MOST_WARNINGS:
            return
        self._warnings += 1
        _logging.warning(
            "%d out of the last %d calls to %s triggered tf.function retracing. Tracing is expensive and the "
            "excessive number of tracings could be due to (1) creating @tf.function repeatedly in a loop, "
            "(2) passing tensors with different shapes, (3) passing Python objects instead of tensors. "
            "What changed last: %s.", self._traces_in_a_row, self._traces_in_a_row, self.python_function,
            call.named(list(self._signature.parameters)).difference_from(self._concrete[-1]._arguments))

    # --- what programs ask ---------------------------------------------------------------------

    def get_concrete_function(self, *args, **kwargs):
        """The function for arguments like these, or ones that TensorSpecs describe."""
        if self.input_signature is not None and not args and not kwargs:
            args = self.input_signature
        with self._lock:
            return self._find_or_trace(args, kwargs)[0]

    def experimental_get_tracing_count(self):
        """How often the function was built."""
        return len(self._concrete)

    @property
    def name(self):
        """The Python function's name."""
        return self._name

    def _list_all_concrete_functions(self):
        if not self._concrete and self.input_signature is not None:
            self.get_concrete_function()
        return list(self._concrete)

    _list_all_concrete_functions_for_serialization = _list_all_concrete_functions

    def _decorate(self, decorator):
        """Another Python function in the place of this one, which was not called yet."""
        if self._concrete:
            raise ValueError("Functions cannot be decorated after they have been traced.")
        self.python_function = self._python_function = decorator(self.python_function)
        self._signature = inspect.signature(self.python_function)

    def __get__(self, instance, owner):
        if instance is None:
            return self
        try:
            known = self._bound.get(instance)
            if known is None:
                known = self._bound[instance] = self._of_instance(instance)
        except TypeError:  # no weak references, or no hash
            known = self._of_instances.get(id(instance))
            if known is None:
                known = self._of_instances[id(instance)] = self._of_instance(instance)
        return BoundFunction(known, instance)

    def _of_instance(self, instance):
        method = _WeakMethod(self.python_function, instance)
        signature = self.input_signature
        return Function(method, self._name, signature, self._autograph, self._autograph_options,
                        self._relax_shapes)

    def __repr__(self):
        return f"<tensorflow.python.eager.def_function.Function object at 0x{id(self):x}>"


class BoundFunction:
    """A function of an object, which it keeps; what the object has of functions does not."""

    __slots__ = ("_function", "_instance")

    def __init__(self, function, instance):
        self._function, self._instance = function, instance

    def __call__(self, *args, **kwargs):
        return self._function(*args, **kwargs)

    def __getattr__(self, name):
        return getattr(self._function, name)


class _WeakMethod:
    """A method that does not keep its object."""

    def __init__(self, function, instance):
        functools.update_wrapper(self, function)
        self._function = function
        self._instance = weakref.ref(instance) if hasattr(type(instance), "__weakref__") else (lambda: instance)
        parameters = list(inspect.signature(function).parameters.values())[1:]
        self.__signature__ = inspect.Signature(parameters)

    @property
    def __self__(self):
        return self._instance()

    @property
    def __func__(self):
        return self._function

    def __call__(self, *args, **kwargs):
        return self._function(self._instance(), *args, **kwargs)


def function(func=None, input_signature=None, autograph=True, experimental_autograph_options=None,
             experimental_relax_shapes=False, experimental_compile=None, *, jit_compile=None,
             reduce_retracing=False, experimental_implements=None, experimental_follow_type_hints=None,
             experimental_attributes=None):
    """Makes calls of `func` calls of a function of the graph. Its body is built once for each signature of its
    arguments: structure, types and shapes of tensors, values of other Python objects. Its effects happen in the
    order in which they are written; Python's control flow that depends on tensors becomes part of the graph."""
    del experimental_compile, jit_compile, experimental_implements, experimental_follow_type_hints
    del experimental_attributes

    def decorate(inner):
        if not callable(inner):
            raise TypeError(f"tf.function takes a function, got {inner!r}")
        return Function(inner, None, input_signature, autograph, experimental_autograph_options,
                        bool(experimental_relax_shapes or reduce_retracing))

    return decorate if func is None else decorate(func)


def defun(func=None, input_signature=None, autograph=True, experimental_autograph_options=None):
    """tf.contrib.eager.defun: tf.function, whose variables may be made by any call."""
    return function(func, input_signature, autograph, experimental_autograph_options)


def _as_specs(values):
    return _nest.map_structure(
        lambda leaf: TensorSpec(leaf.shape, leaf.dtype) if isinstance(leaf, _rill.Tensor) else leaf, values)
