"""What libraries of 2017 to 2020 expect of Python and NumPy and no longer find there: aliases that later versions took
away. Found by Python itself when this folder is on its path."""
import collections
import collections.abc
import inspect

import numpy

for _name in ("Callable", "Hashable", "Iterable", "Iterator", "Mapping", "MutableMapping", "MutableSequence", "MutableSet",
              "OrderedDict", "Sequence", "Set", "Sized", "Container", "Generator", "KeysView", "ValuesView", "ItemsView",
              "MappingView"):
    if not hasattr(collections, _name):
        setattr(collections, _name, getattr(collections.abc, _name))

for _name, _type in (("bool", bool), ("int", int), ("float", float), ("complex", complex), ("object", object),
                     ("str", str), ("long", int), ("unicode", str)):
    if _name not in vars(numpy):
        setattr(numpy, _name, _type)

_issubdtype = numpy.issubdtype


def _issubdtype_as_before(arg1, arg2):
    """Until NumPy 1.14 `float` stood for every floating-point type here, `int` for every integer."""
    return _issubdtype(arg1, {float: numpy.floating, int: numpy.integer, complex: numpy.complexfloating}.get(arg2, arg2))


numpy.issubdtype = _issubdtype_as_before
_savez, _load = numpy.savez, numpy.load


def _ragged(value):
    """A list of arrays of several shapes as an array of objects, which NumPy made of it by itself until 1.24."""
    if not isinstance(value, list) or len({numpy.shape(item) for item in value}) < 2:
        return value
    made = numpy.empty(len(value), object)
    made[:] = value
    return made


numpy.savez = lambda file, *args, **kwds: _savez(
    file, *map(_ragged, args), **{name: _ragged(value) for name, value in kwds.items()})
numpy.load = lambda file, mmap_mode=None, allow_pickle=True, **kwds: _load(file, mmap_mode, allow_pickle, **kwds)


def _getargspec(function):
    """Removed in Python 3.11; without keyword-only arguments and annotations."""
    spec = inspect.getfullargspec(function)
    return inspect.ArgSpec(spec.args, spec.varargs, spec.varkw, spec.defaults)


if not hasattr(inspect, "getargspec"):
    inspect.ArgSpec = collections.namedtuple("ArgSpec", "args varargs keywords defaults")
    inspect.getargspec = _getargspec


class _Text(str):
    """Text of an HDF5 attribute, which was bytes before h5py 3."""

    def decode(self, *_):
        return str(self)


def _as_before(value):
    if isinstance(value, str):
        return _Text(value)
    if isinstance(value, numpy.ndarray) and value.dtype == object:
        return numpy.array([_as_before(item) for item in value.ravel()], object).reshape(value.shape)
    return value


def _give_texts(h5py):
    read = h5py.AttributeManager.__getitem__
    h5py.AttributeManager.__getitem__ = lambda self, name: _as_before(read(self, name))


try:
    import h5py
    _give_texts(h5py)
except ImportError:
    pass
