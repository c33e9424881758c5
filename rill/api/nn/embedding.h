#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/nn/window_sizes.h"
#include "rill/api/sparse/sparse_tensor.h"
#include "rill/api/variables/partitioned_variable.h"

namespace rill::nn {

// The rows of one or several tensors or variables, which together are one table of embeddings. Made
// from what a program has:
//
//   nn::embedding_lookup(weights, ids);                    // a variable
//   nn::embedding_lookup(std::vector{part0, part1}, ids);  // several
class EmbeddingTable {
 public:
  // One part; variables that are resources are read by row.
  struct Shard {
    Input input;
    PartialShape shape;
    Variable variable{};

    bool is_resource() const { return variable && variable.is_resource(); }
  };

  template <class T>
  requires std::constructible_from<Filter, T> EmbeddingTable(const T& part) { add(part); }
  EmbeddingTable(const std::vector<Variable>& parts) {
    for (const Variable& part : parts) add(part);
  }
  EmbeddingTable(const std::vector<Output>& parts) {
    for (const Output& part : parts) add(part);
  }
  EmbeddingTable(const PartitionedVariable& variable) : EmbeddingTable(variable.parts()) {}
  EmbeddingTable(std::vector<Shard> parts) : parts_(std::move(parts)) {}

  const std::vector<Shard>& parts() const { return parts_; }

 private:
  void add(const Filter& part) { parts_.push_back({part, part.shape()}); }
  void add(const Variable& part) { parts_.push_back({part, part.shape(), part}); }

  std::vector<Shard> parts_;
};

// "mod" puts id i into part i % n. "div" gives the first parts one row more where they do not
// divide evenly. It must be the strategy that the table was made with.
struct EmbeddingOptions {
  std::string partition_strategy = "mod";  // ids go to parts in turn; "div": in blocks
  OptionalInput max_norm{};                // rows with a larger norm are scaled down to it
  std::string name{};
};
// The rows that `ids` name, [ids..., row...]. Gradients of a resource are rows, not a whole table.
// An id outside fails the step on a CPU. Throws InvalidArgument when the table has no parts, or the
// strategy is neither "mod" nor "div".
Output embedding_lookup(const EmbeddingTable& params, const Input& ids,
                        const EmbeddingOptions& options = {},
                        std::source_location at = std::source_location::current());

// With weights w, "sum" is sum(w * row), "mean" that over sum(w), "sqrtn" over sqrt(sum(w**2)).
struct SparseEmbeddingOptions {
  std::optional<SparseTensor> sp_weights{};  // ones
  std::string partition_strategy = "mod";
  std::string combiner = "mean";  // or "sum", "sqrtn"
  OptionalInput max_norm{};
  std::string name{};
};
// The rows that the ids in each row of `sp_ids` name, combined into one; no row may be empty.
// Throws InvalidArgument for another combiner, or weights of another shape than the ids.
//
//   ids [[1, 3], [2]] with "sum" gives [table[1] + table[3], table[2]]
Output embedding_lookup_sparse(const EmbeddingTable& params, const SparseTensor& sp_ids,
                               const SparseEmbeddingOptions& options = {},
                               std::source_location at = std::source_location::current());

struct SafeEmbeddingOptions {
  std::optional<SparseTensor> sparse_weights{};
  std::string combiner = "mean";
  std::optional<std::int64_t> default_id{};  // of empty rows; zeros when absent
  std::string partition_strategy = "div";
  OptionalInput max_norm{};
  std::string name{};
};
// The same without ids that are negative or weights that are not positive, for any rank and with
// rows that may be empty.
Output safe_embedding_lookup_sparse(const EmbeddingTable& embedding_weights,
                                    const SparseTensor& sparse_ids,
                                    const SafeEmbeddingOptions& options = {},
                                    std::source_location at = std::source_location::current());

}  // namespace rill::nn
