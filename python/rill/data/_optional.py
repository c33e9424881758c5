"""Optional: something, or nothing, which a step finds out."""

from rill import _rill
from rill._composite_specs import OptionalSpec
from rill.data import _nest, _structure


class Optional:
    """Something of a known structure, or nothing."""

    def has_value(self, name=None):
        """Whether there is something, a bool tensor."""
        raise NotImplementedError("Optional.has_value()")

    def get_value(self, name=None):
        """What there is; steps fail where there is nothing."""
        raise NotImplementedError("Optional.get_value()")

    @property
    def value_structure(self):
        """What describes the value."""
        raise NotImplementedError("Optional.value_structure")

    @staticmethod
    def from_value(value):
        """An Optional that holds `value`."""
        (made,) = _rill.data_optional_from_value(_structure.flat_values(value))
        kind, variant, (parts, _) = made
        return _OptionalImpl(variant, _structure.spec_of((parts, _structure.form_of(value))))

    @staticmethod
    def none_from_structure(value_structure):
        """An Optional that holds nothing."""
        (made,) = _rill.data_optional_none(_structure.element_of(value_structure))
        return _OptionalImpl(made[1], value_structure)


class _OptionalImpl(Optional):

    def __init__(self, variant_tensor, value_structure):
        self._variant_tensor, self._value_structure = variant_tensor, value_structure

    def _like(self, variant):
        """Another one of the same structure."""
        return _OptionalImpl(variant, self._value_structure)

    @property
    def _nested(self):
        return _structure.OPTIONAL, self._variant_tensor, _structure.element_of(self._value_structure)

    @property
    def _type_spec(self):
        return OptionalSpec(self._value_structure)

    def has_value(self, name=None):
        """Whether there is something, a bool tensor."""
        return _rill.data_optional_has_value(self._nested, name or "")

    def get_value(self, name=None):
        """What there is; steps fail where there is nothing."""
        return _structure.pack(self._value_structure, _rill.data_optional_get_value(self._nested, name or ""))

    @property
    def value_structure(self):
        """What describes the value."""
        return self._value_structure


def _compatible(self, spec_or_value):
    other = spec_or_value if isinstance(spec_or_value, OptionalSpec) else getattr(spec_or_value, "_type_spec", None)
    return isinstance(other, OptionalSpec) and _structure.are_compatible(self._value_structure, other._value_structure)


def _common(self, other):
    if not isinstance(other, OptionalSpec):
        raise ValueError(f"No TypeSpec is compatible with both {self} and {other}")
    return OptionalSpec(_nest.map_structure(lambda a, b: a.most_specific_compatible_type(b), self._value_structure,
                                            other._value_structure))


OptionalSpec.is_compatible_with = _compatible  # values may be structures
OptionalSpec.most_specific_compatible_type = _common
