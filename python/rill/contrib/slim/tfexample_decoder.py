"""tf.contrib.slim.tfexample_decoder: named tensors made of the features of an Example."""

import abc

from rill import uint8
from rill.contrib.slim.data_decoder import DataDecoder


def _is_sparse(value):
    from rill import SparseTensor as Sparse
    return isinstance(value, Sparse)


def _dense(value, default_value=0):
    from rill import sparse_tensor_to_dense
    return sparse_tensor_to_dense(value, default_value) if _is_sparse(value) else value


class ItemHandler(metaclass=abc.ABCMeta):
    """Makes an item of the features whose names are its keys."""

    def __init__(self, keys):
        self._keys = keys if isinstance(keys, (list, tuple)) else [keys]

    @property
    def keys(self):
        """The names of the features."""
        return self._keys

    @abc.abstractmethod
    def tensors_to_item(self, keys_to_tensors):
        """The item of parsed features."""


class ItemHandlerCallback(ItemHandler):
    """Calls a function with the features."""

    def __init__(self, keys, func):
        super().__init__(keys)
        self._func = func

    def tensors_to_item(self, keys_to_tensors):
        return self._func(keys_to_tensors)


class BoundingBox(ItemHandler):
    """Boxes [n, 4] of four features: ymin, xmin, ymax, xmax."""

    def __init__(self, keys=None, prefix=""):
        keys = ["ymin", "xmin", "ymax", "xmax"] if keys is None else keys
        if len(keys) != 4:
            raise ValueError(f"BoundingBox expects 4 keys but got {len(keys)}")
        self._prefix = prefix
        self._full_keys = [prefix + key for key in keys]
        super().__init__(self._full_keys)

    def tensors_to_item(self, keys_to_tensors):
        from rill import concat, expand_dims, transpose
        sides = [keys_to_tensors[key] for key in self._full_keys]
        sides = [side.values if _is_sparse(side) else side for side in sides]
        return transpose(concat([expand_dims(side, 0) for side in sides], 0))


class Tensor(ItemHandler):
    """A feature in a shape, which other features may tell."""

    def __init__(self, tensor_key, shape_keys=None, shape=None, default_value=0):
        if shape_keys and shape is not None:
            raise ValueError("Cannot specify both shape_keys and shape parameters.")
        if shape_keys and not isinstance(shape_keys, list):
            shape_keys = [shape_keys]
        self._tensor_key, self._shape_keys = tensor_key, shape_keys
        self._shape, self._default_value = shape, default_value
        super().__init__([tensor_key, *(shape_keys or [])])

    def tensors_to_item(self, keys_to_tensors):
        from rill import reshape, sparse_reshape, stack
        tensor, shape = keys_to_tensors[self._tensor_key], self._shape
        if self._shape_keys:
            shape = reshape(stack([_dense(keys_to_tensors[key]) for key in self._shape_keys]), [-1])
        if shape is not None:
            tensor = (sparse_reshape if _is_sparse(tensor) else reshape)(tensor, shape)
        return _dense(tensor, self._default_value)


class LookupTensor(Tensor):
    """A feature as a table maps it."""

    def __init__(self, tensor_key, table, shape_keys=None, shape=None, default_value=""):
        self._table = table
        super().__init__(tensor_key, shape_keys, shape, default_value)

    def tensors_to_item(self, keys_to_tensors):
        return self._table.lookup(super().tensors_to_item(keys_to_tensors))


class BackupHandler(ItemHandler):
    """What a second handler makes where the first makes nothing."""

    def __init__(self, handler, backup):
        for given, role in ((handler, "Primary"), (backup, "Backup")):
            if not isinstance(given, ItemHandler):
                raise ValueError(f"{role} handler is of type {type(given)} instead of ItemHandler")
        self._handler, self._backup = handler, backup
        super().__init__([*handler.keys, *backup.keys])

    def tensors_to_item(self, keys_to_tensors):
        from rill import cond, equal, reduce_prod, shape
        item = self._handler.tensors_to_item(keys_to_tensors)
        return cond(equal(reduce_prod(shape(item)), 0),
                    true_fn=lambda: self._backup.tensors_to_item(keys_to_tensors), false_fn=lambda: item)


class SparseTensor(ItemHandler):
    """A sparse tensor of a feature with places along the last dimension and one with values."""

    def __init__(self, indices_key=None, values_key=None, shape_key=None, shape=None, densify=False,
                 default_value=0):
        self._indices_key, self._values_key = indices_key or "indices", values_key or "values"
        self._shape_key, self._shape = shape_key, shape
        self._densify, self._default_value = densify, default_value
        super().__init__([self._indices_key, self._values_key, *([shape_key] if shape_key else [])])

    def tensors_to_item(self, keys_to_tensors):
        import rill
        places, values = keys_to_tensors[self._indices_key], keys_to_tensors[self._values_key]
        shape = places.dense_shape if not self._shape else self._shape
        if self._shape_key:
            shape = _dense(keys_to_tensors[self._shape_key])
        rank = rill.shape(places.indices)[1]
        numbers = rill.cast(places.values, rill.int64)
        others = rill.slice(places.indices, [0, 0], rill.stack([-1, rank - 1]))
        last = rill.reshape(numbers, [-1, 1])
        tensor = rill.SparseTensor(rill.concat([others, last], 1), values.values, shape)
        return _dense(tensor, self._default_value) if self._densify else tensor


