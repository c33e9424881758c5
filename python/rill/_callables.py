"""What Python's own functions have besides being callable, for those of C++: a signature, code, defaults, pickling.

Programs look at functions (inspect.signature, __code__.co_varnames, inspect.isfunction), copy them, pickle them and
wrap them. The attributes are made from the signature when they are first asked for.
"""

import functools
import importlib
import re
import types

from rill import _rill, _surface


@functools.cache
def _model(function):
    """A Python function of the same signature that calls this one."""
    given, passed, defaults = [], [], {}
    has_star = False
    for name, p in function.__signature__.parameters.items():
        star = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        if p.kind is p.KEYWORD_ONLY and not has_star:
            given.append("*")
        has_star = has_star or p.kind in (p.KEYWORD_ONLY, p.VAR_POSITIONAL)
        if p.default is not p.empty:
            defaults[name] = p.default
        given.append(star + name + (f"=_defaults['{name}']" if name in defaults else ""))
        by_name = p.kind is p.KEYWORD_ONLY or not getattr(function, "takes_positional", True)
        passed.append(f"{name}={name}" if by_name and not star else star + name)
    names = {"_defaults": defaults, "_function": function, "__name__": function.__module__}
    made = eval(f"lambda {', '.join(given)}: _function({', '.join(passed)})", names)
    code = made.__code__.replace(co_name=function.__name__, co_qualname=function.__qualname__, co_filename="<rill>")
    model = types.FunctionType(code, names, function.__name__, made.__defaults__)
    model.__kwdefaults__ = made.__kwdefaults__
    return model


@functools.cache
def _bound_signature(function):
    """The signature of a function that nanobind made: "def run(self, fetches: object = \\0) -> object"."""
    import __future__
    import inspect
    text, _, defaults = function.__nb_signature__[0]
    names = {"_defaults": defaults}
    source = re.sub(r"\\(\d+)", r"_defaults[\1]", re.sub(r"^def\s*\(", "def nameless(", text))
    exec(compile(source + ": pass", "<rill>", "exec", __future__.annotations.compiler_flag), names)
    made = inspect.signature(next(value for value in names.values() if inspect.isfunction(value)))
    plain = [p.replace(annotation=p.empty) for p in made.parameters.values()]
    return made.replace(parameters=plain, return_annotation=made.empty)


def _raw_op(name, takes_positional):
    return _rill.op_function(name) if takes_positional else _rill.raw_op(name)


def _reduce_by_name(function):
    return function.__qualname__  # pickled like Python's functions, by module and name


def _reduce_table_function(function):
    module, name = function.__module__, function.__qualname__
    if getattr(importlib.import_module(module), name, None) is function:
        return name
    return _surface.table_function, (f"{module}.{name}".removeprefix("rill.").removeprefix("_rill.functions."),)


def _reduce_raw_op(function):
    return _raw_op, (function.op_name, function.takes_positional)


def _reduce_method(method):
    return getattr, (method.__self__, method.__name__)


_CODE = ("__code__", "__defaults__", "__kwdefaults__", "__globals__", "__closure__")


def _look_like_functions(kind, reduce):
    """Gives a type of callable objects what types.FunctionType has."""
    for name in _CODE:
        setattr(kind, name, property(lambda self, name=name: getattr(_model(self), name)))
    kind.__annotations__ = property(lambda self: {})
    kind.__reduce__ = reduce
    _rill.set_type_attribute(kind, "__class__", property(lambda self: types.FunctionType))


_look_like_functions(type(_rill.functions.nn.relu), _reduce_table_function)
_look_like_functions(_rill.RawOp, _reduce_raw_op)
_METHOD = type(_rill.Session.run)
for _kind in (type(_rill.constant), _METHOD):
    _look_like_functions(_kind, _reduce_by_name)
    _kind.__repr__ = lambda self: f"<function {self.__qualname__} at {id(self):#x}>"
    _kind.__signature__ = property(_bound_signature)


def _class_signature(kind):
    """What a class of C++ is called with; inspect looks no further than its __new__, which says nothing."""
    for base in kind.__mro__:
        if "__signature__" in vars(base):
            return vars(base)["__signature__"]
        init = vars(base).get("__init__")
        if type(init) is _METHOD:
            signature = init.__signature__
            return signature.replace(parameters=list(signature.parameters.values())[1:])
        if init is not None or isinstance(vars(base).get("__new__"), staticmethod):
            break  # a class of Python
    raise AttributeError("__signature__")


for _kind in {type(value) for value in vars(_rill).values() if isinstance(value, type)} - {type}:
    _kind.__signature__ = property(_class_signature)
_bound = type(_rill.float32.is_compatible_with)
_bound.__reduce__ = _reduce_method
_bound.__repr__ = lambda self: f"<bound method {self.__func__.__qualname__} of {self.__self__!r}>"
_rill.set_type_attribute(_bound, "__class__", property(lambda self: types.MethodType))
