#pragma once

#include <vector>

#include "rill/api/input/batch.h"

namespace rill::train {

// Sparse components in queues, which hold dense tensors only: what is queued is the handle under
// which a map of the session keeps the element.

// How one component comes back.
struct StoredSparse {
  Node* map = nullptr;  // the op whose map keeps it; nullptr: the component is dense
  std::int64_t rank = kUnknownDim;
};

struct StoredComponents {
  std::vector<Output> tensors = {};
  std::vector<StoredSparse> sparse = {};
};

// `like`: how the components of the list before were stored; none: the first list.
StoredComponents store_sparse(const Batch& components, bool enqueue_many, Output keep_input,
                              const std::vector<StoredSparse>& like = {});
Batch restore_sparse(const std::vector<Output>& stored, const std::vector<StoredSparse>& sparse);

}  // namespace rill::train
