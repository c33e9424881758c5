"""tf.contrib.feature_column: sequences of features."""

from rill import _rill
from rill.feature_column import (sequence_categorical_column_with_hash_bucket,  # noqa: F401
                                 sequence_categorical_column_with_identity,
                                 sequence_categorical_column_with_vocabulary_file,
                                 sequence_categorical_column_with_vocabulary_list, sequence_numeric_column)

sequence_input_layer = _rill.functions.contrib.feature_column.sequence_input_layer
concatenate_context_input = _rill.functions.contrib.feature_column.concatenate_context_input
