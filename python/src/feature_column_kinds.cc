// The kinds of columns: from the fields of Python's named tuples to the functions of C++.
#include <nanobind/stl/string.h>

#include <algorithm>

#include "class_call.h"
#include "feature_columns.h"
#include "kept.h"
#include "numpy.h"
#include "plain_values.h"
#include "rill/api/feature_column/column_text.h"
#include "variable_scopes.h"

namespace rill::python {
namespace {

// --- fields ------------------------------------------------------------------------------------

class Fields {
 public:
  explicit Fields(nb::handle column) : column_(column) {}

  nb::object at(const char* name) const { return column_.attr(name); }
  std::string key(const char* name = "key") const {
    const nb::object key = at(name);
    if (!PyUnicode_Check(key.ptr()) && !PyBytes_Check(key.ptr()))
      value_error("key must be a string. Got: type ", type_name_of(key),
                  ". Given key: ", str_of(key), ".");
    return str_of(key);
  }
  std::int64_t integer(const char* name) const { return integer_of(at(name)); }
  std::optional<std::int64_t> optional_integer(const char* name) const {
    const nb::object value = at(name);
    if (value.is_none()) return {};
    return integer_of(value);
  }
  std::optional<std::string> optional_text(const char* name) const {
    const nb::object value = at(name);
    if (value.is_none()) return {};
    return str_of(value);
  }
  DType dtype() const {
    const nb::object value = at("dtype");
    return value.is_none() ? DType::invalid : base_type(as_dtype(value));
  }
  std::vector<std::int64_t> shape() const;
  columns::Normalizer normalizer() const;
  template <class Column>
  std::shared_ptr<const Column> column(const char* name, const char* otherwise) const {
    const nb::object value = at(name);
    const auto found =
        is_column(value) ? std::dynamic_pointer_cast<const Column>(column_of(value)) : nullptr;
    if (found == nullptr) value_error(otherwise, " Given: ", str_of(value));
    return found;
  }
  columns::CategoricalRef categorical() const {
    return column<columns::CategoricalColumn>(
        "categorical_column", "Unsupported input type. Input must be a CategoricalColumn.");
  }

