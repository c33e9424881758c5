#pragma once

#include "rill/ops/data/core/unary_dataset.h"

namespace rill {

// Every `shard_count`-th element, beginning with number `index`.
class ShardDataset final : public UnaryDataset {
 public:
  ShardDataset(ElementSpec spec, DatasetRef input, std::int64_t shard_count, std::int64_t index,
               bool require_non_empty)
      : UnaryDataset(std::move(spec), std::move(input)),
        shard_count_(shard_count),
        index_(index),
        require_non_empty_(require_non_empty) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override;
  std::int64_t size() const override;

 private:
  class Iterator;
  const std::int64_t shard_count_, index_;
  const bool require_non_empty_;
};

}  // namespace rill
