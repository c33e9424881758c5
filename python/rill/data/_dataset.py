"""tf.data.Dataset: structures around the datasets of C++."""

from rill import _rill
from rill.data import _generator, _nest, _structure
from rill.data._iterator import Iterator
from rill.data._options import Options

AUTOTUNE = -1


class DatasetV2:
    """A sequence of elements, each a structure of tensors."""

    _options_said = None  # what with_options said at this stage
    _made_by_cpp = None

    def __init__(self, variant_tensor):
        self._variant_tensor_attr = variant_tensor

    @property
    def _variant_tensor(self):
        return self._variant_tensor_attr

    @property
    def _cpp(self):
        """The dataset of C++; of a subclass of a program, made of its tensor and description."""
        if self._made_by_cpp is None:
            made = _rill.Dataset(self._variant_tensor, _structure.element_of(self.element_spec))
            self._made_by_cpp = made.with_options(self.options()._flat())
        return self._made_by_cpp

    @property
    def _nested(self):
        return _structure.DATASET, self._variant_tensor, _structure.element_of(self.element_spec)

    @property
    def _type_spec(self):
        return _structure.DatasetSpec(self.element_spec)

    def _inputs(self):
        """The datasets that this one is made of."""
        raise NotImplementedError("Dataset._inputs")

    @property
    def element_spec(self):
        """What describes the elements."""
        raise NotImplementedError("Dataset.element_spec")

    def _functions(self):
        return []

    @property
    def _flat_structure(self):
        """What nodes of datasets state of their elements."""
        types, shapes = _rill.data_carriers(_structure.element_of(self.element_spec))
        return {"output_shapes": shapes, "output_types": types}

    @property
    def _graph(self):
        return self._variant_tensor.graph

    def _apply_options(self):
        """The same with what the options ask for."""
        return self._next(self._cpp.with_options_applied())

    def _next(self, made, form=None, inputs=None):
        """A dataset of what C++ made of this one; `form` where its elements are of another form."""
        return DatasetV1Adapter._of(made, [self] if inputs is None else inputs, form)

    def _function(self, func, transformation):
        return _structure.element_function(func, self.element_spec, f"Dataset.{transformation}()")

    def options(self):
        """What was said about how this dataset and those it is made of are run."""
        options = Options()
        for dataset in self._inputs():
            options = options.merge(dataset.options())
        return options if self._options_said is None else options.merge(self._options_said)

    def __iter__(self):
        if _rill.executing_eagerly():
            return make_one_shot_iterator(self)
        if _rill.has_functional_flow():
            from rill.data import _graph_iterator
            return _graph_iterator.make(self)
        raise RuntimeError("__iter__() is only supported inside of tf.function or when eager execution is enabled.")

    def __repr__(self):
        shapes = str(_nest.map_structure(str, _structure.legacy_shapes(self.element_spec))).replace("'", "")
        types = str(_nest.map_structure(repr, _structure.legacy_types(self.element_spec))).replace("'", "")
        return f"<{type(self).__name__} shapes: {shapes}, types: {types}>"

    # --- where elements come from ---------------------------------------------------------------

    @staticmethod
    def from_tensors(tensors):
        """One element: `tensors`."""
        return _source(_rill.data_from_tensors(_structure.flat_values(tensors)), tensors)

    @staticmethod
    def from_tensor_slices(tensors):
        """The rows of `tensors`, one element each."""
        return _source(_rill.data_from_tensor_slices(_structure.flat_values(tensors)), tensors)

    @staticmethod
    def from_generator(generator, output_types, output_shapes=None, args=None):
        """What the generator `generator(*args)` yields."""
        return _source(_generator.from_generator(generator, output_types, output_shapes, args))

    @staticmethod
    def range(*args):
        """Numbers as Python's range gives them."""
        if not 1 <= len(args) <= 3:
            raise ValueError(f"Invalid arguments to RangeDataset: {args}")
        start, stop, step = (0, *args, 1) if len(args) == 1 else (*args, 1)[:3]
        return _source(_rill.data_range(start, stop, step))

    @staticmethod
    def zip(datasets):
        """Elements of several datasets side by side; ends with the shortest."""
        leaves = _nest.flatten(datasets)
        for dataset in leaves:
            if not isinstance(dataset, DatasetV2):
                message = "The argument to `Dataset.zip()` must be a nested structure of `Dataset` objects."
                if isinstance(dataset, list):
                    message += " Nested structures do not support Python lists; please use a tuple instead."
                raise TypeError(message)
        form = _nest.map_structure(lambda dataset: dataset.element_spec, datasets)
        return DatasetV1Adapter._of(_rill.data_zip([d._cpp for d in leaves]), leaves, form)

    @staticmethod
    def list_files(file_pattern, shuffle=None, seed=None):
        """The names of all files that match, in random order unless told otherwise."""
        return _source(_rill.data_list_files(file_pattern, True if shuffle is None else bool(shuffle), seed))

    # --- what is done to them -------------------------------------------------------------------

    def concatenate(self, dataset):
        """The elements of this one, then those of `dataset`."""
        for what, of in (("types", _structure.legacy_types), ("classes", _structure.legacy_classes)):
            mine, theirs = of(self.element_spec), of(dataset.element_spec)
            if mine != theirs:
                raise TypeError(f"Two datasets to concatenate have different {what} {mine} and {theirs}")
        return self._next(self._cpp.concatenate(dataset._cpp), inputs=[self, dataset])

    def repeat(self, count=None):
        """This dataset `count` times, or without end."""
        return self._next(self._cpp.repeat(-1 if count is None else count))

    def enumerate(self, start=0):
        """Pairs of a number and an element."""
        form = (0, self.element_spec)
        return self._next(self._cpp.enumerate(start), form)

    def shuffle(self, buffer_size, seed=None, reshuffle_each_iteration=None):
        """The elements in random order, each drawn from the next `buffer_size` ones."""
        reshuffle = True if reshuffle_each_iteration is None else bool(reshuffle_each_iteration)
        return self._next(self._cpp.shuffle(buffer_size, seed, reshuffle))

    def cache(self, filename=""):
        """The same elements, kept in memory or a file after the first time."""
        return self._next(self._cpp.cache(filename))

    def take(self, count):
        """The first `count` elements."""
        return self._next(self._cpp.take(count))

    def skip(self, count):
        """All but the first `count` elements."""
        return self._next(self._cpp.skip(count))

    def shard(self, num_shards, index):
        """Every `num_shards`-th element, from the one at `index`."""
        return self._next(self._cpp.shard(num_shards, index))

    def prefetch(self, buffer_size):
        """The same elements, made ahead of time."""
        return self._next(self._cpp.prefetch(-1 if buffer_size is None else buffer_size))

    def batch(self, batch_size, drop_remainder=False):
        """So many elements joined into one, along a new first dimension."""
        return self._next(self._cpp.batch(batch_size, drop_remainder))

    def padded_batch(self, batch_size, padded_shapes, padding_values=None, drop_remainder=False):
        """The same for elements of different shapes, which are padded."""
        spec = self.element_spec
        shapes = [_padded_shape(shape) for shape in _nest.flatten_up_to(spec, padded_shapes)]
        values = self._padding_values(spec, padding_values)
        return self._next(self._cpp.padded_batch(batch_size, shapes, values, drop_remainder))

    def _padding_values(self, spec, padding_values):
        if padding_values is None:
            return [None] * len(_nest.flatten(spec))
        values = []
        for value, part in zip(_nest.flatten_up_to(spec, padding_values), _nest.flatten(spec)):
            value = _rill.convert_to_tensor(value, name="padding_value")
            if not value.shape.is_compatible_with([]):
                raise ValueError(f"Padding value should be a scalar, but is not: {value}")
            if value.dtype != part._dtype:
                raise TypeError(f"Padding value tensor ({value}) does not match output type: {part._dtype}")
            values.append(value)
        return values

    def unbatch(self):
        """The rows of the elements, one element each."""
        return self._next(self._cpp.unbatch())

    def window(self, size, shift=None, stride=1, drop_remainder=False):
        """Datasets of `size` elements each, one for each part of the elements."""
        return self._next(self._cpp.window(size, shift, stride, drop_remainder), self.element_spec)

    def with_options(self, options):
        """The same elements, with `options` on top of what was said before."""
        made = self._next(self._cpp.with_options(options._flat()))
        made._options_said = options
        return made

    def apply(self, transformation_func):
        """What the function makes of this dataset."""
        dataset = transformation_func(self)
        if not isinstance(dataset, DatasetV2):
            raise TypeError(f"`transformation_func` must return a Dataset. Got {dataset}.")
        return dataset

    def map(self, map_func, num_parallel_calls=None):
        """What `map_func` makes of each element."""
        return self._next(self._cpp.map(self._function(map_func, "map"), num_parallel_calls))

    def flat_map(self, map_func):
        """The elements of the datasets that `map_func` makes of each element."""
        return self._next(self._cpp.flat_map(self._function(map_func, "flat_map")))

    def interleave(self, map_func, cycle_length=AUTOTUNE, block_length=1, num_parallel_calls=None):
        """The same, going through several of the datasets at once."""
        return self._next(self._cpp.interleave(self._function(map_func, "interleave"), cycle_length, block_length,
                                               num_parallel_calls))

    def filter(self, predicate):
        """The elements for which `predicate` is true."""
        return self._next(self._cpp.filter(self._function(predicate, "filter"), False))

    def reduce(self, initial_state, reduce_func):
        """The last state = reduce_func(state, element), from the first element to the last."""
        form = _structure.form_of(initial_state)
        function = _structure.state_function(reduce_func, form, self.element_spec, "Dataset.reduce()")
        return _structure.pack(form, self._cpp.reduce(_structure.flat_values(initial_state), function))


