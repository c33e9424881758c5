#include <algorithm>

#include "rill/ops/data/core/data_iterator.h"
#include "rill/ops/data/core/dataset_kernel.h"

namespace rill {

extern const OpDecl kDirectedInterleaveDataset, kExperimentalDirectedInterleaveDataset;

namespace {

class DirectedInterleaveDataset final : public Dataset {
 public:
  DirectedInterleaveDataset(ElementSpec spec, DatasetRef selector, std::vector<DatasetRef> inputs)
      : Dataset(std::move(spec)), selector_(std::move(selector)), inputs_(std::move(inputs)) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }

 private:
  class Iterator final : public IteratorOf<DirectedInterleaveDataset> {
   public:
    Iterator(const DirectedInterleaveDataset& dataset, const PipelineRef& pipeline)
        : IteratorOf(dataset, pipeline), selector_(dataset.selector_->iterate(pipeline)) {
      for (const DatasetRef& input : dataset.inputs_) inputs_.push_back(input->iterate(pipeline));
      open_ = inputs_.size();
    }

    // Where an input has ended, the selector is asked again.
    bool produce(Element& element) override {
      while (selector_ != nullptr && open_ > 0 && selector_->next(selected_)) {
        std::unique_ptr<DataIterator>& input = inputs_[chosen()];
        if (input == nullptr) continue;
        if (input->next(element)) return true;
        input.reset();
        --open_;
      }
      selector_.reset();
      inputs_.clear();
      return false;
    }
    bool would_wait() const override {
      if (selector_ == nullptr) return false;
      return selector_->would_wait() || std::ranges::any_of(inputs_, [](const auto& input) {
               return input != nullptr && input->would_wait();
             });
    }

    void save_stage(StateWriter& state) const override {
      state.put("selector", selector_);
      for (std::size_t i = 0; i < inputs_.size(); ++i) state.put(str_cat("input", i), inputs_[i]);
    }
    void restore_stage(const StateReader& state) override {
      state.restore("selector", selector_);
      if (selector_ == nullptr) inputs_.clear();
      for (std::size_t i = 0; i < inputs_.size(); ++i)
        state.restore(str_cat("input", i), inputs_[i]);
      open_ = static_cast<std::size_t>(
          std::ranges::count_if(inputs_, [](const auto& input) { return input != nullptr; }));
    }

   private:
    std::size_t chosen() const {
      require(
          selected_.size() == 1 && selected_[0].dtype() == DType::i64 && selected_[0].rank() == 0,
          "Selector input must be a scalar int64.");
      const std::int64_t index = selected_[0].scalar_value<std::int64_t>();
      require(index >= 0 && static_cast<std::size_t>(index) < inputs_.size(),
              "Selector index out of range: ", index, " >= ", inputs_.size());
      return static_cast<std::size_t>(index);
    }

    std::unique_ptr<DataIterator> selector_;
    std::vector<std::unique_ptr<DataIterator>> inputs_;
    std::size_t open_ = 0;
    Element selected_;
  };
  const DatasetRef selector_;
  const std::vector<DatasetRef> inputs_;
};

std::shared_ptr<Dataset> directed_interleave(KernelCall& call) {
  std::vector<DatasetRef> inputs;
  for (int i = 1; i < call.input_count(); ++i) {
    inputs.push_back(dataset_input(call, i));
    require(inputs.back()->spec().types == inputs.front()->spec().types,
            "All data_input_datasets must have the same output types. Input dataset ", i - 1,
            " differs from the first.");
  }
  const DatasetRef selector = dataset_input(call, 0);
  require(selector->spec().types == std::vector<DType>{DType::i64},
          "The selector input dataset must have a single int64 element.");
  return std::make_shared<DirectedInterleaveDataset>(stated_spec(call.node()), selector,
                                                     std::move(inputs));
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<directed_interleave>(kDirectedInterleaveDataset),
    dataset_kernel<directed_interleave>(kExperimentalDirectedInterleaveDataset),
};

}  // namespace

extern const KernelTable kDirectedInterleaveDatasetCpu{kEntries};

}  // namespace rill
