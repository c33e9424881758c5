"""The classes of feature columns: named tuples whose work is done in C++, and the kinds that programs subclass."""

import abc
import collections

from rill import _rill


def _abstract(method):
    return property(abc.abstractmethod(method))


# --- kinds ---------------------------------------------------------------------------------------

class _Ordered(abc.ABC):  # noqa: B024  (a base of abstract classes)
    """Columns are sorted by how they print."""

    def __lt__(self, other):
        return str(self) < str(other)

    def __gt__(self, other):
        return str(self) > str(other)


class FeatureColumn(_Ordered):
    """How raw features become something that a model takes."""

    @_abstract
    def name(self):
        """What the column is called in variables and messages."""

    @_abstract
    def parse_example_spec(self):
        """What its raw features are in serialised examples."""

    @abc.abstractmethod
    def transform_feature(self, transformation_cache, state_manager):
        """What it makes of the features that `transformation_cache.get(key, state_manager)` has."""

    def create_state(self, state_manager):
        """Makes the variables that it needs."""

    @property
    def _is_v2_column(self):
        return True


class DenseColumn(FeatureColumn):
    """A column of numbers."""

    @_abstract
    def variable_shape(self):
        """The shape of the numbers of one example."""

    @abc.abstractmethod
    def get_dense_tensor(self, transformation_cache, state_manager):
        """The numbers of all examples."""


class CategoricalColumn(FeatureColumn):
    """A column of ids."""

    IdWeightPair = collections.namedtuple("IdWeightPair", ["id_tensor", "weight_tensor"])

    @_abstract
    def num_buckets(self):
        """Ids are below this."""

    @abc.abstractmethod
    def get_sparse_tensors(self, transformation_cache, state_manager):
        """The ids, and their weights or None."""


class SequenceDenseColumn(FeatureColumn):
    """A column of sequences of numbers."""

    TensorSequenceLengthPair = collections.namedtuple("TensorSequenceLengthPair",
                                                      ["dense_tensor", "sequence_length"])

    @abc.abstractmethod
    def get_sequence_dense_tensor(self, transformation_cache, state_manager):
        """The numbers of all steps, padded, and how many steps there are."""


class _FeatureColumn(_Ordered):
    """The same for columns that get their variables from the variable scope."""

    @_abstract
    def name(self):
        """What the column is called in variables and messages."""

    @property
    def _var_scope_name(self):
        return self.name

    @abc.abstractmethod
    def _transform_feature(self, inputs):
        """What it makes of the features that `inputs.get(key)` has."""

    @_abstract
    def _parse_example_spec(self):
        """What its raw features are in serialised examples."""

    def _reset_config(self):
        """Forgets what a copy of the column should not share."""


class _DenseColumn(_FeatureColumn):
    """A column of numbers."""

    @_abstract
    def _variable_shape(self):
        """The shape of the numbers of one example."""

    @abc.abstractmethod
    def _get_dense_tensor(self, inputs, weight_collections=None, trainable=None):
        """The numbers of all examples."""


class _CategoricalColumn(_FeatureColumn):
    """A column of ids."""

    IdWeightPair = CategoricalColumn.IdWeightPair

    @_abstract
    def _num_buckets(self):
        """Ids are below this."""

    @abc.abstractmethod
    def _get_sparse_tensors(self, inputs, weight_collections=None, trainable=None):
        """The ids, and their weights or None."""


class _SequenceDenseColumn(_FeatureColumn):
    """A column of sequences of numbers."""

    TensorSequenceLengthPair = SequenceDenseColumn.TensorSequenceLengthPair

    @abc.abstractmethod
    def _get_sequence_dense_tensor(self, inputs, weight_collections=None, trainable=None):
        """The numbers of all steps, padded, and how many steps there are."""


class _SequenceCategoricalColumn(_CategoricalColumn):
    """A column of sequences of ids."""


# --- what C++ does -------------------------------------------------------------------------------

