"""The feature columns of tf.contrib.layers, as those of tf.feature_column."""

from rill import feature_column as fc
from rill.dtypes import float32 as _float32, int64 as _int64, string as _string

LONE = "lone_feature"  # the name of a lone tensor of features, which programs call ""


def real_valued_column(column_name, dimension=1, default_value=None, dtype=_float32, normalizer=None):
    """Numbers."""
    return fc.numeric_column(column_name or LONE, shape=(dimension,), default_value=default_value, dtype=dtype,
                             normalizer_fn=normalizer)


def bucketized_column(source_column, boundaries):
    """Between which boundaries numbers lie."""
    return fc.bucketized_column(source_column, boundaries)


def sparse_column_with_hash_bucket(column_name, hash_bucket_size, combiner="sum", dtype=_string, hash_keys=None):
    """Hashes of words."""
    return fc.categorical_column_with_hash_bucket(column_name, hash_bucket_size, dtype)


def sparse_column_with_keys(column_name, keys, default_value=-1, combiner="sum", dtype=_string):
    """The positions of words in a list."""
    return fc.categorical_column_with_vocabulary_list(column_name, keys, dtype=dtype, default_value=default_value)


def sparse_column_with_vocabulary_file(column_name, vocabulary_file, num_oov_buckets=0, vocab_size=None,
                                       default_value=-1, combiner="sum", dtype=_string):
    """The positions of words among the lines of a file."""
    return fc.categorical_column_with_vocabulary_file(
        column_name, vocabulary_file, vocab_size, num_oov_buckets, None if num_oov_buckets else default_value, dtype)


def sparse_column_with_integerized_feature(column_name, bucket_size, combiner="sum", dtype=_int64):
    """Ids as they are."""
    return fc.categorical_column_with_identity(column_name, bucket_size)


def weighted_sparse_column(sparse_id_column, weight_column_name, dtype=_float32):
    """Ids with weights."""
    return fc.weighted_categorical_column(sparse_id_column, weight_column_name, dtype)


def one_hot_column(sparse_id_column):
    """A 1 for each id."""
    return fc.indicator_column(sparse_id_column)


def embedding_column(sparse_id_column, dimension, combiner="mean", initializer=None, ckpt_to_load_from=None,
                     tensor_name_in_ckpt=None, max_norm=None, trainable=True):
    """A vector for each id."""
    return fc.embedding_column(sparse_id_column, dimension, combiner, initializer, ckpt_to_load_from,
                               tensor_name_in_ckpt, max_norm, trainable)


def crossed_column(columns, hash_bucket_size, combiner="sum", ckpt_to_load_from=None, tensor_name_in_ckpt=None,
                   hash_key=None):
    """Hashes of combinations of ids."""
    return fc.crossed_column([column if isinstance(column, str) or not hasattr(column, "key") else _crossed(column)
                              for column in columns], hash_bucket_size, hash_key)


def _crossed(column):
    """Hashed columns are crossed by the words themselves."""
    return column.key if hasattr(column, "hash_bucket_size") else column


def create_feature_spec_for_parsing(feature_columns):
    """What the columns read in serialised examples."""
    return fc.make_parse_example_spec(list(feature_columns))


def input_from_feature_columns(columns_to_tensors, feature_columns, weight_collections=None, trainable=True,
                               scope=None):
    """The columns of a batch side by side."""
    return fc.input_layer(columns_to_tensors, list(feature_columns), weight_collections, trainable)
