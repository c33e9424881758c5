#include <algorithm>

#include "rill/base/clock.h"
#include "rill/ops/data/core/data_iterator.h"
#include "rill/ops/data/core/dataset_kernel.h"

namespace rill {

extern const OpDecl kChooseFastestDataset, kExperimentalChooseFastestDataset;

namespace {

class ChooseFastestDataset final : public Dataset {
 public:
  ChooseFastestDataset(ElementSpec spec, std::vector<DatasetRef> inputs, std::int64_t experiments)
      : Dataset(std::move(spec)), inputs_(std::move(inputs)), experiments_(experiments) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }
  std::int64_t size() const override { return inputs_[0]->size(); }

 private:
  class Iterator final : public IteratorOf<ChooseFastestDataset> {
   public:
    Iterator(const ChooseFastestDataset& dataset, const PipelineRef& pipeline)
        : IteratorOf(dataset, pipeline), nanos_(dataset.inputs_.size()) {
      for (const DatasetRef& input : dataset.inputs_) inputs_.push_back(input->iterate(pipeline));
    }

    // While it is tried who is fastest, all are asked, and they say the same.
    bool produce(Element& element) override {
      if (tried_ >= dataset().experiments_) keep(fastest());
      bool more = true;
      Element same;
      for (std::size_t i = 0; i < inputs_.size(); ++i) {
        const std::int64_t begin = monotonic_nanos();
        more &= inputs_[i]->next(i == 0 ? element : same);
        nanos_[i] += monotonic_nanos() - begin;
      }
      ++tried_;
      return more;
    }
    bool would_wait() const override {
      return std::ranges::any_of(inputs_, [](const auto& input) { return input->would_wait(); });
    }

    void save_stage(StateWriter& state) const override {
      state.put("tried", tried_);
      state.put("kept", kept_);
      for (std::size_t i = 0; i < inputs_.size(); ++i) state.put(str_cat("input", i), inputs_[i]);
    }
    void restore_stage(const StateReader& state) override {
      tried_ = state.integer("tried");
      if (const std::int64_t kept = state.integer("kept"); kept >= 0)
        keep(static_cast<std::size_t>(kept));
      for (std::size_t i = 0; i < inputs_.size(); ++i)
        state.restore(str_cat("input", i), *inputs_[i]);
    }

   private:
    std::size_t fastest() const {
      return static_cast<std::size_t>(std::ranges::min_element(nanos_) - nanos_.begin());
    }
    void keep(std::size_t which) {
      if (kept_ >= 0) return;
      require(which < inputs_.size(), "there is no dataset ", which, " to go on with");
      kept_ = static_cast<std::int64_t>(which);
      std::unique_ptr<DataIterator> input = std::move(inputs_[which]);
      inputs_.clear();
      inputs_.push_back(std::move(input));
      nanos_.assign(1, 0);
    }

    std::vector<std::unique_ptr<DataIterator>> inputs_;
    std::vector<std::int64_t> nanos_;
    std::int64_t tried_ = 0, kept_ = -1;
  };
  const std::vector<DatasetRef> inputs_;
  const std::int64_t experiments_;
};

std::shared_ptr<Dataset> choose_fastest(KernelCall& call) {
  std::vector<DatasetRef> inputs;
  for (int i = 0; i < call.input_count(); ++i) inputs.push_back(dataset_input(call, i));
  for (std::size_t i = 1; i < inputs.size(); ++i)
    require(inputs[i]->size() == inputs[0]->size(),
            "All inputs to ChooseFastestDataset must have the same cardinality, but dataset ", i,
            " has ", inputs[i]->size(), " elements and the first ", inputs[0]->size());
  return std::make_shared<ChooseFastestDataset>(stated_spec(call.node()), std::move(inputs),
                                                call.node().attr<std::int64_t>("num_experiments"));
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<choose_fastest>(kChooseFastestDataset),
    dataset_kernel<choose_fastest>(kExperimentalChooseFastestDataset),
};

}  // namespace

extern const KernelTable kChooseFastestDatasetCpu{kEntries};

}  // namespace rill
