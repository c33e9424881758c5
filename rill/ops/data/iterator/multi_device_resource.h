#pragma once

#include <deque>

#include "rill/ops/data/core/data_iterator.h"
#include "rill/ops/data/iterator/element_request.h"
#include "rill/tensor/resource_handle.h"

namespace rill {

// A walk through a dataset whose elements go round the devices: the first to shard 0, the next to
// shard 1, and so on. Each shard keeps what it was dealt until a step takes it; dealing rests while
// the shard whose turn it is has `most` elements.
class MultiDeviceResource final : public Resource, public WaitingRoom {
 public:
  static constexpr const char* kTypeName = "tensorflow::data::MultiDeviceIterator";
  MultiDeviceResource(ElementSpec spec, int shard_count)
      : spec_(std::move(spec)), shards_(static_cast<std::size_t>(shard_count)) {}
  ~MultiDeviceResource() override { stop(); }
  std::string describe() const override { return "multi-device iterator"; }

  const ElementSpec& spec() const { return spec_; }
  // Begins anew; what it returns tells this walk from those before.
  std::int64_t start(const DatasetRef& dataset, std::int64_t most, StepContext& step);
  void next(std::int64_t shard, std::int64_t walk, KernelCall& call, Done done, Deliver deliver);
  void stop();

 private:
  struct Shard {
    std::deque<NextElement> dealt;
    std::deque<std::shared_ptr<ElementRequest>> line;
  };
  struct Walk {
    PipelineRef pipeline;
    std::unique_ptr<DataIterator> iterator;
  };

  bool may_deal() const {
    return walk_ != nullptr && !ended_ && shards_[turn_].dealt.size() < most_;
  }
  void deal();  // on a background thread
  void serve() override;
  void leave(Waiter& waiter) override;

  const ElementSpec spec_;
  std::vector<Shard> shards_;
  std::shared_ptr<Walk> walk_;
  std::int64_t walk_number_ = 0;
  std::size_t most_ = 1, turn_ = 0;
  bool ended_ = false, dealing_ = false;
};

}  // namespace rill
