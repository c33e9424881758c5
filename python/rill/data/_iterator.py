"""Iterators: what steps take the elements of a dataset from."""

import warnings

from rill import _rill, errors
from rill.data import _nest, _optional, _structure

GET_NEXT_CALL_WARNING_THRESHOLD = 32
_MANY_CALLS = ("An unusually high number of `Iterator.get_next()` calls was detected. This often indicates that "
               "`Iterator.get_next()` is being called inside a training loop, which will cause gradual slowdown and "
               "eventual resource exhaustion. If this is the case, restructure your code to call `next_element = "
               "iterator.get_next()` once outside the loop, and use `next_element` as the input to some computation "
               "that is invoked inside the loop.")


class Iterator:
    """Walks through a dataset, one element in every step that asks."""

    def __init__(self, iterator_resource, initializer, output_types, output_shapes, output_classes):
        if output_types is None or output_shapes is None or output_classes is None:
            raise ValueError("If `structure` is not specified, all of `output_types`, `output_shapes`, and "
                             "`output_classes` must be specified.")
        spec = _structure.convert_legacy_structure(output_types, output_shapes, output_classes)
        self._take(_rill.data_iterator(iterator_resource, initializer, _structure.element_of(spec)), spec)

    def _take(self, iterator, spec):
        self._iterator, self._element_spec = iterator, spec
        self._iterator_resource = iterator.resource
        self._get_next_call_count = 0

    @classmethod
    def _of(cls, iterator, spec):
        self = cls.__new__(cls)
        self._take(iterator, spec)
        return self

    @staticmethod
    def from_structure(output_types, output_shapes=None, shared_name=None, output_classes=None):
        """An iterator for any dataset with such elements; make_initializer says which."""
        spec = _structure.complete_legacy_structure(output_types, output_shapes, output_classes)
        return Iterator._of(_rill.data_iterator_from_structure(_structure.element_of(spec), shared_name or ""), spec)

    @staticmethod
    def from_string_handle(string_handle, output_types, output_shapes=None, output_classes=None):
        """The iterator whose string_handle() a step feeds."""
        spec = _structure.complete_legacy_structure(output_types, output_shapes, output_classes)
        string_handle = _rill.convert_to_tensor(string_handle, dtype=_rill.string)
        return Iterator._of(_rill.data_iterator_from_string_handle(string_handle, _structure.element_of(spec)), spec)

    @property
    def initializer(self):
        """The operation that makes the iterator begin at the first element."""
        return self._iterator.initializer

    def make_initializer(self, dataset, name=None):
        """An operation that makes the iterator begin at the first element of `dataset`."""
        mine, theirs = self._element_spec, dataset.element_spec
        _nest.assert_same_structure(_structure.legacy_types(mine), _structure.legacy_types(theirs))
        for what, of, fits in (("classes", _structure.legacy_classes, lambda a, b: a is b or a == b),
                               ("types", _structure.legacy_types, lambda a, b: a == b),
                               ("shapes compatible with", _structure.legacy_shapes,
                                lambda a, b: a.is_compatible_with(b))):
            wanted, given = of(mine), of(theirs)
            if not all(fits(a, b) for a, b in zip(_nest.flatten(wanted), _nest.flatten(given))):
                raise TypeError(f"Expected output {what} {wanted!r} but got dataset with output "
                                f"{what.split()[0]} {given!r}.")
        return self._iterator.make_initializer(dataset._cpp, name or "")

    def get_next(self, name=None):
        """The next element; steps fail with OutOfRangeError when there is none."""
        if _rill.executing_eagerly():
            return _structure.pack(self._element_spec, self._iterator.get_next(""))
        self._get_next_call_count += 1
        if self._get_next_call_count > GET_NEXT_CALL_WARNING_THRESHOLD:
            warnings.warn(_MANY_CALLS)
        return _structure.pack(self._element_spec, self._iterator.get_next(name or ""))

    def __iter__(self):
        return self

    def __next__(self):
        if not _rill.executing_eagerly():
            if _rill.has_functional_flow():
                return self.get_next()
            raise RuntimeError("Iterating over datasets is only possible when eager execution is enabled.")
        try:
            return self.get_next()
        except errors.OutOfRangeError:
            raise StopIteration from None

    next = __next__

    def _get_next_as_optional(self):
        (made,) = self._iterator.get_next_as_optional()
        return _optional._OptionalImpl(made[1], self._element_spec)

    _get_next_optional = _get_next_as_optional

    def _trackable_children(self):
        return []

    def _saveable_for_checkpoint(self, name):
        """Where the iterator is, as a checkpoint keeps it."""
        from rill.data._saving import _Saveable
        return _Saveable(self._iterator_resource, name)

    def string_handle(self, name=None):
        """What Iterator.from_string_handle finds the iterator by, once it is run."""
        return self._iterator.string_handle(name or "")

    @property
    def output_classes(self):
        """The classes of the parts of elements."""
        return _structure.legacy_classes(self._element_spec)

    @property
    def output_shapes(self):
        """What is known of the shapes of the parts of elements."""
        return _structure.legacy_shapes(self._element_spec)

    @property
    def output_types(self):
        """The types of the parts of elements."""
        return _structure.legacy_types(self._element_spec)

    @property
    def element_spec(self):
        """What describes the elements."""
        return self._element_spec


def get_next_as_optional(iterator):
    """The next element of `iterator`, or nothing at the end, as an Optional."""
    return iterator._get_next_as_optional()