def _asked(function, doc):
    return property(lambda self: function(self), doc=doc)


class _Column:
    name = _asked(_rill.column_name, "What the column is called in variables and messages.")
    _var_scope_name = _asked(_rill.column_scope, "The variable scope of its variables.")
    parse_example_spec = _asked(_rill.column_spec, "What its raw features are in serialised examples.")
    _parse_example_spec = parse_example_spec

    @property
    def parents(self):
        """The features and columns that it is made of."""
        made_of = [getattr(self, field) for field in ("categorical_column", "source_column", "key",
                                                      "weight_feature_key") if field in self._fields]
        return made_of or list(self.keys)

    def transform_feature(self, transformation_cache, state_manager):
        """What it makes of the features."""
        return _rill.column_transform(self, transformation_cache, state_manager)

    def _transform_feature(self, inputs):
        return _rill.column_transform(self, inputs, None)

    def create_state(self, state_manager):
        """Makes the variables that it needs."""
        _rill.column_create_state(self, state_manager)

    def __getstate__(self):
        return None  # copies have their fields; what C++ made of these is made anew

    def get_config(self):
        """What from_config makes the same column of."""
        from rill.feature_column import _serialization
        return _serialization.config_of(self)

    @classmethod
    def from_config(cls, config, custom_objects=None, columns_by_name=None):
        """The column that get_config tells."""
        from rill.feature_column import _serialization
        return _serialization.column_from(cls, config, custom_objects, columns_by_name)


class _Dense(_Column):
    variable_shape = _asked(_rill.column_shape, "The shape of the numbers of one example.")
    _variable_shape = variable_shape

    def get_dense_tensor(self, transformation_cache, state_manager):
        """The numbers of all examples."""
        return _rill.column_dense(self, transformation_cache, state_manager, None, None)

    def _get_dense_tensor(self, inputs, weight_collections=None, trainable=None):
        return _rill.column_dense(self, inputs, None, weight_collections, trainable)


class _Categorical(_Column):
    num_buckets = _asked(_rill.column_buckets, "Ids are below this.")
    _num_buckets = num_buckets

    def get_sparse_tensors(self, transformation_cache, state_manager):
        """The ids, and their weights or None."""
        return CategoricalColumn.IdWeightPair(
            *_rill.column_sparse(self, transformation_cache, state_manager, None, None))

    def _get_sparse_tensors(self, inputs, weight_collections=None, trainable=None):
        return CategoricalColumn.IdWeightPair(
            *_rill.column_sparse(self, inputs, None, weight_collections, trainable))


class _Sequence(_Column):
    variable_shape = _asked(_rill.column_shape, "The shape of the numbers of one step.")
    _variable_shape = variable_shape

    def get_sequence_dense_tensor(self, transformation_cache, state_manager):
        """The numbers of all steps, padded, and how many steps there are."""
        return SequenceDenseColumn.TensorSequenceLengthPair(
            *_rill.column_sequence(self, transformation_cache, state_manager, None, None))

    def _get_sequence_dense_tensor(self, inputs, weight_collections=None, trainable=None):
        return SequenceDenseColumn.TensorSequenceLengthPair(
            *_rill.column_sequence(self, inputs, None, weight_collections, trainable))


# --- columns -------------------------------------------------------------------------------------

KINDS = {}


def _kind(name, bases, fields, doc):
    made = type(_Ordered)(name, (*bases, collections.namedtuple(name, fields)),
                          {"__doc__": doc, "__module__": __name__})
    KINDS[name] = made
    return made


_DENSE = (_Dense, DenseColumn, _DenseColumn)
_CATEGORICAL = (_Categorical, CategoricalColumn, _CategoricalColumn)
_DENSE_AND_SEQUENCE = (_Dense, _Sequence, DenseColumn, SequenceDenseColumn, _DenseColumn, _SequenceDenseColumn)
_EMBEDDING = ("ckpt_to_load_from", "tensor_name_in_ckpt", "max_norm", "trainable")

