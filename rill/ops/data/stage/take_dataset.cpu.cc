#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/unary_dataset.h"
#include "rill/ops/data/files/shard_dataset.h"

namespace rill {

extern const OpDecl kTakeDataset, kSkipDataset, kShardDataset;

namespace {

class TakeDataset final : public UnaryDataset {
 public:
  TakeDataset(ElementSpec spec, DatasetRef input, std::int64_t count)
      : UnaryDataset(std::move(spec), std::move(input)), count_(count) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override {
    const std::int64_t all = input()->size();
    if (all == kUnknownSize) return kUnknownSize;
    if (all == kInfiniteSize) return count_ < 0 ? kInfiniteSize : count_;
    return count_ < 0 ? all : std::min(all, count_);
  }

 private:
  class Iterator final : public UnaryIterator<TakeDataset> {
   public:
    using UnaryIterator::UnaryIterator;
    bool produce(Element& element) override {
      if (dataset().count_ < 0) return pull(element);
      if (taken_ < dataset().count_ && pull(element)) {
        ++taken_;
        return true;
      }
      end();
      return false;
    }
    void save_stage(StateWriter& state) const override {
      UnaryIterator::save_stage(state);
      state.put("taken", taken_);
    }
    void restore_stage(const StateReader& state) override {
      UnaryIterator::restore_stage(state);
      taken_ = state.integer("taken");
    }

   private:
    std::int64_t taken_ = 0;
  };
  const std::int64_t count_;
};

class SkipDataset final : public UnaryDataset {
 public:
  SkipDataset(ElementSpec spec, DatasetRef input, std::int64_t count)
      : UnaryDataset(std::move(spec), std::move(input)), count_(count) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override {
    if (count_ < 0) return 0;
    const std::int64_t all = input()->size();
    return all < 0 ? all : std::max<std::int64_t>(0, all - count_);
  }

 private:
  class Iterator final : public UnaryIterator<SkipDataset> {
   public:
    using UnaryIterator::UnaryIterator;
    bool produce(Element& element) override {
      if (dataset().count_ < 0) end();
      if (skipped_ < dataset().count_) skipped_ += pass(dataset().count_ - skipped_);
      return pull(element);
    }
    void save_stage(StateWriter& state) const override {
      UnaryIterator::save_stage(state);
      state.put("skipped", skipped_);
    }
    void restore_stage(const StateReader& state) override {
      UnaryIterator::restore_stage(state);
      skipped_ = state.integer("skipped");
    }

   private:
    std::int64_t skipped_ = 0;
  };
  const std::int64_t count_;
};

template <class D>
std::shared_ptr<Dataset> counted_dataset(KernelCall& call) {
  return std::make_shared<D>(stated_spec(call.node()), dataset_input(call, 0),
                             scalar_input<std::int64_t>(call, 1, "count"));
}

std::shared_ptr<Dataset> shard_dataset(KernelCall& call) {
  const auto shard_count = scalar_input<std::int64_t>(call, 1, "num_shards");
  const auto index = scalar_input<std::int64_t>(call, 2, "index");
  require(shard_count > 0,
          "Number of shards must be greater than zero (currently num_shards = ", shard_count, ").");
  require(index >= 0 && index < shard_count, "Index must be between 0 and ", shard_count - 1,
          " (currently index = ", index, ").");
  return std::make_shared<ShardDataset>(stated_spec(call.node()), dataset_input(call, 0),
                                        shard_count, index,
                                        call.node().attr<bool>("require_non_empty"));
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<counted_dataset<TakeDataset>>(kTakeDataset),
    dataset_kernel<counted_dataset<SkipDataset>>(kSkipDataset),
    dataset_kernel<shard_dataset>(kShardDataset),
};

}  // namespace

extern const KernelTable kTakeDatasetCpu{kEntries};

}  // namespace rill
