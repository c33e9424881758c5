#include "rill/api/layers/contrib_embedding.h"

#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/plain_array.h"
#include "rill/api/layers/contrib_scope.h"

namespace rill::contrib::layers {

Output embed_sequence(Output ids, const EmbedSequenceOptions& o, std::source_location at) {
  const bool known = o.vocab_size && o.embed_dim;
  require(known || o.reuse == Reuse::kYes || o.reuse == Reuse::kAuto,
          "Must specify vocab size and embedding dimension when not reusing.");
  const auto in = model_scope(o.scope, "EmbedSequence", o.reuse, {}, at);
  GetVariableOptions how;
  if (known) how.shape = PartialShape({*o.vocab_size, *o.embed_dim});
  how.initializer = o.initializer;
  how.regularizer = o.regularizer;
  how.trainable = o.trainable;
  const Variable embeddings = get_variable("embeddings", how);
  return o.unique ? embedding_lookup_unique(embeddings, ids)
                  : nn::embedding_lookup(embeddings, ids);
}

Output embedding_lookup_unique(const nn::EmbeddingTable& params, const Input& ids,
                               const EmbeddingLookupUniqueOptions& o, std::source_location at) {
  const Block in(o.name, "EmbeddingLookupUnique", at);
  const Output all = as_tensor(ids, "ids");
  const Output sizes = shape(all);
  const auto [once, places] = unique(reshape(all, rill::layers::axes_input({-1})));
  const Output rows =
      nn::embedding_lookup(params, once, {.partition_strategy = o.partition_strategy});
  const Output flat = gather(rows, places);
  const std::vector<SlicePart> inner{SliceRange{.start = Input(1)}};
  const Output result = reshape(flat, concat({sizes, slice(shape(rows), inner)}, 0));
  if (all.shape().has_rank() && rows.shape().has_rank()) {
    PartialShape wanted = all.shape();
    for (int i = 1; i < rows.shape().rank(); ++i) wanted.add_dim(rows.shape()[i]);
    result.node->graph().refine_shape(result, wanted);
  }
  return result;
}

}  // namespace rill::contrib::layers
