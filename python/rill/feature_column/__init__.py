"""tf.feature_column: how raw features become something that a model takes; the work is done in C++."""

import math as _math

from rill import _rill, _surface, logging as _logging
from rill.dtypes import as_dtype as _as_dtype, float32 as _float32, string as _string
from rill.feature_column import _columns


def _checked(column):
    _rill.check_column(column)
    return column


def _as_shape(shape):
    return tuple(shape) if isinstance(shape, (list, tuple)) else (shape,)


def _as_default(value, shape):
    """Nested tuples in the shape of the feature; one number stands for all."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return tuple(_as_default(item, ()) for item in value)
    for size in reversed(shape if isinstance(value, (int, float)) else ()):
        value = (value,) * size
    return value


def numeric_column(key, shape=(1,), default_value=None, dtype=_float32, normalizer_fn=None):
    """Numbers as they are, or as `normalizer_fn` makes them."""
    shape = _as_shape(shape)
    column = _checked(_columns.NumericColumn(key, shape, default_value, dtype, normalizer_fn))
    return column._replace(default_value=_as_default(default_value, shape))


def bucketized_column(source_column, boundaries):
    """Between which of the sorted `boundaries` the numbers of a numeric column lie."""
    column = _columns.BucketizedColumn(source_column, boundaries)
    return _checked(column)._replace(boundaries=tuple(boundaries))


def categorical_column_with_hash_bucket(key, hash_bucket_size, dtype=_string):
    """Hashes of strings or integers."""
    return _checked(_columns.HashedCategoricalColumn(key, hash_bucket_size, dtype))


def categorical_column_with_identity(key, num_buckets, default_value=None):
    """Integers as ids; those out of range become `default_value`."""
    return _checked(_columns.IdentityCategoricalColumn(key, num_buckets, default_value))


def categorical_column_with_vocabulary_list(key, vocabulary_list, dtype=None, default_value=-1, num_oov_buckets=0):
    """The positions of values in a list."""
    import numpy as np
    if vocabulary_list is None or len(vocabulary_list) < 1:
        raise ValueError(f"vocabulary_list {vocabulary_list} must be non-empty, column_name: {key}")
    own = _as_dtype(np.array(vocabulary_list).dtype)
    column = _columns.VocabularyListCategoricalColumn(key, tuple(vocabulary_list), own if dtype is None else dtype,
                                                      default_value, num_oov_buckets)
    return _checked(column)


def categorical_column_with_vocabulary_file(key, vocabulary_file, vocabulary_size=None, num_oov_buckets=0,
                                            default_value=None, dtype=_string):
    """The positions of values among the lines of a file."""
    if not vocabulary_file:
        raise ValueError(f"Missing vocabulary_file in {key}.")
    column = _checked(_columns.VocabularyFileCategoricalColumn(
        key, vocabulary_file, vocabulary_size, num_oov_buckets or 0, dtype, default_value))
    if vocabulary_size is None:
        vocabulary_size = column.num_buckets - column.num_oov_buckets
        _logging.info("vocabulary_size = %d in %s is inferred from the number of elements in the vocabulary_file %s.",
                      vocabulary_size, key, vocabulary_file)
    default_value = -1 if default_value is None else default_value
    return column._replace(vocabulary_size=vocabulary_size, default_value=default_value)


def weighted_categorical_column(categorical_column, weight_feature_key, dtype=_float32):
    """Ids with weights that another feature has at the same places."""
    return _checked(_columns.WeightedCategoricalColumn(categorical_column, weight_feature_key, dtype))


def crossed_column(keys, hash_bucket_size, hash_key=None):
    """Hashes of all combinations of one value of each key: a feature's name, or a categorical column."""
    if not keys:
        raise ValueError(f"keys must be a list with length > 1. Given: {keys}")
    return _checked(_columns.CrossedColumn(tuple(keys), hash_bucket_size, hash_key))


def indicator_column(categorical_column):
    """How often each id is there."""
    return _checked(_columns.IndicatorColumn(categorical_column))


def _table_initializer(initializer, dimension):
    if initializer is not None or dimension is None or dimension < 1:
        return initializer
    from rill._initializers import truncated_normal_initializer
    return truncated_normal_initializer(mean=0.0, stddev=1 / _math.sqrt(dimension))


def embedding_column(categorical_column, dimension, combiner="mean", initializer=None, ckpt_to_load_from=None,
                     tensor_name_in_ckpt=None, max_norm=None, trainable=True):
    """Rows of a table that is learned, one for each id, combined."""
    return _checked(_columns.EmbeddingColumn(
        categorical_column, dimension, combiner, _table_initializer(initializer, dimension), ckpt_to_load_from,
        tensor_name_in_ckpt, max_norm, trainable))


def shared_embedding_columns(categorical_columns, dimension, combiner="mean", initializer=None,
                             shared_embedding_collection_name=None, ckpt_to_load_from=None,
                             tensor_name_in_ckpt=None, max_norm=None, trainable=True):
    """The same for several columns that have one table."""
    categorical_columns = list(categorical_columns)
    if dimension is None or dimension < 1:
        raise ValueError(f"Invalid dimension {dimension}.")
    name = _rill.check_shared_columns(categorical_columns, dimension, shared_embedding_collection_name)
    initializer = _table_initializer(initializer, dimension)
    return [_checked(_columns._SharedEmbeddingColumn(
        column, dimension, combiner, initializer, name, ckpt_to_load_from, tensor_name_in_ckpt, max_norm,
        trainable)) for column in categorical_columns]


# --- sequences -----------------------------------------------------------------------------------

def sequence_numeric_column(key, shape=(1,), default_value=0.0, dtype=_float32, normalizer_fn=None):
    """Sequences of numbers."""
    return _checked(_columns.SequenceNumericColumn(key, _as_shape(shape), default_value, dtype, normalizer_fn))


def sequence_categorical_column_with_identity(key, num_buckets, default_value=None):
    """Sequences of integers as ids."""
    return _columns.SequenceCategoricalColumn(categorical_column_with_identity(key, num_buckets, default_value))


def sequence_categorical_column_with_hash_bucket(key, hash_bucket_size, dtype=_string):
    """Sequences of hashes."""
    return _columns.SequenceCategoricalColumn(categorical_column_with_hash_bucket(key, hash_bucket_size, dtype))


def sequence_categorical_column_with_vocabulary_list(key, vocabulary_list, dtype=None, default_value=-1,
                                                     num_oov_buckets=0):
    """Sequences of positions in a list."""
    return _columns.SequenceCategoricalColumn(
        categorical_column_with_vocabulary_list(key, vocabulary_list, dtype, default_value, num_oov_buckets))


def sequence_categorical_column_with_vocabulary_file(key, vocabulary_file, vocabulary_size=None, num_oov_buckets=0,
                                                     default_value=None, dtype=_string):
    """Sequences of positions among the lines of a file."""
    return _columns.SequenceCategoricalColumn(categorical_column_with_vocabulary_file(
        key, vocabulary_file, vocabulary_size, num_oov_buckets, default_value, dtype))


__getattr__, __dir__ = _surface.members_of(__name__)
