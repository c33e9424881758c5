// Columns, features and what is made of them, between Python and C++.
#include "feature_columns.h"

#include <nanobind/stl/string.h>

#include <algorithm>

#include "class_call.h"
#include "data.h"
#include "kept.h"
#include "numpy.h"
#include "ragged_tensors.h"
#include "rill/api/feature_column/column_text.h"
#include "rill/api/feature_column/parse_spec.h"
#include "sparse_tensors.h"
#include "variable_scopes.h"

namespace rill::python {
namespace {

using namespace columns;

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
  std::int64_t integer(const char* name) const { return nb::cast<std::int64_t>(at(name)); }
  std::optional<std::int64_t> optional_integer(const char* name) const {
    const nb::object value = at(name);
    if (value.is_none()) return {};
    return nb::cast<std::int64_t>(value);
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
  Normalizer normalizer() const;
  template <class Column>
  std::shared_ptr<const Column> column(const char* name, const char* otherwise) const {
    const nb::object value = at(name);
    const auto found =
        is_column(value) ? std::dynamic_pointer_cast<const Column>(column_of(value)) : nullptr;
    if (found == nullptr) value_error(otherwise, " Given: ", str_of(value));
    return found;
  }
  CategoricalRef categorical() const {
    return column<CategoricalColumn>("categorical_column",
                                     "Unsupported input type. Input must be a CategoricalColumn.");
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
    dims.push_back(nb::cast<std::int64_t>(dim));
  }
  return dims;
}

Normalizer Fields::normalizer() const {
  const nb::object function = at("normalizer_fn");
  Normalizer normalizer;
  if (function.is_none()) return normalizer;
  if (!PyCallable_Check(function.ptr()))
    type_error("normalizer_fn must be a callable. Given: ", str_of(function));
  normalizer.text = repr_of(function);
  normalizer.apply = [held = keep(function)](const Transformed& x) {
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
               ", dtype: ", type_text(fields.dtype()), ", key: ", fields.key());
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

EmbeddingColumnOptions embedding_options(const Fields& fields) {
  EmbeddingColumnOptions options;
  const nb::object initializer = fields.at("initializer"), norm = fields.at("max_norm");
  if (!initializer.is_none() && !PyCallable_Check(initializer.ptr()))
    value_error("initializer must be callable if specified. Embedding of column_name: ",
                str_of(nb::object(fields.at("categorical_column").attr("name"))));
  options.combiner = str_of(fields.at("combiner"));
  options.initializer = initializer_of(initializer);
  options.initializer_text = repr_of(initializer);
  options.ckpt_to_load_from = fields.optional_text("ckpt_to_load_from");
  options.tensor_name_in_ckpt = fields.optional_text("tensor_name_in_ckpt");
  if (!norm.is_none()) options.max_norm = nb::cast<double>(norm);
  options.trainable = nb::cast<bool>(fields.at("trainable"));
  return options;
}

std::int64_t dimension_of(const Fields& fields) {
  if (fields.at("dimension").is_none()) value_error("Invalid dimension None.");
  return fields.integer("dimension");
}

std::vector<double> boundaries_of(nb::handle given) {
  if (!is_sequence(given)) value_error("boundaries must be a sorted list.");
  std::vector<double> boundaries;
  for (nb::handle boundary : given) boundaries.push_back(nb::cast<double>(nb::float_(boundary)));
  return boundaries;
}

CrossedKey crossed_key(nb::handle key) {
  if (PyUnicode_Check(key.ptr()) || PyBytes_Check(key.ptr())) return CrossedKey(str_of(key));
  const auto column =
      is_column(key) ? std::dynamic_pointer_cast<const CategoricalColumn>(column_of(key)) : nullptr;
  if (column == nullptr)
    value_error(
        "Unsupported key type. All keys must be either string, or categorical column "
        "except HashedCategoricalColumn. Given: ",
        str_of(key));
  return CrossedKey(column);
}

// --- kinds -------------------------------------------------------------------------------------

template <class Column>
ColumnRef sequence_of(const Fields& fields) {
  auto column = std::make_shared<Column>();
  column->categorical_column = fields.categorical();
  return column;
}

struct Kind {
  const char* name;
  ColumnRef (*make)(const Fields& fields);
};

const Kind kKinds[] = {
    {"NumericColumn",
     [](const Fields& f) -> ColumnRef {
       const auto shape = f.shape();
       const NumericColumnOptions options{shape, default_of(f), f.dtype(), f.normalizer()};
       return numeric_column(f.key(), options);
     }},
    {"BucketizedColumn",
     [](const Fields& f) -> ColumnRef {
       const auto source = f.column<NumericColumn>(
           "source_column", "source_column must be a column generated with numeric_column().");
       return bucketized_column(source, boundaries_of(f.at("boundaries")));
     }},
    {"IdentityCategoricalColumn",
     [](const Fields& f) -> ColumnRef {
       return categorical_column_with_identity(f.key(), f.integer("number_buckets"),
                                               {f.optional_integer("default_value")});
     }},
    {"HashedCategoricalColumn",
     [](const Fields& f) -> ColumnRef {
       if (f.at("hash_bucket_size").is_none())
         value_error("hash_bucket_size must be set. key: ", str_of(f.at("key")));
       return categorical_column_with_hash_bucket(f.key(), f.integer("hash_bucket_size"),
                                                  {f.dtype()});
     }},
    {"VocabularyListCategoricalColumn",
     [](const Fields& f) -> ColumnRef {
       return categorical_column_with_vocabulary_list(
           f.key(), tensor_from_value(f.at("vocabulary_list"), DType::invalid),
           {f.dtype(), f.integer("default_value"), f.integer("num_oov_buckets")});
     }},
    {"VocabularyFileCategoricalColumn",
     [](const Fields& f) -> ColumnRef {
       const std::int64_t buckets = f.integer("num_oov_buckets");
       auto otherwise = f.optional_integer("default_value");
       if (buckets != 0 && otherwise == -1) otherwise.reset();
       return categorical_column_with_vocabulary_file(
           f.key(), str_of(f.at("vocabulary_file")),
           {f.optional_integer("vocabulary_size"), buckets, otherwise, f.dtype()});
     }},
    {"WeightedCategoricalColumn",
     [](const Fields& f) -> ColumnRef {
       if (f.at("dtype").is_none()) value_error("dtype None is not convertible to float.");
       return weighted_categorical_column(f.categorical(), str_of(f.at("weight_feature_key")),
                                          f.dtype());
     }},
    {"CrossedColumn",
     [](const Fields& f) -> ColumnRef {
       std::vector<CrossedKey> keys;
       for (nb::handle key : f.at("keys")) keys.push_back(crossed_key(key));
       return crossed_column(std::move(keys), f.optional_integer("hash_bucket_size").value_or(0),
                             f.optional_integer("hash_key"));
     }},
    {"IndicatorColumn",
     [](const Fields& f) -> ColumnRef { return indicator_column(f.categorical()); }},
    {"EmbeddingColumn",
     [](const Fields& f) -> ColumnRef {
       const std::int64_t dimension = dimension_of(f);
       return embedding_column(f.categorical(), dimension, embedding_options(f));
     }},
    {"_SharedEmbeddingColumn",
     [](const Fields& f) -> ColumnRef {
       const SharedEmbeddingOptions options{embedding_options(f),
                                            str_of(f.at("shared_embedding_collection_name"))};
       return shared_embedding_columns({f.categorical()}, dimension_of(f), options)[0];
     }},
    {"SequenceCategoricalColumn", sequence_of<SequenceCategoricalColumn>},
    {"SequenceNumericColumn",
     [](const Fields& f) -> ColumnRef {
       const auto shape = f.shape();
       const double otherwise = nb::cast<double>(nb::float_(f.at("default_value")));
       return sequence_numeric_column(f.key(), {shape, otherwise, f.dtype(), f.normalizer()});
     }},
};

// A column that its object keeps.
struct KeptColumn {
  ColumnRef column;
};

void set_foreign(const ColumnRef& column, nb::handle object) {
  const_cast<FeatureColumn&>(*column).foreign = {keep(object), repr_of(object)};
}

// The kind of an object whose class is one of ours; null: it is none.
const Kind* kind_of(nb::handle object) {
  static nb::object& kinds =
      *new nb::object(nb::module_::import_("rill.feature_column._columns").attr("KINDS"));
  const std::string name = str_of(nb::object(object.type().attr("__name__")));
  if (!kinds.attr("get")(name).is(object.type())) return nullptr;
  const auto found = std::ranges::find_if(kKinds, [&](const Kind& k) { return name == k.name; });
  return found == std::end(kKinds) ? nullptr : found;
}

// Made once. It stands for an equal object, so that no two hold each other.
ColumnRef built_in_column(nb::handle object) {
  const Kind* const kind = kind_of(object);
  if (kind == nullptr) return nullptr;
  const nb::object attributes = object.attr("__dict__");
  const nb::object held = attributes.attr("get")("_kept");
  if (!held.is_none()) return nb::cast<KeptColumn&>(held).column;
  const ColumnRef column = kind->make(Fields(object));
  set_foreign(column, nb::object(object.type().attr("_make")(object)));
  attributes["_kept"] = nb::cast(KeptColumn{column});
  return column;
}

// A number or nested tuples of them.
nb::object as_tuples(nb::handle value) {
  if (!PyList_Check(value.ptr())) return nb::borrow(value);
  nb::list items;
  for (nb::handle item : value) items.append(as_tuples(item));
  return nb::tuple(items);
}

nb::object default_object(const std::optional<Input>& value) {
  if (!value) return nb::none();
  if (!value->is_value()) return give(value->output());
  const nb::object array = numpy_from_tensor(value->value(DType::invalid));
  if (PyBytes_Check(array.ptr())) return array.attr("decode")();
  return as_tuples(array.attr("tolist")());
}

struct FeatureObject {
  nb::object made(const char* name) const {
    return nb::module_::import_("rill._features").attr(name);
  }
  nb::object shape(const PartialShape& shape) const {
    nb::list dims;
    for (const std::int64_t dim : shape.dims()) dims.append(dim);
    return nb::tuple(dims);
  }
  nb::object operator()(const FixedLenFeature& f) const {
    return made("FixedLenFeature")(shape(f.shape), dtype_object(f.dtype),
                                   default_object(f.default_value));
  }
  nb::object operator()(const VarLenFeature& f) const {
    return made("VarLenFeature")(dtype_object(f.dtype));
  }
  nb::object operator()(const SparseFeature& f) const {
    nb::list keys, sizes;
    for (const std::string& key : f.index_keys) keys.append(key.c_str());
    for (const std::int64_t size : f.sizes) sizes.append(size);
    const bool one = f.sizes.size() == 1;
    return made("SparseFeature")(one ? nb::object(keys[0]) : nb::object(keys), f.value_key.c_str(),
                                 dtype_object(f.dtype),
                                 one ? nb::object(sizes[0]) : nb::object(sizes), f.already_sorted);
  }
  nb::object operator()(const FixedLenSequenceFeature& f) const {
    return made("FixedLenSequenceFeature")(shape(f.shape), dtype_object(f.dtype), f.allow_missing,
                                           default_object(f.default_value));
  }
};

}  // namespace

bool is_column(nb::handle object) {
  const nb::handle type = object.type();
  return nb::hasattr(type, "transform_feature") || nb::hasattr(type, "_transform_feature");
}

ColumnRef column_of(nb::handle object) {
  if (ColumnRef column = building([&] { return built_in_column(object); })) return column;
  const ColumnRef column = programs_column(object);
  if (column == nullptr)
    value_error("Items of feature_columns must be a _FeatureColumn. Given (type ",
                type_name_of(object), "): ", str_of(object), ".");
  set_foreign(column, object);
  return column;
}

Columns columns_of(nb::handle objects) {
  if (PyDict_Check(objects.ptr()))
    value_error("Expected feature_columns to be iterable, found dict.");
  if (is_column(objects)) return {column_of(objects)};
  Columns all;
  for (nb::handle object : nb::borrow(objects)) all.push_back(column_of(object));
  return all;
}

nb::object column_object(const FeatureColumn& column) { return kept(column.foreign.object); }

columns::Features column_features(nb::handle dict) {
  if (!nb::hasattr(dict, "items"))
    value_error("We expected a dictionary here. Instead we got: ", repr_of(dict));
  columns::Features features;
  for (nb::handle item : nb::object(dict.attr("items")())) {
    if (!PyUnicode_Check(nb::object(item[0]).ptr())) continue;
    features.emplace(str_of(nb::object(item[0])), part_of(nb::object(item[1])));
  }
  return features;
}

nb::object give(const Transformed& value) {
  if (const auto* ids = std::get_if<IdWeightPair>(&value))
    return nb::make_tuple(give(ids->id_tensor),
                          ids->weight_tensor ? give(*ids->weight_tensor) : nb::object(nb::none()));
  if (const auto* sparse = std::get_if<SparseTensor>(&value)) return give(*sparse);
  return give(std::get<Output>(value));
}

Transformed transformed_of(nb::handle value) {
  if (is_sparse(value)) return sparse_of(value);
  if (PyTuple_Check(value.ptr()) && PyTuple_Size(value.ptr()) == 2 &&
      is_sparse(nb::object(value[0]))) {
    IdWeightPair pair{sparse_of(nb::object(value[0])), {}};
    if (const nb::object weights = value[1]; !weights.is_none())
      pair.weight_tensor = sparse_of(weights);
    return pair;
  }
  return as_tensor(input_of(value, DType::invalid, "", "x"), "x");
}

void bind_kept_columns(nb::module_& m) { nb::class_<KeptColumn>(m, "KeptColumn"); }

nb::object give(const rill::Features& spec) {
  nb::dict result;
  for (const auto& [key, feature] : spec)
    result[key.c_str()] = std::visit(FeatureObject(), feature);
  return result;
}

}  // namespace rill::python