class DatasetV1(DatasetV2):
    """A sequence of elements, each a structure of tensors; iterators walk through it."""

    def __init__(self):
        try:
            variant_tensor = self._as_variant_tensor()
        except AttributeError as error:
            if "_as_variant_tensor" in str(error):
                raise AttributeError("Please use _variant_tensor instead of _as_variant_tensor() to obtain the "
                                     "variant associated with a dataset") from error
            raise AttributeError(f"{error}: A likely cause of this error is that the super call for this dataset is "
                                 "not the last line of the __init__ method. The base class causes the "
                                 "_as_variant_tensor call in its constructor and if that uses attributes defined in "
                                 "the __init__ method, those attrs need to be defined before the super call.") \
                from error
        super().__init__(variant_tensor)

    def _as_variant_tensor(self):
        """The scalar variant that stands for the dataset."""
        raise NotImplementedError("Dataset._as_variant_tensor")

    def _inputs(self):
        return []

    @property
    def element_spec(self):
        """What describes the elements."""
        kind = type(self)
        if kind.output_types is DatasetV1.output_types:
            raise NotImplementedError("Dataset.element_spec")
        return _structure.convert_legacy_structure(self.output_types, self.output_shapes, self.output_classes)

    @property
    def output_classes(self):
        """The classes of the parts of elements."""
        return _structure.legacy_classes(self.element_spec)

    @property
    def output_shapes(self):
        """What is known of the shapes of the parts of elements."""
        return _structure.legacy_shapes(self.element_spec)

    @property
    def output_types(self):
        """The types of the parts of elements."""
        return _structure.legacy_types(self.element_spec)

    def make_one_shot_iterator(self):
        """An iterator that begins by itself; for datasets that depend on nothing that changes."""
        return Iterator._of(_rill.data_one_shot_iterator(self._cpp), self.element_spec)

    def make_initializable_iterator(self, shared_name=None):
        """An iterator that begins when its initializer is run."""
        return make_initializable_iterator(self, shared_name)

    def map(self, map_func, num_parallel_calls=None):
        """What `map_func` makes of each element."""
        return self._map(map_func, num_parallel_calls, legacy=False)

    def map_with_legacy_function(self, map_func, num_parallel_calls=None):
        """map, with effects inside `map_func` in no particular order."""
        return self._map(map_func, num_parallel_calls, legacy=True)

    def _map(self, map_func, num_parallel_calls, legacy):
        function = self._function(map_func, "map")
        return self._next(self._cpp.map(function, num_parallel_calls, legacy, preserve_cardinality=False))

    def filter_with_legacy_function(self, predicate):
        """filter, with effects inside `predicate` in no particular order."""
        return self._next(self._cpp.filter(self._function(predicate, "filter"), True))

    @staticmethod
    def from_sparse_tensor_slices(sparse_tensor):
        """The rows of a SparseTensor as triples of indices, values and shape."""
        from rill._sparse_tensor import SparseTensor
        if not isinstance(sparse_tensor, SparseTensor):
            raise TypeError("`sparse_tensor` must be a `tf.SparseTensor` object.Was "
                            f"{type(sparse_tensor)}.")
        made = _source(_rill.data_from_sparse_tensor_slices(sparse_tensor))
        return made


