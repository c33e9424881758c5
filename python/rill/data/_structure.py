"""What elements of datasets are made of, between Python's structures and the flat lists of C++."""

from rill import _rill
from rill._composite_specs import OptionalSpec, RaggedTensorSpec, SparseTensorSpec, TensorArraySpec
from rill._ragged_tensor import RaggedTensor, RaggedTensorValue
from rill._sparse_tensor import SparseTensor, SparseTensorValue
from rill._tensor_array import TensorArray
from rill._type_spec import TensorSpec, TypeSpec, type_spec_from_value
from rill.data import _nest

TENSOR, SPARSE, RAGGED, ARRAY, DATASET, OPTIONAL = range(6)


class DatasetSpec(TypeSpec):
    """A dataset whose elements are described by `element_spec`."""

    __slots__ = ["_element_spec", "_dataset_shape"]

    def __init__(self, element_spec, dataset_shape=()):
        self._element_spec, self._dataset_shape = element_spec, _rill.as_shape(dataset_shape)

    @property
    def value_type(self):
        from rill.data import _dataset
        return _dataset._VariantDataset

    @staticmethod
    def from_value(value):
        """What describes a dataset."""
        return DatasetSpec(value.element_spec)

    def is_compatible_with(self, spec_or_value):
        """Whether the elements of the other fit."""
        other = spec_or_value if isinstance(spec_or_value, TypeSpec) else type_spec(spec_or_value)
        return (isinstance(other, DatasetSpec) and are_compatible(self._element_spec, other._element_spec)
                and self._dataset_shape.is_compatible_with(other._dataset_shape))

    def most_specific_compatible_type(self, other):
        """The narrowest description that both fit."""
        if not isinstance(other, DatasetSpec):
            raise ValueError(f"No TypeSpec is compatible with both {self} and {other}")
        spec = _nest.map_structure(lambda a, b: a.most_specific_compatible_type(b), self._element_spec,
                                   other._element_spec)
        return DatasetSpec(spec, self._dataset_shape.most_specific_compatible_shape(other._dataset_shape))

    def _serialize(self):
        return self._element_spec, self._dataset_shape


def type_spec(value):
    """What describes a leaf of an element."""
    if isinstance(value, TypeSpec):
        return value
    if hasattr(value, "element_spec") and hasattr(value, "_variant_tensor"):
        return DatasetSpec(value.element_spec)
    return type_spec_from_value(value)


def are_compatible(spec1, spec2):
    """Whether two structures of descriptions are of one form and fit."""
    try:
        _nest.assert_same_structure(spec1, spec2)
    except (TypeError, ValueError):
        return False
    return all(a.is_compatible_with(b) for a, b in zip(_nest.flatten(spec1), _nest.flatten(spec2)))


def form_of(structure):
    """The form alone: the structure with numbers as leaves."""
    return _nest.pack_sequence_as(structure, list(range(len(_nest.flatten(structure)))))


# --- descriptions -------------------------------------------------------------------------------


def _part(kind, dtype, shape, ragged_rank=0, splits=_rill.int64, infer_shape=True, element=None):
    return kind, dtype, shape, ragged_rank, splits, infer_shape, element


def _part_of(spec):
    """A description as C++ takes it."""
    if isinstance(spec, SparseTensorSpec):
        return _part(SPARSE, spec._dtype, spec._shape)
    if isinstance(spec, RaggedTensorSpec):
        return _part(RAGGED, spec._dtype, spec._shape, spec._ragged_rank, spec._row_splits_dtype)
    if isinstance(spec, TensorArraySpec):
        return _part(ARRAY, spec._dtype, spec._element_shape, infer_shape=spec._infer_shape)
    if isinstance(spec, DatasetSpec):
        return _part(DATASET, _rill.variant, spec._dataset_shape, element=element_of(spec._element_spec))
    if isinstance(spec, OptionalSpec):
        return _part(OPTIONAL, _rill.variant, (), element=element_of(spec._value_structure))
    if isinstance(spec, TensorSpec):
        return _part(TENSOR, spec.dtype, spec.shape)
    raise TypeError(f"Could not build a structure for {spec!r}")


def _spec_of(part):
    """A description of C++ as programs know it."""
    kind, dtype, shape, ragged_rank, splits, infer_shape, element = part
    if kind == SPARSE:
        return SparseTensorSpec(shape, dtype)
    if kind == RAGGED:
        return RaggedTensorSpec(shape, dtype, ragged_rank, splits)
    if kind == ARRAY:
        return TensorArraySpec(shape, dtype, infer_shape=infer_shape)
    if kind == DATASET:
        return DatasetSpec(spec_of(element), shape)
    if kind == OPTIONAL:
        return OptionalSpec(spec_of(element))
    return TensorSpec(shape, dtype)


def element_of(spec):
    """A structure of descriptions as C++ takes it."""
    return [_part_of(leaf) for leaf in _nest.flatten(spec)], form_of(spec)


def spec_of(element):
    """A structure of descriptions of what C++ gives."""
    parts, form = element
    if form is None:
        form = 0 if len(parts) == 1 else tuple(range(len(parts)))
    return _nest.pack_sequence_as(form, [_spec_of(part) for part in parts])


# --- values -------------------------------------------------------------------------------------


def _leaf(value):
    if isinstance(value, SparseTensorValue):
        return SparseTensor.from_value(value)
    if isinstance(value, RaggedTensorValue):
        from rill import ragged
        return ragged.constant(value.to_list(), dtype=value.flat_values.dtype)
    return value


def flat_values(structure):
    """The leaves of an element for C++."""
    return [_leaf(leaf) for leaf in _nest.flatten(structure)]


