"""Tables from keys to values."""

from rill._vocabularies import (HashTable, IdTableWithHashBuckets,  # noqa: F401
                                KeyValueTensorInitializer, LookupInterface, MutableDenseHashTable,
                                MutableHashTable, TableInitializerBase, TextFileIdTableInitializer,
                                TextFileIndex, TextFileInitializer, TextFileStringTableInitializer,
                                index_table_from_file, index_table_from_tensor,
                                index_to_string_table_from_file, index_to_string_table_from_tensor,
                                tables_initializer)
from rill.lookup import StaticHashTable, StaticVocabularyTable  # noqa: F401
from rill.lookup.experimental import DenseHashTable  # noqa: F401

StaticHashTableV1 = StaticHashTable
StaticVocabularyTableV1 = StaticVocabularyTable