 private:
  nb::handle column_;
};

std::vector<std::int64_t> Fields::shape() const {
  std::vector<std::int64_t> dims;
  const nb::object shape = at("shape");
  for (nb::handle dim : shape) {
    if (!PyLong_Check(dim.ptr()))
      type_error("shape dimensions must be integer. shape: ", repr_of(shape),
                 ", key: ", str_of(at("key")));
    dims.push_back(integer_of(dim));
  }
  return dims;
}

columns::Normalizer Fields::normalizer() const {
  const nb::object function = at("normalizer_fn");
  columns::Normalizer normalizer;
  if (function.is_none()) return normalizer;
  if (!PyCallable_Check(function.ptr()))
    type_error("normalizer_fn must be a callable. Given: ", str_of(function));
  normalizer.text = repr_of(function);
  normalizer.apply = [held = keep(function)](const columns::Transformed& x) {
    return transformed_of(kept(held)(give(x)));
  };
  return normalizer;
}

// Numbers as wide as they can be, so that they print as they were written.
std::optional<Tensor> default_of(const Fields& fields) {
  const nb::object value = fields.at("default_value");
  if (value.is_none()) return {};
  const auto refuse = [&] {
    type_error("default_value must be compatible with dtype. default_value: ", str_of(value),
               ", dtype: ", columns::type_text(fields.dtype()), ", key: ", fields.key());
  };
  nb::object array;
  try {
    array = nb::module_::import_("numpy").attr("asarray")(value);
  } catch (nb::python_error&) {
    value_error("The shape of default_value must be equal to given shape. default_value: ",
                str_of(value), ", shape: ", str_of(fields.at("shape")), ", key: ", fields.key());
  }
  const DType dtype = dtype_of_numpy(nb::object(array.attr("dtype")));
  if (kIntTypes.contains(dtype) || dtype == DType::boolean)
    return tensor_from_value(array, DType::i64);
  if (!kFloatTypes.contains(dtype)) refuse();
  return tensor_from_value(array, DType::f64);
}

columns::EmbeddingColumnOptions embedding_options(const Fields& fields) {
  columns::EmbeddingColumnOptions options;
  const nb::object initializer = fields.at("initializer"), norm = fields.at("max_norm");
  if (!initializer.is_none() && !PyCallable_Check(initializer.ptr()))
    value_error("initializer must be callable if specified. Embedding of column_name: ",
                str_of(nb::object(fields.at("categorical_column").attr("name"))));
  options.combiner = str_of(fields.at("combiner"));
  options.initializer = initializer_of(initializer);
  options.initializer_text = repr_of(initializer);
  options.ckpt_to_load_from = fields.optional_text("ckpt_to_load_from");
  options.tensor_name_in_ckpt = fields.optional_text("tensor_name_in_ckpt");
  if (!norm.is_none()) options.max_norm = number_of(norm);
  options.trainable = truth_of(fields.at("trainable"));
  return options;
}

std::int64_t dimension_of(const Fields& fields) {
  if (fields.at("dimension").is_none()) value_error("Invalid dimension None.");
  return fields.integer("dimension");
}

std::vector<double> boundaries_of(nb::handle given) {
  if (!is_sequence(given)) value_error("boundaries must be a sorted list.");
  std::vector<double> boundaries;
  for (nb::handle boundary : given) boundaries.push_back(number_of(nb::float_(boundary)));
  return boundaries;
}

columns::CrossedKey crossed_key(nb::handle key) {
  if (PyUnicode_Check(key.ptr()) || PyBytes_Check(key.ptr()))
    return columns::CrossedKey(str_of(key));
  const auto column =
      is_column(key) ? std::dynamic_pointer_cast<const columns::CategoricalColumn>(column_of(key))
                     : nullptr;
  if (column == nullptr)
    value_error(
        "Unsupported key type. All keys must be either string, or categorical column "
        "except HashedCategoricalColumn. Given: ",
        str_of(key));
  return columns::CrossedKey(column);
}

// --- kinds -------------------------------------------------------------------------------------

template <class Column>
columns::ColumnRef sequence_of(const Fields& fields) {
  auto column = std::make_shared<Column>();
  column->categorical_column = fields.categorical();
  return column;
}

struct ColumnKind {
  const char* name;
  columns::ColumnRef (*make)(const Fields& fields);
};

const ColumnKind kColumnKinds[] = {
    {"NumericColumn",
     [](const Fields& f) -> columns::ColumnRef {
       const auto shape = f.shape();
       const columns::NumericColumnOptions options{shape, default_of(f), f.dtype(), f.normalizer()};
       return columns::numeric_column(f.key(), options);
     }},
    {"BucketizedColumn",
     [](const Fields& f) -> columns::ColumnRef {
       const auto source = f.column<columns::NumericColumn>(
           "source_column", "source_column must be a column generated with numeric_column().");
       return columns::bucketized_column(source, boundaries_of(f.at("boundaries")));
     }},
    {"IdentityCategoricalColumn",
     [](const Fields& f) -> columns::ColumnRef {
       return columns::categorical_column_with_identity(f.key(), f.integer("number_buckets"),
                                                        {f.optional_integer("default_value")});
     }},
    {"HashedCategoricalColumn",
     [](const Fields& f) -> columns::ColumnRef {
       if (f.at("hash_bucket_size").is_none())
         value_error("hash_bucket_size must be set. key: ", str_of(f.at("key")));
       return columns::categorical_column_with_hash_bucket(f.key(), f.integer("hash_bucket_size"),
                                                           {f.dtype()});
     }},
    {"VocabularyListCategoricalColumn",
     [](const Fields& f) -> columns::ColumnRef {
       return columns::categorical_column_with_vocabulary_list(
           f.key(), tensor_from_value(f.at("vocabulary_list"), DType::invalid),
           {f.dtype(), f.integer("default_value"), f.integer("num_oov_buckets")});
     }},
    {"VocabularyFileCategoricalColumn",
     [](const Fields& f) -> columns::ColumnRef {
       const std::int64_t buckets = f.integer("num_oov_buckets");
       auto otherwise = f.optional_integer("default_value");
       if (buckets != 0 && otherwise == -1) otherwise.reset();
       return columns::categorical_column_with_vocabulary_file(
           f.key(), str_of(f.at("vocabulary_file")),
           {f.optional_integer("vocabulary_size"), buckets, otherwise, f.dtype()});
     }},
    {"WeightedCategoricalColumn",
     [](const Fields& f) -> columns::ColumnRef {
       if (f.at("dtype").is_none()) value_error("dtype None is not convertible to float.");
       return columns::weighted_categorical_column(f.categorical(),
                                                   str_of(f.at("weight_feature_key")), f.dtype());
     }},
    {"CrossedColumn",
     [](const Fields& f) -> columns::ColumnRef {
       std::vector<columns::CrossedKey> keys;
       for (nb::handle key : f.at("keys")) keys.push_back(crossed_key(key));
       return columns::crossed_column(std::move(keys),
                                      f.optional_integer("hash_bucket_size").value_or(0),
                                      f.optional_integer("hash_key"));
     }},
    {"IndicatorColumn",
     [](const Fields& f) -> columns::ColumnRef {
       return columns::indicator_column(f.categorical());
     }},
    {"EmbeddingColumn",
     [](const Fields& f) -> columns::ColumnRef {
       const std::int64_t dimension = dimension_of(f);
       return columns::embedding_column(f.categorical(), dimension, embedding_options(f));
     }},
    {"_SharedEmbeddingColumn",
     [](const Fields& f) -> columns::ColumnRef {
       const columns::EmbeddingColumnOptions own = embedding_options(f);
       const columns::SharedEmbeddingOptions options{
           .combiner = own.combiner,
           .initializer = own.initializer,
           .ckpt_to_load_from = own.ckpt_to_load_from,
           .tensor_name_in_ckpt = own.tensor_name_in_ckpt,
           .max_norm = own.max_norm,
           .trainable = own.trainable,
           .use_safe_embedding_lookup = own.use_safe_embedding_lookup,
           .initializer_text = own.initializer_text,
           .shared_embedding_collection_name = str_of(f.at("shared_embedding_collection_name"))};
       return columns::shared_embedding_columns({f.categorical()}, dimension_of(f), options)[0];
     }},
    {"SequenceCategoricalColumn", sequence_of<columns::SequenceCategoricalColumn>},
    {"SequenceNumericColumn",
     [](const Fields& f) -> columns::ColumnRef {
       const auto shape = f.shape();
       const double otherwise = number_of(nb::float_(f.at("default_value")));
       return columns::sequence_numeric_column(f.key(),
                                               {shape, otherwise, f.dtype(), f.normalizer()});
     }},
};

}  // namespace

columns::ColumnRef column_of_kind(const std::string& kind, nb::handle object) {
  const auto found =
      std::ranges::find_if(kColumnKinds, [&](const ColumnKind& k) { return kind == k.name; });
  return found == std::end(kColumnKinds) ? nullptr : found->make(Fields(object));
}

}  // namespace rill::python
