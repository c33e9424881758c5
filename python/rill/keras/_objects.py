"""Objects of tf.keras as dicts that can be written down, and back."""

import codecs
import inspect
import marshal
import types

_CUSTOM = {}


def get_custom_objects():
    """The classes and functions that programs have given names."""
    return _CUSTOM


class CustomObjectScope:
    """Names for classes and functions of a program, while a `with` block lasts."""

    def __init__(self, *args):
        self.custom_objects = args
        self.backup = None

    def __enter__(self):
        self.backup = _CUSTOM.copy()
        for objects in self.custom_objects:
            _CUSTOM.update(objects)
        return self

    def __exit__(self, *exception):
        _CUSTOM.clear()
        _CUSTOM.update(self.backup)


def custom_object_scope(*args):
    """As CustomObjectScope."""
    return CustomObjectScope(*args)


def serialize_keras_object(instance):
    """A dict of the class and the settings of an object; the name of a function."""
    if instance is None:
        return None
    if hasattr(instance, "get_config"):
        config = {key: value if isinstance(value, (str, type(None))) or not hasattr(value, "get_config")
                  else serialize_keras_object(value) for key, value in instance.get_config().items()}
        return {"class_name": type(instance).__name__, "config": config}
    if hasattr(instance, "__name__"):
        return instance.__name__
    raise ValueError(f"Cannot serialize {instance}")


def _known(name, module_objects, custom_objects):
    for objects in (custom_objects or {}, _CUSTOM, module_objects or {}):
        if name in objects:
            return objects[name]
    return None


def deserialize_keras_object(identifier, module_objects=None, custom_objects=None,
                             printable_module_name="object"):
    """The object that a dict or a name describes."""
    if identifier is None:
        return None
    if isinstance(identifier, dict):
        if not isinstance(identifier, dict) or "class_name" not in identifier or "config" not in identifier:
            raise ValueError(f"Improper config format: {identifier}")
        name, config = identifier["class_name"], identifier["config"]
        cls = _known(name, module_objects, custom_objects)
        if cls is None:
            raise ValueError(f"Unknown {printable_module_name}: {name}")
        if not hasattr(cls, "from_config"):
            with CustomObjectScope(custom_objects or {}):
                return cls(**config)
        if "custom_objects" in inspect.signature(cls.from_config).parameters:
            return cls.from_config(config, custom_objects={**_CUSTOM, **(custom_objects or {})})
        with CustomObjectScope(custom_objects or {}):
            return cls.from_config(config)
    if isinstance(identifier, str):
        found = _known(identifier, module_objects, custom_objects)
        if found is None:
            raise ValueError(f"Unknown {printable_module_name}: {identifier}")
        return found() if inspect.isclass(found) else found
    if inspect.isfunction(identifier) or callable(identifier):
        return identifier
    raise ValueError(f"Could not interpret serialized {printable_module_name}: {identifier}")


def func_dump(func):
    """The code of a function, its defaults and what it has closed over, as values that JSON can hold."""
    code = codecs.encode(marshal.dumps(func.__code__), "base64").decode("ascii")
    closure = tuple(cell.cell_contents for cell in func.__closure__) if func.__closure__ else None
    return code, func.__defaults__, closure


def func_load(code, defaults=None, closure=None, globs=None):
    """The function that func_dump has described, which finds other names in `globs`."""
    if isinstance(code, (tuple, list)):
        code, defaults, closure = code
    defaults = tuple(defaults) if isinstance(defaults, list) else defaults
    cells = None if closure is None else tuple(
        value if isinstance(value, types.CellType) else types.CellType(value) for value in closure)
    code = marshal.loads(codecs.decode(code.encode("ascii"), "base64"))
    return types.FunctionType(code, globals() if globs is None else globs, name=code.co_name, argdefs=defaults,
                              closure=cells)


class Names:
    """The public names of a module, some of which are found when they are asked for."""

    def __init__(self, module):
        self._module = module

    def __contains__(self, name):
        return not name.startswith("_") and getattr(self._module, name, None) is not None

    def __getitem__(self, name):
        return getattr(self._module, name)


class Configured:
    """Objects whose settings are the arguments of their constructor."""

    def get_config(self):
        """The arguments that make the same object."""
        return {name: getattr(self, name) for name in inspect.signature(type(self).__init__).parameters
                if name not in ("self", "kwargs", "args")}

    @classmethod
    def from_config(cls, config):
        """The object that `get_config` describes."""
        return cls(**config)
