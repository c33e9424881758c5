#pragma once

#include "rill/ops/data/core/data_iterator.h"

namespace rill {

// The elements of the input as they are; the stages before may be told something.
class PassThroughDataset final : public Dataset {
 public:
  using Tell = std::function<void(PipelineSettings&)>;
  PassThroughDataset(ElementSpec spec, DatasetRef input, Tell tell = nullptr)
      : Dataset(std::move(spec)), input_(std::move(input)), tell_(std::move(tell)) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    if (!tell_) return input_->iterate(pipeline);
    PipelineSettings settings = pipeline->settings();
    tell_(settings);
    return input_->iterate(pipeline->with(std::move(settings)));
  }
  std::int64_t size() const override { return input_->size(); }

 private:
  const DatasetRef input_;
  const Tell tell_;
};

}  // namespace rill