def _value_of(given):
    """A leaf that C++ gives; datasets and optionals come as (kind, variant, element)."""
    if not isinstance(given, tuple):
        return given
    from rill.data import _dataset, _optional
    kind, variant, element = given
    if kind == DATASET:
        return _dataset._VariantDataset(variant, spec_of(element))
    return _optional._OptionalImpl(variant, spec_of(element))


def pack(form, values):
    """An element of the leaves that C++ gives."""
    return _nest.pack_sequence_as(form, [_value_of(value) for value in values])


def called_with(func, args):
    """`func` of an element, its control flow as ops: a tuple is taken apart."""
    from rill.autograph import _api
    func = _api.converted(func)
    return func(*args) if type(args) is tuple else func(args)


def _result(result, transformation):
    if isinstance(result, list):  # py_func returns lists of tensors that need not stack
        result = tuple(result)
    values = []
    for leaf in flat_values(result):
        try:
            known = isinstance(leaf, (_rill.Tensor, SparseTensor, RaggedTensor, TensorArray))
            values.append(leaf if known or hasattr(leaf, "_nested") else _rill.convert_to_tensor(leaf))
        except (TypeError, ValueError):
            raise TypeError(f"Unsupported return value from function passed to {transformation}: "
                            f"{result}.") from None
    return values, form_of(result)


def element_function(func, spec, transformation):
    """`func` for C++: takes a list of leaves of elements of `spec`; returns leaves and their form."""

    def of_leaves(values):
        return _result(called_with(func, pack(spec, values)), transformation)

    of_leaves.__name__ = _function_name(func)
    return of_leaves


def _function_name(func):
    if hasattr(func, "__name__"):
        return func.__name__
    inner = getattr(func, "func", None)  # functools.partial
    return _function_name(inner) if inner is not None else type(func).__name__


def state_function(func, state, spec, transformation):
    """The same for functions of a state and an element."""
    count = len(_nest.flatten(state))

    def of_leaves(values):
        before = pack(state, values[:count])
        return _result(func(before, pack(spec, values[count:])), transformation)

    of_leaves.__name__ = _function_name(func)
    return of_leaves


# --- what TensorFlow had before element_spec ----------------------------------------------------


def legacy_types(spec):
    return _nest.map_structure(lambda leaf: leaf if isinstance(leaf, (DatasetSpec, OptionalSpec))
                               else leaf._dtype, spec)


def legacy_shapes(spec):
    return _nest.map_structure(_legacy_shape, spec)


def _legacy_shape(spec):
    if isinstance(spec, (DatasetSpec, OptionalSpec)):
        return spec
    if isinstance(spec, TensorArraySpec):
        return _rill.TensorShape([spec._dynamic_size, spec._infer_shape]).concatenate(spec._element_shape)
    return spec._shape


def legacy_classes(spec):
    return _nest.map_structure(_legacy_class, spec)


def _legacy_class(spec):
    if isinstance(spec, (DatasetSpec, OptionalSpec, RaggedTensorSpec)):
        return spec
    return spec.value_type


def _from_legacy(dtype, shape, kind):
    if isinstance(kind, TypeSpec):
        return kind
    if isinstance(kind, type) and issubclass(kind, SparseTensor):
        return SparseTensorSpec(shape, dtype)
    if isinstance(kind, type) and issubclass(kind, _rill.Tensor):
        return TensorSpec(shape, dtype)
    if isinstance(kind, type) and issubclass(kind, TensorArray):
        dims = shape.as_list()
        return TensorArraySpec(dims[2:], dtype, dynamic_size=bool(dims[0]), infer_shape=bool(dims[1]))
    raise TypeError(f"Could not build a structure for output class {getattr(kind, '__name__', kind)}. Make sure any "
                    "component class in `output_classes` inherits from one of the following classes: `tf.TypeSpec`, "
                    "`tf.sparse.SparseTensor`, `tf.Tensor`, `tf.TensorArray`.")


def convert_legacy_structure(output_types, output_shapes, output_classes):
    """A structure of descriptions of three structures of types, shapes and classes."""
    leaves = [_from_legacy(dtype, shape, kind) for dtype, shape, kind in zip(
        _nest.flatten(output_types), _nest.flatten(output_shapes), _nest.flatten(output_classes))]
    return _nest.pack_sequence_as(output_classes, leaves)


def complete_legacy_structure(output_types, output_shapes, output_classes):
    """The same, where shapes and classes may be left out."""
    output_types = _nest.map_structure(_rill.as_dtype, output_types)
    if output_shapes is None:
        output_shapes = _nest.map_structure(lambda _: _rill.TensorShape(None), output_types)
    else:
        output_shapes = _nest.map_structure_up_to(output_types, _rill.as_shape, output_shapes)
    if output_classes is None:
        output_classes = _nest.map_structure(lambda _: _rill.Tensor, output_types)
    _nest.assert_same_structure(output_types, output_shapes)
    return convert_legacy_structure(output_types, output_shapes, output_classes)


def TensorStructure(dtype, shape):
    """A description of a tensor."""
    return TensorSpec(shape, dtype)


def SparseTensorStructure(dtype, shape):
    """A description of a SparseTensor."""
    return SparseTensorSpec(shape, dtype)


def RaggedTensorStructure(dtype, shape, ragged_rank):
    """A description of a RaggedTensor."""
    return RaggedTensorSpec(shape, dtype, ragged_rank)


def TensorArrayStructure(dtype, element_shape, dynamic_size, infer_shape):
    """A description of a TensorArray."""
    return TensorArraySpec(element_shape, dtype, dynamic_size, infer_shape)
