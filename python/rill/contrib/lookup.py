"""tf.contrib.lookup: tables from keys to values."""

from rill._vocabularies import (HashTable, IdTableWithHashBuckets,  # noqa: F401
                                KeyValueTensorInitializer, LookupInterface, MutableDenseHashTable,
                                MutableHashTable, TextFileIdTableInitializer, TextFileIndex,
                                TextFileInitializer, TextFileStringTableInitializer,
                                index_table_from_file, index_table_from_tensor,
                                index_to_string_table_from_file, index_to_string_table_from_tensor,
                                string_to_index_table_from_file,
                                string_to_index_table_from_tensor)
