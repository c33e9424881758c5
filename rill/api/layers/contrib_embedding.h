#pragma once

#include <optional>
#include <string>

#include "rill/api/layers/contrib_layers.h"
#include "rill/api/nn/embedding.h"

namespace rill::contrib::layers {

// With neither size the variable must be there (`reuse`), else InvalidArgument. Without an
// initializer the scope's is taken, then Glorot's.
struct EmbedSequenceOptions {
  std::optional<std::int64_t> vocab_size{}, embed_dim{};  // needed unless the variable is reused
  bool unique = false;                                    // each id is looked up once
  Initializer initializer{};
  Regularizer regularizer{};
  bool trainable = true;
  ScopeChoice scope{};
  Reuse reuse = Reuse::kUnset;
};
// The embeddings of ids, of any shape, from a variable "embeddings" of shape [vocab_size,
// embed_dim]; the result has one dimension more. An id outside of the vocabulary fails the step.
Output embed_sequence(Output ids, const EmbedSequenceOptions& options,
                      std::source_location at = std::source_location::current());

struct EmbeddingLookupUniqueOptions {
  std::string partition_strategy = "mod";
  std::string name{};
};
// nn::embedding_lookup that looks each id up once, however often it comes: less traffic where the
// table is elsewhere, and gradients with one row for each id. Otherwise the results are the same.
Output embedding_lookup_unique(const nn::EmbeddingTable& params, const Input& ids,
                               const EmbeddingLookupUniqueOptions& options = {},
                               std::source_location at = std::source_location::current());

}  // namespace rill::contrib::layers
