#include <algorithm>

#include "rill/ops/data/core/dataset_kernel.h"
#include "rill/ops/data/core/made_walk.h"
#include "rill/ops/data/core/stage_work.h"

namespace rill {

extern const OpDecl kFlatMapDataset, kInterleaveDataset;

namespace {

// A flat map is a cycle of one.
class InterleaveDataset final : public Dataset {
 public:
  InterleaveDataset(ElementSpec spec, DatasetRef input, FunctionSource function,
                    std::int64_t cycle_length, std::int64_t block_length)
      : Dataset(std::move(spec)),
        input_(std::move(input)),
        function_(std::move(function)),
        cycle_length_(cycle_length),
        block_length_(block_length) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }

 private:
  class Iterator final : public IteratorOf<InterleaveDataset> {
   public:
    Iterator(const InterleaveDataset& dataset, const PipelineRef& pipeline)
        : IteratorOf(dataset, pipeline),
          input_(dataset.input_->iterate(pipeline)),
          function_(*pipeline, dataset.function_) {}

    bool produce(Element& element) override {
      while (input_ != nullptr || open_ > 0) {
        if (turn_ >= cycle_.size() && input_ == nullptr) turn_ = 0;  // nothing was there ever
        if (turn_ >= cycle_.size()) cycle_.resize(turn_ + 1);
        std::unique_ptr<MadeWalk>& walk = cycle_[turn_];
        if (walk != nullptr) {
          if (walk->next(element)) {
            if (++in_block_ == dataset().block_length_) turn_over();
            return true;
          }
          walk.reset();
          --open_;
          turn_over();
        } else if (input_ != nullptr) {
          open(walk);
        } else {
          turn_over();
        }
      }
      return false;
    }
    bool would_wait() const override {
      if (turn_ < cycle_.size() && cycle_[turn_] != nullptr && cycle_[turn_]->would_wait())
        return true;
      return function_.may_block() || (input_ != nullptr && input_->would_wait());
    }

    void save_stage(StateWriter& state) const override {
      state.put("input", input_);
      state.put("turn", static_cast<std::int64_t>(turn_));
      state.put("in_block", in_block_);
      state.put("cycle", static_cast<std::int64_t>(cycle_.size()));
      for (std::size_t i = 0; i < cycle_.size(); ++i) {
        if (cycle_[i] == nullptr) continue;
        StateWriter place = state.below(str_cat(i));
        cycle_[i]->save(place);
      }
    }
    void restore_stage(const StateReader& state) override {
      state.restore("input", input_);
      const std::int64_t length = dataset().cycle_length_, places = state.integer("cycle", length);
      turn_ = static_cast<std::size_t>(state.integer("turn", std::min(places, length - 1)));
      in_block_ = state.integer("in_block", dataset().block_length_ - 1);
      cycle_.clear();
      open_ = 0;
      for (std::int64_t i = 0; i < places; ++i) {
        const StateReader place = state.below(str_cat(i));
        cycle_.push_back(nullptr);
        if (!place.has("arguments/count")) continue;
        cycle_.back() = MadeWalk::restored(function_, place, pipeline());
        ++open_;
      }
    }

   private:
    void open(std::unique_ptr<MadeWalk>& walk) {
      Element arguments;
      if (input_->next(arguments)) {
        walk = std::make_unique<MadeWalk>(function_, std::move(arguments), pipeline());
        ++open_;
      } else {
        input_.reset();
      }
    }
    void turn_over() {
      in_block_ = 0;
      turn_ = (turn_ + 1) % static_cast<std::size_t>(dataset().cycle_length_);
    }

    std::unique_ptr<DataIterator> input_;
    const DataFunction function_;
    std::vector<std::unique_ptr<MadeWalk>> cycle_;  // grows as places are first visited
    std::size_t turn_ = 0;
    std::int64_t in_block_ = 0, open_ = 0;
  };
  const DatasetRef input_;
  const FunctionSource function_;
  const std::int64_t cycle_length_, block_length_;
};

std::shared_ptr<Dataset> flat_map_dataset(KernelCall& call) {
  const KernelNode& node = call.node();
  return std::make_shared<InterleaveDataset>(
      stated_spec(node), dataset_input(call, 0),
      function_input(call, "f", 1, list_length(node, "Targuments")), 1, 1);
}

std::shared_ptr<Dataset> interleave_dataset(KernelCall& call) {
  const KernelNode& node = call.node();
  const int captured = list_length(node, "Targuments");
  auto cycle_length = scalar_input<std::int64_t>(call, 1 + captured, "cycle_length");
  const auto block_length = scalar_input<std::int64_t>(call, 2 + captured, "block_length");
  if (cycle_length == kAutotune) cycle_length = default_threads();
  require(cycle_length > 0, "cycle_length must be greater than zero.");
  require(block_length > 0, "block_length must be greater than zero.");
  return std::make_shared<InterleaveDataset>(stated_spec(node), dataset_input(call, 0),
                                             function_input(call, "f", 1, captured), cycle_length,
                                             block_length);
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<flat_map_dataset>(kFlatMapDataset),
    dataset_kernel<interleave_dataset>(kInterleaveDataset),
};

}  // namespace

extern const KernelTable kFlatMapDatasetCpu{kEntries};

}  // namespace rill