Dataset = DatasetV1


class DatasetV1Adapter(DatasetV1):
    """A dataset made of others, or around one."""

    def __init__(self, dataset):
        self._take(dataset._cpp, [dataset])

    def _take(self, made, inputs):
        self._made_by_cpp, self._input_datasets = made, inputs
        self._variant_tensor_attr = made.variant
        self._spec = _structure.spec_of(made.element)

    @classmethod
    def _of(cls, made, inputs, form=None):
        self = cls.__new__(cls)
        if form is not None:
            made = made.with_element((made.element[0], _structure.form_of(_flat_form(form))))
        self._take(made, inputs)
        return self

    def _as_variant_tensor(self):
        return self._variant_tensor_attr

    def _inputs(self):
        return list(self._input_datasets)

    @property
    def element_spec(self):
        """What describes the elements."""
        return self._spec


class _VariantDataset(DatasetV2):
    """A dataset that is a part of an element, or was made of a variant tensor."""

    def __init__(self, dataset_variant, structure):
        self._structure = structure
        super().__init__(dataset_variant)

    def _inputs(self):
        return []

    @property
    def element_spec(self):
        """What describes the elements."""
        return self._structure


class DatasetSource(DatasetV2):
    """A dataset that is made of no other."""

    def _inputs(self):
        return []


