#include "rill/api/parsing/raw_features.h"

#include <algorithm>

#include "rill/api/array/array_parts.h"
#include "rill/api/core/shape_input.h"
#include "rill/api/gen/array.h"
#include "rill/api/sparse/sparse_ops.h"

namespace rill {
namespace {

void add_sparse(RawFeatures& raw, const std::string& key, DType dtype) {
  const auto same = [&](const RawFeatures::Sparse& s) { return s.key == key; };
  const auto found = std::ranges::find_if(raw.sparse, same);
  if (found == raw.sparse.end()) return raw.sparse.push_back({key, dtype});
  require(found->dtype == dtype, "Conflicting type ", numpy_name(found->dtype), " vs ",
          numpy_name(dtype), " for feature ", key, ".");
}

struct Adder {
  RawFeatures& raw;
  const std::string& key;
  bool in_sequence;

  void operator()(const FixedLenFeature& f) const {
    require(f.dtype != DType::invalid, "Missing type for feature ", key, ".");
    require(f.shape.has_rank(), "Missing shape for feature ", key, ".");
    require(f.shape.rank() == 0 || f.shape[0] >= 0, "First dimension of shape for feature ", key,
            " unknown. Consider using FixedLenSequenceFeature.");
    require(f.shape.is_full(), "All dimensions of shape for feature ", key,
            " need to be known but received ", f.shape, ".");
    raw.dense.push_back({key, f.dtype, f.shape, f.default_value});
  }
  void operator()(const VarLenFeature& f) const {
    require(f.dtype != DType::invalid, "Missing type for feature ", key, ".");
    add_sparse(raw, key, f.dtype);
  }
  void operator()(const SparseFeature& f) const {
    require(!f.index_keys.empty(), "Missing index_key for SparseFeature ", key, ".");
    require(!f.value_key.empty(), "Missing value_key for SparseFeature ", key, ".");
    require(f.dtype != DType::invalid, "Missing type for feature ", key, ".");
    require(f.index_keys.size() == f.sizes.size(), "SparseFeature ", key, " has ",
            f.index_keys.size(), " index_keys and ", f.sizes.size(), " sizes");
    std::vector<std::string> sorted = f.index_keys;
    std::ranges::sort(sorted);
    for (const std::string& index : sorted) add_sparse(raw, index, DType::i64);
    add_sparse(raw, f.value_key, f.dtype);
  }
  void operator()(const FixedLenSequenceFeature& f) const {
    require(f.dtype != DType::invalid, "Missing type for feature ", key, ".");
    require(f.shape.has_rank(), "Missing shape for feature ", key, ".");
    PartialShape shape = f.shape;
    if (!in_sequence) {
      require(f.allow_missing,
              "Unsupported: FixedLenSequenceFeature requires allow_missing to be True.");
      shape = PartialShape({kUnknownDim});
      for (const std::int64_t dim : f.shape.dims()) shape.add_dim(dim);
    }
    raw.dense.push_back({key, f.dtype, shape, f.default_value, f.allow_missing});
  }
};

// A key as part of a node's name.
std::string in_name(std::string key) {
  for (char& c : key) {
    const bool fine = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                      c == '_' || c == '.' || c == '-' || c == '/';
    if (!fine) c = '_';
  }
  return key;
}

Input default_of(const RawFeatures::Dense& f) {
  const bool is_padded = f.shape.rank() > 0 && f.shape[0] < 0;
  if (!f.default_value) {
    if (is_padded) return as_tensor(Tensor::zeros(f.dtype, {}));
    return as_tensor(Tensor(f.dtype, Shape{0}));
  }
  if (is_padded)
    return raw::Reshape(as_tensor(*f.default_value, "padding_" + in_name(f.key), f.dtype),
                        parts::ints({}));
  if (f.default_value->is_output()) return *f.default_value;
  return raw::Reshape(as_tensor(*f.default_value, "key_" + in_name(f.key), f.dtype),
                      ShapeInput(f.shape.full()));
}

template <class T, class Get>
auto each(const std::vector<T>& items, Get get) {
  std::vector<decltype(get(items[0]))> result;
  for (const T& item : items) result.push_back(get(item));
  return result;
}

}  // namespace

std::vector<std::string> RawFeatures::dense_keys() const {
  return each(dense, [](const Dense& d) { return d.key; });
}
std::vector<std::string> RawFeatures::sparse_keys() const {
  return each(sparse, [](const Sparse& s) { return s.key; });
}
std::vector<PartialShape> RawFeatures::dense_shapes() const {
  return each(dense, [](const Dense& d) { return d.shape; });
}
std::vector<DType> RawFeatures::sparse_types() const {
  return each(sparse, [](const Sparse& s) { return s.dtype; });
}
std::vector<DType> RawFeatures::dense_types() const {
  return each(dense, [](const Dense& d) { return d.dtype; });
}
std::vector<Input> RawFeatures::dense_defaults() const {
  return each(dense, [](const Dense& d) { return default_of(d); });
}

ParsedFeatures RawFeatures::named(const std::vector<Output>& indices,
                                  const std::vector<Output>& values,
                                  const std::vector<Output>& shapes,
                                  const std::vector<Output>& dense_values,
                                  const Features& features) const {
  std::map<std::string, SparseTensor> found;
  for (std::size_t i = 0; i < sparse.size(); ++i)
    found.emplace(sparse[i].key, SparseTensor(indices[i], values[i], shapes[i]));
  ParsedFeatures result;
  for (const auto& [key, tensor] : found)
    if (features.contains(key)) result.emplace(key, tensor);
  for (std::size_t i = 0; i < dense.size(); ++i) result.emplace(dense[i].key, dense_values[i]);
  for (const auto& [key, feature] : features) {
    const auto* f = std::get_if<SparseFeature>(&feature);
    if (f == nullptr) continue;
    std::vector<SparseTensor> ids;
    for (const std::string& index : f->index_keys) ids.push_back(found.at(index));
    const std::vector<Input> sizes(f->sizes.begin(), f->sizes.end());
    result.insert_or_assign(key, sparse::merge(ids, found.at(f->value_key), sizes,
                                               {.already_sorted = f->already_sorted}));
  }
  return result;
}

RawFeatures raw_features(const Features& features, bool in_sequence) {
  RawFeatures raw;
  for (const auto& [key, feature] : features) std::visit(Adder{raw, key, in_sequence}, feature);
  return raw;
}

}  // namespace rill
