"""tf.data.experimental: functions to apply to datasets, and datasets made of several."""

from rill import _rill
from rill._rill import functions
from rill._type_spec import TensorSpec
from rill.data import _nest, _structure
from rill.data._dataset import DatasetV1Adapter, DatasetV2, _source

_PREFIX = "tf.data.experimental."


def _applied(function, *args):
    """A transformation that one C++ function is."""

    def transformation(dataset):
        return dataset._next(function(dataset._cpp, *args))

    return transformation


def _function(dataset, func, name):
    return _structure.element_function(func, dataset.element_spec, f"{_PREFIX}{name}()")


# --- plain --------------------------------------------------------------------------------------


def ignore_errors():
    """Leaves out elements whose making failed."""
    return _applied(functions.data_ignore_errors)


def unique():
    """Leaves out elements that were there before."""
    return _applied(functions.data_unique)


def shuffle_and_repeat(buffer_size, count=None, seed=None):
    """shuffle, then repeat."""
    return _applied(functions.data_shuffle_and_repeat, buffer_size, count, seed)


def dense_to_sparse_batch(batch_size, row_shape):
    """Batches of elements of different shapes, as SparseTensors."""
    return _applied(functions.data_dense_to_sparse_batch, batch_size, row_shape)


def sliding_window_batch(window_size, stride=None, window_shift=None, window_stride=1):
    """Batches of elements that follow each other, each a little further on."""
    if stride is None and window_shift is None:
        window_shift = 1
    elif stride is not None and window_shift is None:
        window_shift = stride
    elif stride is not None:
        raise ValueError("Cannot specify both `stride` and `window_shift`")
    return _applied(functions.data_sliding_window_batch, window_size, window_shift, window_stride)


def latency_stats(tag):
    """Measures how long each element takes, under the name `tag`."""
    return _applied(functions.data_latency_stats, tag)


def bytes_produced_stats(tag):
    """Counts the bytes of each element, under the name `tag`."""
    return _applied(functions.data_bytes_produced_stats, tag)


def assert_element_shape(expected_shapes):
    """Steps fail where elements do not have these shapes."""

    def transformation(dataset):
        shapes = _nest.flatten_up_to(dataset.element_spec, expected_shapes)
        made = functions.data_assert_element_shape(dataset._cpp, shapes)
        return dataset._next(made, dataset.element_spec)

    return transformation


def copy_to_device(target_device, source_device="/cpu:0"):
    """The elements on another device."""
    return _applied(functions.data_copy_to_device, str(target_device), str(source_device))


def prefetch_to_device(device, buffer_size=None):
    """The elements on another device, made ahead of time."""
    return _applied(functions.data_prefetch_to_device, str(device), buffer_size)


def enumerate_dataset(start=0):
    """Pairs of a number and an element."""
    return lambda dataset: dataset.enumerate(start)


def unbatch():
    """The rows of the elements, one element each."""
    return lambda dataset: dataset.unbatch()


def parse_example_dataset(features, num_parallel_calls=1):
    """What batches of serialised examples hold, a dict."""
    if features is None:
        raise ValueError("Missing: features was %s." % features)

    def transformation(dataset):
        made = functions.data_parse_example(dataset._cpp, dict(features), num_parallel_calls)
        return dataset._next(made, dict.fromkeys(features, 0))

    return transformation


# --- functions on elements ----------------------------------------------------------------------


def take_while(predicate):
    """The elements up to the first for which `predicate` is false."""
    return lambda dataset: _applied(functions.data_take_while, _function(dataset, predicate, "take_while()"))(dataset)


def scan(initial_state, scan_func):
    """What `scan_func(state, element)` makes: pairs of the next state and an element."""

    def transformation(dataset):
        form = _structure.form_of(initial_state)

        def pair(state, element):
            result = scan_func(state, element)
            if not isinstance(result, (list, tuple)) or len(result) != 2:
                raise TypeError("The scan function must return a pair comprising the new state and the output value.")
            return tuple(result)

        inner = _structure.state_function(pair, form, dataset.element_spec, f"{_PREFIX}scan()")
        count = len(_nest.flatten(form))

        def of_leaves(values):
            leaves, both = inner(values)
            output = _structure.form_of(both[1])
            if len(_nest.flatten(both[0])) != count:
                raise TypeError("The element structure for the new state must match the initial state. Expected "
                                f"{form}; got {both[0]}.")
            return leaves, output

        of_leaves.__name__ = inner.__name__
        made = functions.data_scan(dataset._cpp, _structure.flat_values(initial_state), of_leaves)
        return dataset._next(made)

    return transformation


