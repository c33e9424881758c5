#pragma once

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/data/core/dataset.h"

namespace rill {

// The part of `dataset` that one of `shards` reads when its files are shared out: as TensorFlow,
// where the pipeline begins with names of files that a reader, or a function that calls one, opens.
// A shuffle of the names comes after the sharing, so that every file is read once. Null for a
// pipeline that has another source. `library` is a serialized FunctionDefLibrary.
DatasetRef sharded_by_file(const DatasetRef& dataset, std::int64_t shards, std::int64_t index,
                           const KernelCall& call, const std::string& library);

}  // namespace rill
