#include "rill/api/feature_column/feature_column.h"

#include <algorithm>
#include <map>

#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/texts.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/feature_column/sparse_parts.h"
#include "rill/api/gen/math.h"
#include "rill/api/sparse/sparse_facts.h"

namespace rill::feature_column {
namespace {

Output expanded(Output x) { return expand_dims(x, -1); }
SparseTensor expanded(const SparseTensor& x) { return with_rows(x, 1); }

Output rank_of(Output x) { return rank(x); }
Output rank_of(const SparseTensor& x) { return sparse::rank(x); }

std::vector<Output> parts_of(Output x) { return {x}; }
std::vector<Output> parts_of(const SparseTensor& x) { return {x.indices, x.values, x.dense_shape}; }
Transformed joined(const std::vector<Output>& parts) {
  if (parts.size() == 1) return parts[0];
  return SparseTensor(parts[0], parts[1], parts[2]);
}

std::string text_of(Output x) { return tensor_text(x); }
std::string text_of(const SparseTensor& x) {
  return str_cat("SparseTensor(indices=", tensor_text(x.indices),
                 ", values=", tensor_text(x.values), ", dense_shape=", tensor_text(x.dense_shape),
                 ")");
}

// With a dimension for the values of an example where there is only that of the examples.
template <class T>
Transformed as_matrix(const std::string& key, const T& x, const PartialShape& known) {
  const std::string message =
      str_cat("Feature (key: ", key, ") cannot have rank 0. Given: ", text_of(x));
  if (known.has_rank()) {
    require(known.rank() > 0, message);
    return known.rank() == 1 ? Transformed(expanded(x)) : Transformed(x);
  }
  Node* const positive = &assert_positive(rank_of(x), {.message = message, .name = {}});
  const ControlDependencies checked(std::span<Node* const>(&positive, 1));
  const Output count = rank_of(x);
  const Output is_vector = raw::Equal(1, count);
  return joined(cond(
      is_vector, [&] { return parts_of(expanded(x)); }, [&] { return parts_of(x); }));
}

}  // namespace

const std::string& FeatureColumn::text() const {
  if (!foreign.text.empty()) return foreign.text;
  std::call_once(text_made_, [&] { text_ = make_text(); });
  return text_;
}

void StateManager::create_variable(const FeatureColumn&, const std::string&,
                                   const VariableRequest&) {
  raise(Code::kUnimplemented, "StateManager.create_variable");
}

std::shared_ptr<lookup::LookupTable> StateManager::table(const FeatureColumn&, const std::string&,
                                                         const MakeTable& make) {
  return make();
}

Transformed FeatureTransformationCache::raw_feature(const std::string& key) const {
  const auto found = features_.find(key);
  require(found != features_.end(), "Feature ", key, " is not in features dictionary.");
  const data::Component part = found->second.as_tensors("Const");
  switch (part.spec().kind) {
    case data::ComponentKind::kTensor:
      return as_matrix(key, part.tensor(), part.tensor().shape());
    case data::ComponentKind::kSparse:
      return as_matrix(key, part.sparse(), part.sparse().shape());
    default:
      require_type(false, "Feature (key: ", key, ") must be a Tensor or a SparseTensor.");
  }
  return {};
}

Transformed FeatureTransformationCache::get(const std::string& key, StateManager&) {
  const auto made = raw_.find(key);
  if (made != raw_.end()) return made->second;
  return raw_.emplace(key, raw_feature(key)).first->second;
}

Transformed FeatureTransformationCache::get(const FeatureColumn& column, StateManager& state) {
  const auto made = made_.find(column.text());
  if (made != made_.end()) return made->second;
  Transformed transformed = column.transform_feature(*this, state);
  return made_.emplace(column.text(), std::move(transformed)).first->second;
}

Output dense(const Transformed& value) {
  const Output* tensor = std::get_if<Output>(&value);
  require(tensor != nullptr, "The feature must be a Tensor. SparseTensor is not supported.");
  return *tensor;
}

const SparseTensor& sparse(const Transformed& value) {
  const auto* tensor = std::get_if<SparseTensor>(&value);
  require(tensor != nullptr, "SparseColumn input must be a SparseTensor.");
  return *tensor;
}

void require_no_duplicates(const Columns& columns) {
  require(!columns.empty(), "feature_columns must not be empty.");
  std::map<std::string, const FeatureColumn*> by_name;
  for (const ColumnRef& column : columns) {
    require(column != nullptr, "Items of feature_columns must be a FeatureColumn. Given: None.");
    const auto [other, is_new] = by_name.emplace(column->name(), column.get());
    require(is_new, "Duplicate feature column name found for columns: ", column->text(), " and ",
            other->second->text(),
            ". This usually means that these columns refer to same base feature. Either one must "
            "be discarded or a duplicated but renamed item must be inserted in features dict.");
  }
}

Columns sorted_columns(const Columns& columns) {
  require_no_duplicates(columns);
  Columns sorted = columns;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a->name() < b->name(); });
  return sorted;
}

}  // namespace rill::feature_column