def _map_and_batch(map_func, batch_size, num_parallel_batches, drop_remainder, num_parallel_calls, legacy):
    if num_parallel_batches is None and num_parallel_calls is None:
        num_parallel_batches = 1
    elif num_parallel_batches is not None and num_parallel_calls is not None:
        raise ValueError("The `num_parallel_batches` and `num_parallel_calls` arguments are mutually exclusive.")

    def transformation(dataset):
        function = _function(dataset, map_func, "map_and_batch")
        return _applied(functions.data_map_and_batch, function, batch_size, num_parallel_batches, drop_remainder,
                        num_parallel_calls, legacy)(dataset)

    return transformation


def map_and_batch(map_func, batch_size, num_parallel_batches=None, drop_remainder=False, num_parallel_calls=None):
    """map and batch in one."""
    return _map_and_batch(map_func, batch_size, num_parallel_batches, drop_remainder, num_parallel_calls, False)


def map_and_batch_with_legacy_function(map_func, batch_size, num_parallel_batches=None, drop_remainder=False,
                                       num_parallel_calls=None):
    """map_and_batch, with effects inside `map_func` in no particular order."""
    return _map_and_batch(map_func, batch_size, num_parallel_batches, drop_remainder, num_parallel_calls, True)


def parallel_interleave(map_func, cycle_length, block_length=1, sloppy=False, buffer_output_elements=None,
                        prefetch_input_elements=None):
    """The elements of several datasets that `map_func` makes, which are read at the same time."""

    def transformation(dataset):
        function = _function(dataset, map_func, "parallel_interleave")
        return _applied(functions.data_parallel_interleave, function, cycle_length, block_length, sloppy,
                        buffer_output_elements, prefetch_input_elements)(dataset)

    return transformation


# --- groups -------------------------------------------------------------------------------------


class Reducer:
    """Three functions: the first state of a key, what an element makes of a state, the result of the last."""

    def __init__(self, init_func, reduce_func, finalize_func):
        self._init_func, self._reduce_func, self._finalize_func = init_func, reduce_func, finalize_func

    @property
    def init_func(self):
        return self._init_func

    @property
    def reduce_func(self):
        return self._reduce_func

    @property
    def finalize_func(self):
        return self._finalize_func


_KEY = TensorSpec([], _rill.int64)


def group_by_reducer(key_func, reducer):
    """Reduces the elements of each key; gives one element for each key at the end."""

    def transformation(dataset):
        name = f"{_PREFIX}group_by_reducer()"
        state = []

        def init(values):
            leaves, form = _structure.element_function(reducer.init_func, _KEY, name)(values)
            state[:] = [form]
            return leaves, form

        def reduce(values):
            return _structure.state_function(reducer.reduce_func, state[0], dataset.element_spec, name)(values)

        def finalize(values):
            return _structure.element_function(reducer.finalize_func, state[0], name)(values)

        made = functions.data_group_by_reducer(
            dataset._cpp, _structure.element_function(key_func, dataset.element_spec, name), init, reduce, finalize)
        return dataset._next(made)

    return transformation


def group_by_window(key_func, reduce_func, window_size=None, window_size_func=None):
    """What `reduce_func` makes of datasets of up to `window_size` elements with the same key."""
    if (window_size is not None and window_size_func) or not (window_size is not None or window_size_func):
        raise ValueError("Must pass either window_size or window_size_func.")
    if window_size is not None:
        def window_size_func(unused_key):
            return _rill.convert_to_tensor(window_size, dtype=_rill.int64)

    def transformation(dataset):
        name = f"{_PREFIX}group_by_window()"

        def number(func, spec):
            def of_element(*parts):
                return _rill.convert_to_tensor(func(*parts), dtype=_rill.int64)
            of_element.__name__ = getattr(func, "__name__", "key_func")
            return _structure.element_function(of_element, spec, name)

        window = (_KEY, _structure.DatasetSpec(dataset.element_spec))
        made = functions.data_group_by_window(
            dataset._cpp, number(key_func, dataset.element_spec),
            _structure.element_function(reduce_func, window, name), number(window_size_func, _KEY))
        return dataset._next(made)

    return transformation