NumericColumn = _kind("NumericColumn", _DENSE, ["key", "shape", "default_value", "dtype", "normalizer_fn"],
                      "Numbers as they are.")
BucketizedColumn = _kind("BucketizedColumn",
                         (_Dense, _Categorical, DenseColumn, CategoricalColumn, _DenseColumn, _CategoricalColumn),
                         ["source_column", "boundaries"], "Between which boundaries numbers lie.")
HashedCategoricalColumn = _kind("HashedCategoricalColumn", _CATEGORICAL, ["key", "hash_bucket_size", "dtype"],
                                "Hashes of values.")
VocabularyFileCategoricalColumn = _kind(
    "VocabularyFileCategoricalColumn", _CATEGORICAL,
    ["key", "vocabulary_file", "vocabulary_size", "num_oov_buckets", "dtype", "default_value"],
    "Positions of values among the lines of a file.")
VocabularyListCategoricalColumn = _kind(
    "VocabularyListCategoricalColumn", _CATEGORICAL,
    ["key", "vocabulary_list", "dtype", "default_value", "num_oov_buckets"], "Positions of values in a list.")
IdentityCategoricalColumn = _kind("IdentityCategoricalColumn", _CATEGORICAL,
                                  ["key", "number_buckets", "default_value"], "Ids as they are.")
WeightedCategoricalColumn = _kind("WeightedCategoricalColumn", _CATEGORICAL,
                                  ["categorical_column", "weight_feature_key", "dtype"],
                                  "Ids with weights of another feature.")
CrossedColumn = _kind("CrossedColumn", _CATEGORICAL, ["keys", "hash_bucket_size", "hash_key"],
                      "Hashes of all combinations of several features.")
IndicatorColumn = _kind("IndicatorColumn", _DENSE_AND_SEQUENCE, ["categorical_column"],
                        "How often each id is there.")
EmbeddingColumn = _kind("EmbeddingColumn", _DENSE_AND_SEQUENCE,
                        ["categorical_column", "dimension", "combiner", "initializer", *_EMBEDDING],
                        "Rows of a table, one for each id, combined.")
_SharedEmbeddingColumn = _kind(
    "_SharedEmbeddingColumn", (_Dense, _Sequence, _DenseColumn, _SequenceDenseColumn),
    ["categorical_column", "dimension", "combiner", "initializer", "shared_embedding_collection_name", *_EMBEDDING],
    "The same of a table that several columns have.")
SequenceCategoricalColumn = _kind("SequenceCategoricalColumn",
                                  (_Categorical, CategoricalColumn, _SequenceCategoricalColumn),
                                  ["categorical_column"], "Sequences of ids.")
SequenceNumericColumn = _kind("SequenceNumericColumn", (_Sequence, SequenceDenseColumn, _SequenceDenseColumn),
                              ["key", "shape", "default_value", "dtype", "normalizer_fn"],
                              "Sequences of numbers.")

# The names under which columns of older TensorFlows are looked for.
_NumericColumn, _BucketizedColumn, _EmbeddingColumn = NumericColumn, BucketizedColumn, EmbeddingColumn
_HashedCategoricalColumn, _IdentityCategoricalColumn = HashedCategoricalColumn, IdentityCategoricalColumn
_VocabularyFileCategoricalColumn = VocabularyFileCategoricalColumn
_VocabularyListCategoricalColumn = VocabularyListCategoricalColumn
_WeightedCategoricalColumn, _CrossedColumn = WeightedCategoricalColumn, CrossedColumn
_IndicatorColumn = IndicatorColumn


def _transform_features(features, feature_columns):
    """{column: what it makes of the features}."""
    return _rill.transform_features(features, feature_columns)


def is_feature_column_v2(feature_columns):
    """Whether layers of tf.keras take all of the columns."""
    return all(isinstance(column, FeatureColumn) and column._is_v2_column for column in feature_columns)