class UnaryDataset(DatasetV2):
    """A dataset that is made of one other."""

    def __init__(self, input_dataset, variant_tensor):
        self._input_dataset = input_dataset
        super().__init__(variant_tensor)

    def _inputs(self):
        return [self._input_dataset]


class UnaryUnchangedStructureDataset(UnaryDataset):
    """One whose elements have the structure of the other's."""

    @property
    def element_spec(self):
        """What describes the elements."""
        return self._input_dataset.element_spec


def _flat_form(form):
    """A structure that may hold structures of descriptions, with leaves at the same places."""
    return _nest.map_structure(lambda leaf: 0, form)


def _source(made, form=None):
    return DatasetV1Adapter._of(made, [], form)


def _ensure_same_graph(dataset):
    if dataset._variant_tensor.graph is not _rill.get_default_graph():
        raise ValueError(f"The dataset {dataset!r} was created in a different graph than the default one: make "
                         "iterators in the graph of their dataset.")


def _padded_shape(shape):
    """A shape for C++: numbers with -1 for what is not known, or a tensor."""
    try:
        return [-1 if dim is None else dim for dim in _rill.as_shape(shape).as_list()]
    except (TypeError, ValueError):
        tensor = _rill.convert_to_tensor(shape, preferred_dtype=_rill.int64)
    if tensor.shape.ndims not in (None, 1):
        raise ValueError(f"Padded shape {shape} must be a 1-D tensor of tf.int64 values, but its shape was "
                         f"{tensor.shape}.")
    if tensor.dtype != _rill.int64:
        raise TypeError(f"Padded shape {shape} must be a 1-D tensor of tf.int64 values, but its element type was "
                        f"{tensor.dtype.name}.")
    return tensor


def make_one_shot_iterator(dataset):
    """An iterator that begins by itself."""
    return Iterator._of(_rill.data_one_shot_iterator(dataset._cpp), dataset.element_spec)


def make_initializable_iterator(dataset, shared_name=None):
    """An iterator that begins when its initializer is run."""
    if _rill.executing_eagerly():
        raise RuntimeError("dataset.make_initializable_iterator is not supported when eager execution is enabled. "
                           "Use `for element in dataset` instead.")
    _ensure_same_graph(dataset)
    return Iterator._of(_rill.data_initializable_iterator(dataset._cpp, shared_name or ""), dataset.element_spec)


def get_output_types(dataset_or_iterator):
    """The types of the parts of elements."""
    return _structure.legacy_types(get_structure(dataset_or_iterator))


def get_output_shapes(dataset_or_iterator):
    """What is known of the shapes of the parts of elements."""
    return _structure.legacy_shapes(get_structure(dataset_or_iterator))


def get_output_classes(dataset_or_iterator):
    """The classes of the parts of elements."""
    return _structure.legacy_classes(get_structure(dataset_or_iterator))


def flat_structure(dataset):
    """What nodes of datasets state of their elements."""
    return dataset._flat_structure


get_legacy_output_types = get_output_types
get_legacy_output_shapes = get_output_shapes
get_legacy_output_classes = get_output_classes


def get_structure(dataset_or_iterator):
    """What describes the elements of a dataset or iterator."""
    try:
        return dataset_or_iterator.element_spec
    except AttributeError:
        raise TypeError("`dataset_or_iterator` must be a Dataset or Iterator object, but got "
                        f"{type(dataset_or_iterator)}.") from None


def to_variant(dataset):
    """The tensor that stands for the dataset."""
    return dataset._variant_tensor


def from_variant(variant, structure):
    """The dataset that a variant tensor stands for."""
    return _VariantDataset(variant, structure)