def bucket_by_sequence_length(element_length_func, bucket_boundaries, bucket_batch_sizes, padded_shapes=None,
                              padding_values=None, pad_to_bucket_boundary=False, no_padding=False,
                              drop_remainder=False):
    """Batches of elements of like length."""
    if len(bucket_batch_sizes) != len(bucket_boundaries) + 1:
        raise ValueError("len(bucket_batch_sizes) must equal len(bucket_boundaries) + 1")

    def transformation(dataset):
        spec = dataset.element_spec
        shapes = None if padded_shapes is None else _nest.flatten_up_to(spec, padded_shapes)
        values = dataset._padding_values(spec, padding_values) if padding_values is not None else []
        made = functions.data_bucket_by_sequence_length(
            dataset._cpp, _function(dataset, element_length_func, "bucket_by_sequence_length"),
            list(bucket_boundaries), list(bucket_batch_sizes), shapes, values, pad_to_bucket_boundary, no_padding,
            drop_remainder)
        return dataset._next(made, spec)

    return transformation


# --- several datasets ---------------------------------------------------------------------------


def _several(made, datasets):
    return DatasetV1Adapter._of(made, list(datasets))


def _check_alike(datasets):
    first = datasets[0]
    for other in datasets[1:]:
        for what, of in (("types", _structure.legacy_types), ("classes", _structure.legacy_classes)):
            if of(first.element_spec) != of(other.element_spec):
                raise TypeError(f"Datasets to interleave must have the same {what}.")


def choose_from_datasets(datasets, choice_dataset):
    """Elements of `datasets`, each from the one that the next number of `choice_dataset` says."""
    spec = choice_dataset.element_spec
    if not (isinstance(spec, TensorSpec) and spec.is_compatible_with(_KEY)):
        raise TypeError("`choice_dataset` must be a dataset of scalar `tf.int64` tensors.")
    _check_alike(datasets)
    made = functions.data_choose_from_datasets([d._cpp for d in datasets], choice_dataset._cpp)
    return _several(made, [choice_dataset, *datasets])


def sample_from_datasets(datasets, weights=None, seed=None):
    """Elements of `datasets` at random, as often as `weights` say."""
    if isinstance(weights, DatasetV2):
        weights = weights._cpp
    elif weights is not None:
        weights = _rill.convert_to_tensor(weights, name="weights")
        if weights.dtype not in (_rill.float32, _rill.float64):
            raise TypeError("`weights` must be convertible to a tensor of `tf.float32` or `tf.float64` elements.")
        if not weights.shape.is_compatible_with([len(datasets)]):
            raise ValueError("`weights` must be a vector of length `len(datasets)`.")
    if not datasets:
        raise ValueError("`datasets` must not be empty.")
    _check_alike(datasets)
    made = functions.data_sample_from_datasets([d._cpp for d in datasets], weights, seed)
    return _several(made, datasets)


def rejection_resample(class_func, target_dist, initial_dist=None, seed=None):
    """Pairs of class and element, such that classes come as often as `target_dist` says."""

    def transformation(dataset):
        function = _function(dataset, class_func, "rejection_resample")
        made = functions.data_rejection_resample(dataset._cpp, function, target_dist, initial_dist, seed)
        return dataset._next(made, (0, dataset.element_spec))

    return transformation


def Counter(start=0, step=1, dtype=_rill.int64):
    """Numbers from `start` on, without end."""
    return _source(functions.data_counter(start, step, dtype))


def get_single_element(dataset):
    """The only element of a dataset; steps fail where there is none or another."""
    if not isinstance(dataset, DatasetV2):
        raise TypeError("`dataset` must be a `tf.data.Dataset` object.")
    return _structure.pack(dataset.element_spec, dataset._cpp.get_single_element())


def cardinality(dataset):
    """How many elements there are: -1 without end, -2 not known."""
    return dataset._cpp.cardinality()


def reduce_dataset(dataset, reducer):
    """The result of a Reducer for all elements."""
    if not isinstance(dataset, DatasetV2):
        raise TypeError("`dataset` must be a `tf.data.Dataset` object.")
    state = reducer.init_func(_rill.convert_to_tensor(0, dtype=_rill.int64))
    return reducer.finalize_func(dataset.reduce(state, reducer.reduce_func))