class Image(ItemHandler):
    """The picture of an encoded feature; one whose format is raw is its bytes."""

    def __init__(self, image_key=None, format_key=None, shape=None, channels=3, dtype=uint8, repeated=False,
                 dct_method=""):
        self._image_key, self._format_key = image_key or "image/encoded", format_key or "image/format"
        super().__init__([self._image_key, self._format_key])
        self._shape, self._channels, self._dtype = shape, channels, dtype
        self._repeated, self._dct_method = repeated, dct_method

    def tensors_to_item(self, keys_to_tensors):
        from rill import map_fn
        contents, form = keys_to_tensors[self._image_key], keys_to_tensors[self._format_key]
        if self._repeated:
            return map_fn(lambda x: self._decode(x, form), contents, dtype=self._dtype)
        return self._decode(contents, form)

    def _decode(self, contents, form):
        import rill

        def any_format():
            return rill.cast(rill.image.decode_image(contents, channels=self._channels), self._dtype)

        def jpeg():
            return rill.cast(rill.image.decode_jpeg(contents, channels=self._channels,
                                                    dct_method=self._dct_method), self._dtype)

        def encoded():
            return rill.cond(rill.image.is_jpeg(contents), jpeg, any_format, name="cond_jpeg")

        is_raw = rill.logical_or(rill.equal(form, "raw"), rill.equal(form, "RAW"))
        raw = (is_raw, lambda: rill.decode_raw(contents, out_type=self._dtype))
        picture = rill.case([raw], default=encoded, exclusive=True)
        picture.set_shape([None, None, self._channels])
        return picture if self._shape is None else rill.reshape(picture, self._shape)


class _JoinedSequence(ItemHandler):
    """Sparse features of a sequence side by side, in a new last dimension."""

    _names, _called = (), ""

    def __init__(self, keys=None, prefix=None, return_dense=True, default_value=-1.0):
        keys = list(self._names) if keys is None else keys
        if len(keys) != len(self._names):
            raise ValueError(f"{self._called} expects {len(self._names)} keys but got {len(keys)}")
        self._full_keys = [(prefix or "") + key for key in keys]
        self._return_dense, self._default_value = return_dense, default_value
        super().__init__(self._full_keys)

    def tensors_to_item(self, keys_to_tensors):
        import rill
        parts = []
        for key in self._full_keys:
            value = keys_to_tensors[key]
            size = rill.concat([rill.cast(rill.shape(value), rill.int64), rill.constant([1], rill.int64)], 0)
            parts.append(rill.sparse_reshape(value, size))
        joined = rill.sparse_concat(2, parts)
        return _dense(joined, self._default_value) if self._return_dense else joined


class BoundingBoxSequence(_JoinedSequence):
    """Boxes [time, n, 4] of sparse features."""

    _names, _called = ("ymin", "xmin", "ymax", "xmax"), "BoundingBoxSequence"


class KeypointsSequence(_JoinedSequence):
    """Points [time, n, 2] of sparse features."""

    _names, _called = ("y", "x"), "KeypointsSequence"


class NumBoxesSequence(ItemHandler):
    """How many boxes each step of a sequence has."""

    def __init__(self, keys=None, check_consistency=True):
        if not keys:
            raise ValueError("keys must not be empty.")
        self._check_consistency = check_consistency
        super().__init__(keys)

    @staticmethod
    def _count(tensor):
        import rill
        if not _is_sparse(tensor):
            raise ValueError("tensor must be of type tf.SparseTensor.")
        numbers = rill.SparseTensor(tensor.indices, tensor.indices[:, 1], tensor.dense_shape)
        return rill.reduce_max(rill.pad(_dense(numbers, -1) + 1, [[0, 0], [0, 1]]), axis=1)

    def tensors_to_item(self, keys_to_tensors):
        from rill import assert_equal, control_dependencies, identity
        first, *others = [keys_to_tensors[key] for key in self._keys]
        count = self._count(first)
        checks = [assert_equal(count, self._count(other)) for other in others if self._check_consistency]
        with control_dependencies(checks):
            return identity(count)


def _items_of(handlers, items, features):
    return [handlers[item].tensors_to_item({key: features[key] for key in handlers[item].keys})
            for item in (items or handlers)]


def _in_their_shapes(parsed, features):
    """Features of a fixed length in the shapes that they were declared with."""
    from rill import FixedLenFeature, reshape
    return {**parsed, **{key: reshape(parsed[key], feature.shape) for key, feature in sorted(features.items())
                         if isinstance(feature, FixedLenFeature)}}


class TFExampleDecoder(DataDecoder):
    """Parses an Example and makes items of it."""

    def __init__(self, keys_to_features, items_to_handlers):
        self._keys_to_features, self._items_to_handlers = keys_to_features, items_to_handlers

    def list_items(self):
        return list(self._items_to_handlers)

    def decode(self, serialized_example, items=None):
        from rill import parse_single_example
        parsed = parse_single_example(serialized_example, self._keys_to_features)
        return _items_of(self._items_to_handlers, items, _in_their_shapes(parsed, self._keys_to_features))


class TFSequenceExampleDecoder(DataDecoder):
    """Parses a SequenceExample and makes items of it."""

    def __init__(self, keys_to_context_features, keys_to_sequence_features, items_to_handlers):
        if set(keys_to_context_features) & set(keys_to_sequence_features):
            raise ValueError("Context and sequence keys are not unique. \n"
                             f" Context keys: {list(keys_to_context_features)} \n"
                             f" Sequence keys: {list(keys_to_sequence_features)}")
        self._context, self._sequence = keys_to_context_features, keys_to_sequence_features
        self._items_to_handlers = items_to_handlers

    def list_items(self):
        return self._items_to_handlers.keys()

    def decode(self, serialized_example, items=None):
        from rill import parse_single_sequence_example
        context, lists = parse_single_sequence_example(serialized_example, self._context, self._sequence)
        return _items_of(self._items_to_handlers, items,
                         {**lists, **_in_their_shapes(context, self._context)})
