"""What an example holds under a name, for tf.io.parse_example."""

import collections

FixedLenFeature = collections.namedtuple("FixedLenFeature", ["shape", "dtype", "default_value"],
                                         defaults=[None])
FixedLenFeature.__doc__ = "As many values in each example."
VarLenFeature = collections.namedtuple("VarLenFeature", ["dtype"])
VarLenFeature.__doc__ = "Any number of values: a sparse tensor."
SparseFeature = collections.namedtuple(
    "SparseFeature", ["index_key", "value_key", "dtype", "size", "already_sorted"], defaults=[False])
SparseFeature.__doc__ = "Values under one name at the places under others: a sparse tensor."
FixedLenSequenceFeature = collections.namedtuple(
    "FixedLenSequenceFeature", ["shape", "dtype", "allow_missing", "default_value"],
    defaults=[False, None])
FixedLenSequenceFeature.__doc__ = "Any number of rows of one shape, padded to the longest."
