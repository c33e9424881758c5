#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rill/api/feature_column/features.h"
#include "rill/api/lookup/table.h"
#include "rill/api/parsing/features.h"
#include "rill/api/variables/get_variable.h"

namespace rill::feature_column {

class FeatureColumn;
class FeatureTransformationCache;
class StateManager;

// A column is a value: never changed once it is made, the same as another of the same text.
using ColumnRef = std::shared_ptr<const FeatureColumn>;
using Columns = std::vector<ColumnRef>;

// Ids, and where there are any, the weights of the same places.
struct IdWeightPair {
  SparseTensor id_tensor = {};
  std::optional<SparseTensor> weight_tensor = {};
};
// Rows of sequences padded to the longest, [examples, steps, ...], and how long each one is, int64.
struct TensorSequenceLengthPair {
  Output dense_tensor = {}, sequence_length = {};
};
// What a column makes of raw features.
using Transformed = std::variant<Output, SparseTensor, IdWeightPair>;

// How raw features become something that a model takes. Says what it reads and how it is called; a
// column of a program's own is a subclass of one of the kinds below. Columns hold no tensors: one
// may be used in many graphs, and from several threads.
class FeatureColumn {
 public:
  virtual ~FeatureColumn() = default;

  virtual std::string name() const = 0;
  // The variable scope of its variables in input_layer and linear_model.
  virtual std::string var_scope_name() const { return name(); }
  // What its raw features are in serialised examples.
  virtual rill::Features parse_example_spec() const = 0;
  // Uses `cache` for what it reads, so that nothing is made twice.
  virtual Transformed transform_feature(FeatureTransformationCache& cache,
                                        StateManager& state) const = 0;
  // Makes the variables that it needs, where they are made before its first use.
  virtual void create_state(StateManager&) const {}

  // "NumericColumn(key='x', ...)". Columns of the same text are the same.
  const std::string& text() const;
  bool operator==(const FeatureColumn& other) const { return text() == other.text(); }
  bool operator<(const FeatureColumn& other) const { return text() < other.text(); }

  // The object of another language that this stands for, and how it prints there.
  struct Foreign {
    std::shared_ptr<void> object;
    std::string text;
  } foreign;

 protected:
  FeatureColumn() = default;
  virtual std::string make_text() const = 0;

 private:
  mutable std::once_flag text_made_;
  mutable std::string text_;
};

// A column of numbers: as many for each example as `variable_shape` says. The tensor is [examples,
// variable_shape], or can be reshaped to it.
class DenseColumn : public virtual FeatureColumn {
 public:
  virtual PartialShape variable_shape() const = 0;
  virtual Output get_dense_tensor(FeatureTransformationCache& cache, StateManager& state) const = 0;
};

// A column of ids in [0, num_buckets()), any number of them for each example.
class CategoricalColumn : public virtual FeatureColumn {
 public:
  virtual std::int64_t num_buckets() const = 0;
  virtual IdWeightPair get_sparse_tensors(FeatureTransformationCache& cache,
                                          StateManager& state) const = 0;
};
using CategoricalRef = std::shared_ptr<const CategoricalColumn>;

// A column of sequences of numbers.
class SequenceDenseColumn : public virtual FeatureColumn {
 public:
  virtual PartialShape sequence_shape() const = 0;  // of one step
  virtual TensorSequenceLengthPair get_sequence_dense_tensor(FeatureTransformationCache& cache,
                                                             StateManager& state) const = 0;
};

// Where columns get what outlives one use: variables and tables. input_layer has one for variable
// scopes (scope_state.h), layers have one that keeps its variables.
class StateManager {
 public:
  struct VariableRequest {
    Shape shape;
    Initializer initializer;
    bool trainable = true;
  };
  using MakeTable = std::function<std::shared_ptr<lookup::LookupTable>()>;

  virtual ~StateManager() = default;
  // Only layers that make variables before they are used are asked; others make them in
  // get_variable.
  virtual void create_variable(const FeatureColumn& column, const std::string& name,
                               const VariableRequest& request);
  // The variable of that name of the column; made, or found again, as the kind of manager does it.
  virtual AnyVariable get_variable(const FeatureColumn& column, const std::string& name,
                                   const VariableRequest& request) = 0;
  virtual std::shared_ptr<lookup::LookupTable> table(const FeatureColumn& column,
                                                     const std::string& name,
                                                     const MakeTable& make);
  // Whether columns are used by layers that keep state (tf.keras) rather than by variable scopes.
  virtual bool keeps_state() const { return false; }
};

// Raw features and what columns made of them, each once. For one graph and one thread.
class FeatureTransformationCache {
 public:
  explicit FeatureTransformationCache(Features features) : features_(std::move(features)) {}

  // A raw feature with a last dimension of 1 where it has only one. Throws InvalidArgument where it
  // is not there, has no dimensions, or is neither a tensor nor a sparse tensor.
  Transformed get(const std::string& key, StateManager& state);
  Transformed get(const FeatureColumn& column, StateManager& state);

 private:
  Transformed raw_feature(const std::string& key) const;

  Features features_;
  std::map<std::string, Transformed, std::less<>> raw_, made_;
};

// Throw InvalidArgument where it is something else.
Output dense(const Transformed& value);
const SparseTensor& sparse(const Transformed& value);

// The columns in the order of their names, so that the same set makes the same model however it is
// listed. Throws InvalidArgument where there are none, one is null, or two have the same name.
Columns sorted_columns(const Columns& columns);
void require_no_duplicates(const Columns& columns);

}  // namespace rill::feature_column
