#include <limits>

#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/unary_dataset.h"

namespace rill {

extern const OpDecl kRepeatDataset;

namespace {

class RepeatDataset final : public UnaryDataset {
 public:
  RepeatDataset(ElementSpec spec, DatasetRef input, std::int64_t count)
      : UnaryDataset(std::move(spec), std::move(input)), count_(count) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override {
    const std::int64_t once = input()->size();
    if (count_ == 0 || once == 0) return 0;
    if (count_ < 0) return kInfiniteSize;
    if (once < 0) return once;
    return once > std::numeric_limits<std::int64_t>::max() / count_ ? kUnknownSize : once * count_;
  }

 private:
  class Iterator final : public IteratorOf<RepeatDataset> {
   public:
    Iterator(const RepeatDataset& dataset, const PipelineRef& pipeline)
        : IteratorOf(dataset, pipeline), ended_(dataset.count_ == 0) {
      if (!ended_) begin();
    }
    bool produce(Element& element) override {
      const bool for_ever = dataset().count_ < 0;
      while (!ended_) {
        const bool begins = std::exchange(begins_, false);
        if (input_->next(element)) return true;
        // Nothing is nothing however often it is repeated.
        ended_ = for_ever ? begins : ++epoch_ >= dataset().count_;
        if (!ended_) begin();
      }
      return false;
    }
    bool would_wait() const override { return !ended_ && input_->would_wait(); }
    void save_stage(StateWriter& state) const override {
      state.put("epoch", epoch_);
      state.put("begins", std::int64_t{begins_});
      state.put("ended", std::int64_t{ended_});
      state.put("input", input_);
    }
    void restore_stage(const StateReader& state) override {
      epoch_ = state.integer("epoch");
      state.restore("input", input_);
      ended_ = state.integer("ended") != 0 || input_ == nullptr;
      begins_ = state.integer("begins") != 0;
    }

   private:
    void begin() {
      pipeline()->check_running();
      input_ = dataset().input()->iterate(pipeline());
      begins_ = true;
    }

    std::int64_t epoch_ = 0;
    bool ended_;
    std::unique_ptr<DataIterator> input_;  // of this epoch
    bool begins_ = false;                  // no element of this epoch was asked for
  };
  const std::int64_t count_;
};

std::shared_ptr<Dataset> repeat_dataset(KernelCall& call) {
  return std::make_shared<RepeatDataset>(stated_spec(call.node()), dataset_input(call, 0),
                                         scalar_input<std::int64_t>(call, 1, "count"));
}

constexpr KernelEntry kEntries[] = {dataset_kernel<repeat_dataset>(kRepeatDataset)};

}  // namespace

extern const KernelTable kRepeatDatasetCpu{kEntries};

}  // namespace rill
