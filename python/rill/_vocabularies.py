"""Tables as tf.contrib.lookup and lookup_ops have them."""

from rill import _rill, dtypes
from rill._rill import (KeyValueTensorInitializer, LookupInterface, MutableHashTable,  # noqa: F401
                        TableInitializerBase, TextFileInitializer)
from rill.lookup import TextFileIndex


class HashTable(_rill.StaticHashTable):
    """A table that its initializer fills once."""

    def __init__(self, initializer, default_value, shared_name=None, name=None):
        super().__init__(initializer, default_value, name=name, shared_name=shared_name)


class MutableDenseHashTable(_rill.DenseHashTable):
    """A table in little memory that can change at any time."""

    def __init__(self, key_dtype, value_dtype, default_value, empty_key, deleted_key=None,
                 initial_num_buckets=None, shared_name=None, name="MutableDenseHashTable",
                 checkpoint=True):
        if shared_name is not None:
            raise NotImplementedError("MutableDenseHashTable with shared_name")
        if deleted_key is None:
            raise ValueError("deleted_key must be given")
        super().__init__(key_dtype, value_dtype, default_value, empty_key, deleted_key,
                         initial_num_buckets, name, checkpoint)


class IdTableWithHashBuckets(_rill.StaticVocabularyTable):
    """Ids of a table, and for other words one of some further ids, chosen by a hash."""

    def __init__(self, table, num_oov_buckets, hasher_spec=None, name=None, key_dtype=None):
        if hasher_spec is not None and getattr(hasher_spec, "hasher", hasher_spec) != "fasthash":
            raise NotImplementedError(f"IdTableWithHashBuckets with hasher_spec={hasher_spec}")
        self._init_around(table, key_dtype, num_oov_buckets, name or "")


class TextFileStringTableInitializer(_rill.TextFileInitializer):
    """Line numbers to the words of a file."""

    def __init__(self, filename, key_column_index=TextFileIndex.LINE_NUMBER,
                 value_column_index=TextFileIndex.WHOLE_LINE, vocab_size=None, delimiter="\t",
                 name="text_file_string_table_init"):
        super().__init__(filename, dtypes.int64, key_column_index, dtypes.string,
                         value_column_index, vocab_size, delimiter, name)


class TextFileIdTableInitializer(_rill.TextFileInitializer):
    """Words of a file to line numbers."""

    def __init__(self, filename, key_column_index=TextFileIndex.WHOLE_LINE,
                 value_column_index=TextFileIndex.LINE_NUMBER, vocab_size=None, delimiter="\t",
                 name="text_file_id_table_init", key_dtype=dtypes.string):
        super().__init__(filename, key_dtype, key_column_index, dtypes.int64,
                         value_column_index, vocab_size, delimiter, name)


def _check_hasher(hasher_spec):
    if hasher_spec is not None and getattr(hasher_spec, "hasher", hasher_spec) != "fasthash":
        raise NotImplementedError(f"hasher_spec={hasher_spec}")


def index_table_from_file(vocabulary_file=None, num_oov_buckets=0, vocab_size=None,
                          default_value=-1, hasher_spec=None, key_dtype=dtypes.string, name=None,
                          key_column_index=TextFileIndex.WHOLE_LINE,
                          value_column_index=TextFileIndex.LINE_NUMBER, delimiter="\t"):
    """The positions of words in a file, one word a line."""
    if vocabulary_file is None:
        raise ValueError("`vocabulary_file` must be specified and must not be empty.")
    _check_hasher(hasher_spec)
    return _rill.index_table_from_file(vocabulary_file, num_oov_buckets, vocab_size, default_value,
                                       key_dtype, name, key_column_index, value_column_index,
                                       delimiter)


def index_table_from_tensor(vocabulary_list=None, num_oov_buckets=0, default_value=-1,
                            hasher_spec=None, dtype=dtypes.string, name=None, mapping=None):
    """The positions of words in a vector."""
    words = mapping if vocabulary_list is None else vocabulary_list
    if words is None:
        raise ValueError("`vocabulary_list` must be specified.")
    _check_hasher(hasher_spec)
    return _rill.index_table_from_tensor(words, num_oov_buckets, default_value, dtype, name)


def index_to_string_table_from_file(vocabulary_file=None, vocab_size=None, default_value="UNK",
                                    name=None, key_column_index=TextFileIndex.LINE_NUMBER,
                                    value_column_index=TextFileIndex.WHOLE_LINE, delimiter="\t"):
    """The words of a file by their positions."""
    if vocabulary_file is None:
        raise ValueError("`vocabulary_file` must be specified and must not be empty.")
    return _rill.index_to_string_table_from_file(vocabulary_file, vocab_size, default_value, name,
                                                 key_column_index, value_column_index, delimiter)


def index_to_string_table_from_tensor(vocabulary_list=None, default_value="UNK", name=None,
                                      mapping=None):
    """The words of a vector by their positions."""
    words = mapping if vocabulary_list is None else vocabulary_list
    if words is None:
        raise ValueError("`vocabulary_list` must be specified.")
    return _rill.index_to_string_table_from_tensor(words, default_value, name)


def string_to_index_table_from_file(vocabulary_file=None, num_oov_buckets=0, vocab_size=None,
                                    default_value=-1, hasher_spec=None, name=None):
    """index_table_from_file for words."""
    return index_table_from_file(vocabulary_file, num_oov_buckets, vocab_size, default_value,
                                 hasher_spec, dtypes.string, name)


def string_to_index_table_from_tensor(mapping, num_oov_buckets=0, default_value=-1,
                                      hasher_spec=None, name=None):
    """index_table_from_tensor for words."""
    return index_table_from_tensor(mapping, num_oov_buckets, default_value, hasher_spec,
                                   dtypes.string, name)


def tables_initializer(name="init_all_tables"):
    """Fills all tables that are to be filled once."""
    return _rill.functions.initializers.tables_initializer(name)
